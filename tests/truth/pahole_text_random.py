#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""As pahole_text.py, on random structs: oddities that no kernel has."""

import argparse
import os
import re
import sys
import tempfile

import oracle
import pahole_text
import structs
from tally import Tally

COMPILERS = [("gcc", "-mavx"), ("clang",)]


def check_random(tally, program, count, seed):
    """Random structs, without _Atomic, which pahole 1.24 does not know."""
    source = structs.source_of(structs.make_structs(seed, 0, count, False))
    source = re.sub(r"_Atomic(?:\(([^)]*)\)| )", r"\1", source)
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory:
        path = os.path.join(directory, "random.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        for compiler in COMPILERS:
            for debug in ("-gdwarf-4", "-gdwarf-5"):
                output = f"{path}.{compiler[0]}{debug}.o"
                oracle.compile_source(list(compiler), [debug], path, output)
                pahole_text.check_file(tally, program, output, ask=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--count", type=int, default=1000, help="structs (default: 1000)")
    parser.add_argument("--seed", type=int, default=20261130)
    options = parser.parse_args()
    tally = Tally()
    check_random(tally, options.fieldline, options.count, options.seed)
    sys.exit(not tally.passes(f"text of pahole: {options.count} random structs"))


if __name__ == "__main__":
    main()
