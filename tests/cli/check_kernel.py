#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline check on Debian's kernels: the policies that are shipped, globals against nm, and that a
learnt policy holds for the kernel it was learnt from."""

import bisect
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
POLICIES = [os.path.join(ROOT, "layouts/policies", name) for name in
            ("bdev.json", "block.json", "net.json")]
DATE = "2026-11-30"
FIELDLINE = None


def vmlinux(arch):
    found = subprocess.run([os.path.join(ROOT, "tests/support/kernel"), arch],
                           stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        sys.exit(found.returncode)
    return dict(line.split("=", 1) for line in found.stdout.splitlines())["vmlinux"]


def check(*arguments):
    result = subprocess.run([FIELDLINE, "check", "--date", DATE, "-f", "json", *arguments],
                            stdout=subprocess.PIPE, text=True, check=False)
    return result.returncode, json.loads(result.stdout)


class Variables:
    """What nm says of the variables: sorted by address, as (address, size, name)."""

    def __init__(self, path):
        self.all = []
        for line in subprocess.run(["nm", "-n", "-S", path], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.splitlines():
            found = re.match(r"([0-9a-f]+) ([0-9a-f]+) [a-zA-Z] (\S+)$", line)
            if found and int(found.group(2), 16):
                self.all.append((int(found.group(1), 16), int(found.group(2), 16), found.group(3)))
        self.all.sort()
        self.by_name = {name: (at, size) for at, size, name in self.all}

    def neighbours(self, start, size):
        """Names of others that touch a line of these bytes; of no more than a page before them."""
        first, last = start // 64 * 64, (start + size - 1) // 64 * 64 + 64
        low = bisect.bisect_left(self.all, (first - 4096, 0, ""))
        high = bisect.bisect_left(self.all, (last, 0, ""))
        return {(at, length) for at, length, _ in self.all[low:high]
                if at + length > first and (at + length <= start or at >= start + size)}


class Kernel(unittest.TestCase):
    def test_the_shipped_policies_hold_on_amd64(self):
        for policy in POLICIES:
            status, document = check("--policy", policy, vmlinux("amd64"))
            self.assertEqual((status, document["gaps"]), (0, []), policy)
            self.assertEqual(document["summary"]["errors"], 0)
            self.assertNotIn("EXCEPTION-UNUSED", [one["rule"] for one in document["findings"]])

    def test_other_machines_are_judged_by_their_own_lines(self):
        status, document = check("--policy", POLICIES[1], vmlinux("arm64"))
        self.assertIn(status, (0, 12, 16, 28))
        self.assertGreaterEqual(document["summary"]["examined"], 5)
        _, document = check("--policy", POLICIES[1], vmlinux("s390x"))
        self.assertNotIn("of 64 bytes", " ".join(one["message"] for one in document["findings"]
                                                  if one["rule"] != "POLICY-APART"))

    def test_neighbours_of_globals_are_those_of_nm(self):
        image = vmlinux("amd64")
        variables = Variables(image)
        names = ("tcp_memory_allocated", "jiffies", "vm_committed_as", "tcp_hashinfo", "init_task",
                 "udp_memory_allocated", "nr_files", "system_wq", "vm_stat")
        options = [word for name in names if name in variables.by_name for word in ("--symbol", name)]
        _, document = check("--symbols", *options, image)
        self.assertGreater(len(document["findings"]), 8)
        named = [one for one in document["findings"] if one["severity"] == "error"]
        self.assertGreater(len(named), 2)
        told = set()
        for finding in document["findings"]:
            place = re.match(r"at 0x([0-9a-f]+) in (\S+), (\d+) bytes", finding["message"])
            told.add(finding["type"].split()[1])
            expected = variables.neighbours(int(place.group(1), 16), int(place.group(3)))
            found = {(int(at, 16), int(size)) for at, size in
                     re.findall(r"\(0x([0-9a-f]+), (\d+) bytes\)", finding["message"])}
            if finding["message"].endswith("..."):
                self.assertLess(found, expected, finding)
            else:
                self.assertEqual(found, expected, finding)
        # And those of whom nothing is told have no neighbours.
        for name in names:
            if name in variables.by_name and name not in told:
                self.assertEqual(variables.neighbours(*variables.by_name[name]), set(), name)

    def test_the_makefile_judges_and_compares_kernels(self):
        def make(target):
            return subprocess.run(
                ["make", "-s", "-f", os.path.join(ROOT, "layouts/ci/layouts.mk"), target,
                 "FIELDLINE=" + FIELDLINE, "LAYOUT_IMAGE=" + vmlinux("amd64"),
                 "LAYOUT_BASELINE=" + vmlinux("arm64"), "LAYOUT_POLICIES=" + POLICIES[1],
                 "STRUCTS=bdev_inode request"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, check=False)

        checked, compared = make("layout-check"), make("layout-diff")
        self.assertEqual(checked.returncode, 0, checked.stdout)
        self.assertIn("Error 4", compared.stdout)
        self.assertIn("struct bdev_inode", compared.stdout)

    def test_a_learnt_policy_holds(self):
        image = vmlinux("amd64")
        listed = subprocess.run([FIELDLINE, "list", "-o", "json", "--min-size", "200", image],
                                stdout=subprocess.PIPE, text=True, check=True).stdout
        names = sorted({one["name"] for one in json.loads(listed)["structs"] if one["name"]})[::6]
        self.assertGreater(len(names), 100)
        with tempfile.TemporaryDirectory() as top:
            learnt = os.path.join(top, "learnt.json")
            subprocess.run([FIELDLINE, "check", "--learn", learnt, "--date", DATE, image, *names],
                           check=True)
            status, document = check("--policy", learnt, image)
            self.assertEqual((status, document["gaps"]), (0, []))
            self.assertEqual({one["rule"] for one in document["findings"]}, {"POLICY-STRADDLE"})
            self.assertGreaterEqual(document["summary"]["examined"], len(names))


if __name__ == "__main__":
    FIELDLINE = os.path.realpath(sys.argv.pop(1))
    unittest.main(verbosity=2)
