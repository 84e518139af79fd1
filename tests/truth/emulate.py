#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Debian's stock kernel under emulation: three runs with one seed give the same counts, byte for byte,
another seed other ones; the report finds what is known of its struct bdev_inode (the line boundary
between i_rwsem's count and owner); perf c2c counts the same events in the perf.data; what the
resolver says of instructions is the memory that they accessed. Two processes that open and close
the device make bd_openers fight with its neighbours.
"""

import argparse
import concurrent.futures
import glob
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
OPENERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "perfscripts",
                       "workloads", "openers.sh")
NEEDED = ("qemu-system-x86_64", "busybox", "cpio", "modinfo", "gcc")
OPERATIONS = 2000
PERIOD = 500
REGION = ["--start", "2000", "--count", str(OPERATIONS), "--warm-up", "1000"]


def emulate(fieldline, kernel, directory, *arguments):
    """Returns the report."""
    command = [fieldline, "emulate", "--kernel", kernel["image"], "--vmlinux", kernel["vmlinux"],
               "--modules", kernel["modules"], *REGION, "--output", directory, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def emulate_seed(fieldline, kernel, directory, seed, *options):
    return emulate(fieldline, kernel, directory, "--seed", str(seed), "--perf-data", *options,
                   WORKLOAD)


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
    limits = report.partition("What this model leaves out")[2]
    for limit in ("store buffers", "prefetch", "HITM", "modelled cycles", "virtual time", "HPET",
                  "hypervisor bit", "stopwatch"):
        tally.check("limits are printed", limit, True, limit in limits)


def read_json(directory):
    with open(os.path.join(directory, "report.json"), encoding="utf-8") as file:
        return json.load(file)


def check_json(directory, tally):
    """Each level adds up to the one above it."""
    document = read_json(directory)
    tally.check("operations", "report.json", OPERATIONS, document["run"]["operations"])
    levels = [("types", document["total"]["counts"], document["types"])]
    for part in document["types"]:
        levels.append(("lines", part["counts"], part["lines"]))
        for line in part["lines"]:
            levels.append(("fields", line["counts"], line["fields"]))
    for level, whole, parts in levels:
        tally.check(f"{level} add up", str(whole), whole["transfers"],
                    sum(part["counts"]["transfers"] for part in parts))
    for machine in document["machines"]:
        events = document["total"]["counts"]
        cycles = sum(events.get(event + "s" * (event == "upgrade"), 0) * cost
                     for event, cost in machine["cycles"].items())
        for level, parts in (("total", [document["total"]]), ("types", document["types"])):
            tally.check(f"modelled cycles, {level}", machine["name"], cycles,
                        sum(part["modelled_cycles"][machine["name"]] for part in parts))


def check_spread(options, kernel, root, directories, tally):
    """Over two seeds: the ends are what the runs say by themselves."""
    seeds = os.path.join(root, "seeds")
    os.mkdir(seeds)
    for seed, directory in enumerate(directories, 1):
        os.symlink(directory, os.path.join(seeds, f"seed-{seed}"))
    report = emulate(options.fieldline, kernel, seeds, "--seeds", "2", "--again", WORKLOAD).stdout
    ends = sorted(read_json(directory)["total"]["counts"]["transfers"] / OPERATIONS
                  for directory in directories)
    found = re.search(r"^ +([\d.]+) \(([\d.]+) to ([\d.]+)\) .*  all of the kernel$", report, re.M)
    if tally.check("spread is told", "two seeds", True, found is not None):
        for what, wanted, number in zip(("mean", "least", "most"),
                                        (sum(ends) / 2, *ends), found.groups()):
            tally.check("spread", what, True, abs(wanted - float(number)) < 0.001)


def check_openers(run, directory, tally):
    """Only the openers write to the first line, and what they take it for is a field of others."""
    if not tally.check("openers run", "exit code", (0, ""), (run.returncode, run.stderr)):
        return
    document = read_json(directory)
    false = {}
    for pair in document["pairs"]:
        writer, reader = pair["writer"], pair["reader"]
        if (writer["label"], writer["path"]) == ("struct bdev_inode", "bdev.bd_openers") and \
                pair["false_sharing"]:
            path = reader["path"] if reader["label"] == writer["label"] else reader["label"]
            false[path] = false.get(path, 0) + pair["false_sharing"]
    tally.check("bd_openers against", "pairs", ["bdev.bd_inode", "bdev.bd_nr_sectors",
                                                "bdev.bd_read_only"],
                sorted(path for path, nr in false.items() if nr > OPERATIONS / 100))
    rows = re.findall(r"^ +0\.000 +([\d.]+)  struct bdev_inode: bdev\.bd_openers -> (\S+):",
                      run.stdout, re.M)
    tally.check("rows of the report", "pairs",
                sorted((path, f"{nr / OPERATIONS:.3f}") for path, nr in false.items()
                       if nr > OPERATIONS / 100),
                sorted((path, number) for number, path in rows if float(number) > 0.01))
    types = {part["label"]: part for part in document["types"]}
    tally.check("kmalloc has an inferred type", "struct gendisk", True,
                types.get("struct gendisk", {}).get("is_inferred", False))
    fields = {field["path"] for line in types["inode_hash_lock"]["lines"]
              for field in line["fields"]}
    tally.check("a variable has fields", "inode_hash_lock", True, "rlock" in fields)


def check_modules(fieldline, kernel, directory, tally):
    """A module's variable lies where the guest's loader put its section, plus what nm says."""
    with open(os.path.join(directory, "module-sections"), encoding="ascii") as file:
        sections = {tuple(line.split()[:2]): int(line.split()[2], 16) for line in file}
    built = glob.glob(os.path.join(kernel["debug_modules"], "**/brd.ko*"), recursive=True)[0]
    symbols = subprocess.run(["nm", built], capture_output=True, text=True, check=True).stdout
    offset = int(re.search(r"^(\w+) r brd_fops$", symbols, re.M).group(1), 16)
    found = subprocess.run([fieldline, "c2c", "--kernel", kernel["vmlinux"], "--modules",
                            kernel["debug_modules"], "--by", "object", "--top", "100000",
                            directory], capture_output=True, text=True, check=False)
    rows = re.findall(r"(0x\w+)  struct (\w+) +brd_fops ", found.stdout)
    tally.check("a module's variable", "brd_fops",
                [(f"{sections['brd', '.rodata'] + offset:#x}", "block_device_operations")], rows)


def perf_counts(directory):
    output = subprocess.run(["perf", "c2c", "report", "--stdio", "--stats", "-i",
                             os.path.join(directory, "perf.data")], capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, env={**os.environ, "HOME": directory},
                            check=False).stdout
    found = dict(re.findall(r"^ +(Total records|Load Local HITM) +: +(\d+)$", output, re.M))
    return [int(found.get(name, -1)) for name in ("Total records", "Load Local HITM")]


def check_perf(directory, sampled, report, tally):
    """perf counts the same transfers; HITM only of loads. Sampled, it counts every Nth access."""
    if shutil.which("perf") is None:
        tally.count("no perf here")
        return
    records, hitm = (count / OPERATIONS for count in perf_counts(directory))
    kernel = row_of(report, "  all of the kernel")
    tally.check("perf's records", "perf.data", round(kernel[0], 3), round(records, 3))
    tally.check("perf's HITM", "perf.data", True, 0.5 * kernel[1] < hitm <= kernel[1])
    records, _ = perf_counts(sampled)
    counts = read_json(sampled)["total"]["counts"]
    tally.check("every Nth access", "perf.data", records,
                (counts["loads"] + counts["stores"] + counts["atomics"]) // PERIOD)


def check_truth(fieldline, kernel, directory, tally):
    """The resolver knows by instruction alone what memory it was, nearly always."""
    output = subprocess.run([fieldline, "resolve", "--truth", directory, "--modules",
                             kernel["debug_modules"], "--no-cache", "--format", "json",
                             kernel["vmlinux"]], capture_output=True, text=True, check=False)
    if not tally.check("runs", "resolve --truth", (0, ""), (output.returncode, output.stderr)):
        return
    found = json.loads(output.stdout)

    def accesses(table, rows, *agreements):
        return sum(found[table][row][agreement]["accesses"]
                   for row in rows for agreement in agreements)

    right, bad = ("same", "part", "scalar"), ("outer", "field", "wrong")
    typed = ("low", "medium", "high")
    memory = set(found["memory"]) - {"contents", "user"}
    told = accesses("memory", memory, *right, *bad, "spill", "open")
    total = told + accesses("memory", memory, "untyped")
    tally.check("there is much to check", "accesses", True,
                accesses("confidence", typed, *right, *bad) > 200000)
    for rows, limit in (("high",), 0.005), (typed, 0.02):
        part = accesses("confidence", rows, *bad) / accesses("confidence", rows, *right, *bad)
        tally.check("few are wrong", f"{rows}: {part:.4f}", True, part <= limit)
    tally.check("nearly all are typed", f"{told / total:.4f}", True, told / total >= 0.95)
    unknown = accesses("memory", ["unknown"], *right, *bad, "spill", "open", "untyped") / total
    tally.check("nearly all memory has an owner", f"{unknown:.4f}", True, unknown <= 0.01)


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
        seeds = [(1,), (1,), (1, "--period", str(PERIOD)), (2, "--every-access")]
        directories = [os.path.join(root, str(i)) for i in range(len(seeds))]
        openers = os.path.join(root, "openers")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            opened = pool.submit(emulate, options.fieldline, kernel, openers, "--perf-data",
                                 "--period", "10", OPENERS) if shutil.which("fio") else None
            runs = list(pool.map(lambda directory, seed: emulate_seed(
                options.fieldline, kernel, directory, *seed), directories, seeds))
        for run in runs:
            if not tally.check("runs", "exit code", (0, ""), (run.returncode, run.stderr)):
                sys.exit(not tally.passes("emulate"))
        counts = [read_counts(directory) for directory in directories[:3]]
        tally.check("same seed, same counts", "second run", True, counts[1] == counts[0])
        tally.check("same seed, same counts", "third run", True, counts[2] == counts[0])
        tally.check("other seed, other counts", "fourth run", True,
                    read_json(directories[3])["total"] != read_json(directories[0])["total"])
        check_report(runs[0].stdout, tally)
        check_json(directories[0], tally)
        check_truth(options.fieldline, kernel, directories[3], tally)
        check_perf(directories[0], directories[2], runs[0].stdout, tally)
        check_spread(options, kernel, root, [directories[0], directories[3]], tally)
        if opened:
            check_openers(opened.result(), openers, tally)
            check_modules(options.fieldline, kernel, openers, tally)
        else:
            tally.count("no fio here")
    sys.exit(not tally.passes("emulate"))


if __name__ == "__main__":
    main()
