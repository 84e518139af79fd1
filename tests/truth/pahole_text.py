#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`fieldline layout --output pahole` against pahole itself, byte for byte."""

import argparse
import collections
import os
import re
import subprocess
import sys

import kernels
from tally import Tally

MEMBER = re.compile(r"^(?P<declaration>.*;)(?: +(?P<place>/\* +\d.* \*/))?$")
# What pahole can't print: (*x[3])(int), (*x)[3], (**x)(int).
DECLARATOR = re.compile(r"\(\*(?:\*|\(|\w*(?:\[\d+\])+\)\(|\w*\)\[)")
# The size of a line is by default that of the machine pahole runs on.
PAHOLE = ["pahole", "-F", "dwarf", "-c", "64"]
SAMPLE = 4  # names asked for with -C: it takes pahole seconds each


def run(*command):
    """Standard output; pahole complains on the other about what it leaves out."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command[:4])}...: exit {result.returncode}: {result.stderr}")
    return result.stdout


def split(text):
    """{"struct name": [lines of each definition]}"""
    found, lines = collections.defaultdict(list), []
    for line in text.splitlines():
        lines.append(line)
        if line.startswith("}") or (line.startswith("typedef") and line.endswith(";")):
            header = lines[0].partition(" {")[0]
            found[line if header.startswith("typedef") else header].append(lines)
            lines = []
    return found


def without_nested_types(lines):
    """clang puts types inside of the struct that uses them: pahole prints them as members."""
    kept, opened, nested = [], [], False
    for line in lines:
        if nested and not line:
            nested = False
            continue
        nested = False
        if re.match(r"\t+(?:const |volatile )*(?:struct|union|enum)(?: \w+)? \{$", line):
            opened.append((line.count("\t"), len(kept)))
        kept.append(line)
        if opened and re.match(r"\t{%d}\}" % opened[-1][0], line):
            _, start = opened.pop()
            if re.fullmatch(r"\t+\}(?: __attribute__\(\(\w+(?:\(\d+\))?\)\))* ?;", line):
                del kept[start:]
                nested = True
    return kept


def is_negative_hole(line):
    hole = re.fullmatch(r"\t+/\* XXX (\d+) bits hole, try to pack \*/", line)
    return bool(hole) and int(hole[1]) > 128 or "BRAIN FART ALERT" in line


def without_negative_holes(lines):
    """Bits that a packed bit-field shares with its neighbour are a negative hole, cut to 8 bits."""
    return [line for line in lines
            if line and not is_negative_hole(line) and not re.match(r"\t+/\* sum ", line)]


def same_but_declarators(theirs, ours):
    """The place behind a declaration that is longer stands further right."""
    for line, our_line in zip(theirs, ours):
        if line == our_line:
            continue
        member, our_member = MEMBER.match(line), MEMBER.match(our_line)
        if not (member and our_member and DECLARATOR.search(our_line)):
            return False
        if member["place"] != our_member["place"]:
            return False
    return len(theirs) == len(ours)


def with_empty_inside(found):
    """
    The structs of one byte without members, which take no room for pahole as they do in a C++ base,
    and all that embed one, whose holes and padding it then counts wrong.
    """
    texts = {name: "\n".join(definitions[0]) for name, definitions in found.items()}
    inside = {name for name, text in texts.items()
              if re.search(r"size: 1, cachelines: 1, members: 0"
                           r"|(?:struct|union) \{\n\t+\}.*/\* +\d+ +[1-9]", text)}
    more = inside
    while more:
        embeds = re.compile(rf"^\t+(?:{'|'.join(sorted(more))}) ", re.M)
        more = {name for name, text in texts.items() if name not in inside and embeds.search(text)}
        inside |= more
    return inside


def explain(theirs, ours):
    """Why two texts differ where pahole is wrong; None if there is no excuse."""
    if theirs == ours:
        return "same"
    if same_but_declarators(theirs, ours):
        return "declarators that pahole can't print"
    theirs = without_nested_types(theirs)
    if same_but_declarators(theirs, ours):
        return "clang's nested types as members"
    if any(map(is_negative_hole, theirs)) and \
            same_but_declarators(without_negative_holes(theirs), without_negative_holes(ours)):
        return "negative bit holes"
    return None


def show(theirs, ours):
    for line, our_line in zip(theirs, ours):
        if line != our_line:
            return f"pahole: {line!r}, fieldline: {our_line!r}"
    return "one ends before the other"


def check_text(tally, name, theirs, definitions):
    """pahole prints one definition of a name; it must be one of ours."""
    for ours in definitions:
        reason = explain(theirs, ours)
        if reason:
            tally.check("structs", name, True, True)
            tally.count(reason)
            return
    tally.check("structs", name, None, show(theirs, definitions[0]) if definitions else "missing")


def check_asked_for(tally, file, name, ours):
    """What -C prints is the first definition in the file."""
    theirs = split(run(*PAHOLE, "-C", name.split()[-1], file))
    tally.check("asked for with -C", name, "same",
                explain(theirs.get(name, [[]])[0], ours[name][0]))


def negative_control(tally, lines):
    """A comparison that cannot fail proves nothing."""
    for wrong in (lines[:-1], lines + [""], [line.replace("8", "9") for line in lines],
                  [line.replace(" ", "  ", 1) for line in lines]):
        tally.check("negative control", wrong, None, explain(wrong, lines))


def sample(names):
    return names[::max(len(names) // SAMPLE, 1)]


def check_file(tally, program, file, ask):
    theirs = split(run(*PAHOLE, file))
    ours = split(run(program, "layout", "--output", "pahole", "--cacheline", "64", "--format",
                     "dwarf", file, "*"))
    miscounted = with_empty_inside(ours)
    for name, definitions in theirs.items():
        if name in miscounted:
            tally.count("one byte without members inside")
        else:
            check_text(tally, name, definitions[0], ours.get(name, []))
    names = [name for name in sorted(theirs) if theirs[name][0] in ours.get(name, [])
             and not name.startswith("typedef")]
    if ask:
        for name in sample(names) + sample([name for name in names if len(ours[name]) > 1]):
            check_asked_for(tally, file, name, ours)
    negative_control(tally, next(ours[name][0] for name in names if "8" in ours[name][0][1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--kernel", metavar="ARCH", help="the fetched kernel and its modules")
    parser.add_argument("file", nargs="*")
    options = parser.parse_args()
    passed = True
    for file in options.file or kernels.files_of(kernels.find_kernel(options.kernel)):
        tally = Tally()
        check_file(tally, options.fieldline, file, ask=True)
        passed &= tally.passes(f"text of pahole: {os.path.basename(file)}")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
