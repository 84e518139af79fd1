#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
fieldline resolve on a real kernel: how much of a random sample is resolved; whether the flow of
types finds by itself what debug information states (variables withheld); whether functions touch
the fields that their source names (resolved_fields.txt); and whether instructions chosen at random
access what their source says (resolved_sample.txt, on the build that it is of).
"""

import argparse
import collections
import json
import os
import subprocess
import sys

import kernels

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLE = 5000
# A sample of 5,000 strays from the whole by 0.6 % at most, two times in three by 0.3 %.
LEAST_TYPED, LEAST_FIELDS = 0.934, 0.782
LEAST_FOUND, LEAST_AGREEMENT = 0.85, 0.95
# Of a sample's instructions, at most so many with another object than the source has.
MOST_WRONG = {"any": 0.02, "high": 0.005}


def check_coverage(program, vmlinux):
    result = subprocess.run([program, "resolve", "--no-cache", "--stats", "--sample", str(SAMPLE),
                             "--seed", "7", "-f", "json", vmlinux], check=True,
                            capture_output=True, text=True)
    coverage = json.loads(result.stdout)
    total = coverage["total"]["instructions"]
    typed = coverage["typed"]["instructions"] / total
    fields = coverage["fields"]["instructions"] / total
    print(f"{total} instructions: {typed:.1%} typed, {fields:.1%} to a field")
    parts = sum(reason["instructions"] for reason in coverage["reasons"].values())
    return total == SAMPLE == parts and typed >= LEAST_TYPED and fields >= LEAST_FIELDS


def check_holdout(driver, vmlinux):
    result = subprocess.run([driver, "holdout", vmlinux, str(SAMPLE)], check=True,
                            capture_output=True, text=True)
    counts = {name: int(number) for name, number in map(str.split, result.stdout.splitlines())}
    found = counts["found"] / counts["direct"]
    agreement = counts["agree"] / counts["found"]
    print(f"{counts['direct']} stated by debug information: {found:.1%} found without, "
          f"{agreement:.1%} of these agree")
    return counts["direct"] > SAMPLE / 2 and found >= LEAST_FOUND and agreement >= LEAST_AGREEMENT


def read_expected():
    """{function: (set of lines, whether that is all)}"""
    expected = collections.defaultdict(lambda: (set(), True))
    with open(os.path.join(HERE, "resolved_fields.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            function, rest = line.strip().split(" ", 1)
            lines, is_all = expected[function]
            is_all &= not rest.startswith("... ")
            expected[function] = (lines | {rest.removeprefix("... ")}, is_all)
    return expected


def check_functions(driver, vmlinux):
    expected = read_expected()
    result = subprocess.run([driver, "function", vmlinux, *expected], check=True,
                            capture_output=True, text=True)
    told = collections.defaultdict(set)
    for line in result.stdout.splitlines():
        function, rest = line.split(" ", 1)
        told[function].add(rest)
    bad = 0
    for function, (lines, is_all) in expected.items():
        structs = {line for line in told[function] if " struct " in line and "*" not in line}
        for line in sorted(lines - told[function]):
            print(f"{function}: '{line}' was not found")
            bad += 1
        for line in sorted(structs - lines if is_all else ()):
            print(f"{function}: '{line}' is not in its source")
            bad += 1
    print(f"{len(expected)} functions, {bad} lines otherwise than their source")
    return len(expected) > 20 and not bad


def read_sample():
    """(the build-id, [(sample, address, type, field)])"""
    build_id, rows = None, []
    with open(os.path.join(HERE, "resolved_sample.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("# build-id "):
                build_id = line.split()[2]
            if not line.startswith("#"):
                sample, address, _, _, type_name, field = line.rstrip("\n").split("\t")
                rows.append((sample, address, type_name, field))
    return build_id, rows


def check_sample(program, vmlinux):
    build_id, rows = read_sample()
    notes = subprocess.run(["readelf", "-n", vmlinux], capture_output=True, text=True, check=True)
    if build_id not in notes.stdout:
        print("the sample is of another build of the kernel: not checked")
        return True
    places = [argument for _, address, _, _ in rows for argument in ("--ip", f"0x{address}")]
    result = subprocess.run([program, "resolve", "--no-cache", "-f", "json", *places, vmlinux],
                            check=True, capture_output=True, text=True)
    answers = json.loads(result.stdout)["instructions"]
    totals, wrong, fields = (collections.Counter() for _ in range(3))
    for (sample, address, type_name, field), answer in zip(rows, answers):
        if answer["type"] is None or (sample == "high" and answer["confidence"] != "high"):
            continue
        totals[sample] += 1
        wrong[sample] += answer["type"] != type_name
        fields[sample] += answer["type"] == type_name and (answer["field"] or "") != field
        if answer["type"] != type_name:
            print(f"{address}: {answer['type']}, by its source {type_name}")
    for sample, most in MOST_WRONG.items():
        print(f"of {totals[sample]} ({sample} confidence) {wrong[sample]} have another object, "
              f"{fields[sample]} another field than in the source")
    return len(rows) > 500 and all(totals[sample] > 190 and wrong[sample] <= most * totals[sample]
                                   for sample, most in MOST_WRONG.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fieldline", required=True)
    parser.add_argument("--driver", required=True)
    options = parser.parse_args()
    vmlinux = kernels.find_kernel("amd64")["vmlinux"]
    fine = [check_coverage(options.fieldline, vmlinux), check_holdout(options.driver, vmlinux),
            check_functions(options.driver, vmlinux), check_sample(options.fieldline, vmlinux)]
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
