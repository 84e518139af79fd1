#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The inputs on which layout tools have failed, made by the compilers at hand: each must be read
right, by the compiler's own answer, or refused with a clear message.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import sys
import tempfile

import nasty_forms as forms
import compare
import oracle
from fieldline import Fieldline
from tally import Tally

# Alignments that no debug information tells: packed without a trace, or against all custom.
PACKED = {"struct packed_member", "struct packed_to_2", "struct pragma_2", "struct packed_line"}


class Job:
    def __init__(self, case, tally, directory):
        self.case, self.tally = case, tally
        self.shop = forms.Workshop(case, directory)

    def run(self, fieldline):
        try:
            self.shop.make()
        except (oracle.CompilerError, FileNotFoundError) as error:
            # Which forms a machine can make varies; that most can is checked at the end.
            self.tally.count(f"not made: {self.case.name}: {str(error).splitlines()[0][:60]}")
            return
        if self.case.refusal:
            for file in self.shop.files:
                self.check_refused(fieldline, file)
        else:
            self.check_right(fieldline)

    def check_refused(self, fieldline, file):
        result = fieldline.run("layout", *self.case.options, file, "*", **self.shop.run_options())
        message = result.stderr.strip()
        good = (result.returncode == 1 and not result.stdout and "\n" not in message and
                message.startswith("fieldline: ") and re.search(self.case.refusal, message))
        self.tally.check("refused", self.case.name, True, bool(good) or
                         f"exit {result.returncode}: {message[:300] or 'no message'}")

    def check_right(self, fieldline):
        found = collections.defaultdict(list)
        try:
            for file in self.shop.files:
                layouts = self.read(fieldline, file, ["*"])
                self.check_names(fieldline, file, layouts)
                for name, definitions in layouts.items():
                    # separate objects repeat what they share
                    seen = [layout.fields for layout in found[name]]
                    found[name] += [layout for layout in definitions if layout.fields not in seen]
        except RuntimeError as error:
            self.tally.check("read", self.case.name, "an answer", str(error)[:300])
            return
        self.tally.check("read", self.case.name, True, True)
        self.check_notes(fieldline)
        for name, truths in self.shop.truths().items():
            if self.case.noted and name not in found:
                continue
            # in C++ the compiler needs no keyword
            keys = (name, f"struct {name}", f"class {name}",
                    f"struct {name.rpartition('::')[2]}")
            self.check_name(truths, next((found[key] for key in keys if key in found), []))

    def check_notes(self, fieldline):
        for file in self.shop.files:
            document = fieldline.document(file, *self.case.options, **self.shop.run_options())
            notes = " ".join(document["notes"])
            expected = bool(re.search(self.case.noted, notes)) if self.case.noted else not notes
            self.tally.check("notes", self.case.name, True, expected or notes)

    def read(self, fieldline, file, names):
        return fieldline.layouts(file, *self.case.options, names=names,
                                 **self.shop.run_options())

    def check_names(self, fieldline, file, layouts):
        """Where fieldline is asked for names it goes other ways than for all structs."""
        names = [name for name in layouts if not re.search(r"[*?[]", name)]
        plain = [name.removeprefix("class ") for name in names]
        for asked in (plain, plain[:1], plain[-1:]):
            named = self.read(fieldline, file, asked)
            for name, query in zip(names, plain):
                if query in asked:
                    self.tally.check("found by name", f"{self.case.name}: {query}",
                                     [layout.json for layout in layouts[name]],
                                     [layout.json for layout in named.get(name, [])])

    def check_name(self, truths, layouts):
        where = f"{self.case.name}: {truths[0].name}"
        self.tally.check("definitions", where, len(truths), len(layouts))
        left = list(layouts)
        for truth in truths:
            twin = next((layout for layout in left if set(layout.fields) == set(truth.fields)),
                        left[0] if left else None)
            if twin:
                left.remove(twin)
                compare.check_layout(self.tally, self.case.name, truth, twin,
                                     truth.name not in PACKED | self.case.untold,
                                     self.case.is_clang, self.case.partial)
        if layouts and len(truths) == 1 and truths[0].fields:
            compare.negative_control(self.tally, truths[0], layouts[0])


def run_case(case, program):
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory:
        Job(case, tally, directory).run(Fieldline(program))
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--only", metavar="REGEX", default="", help="cases by name")
    options = parser.parse_args()
    cases = [case for case in forms.cases() if re.search(options.only, case.name)]
    total = Tally()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        program = os.path.abspath(options.fieldline)
        results = [pool.submit(run_case, case, program) for case in cases]
        for result in results:
            total.add(result.result())
    nr_not_made = sum(count for what, count in total.noted.items() if "not made" in what)
    total.check("enough cases made", "all", True, nr_not_made <= len(cases) // 5)
    sys.exit(not total.passes(f"nasty inputs ({len(cases)} cases)"))


if __name__ == "__main__":
    main()
