#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Edits of a real kernel, in the tree and build directory that `perfscripts/lab source` makes: each is
written into the source, built, and has to lie as predicted; what is written passes the kernel's own
checkpatch.pl and applies. Skipped where the lab has not been.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from tally import Tally

CACHE = os.environ.get("FIELDLINE_CACHE", os.path.expanduser("~/.cache/fieldline"))
LAB = os.path.join(CACHE, "lab", "trees", "source")
SOURCE, BUILD = os.path.join(LAB, "linux"), os.path.join(LAB, "build")
VMLINUX = os.path.join(BUILD, "vmlinux")
USES = ["--hot", "bd_openers,bd_stamp", "--written", "bd_openers", "--read-mostly",
        "bd_nr_sectors,bd_read_only"]

# struct, how it is used, the kinds of edits of the proposal that is meant, what to build
CASES = [
    ("bdev_inode", [], ["wrap"], "block/bdev.o"),
    ("bdev_inode", [], ["align"], "block/bdev.o"),
    ("block_device", USES, ["group"], "block/bdev.o"),
    ("block_device", USES, ["move"], "block/bdev.o"),
    ("blkcg_gq", ["--pack"], ["move", "move"], "block/blk-cgroup.o"),
]


def run(*command, status=0, cwd=None, text=""):
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd,
                            input=text)
    if status is not None and result.returncode != status:
        raise RuntimeError(f"{' '.join(command)}: {result.stdout}{result.stderr}")
    return result


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def propose(fieldline, struct, uses, kinds, path):
    """Saves the proposals; the number of the first one of those kinds of edits."""
    text = run(fieldline, "propose", "-o", "json", VMLINUX, struct, *uses).stdout
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    for number, proposal in enumerate(json.loads(text)["proposals"], 1):
        if [edit["kind"] for edit in proposal["edits"]] == kinds:
            return number
    raise RuntimeError(f"nothing is proposed for {struct} that consists of {kinds}")


def spoil(path, number):
    """Another place of the last member than is true."""
    document = json.loads(read(path))
    document["proposals"][number - 1]["prediction"]["members"][-1]["offset_bits"] += 64
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


def check_case(tally, fieldline, directory, case):
    struct, uses, kinds, target = case
    where = f"{struct}: {', '.join(kinds)}"
    path, output = os.path.join(directory, "proposal.json"), os.path.join(directory, "out")
    number = propose(fieldline, struct, uses, kinds, path)
    command = [fieldline, "patch", path, "--source", SOURCE, "--build", BUILD, "--target", target,
               "-o", output, "--candidate", str(number)]
    result = run(*command, "--assert", status=None)
    if not tally.check("proved", f"{where}: {result.stderr}", 0, result.returncode):
        return
    patches = result.stdout.splitlines()[1:3]
    for patch in patches:
        checked = run("scripts/checkpatch.pl", "--strict", patch, cwd=SOURCE, status=None).stdout
        tally.check("checkpatch", f"{where}: {checked}", ["0 errors, 0 warnings, 0 checks"],
                    re.findall(r"total: (\d+ errors, \d+ warnings, \d+ checks)", checked))
    applied = run("git", "apply", "--check", cwd=SOURCE, status=None,
                  text="".join(read(patch) for patch in patches))
    tally.check("applies", f"{where}: {applied.stderr}", 0, applied.returncode)


def check_control(tally, fieldline, directory):
    path = os.path.join(directory, "proposal.json")
    number = propose(fieldline, *CASES[0][:3], path)
    spoil(path, number)
    result = run(fieldline, "patch", path, "--source", SOURCE, "--build", BUILD, "-o",
                 os.path.join(directory, "none"), "--candidate", str(number), status=None)
    tally.check("negative control", result.stderr, True, "not proved: " in result.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip())
    parser.add_argument("--fieldline", required=True)
    arguments = parser.parse_args()
    if not os.path.exists(VMLINUX):
        print("skipped: perfscripts/lab source makes the tree that this test needs")
        return 77
    tally = Tally()
    with tempfile.TemporaryDirectory() as directory:
        for case in CASES:
            check_case(tally, os.path.abspath(arguments.fieldline), directory, case)
        check_control(tally, os.path.abspath(arguments.fieldline), directory)
    tally.check("tree untouched", SOURCE, "",
                run("git", "status", "--porcelain", cwd=SOURCE).stdout)
    return 0 if tally.passes("edits of a real kernel") else 1


if __name__ == "__main__":
    sys.exit(main())
