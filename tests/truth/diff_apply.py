#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Two real kernels: the changes that `fieldline diff` reports of a struct, applied to its old layout,
must give the new one; and where both layouts are equal no change may be reported.
"""

import argparse
import collections
import json
import re
import sys

from fieldline import Fieldline
from kernels import find_kernel
from tally import Tally

# A struct or union without a name: its members are its holder's own, not another struct's.
IN_PLACE = re.compile(r"^((const|volatile) )*(struct|union) \{\.\.\.\}$")

Entry = collections.namedtuple("Entry", "path anonymous type offset size bit_offset bit_size align")


def entry_of(member, path, anonymous):
    return Entry(path, anonymous, *(member[key] for key in Entry._fields[2:]))


def own_entries(members, prefix=""):
    """A struct's own members as the diff tells them; its layout opens every struct inside."""
    for member in members:
        in_place = IN_PLACE.match(member["type"])
        anonymous = in_place and not member["name"]
        path = prefix if anonymous else f"{prefix}.{member['name']}".lstrip(".")
        yield entry_of(member, path, in_place.group(3) if anonymous else None)
        if in_place:
            yield from own_entries(member.get("members", []), path)


class Struct:
    def __init__(self, layout):
        self.members = layout["members"]
        self.shape = (layout["size"], layout["align"])
        self.entries = collections.Counter(own_entries(self.members))


def told_entry(told):
    return entry_of(told, told["path"], told["anonymous"])


def is_told(change):
    """Layouts don't open arrays: what is in them stands in the diff only."""
    return not any("[]" in change[side]["path"] for side in ("old", "new") if change[side])


def apply(comparison, old):
    """The entries of the new struct, or None where the old one is not as the changes say."""
    entries = old.entries.copy()
    changes = [change for change in comparison["changes"] if is_told(change)]
    for change in changes:
        if change["old"]:
            entries[told_entry(change["old"])] -= 1
    if any(count < 0 for count in entries.values()):
        return None
    for change in changes:
        if change["new"]:
            entries[told_entry(change["new"])] += 1
    return +entries


def shape_of(told):
    return told["size"], told["align"]


def explains(comparison, old, new):
    """Whether the comparison makes new of old."""
    return (shape_of(comparison["old"]), shape_of(comparison["new"])) == (old.shape, new.shape) \
        and apply(comparison, old) == new.entries


def embedded_structs(structs, found):
    """Structs that have no definition of their own, such as typedefs of unnamed ones."""
    for struct in structs:
        for member in struct["members"]:
            if member.get("members") and not IN_PLACE.match(member["type"]):
                found[member["type"]].append(member)
            embedded_structs([member] if "members" in member else [], found)


class Kernel:
    def __init__(self, fieldline, path):
        document = fieldline.document(path, "--cacheline", "64")  # not each machine's own
        self.by_name = collections.defaultdict(list)
        for layout in document["structs"]:
            name = layout["typedef"] or f"{layout['kind']} {layout['name']}"
            self.by_name[name].append(Struct(layout))
        self.embedded = collections.defaultdict(list)
        embedded_structs(document["structs"], self.embedded)

    def candidates(self, name):
        """Structs of that name; of embedded ones the alignment is that of the member."""
        if name in self.by_name:
            return self.by_name[name]
        return [Struct(member) for member in self.embedded[name]]


def unordered(members):
    """The order in which a union's members are declared is no layout."""
    return sorted((json.dumps({**member, "members": unordered(member.get("members", []))})
                   for member in members))


def is_equal(olds, news):
    return [(s.shape, unordered(s.members)) for s in olds] == \
        [(s.shape, unordered(s.members)) for s in news]


def only_in_arrays(comparison, comparisons):
    """Layouts don't open arrays: there the diff sees what they don't show."""
    if any(change["kinds"] != ["inside"] or change["old"] != change["new"]
           for change in comparison["changes"]):
        return False
    arrays = {change["new"]["path"] for change in comparison["changes"]
              if "[" in change["new"]["type"]}
    return all(embedded["path"] in arrays or
               only_in_arrays(comparisons[embedded["struct"]], comparisons)
               for embedded in comparison["embedded"])


def check_names(tally, old, new, comparisons):
    """A name is told of if and only if its layouts differ."""
    told = {comparison["name"]: comparison for comparison in comparisons}
    for name in sorted(set(old.by_name) | set(new.by_name)):
        olds, news = old.by_name[name], new.by_name[name]
        equal = is_equal(olds, news)
        if equal and name in told and only_in_arrays(told[name], comparisons):
            tally.count("changed in arrays only")
        elif len(olds) != len(news):
            tally.check("unequal numbers told", name, True, name in told)
        elif len(olds) == 1 or equal:
            tally.check("told where different", name, not equal, name in told)


def pairs_of(comparison, old, new):
    """The structs it may tell of: several may have one name."""
    return [(a, b) for a in old.candidates(comparison["old_name"])
            for b in new.candidates(comparison["name"])]


def check_comparison(tally, comparison, old, new):
    name = comparison["name"]
    if comparison["status"] != "changed":
        side = new if comparison["status"] == "added" else old
        shape = shape_of(comparison["new"] or comparison["old"])
        shapes = [struct.shape for struct in side.candidates(name)]
        tally.check(comparison["status"], name, True, shape in shapes)
        return False
    pairs = pairs_of(comparison, old, new)
    explained = any(explains(comparison, a, b) for a, b in pairs)
    tally.check("changes applied", name, True, explained)
    tally.compared["single changes"] += len(comparison["changes"])
    return explained


def without_one(comparison, at):
    changed = dict(comparison)
    changed["changes"] = comparison["changes"][:at] + comparison["changes"][at + 1:]
    return changed


def negative_control(tally, comparison, old, new):
    """With any of its changes left out a comparison no longer makes the new struct."""
    pairs = pairs_of(comparison, old, new)
    for at, change in enumerate(comparison["changes"]):
        told = [change[side] and told_entry(change[side]) for side in ("old", "new")]
        if not is_told(change) or told[0] == told[1]:
            continue
        broken = without_one(comparison, at)
        still = any(explains(broken, a, b) for a, b in pairs)
        tally.check("wrong changes noticed", f"{comparison['name']}, change {at}", False, still)


def compare(fieldline, old_path, new_path):
    tally = Tally()
    old, new = Kernel(fieldline, old_path), Kernel(fieldline, new_path)
    result = fieldline.run("diff", "-f", "json", "--exit-zero", old_path, new_path, "*")
    if result.returncode:
        raise RuntimeError(result.stderr)
    comparisons = json.loads(result.stdout)["structs"]
    check_names(tally, old, new, comparisons)
    for comparison in comparisons:
        if check_comparison(tally, comparison, old, new):
            negative_control(tally, comparison, old, new)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("old", help="a file, or a kernel's architecture: amd64, amd64-older")
    parser.add_argument("new")
    options = parser.parse_args()
    paths = [name if "/" in name else find_kernel(name)["vmlinux"]
             for name in (options.old, options.new)]
    tally = compare(Fieldline(options.fieldline), *paths)
    sys.exit(not tally.passes(f"changes from {options.old} to {options.new}, applied"))


if __name__ == "__main__":
    main()
