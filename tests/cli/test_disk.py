"""The disk is full, the directory cannot be written, the run is killed: the message is right and nothing looks whole that is
not. The same study gives the same bytes. Usage: test_disk.py PROGRAM EXAMPLES"""

import csv
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from program_test import THREE_MASSES, FolderTest  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))
EXAMPLES = Path(sys.argv.pop(1))

STUDY = "\n" + THREE_MASSES + """[[analysis]]
kind = "modes"
[[analysis]]
kind = "transient"
name = "ring"
load = "hit"
duration = 200.0
step = 0.01
[[analysis]]
kind = "modes"
name = "after"
"""


class DiskTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.study = self.folder / "study.toml"
        self.study.write_text(STUDY)
        self.results = self.folder / "study-results"

    def program(self, *arguments, largest_file=None, **options):
        limit = None
        if largest_file is not None:
            def limit():
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=self.folder,
                              preexec_fn=limit, **options)

    def parts(self, folder=None):
        return sorted(path.name for path in (folder or self.folder).rglob("*.part"))

    def endings(self):
        return {a["name"]: a["ending"] for a in json.loads((self.results / "summary.json").read_text())["analyses"]}

    def assert_whole(self, path, rows):
        with open(path, newline="") as file:
            lines = list(csv.reader(file))
        self.assertEqual(len(lines), rows + 1)
        self.assertTrue(all(len(line) == len(lines[0]) for line in lines))


class FullDisk(DiskTest):
    def test_in_the_middle_of_a_table(self):
        # From a limit that stops the first flush of HDF5 at the end to one that both files meet in mid-run.
        for limit in (4096, 60_000, 1_000_000):
            result = self.program("run", self.study, largest_file=limit)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, r"study-results/(ring\.csv|results\.h5): cannot be written: File too large\n")
            self.assertIn('transient "ring": interrupted: the results could not be written', result.stderr)
            self.assertFalse((self.results / "ring.csv").exists())
            self.assertFalse((self.results / "results.h5").exists())
            self.assertFalse((self.results / "report.html").exists())
            self.assert_whole(self.results / "modes.csv", 3)
            self.assertEqual(self.endings(), {"modes": "completed", "ring": "interrupted", "after": "interrupted"})
        # With room again nothing of it is left.
        self.assertEqual(self.program("run", self.study).returncode, 0)
        self.assertEqual(self.parts(), [])
        self.assert_whole(self.results / "ring.csv", 20001)

    def test_at_the_end_of_hdf5(self):
        # Tables of a few lines: CSV files fit, and HDF5 writes its file when it is closed.
        self.study.write_text(STUDY.replace("duration = 200.0", "duration = 0.1"))
        result = self.program("run", self.study, largest_file=8000)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("results.h5: cannot be written: File too large", result.stderr)
        self.assert_whole(self.results / "ring.csv", 11)
        self.assertFalse((self.results / "results.h5").exists())
        self.assertEqual(self.parts(), [])

    def test_full_file_system(self):
        script = 'mount -t tmpfs -o size=512k none "$1" && cd "$1" && "$0" run "$2" --out r; echo "rc $?"; ls r; cat r/summary.json'
        mount = self.folder / "small"
        mount.mkdir()
        command = ["unshare", "-m", "sh", "-c", script, PROGRAM, str(mount), str(self.study)]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except FileNotFoundError:
            self.skipTest("no unshare")
        if "rc" not in result.stdout or "mount:" in result.stderr:
            self.skipTest("a file system cannot be mounted here")
        self.assertIn("rc 1\n", result.stdout)
        self.assertRegex(result.stderr, r"r/(ring\.csv|results\.h5): cannot be written: No space left on device\n")
        files = result.stdout[result.stdout.index("rc 1\n"):].split("{")[0].split()
        self.assertIn("modes.csv", files)
        self.assertNotIn("ring.csv", files)
        self.assertNotIn("results.h5", files)

    def test_an_old_file_survives(self):
        self.assertEqual(self.program("run", self.study).returncode, 0)
        for name, command in (("p.svg", ("plot", self.results / "ring.csv", "--out", "p.svg")),
                              ("p.png", ("plot", self.results / "ring.csv", "--out", "p.png")),
                              ("r.html", ("report", self.results, "--out", "r.html"))):
            (self.folder / name).write_text("old")
            result = self.program(*command, largest_file=1000)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"{name}: cannot be written: File too large", result.stderr)
            self.assertEqual((self.folder / name).read_text(), "old")
        self.assertEqual(self.parts(), [])

    def test_standard_output(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for command in (["laws"], ["check", str(self.study)], ["run", str(self.study)]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(result.returncode, 1)
            self.assertIn("standard output: ", result.stderr)
            self.assertIn("No space left on device", result.stderr)


class Unwritable(DiskTest):
    def test_below_a_file(self):
        (self.folder / "taken").write_text("")
        result = self.program("run", self.study, "--out", "taken/results")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr, "taken/results: the directory cannot be made: Not a directory\n")
        self.assertEqual(self.program("new", "taken/demo").returncode, 2)

    def test_permission(self):
        if os.getuid() == 0:  # root may write anywhere
            user = {"user": 65534}
            try:
                subprocess.run([PROGRAM, "--version"], capture_output=True, check=True, **user)
            except (PermissionError, subprocess.CalledProcessError):
                self.skipTest("the program cannot be run by others than root here")
            self.folder.chmod(0o755)
        else:
            user = {}
        locked = self.folder / "locked"
        locked.mkdir(mode=0o555)
        for out, message in (("locked/new", "locked/new: the directory cannot be made: Permission denied\n"),
                             ("locked", "locked/results.h5: cannot be written: Permission denied\n")):
            result = self.program("run", self.study, "--out", out, **user)
            self.assertEqual((result.returncode, result.stderr), (2, message))
        result = self.program("new", "locked/demo", **user)
        self.assertEqual(result.returncode, 2)
        self.assertIn("Permission denied", result.stderr)
        self.assertEqual(os.listdir(locked), [])

    def test_directories_in_the_way(self):
        (self.results / "results.h5.part/x").mkdir(parents=True)
        result = self.program("run", self.study)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"results\.h5: cannot be written: Is a directory\n")
        shutil.rmtree(self.results)

        (self.results / "ring.csv/x").mkdir(parents=True)
        result = self.program("run", self.study)
        self.assertEqual(result.returncode, 1)
        self.assertIn("ring.csv: cannot be written: Is a directory", result.stderr)
        self.assertNotIn("ring.csv.part", self.parts())
        shutil.rmtree(self.results)

        (self.results / "report.html/x").mkdir(parents=True)
        result = self.program("run", self.study)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"^no report: .*report\.html: cannot be written: Is a directory\n$")
        self.assertEqual(self.parts(), [])

        for name, command in (("d.svg", ("plot", self.results / "ring.csv")), ("d.html", ("report", self.results))):
            (self.folder / name / "x").mkdir(parents=True)
            result = self.program(*command, "--out", name)
            self.assertEqual((result.returncode, result.stderr), (2, f"{name}: cannot be written: Is a directory\n"))
        self.assertEqual(self.parts(), [])


class Killed(DiskTest):
    def test_at_any_time(self):
        # Long enough to be in the middle of the second analysis.
        self.study.write_text(STUDY.replace("duration = 200.0", "duration = 1e6"))
        for delay in (0.0, 0.05, 0.3):
            shutil.rmtree(self.results, ignore_errors=True)  # its parts would be taken for those of the next run
            process = subprocess.Popen([PROGRAM, "run", str(self.study)], stdout=subprocess.DEVNULL)
            deadline = time.time() + 60
            while time.time() < deadline and not (self.results / "ring.csv.part").exists():
                time.sleep(0.005)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertFalse((self.results / "ring.csv").exists())
            self.assertFalse((self.results / "results.h5").exists())
            self.assertFalse((self.results / "report.html").exists())
            self.assert_whole(self.results / "modes.csv", 3)
            self.assertEqual(self.endings(), {"modes": "completed", "ring": "interrupted", "after": "interrupted"})
            result = self.program("report", self.results)  # and says so
            self.assertEqual(result.returncode, 2)
        self.study.write_text(STUDY)
        self.assertEqual(self.program("run", self.study).returncode, 0)
        self.assertEqual(self.parts(), [])


class SameBytesSlow(DiskTest):
    # A transient by four schemes, random loads, shooting, events, fits, parameter studies.
    STUDIES = ("02_paper1_impulse", "14_paper1_random", "15_hirp_three_masses", "22_one_mass_on_dry_friction",
               "11_modal_iwan_three_masses", "18_friction_damper_placement", "24_damper_placement")

    def test_repeated_and_on_one_and_two_threads(self):
        several = 0
        for name in self.STUDIES:
            folder = self.folder / name
            shutil.copytree(EXAMPLES / name, folder)
            text = (folder / "study.toml").read_text()
            runs = []
            for run, threads in enumerate((1, 2, 2)):
                # Any given number of threads is replaced.
                edited, count = re.subn(r'(kind *= *"parameter_study")', rf"\1\nthreads = {threads}",
                                        re.sub(r"(?m)^threads *=.*$", "", text))
                several += count
                study = folder / "study.toml"
                study.write_text(edited)
                out = folder / f"run{run}"
                result = self.program("run", study, "--out", out, "--no-report", "--quiet")
                self.assertEqual(result.returncode, 0, result.stderr)
                runs.append({path.name: path.read_bytes() for path in out.iterdir()
                             if path.suffix in (".csv", ".toml", ".h5")})
            self.assertTrue(runs[0])
            for file, content in runs[1].items():  # the clock has gone on, the numbers have not
                self.assertEqual(content, runs[2][file], f"{name}/{file}, again")
                if file != "results.h5":  # it holds the study with its number of threads
                    self.assertEqual(content, runs[0][file], f"{name}/{file}, one thread and two")
        self.assertGreaterEqual(several, 6)


if __name__ == "__main__":
    unittest.main()
