"""Installs a build into a scratch folder and uses it as another project would; makes Debian packages, unpacks them and runs
the program. Usage: test_install.py BUILD SOURCE CXX"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, SOURCE, CXX = (Path(argument) for argument in (sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)))


class InstallTest(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = Path(self.holder.name)

    def tearDown(self):
        self.holder.cleanup()

    def run_it(self, *command, **options):
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600, **options)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    def test_find_package(self):
        prefix = self.folder / "prefix"
        self.run_it("cmake", "--install", BUILD, "--prefix", prefix)
        # The build tree may go away: nothing that was installed names it, nor the sources.
        for file in prefix.rglob("*.cmake"):
            self.assertNotIn(str(BUILD), file.read_text(), file)
            self.assertNotIn(str(SOURCE), file.read_text(), file)
        self.assertFalse(list(prefix.rglob("hdf5_handle.hpp")))

        build = self.folder / "build"
        self.run_it("cmake", "-S", SOURCE / "tests/consumer", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                    f"-DCMAKE_CXX_COMPILER={CXX}")
        self.run_it("cmake", "--build", build)
        out = self.run_it(build / "consumer", self.folder / "results")
        self.assertEqual(out.split("\n")[:3], ["modes completed", "qsma completed", "fit_modal_iwan completed"])
        self.assertTrue((self.folder / "results/report.html").exists())
        self.run_it(build / "layer")
        # A layer alone links none of the libraries of those above it.
        linked = self.run_it("ldd", build / "layer")
        self.assertNotIn("libceres", linked)
        self.assertNotIn("librsvg", linked)

        version = self.run_it(prefix / "bin/microslip", "--version")
        self.assertRegex(version, r"^microslip \d+\.\d+\.\d+\n$")

    def test_debian_packages(self):
        if not all(os.access(f"/usr/bin/{tool}", os.X_OK) for tool in ("dpkg-deb", "dpkg-shlibdeps")):
            self.skipTest("no dpkg")
        self.run_it("cpack", "-G", "DEB", "-B", self.folder / "packages", "--config", BUILD / "CPackConfig.cmake",
                    cwd=self.folder)
        packages = {path.name.split("_")[0]: path for path in (self.folder / "packages").glob("*.deb")}
        with_mpi = (Path(BUILD) / "apps/cli/microslip-mpi.so").exists()
        self.assertEqual(sorted(packages), ["libmicroslip-dev", "microslip"] + with_mpi * ["microslip-mpi"])

        # Every dependency is a package with a version that is here, where the program was built.
        depends = self.run_it("dpkg-deb", "--field", packages["microslip"], "Depends")
        for library in ("libc6", "libceres3", "libhdf5-103-1", "librsvg2-2", "libfmt9", "fonts-dejavu-core"):
            self.assertRegex(depends, rf"(^|, ){re.escape(library)}( \(>= [^)]+\))?(,|$|\n)")
        self.assertNotIn("openmpi", depends)
        for depend in depends.strip().split(", "):
            name = depend.split(" ")[0]
            self.assertIn("installed", self.run_it("dpkg-query", "-W", "-f", "${db:Status-Status}", name))
        self.assertIn("libeigen3-dev", self.run_it("dpkg-deb", "--field", packages["libmicroslip-dev"], "Depends"))

        # Installed by dpkg into a tree with a database of its own; what they depend on is that of this machine.
        root = self.folder / "root"
        for folder in ("info", "updates", "triggers"):
            (root / "var/lib/dpkg" / folder).mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        dpkg = ("dpkg", f"--root={root}", "--force-depends", "--force-not-root", f"--log={self.folder}/dpkg.log")
        self.run_it(*dpkg, "--install", *packages.values())
        self.assertIn("Status: install ok installed", self.run_it(*dpkg, "--status", "microslip"))
        self.assertTrue((root / "usr/share/doc/microslip/copyright").exists())
        self.assertTrue((root / "usr/include/microslip/system/system.hpp").exists())
        self.assertTrue(list(root.glob("usr/lib/**/microslipConfig.cmake")))
        program = root / "usr/bin/microslip"
        self.assertNotRegex(self.run_it("readelf", "-d", program), r"R(UN)?PATH")
        study = root / "usr/share/microslip/examples/01_three_masses/study.toml"
        out = self.run_it(program, "run", study, "--out", self.folder / "results")
        self.assertIn('qsma "qsma": completed', out)
        self.assertTrue((self.folder / "results/report.html").exists())

        self.run_it(*dpkg, "--purge", "microslip", "libmicroslip-dev")
        self.assertFalse(program.exists())


if __name__ == "__main__":
    unittest.main()
