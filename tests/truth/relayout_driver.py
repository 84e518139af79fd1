# SPDX-License-Identifier: GPL-2.0-only
"""Talks to tests/support/relayout_driver.c, which lets the tests reach the relayout engine."""

import collections
import subprocess


class Layout:
    """{path: (offset, width)} in bits; size and alignment in bytes."""

    def __init__(self, size, align):
        self.size, self.align = size, align
        self.fields = {}


class Answer:
    """What the engine makes of one chain of edits."""

    def __init__(self):
        self.refused = self.doubt = None
        self.source = ""  # that it supposed before the edits
        self.layouts = collections.defaultdict(list)  # "before", "after", "split"
        # {name: [Layout, ...]} of all structs that move: several where definitions of a name differ
        self.holders = collections.defaultdict(list)
        self.holder = None

    def read_line(self, words):
        if words[0] == "holder":
            self.holder = " ".join(words[1:])
        elif self.holder and words[0] == "size":
            self.holders[self.holder].append(Layout(int(words[1]), int(words[2])))
        elif self.holder:
            self.holders[self.holder][-1].fields[words[1]] = (int(words[2]), int(words[3]))
        else:
            self.read_own(words)

    def read_own(self, words):
        what = words.pop(0) if words[0] in ("before", "split") else "after"
        if words[0] == "size":
            self.layouts[what].append(Layout(int(words[1]), int(words[2])))
        else:
            self.layouts[what][-1].fields[words[1]] = (int(words[2]), int(words[3]))


def parse_answers(text):
    answers, answer, in_source = {}, None, False
    for line in text.splitlines():
        words = line.split()
        if in_source:
            in_source = line != "."
            answer.source += f"{line}\n" if in_source else ""
        elif words[0] == "edit":
            answer = answers[words[1]] = Answer()
        elif words[0] in ("refused", "doubt"):
            setattr(answer, words[0], line.split(" ", 1)[1])
        elif words[0] == "source":
            in_source = True
        else:
            answer.read_line(words)
    return answers


def words_of(edit):
    """An edit as its dictionary has it, in the words of the driver."""
    words = [edit["kind"]]
    for key, value in edit.items():
        if key not in ("kind", "in_bytes", "full_type"):
            words.append(f"{key}={','.join(value) if isinstance(value, list) else value}")
    return " ".join(words)


class Driver:
    def __init__(self, program):
        self.program = program

    def run(self, *arguments, words=""):
        result = subprocess.run([self.program, *arguments], input=words, capture_output=True,
                                text=True, check=False)
        if result.returncode:
            raise RuntimeError(f"{' '.join(arguments)}: {result.stderr.strip()}")
        return result.stdout

    def edit(self, file, words):
        """{id: Answer}; words: lines of "ID STRUCT " and words_of() an edit."""
        return parse_answers(self.run("edit", file, words=words))

    def explain(self, file):
        return self.run("explain", file)
