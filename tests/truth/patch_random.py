#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Random structs, written as people write them, and random edits of them: what fieldline patch makes
of the source goes through git am, is compiled, and must lie as predicted; no comment is lost, and
in every configuration the same members are there. What it refuses names a line of the file.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from patch_sources import PRELUDE, StructMaker
from relayout_driver import Driver, words_of
from tally import Tally

CONFIGURATIONS = (("-DON=1",), (), ("-DON=1", "-DOFF"), ("-DOFF",))
LISTS = ("cured", "brought", "straddles_won", "straddles_lost", "pair_straddles_won",
         "pair_straddles_lost", "parted", "joined", "holders", "cautions")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
MOST_REFUSED = 0.35


def run(*command, cwd=None, status=0):
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if status is not None and result.returncode != status:
        raise RuntimeError(f"{' '.join(command)}: {result.stdout}{result.stderr}")
    return result


def draw_edit(rng, names):
    """An edit in the words of fieldline.proposal/1; names: of the struct's own level or below."""
    kind = rng.choice(["insert", "wrap", "align", "align_type", "move", "move", "order", "group"])
    name = rng.choice(names)
    side = rng.choice(["before", "after"])
    if kind == "insert":
        return {"kind": kind, "member": name, "side": side, "name": "pad9",
                "bytes": rng.choice([1, 4, 8, 24])}
    if kind == "wrap":
        size = {"bytes": rng.choice([16, 40, 64])} if rng.randrange(2) else {"round_to": 64}
        return {"kind": kind, "member": name, "name": "pad9", **size}
    if kind == "align":
        return {"kind": kind, "member": name, "align": rng.choice([16, 64])}
    if kind == "align_type":
        return {"kind": kind, "align": 64}
    if kind == "move":
        return {"kind": kind, "member": name, "anchor": rng.choice(names), "side": side}
    if kind == "order":
        return {"kind": kind, "members": rng.sample(names, len(names))}
    members = rng.sample(names, min(len(names), rng.randrange(1, 4)))
    return {"kind": kind, "members": members, "name": "hot", "align": 64, "end_align": 64}


class Case:
    """A struct in a file of its own, and an edit of it."""

    def __init__(self, rng, tree, number):
        self.rng, self.tree, self.name = rng, tree, f"s{number}"
        self.file = f"{self.name}.c"
        self.text = PRELUDE + StructMaker(rng, self.name).make()
        self.answer = self.edit = None
        self.write(self.text)

    def path(self, name):
        return os.path.join(self.tree, name)

    def write(self, text):
        with open(self.path(self.file), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self):
        with open(self.path(self.file), encoding="utf-8") as file:
            return file.read()

    def compile(self, output):
        # as kernels do, where an image's members may come from any configuration
        run("cc", "-g", "-c", "-DON=1", "-o", output, self.file, cwd=self.tree)

    def places(self, fieldline, image):
        """(size, {name: (offset, size) in bits}) of members that C can name from outside."""
        found = {}

        def walk(members):
            for member in members:
                if member["name"]:
                    bits = member["bit_size"]
                    found[member["name"]] = ((member["bit_offset"], bits) if bits else
                                             (member["offset"] * 8, member["size"] * 8))
                else:
                    walk(member.get("members", []))
        struct = json.loads(run(fieldline, "layout", "-o", "json", image, f"struct {self.name}",
                                cwd=self.tree).stdout)["structs"][0]
        walk(struct["members"])
        return struct["size"], found

    def names_by_configuration(self, names):
        """For each configuration the members that a compiler finds there."""
        found = []
        for flags in CONFIGURATIONS:
            asserts = "".join(f"\n__typeof__(((struct {self.name} *)0)->{name}) *p_{name};"
                              for name in names)
            source = self.path(f"{self.name}.names.c")
            with open(source, "w", encoding="utf-8") as file:
                file.write(self.read() + asserts + "\n")
            errors = run("cc", "-fsyntax-only", "-fmax-errors=0", *flags, source,
                         status=None).stderr
            os.unlink(source)
            missing = set(re.findall(r"has no member named [‘'](\w+)[’']", errors))
            found.append(sorted(set(names) - missing))
        return found


def save_proposal(fieldline, case, path):
    """What propose saves, with this edit and its prediction instead of its own."""
    document = json.loads(run(fieldline, "propose", "-o", "json", f"./{case.name}.o",
                              f"struct {case.name}", cwd=case.tree).stdout)
    layout = case.answer.layouts["after"][0]
    prediction = {"size": layout.size, "align": layout.align,
                  "members": [{"name": name, "type": "?", "depth": 0, "offset_bits": offset,
                               "width_bits": width,
                               **({"bit_field": True} if offset % 8 or width % 8 else {})}
                              for name, (offset, width) in layout.fields.items()
                              if "." not in name]}
    document["proposals"] = [{"title": "an edit", "forbidden": False, "change": "?",
                              "edits": [case.edit], "prediction": prediction,
                              "figures": document["struct"]["figures"],
                              **{key: [] for key in LISTS}}]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)


def check_refusal(tally, case, message):
    where = f"{case.text}\n{case.edit}\n{message}"
    match = re.match(rf"fieldline: {case.file}:(\d+): ", message)
    tally.check("refused with a line", where, True,
                bool(match) and 0 < int(match.group(1)) <= case.text.count("\n"))
    tally.check("tree untouched", where, case.text, case.read())


def check_patched(tally, fieldline, case, names, before):
    """git am has been: what is in the tree now?"""
    text = case.read()
    where = f"{case.text}\n{case.edit}\n{text}"
    layout = case.answer.layouts["after"][0]
    case.compile(f"{case.name}.after.o")
    size, places = case.places(fieldline, f"./{case.name}.after.o")
    tally.check("size", where, layout.size, size)
    for name, place in layout.fields.items():
        if "." not in name:
            tally.check("place", f"{where}{name}", place, places.get(name))
    kept = [comment for comment in COMMENT.findall(case.text)
            if re.sub(r"\s+", " ", comment) not in
            [re.sub(r"\s+", " ", other) for other in COMMENT.findall(text)]]
    tally.check("comments", where, [], kept)
    tally.check("configurations", where, before, case.names_by_configuration(names))


def check_case(tally, arguments, driver, case, directory):
    fieldline = arguments.fieldline
    image = f"{case.name}.o"
    case.compile(image)
    _, places = case.places(fieldline, f"./{image}")
    names = [name for name in places if name.startswith("m")]
    case.edit = draw_edit(case.rng, [name for name in names if "_" not in name] or names)
    words = f"x {case.name} {words_of(case.edit)}\n"
    case.answer = driver.edit(case.path(image), words)["x"]
    if case.answer.refused or case.answer.doubt:
        tally.noted["not predicted"] += 1
        return
    proposal, output = (os.path.join(directory, name) for name in ("proposal.json", "out"))
    save_proposal(fieldline, case, proposal)
    result = run(fieldline, "patch", proposal, "--source", case.tree, "-o", output, status=None)
    if result.returncode and "is already as proposed" in result.stderr:
        tally.noted["no change"] += 1
        return
    if result.returncode:
        tally.noted["refused"] += 1
        tally.noted["refused: " + re.sub(r".*?:\d+: |'[^']*'", "", result.stderr.strip())] += 1
        check_refusal(tally, case, result.stderr)
        return
    all_names = sorted(set(re.findall(r"\bm\d+(?:_one|_two)?\b", case.text)))
    before = case.names_by_configuration(all_names)
    tally.check("tree untouched", case.edit, case.text, case.read())
    patch = result.stdout.splitlines()[1]
    run("git", "am", "-q", patch, cwd=case.tree)
    tally.noted["patched"] += 1
    check_patched(tally, fieldline, case, all_names, before)
    run("patch", "-p1", "-R", "-s", "-i", patch, cwd=case.tree)
    tally.check("reverts", case.edit, case.text, case.read())
    run("git", "checkout", "-q", ".", cwd=case.tree)


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip())
    parser.add_argument("--fieldline", required=True)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--number", type=int, default=60, help="of structs")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    tally = Tally()
    with tempfile.TemporaryDirectory() as directory:
        tree = os.path.join(directory, "tree")
        os.mkdir(tree)
        cases = [Case(rng, tree, number) for number in range(arguments.number)]
        for command in (["init", "-q"], ["config", "user.name", "A Tester"],
                        ["config", "user.email", "tester@example.org"], ["add", "-A"],
                        ["commit", "-q", "-m", "all"]):
            run("git", *command, cwd=tree)
        for case in cases:
            check_case(tally, arguments, Driver(arguments.driver), case, directory)
    asked = tally.noted["patched"] + tally.noted["refused"]
    tally.check("few are refused", f"{tally.noted['refused']} of {asked}", True,
                tally.noted["refused"] <= MOST_REFUSED * asked)
    return 0 if tally.passes("patches of random structs") else 1


if __name__ == "__main__":
    sys.exit(main())
