# SPDX-License-Identifier: GPL-2.0-only
"""Counts what was compared and what differed, by class, and says so at the end."""

import collections
import sys

SHOWN = 5


class Tally:
    def __init__(self):
        self.compared = collections.Counter()
        self.noted = collections.Counter()
        self.differing = collections.defaultdict(list)

    def check(self, what, where, expected, found):
        """Whether found is what was expected."""
        self.compared[what] += 1
        if expected != found:
            self.differing[what].append(f"{where}: expected {expected}, found {found}")
        return expected == found

    def count(self, what):
        """What is worth knowing though it is no failure."""
        self.noted[what] += 1

    def add(self, other):
        self.compared.update(other.compared)
        self.noted.update(other.noted)
        for what, examples in other.differing.items():
            self.differing[what].extend(examples)

    def nr_differing(self):
        return sum(map(len, self.differing.values()))

    def passes(self, title):
        """Prints the counts. A test that compared nothing has failed too."""
        print(f"{title}:")
        for what, count in self.compared.items():
            print(f"  {what:28} {count:8} compared {len(self.differing[what]):6} differ")
        for what, count in self.noted.items():
            print(f"  {what:28} {count:8}")
        for what, examples in self.differing.items():
            for example in examples[:SHOWN]:
                print(f"  {what}: {example}")
            if len(examples) > SHOWN:
                print(f"  {what}: ... and {len(examples) - SHOWN} more")
        if not self.compared:
            print("  nothing was compared")
        sys.stdout.flush()
        return bool(self.compared) and not self.nr_differing()
