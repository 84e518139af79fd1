#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Random edits of random structs, compiled by gcc: the edit must be what `fieldline diff` says, and
all else that changed must follow from it, in the struct and in those that embed it.
"""

import argparse
import concurrent.futures
import copy
import json
import os
import random
import re
import sys
import tempfile

import diff_apply
import oracle
import structs
from fieldline import Fieldline
from struct_source import Member, Source, aligned, edit
from tally import Tally

FAMILY = 6  # structs of one source, the later ones embedding earlier ones
EDITS = 5  # of each family
KINDS = ["insert", "remove", "rename", "retype", "align", "move"]


class Edited:
    """One edit of one struct: what was done, and the new source."""

    def __init__(self, rng, made):
        self.source = Source(made.source)
        self.kind, self.hints = rng.choice(KINDS), made.hints
        self.rng = rng
        self.new_path = None
        names = self.source.names()
        self.member = rng.choice(names) if names else None
        self.old_order = names
        self.fits = bool(names) and getattr(self, f"do_{self.kind}")()

    def at(self):
        members, index = self.source.place(self.member)
        return members, index, members[index]

    def do_insert(self):
        members, index, _ = self.at()
        declaration = self.rng.choice(structs.PLAIN)[0] % "fresh"
        members.insert(index + self.rng.randrange(2), Member(declaration))
        self.new_path = "fresh"
        return True

    def do_remove(self):
        edit(self.source, {"kind": "remove", "member": self.member})
        return True

    def do_rename(self):
        _, _, member = self.at()
        member.text = re.sub(rf"\b{self.member}\b", "renamed", member.text)
        self.new_path = "renamed"
        return True

    def do_retype(self):
        members, index, member = self.at()
        plain = [text for text, _ in structs.PLAIN]
        old = next((text for text in plain if text % self.member == member.text), None)
        if not old:
            return False
        members[index] = Member(self.rng.choice([text for text in plain if text != old]) %
                                self.member)
        self.new_path = self.member
        return True

    def do_align(self):
        _, _, member = self.at()
        if member.children is not None or member.is_bits() or "aligned" in member.text or \
                re.match(r"(struct|union) s\d", member.text) or "packed" in self.hints:
            return False  # or it may change nothing
        member.text += aligned(self.rng.choice([64, 128]))  # more than any type's own
        self.new_path = self.member
        return True

    def do_move(self):
        members, index, member = self.at()
        if len(members) < 2:
            return False
        del members[index]
        members.insert(self.rng.choice([at for at in range(len(members) + 1) if at != index]),
                       member)
        return True

    def order_without(self, name, names):
        return [other for other in names if other != name]

    def move_explains(self, name):
        """Whether moving that one member makes the new order of the old one."""
        return self.order_without(name, self.old_order) == \
            self.order_without(name, self.source.names())


def sides(change):
    return tuple(change[side] and change[side]["path"] for side in ("old", "new"))


def edits_told(comparison):
    return [change for change in comparison["changes"] if not change["follows"]]


def is_as_told(edited, comparison):
    """Whether the one edit the diff tells of is the one that was made."""
    told = edits_told(comparison)
    if edited.kind == "move" and not told:
        # Zero-sized members and those of unions move without moving, unnamed bit-fields unseen.
        return bool(comparison["ripples"]) or \
            all(change["carried"] for change in comparison["changes"])
    if len(told) != 1:
        return False
    (change,) = told
    kinds, (old, new) = set(change["kinds"]), sides(change)
    if edited.kind == "insert":
        return kinds == {"added"} and new == edited.new_path
    if edited.kind == "remove":
        return kinds == {"removed"} and old == edited.member
    if edited.kind == "move":
        # Where two change places either moved.
        return "moved" in kinds and old == new and \
            (bool(change["new"]["anonymous"]) or edited.move_explains(new))
    wanted = {"rename": "renamed", "retype": "retyped", "align": "realigned"}[edited.kind]
    return wanted in kinds and (old, new) == (edited.member, edited.new_path)


def write_source(path, family, replaced=None, text=None):
    with open(path, "w", encoding="utf-8") as file:
        file.write(structs.PRELUDE)
        for made in family:
            source = text if made is replaced else made.source
            file.write(f"{source}SIZE({made.name})\n")


def compile_(path):
    return oracle.compile_source(["gcc"], ["-gdwarf-5"], path, f"{path[:-2]}.o")


class Family:
    """Some structs, and edits of them one at a time."""

    def __init__(self, seed, number, fieldline, directory):
        self.rng = random.Random(f"{seed}/{number}")
        self.family = structs.make_structs(f"{seed}/{number}", 0, FAMILY)
        self.fieldline = fieldline
        self.stem = os.path.join(directory, f"family{number}")
        write_source(f"{self.stem}.c", self.family)
        self.old = compile_(f"{self.stem}.c")

    def edits(self):
        nr = 0
        while nr < EDITS:
            made = self.rng.choice(self.family)
            edited = Edited(self.rng, made)
            path = f"{self.stem}-{nr}.c"
            if not edited.fits:
                continue
            write_source(path, self.family, made, edited.source.render())
            try:
                compile_(path)
            except oracle.CompilerError:
                continue
            nr += 1
            yield made, edited, f"{path[:-2]}.o"

    def check(self, tally):
        old = diff_apply.Kernel(self.fieldline, self.old)
        for made, edited, path in self.edits():
            new = diff_apply.Kernel(self.fieldline, path)
            result = self.fieldline.run("diff", "-f", "json", "--exit-zero", self.old, path, "*")
            if result.returncode:
                raise RuntimeError(result.stderr)
            comparisons = json.loads(result.stdout)["structs"]
            self.check_edit(tally, made, edited, comparisons, f"{path}: {edited.kind} "
                            f"{edited.member} in {made.name}")
            diff_apply.check_names(tally, old, new, comparisons)
            for comparison in comparisons:
                diff_apply.check_comparison(tally, comparison, old, new)

    def check_edit(self, tally, made, edited, comparisons, where):
        told = [at for at, comparison in enumerate(comparisons) if comparison["name"] == made.name]
        changed = bool(comparisons) or edited.kind != "move"
        if changed and not tally.check("the struct is told", where, 1, len(told)):
            return
        if not told:
            tally.count("moves that move nothing")
            return
        comparison = comparisons[told[0]]
        texts = [(sides(change), change["kinds"]) for change in edits_told(comparison)]
        tally.check(f"{edited.kind} told as such", f"{where}: {texts}", True,
                    is_as_told(edited, comparison))
        packed = {other.name for other in self.family if "packed" in other.hints}
        tally.check("wrong edits noticed", where, False, self.accepts_wrong(edited, comparison))
        for at, other in enumerate(comparisons):
            if at == told[0]:
                continue
            if other["name"] in packed and other["cause"] is None:
                # Of a packed union no debug information tells the alignment.
                tally.count("packed ones on their own")
            else:
                tally.check("others follow from it", f"{where}: {other['name']}", told[0],
                            other["cause"])


    @staticmethod
    def accepts_wrong(edited, comparison):
        """The negative control: of what the diff tells nothing is an edit of another member."""
        wrong = copy.copy(edited)
        wrong.kind = "rename" if edited.kind != "rename" else "remove"
        wrong.member = wrong.new_path = "another"
        return is_as_told(wrong, comparison)


def check_families(seed, numbers, program, directory):
    tally = Tally()
    for number in numbers:
        Family(seed, number, Fieldline(program), directory).check(tally)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--count", type=int, default=1000, help="edits (default: 1000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--keep", metavar="DIR", help="leave sources and objects there")
    options = parser.parse_args()
    tally = Tally()
    numbers = range((options.count + EDITS - 1) // EDITS)
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory, \
            concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        results = [pool.submit(check_families, options.seed, numbers[start::options.jobs],
                               options.fieldline, options.keep or directory)
                   for start in range(options.jobs)]
        for result in results:
            tally.add(result.result())
    passed = tally.passes(f"random edits (seed {options.seed}, {options.count} edits)")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
