#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Random C structs through several compilers: fieldline must answer as the compiler does."""

import argparse
import concurrent.futures
import os
import sys
import tempfile

import compare
import oracle
import structs
import types_compile as types
from fieldline import Fieldline
from tally import Tally

CHUNK = 250


GCC_HIDES = {"packed", "ms"}
CLANG_HIDES = {"packed", "ms", "aligned bits", "aligned down"}
ARM_HIDES = CLANG_HIDES | {"unnamed"}  # its ABI lets them align the struct
BTF_HIDES = {"packed", "aligned"}


class Target:
    """
    A compiler and ABI and the debug information to ask it for; one in `share` of the structs; and
    the hints of a struct (see structs.py) with which its alignment is not told.
    """

    def __init__(self, name, compiler, debug, share, hides):
        self.name, self.compiler, self.debug = name, compiler, debug
        self.share, self.hides = share, hides
        self.is_clang = compiler[0] == "clang"
        self.is_btf = "bpf" in compiler[-1]

    def knows_align(self, made, debug):
        """DWARF before version 5 has no word for _Atomic, and 32-bit ABIs no one rule."""
        hides = self.hides
        if not debug.endswith("5") or self.name in ("gcc -m32", "powerpc"):
            hides = hides | {"atomic"}
        return not made.hints & hides


def clang(triple, *flags):
    return ["clang", *flags, "-target", triple]


TARGETS = [
    Target("gcc", ["gcc", "-mavx"], ["-gdwarf-4", "-gdwarf-5"], 1, GCC_HIDES),
    Target("gcc -O2", ["gcc", "-mavx", "-O2"], ["-gdwarf-2", "-gdwarf-3"], 4, GCC_HIDES),
    Target("gcc short", ["gcc", "-mavx", "-fshort-enums"], ["-gdwarf-5"], 4, GCC_HIDES),
    Target("gcc -m32", ["gcc", "-mavx", "-m32"], ["-gdwarf-4", "-gdwarf-5"], 2, GCC_HIDES),
    Target("gcc -mx32", ["gcc", "-mavx", "-mx32"], ["-gdwarf-5"], 8, GCC_HIDES),
    Target("clang", ["clang"], ["-gdwarf-4", "-gdwarf-5"], 1, CLANG_HIDES),
    Target("clang -O2", ["clang", "-O2"], ["-gdwarf-2", "-gdwarf-3"], 4, CLANG_HIDES),
    Target("clang -m32", ["clang", "-m32"], ["-gdwarf-4", "-gdwarf-5"], 2, CLANG_HIDES),
    Target("s390x", clang("s390x-linux-gnu", "-march=z13"),
           ["-gdwarf-2", "-gdwarf-4", "-gdwarf-5"], 2, CLANG_HIDES),
    Target("powerpc", clang("powerpc-linux-gnu"), ["-gdwarf-3", "-gdwarf-5"], 4, CLANG_HIDES),
    Target("aarch64", clang("aarch64-linux-gnu"), ["-gdwarf-5"], 4, ARM_HIDES),
    Target("arm", clang("armv7-linux-gnueabihf"), ["-gdwarf-4"], 4, ARM_HIDES),
    Target("riscv64", clang("riscv64-linux-gnu"), ["-gdwarf-5"], 4, CLANG_HIDES),
    Target("BTF", clang("bpfel"), ["-g"], 2, BTF_HIDES),
    Target("BTF big-endian", clang("bpfeb"), ["-g"], 2, BTF_HIDES),
]


class Job:
    """One source through one target."""

    def __init__(self, target, first, count, seed):
        self.target = target
        self.first = first
        self.structs = structs.make_structs(seed, first, count, target.is_btf)

    def run(self, fieldline, directory):
        tally = Tally()
        stem = f"{self.target.name.replace(' ', '')}-{self.first}"
        stem = os.path.join(directory, stem)
        with open(f"{stem}.c", "w", encoding="utf-8") as file:
            file.write(structs.source_of(self.structs))
        compile_source = oracle.compile_source
        compile_source(self.target.compiler, ["-DTRUTH"], f"{stem}.c", f"{stem}.truth.o")
        truths = oracle.read_truth(f"{stem}.truth.o")
        for debug in self.target.debug:
            output = f"{stem}{debug}.o"
            compile_source(self.target.compiler, [debug], f"{stem}.c", output)
            self.compare(tally, debug, fieldline, output, truths)
        return tally

    def compare(self, tally, debug, fieldline, output, truths):
        target = self.target
        found = fieldline.layouts(output, "--format", "btf" if target.is_btf else "dwarf")
        for made in self.structs + structs.GIVEN:
            where = f"{target.name} {debug}"
            layouts = found.get(made.name, [])
            tally.check("definitions", f"{where} {made.name}", 1, len(layouts))
            if layouts:
                compare.check_layout(tally, where, truths[made.name], layouts[0],
                                     target.knows_align(made, debug), target.is_clang)
        pair = "struct pair"
        compare.negative_control(tally, truths[pair], found[pair][0])
        if debug == "-gdwarf-5" and target.name in ("gcc", "clang"):
            types.check_types(tally, output, target.compiler, structs.source_of(self.structs),
                              [layouts[0] for layouts in found.values()], truths)


def make_jobs(seed, count):
    jobs = []
    for target in TARGETS:
        total = max(count // target.share, 1)
        for first in range(0, total, CHUNK):
            jobs.append(Job(target, first, min(CHUNK, total - first), seed))
    return jobs


def run_job(job, program, directory):
    return job.run(Fieldline(program), directory)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--count", type=int, default=2000, help="structs (default: 2000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--only", metavar="TARGET", help="one target, such as 'gcc -m32'")
    parser.add_argument("--keep", metavar="DIR", help="leave sources and objects there")
    options = parser.parse_args()
    jobs = [job for job in make_jobs(options.seed, options.count)
            if options.only in (None, job.target.name)]
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory, \
            concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        results = [pool.submit(run_job, job, options.fieldline, options.keep or directory)
                   for job in jobs]
        for result in results:
            tally.add(result.result())
    passed = tally.passes(f"random structs (seed {options.seed}, {options.count} structs)")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
