#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline emulate from outside: what it refuses before anything is booted."""

import os
import subprocess
import sys
import tempfile
import unittest

FIELDLINE = None
ERROR, USAGE = 1, 3


class Emulate(unittest.TestCase):
    def refuse(self, *arguments, status=USAGE):
        with tempfile.TemporaryDirectory() as top:
            result = subprocess.run([FIELDLINE, "emulate", *arguments], cwd=top, text=True,
                                    capture_output=True, check=False)
            self.assertEqual(os.listdir(top), [])
        self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
        return result.stderr

    def refuse_run(self, *arguments, **expected):
        return self.refuse("--kernel", "bzImage", "--vmlinux", "vmlinux", *arguments, "hot",
                           **expected)

    def test_what_is_missing_is_named(self):
        self.assertIn("one workload", self.refuse())
        self.assertIn("--vmlinux", self.refuse("hot"))
        self.assertIn("--output", self.refuse("--again", "--vmlinux", "vmlinux", "hot"))

    def test_a_machine_is_one_of_those_known(self):
        message = self.refuse_run("--machine", "pdp-11")
        for known in ("k10", "skylake-sp", "zen4", "neoverse-n1"):
            self.assertIn(known, message)

    def test_a_machine_of_one_socket_is_not_asked_for_two(self):
        message = self.refuse_run("--machine", "neoverse-n1", "--topology", "2x4")
        self.assertIn("neoverse-n1", message)
        self.assertIn("2x4", message)

    def test_numbers_out_of_range_are_refused(self):
        for option, number in (("--smp", "0"), ("--smp", "33"), ("--seeds", "0"),
                               ("--seeds", "101"), ("--count", "0"), ("--topology", "4x9")):
            self.assertIn(option.lstrip("-"), self.refuse_run(option, number))

    def test_caches_that_nobody_builds_are_refused(self):
        for option, value, named in (("--cache", "64", "SETSxWAYS"), ("--cache", "x", "SETSxWAYS"),
                                     ("--cache", "0x8", "at least one"),
                                     ("--cache", "3x8", "power of two"),
                                     ("--cache", "64x99999999999", "ways"),
                                     ("--line-size", "100", "power of two"),
                                     ("--line-size", "99999999999", "power of two")):
            self.assertIn(named, self.refuse_run(option, value))

    def test_a_period_is_one_of_samples(self):
        self.assertIn("--perf-data", self.refuse_run("--period", "100"))
        self.assertIn("--period", self.refuse_run("--period", "0", "--perf-data"))
        self.assertIn("--log-cache", self.refuse_run("--period", "9", "--perf-data",
                                                     "--log-cache", "dentry"))

    def test_smp_and_topology_agree(self):
        self.assertIn("2x4", self.refuse_run("--smp", "6", "--topology", "2x4"))


if __name__ == "__main__":
    FIELDLINE = sys.argv.pop(1)
    unittest.main()
