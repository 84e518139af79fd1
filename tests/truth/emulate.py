#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Debian's stock kernel under emulation: three runs with one seed give the same counts, byte for byte,
another seed other ones; the report finds what is known of its struct bdev_inode (the line boundary
between i_rwsem's count and owner); perf c2c counts the same events in the perf.data.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import kernels
from tally import Tally

SKIPPED = 77
WORKLOAD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures", "emulate",
                        "random_io.sh")
NEEDED = ("qemu-system-x86_64", "busybox", "cpio", "modinfo", "gcc")
OPERATIONS = 2000
REGION = ["--start", "2000", "--count", str(OPERATIONS), "--warm-up", "1000"]


def emulate(fieldline, kernel, directory, seed):
    """Returns the report."""
    command = [fieldline, "emulate", "--kernel", kernel["image"], "--vmlinux", kernel["vmlinux"],
               "--modules", kernel["modules"], "--seed", str(seed), "--perf-data", *REGION,
               "--output", directory, WORKLOAD]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read_counts(directory):
    with open(os.path.join(directory, "counts"), "rb") as file:
        return file.read()


def row_of(report, label):
    """The numbers before label in the first row that ends with it."""
    match = re.search(rf"^ +([\d. ]+?)  {label}", report, re.M)
    return [float(number) for number in match.group(1).split()] if match else None


def check_report(report, tally):
    # transfers, HITM, upgrades, clean, true, false, objects
    inode = row_of(report, r"struct bdev_inode \(slab cache bdev_cache\)")
    if not tally.check("type is found", "struct bdev_inode", True, inode is not None):
        return
    tally.check("objects", "bdev_inode", 1, inode[6])
    tally.check("transfers add up", "bdev_inode", round(inode[0], 2), round(sum(inode[1:4]), 2))
    tally.check("it is fought over most", "bdev_inode", True, inode[0] > 4)
    # Every I/O takes i_rwsem once: one load that misses and one upgrade of its owner's line, less
    # the few where the same CPU comes twice in a row, and once more where another CPU comes
    # between the two.
    owner = re.search(r"i_rwsem\.count \(line \d+\) and \S*i_rwsem\.owner \(line \d+\) are both "
                      r"written by down_read\(\), ([\d.]+) times.*\n.*owner ([\d.]+) and ([\d.]+);",
                      report)
    if tally.check("cut is found", "i_rwsem", True, owner is not None):
        tally.check("once an I/O", "i_rwsem", "1.00", owner.group(1))
        tally.check("two transfers an I/O", "owner", True, 1.9 < float(owner.group(2)) < 2.1)
        tally.check("one HITM an I/O", "owner", True, 0.95 < float(owner.group(3)) < 1.05)
    tally.check("limits are printed", "report", True, "What this model leaves out" in report)


def check_json(directory, tally):
    """Each level adds up to the one above it."""
    with open(os.path.join(directory, "report.json"), encoding="utf-8") as file:
        document = json.load(file)
    tally.check("operations", "report.json", OPERATIONS, document["run"]["operations"])
    levels = [("types", document["total"]["counts"], document["types"])]
    for part in document["types"]:
        levels.append(("lines", part["counts"], part["lines"]))
        for line in part["lines"]:
            levels.append(("fields", line["counts"], line["fields"]))
    for level, whole, parts in levels:
        tally.check(f"{level} add up", str(whole), whole["transfers"],
                    sum(part["counts"]["transfers"] for part in parts))


def check_perf(directory, report, tally):
    """perf counts the same transfers; HITM only of loads."""
    if shutil.which("perf") is None:
        tally.count("no perf here")
        return
    output = subprocess.run(["perf", "c2c", "report", "--stdio", "--stats", "-i",
                             os.path.join(directory, "perf.data")], capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, env={**os.environ, "HOME": directory},
                            check=False).stdout
    found = {name: int(number) for name, number in
             re.findall(r"^ +(Total records|Load Local HITM) +: +(\d+)$", output, re.M)}
    kernel = row_of(report, "  all of the kernel")
    tally.check("perf's records", "perf.data", round(kernel[0], 3),
                round(found.get("Total records", 0) / OPERATIONS, 3))
    hitm = found.get("Load Local HITM", 0) / OPERATIONS
    tally.check("perf's HITM", "perf.data", True, 0.5 * kernel[1] < hitm <= kernel[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", required=True)
    options = parser.parse_args()
    missing = [tool for tool in NEEDED if shutil.which(tool) is None]
    if missing:
        print(f"SKIPPED: needs {', '.join(missing)}; perfscripts/setup --tests installs them")
        sys.exit(SKIPPED)
    kernel = kernels.find_kernel("amd64")
    tally = Tally()
    with tempfile.TemporaryDirectory() as root:
        seeds = [1, 1, 1, 2]
        directories = [os.path.join(root, str(i)) for i in range(len(seeds))]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = list(pool.map(lambda run: emulate(options.fieldline, kernel, *run),
                                 zip(directories, seeds)))
        for run in runs:
            if not tally.check("runs", "exit code", (0, ""), (run.returncode, run.stderr)):
                sys.exit(not tally.passes("emulate"))
        counts = [read_counts(directory) for directory in directories]
        tally.check("same seed, same counts", "second run", True, counts[1] == counts[0])
        tally.check("same seed, same counts", "third run", True, counts[2] == counts[0])
        tally.check("other seed, other counts", "fourth run", True, counts[3] != counts[0])
        check_report(runs[0].stdout, tally)
        check_json(directories[0], tally)
        check_perf(directories[0], runs[0].stdout, tally)
    sys.exit(not tally.passes("emulate"))


if __name__ == "__main__":
    main()
