#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
All structs of a real kernel: what `fieldline propose --pack` makes smaller, beside what pahole
--packable says it could; and how many locks are cut, which is all that is told without evidence.
"""

import argparse
import collections
import subprocess
import sys

from kernels import find_kernel
from relayout_driver import Driver
from tally import Tally

MOST_TROUBLES = 100  # in a whole kernel: a proposer that is not quiet is not listened to

Packed = collections.namedtuple("Packed", "before after align")


def read_ours(text):
    """{name: Packed} made, names forbidden, and the structs with trouble."""
    made, forbidden, troubles = {}, set(), set()
    for line in text.splitlines():
        words = line.split()
        if words[0] == "trouble":
            troubles.add(words[1])
        elif words[:2] == ["made", "fill"]:
            made[words[2]] = Packed(*map(int, words[3:]))
        elif words[:2] == ["forbidden", "fill"]:
            forbidden.add(words[2])
    return made, forbidden, troubles


def read_pahole(vmlinux):
    result = subprocess.run(["pahole", "-F", "btf", "--packable", vmlinux], capture_output=True,
                            text=True, check=True)
    rows = (line.split("\t") for line in result.stdout.splitlines())
    return {name: (int(before), int(after)) for name, before, after, _ in rows}


def check_ours(tally, made, troubles):
    for name, packed in made.items():
        tally.check("made smaller", name, True, packed.after < packed.before)
        tally.check("size a multiple of alignment", name, 0, packed.after % packed.align)
    tally.check("quiet without evidence", len(troubles), True, len(troubles) <= MOST_TROUBLES)


def compare(made, forbidden, theirs):
    both = set(made) & set(theirs)
    # what pahole gives up: a size that the struct's own alignment does not allow
    wrong = [name for name in both if theirs[name][1] % made[name].align]
    print(f"smaller: fieldline {len(made)}, pahole {len(theirs)}, both {len(both)}")
    print(f"forbidden here with a reason: {len(forbidden)}, of these pahole's: "
          f"{len(forbidden & set(theirs))}")
    for word, holds in (("same size", lambda a, b: a == b), ("smaller here", lambda a, b: a < b),
                        ("smaller by pahole", lambda a, b: a > b)):
        print(f"{word}: {sum(holds(made[name].after, theirs[name][1]) for name in both)}")
    print(f"of pahole's, no multiple of the alignment: {len(wrong)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip())
    parser.add_argument("--driver", required=True, help="the program relayout_driver")
    parser.add_argument("--kernel", required=True, metavar="ARCH")
    options = parser.parse_args()
    vmlinux, tally = find_kernel(options.kernel)["vmlinux"], Tally()
    made, forbidden, troubles = read_ours(Driver(options.driver).run("propose", vmlinux))
    print(f"structs with a lock that is cut: {len(troubles)}")
    compare(made, forbidden, read_pahole(vmlinux))
    check_ours(tally, made, troubles)
    sys.exit(0 if tally.passes(f"packing the structs of {options.kernel}'s kernel") else 1)


if __name__ == "__main__":
    main()
