#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What we count in a recording is what `perf c2c report` counts, number by number: its statistics,
those of shared lines, and every row of its table of lines. Over files that our writer made, since
perf itself can't record memory samples without the hardware; so that perf also vouches for the
writer."""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# perf's columns, from the address on, without the percentage.
COLUMNS = ("total_hitm local_hitm remote_hitm total_records total_loads total_stores "
           "stores_l1_hit stores_l1_miss stores_na load_fb_hit load_l1_hit load_l2_hit "
           "load_llc_hit local_hitm load_remote_hit remote_hitm load_local_dram "
           "load_remote_dram").split()
# The same with -d peer.
PEER_COLUMNS = ("total_peer local_peer remote_peer".split() + COLUMNS[3:])


def run(*command, home):
    environment = {**os.environ, "HOME": home, "LC_ALL": "C"}
    environment.pop("DEBUGINFOD_URLS", None)
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=True,
                          stdin=subprocess.DEVNULL).stdout


def key_of(row):
    """"Load MESI State Exclusive" -> load_mesi_state_exclusive"""
    return re.sub(r"[^a-z0-9]+", "_", row.lower()).strip("_")


def read_perf(text, columns):
    """The sections of a report as ours are: {"stats": {}, "shared": {}}, and the lines."""
    sections = {"stats": {}, "shared": {}}
    section, lines = None, collections.Counter()
    for line in text.splitlines():
        if "Trace Event Information" in line:
            section = "stats"
        elif "Global Shared Cache Line Event" in line:
            section = "shared"
        elif "c2c details" in line:
            section = None
        elif "Shared Data Cache Line Table" in line:
            section = "lines"
        elif "Distribution Pareto" in line:
            break
        row = re.match(r"  (\S.*?) *: +(\d+)$", line)
        if row and section in sections:
            sections[section][key_of(row.group(1))] = int(row.group(2))
        cells = line.split()
        if section == "lines" and len(cells) > 4 and cells[0].isdigit():
            # index, address, node, physical addresses, percentage
            numbers = tuple(int(cell) for cell in cells[5:])
            assert len(numbers) == len(columns), line
            lines[(int(cells[1], 16), *numbers)] += 1
    return sections, lines


def our_lines(document, columns):
    # perf counts samples of guests, but shows no line of theirs without --guest options.
    return collections.Counter((int(line["address"], 16), *(line[name] for name in columns))
                               for line in document["lines"] if "guest" not in line["mode"])


def compare(name, ours, theirs):
    if ours == theirs:
        return 0
    for key in sorted(set(ours) | set(theirs)):
        if ours.get(key) != theirs.get(key):
            print(f"{name}: {key}: ours {ours.get(key)}, perf's {theirs.get(key)}",
                  file=sys.stderr)
    return 1


def check(tools, path, displays, home):
    """Returns the number of statistics and of lines compared, and of differences."""
    document = json.loads(run(tools.fieldline, "c2c", "--stats=lines", path, home=home))
    differences, nr_numbers, nr_lines = 0, 0, 0
    for display in displays:
        columns = PEER_COLUMNS if display == "peer" else COLUMNS
        report = run("perf", "c2c", "report", "--stdio", "--show-all", "--no-source",
                     "-d", display, "-i", path, home=home)
        sections, lines = read_perf(report, columns)
        if len(sections["stats"]) != 31 or len(sections["shared"]) != 13 or not lines:
            print(f"{path}: perf's report was not understood", file=sys.stderr)
            return 0, 0, 1
        for section, rows in sections.items():
            differences += compare(f"{path}: {section}", document[section], rows)
            nr_numbers += len(rows)
        differences += compare(f"{path}: lines", our_lines(document, columns), lines)
        nr_lines += sum(lines.values())
    return nr_numbers, nr_lines, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--make", required=True, help="the program make_recording")
    parser.add_argument("--fieldline", required=True)
    parser.add_argument("--samples", type=int, default=20000, help="random ones, beside the rest")
    tools = parser.parse_args()
    if not shutil.which("perf"):
        print("skipped: no perf; perfscripts/setup --tests installs it")
        return SKIPPED
    numbers = lines = differences = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed, kind in enumerate(("combinations", "random -big", "contended -phys"), 1):
            kind, *flags = kind.split()
            displays = ("tot", "peer") if kind == "combinations" else ("tot",)
            path = os.path.join(folder, f"{seed}.data")
            run(tools.make, *flags, kind, path, str(tools.samples), "3000", str(seed), home=folder)
            counted = check(tools, path, displays, folder)
            numbers, lines, differences = (a + b for a, b in
                                           zip((numbers, lines, differences), counted))
    print(f"{numbers} statistics and {lines} rows of lines equal perf's"
          if not differences else f"{differences} sections differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
