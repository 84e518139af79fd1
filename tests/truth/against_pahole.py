#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every struct and union of a file against pahole: size, and each member's place and size."""

import argparse
import copy
import os
import sys

import kernels
import pahole
from fieldline import Fieldline, place_of
from tally import Tally


def shown_by_pahole(layout, struct):
    """Our members down to the depth pahole goes: it opens only types without a name."""
    def is_shown(path):
        outer, _, _ = path.rpartition(".")
        return not outer or (outer in struct.opened and is_shown(outer))

    return {path: place for path, place in layout.fields.items() if is_shown(path)}


def same(layout, struct):
    """pahole states no size for a union."""
    return struct.size in (None, layout.size) and shown_by_pahole(layout, struct) == struct.fields


def taken_for_one(layout, struct):
    """
    Whether pahole takes the two for one definition: it compares the names and places of what the
    struct itself declares, not what lies inside a union or struct there, named or not.
    """
    direct = [(member["name"], place_of(member)) for member in layout.json["members"]]
    return struct.size in (None, layout.size) and direct == struct.direct


def check_pair(tally, layout, struct):
    if struct.size is not None:
        tally.check("struct size", struct.name, struct.size, layout.size)
    ours = shown_by_pahole(layout, struct)
    tally.check("names of members", struct.name, sorted(struct.fields), sorted(ours))
    for path, place in struct.fields.items():
        if path in ours:
            what = "bit-field" if place.bit_size else "member"
            tally.check(what, f"{struct.name} {path}", tuple(place), tuple(ours[path]))


def check_name(tally, name, layouts, structs):
    """Definitions that agree leave; the rest is compared in order, to say how it differs."""
    if not structs and " " not in name:
        # the typedef of a struct: pahole lists no struct that has no name of its own
        tally.count("typedefs that pahole leaves out")
        return
    layouts, left = list(layouts), []
    for struct in structs:
        twin = next((layout for layout in layouts if same(layout, struct)), None)
        if twin:
            check_pair(tally, twin, struct)
            layouts.remove(twin)
        else:
            left.append(struct)
    for layout, struct in zip(layouts, left):
        check_pair(tally, layout, struct)
    for layout in layouts[len(left):]:
        alike = any(taken_for_one(layout, struct) for struct in structs)
        tally.check("definitions", f"{name} at {layout.json['file']}", True, alike)
    for struct in left[len(layouts):]:
        tally.check("definitions", f"{name} of pahole", True, False)


def negative_control(tally, name, layout, struct):
    """A comparison that cannot fail proves nothing: each falsified answer must be caught."""
    path, place = next(iter(struct.fields.items()))
    fields = struct.fields
    for what, wrong in (("size", {"size": struct.size + 1}),
                        ("offset", {"fields": fields | {path: place._replace(offset=1)}}),
                        ("width", {"fields": fields | {path: place._replace(size=99)}}),
                        ("bits", {"fields": fields | {path: place._replace(bit_size=1)}}),
                        ("extra", {"fields": fields | {"no_such_member": place}})):
        caught = Tally()
        falsified = copy.copy(struct)
        vars(falsified).update(wrong)
        check_name(caught, name, [layout], [falsified])
        tally.check("negative control", what, True, caught.nr_differing() > 0)


def check_file(tally, fieldline, file):
    theirs = pahole.read(file)
    ours = fieldline.layouts(file, "--format", "dwarf")
    for name in sorted(set(ours) | set(theirs)):
        check_name(tally, name, ours.get(name, []), theirs.get(name, []))
    name = "struct list_head"
    negative_control(tally, name, ours[name][0], theirs[name][0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--kernel", metavar="ARCH", help="the fetched kernel and its modules")
    parser.add_argument("file", nargs="*")
    options = parser.parse_args()
    failed = False
    for file in options.file or kernels.files_of(kernels.find_kernel(options.kernel)):
        tally = Tally()
        check_file(tally, Fieldline(options.fieldline), file)
        failed |= not tally.passes(f"against pahole: {os.path.basename(file)}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
