"""Runs the program as a user would: exit codes, files left behind, messages. Usage: test_cli.py PROGRAM"""

import csv
import json
import math
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from program_test import THREE_MASSES, FolderTest  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))

STUDY = """
title = "Three masses"
[units]
length = "m"
force = "N"
time = "s"
""" + THREE_MASSES + """[[analysis]]
kind = "modes"
[[analysis]]
kind = "transient"
name = "ring"
load = "hit"
duration = 20.0
step = 0.01
"""


def read_csv(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(cell) for cell in row] for row in rows[1:]]


class CliTest(FolderTest):
    def program(self, *arguments, cwd=None):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=cwd or self.folder)

    def write(self, text, name="study.toml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def files(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*"))

    def summary(self, directory="study-results"):
        return json.loads((self.folder / directory / "summary.json").read_text())


class Run(CliTest):
    def test_leaves_the_promised_files(self):
        result = self.program("run", self.write(STUDY))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        self.assertEqual(sorted(os.listdir(self.folder / "study-results")),
                         ["modes-shapes.csv", "modes.csv", "report.html", "report.json", "results.h5",
                          "ring-energy.csv", "ring.csv", "summary.json"])
        self.assertIn('transient "ring": completed', result.stdout)

        names, rows = read_csv(self.folder / "study-results/ring.csv")
        self.assertEqual(names, "time q[1] q[2] q[3] v[1] v[2] v[3] a[1] a[2] a[3] u[lap] f[lap]".split())
        self.assertEqual(len(rows), 2001)
        self.assertAlmostEqual(rows[-1][0], 20.0, places=9)
        last = dict(zip(names, rows[-1]))
        self.assertAlmostEqual(last["u[lap]"], last["q[3]"] - last["q[2]"], places=12)

        names, rows = read_csv(self.folder / "study-results/modes.csv")
        self.assertEqual(names, ["mode", "omega_stuck", "omega_slipped", "zeta"])
        self.assertAlmostEqual(rows[0][1], 0.42447, places=5)  # Lacayo 2.3.1, corrected
        self.assertAlmostEqual(rows[0][3], 1e-4, places=12)
        names, rows = read_csv(self.folder / "study-results/modes-shapes.csv")
        self.assertEqual(names, ["mode", "phi[1]", "phi[2]", "phi[3]"])
        self.assertAlmostEqual(10.0 * sum(x * x for x in rows[0][1:]), 1.0, places=12)  # phi^T M phi

        summary = self.summary()
        self.assertRegex(summary["version"], r"^\d+\.\d+\.\d+$")
        modes, ring = summary["analyses"]
        self.assertEqual((modes["kind"], modes["name"], modes["ending"]), ("modes", "modes", "completed"))
        self.assertEqual(ring["steps"], 2000)
        self.assertGreaterEqual(ring["newton_iterations"], 2000)
        self.assertGreaterEqual(ring["wall_seconds"], 0.0)
        energy = ring["energy"]
        balance = energy["initial"] + energy["input"] - energy["stored"] - energy["damping"] - energy["joints"]["lap"]
        self.assertLess(abs(balance), 1e-3 * energy["input"])
        self.assertLess(abs(energy["error"]), 1e-3)

    def test_out_and_quiet(self):
        result = self.program("run", self.write(STUDY), "--out", self.folder / "a/b", "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertTrue((self.folder / "a/b/ring.csv").exists())
        # Nor what an imported structure is told to be.
        head = "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 "
        for name in ("M.mtx", "K.mtx"):
            (self.folder / name).write_text(head + "2.0\n")
        study = self.write('[structure]\nkind = "matrices"\nmass = "M.mtx"\nstiffness = "K.mtx"\n'
                           '[[analysis]]\nkind = "modes"\n')
        self.assertIn("imported", self.program("run", study).stdout)
        result = self.program("run", study, "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_results_for_matlab(self):
        for _ in range(2):  # the second run takes the place of the first, with the same bytes
            self.assertEqual(self.program("run", self.write(STUDY), "--mat", "--no-report").returncode, 0)
            data = (self.folder / "study-results/results.mat").read_bytes()
            self.assertTrue(data.startswith(b"MATLAB 5.0 MAT-file"))
            self.assertIn(b"ring_energy", data)
            self.assertEqual(data, getattr(self, "first", data))
            self.first = data
        self.assertNotIn("results.mat.part", os.listdir(self.folder / "study-results"))
        self.assertIn("microslip run", (self.folder / "study-results/report.json").read_text())
        self.assertIn("--mat", (self.folder / "study-results/report.json").read_text())
        self.assertIn("--mat", self.program("run", "--help").stdout)

    def test_record_every_and_free_motion(self):
        study = STUDY.replace('load = "hit"', 'initial = { q = { "3" = 1.0 } }\nrecord = { dofs = ["3"], joints = [], every = 100 }')
        self.assertEqual(self.program("run", self.write(study)).returncode, 0)
        names, rows = read_csv(self.folder / "study-results/ring.csv")
        self.assertEqual(names, ["time", "q[3]", "v[3]", "a[3]"])
        self.assertEqual(len(rows), 21)
        self.assertAlmostEqual(rows[0][1], 1.0, delta=2e-15)  # into three modes and back
        energy = self.summary()["analyses"][1]["energy"]
        self.assertGreater(energy["initial"], 0.0)

    def test_static_start_is_at_rest(self):
        study = STUDY.replace('load = "hit"', 'load = "pull"\ninitial = { static = "pull" }') + """
[[load]]
name = "pull"
at = "3"
signal = { kind = "constant", amplitude = 1.0 }
"""
        self.assertEqual(self.program("run", self.write(study)).returncode, 0)
        names, rows = read_csv(self.folder / "study-results/ring.csv")
        for row in rows:
            self.assertAlmostEqual(row[names.index("q[3]")], rows[0][names.index("q[3]")], places=8)
            self.assertAlmostEqual(row[names.index("a[3]")], 0.0, places=8)

    def test_every_method_gives_the_same_motion(self):
        last = {}
        for method in ["newmark", "hht", "generalized_alpha", "modal_exact"]:
            study = STUDY.replace("step = 0.01", f'step = 0.002\nmethod = "{method}"')
            self.assertEqual(self.program("run", self.write(study), "--out", method).returncode, 0)
            names, rows = read_csv(self.folder / method / "ring.csv")
            last[method] = rows[-1][names.index("q[3]")]
        for method, value in last.items():
            self.assertLess(abs(value - last["modal_exact"]), 1e-3 * abs(value), method)

    def test_old_results_do_not_survive_a_new_run(self):
        self.program("run", self.write(STUDY))
        (self.folder / "study-results/ring.csv.part").write_text("old")
        self.assertEqual(self.program("run", self.write(STUDY)).returncode, 0)
        self.assertFalse((self.folder / "study-results/ring.csv.part").exists())

    def test_unwritable_directory(self):
        self.write("", "taken")
        result = self.program("run", self.write(STUDY), "--out", "taken")
        self.assertEqual(result.returncode, 2)
        self.assertIn("taken", result.stderr)

    def test_limit_load_is_told(self):
        # A mass held by a Jenkins slider alone carries no more than fs.
        study = """
[structure]
kind = "lumped"
masses = [1.0]
[[joint]]
name = "slider"
between = ["ground", "1"]
law = "jenkins"
kt = 100.0
fs = 1.0
[[load]]
name = "pull"
at = "1"
signal = { kind = "constant", amplitude = 5.0 }
[[analysis]]
kind = "transient"
initial = { static = "pull" }
duration = 1.0
step = 0.1
"""
        result = self.program("run", self.write(study))
        self.assertEqual(result.returncode, 1)
        self.assertIn(self.summary()["analyses"][0]["ending"], ["limit_load", "no_convergence"])
        self.assertIn("pull", result.stderr)


class Memory(CliTest):
    def peak_kib(self, duration):
        study = STUDY.replace('kind = "half_sine", amplitude = 10.0, duration = 1.8', 'kind = "sine", amplitude = 3.0, omega = 0.5')
        study = study.replace("duration = 20.0", f"duration = {duration}")
        study += "record = { dofs = ['3'], every = 50 }\n"
        process = subprocess.Popen([PROGRAM, "run", str(self.write(study)), "--quiet", "--no-report"])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss

    def test_does_not_grow_with_the_length_of_a_run(self):
        # 1e6 and 4e6 steps of a forced motion, whose memory is a few reversals; rows are streamed, and the shorter run
        # fills HDF5's cache of 1 MB too. Held in memory, 6e4 rows of 9 numbers more and the histories of 3e6 steps would
        # take 4.3 and 300 MB. A report holds the columns that it draws. What is resident also holds pages of libraries
        # that the kernel maps ahead or not: runs alike differ by 0.8 MB, the least of three by less. The bound is half
        # of the 4.3 MB. An address sanitizer has an allocator of its own.
        if b"libasan" in subprocess.run(["ldd", PROGRAM], capture_output=True).stdout:
            self.skipTest("memory is measured without sanitizers")
        short = min(self.peak_kib(10000.0) for _ in range(3))
        long = min(self.peak_kib(40000.0) for _ in range(3))
        self.assertLess(long - short, 2150)


class Interrupt(CliTest):
    LONG = STUDY.replace("duration = 20.0", "duration = 1e6").replace("step = 0.01", "step = 1e-3") + """
record = { dofs = ["3"], joints = [], every = 100 }
[[analysis]]
kind = "modes"
name = "after"
"""

    def test_ctrl_c_keeps_what_there_is(self):
        process = subprocess.Popen([PROGRAM, "run", str(self.write(self.LONG))], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        results = self.folder / "study-results"
        deadline = time.time() + 60
        while time.time() < deadline and not (results / "ring.csv.part").exists():
            time.sleep(0.02)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertIn("interrupted", errors)
        endings = {a["name"]: a["ending"] for a in self.summary()["analyses"]}
        self.assertEqual(endings, {"modes": "completed", "ring": "interrupted", "after": "interrupted"})
        names, rows = read_csv(results / "ring.csv")
        self.assertGreater(len(rows), 1)
        self.assertTrue(all(len(row) == len(names) for row in rows))
        self.assertFalse(list(results.glob("*.part")))
        self.assertGreater(self.summary()["analyses"][1]["steps"], 0)

    def test_a_killed_run_does_not_look_whole(self):
        process = subprocess.Popen([PROGRAM, "run", str(self.write(self.LONG))], stdout=subprocess.DEVNULL)
        results = self.folder / "study-results"
        deadline = time.time() + 60
        while time.time() < deadline and not (results / "ring.csv.part").exists():
            time.sleep(0.02)
        process.kill()
        process.wait()
        self.assertFalse((results / "ring.csv").exists())
        self.assertFalse((results / "results.h5").exists())
        endings = [a["ending"] for a in self.summary()["analyses"]]
        self.assertEqual(endings, ["completed", "interrupted", "interrupted"])

    def test_progress_through_a_pipe_and_an_end_by_sigterm(self):
        # The first line after 5 s.
        process = subprocess.Popen([PROGRAM, "run", str(self.write(self.LONG))], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        self.assertRegex(process.stderr.readline(), r"^ring: \d+ % after \d.* s, \d.* left$")
        process.terminate()
        asked = time.time()
        process.communicate(timeout=30)
        self.assertLess(time.time() - asked, 5.0)  # 1 s, but for a busy machine
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.summary()["analyses"][1]["ending"], "interrupted")

    def test_progress_bar_on_a_terminal(self):
        master, slave = pty.openpty()
        process = subprocess.Popen([PROGRAM, "run", str(self.write(self.LONG))], stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        shown = b""
        deadline = time.time() + 60
        while b"left" not in shown and time.time() < deadline:
            if select.select([master], [], [], 1.0)[0]:
                shown += os.read(master, 4096)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        os.close(master)
        self.assertIn(b"ring [", shown)
        self.assertIn(b"left", shown)


class Mistakes(CliTest):
    def expect_mistake(self, text, message):
        study = self.write(text)
        before = self.files()
        for command in ["run", "check"]:
            result = self.program(command, "study.toml")
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertEqual(result.stdout, "")
            self.assertEqual(result.stderr, message + "\n")
        self.assertEqual(self.files(), before, "nothing may be written")
        study.unlink()

    def test_messages(self):
        self.expect_mistake(STUDY.replace("FS = 10.0", "FS = -3.0"),
                            'study.toml:16:6: joint "lap": FS must be > 0, got -3')
        self.expect_mistake(STUDY.replace("step = 0.01", "stp = 0.01"),
                            'study.toml:31:1: analysis "ring": unknown key "stp"; did you mean "step"?')
        self.expect_mistake(STUDY.replace("duration = 20.0", "duration = inf"),
                            'study.toml:30:12: analysis "ring": duration must be > 0, got inf')
        self.expect_mistake(STUDY.replace('at = "3"', 'at = "three"'),
                            'study.toml:22:6: load "hit": at: unknown label "three" (1, 2, 3)')

    def test_mistake_in_a_matrix_file(self):
        self.write("%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 oops\n", "M.mtx")
        self.expect_mistake('[structure]\nkind = "matrices"\nmass = "M.mtx"\nstiffness = "M.mtx"\n',
                            'M.mtx:3:5: an entry must be a number, got "oops"')

    def test_binary_garbage(self):
        (self.folder / "study.toml").write_bytes(bytes(range(256)) * 64)
        result = self.program("run", "study.toml")
        self.assertEqual(result.returncode, 2)
        self.assertTrue(result.stderr.startswith("study.toml:1:1: "), result.stderr)
        self.assertEqual(self.files(), ["study.toml"])

    def test_missing_study(self):
        result = self.program("run", "no.toml")
        self.assertEqual((result.returncode, result.stderr),
                         (2, "no.toml: cannot be read: there is no such file\n"))

    def test_study_without_analyses(self):
        self.write(STUDY[:STUDY.index("[[analysis]]")])
        self.assertEqual(self.program("check", "study.toml").returncode, 0)
        result = self.program("run", "study.toml")
        self.assertEqual((result.returncode, result.stderr),
                         (2, "study.toml:1:1: there is no [[analysis]] to run\n"))

    def test_usage(self):
        for arguments in [[], ["walk"], ["run"], ["run", "a", "b", "c"], ["run", "a", "--fast"], ["new"]]:
            self.assertEqual(self.program(*arguments).returncode, 2, arguments)


class OtherCommands(CliTest):
    def test_version_and_help(self):
        self.assertRegex(self.program("--version").stdout, r"^microslip \d+\.\d+\.\d+\n$")
        for arguments in [["--help"], ["run", "--help"], ["check", "--help"], ["new", "--help"], ["laws", "--help"]]:
            result = self.program(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("Example", result.stdout)

    def test_check_reports_and_writes_nothing(self):
        self.write(STUDY)
        before = self.files()
        result = self.program("check", "study.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        for word in ["Three masses", "degrees of freedom: 3", 'joint "lap"', "0.42447", 'load "hit"', "2000 steps"]:
            self.assertIn(word, result.stdout)
        self.assertEqual(self.files(), before)

    def test_check_warns_of_a_base_motion_that_strains(self):
        (self.folder / "K.mtx").write_text("%%MatrixMarket matrix array real general\n2 2\n2\n-1\n-1\n1\n")
        (self.folder / "M.mtx").write_text("%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n")
        self.write('[structure]\nkind = "matrices"\nmass = "M.mtx"\nstiffness = "K.mtx"\n'
                   'damping = { rayleigh = [0.1, 0.0], mass_term = "absolute" }\n'
                   '[[load]]\nname = "floor"\nbase = true\nvector = { "1" = 1, "2" = 1 }\n'
                   'signal = { kind = "sine", amplitude = 1, omega = 1 }\n')
        result = self.program("check", "study.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning: K r is not zero at 1 of 2 degrees of freedom (1)", result.stdout)
        self.assertIn("a M acts on the absolute motion (mass_term)", result.stdout)

    def test_new_studies_run(self):
        for example in ["lap_joint", "matrices", "base_motion"]:
            self.assertEqual(self.program("new", example, "--example", example).returncode, 0)
            result = self.program("run", f"{example}/study.toml")
            self.assertEqual(result.returncode, 0, example + result.stderr)
            self.assertTrue((self.folder / example / "study-results/summary.json").exists())
            text = (self.folder / example / "study.toml").read_text()
            again = self.program("new", example, "--example", example)
            self.assertEqual(again.returncode, 2)
            self.assertEqual((self.folder / example / "study.toml").read_text(), text)

    def test_new_default(self):
        self.assertEqual(self.program("new", "x").returncode, 0)
        self.assertEqual(self.files(), ["x", "x/study.toml"])
        self.assertEqual(self.program("new", "y", "--example", "nothing").returncode, 2)


class Laws(CliTest):
    def test_list(self):
        result = self.program("laws")
        self.assertEqual(result.returncode, 0)
        for word in ["iwan4", "bouc_wen", "phi_max", "force/length", "> 0", "in (0, 1]"]:
            self.assertIn(word, result.stdout)
        self.assertIn("macroslip force", self.program("laws", "iwan4").stdout)

    def test_documented(self):
        reference = (Path(__file__).resolve().parents[2] / "docs/study-file.md").read_text()
        for law in re.findall(r"^(\w+): ", self.program("laws").stdout, re.MULTILINE):
            self.assertIn(f"\n| `{law}`", reference)

    def values(self, result):
        values = {}
        for line in result.stdout.splitlines():
            parts = line.rsplit(None, 1)
            try:
                values[parts[0].strip()] = float(parts[-1])
            except (ValueError, IndexError):
                pass
        return values

    def test_curves_of_iwan4(self):
        fs, kt, chi, beta, amplitude = 10.0, 1.0, -0.5, 5.0, 2.0
        result = self.program("laws", "iwan4", "--FS", fs, "--KT", kt, "--chi", chi, "--beta", beta, "--amplitude",
                              amplitude, "--points", 50, "--out", "curves")
        self.assertEqual(result.returncode, 0, result.stderr)
        values = self.values(result)
        share = beta + (chi + 1) / (chi + 2)
        phi_max = fs * (1 + beta) / (kt * share)
        r = fs * (chi + 1) / (phi_max ** (chi + 2) * share)
        self.assertAlmostEqual(values["phi_max"], phi_max, places=7)
        self.assertAlmostEqual(values["R"], r, places=7)
        self.assertAlmostEqual(values["S"], kt * beta / (1 + beta), places=7)
        self.assertAlmostEqual(values["FS"], fs, places=7)
        self.assertAlmostEqual(values["KT"], kt, places=7)
        dissipation = 4 * r * amplitude ** (chi + 3) / ((chi + 2) * (chi + 3))
        self.assertAlmostEqual(values["dissipation per cycle"], dissipation, places=7)
        force = kt * amplitude - r * amplitude ** (chi + 2) / ((chi + 1) * (chi + 2))
        self.assertAlmostEqual(values["secant stiffness"], force / amplitude, places=7)

        names, rows = read_csv(self.folder / "curves/iwan4-backbone.csv")
        self.assertEqual(names, ["u", "f", "slope", "work"])
        self.assertEqual(len(rows), 51)
        self.assertAlmostEqual(rows[-1][1], force, places=12)
        names, rows = read_csv(self.folder / "curves/iwan4-loop.csv")
        self.assertEqual(names, ["u", "f"])
        self.assertEqual(rows[0][0], amplitude)
        self.assertAlmostEqual(rows[0][1], rows[-1][1], places=12)
        area = sum(0.5 * (a[1] + b[1]) * (b[0] - a[0]) for a, b in zip(rows, rows[1:]))
        self.assertLess(abs(area - dissipation), 1e-2 * dissipation)

    def test_every_law_has_curves(self):
        laws = re.findall(r"^(\w+): ", self.program("laws").stdout, re.MULTILINE)
        self.assertIn("bouc_wen", laws)
        for law in laws:  # as its help says
            examples = re.findall(rf"^  microslip laws {law} (.*)$", self.program("laws", law).stdout, re.MULTILINE)
            self.assertTrue(examples, law)
            for parameters in examples:
                result = self.program("laws", law, *parameters.split())
                self.assertEqual(result.returncode, 0, law + ": " + result.stderr)
                names, rows = read_csv(self.folder / f"{law}-loop.csv")
                self.assertTrue(all(math.isfinite(x) for row in rows for x in row))
                dissipation = self.values(result)["dissipation per cycle"]
                area = sum(0.5 * (a[1] + b[1]) * (b[0] - a[0]) for a, b in zip(rows, rows[1:]))
                self.assertLess(abs(area - dissipation), 2e-2 * abs(dissipation) + 1e-9, law)

    def test_mistakes(self):
        for arguments, message in [
            (["iwan44"], 'unknown law "iwan44"; did you mean "iwan4"?'),
            (["jenkins", "--kt", "1", "--fs", "-2"], "fs must be > 0, got -2"),
            (["jenkins", "--kt", "1"], 'fs is missing: law "jenkins" takes kt, fs'),
            (["jenkins", "--kt", "1", "--FS", "2"], 'unknown key "FS" for law "jenkins"; did you mean "fs"?'),
            (["jenkins", "--kt", "abc"], 'command line: --kt must be a number, got "abc"'),
            (["jenkins", "--kt"], "--kt needs a value"),
            (["coulomb", "--fs", "1", "--fk", "2"], "fk must be <= fs = 1, got 2"),
            (["coulomb", "--mu_s", "1", "--normal", "2"], "--normal belongs to a joint in a study; the curves of coulomb are for a normal load of 1"),
            (["piecewise_linear", "--u", "0,1", "--f", "1,0"], "f must not decrease, point 2 does: no slope may be negative"),
        ]:
            result = self.program("laws", *arguments)
            self.assertEqual((result.returncode, result.stderr), (2, message + "\n"), arguments)
        self.assertEqual(self.program("laws", "jenkins", "--amplitude", "-1").returncode, 2)
        self.assertEqual(self.files(), [])


class ReportTest(CliTest):
    def test_rebuilds_and_overlays(self):
        self.assertEqual(self.program("run", self.write(STUDY), "--out", "before-results").returncode, 0)
        page = (self.folder / "before-results/report.html").read_text()
        self.assertIn("<h1>Three masses</h1>", page)
        (self.folder / "before-results/report.html").unlink()
        result = self.program("report", "before-results")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual((self.folder / "before-results/report.html").read_text(), page)

        after = STUDY.replace("FS = 10.0", "FS = 5.0")
        self.assertEqual(self.program("run", self.write(after), "--out", "after-results").returncode, 0)
        result = self.program("report", "before-results", "after-results", "--out", "both.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("<h1>before · after</h1>", (self.folder / "both.html").read_text())

    def test_mistakes(self):
        (self.folder / "empty").mkdir()
        for directory, words in (("nowhere", "there is no such directory"), ("empty", "there is no report.json in it")):
            result = self.program("report", directory)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)
        self.assertEqual(self.program("report").returncode, 2)
        self.assertIn("microslip report before-results after-results", self.program("report", "--help").stdout)

    def test_measurements_alone(self):
        rows = ["time,force,a[x]"]
        rows += ["%g,%g,%g" % (0.01 * i, 3.0 if 50 < i < 54 else 0.0, 0.9 ** (i - 50) * (-1) ** i if i > 50 else 0.0) for i in range(300)]
        self.write("\n".join(rows) + "\n", "hit.csv")
        study = self.write('[[analysis]]\nkind = "frf_estimate"\nrecords = "hit.csv"\n')
        result = self.program("check", study)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("no structure: measurements alone", result.stdout)
        result = self.program("run", study)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        for name in ("frf_estimate.csv", "frf_estimate-hits.csv", "frf_estimate.unv", "report.html"):
            self.assertTrue((self.folder / "study-results" / name).exists(), name)

    def test_a_report_that_cannot_be_written_does_not_fail_the_run(self):
        (self.folder / "r/report.html").mkdir(parents=True)
        (self.folder / "r/report.html/x").touch()
        result = self.program("run", self.write(STUDY), "--out", "r")
        self.assertEqual(result.returncode, 0)
        self.assertIn("no report: ", result.stderr)


class PlotTest(CliTest):
    TABLE = "level,omega,amplitude,stable\n1,1,0.1,1\n1,2,0.2,0\n1,3,0.3,1\n2,1,1.1,1\n2,2,nan,1\n2,3,1.3,1\n"

    def test_svg_and_png(self):
        table = self.write(self.TABLE, "frf.csv")
        result = self.program("plot", table, "--x", "omega", "--y", "amplitude", "--split", "level", "--log", "y")
        self.assertEqual(result.returncode, 0, result.stderr)
        picture = (self.folder / "frf.svg").read_text()
        ElementTree.fromstring(picture)
        for word in ("level = 1", "level = 2", "unstable", "amplitude", "stroke-dasharray"):
            self.assertIn(word, picture)
        result = self.program("plot", table, table, "--x", "omega", "--y", "amplitude,level", "--where", "level=2", "--width",
                              "300", "--height", "200", "--out", "a.png")
        self.assertEqual(result.returncode, 0, result.stderr)
        data = (self.folder / "a.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")), (600, 400))

    def test_universal_files(self):
        lines = ["    -1", "    58"] + 5 * ["NONE"]
        lines += ["%5d%10d%5d%10d %-10s%10d%4d %-10s%10d%4d" % (4, 0, 1, 0, "NONE", 1, 2, "NONE", 24, 2)]
        lines += ["%10d%10d%10d%13.5E%13.5E%13.5E" % (5, 3, 1, 10.0, 0.5, 0.0)]
        lines += ["%10d%5d%5d%5d %-20s %-20s" % (kind, 0, 0, 0, "NONE", "NONE") for kind in (18, 12, 13, 0)]
        lines += ["%13.5E%13.5E%13.5E%13.5E%13.5E%13.5E" % (3.0, 4.0, 6.0, 8.0, 0.3, 0.4), "    -1", ""]
        self.write("\n".join(lines), "frf.unv")
        result = self.program("plot", "frf.unv", "--y", "abs[1.y/24.y],phase[1.y/24.y]", "--dots")
        self.assertEqual(result.returncode, 0, result.stderr)
        ElementTree.fromstring((self.folder / "frf.svg").read_text())
        result = self.program("plot", "frf.unv", "--y", "abs[2.y/24.y]")
        self.assertEqual(result.returncode, 2)
        self.assertIn('there is no column "abs[2.y/24.y]"', result.stderr)

    def test_units_of_a_run(self):
        study = self.write(STUDY)
        self.assertEqual(self.program("run", study, "--quiet").returncode, 0)
        result = self.program("plot", "study-results/ring.csv", "--y", "q[3]", "--out", "ring.svg")
        self.assertEqual(result.returncode, 0, result.stderr)
        picture = (self.folder / "ring.svg").read_text()
        self.assertIn(">time (s)<", picture)
        self.assertIn(">q[3] (m)<", picture)

    def test_mistakes(self):
        self.write(self.TABLE, "frf.csv")
        for arguments, words in [
            (["frf.csv", "--x", "omga"], 'frf.csv:1: there is no column "omga"; did you mean "omega"?'),
            (["frf.csv", "--y", "level,power"], 'there is no column "power"'),
            (["frf.csv", "--where", "level"], "--where must be COLUMN=VALUE"),
            (["frf.csv", "--where", "level=7"], "no row has the values asked for"),
            (["frf.csv", "--out", "a.pdf"], "--out must end in .svg or .png"),
            (["none.csv"], "none.csv"),
            (["frf.csv", "--log", "w"], "--log"),
        ]:
            result = self.program("plot", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(words, result.stderr)
        self.assertEqual(self.files(), ["frf.csv"])


class GalleryTest(CliTest):
    PRINTED = """
[[value]]
paper = "A <b>paper</b>"
where = "Table 1"
what = "frequency of mode 2"
printed = 0.1935
unit = "Hz"
digits = 4
from = { table = "modes", column = "omega_stuck", where = { mode = 2 }, scale = "1/(2 pi)" }

[[value]]
paper = "A <b>paper</b>"
where = "Table 2"
what = "largest motion"
printed = 1.0
digits = 2
from = { table = "ring", column = "q[3]", reduce = "max" }
"""

    def make(self):
        for name in ("a", "b"):
            (self.folder / "studies" / name).mkdir(parents=True)
            (self.folder / "studies" / name / "study.toml").write_text(STUDY.replace("Three masses", "Masses " + name))
        (self.folder / "studies" / "a" / "printed.toml").write_text(self.PRINTED)

    def test_index(self):
        self.make()
        result = self.program("gallery", "studies", "--out", "site")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("2 printed values: 1 agree, 1 differ, 0 misprints", result.stdout)
        page = (self.folder / "site/index.html").read_text()
        for name in ("a", "b"):
            self.assertIn("Masses " + name, page)
            self.assertIn(f'href="{name}/report.html"', page)
            self.assertTrue((self.folder / "site" / name / "report.html").exists())
        self.assertNotIn("<b>paper", page)
        self.assertNotIn("<script", page)
        # Numbers of the table against the CSV files.
        rows = re.findall(r'data-label="ours">([^<]*)<', page)
        header, modes = read_csv(self.folder / "site/a/modes.csv")
        frequency = modes[1][header.index("omega_stuck")] / (2 * math.pi)
        self.assertEqual(rows[0], f"{frequency:.6g} Hz")
        header, ring = read_csv(self.folder / "site/a/ring.csv")
        largest = max(row[header.index("q[3]")] for row in ring)
        self.assertEqual(rows[1], f"{largest:.4g}")
        verdicts = re.findall(r'class="verdict [a-z]*">([^<]*)<', page)
        self.assertEqual(verdicts[0], "agrees")
        self.assertRegex(verdicts[1], "differs by .* %")

    def test_value_that_is_not_there(self):
        self.make()
        (self.folder / "studies/a/printed.toml").write_text(self.PRINTED.replace('"q[3]"', '"q[4]"'))
        result = self.program("gallery", "studies", "--out", "site")
        self.assertEqual(result.returncode, 2)
        self.assertIn("printed.toml:11:1: largest motion: ring.csv has no column", result.stderr)
        self.assertIn("not read", (self.folder / "site/index.html").read_text())

    def test_mistakes_before_anything_runs(self):
        self.make()
        (self.folder / "studies/a/printed.toml").write_text(self.PRINTED.replace("digits = 2", "digit = 2"))
        (self.folder / "studies/b/study.toml").write_text(STUDY.replace("masses =", "mases ="))
        result = self.program("gallery", "studies", "--out", "site")
        self.assertEqual(result.returncode, 2)
        self.assertIn('printed.toml:16:1: value 2: unknown key "digit"; did you mean "digits"?', result.stderr)
        self.assertIn('b/study.toml:9:1: structure: unknown key "mases"', result.stderr)
        self.assertFalse((self.folder / "site").exists())
        self.assertEqual(self.program("gallery", "nowhere", "--out", "site").returncode, 2)
        self.assertEqual(self.program("gallery", "studies").returncode, 2)

    def test_a_run_that_does_not_complete(self):
        self.make()
        study = STUDY.replace('kind = "modes"', 'kind = "qsma"\nmode = 9').replace("mode = 9", "mode = 1\nalpha = [0.1, 1]")
        (self.folder / "studies/b/study.toml").write_text(study)
        (self.folder / "site").mkdir()
        (self.folder / "site/b").write_text("in the way")
        result = self.program("gallery", "studies", "--out", "site")
        self.assertEqual(result.returncode, 1)
        page = (self.folder / "site/index.html").read_text()
        self.assertIn("failed", page)
        self.assertIn("Masses a", page)


if __name__ == "__main__":
    unittest.main(verbosity=1)
