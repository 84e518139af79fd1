# SPDX-License-Identifier: GPL-2.0-only
"""Runs `fieldline layout --output json` and reads what it says (schema fieldline.layout/1)."""

import collections
import json
import subprocess

from oracle import Place

Member = collections.namedtuple("Member", "path place json")


class Layout:
    def __init__(self, struct, cacheline):
        self.json, self.cacheline = struct, cacheline
        self.size, self.align = struct["size"], struct["align"]
        self.name = struct["typedef"] or f"{struct['kind']} {struct['name']}"
        # outer before inner; the anonymous have no path, their members count as the outer one's
        self.members = list(flatten(struct["members"], ""))
        self.fields = {member.path: member.place for member in self.members if member.path}

    def holes(self):
        """[(offset, size)] in bits; fieldline splits them at whole bytes."""
        parts = [(hole["offset"] * 8, hole["size"] * 8) for hole in self.json["holes"]]
        parts += [(hole["bit_offset"], hole["bit_size"]) for hole in self.json["bit_holes"]]
        holes = []
        for offset, size in sorted(parts):
            if holes and sum(holes[-1]) == offset:
                holes[-1] = (holes[-1][0], holes[-1][1] + size)
            else:
                holes.append((offset, size))
        return holes

    def padding(self):
        return self.json["padding"] * 8 + self.json["bit_padding"]


def flatten(members, prefix):
    for member in members:
        path = prefix + member["name"] if member["name"] else None
        yield Member(path, place_of(member), member)
        yield from flatten(member.get("members", []), f"{path}." if path else prefix)


def place_of(member):
    if member["offset"] is None:
        return Place(None, member["size"], 0)
    if member["bit_size"]:
        return Place(member["bit_offset"], 0, member["bit_size"])
    return Place(member["offset"] * 8, member["size"], 0)


class Fieldline:
    def __init__(self, program):
        self.program = program

    def run(self, *arguments, under=()):
        """under: the start of a command line that runs what follows it."""
        return subprocess.run([*under, self.program, *arguments], capture_output=True, text=True,
                              check=False)

    def document(self, file, *options, names=("*",), under=()):
        result = self.run("layout", "--output", "json", *options, file, *names, under=under)
        if result.returncode:
            raise RuntimeError(f"{file}: exit {result.returncode}: {result.stderr.strip()}")
        return json.loads(result.stdout)

    def layouts(self, file, *options, names=("*",), under=()):
        """{name: [Layout, ...]}: more than one where definitions of one name differ."""
        found = collections.defaultdict(list)
        document = self.document(file, *options, names=names, under=under)
        for struct in document["structs"]:
            layout = Layout(struct, document["view"]["cacheline"])
            found[layout.name].append(layout)
        return found
