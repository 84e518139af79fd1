#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline convert from outside: every format into every other, what perf makes of the result, pipes,
damage, messages."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

FIELDLINE = MAKE = None
ERROR, USAGE, INCOMPLETE = 1, 3, 16
RECORDING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "recordings",
                         "bdev.perf.data")
FIELDS = "comm,pid,tid,cpu,time,period,event,addr,data_src,weight,ip"


class Recordings(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)

    def path(self, name):
        return os.path.join(self.top, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def make(self, name, *arguments):
        *flags, kind, number = arguments
        subprocess.run([MAKE, *flags, kind, self.path(name), number], check=True)

    def run_(self, *command, status=0, **options):
        environment = {**os.environ, "HOME": self.top, "LC_ALL": "C"}
        result = subprocess.run(command, cwd=self.top, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=environment, check=False, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def convert(self, *arguments, status=0, **options):
        result = self.run_(FIELDLINE, "convert", *arguments, status=status, **options)
        return (result.stdout + result.stderr).decode()

    def counts(self, name):
        return self.run_(FIELDLINE, "c2c", "--stats=lines", name).stdout

    def test_counts_survive_every_way_round(self):
        self.make("a.data", "random", "5000")
        before = self.counts("a.data")
        self.convert("a.data", "a.log")
        self.convert("a.log", "b.data")
        self.convert("--to", "pipe", "b.data", "b.pipe")
        self.convert("b.pipe", "b.log")
        self.assertEqual(self.counts("b.data"), before)
        self.assertEqual(self.counts("b.pipe"), before)
        self.assertEqual(self.counts("b.log"), before)
        self.assertEqual(self.read("a.log"), self.read("b.log"))

    def test_text_is_that_of_perf_script(self):
        if not shutil.which("perf"):
            self.skipTest("no perf; perfscripts/setup --tests installs it")
        self.make("a.data", "contended", "3000")
        self.convert("a.data", "a.txt")
        theirs = self.run_("perf", "script", "--ns", "-i", "a.data", "-F", FIELDS,
                           stdin=subprocess.DEVNULL).stdout
        self.assertEqual([line.split() for line in self.read("a.txt").splitlines()],
                         [line.split() for line in theirs.splitlines()])

    def test_text_of_perf_script_is_read(self):
        self.make("a.data", "contended", "3000")
        self.convert("a.data", "a.txt")
        self.convert("a.txt", "b.txt")
        self.assertEqual(self.read("a.txt"), self.read("b.txt"))

    def test_perf_reads_what_is_written(self):
        if not shutil.which("perf"):
            self.skipTest("no perf; perfscripts/setup --tests installs it")
        self.make("a.log", "-log", "contended", "500")
        self.convert("a.log", "a.data")
        for command in (("c2c", "report", "--stdio", "--no-source"), ("mem", "report", "--stdio"),
                        ("script",), ("report", "--stdio")):
            result = self.run_("perf", command[0], "-i", "a.data", *command[1:],
                               stdin=subprocess.DEVNULL) if command[0] == "mem" else \
                self.run_("perf", *command, "-i", "a.data", stdin=subprocess.DEVNULL)
            self.assertGreater(len(result.stdout.splitlines()), 20, command)
        shown = self.run_("perf", "script", "-i", "a.data", "-F", "event",
                          stdin=subprocess.DEVNULL).stdout.decode()
        self.assertEqual(len(re.findall("cpu/mem-(loads,ldlat=30|stores)/P", shown)), 500)

    def test_build_ids_are_kept(self):
        if not shutil.which("perf"):
            self.skipTest("no perf; perfscripts/setup --tests installs it")
        listed = self.run_("perf", "buildid-list", "-i", RECORDING).stdout
        self.assertRegex(listed, rb"^[0-9a-f]{40} \[kernel")
        self.convert(RECORDING, "a.log")
        for name in "a.data", "a.pipe":
            self.convert("a.log", name)
            self.assertEqual(self.run_("perf", "buildid-list", "-i", name).stdout, listed)

    def test_what_is_no_file_stays(self):
        os.mkfifo(self.path("fifo"))
        self.make("a.data", "contended", "10")
        self.convert("a.data", "a.log")
        with subprocess.Popen(["timeout", "60", "cat", "fifo"], cwd=self.top,
                              stdout=subprocess.PIPE) as reader:
            self.convert("--to", "log", "a.data", "fifo")
            self.assertEqual(reader.stdout.read(), self.read("a.log"))
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("fifo")).st_mode))

    def test_pipes_go_in_and_out(self):
        self.make("a.data", "contended", "100")
        piped = self.run_(FIELDLINE, "convert", "a.data", "-").stdout
        self.convert("-", "b.log", input=piped)
        self.convert("a.data", "a.log")
        self.assertEqual(self.read("a.log"), self.read("b.log"))
        self.assertIn("can't be read through a pipe",
                      self.convert("-", "c.log", input=self.read("a.data"), status=ERROR))

    def test_a_cut_recording_is_converted_and_said_to_be_one(self):
        self.make("a.data", "contended", "100")
        whole = self.read("a.data")
        with open(self.path("cut.data"), "wb") as file:
            file.write(whole[:6000])
        # perf writes the header last: what is cut has none of it.
        self.assertIn("event attributes", self.convert("cut.data", "cut.log", status=ERROR))
        self.make("a.pipe", "-pipe", "contended", "100")
        with open(self.path("cut.pipe"), "wb") as file:
            file.write(self.read("a.pipe")[:6000])
        said = self.convert("cut.pipe", "cut.log", status=INCOMPLETE)
        self.assertRegex(said, r"at 0x[0-9a-f]+, 1 time: the recording ends in the middle")
        self.assertRegex(said, r"^\d\d samples, ")

    def test_what_is_no_recording_is_refused(self):
        with open(self.path("a.txt"), "w", encoding="utf-8") as file:
            file.write("Dear perf,\nhow are you?\n")
        said = self.convert("a.txt", "b.log", status=ERROR)
        self.assertIn("nothing was recorded", said)
        self.assertIn("perf script -F", said)
        self.assertFalse(os.path.exists(self.path("b.log")))
        self.assertIn("cannot open", self.convert("missing", "b.log", status=ERROR))
        self.assertIn("IN and OUT", self.convert("a.txt", status=USAGE))
        self.assertIn("no file 'data'", self.convert(".", "b.log", status=ERROR))

    def test_what_has_no_place_is_counted(self):
        self.run_(MAKE, "records", "a.data")
        said = self.convert("a.data", "a.log", status=INCOMPLETE)
        self.assertIn("AUX data", said)
        self.assertIn("lost while recording: 42", said)
        said = self.convert("a.log", "b.data")
        self.assertRegex(said, r"left out, the format has no place for them: [1-9]")


if __name__ == "__main__":
    FIELDLINE, MAKE = (os.path.abspath(argument) for argument in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
