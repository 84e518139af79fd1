#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
fieldline resolve against source: resolve_source.c stores numbers of their own into fields, so the
compiled instruction tells which store of the source it is, and the source which field that is.
Compilers and levels of optimisation make different code of it; no answer may be wrong, and all but
a few stores have one.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "resolve_source.c")
FIRST = 0x51000
# Compilers, levels of optimisation and debug information: DWARF 4 has other lists of locations.
BUILDS = [(compiler, *flags) for compiler in ("gcc", "clang")
          for flags in (("-O1", "-g"), ("-O2", "-g"), ("-Os", "-g"), ("-O2", "-gdwarf-4"))]
# Of each build's stores.
LEAST_RESOLVED = 0.99

Store = collections.namedtuple("Store", "number line what")


def read_stores():
    """{number: Store}; the preprocessor counts the T() in the order of the text."""
    with open(SOURCE, encoding="utf-8") as file:
        text = file.read()
    body = text[text.index("struct node global_node"):]
    stores = {}
    for found in re.finditer(r'\bT\((.*?),\s*((?:"[^"]*"\s*)+)\)', body, re.S):
        what = "".join(re.findall(r'"([^"]*)"', found.group(2)))
        number = FIRST + len(stores)
        line = text.count("\n", 0, text.index(body)) + body.count("\n", 0, found.start()) + 1
        stores[number] = Store(number, line, set(what.split("|")))
    return stores


def find_instructions(path):
    """[(symbol+offset, number)] of the instructions that store a number of ours."""
    dump = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True,
                          capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    found, symbol, start = [], None, 0
    for line in dump.stdout.splitlines():
        label = re.match(r"([0-9a-f]+) <(.+)>:$", line)
        store = re.match(r"\s*([0-9a-f]+):\s+mov\w*\s+\$0x([0-9a-f]+),.*[(]", line)
        if label:
            start, symbol = int(label.group(1), 16), label.group(2)
        elif store and FIRST <= int(store.group(2), 16) < FIRST + 0x1000:
            found.append((f"{symbol}+{int(store.group(1), 16) - start}", int(store.group(2), 16)))
    return found


def resolve(program, path, places):
    arguments = [argument for place in places for argument in ("--ip", place)]
    result = subprocess.run([program, "resolve", "--no-cache", "-f", "json", *arguments, path],
                            check=True, capture_output=True, text=True)
    return json.loads(result.stdout)["instructions"]


def check_build(program, folder, compiler, level, debug, stores):
    path = os.path.join(folder, f"{compiler}{level}.o")
    subprocess.run([compiler, debug, level, "-w", "-fno-omit-frame-pointer" if level == "-O1" else
                    "-fomit-frame-pointer", "-mcmodel=kernel", "-fno-pic", "-c", SOURCE, "-o",
                    path], check=True)
    instructions = find_instructions(path)
    missing = set(stores) - {number for _, number in instructions}
    answers = resolve(program, path, [place for place, _ in instructions])
    wrong, unresolved = [], []
    for (place, number), answer in zip(instructions, answers):
        store = stores[number]
        told = f"{answer['type']} {answer['field']}"
        if answer["type"] is None or not answer["field"]:
            unresolved.append(f"line {store.line} ({place}): {answer['unresolved']}")
        elif told not in store.what or not answer["store"] or answer["load"]:
            wrong.append(f"line {store.line} ({place}): {told}, not {' or '.join(store.what)}")
    share = 1 - len(unresolved) / len(instructions)
    print(f"{compiler} {level} {debug}: {len(instructions)} stores, {share:.1%} resolved, "
          f"{len(wrong)} wrong, {len(missing)} not in the code")
    for line in wrong + unresolved:
        print(f"  {line}")
    return not wrong and not missing and share >= LEAST_RESOLVED


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fieldline", required=True)
    options = parser.parse_args()
    stores = read_stores()
    builds = [build for build in BUILDS if shutil.which(build[0])]
    if os.uname().machine != "x86_64" or not builds or not shutil.which("objdump"):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        fine = [check_build(options.fieldline, folder, *build, stores) for build in builds]
    sys.exit(0 if len(stores) > 50 and all(fine) else 1)


if __name__ == "__main__":
    main()
