# SPDX-License-Identifier: GPL-2.0-only
"""Holds one layout that fieldline printed against what the compiler says."""

import copy

from oracle import Place
from tally import Tally


def check_layout(tally, where, truth, layout, knows_align=True, is_clang=False, partial=False):
    """
    knows_align: the debug information tells all that the alignment follows from. partial: the
    truth does not know all members.
    """
    where = f"{where} {truth.name}"
    tally.check("struct size", where, truth.size, layout.size)
    if knows_align:
        tally.check("struct alignment", where, truth.align, layout.align)
    elif truth.align != layout.align:
        tally.count("alignment not told")
    names = [path for path in layout.fields if path in truth.fields or not partial]
    tally.check("names of members", where, sorted(truth.fields), sorted(names))
    if is_clang:
        truth = as_clang_tells(tally, truth, layout)
    for path, place in truth.fields.items():
        if path in layout.fields:
            what = "bit-field" if place.bit_size else "member"
            tally.check(what, f"{where} {path}", tuple(place), tuple(layout.fields[path]))
    if not partial:
        check_holes(tally, where, truth, layout)
    check_lines(tally, where, layout)


def as_clang_tells(tally, truth, layout):
    """
    clang's DWARF shows a bit-field that fills its type as a plain member; in a packed struct that
    loses at which bit of the byte it starts.
    """
    told = copy.copy(truth)
    told.fields = dict(truth.fields)
    for path, place in truth.fields.items():
        found = layout.fields.get(path)
        if found and place.bit_size and place.bit_size == found.size * 8:
            tally.count("bit-field told as plain")
            told.fields[path] = Place(place.offset // 8 * 8, found.size, 0)
    return told


def bits_of(place):
    return place.bit_size or place.size * 8


def holes_of(truth):
    """([(offset, size)], padding) in bits: what no member of the outermost struct covers."""
    holes, reached = [], 0
    direct = [place for path, place in truth.fields.items() if "." not in path and bits_of(place)]
    for place in sorted(direct):
        if place.offset > reached:
            holes.append((reached, place.offset - reached))
        reached = max(reached, place.offset + bits_of(place))
    return holes, max(truth.size * 8 - reached, 0)


def check_holes(tally, where, truth, layout):
    holes, padding = holes_of(truth)
    tally.check("holes", where, holes, layout.holes())
    tally.check("padding", where, padding, layout.padding())


def check_lines(tally, where, layout):
    cacheline = layout.cacheline
    tally.check("cache lines", where, -(-layout.size // cacheline), layout.json["cachelines"])
    for member in layout.members:
        if member.place.offset is None:
            continue
        bits = bits_of(member.place)
        first = member.place.offset // 8 // cacheline
        last = (member.place.offset + max(bits, 1) - 1) // 8 // cacheline
        found = (member.json["cacheline"], member.json["straddles"])
        tally.check("line of member", f"{where} {member.path}", (first, first != last), found)


def falsified(truth):
    """Wrong truths, each wrong in one way."""
    for what in ("size", "align", "offset", "width", "missing", "extra"):
        wrong = copy.deepcopy(truth)
        path, place = next(iter(wrong.fields.items()))
        if what in ("size", "align"):
            setattr(wrong, what, getattr(wrong, what) * 2 + 1)
        elif what == "offset":
            wrong.fields[path] = place._replace(offset=place.offset + 1)
        elif what == "width":
            wrong.fields[path] = place._replace(size=place.size + 1)
        elif what == "missing":
            del wrong.fields[path]
        else:
            wrong.fields["no_such_member"] = place
        yield wrong


def negative_control(tally, truth, layout):
    """A comparison that cannot fail proves nothing: each falsified truth must be caught."""
    for wrong in falsified(truth):
        caught = Tally()
        check_layout(caught, "control", wrong, layout)
        tally.check("negative control", truth.name, True, caught.nr_differing() > 0)
