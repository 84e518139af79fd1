#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Random structs and edits: the relayout engine must predict what the compiler makes of them.

The debug information of the struct before the edit is all that the engine sees; what it predicts
is held against the struct after the edit, compiled. Where they differ, the source that the engine
supposed is compiled too, before and after the same edit: if that has the very layout before and
the predicted one after, debug information cannot tell the two sources apart, and no engine could.
"""

import argparse
import collections
import concurrent.futures
import copy
import os
import random
import re
import sys
import tempfile

import oracle
import structs
from relayout_driver import Driver, words_of
from relayout_edits import EditMaker
from struct_source import Source, edit
from tally import Tally

CHUNK = 150
CHAINS = 4  # of edits, of each struct
# Of all chains of edits: an engine that refuses what is hard has failed. C forbids one in ten, and
# the generator is fond of atomic structs of 3 bytes.
LEAST_PREDICTED = 0.65


def clang(triple):
    return ["clang", "-target", triple]


# Why an edit may be refused: C forbids it, or the compilers differ, or no rule known here leads to
# the layout, as none does to that of an ms_struct.
REFUSALS = [
    "must stay last", "cannot be alone", "it is a bit-field", "it is a flexible array",
    "alternative of a union", "unnamed bit-fields, which have no place", "the order names",
    "cannot leave the #pragma pack", "how large an atomic struct", "where a bit-field goes",
    "its members make a size of", "would lie at bit",
]

# share: one of so many structs. clang tells alignments only in DWARF 5.
# Without AVX gcc's _Alignof tells 16 of a vector aligned to 32.
Target = collections.namedtuple("Target", "name compiler debug share")
TARGETS = [
    Target("gcc", ["gcc", "-mavx"], "-gdwarf-5", 1),
    Target("clang", ["clang"], "-gdwarf-5", 1),
    Target("gcc -m32", ["gcc", "-m32", "-mavx"], "-gdwarf-4", 8),
    Target("s390x", clang("s390x-linux-gnu") + ["-march=z13"], "-gdwarf-5", 8),
    Target("powerpc64", clang("powerpc64-linux-gnu"), "-gdwarf-5", 8),
    Target("aarch64", clang("aarch64-linux-gnu"), "-gdwarf-5", 8),
]


def number_of(struct):
    return int(struct.name.split()[1][1:])


def rename(text, numbers, prefix):
    """Turns each struct sN of the numbers (None = all) into struct PREFIX_N."""
    return re.sub(r"\b(struct|union) s(\d+)\b", lambda match: f"{match[1]} {prefix}_{match[2]}"
                  if numbers is None or int(match[2]) in numbers else match[0], text)


class Chain:
    """Edits of one struct, and the source they make. holder: the struct around it to ask for."""

    def __init__(self, name, maker, holder):
        self.id, self.struct, self.source, self.holder = name, maker.struct, maker.source, holder
        self.edits, self.splits = maker.edits, maker.splits
        self.shown = holder or maker.struct

    def words(self):
        show = f" show={self.holder.name.split()[1]}" if self.holder else ""
        name = self.struct.name.split()[1]
        return "".join(f"{self.id} {name} {words_of(edit_)}{show}\n" for edit_ in self.edits)

    def is_valid(self, but_for_unnamed=False):
        return all(source.is_valid(but_for_unnamed) for source in [self.source, *self.splits])

    def ask(self, source, splits, prefix):
        """The names of what is asked for, and the questions: of the struct or its holder."""
        name = rename(self.shown.name, None, prefix)
        if self.holder:
            direct = [question for question in self.holder.questions if "." not in question[1]]
            return [name], questions(name, direct)
        last = splits[-1:]
        text = questions(name, self.known(source)) + \
            "".join(questions(split.name, self.known(split)) for split in last)
        return [name, *(split.name for split in last)], text

    def known(self, source):
        """What to ask about each member that a source has: as was asked before, if it was there."""
        retyped = [edit_["member"] for edit_ in self.edits if edit_["kind"] == "retype"]
        for name in source.names():
            before = [question for question in self.struct.questions
                      if question[1].split(".")[0] == name and name not in retyped]
            yield from before or [("FIELD", name)]


def questions(name, asked):
    return f"SIZE({name})\n" + "".join(
        f"{macro}({', '.join([name, path, *inner])})\n" for macro, path, *inner in asked)


def difference(truth, layout, with_align=True):
    """What of the layout is not as the compiler has it; None if all is."""
    if truth.size != layout.size:
        return f"size {truth.size}, predicted {layout.size}"
    if with_align and truth.align != layout.align:
        return f"alignment {truth.align}, predicted {layout.align}"
    for path, place in truth.fields.items():
        found = layout.fields.get(path)
        if found != (place.offset, place.bit_size or place.size * 8):
            return f"{path} at {place}, predicted {found}"
    return None


class Supposed:
    """The source that the engine took a struct to have, compiled before and after the edits."""

    def __init__(self, chain, answer):
        self.layouts = answer.layouts
        sources = [Source(text) for text in re.findall(
            r"^(?:#pragma pack\(push.*\n)?\w.*\n(?:.*\n)*?\}.*\n", answer.source, re.M)]
        before = "".join(source.render() for source in sources)
        name = rename(chain.shown.name, None, f"b{chain.id}")
        self.before = name
        self.text = rename(before, None, f"b{chain.id}") + questions(name, chain.shown.questions)
        edited = next(source for source in sources if source.name == chain.struct.name)
        splits = [split for split in (edit(edited, edit_) for edit_ in chain.edits) if split]
        after = "".join(source.render() for source in sources + splits)
        self.after, asked = chain.ask(edited, splits, f"a{chain.id}")
        self.text += rename(after, None, f"a{chain.id}") + asked

    def agrees(self, truths):
        wrong = [difference(truths[self.before], self.layouts["before"][0], False)]
        wrong += [difference(truths[name], layout) for name, layout
                  in zip(self.after, self.layouts["after"] + self.layouts["split"])]
        return not any(wrong)


class Chunk:
    """Some structs through one target."""

    def __init__(self, target, seed, first, count):
        self.target = target
        self.structs = structs.make_structs(seed, first, count)
        self.rng = random.Random(f"{seed}/{target.name}/{first}")
        self.stem = f"{target.name.replace(' ', '')}-{first}"
        self.tally = Tally()

    def compile(self, name, text, *flags):
        path = f"{self.stem}{name}"
        with open(f"{path}.c", "w", encoding="utf-8") as file:
            file.write(text)
        return oracle.compile_source(self.target.compiler, flags, f"{path}.c", f"{path}.o")

    def ask_compiler(self, name, text):
        return oracle.read_truth(self.compile(name, structs.PRELUDE + text, "-DTRUTH"))

    def run(self, driver, directory):
        self.stem = os.path.join(directory, self.stem)
        source = "".join(struct.source + struct.ask() for struct in self.structs)
        before = self.ask_compiler("-before", source)
        chains = self.make_chains(before)
        answers = driver.edit(self.compile("", structs.PRELUDE + source, self.target.debug),
                              "".join(chain.words() for chain in chains))
        self.tally.noted["chains of edits"] += len(chains)
        self.judge([(chain, answers[chain.id]) for chain in chains
                    if self.is_answered(chain, answers[chain.id], before)])
        return self.tally

    def make_chains(self, before):
        chains = []
        for index, struct in enumerate(self.structs):
            sizes = {path: place.size for path, place in before[struct.name].fields.items()}
            held = re.compile(rf"\b{struct.name}\b")
            holders = [other for other in self.structs[index + 1:] if held.search(other.source)]
            for _ in range(CHAINS):
                name = f"e{len(chains)}"
                maker = EditMaker(self.rng, name, struct, sizes,
                                  self.structs[max(index - 20, 0):index])
                holder = self.rng.choice(holders) if holders and self.rng.randrange(2) else None
                if maker.make():
                    chains.append(Chain(name, maker, holder))
        return chains

    def is_answered(self, chain, answer, before):
        if answer.refused:
            why = next((why for why in REFUSALS if why in answer.refused), None)
            self.tally.check("refusals", f"{self.where(chain)}: {answer.refused}", True, bool(why))
            self.tally.count(f"refused: {why}")
            return False
        if not chain.is_valid():
            # ... but for unnamed bit-fields, which the engine cannot see
            return self.tally.check("refused", self.where(chain), True, chain.is_valid(True)) and \
                False
        wrong = difference(before[chain.shown.name], answer.layouts["before"][0], False)
        # clang's DWARF shows a bit-field that fills its type as a plain member.
        if wrong and "clang" in self.target.compiler:
            self.tally.count("told wrongly by the debug information")
            return False
        return self.tally.check("layouts before", self.where(chain), None, wrong)

    def where(self, chain):
        return f"{self.target.name} {chain.words().strip()}"

    def edited_source(self, chain):
        """The struct after the edits, the structs between it and its holder, and the questions."""
        numbers = {number_of(chain.struct)}
        text = rename(chain.source.render(), numbers, chain.id)
        text += "".join(split.render() for split in chain.splits)
        for other in self.structs[self.structs.index(chain.struct) + 1:] if chain.holder else []:
            if rename(other.source, numbers, chain.id) != other.source:
                numbers.add(number_of(other))
                text += rename(other.source, numbers, chain.id)
        names, asked = chain.ask(chain.source, chain.splits, chain.id)
        return names, text + asked

    def judge(self, answered):
        """Compares each answer with the compiler; what differs with the source that was supposed."""
        text = "".join(struct.source for struct in self.structs)
        edited = [self.edited_source(chain) for chain, _ in answered]
        truths = self.ask_compiler("-after", text + "".join(asked for _, asked in edited))
        left = []
        for (chain, answer), (names, _) in zip(answered, edited):
            layouts = answer.layouts["after"] + answer.layouts["split"]
            wrong = [difference(truths[name], layout) for name, layout in zip(names, layouts)]
            if any(wrong):
                left.append((chain, answer, next(filter(None, wrong))))
                continue
            self.tally.check("layouts after", self.where(chain), None, None)
            self.tally.count("predicted" + (", in doubt" if answer.doubt else ""))
            self.check_control(truths[names[0]], layouts[0])
        self.judge_supposed(left)

    def check_control(self, truth, layout):
        """A comparison that cannot fail proves nothing."""
        for path in truth.fields:
            wrong = copy.copy(layout)
            wrong.fields = {**layout.fields, path: (layout.fields[path][0] + 1, 0)}
            self.tally.check("negative control", path, True, difference(truth, wrong) is not None)
            return

    def judge_supposed(self, left):
        supposed = [Supposed(chain, answer) for chain, answer, _ in left]
        truths = self.ask_compiler("-supposed", "".join(one.text for one in supposed))
        for one, (chain, answer, wrong) in zip(supposed, left):
            if one.agrees(truths):
                self.tally.count("not to be told apart" + (", in doubt" if answer.doubt else ""))
            else:
                self.tally.check("layouts after", self.where(chain), None, wrong)


def make_chunks(seed, count, only):
    for target in TARGETS:
        total = max(count // target.share, 1) if only in (None, target.name) else 0
        for first in range(0, total, CHUNK):
            yield Chunk(target, seed, first, min(CHUNK, total - first))


def run_chunk(chunk, driver, directory):
    return chunk.run(driver, directory)


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument("--driver", required=True, help="the program relayout_driver")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--count", type=int, default=1200, help="structs (default: 1200)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--only", metavar="TARGET", help="one target, such as 'gcc -m32'")
    parser.add_argument("--keep", metavar="DIR", help="leave sources and objects there")
    options = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory, \
            concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        results = [pool.submit(run_chunk, chunk, Driver(options.driver),
                               options.keep or directory)
                   for chunk in make_chunks(options.seed, options.count, options.only)]
        for result in results:
            tally.add(result.result())
    share = tally.compared["layouts after"] / max(tally.noted["chains of edits"], 1)
    tally.check("share predicted", f"{share:.2f}", True, share >= LEAST_PREDICTED)
    title = f"random edits (seed {options.seed}, {options.count} structs)"
    sys.exit(0 if tally.passes(title) else 1)


if __name__ == "__main__":
    main()
