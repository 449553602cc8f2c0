"""A folder for each test of the program, and a system to begin with."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

# Three masses and a lap joint, and a hit on the last.
THREE_MASSES = """\
[structure]
kind = "lumped"
masses = [10.0, 10.0, 10.0]
springs = [["ground", "1", 9.0], ["1", "2", 9.0], ["2", "3", 9.0]]
damping = { modal = 1e-4 }
[[joint]]
name = "lap"
between = ["2", "3"]
law = "iwan4"
FS = 10.0
KT = 1.0
chi = -0.5
beta = 5.0
[[load]]
name = "hit"
at = "3"
signal = { kind = "half_sine", amplitude = 10.0, duration = 1.8 }
"""


class FolderTest(unittest.TestCase):
    """`self.folder` is gone after the test."""

    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = Path(self.holder.name)

    def tearDown(self):
        self.holder.cleanup()
