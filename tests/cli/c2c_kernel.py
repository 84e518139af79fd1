#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline c2c on the recording that is shipped, against Debian's kernel: the walk-through."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
RECORDING = os.path.join(ROOT, "tests/recordings/bdev.perf.data")
VERSION = "6.1.192-3"
FIELDLINE = VMLINUX = None


def find_vmlinux():
    found = subprocess.run([os.path.join(ROOT, "tests/support/kernel"), "amd64"],
                           stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        sys.exit(found.returncode)
    path = dict(line.split("=", 1) for line in found.stdout.splitlines())["vmlinux"]
    notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, text=True,
                           check=True).stdout
    if "01d2640d3a13145ee314eb05b155f141b7b7058b" not in notes:
        print(f"the kernel there is not {VERSION}, which was recorded")
        sys.exit(77)
    return path


def run(*arguments):
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if result.returncode:
        raise AssertionError(result.stdout + result.stderr)
    return result.stdout


class Shipped(unittest.TestCase):
    def test_it_can_be_made_again(self):
        with tempfile.TemporaryDirectory() as top:
            log, made = os.path.join(top, "bdev.log"), os.path.join(top, "bdev.perf.data")
            run(os.path.join(ROOT, "tests/recordings/make-bdev"), log)
            run(FIELDLINE, "convert", log, made)
            with open(made, "rb") as file, open(RECORDING, "rb") as shipped:
                self.assertEqual(file.read(), shipped.read())

    def test_instructions_are_counted_by_their_samples(self):
        told = json.loads(run(FIELDLINE, "resolve", "--no-cache", "--stats", "--recording",
                              RECORDING, "-f", "json", VMLINUX))
        self.assertEqual(told["total"]["weight"], 1200)
        self.assertEqual(told["typed"], told["total"])
        rows = json.loads(run(FIELDLINE, "resolve", "--no-cache", "--recording", RECORDING,
                              "-f", "json", VMLINUX))["instructions"]
        self.assertEqual(len(rows), told["total"]["instructions"])
        self.assertLess(len(rows), 1200)

    def test_the_fight_is_told(self):
        text = run(FIELDLINE, "c2c", RECORDING, "--kernel", VMLINUX)
        self.assertIn("resolved: 1200 (100.0 %)", text)
        self.assertIn("struct bdev_inode (1552 bytes): 1200 samples", text)
        self.assertIn("cut pair, confirmed: vfs_inode.i_rwsem.count | vfs_inode.i_rwsem.owner: "
                      "down_read writes both, and the boundary of lines 16 and 17 parts them",
                      text)
        self.assertRegex(text, "line 16: .* true and false sharing, confirmed")
        self.assertRegex(text, "line 17: .* true sharing, confirmed")
        self.assertIn("must part: vfs_inode.i_rwsem.count (written) from vfs_inode.i_blkbits (used)",
                      text)

    def test_each_sample_is_at_the_field_that_the_script_meant(self):
        profile = json.loads(run(FIELDLINE, "c2c", RECORDING, "-k", VMLINUX, "-f", "json"))
        seen = collections.Counter()
        for one in profile["types"]:
            for place in one["places"]:
                seen[one["name"], place["field"], place["function"]] += place["counts"]["samples"]
        inode = "struct bdev_inode"
        self.assertEqual(seen, {
            (inode, "bdev.bd_nr_sectors", "blkdev_read_iter"): 150,
            (inode, "vfs_inode.i_rwsem.count", "down_read"): 300,
            (inode, "vfs_inode.i_rwsem.owner", "down_read"): 300,
            (inode, "vfs_inode.i_blkbits", "filemap_get_pages"): 150,
            (inode, "vfs_inode.i_rwsem.count", "up_read"): 300,
        })

    def test_perf_counts_the_same(self):
        try:
            report = run("perf", "c2c", "report", "-i", RECORDING, "--stats")
        except FileNotFoundError:
            self.skipTest("no perf")
        counts = dict(re.findall(r"^ +(\S.*?) +: +(\d+)$", report, re.M))
        profile = json.loads(run(FIELDLINE, "c2c", RECORDING, "-k", VMLINUX, "-f", "json"))
        ours = profile["totals"]["counts"]
        self.assertEqual(ours["hitm_local"], int(counts["Load Local HITM"]))
        self.assertEqual(ours["hitm_remote"], int(counts["Load Remote HITM"]))


if __name__ == "__main__":
    FIELDLINE = os.path.abspath(sys.argv.pop(1))
    VMLINUX = find_vmlinux()
    unittest.main()
