#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The DWARF and the BTF of one file tell of the same layouts: pahole made the one of the other."""

import argparse
import copy
import math
import os
import re
import sys

import kernels
from fieldline import Fieldline
from oracle import Place
from tally import Tally


def as_in_btf(text):
    """pahole writes an array of arrays as one array, and [] and [0] alike."""
    def flat(match):
        counts = re.findall(r"\[(\d*)\]", match.group(0))
        return f"[{math.prod(int(count or 0) for count in counts)}]"

    return re.sub(r"(?:\[\d*\])+", flat, text)


def check_name(tally, name, dwarf, btf):
    """Each definition in the DWARF against the one in the BTF that is nearest to it."""
    left = list(btf)
    for layout in dwarf:
        tally.check("definitions", name, True, bool(left))
        if left:
            twin = next((other for other in left if other.fields == layout.fields), left[0])
            left.remove(twin)
            check_pair(tally, name, layout, twin)
    return left


def check_pair(tally, name, dwarf, btf):
    tally.check("struct size", name, dwarf.size, btf.size)
    tally.check("names of members", name, list(dwarf.fields), list(btf.fields))
    for path, place in dwarf.fields.items():
        if path in btf.fields:
            what = "bit-field" if place.bit_size else "member"
            tally.check(what, f"{name} {path}", tuple(place), tuple(btf.fields[path]))
    for ours, theirs in zip(dwarf.members, btf.members):
        tally.check("type", f"{name} {ours.path}", as_in_btf(ours.json["type"]),
                    as_in_btf(theirs.json["type"]))
    tally.check("holes", name, dwarf.holes(), btf.holes())
    tally.check("padding", name, dwarf.padding(), btf.padding())
    if dwarf.align != btf.align:
        tally.count("alignments that BTF does not tell")


def check_image(tally, dwarf, btf):
    for name in sorted(set(dwarf) | set(btf)):
        left = check_name(tally, name, dwarf.get(name, []), btf.get(name, []))
        tally.check("definitions in BTF alone", name, 0, len(left))


def check_module(tally, dwarf, btf, base):
    """With its base a module's BTF holds the kernel's structs too."""
    for name in sorted(set(dwarf) | set(btf)):
        left = check_name(tally, name, dwarf.get(name, []), btf.get(name, []))
        if left and name not in base:
            tally.check("definitions in BTF alone", name, 0, len(left))


def negative_control(tally, layout):
    path = next(iter(layout.fields))
    wrongs = [{"size": layout.size + 1}, {"fields": {}},
              {"fields": layout.fields | {path: Place(1, 8, 0)}}]
    for wrong in wrongs:
        caught = Tally()
        falsified = copy.copy(layout)
        vars(falsified).update(wrong)
        check_name(caught, layout.name, [layout], [falsified])
        tally.check("negative control", layout.name, True, caught.nr_differing() > 0)


def check_file(fieldline, vmlinux, file):
    tally = Tally()
    dwarf = fieldline.layouts(file, "--format", "dwarf")
    if file == vmlinux:
        check_image(tally, dwarf, fieldline.layouts(file, "--format", "btf"))
    else:
        base = fieldline.layouts(vmlinux, "--format", "btf")
        btf = fieldline.layouts(file, "--format", "btf", "--btf-base", vmlinux)
        check_module(tally, dwarf, btf, base)
    negative_control(tally, dwarf["struct list_head"][0])
    return tally.passes(f"DWARF against BTF: {os.path.basename(file)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--kernel", metavar="ARCH", required=True,
                        help="the fetched kernel and its modules")
    options = parser.parse_args()
    files = kernels.files_of(kernels.find_kernel(options.kernel))
    results = [check_file(Fieldline(options.fieldline), files[0], file) for file in files]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
