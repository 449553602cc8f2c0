"""Trials are kept: killed, interrupted, sharded or on ranks of MPI, a run gives the same table, byte for byte.
Usage: test_trials.py PROGRAM [--mpirun PATH]"""

import csv
import io
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from program_test import THREE_MASSES, FolderTest  # noqa: E402

PROGRAM = os.path.abspath(sys.argv.pop(1))
MPIRUN = sys.argv.pop(1) if len(sys.argv) > 1 and "/" in sys.argv[1] else None

# 60 combinations, of some milliseconds each with `steps` as it is in STUDY; some reach a limit load, and have another row.
STUDY = THREE_MASSES + """
[[analysis]]
kind = "parameter_study"
name = "grid"
threads = 2
analysis = { kind = "qsma", mode = 1, alpha = [0.01, 300.0], points = 20 }
vary = { "joint.lap.FS" = { from = 0.5, to = 20.0, points = 20, spacing = "log" }, "joint.lap.chi" = [-0.7, -0.5, -0.3] }
"""
COMBINATIONS = 60
SLOW = STUDY.replace("points = 20 }\n", "points = 4000 }\n")  # a second in all, so that it can be killed on the way


class TrialsTest(FolderTest):
    text = STUDY

    def setUp(self):
        super().setUp()
        self.study = self.folder / "study.toml"
        self.study.write_text(self.text)
        self.results = self.folder / "study-results"
        self.database = self.results / "grid-trials.db"

    def run_program(self, *arguments, before=(), environment=None, **options):
        return subprocess.run([*before, PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=self.folder, env={**os.environ, **(environment or {})}, **options)

    def right(self, *arguments, **options):
        result = self.run_program(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def wrong(self, message, *arguments, code=2, **options):
        result = self.run_program(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertRegex(result.stderr, message)
        return result

    def expected(self):
        """The table of a run that nothing happened to."""
        if not hasattr(self, "table"):
            self.right("run", self.study, "--out", "whole", "--quiet", "--no-report")
            self.table = (self.folder / "whole/grid.csv").read_bytes()
        return self.table

    def assert_table(self, folder=None):
        self.assertEqual(((folder or self.results) / "grid.csv").read_bytes(), self.expected())

    def trials(self, database=None):
        """Rows of a database that SQLite finds whole."""
        with sqlite3.connect(database or self.database) as connection:
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone(), ("ok",))
            if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                return 0  # killed before there was a table
            return connection.execute("SELECT count(*) FROM trials").fetchone()[0]

    def kill(self, process, seconds, number=signal.SIGKILL):
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        return process.wait()


class Resume(TrialsTest):
    text = SLOW

    def test_killed_at_any_time(self):
        self.expected()
        numbers = random.Random(20)
        known = killed = 0
        for _ in range(12):
            process = subprocess.Popen([PROGRAM, "run", str(self.study), "--quiet"], cwd=self.folder)
            killed += self.kill(process, numbers.uniform(0.0, 0.3)) != 0
            if not self.database.exists():
                continue
            now = self.trials()
            self.assertGreaterEqual(now, known)
            known = now
            if known == COMBINATIONS:
                if killed:
                    break
                shutil.rmtree(self.results)  # too fast for this one: from the beginning
                known = 0
        self.assertGreater(killed, 0)
        self.right("run", self.study, "--quiet")
        self.assert_table()
        self.assertEqual(self.trials(), COMBINATIONS)
        self.assertEqual([p.name for p in self.results.iterdir() if "journal" in p.name or p.suffix == ".part"], [])

    def test_interrupted(self):
        process = subprocess.Popen([PROGRAM, "run", str(self.study), "--quiet"], cwd=self.folder, stderr=subprocess.PIPE)
        deadline = time.time() + 60
        while time.time() < deadline and not (self.database.exists() and self.trials() > 0):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("it was done before it could be interrupted")
        self.assertEqual(process.returncode, 130)
        told = re.search(rb"interrupted: (\d+) of 60 combinations were finished", errors)
        self.assertTrue(told, errors)
        self.assertEqual(self.trials(), int(told[1]))  # every one of them
        out = self.right("run", self.study)
        self.assertIn(f"{told[1].decode()} of 60 combinations had been finished by an earlier run", out)
        self.assert_table()

    def test_a_whole_run_is_not_computed_again(self):
        self.right("run", self.study)
        written = self.database.read_bytes()
        self.assertIn("60 of 60 combinations had been finished", self.right("run", self.study))
        self.assertEqual(self.database.read_bytes(), written)
        self.assert_table()
        self.assertNotIn("had been finished", self.right("run", self.study, "--fresh"))
        self.assert_table()


class Changes(TrialsTest):
    def test_a_changed_study_begins_anew(self):
        self.right("run", self.study)
        for old, new in (("chi = -0.5", "chi = -0.6"), ("points = 20 }", "points = 21 }"), ("beta = 5.0", "beta = 4.0"),
                         ("mode = 1", "mode = 2"), ("9.0", "8.0")):
            self.study.write_text(self.study.read_text().replace(old, new, 1))
            self.assertNotIn("had been finished", self.right("run", self.study), new)
            self.assertIn("60 of 60 combinations had been finished", self.right("run", self.study), new)
        # What cannot change a trial: threads, names of others, comments.
        self.study.write_text("# a remark\ntitle = \"another\"\n" + self.study.read_text().replace("threads = 2", "threads = 1") +
                              '[[analysis]]\nkind = "modes"\n')
        self.assertIn("60 of 60 combinations had been finished", self.right("run", self.study))

    def test_what_took_long_is_not_thrown_away(self):
        self.right("run", self.study)
        with sqlite3.connect(self.database) as connection:
            connection.execute("UPDATE trials SET seconds = 100")
        files = {p.name: p.read_bytes() for p in self.results.iterdir()}
        self.study.write_text(self.text.replace("beta = 5.0", "beta = 4.0"))
        for _ in range(2):
            self.wrong(r"study-results/grid-trials\.db: holds 60 trials of another study, .* which took 100 min of a "
                       r'processor; --fresh throws them away, another --out keeps them \(.*study\.toml: analysis "grid"\)\n$',
                       "run", self.study)
            self.assertEqual({p.name: p.read_bytes() for p in self.results.iterdir()}, files)
        self.study.write_text(self.text)
        self.assertIn("60 of 60 combinations had been finished", self.right("run", self.study))
        self.study.write_text(self.text.replace("beta = 5.0", "beta = 4.0"))
        self.assertNotIn("had been finished", self.right("run", self.study, "--fresh"))

    def test_a_file_that_the_study_reads(self):
        matrix = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 {}\n2 2 1.0\n2 1 -0.5\n"
        (self.folder / "K.mtx").write_text(matrix.format(2.0))
        (self.folder / "M.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1.0\n2 2 1.0\n")
        self.study.write_text("""[structure]
kind = "matrices"
mass = "M.mtx"
stiffness = "K.mtx"
[[analysis]]
kind = "parameter_study"
name = "grid"
analysis = { kind = "modes" }
vary = { "analysis.count" = [1, 2] }
""")
        self.assertNotIn("had been finished", self.right("run", self.study))
        self.assertIn("2 of 2 combinations had been finished", self.right("run", self.study))
        before = (self.results / "grid.csv").read_bytes()
        (self.folder / "K.mtx").write_text(matrix.format(3.0))
        self.assertNotIn("had been finished", self.right("run", self.study))
        self.assertNotEqual((self.results / "grid.csv").read_bytes(), before)

    def test_a_spoilt_database(self):
        self.right("run", self.study)
        whole = self.database.read_bytes()
        numbers = random.Random(7)
        for content in (b"not a database", whole[:5000], b"SQLite format 3\0" + bytes(4096),
                        bytes(numbers.randrange(256) for _ in range(20000))):
            self.database.write_bytes(content)
            result = self.wrong(r"grid-trials\.db: is not a whole database of trials: .*; --fresh throws it away", "run", self.study)
            self.assertEqual(result.stdout.count("completed"), 0)
            self.assertEqual(self.database.read_bytes(), content)
            self.wrong(r"grid-trials\.db: is not a whole database of trials", "trials", self.database)
        with sqlite3.connect(self.folder / "other.db") as connection:
            connection.execute("CREATE TABLE diary (day TEXT)")
        shutil.copy(self.folder / "other.db", self.database)
        self.wrong("it is a database of another program", "run", self.study)
        self.right("run", self.study, "--fresh")
        self.assert_table()
        self.database.write_bytes(b"")  # killed at once
        self.right("run", self.study)
        self.assert_table()

    def test_single_bytes(self):
        # The program ends with a message or reads what is there; it never dies, and never takes what is no row.
        self.right("run", self.study)
        whole = self.database.read_bytes()
        numbers = random.Random(8)
        refused = 0
        for _ in range(60):
            content = bytearray(whole)
            for _ in range(numbers.choice((1, 4, 64))):
                content[numbers.randrange(len(content))] = numbers.randrange(256)
            self.database.write_bytes(content)
            result = self.run_program("trials", self.database, "--csv", errors="replace")
            self.assertIn(result.returncode, (0, 2), result.stderr)
            refused += result.returncode == 2
        self.assertGreater(refused, 0)


class FullDisk(TrialsTest):
    text = SLOW

    def test_a_file_that_may_not_grow(self):
        for largest in (0, 4096, 14_000, 24_000):
            def limit(largest=largest):
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
            result = self.run_program("run", self.study, preexec_fn=limit)
            self.assertEqual(result.returncode, 2 if largest == 0 and "grid" not in result.stderr else 1, result.stderr)
            self.assertRegex(result.stderr, r"(grid-trials\.db|results\.h5|summary\.json): cannot be written: (File too large|disk I/O error)")
            self.assertFalse((self.results / "grid.csv").exists())
        kept = self.trials()
        self.assertIn("had been finished" if kept else "completed", self.right("run", self.study))
        self.assert_table()

    def test_full_file_system(self):
        # What was written before the disk was full is there, whole.
        script = 'mount -t tmpfs -o size=40k none "$1" && cd "$1" && "$0" run "$2" --out r --no-report; echo "rc $?"; cp r/grid-trials.db "$3"'
        mount, copy = self.folder / "small", self.folder / "copy.db"
        mount.mkdir()
        command = ["unshare", "-m", "sh", "-c", script, PROGRAM, str(mount), str(self.study), str(copy)]
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except FileNotFoundError:
            self.skipTest("no unshare")
        if "rc" not in result.stdout or "mount:" in result.stderr:
            self.skipTest("a file system cannot be mounted here")
        self.assertIn("rc 1\n", result.stdout)
        self.assertRegex(result.stderr, r"grid-trials\.db: cannot be written: No space left on device")
        self.assertIn("interrupted: the results could not be written", result.stderr)
        kept = self.trials(copy)
        self.results.mkdir()
        shutil.copy(copy, self.database)
        if kept:
            self.assertIn(f"{kept} of 60 combinations had been finished", self.right("run", self.study))
        else:
            self.right("run", self.study)
        self.assert_table()


class Shards(TrialsTest):
    def test_shards_in_one_directory(self):
        for number in (3, 1, 2):
            out = self.right("run", self.study, "--shard", f"{number}/3")
            self.assertIn(f"20 combinations done; part {number} of 3", out)
            self.assertIn("microslip merge", out)
        self.assertEqual(sorted(p.name for p in self.results.iterdir()),
                         [f"grid-trials-{number}-of-3.db" for number in (1, 2, 3)])
        self.wrong(r"grid-trials-1-of-3\.db: holds trials of a shard: when all of them are done, `microslip merge",
                   "run", self.study)
        self.assertIn("grid-trials.db: 60 of 60 trials, from 3 databases\nall are there", self.right("merge", self.results))
        self.assertEqual(os.listdir(self.results), ["grid-trials.db"])
        self.assertIn("60 of 60 combinations had been finished", self.right("run", self.study))
        self.assert_table()
        self.wrong("there are no trials of shards", "merge", self.results)

    def test_from_the_environment_of_an_array_job(self):
        slurm = {f"SLURM_ARRAY_TASK_{key}": value for key, value in (("MIN", "1"), ("MAX", "4"), ("COUNT", "4"), ("STEP", "1"))}
        for task in range(1, 5):
            environment = {**slurm, "SLURM_ARRAY_TASK_ID": str(task)}
            self.assertIn(f"part {task} of 4", self.right("run", self.study, "--shard", "auto", environment=environment))
        self.right("merge", self.results)
        self.right("run", self.study)
        self.assert_table()
        # Tasks 3 and 7 again: how many there were nobody knows.
        again = {**slurm, "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "7",
                 "SLURM_ARRAY_TASK_COUNT": "2"}
        self.wrong(r"--shard auto: SLURM_ARRAY_TASK_ID is 3, of an array that .*--shard \$SLURM_ARRAY_TASK_ID/16",
                   "run", self.study, "--shard", "auto", environment=again)
        self.wrong("this is no array job", "run", self.study, "--shard", "auto")

    def test_mistakes(self):
        for shard in ("0/3", "4/3", "3", "a/b", "1/", "/2", "-1/2", "1/2/3", "9999999999999999999/2"):
            self.wrong(r"--shard must be K/N with K from 1 to N, as 3/16, or auto, got", "run", self.study, "--shard=" + shard)
        self.study.write_text(THREE_MASSES + '[[analysis]]\nkind = "modes"\n')
        self.wrong("--shard: no analysis here has trials", "run", self.study, "--shard", "1/2")
        self.wrong("cannot be read", "merge", "nowhere")
        self.assertFalse(self.results.exists())

    def test_an_analysis_that_reads_another(self):
        # A source is computed by each shard, and written by none.
        self.study.write_text(self.text.replace('[[analysis]]', '[[analysis]]\nkind = "qsma"\nname = "curve"\nmode = 1\n'
                              'alpha = [0.01, 300.0]\npoints = 20\n[[analysis]]', 1))
        self.right("run", self.study, "--shard", "1/2")
        self.assertEqual(os.listdir(self.results), ["grid-trials-1-of-2.db"])
        self.right("run", self.study, "--shard", "2/2")
        self.right("merge", self.results)
        self.right("run", self.study)
        self.assert_table()
        self.assertTrue((self.results / "curve.csv").exists())


@unittest.skipUnless(MPIRUN, "no mpirun")
class MpiRanks(TrialsTest):
    text = SLOW
    # Any number of ranks on any machine, also as root; the plainest ways for messages to go.
    ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "self,vader",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}

    def mpirun(self, ranks):
        return {"before": (MPIRUN, "-n", str(ranks), "--bind-to", "none"), "environment": self.ENVIRONMENT}

    def test_the_same_table(self):
        for ranks in (1, 2, 3):
            out = self.right("run", self.study, "--out", f"on-{ranks}", **self.mpirun(ranks))
            self.assertEqual(out.count("parameter_study"), 1)  # one speaks for all
            self.assert_table(self.folder / f"on-{ranks}")
            self.assertEqual([p.name for p in (self.folder / f"on-{ranks}").glob("*.db*")], ["grid-trials.db"])
            self.assertIn("60 of 60", self.right("run", self.study, "--out", f"on-{ranks}"))  # for one process as well

    def test_a_rank_dies(self):
        self.expected()
        environment = {**os.environ, **self.ENVIRONMENT}
        process = subprocess.Popen([*self.mpirun(3)["before"], PROGRAM, "run", str(self.study), "--quiet"], cwd=self.folder,
                                   env=environment, stderr=subprocess.DEVNULL)
        rank = None
        deadline = time.time() + 60
        while time.time() < deadline and rank is None and process.poll() is None:
            time.sleep(0.002)
            if any(self.results.glob("grid-trials-rank-*.db")):
                rank = self.a_rank_below(process.pid)
        if rank is None:
            self.skipTest("it was done before a rank could be killed")
        os.kill(rank, signal.SIGKILL)
        code = process.wait(timeout=60)
        for database in self.results.glob("grid-trials*.db"):
            self.trials(database)
        if code == 0:
            self.skipTest("the rank was done when it was killed")
        self.right("run", self.study, "--quiet", **self.mpirun(2))
        self.assert_table()
        self.assertEqual([p.name for p in self.results.glob("*.db*")], ["grid-trials.db"])

    @staticmethod
    def a_rank_below(mpirun):
        """Process of a rank but 0."""
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and f"PPid:\t{mpirun}\n" in (entry / "status").read_text() and \
                        b"OMPI_COMM_WORLD_RANK=1\0" in (entry / "environ").read_bytes():
                    return int(entry.name)
            except OSError:
                continue
        return None

    def test_a_wrong_study_is_told_once(self):
        self.study.write_text(self.text.replace("beta", "bta"))
        result = self.run_program("run", self.study, **self.mpirun(3))
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count('unknown key "bta"'), 1)
        self.assertFalse(self.results.exists())
        self.study.write_text(self.text)
        result = self.run_program("run", self.study, "--shard", "1/2", **self.mpirun(2))
        self.assertEqual(result.returncode, 2)
        self.assertIn("--shard: ranks of MPI share the trials by themselves", result.stderr)


class Query(TrialsTest):
    def setUp(self):
        super().setUp()
        self.right("run", self.study, "--no-report")

    def rows(self, *arguments):
        rows = list(csv.DictReader(io.StringIO(self.right("trials", self.database, "--csv", *arguments))))
        return rows

    def test_all_of_them_are_the_table(self):
        rows = self.rows()
        with open(self.results / "grid.csv", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual(len(rows), COMBINATIONS)
        for row, line in zip(rows, table):
            self.assertEqual(row["trial"], line["combination"])
            for name in set(line) - {"combination", "ending"}:
                self.assertEqual(row[name] or "nan", line[name], name)  # every digit

    def test_best_and_where(self):
        rows = self.rows("--where", '"joint.lap.FS" > 5 AND "joint.lap.chi" = -0.5')
        expected = [row for row in self.rows() if float(row["joint.lap.FS"]) > 5 and float(row["joint.lap.chi"]) == -0.5]
        self.assertEqual(rows, expected)
        self.assertGreater(len(rows), 3)
        best = self.rows("--best", 3, "--by", "largest_zeta[1]", "--where", "abs(\"joint.lap.chi\" + 0.5) < 0.01 -- a remark")
        smallest = sorted((row for row in self.rows() if float(row["joint.lap.chi"]) == -0.5 and row["largest_zeta[1]"]),
                          key=lambda row: float(row["largest_zeta[1]"]))[:3]
        self.assertEqual(best, smallest)
        out = self.right("trials", self.database, "--best", 2, "--by", "points")
        self.assertIn("2 of 60 trials", out)
        self.assertEqual(len(self.rows("--where", "ending = 'completed' or ending <> 'completed'")), COMBINATIONS)

    def test_mistakes(self):
        self.wrong(r'--where "rmsd < 1": no such column: rmsd; the columns are trial, "joint\.lap\.FS"', "trials", self.database,
                   "--where", "rmsd < 1")
        self.wrong("no such column: joint.lap.FS.*a name with a dot in it stands in double quotes", "trials", self.database,
                   "--where", "joint.lap.FS < 1")
        self.wrong(r'no such column: nonsense', "trials", self.database, "--where", '"nonsense" < 1')
        self.wrong(r'--where "points <": near', "trials", self.database, "--where", "points <")
        self.wrong("these trials have no number that is to be small; say which, by --by", "trials", self.database, "--best", 3)
        self.wrong('--by "x": there is no such column', "trials", self.database, "--best", 3, "--by", "x")
        self.wrong("is not a whole database of trials: No such file", "trials", "none.db")
        self.wrong("is not a whole database of trials", "trials", self.results / "grid.csv")

    def test_hostile_expressions(self):
        before = self.database.read_bytes()
        hostile = ["1; DROP TABLE trials", "1; SELECT 1", "1) ; DELETE FROM trials; --", "(SELECT 1)", "trial IN (SELECT trial FROM plan)", "trial IN (SELECT a.trial FROM trials a, trials b, trials c)",
                   "EXISTS (SELECT 1)", "1) UNION SELECT * FROM plan --", "1) ORDER BY (2", "1) LIMIT (2", "1) GROUP BY (2",
                   "load_extension('x')", "readfile('/etc/passwd')", "writefile('x','y')", "randomblob(1000000000)", "zeroblob(1000000000)",
                   "printf('%1000000000d', 1)", "replace(hex(zeroblob(10000)), '0', '0000000000')", "random()", "sqlite_version()",
                   "fts3_tokenizer('simple')", "ATTACH 'x' AS y", "PRAGMA writable_schema", "1 FROM trials; --", "?", ":a", "@b", "$c",
                   "plan.name = 'x'", "sqlite_schema.sql", "rowid in plan", "'", '"', "`", "[", "/*", "--", "", " ", "\n", "(" * 3000,
                   "NOT " * 3000 + "1", "1" + "+1" * 3000, "x" * 20000, "message = 'x' COLLATE nonsense", "CASE", "WITH RECURSIVE a AS (SELECT 1) SELECT 1",
                   "trial MATCH 'x'", "count(*) > 1", "sum(trial) > 1", "max(trial) OVER () > 1", "RAISE(ABORT, 'x')", "\x01", "é < 1", "1)(", "))((", "1 LIMIT 1",
                   "1 ORDER BY 1", "1, 1"]
        for expression in hostile:
            result = self.run_program("trials", self.database, "--where", expression)
            # Without an expression all are asked for.
            self.assertEqual(result.returncode, 2 if expression else 0, f"{expression[:60]!r}: {result.stdout[:200]}")
            self.assertLess(len(result.stderr), 5000)
            self.assertEqual(result.stderr.count("\n"), 1 if expression else 0, result.stderr)
        # SQLite makes a look-up of it, in the same table.
        self.assertEqual(len(self.rows("--where", "trial IN (SELECT trial FROM trials)")), COMBINATIONS)
        self.assertEqual(self.database.read_bytes(), before)
        self.assertEqual(sorted(os.listdir(self.folder)), ["study-results", "study.toml"])

    def test_while_a_run_is_writing(self):
        # A hot journal, as a killed run leaves one, is played back.
        with sqlite3.connect(self.database, isolation_level=None) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE trials SET seconds = 3")
            self.assertEqual(len(self.rows()), COMBINATIONS)
            connection.execute("ROLLBACK")


if __name__ == "__main__":
    unittest.main()
