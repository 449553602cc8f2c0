"""Runs the programs of examples/cpp and compares what they print with the same studies run by the command line, to the nine
digits that they print. Usage: test_examples.py PROGRAM FOLDER-OF-EXAMPLES"""

import csv
import json
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from program_test import THREE_MASSES, FolderTest  # noqa: E402

PROGRAM, EXAMPLES = (Path(argument) for argument in (sys.argv.pop(1), sys.argv.pop(1)))
DIGITS = 1e-8  # relative, of nine digits; laws in closed form on both sides

# Dahl's friction is a Bouc-Wen law with n = 1, gamma = 0: k0 = sigma, beta = sigma/limit.
DAHL = """
[structure]
kind = "lumped"
masses = [1.0]
springs = [["ground", "1", 1e4]]
damping = { modal = 1e-3 }
[[joint]]
name = "dahl"
between = ["ground", "1"]
law = "bouc_wen"
k0 = 2e4
alpha = 0.0
beta = 1000.0
gamma = 0.0
n = 1.0
[[load]]
name = "hit"
at = "1"
signal = { kind = "half_sine", amplitude = 50.0, duration = 0.01 }
[[analysis]]
kind = "transient"
method = "modal_exact"
load = "hit"
duration = 0.5
step = 1e-4
"""


class ExamplesTest(FolderTest):
    def example(self, name, *arguments):
        result = subprocess.run([EXAMPLES / f"example_{name}", *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def numbers(self, name):
        return dict(line.split(" ", 1) for line in self.example(name).splitlines())

    def run_study(self, text):
        study = self.folder / "study.toml"
        study.write_text(text)
        result = subprocess.run([PROGRAM, "run", study, "--out", self.folder / "results", "--no-report", "--quiet"],
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.folder / "results/summary.json").read_text())["analyses"]

    def table(self, name):
        with open(self.folder / "results" / name, newline="") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def assert_digits(self, printed, value):
        self.assertLessEqual(abs(float(printed) - value), DIGITS * abs(value))

    def test_transient(self):
        analysis = self.run_study(THREE_MASSES + """
[[analysis]]
kind = "transient"
load = "hit"
duration = 100.0
step = 1e-2
""")[0]
        printed = self.numbers("transient")
        rows = self.table("transient.csv")
        self.assertEqual(printed["ending"], "completed")
        self.assertEqual(int(printed["rows"]), len(rows))
        self.assert_digits(printed["q3"], rows[-1]["q[3]"])
        self.assert_digits(printed["lost_in_the_joint"], analysis["energy"]["joints"]["lap"])

    def test_qsma_curve(self):
        self.run_study(THREE_MASSES + """
[[analysis]]
kind = "qsma"
mode = 2
alpha = [0.01, 300.0]
""")
        printed = list(csv.DictReader(self.example("qsma_curve", self.folder / "study.toml", "2").splitlines()))
        rows = self.table("qsma.csv")
        self.assertEqual(len(printed), len(rows))
        for line, row in zip(printed, rows):
            for key in ("alpha", "q", "omega", "zeta"):
                self.assert_digits(line[key], row[key])

    def test_custom_law(self):
        analysis = self.run_study(DAHL)[0]
        printed = self.numbers("custom_law")
        self.assertEqual(int(printed["steps"]), analysis["steps"])
        # Newton stops at 1e-6 of the joint forces before its last correction, which is quadratic: 1e-12 a step, and 5000
        # steps of a stable scheme add up to 5e-9 at most, below the digits that are printed.
        self.assert_digits(printed["q"], self.table("transient.csv")[-1]["q[1]"])
        self.assert_digits(printed["lost_in_the_joint"], analysis["energy"]["joints"]["dahl"])
        self.assertLess(abs(float(printed["energy_error"])), 1e-5)


if __name__ == "__main__":
    unittest.main()
