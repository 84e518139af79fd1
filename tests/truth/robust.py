#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Damaged and strange inputs: fieldline answers or says in one line what is wrong, never crashes,
never hangs, never eats memory.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading

import elf
import forged_cases
import nasty_forms as forms
from tally import Tally

# What nests deep in debug information nests deep in JSON.
sys.setrecursionlimit(20000)

MAX_SECONDS = 10
MAX_BYTES = 500 << 20
COMMANDS = [["layout", "--output", "json"], ["layout"], ["layout", "--output", "pahole"], ["list"]]


class Program:
    """fieldline under limits. Sanitizers are slower and reserve more room than any limit allows."""

    def __init__(self, path):
        with open(path, "rb") as file:
            is_sanitized = b"__asan_init" in file.read()
        limits = [f"--cpu={MAX_SECONDS}", f"--as={MAX_BYTES}"]
        if is_sanitized:
            limits = [f"--cpu={4 * MAX_SECONDS}"]
        self.command = ["prlimit", "--core=0", *limits, path]

    def run(self, *arguments):
        """(exit code, output, error); the exit code of what had to be stopped is "hangs"."""
        try:
            result = subprocess.run([*self.command, *arguments], stdin=subprocess.DEVNULL,
                                    capture_output=True, check=False, timeout=MAX_SECONDS * 12)
        except subprocess.TimeoutExpired:
            return "hangs", b"", ""
        return result.returncode, result.stdout, result.stderr.decode(errors="replace")


def verdict(code, output, message):
    """None if it is as it should be, else what is wrong."""
    if code == "hangs" or code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "no end within the time allowed"
    if code not in (0, 1):
        return f"exit {code}: {message[:200]}"
    if code == 0:
        return None if output else "exit 0 without an answer"
    if not re.fullmatch(r"fieldline: [^\n]+\n", message):
        return f"not one clear line: {message[:200]!r}"
    return None


def verdict_of_file(program, command, file):
    code, output, message = program.run(*command, file, *(["*"] if "layout" in command else []))
    wrong = verdict(code, output, message)
    if not wrong and code == 0 and "json" in command:
        try:
            json.loads(output)
        except ValueError as error:
            wrong = f"not JSON: {error}"
    return wrong


def make_seed(directory, name, compiler, debug, link, after, sources):
    """A small file of a kind that the reader knows."""
    folder = os.path.join(directory, name)
    os.mkdir(folder)
    shop = forms.Workshop(forms.Case(name, compiler, debug, link=link, after=after,
                                     sources=sources), folder)
    shop.make()
    with open(shop.files[0], "rb") as file:
        return name, file.read()


SEEDS = [
    ("program", ["gcc"], ["-gdwarf-5"], (), None, ["same_1.c", "same_2.c"]),
    ("module", ["gcc"], ["-gdwarf-5"], None, forms.merge_objects, ["nested.c", "bitfields.c"]),
    ("DWARF 2", ["clang"], ["-gdwarf-2"], None, None, ["bitfields.c"]),
    ("type units", ["gcc"], ["-gdwarf-4", "-fdebug-types-section"], None, None, ["packed.c"]),
    ("compressed", ["gcc"], ["-gdwarf-5", "-gz"], None, None, ["arrays.c"]),
    ("big-endian", ["clang", "-target", "s390x-linux-gnu"], ["-gdwarf-5"], None, None,
     ["scalars.c"]),
    ("32-bit", ["gcc", "-m32"], ["-gdwarf-4"], None, None, ["nested.c"]),
    ("C++", ["g++", *forms.CXX], ["-gdwarf-5"], None, None, ["classes.cpp"]),
    ("BTF", ["gcc", "-DNO_HUGE"], ["-g"], None, forms.raw_btf, ["nested.c"]),
    ("BTF in ELF", ["clang", "-target", "bpfeb"], ["-g"], None, None, ["bitfields.c"]),
]


def truncations(chance, seed, file):
    """At and around every section's start and end, and at some points between."""
    points = {0, 1, 3, 4, 15, 16, 51, 52, 63, 64}
    if seed[:4] == b"\x7fELF":
        image = elf.Elf(file)
        for section in image.sections:
            for edge in (section.offset, section.offset + section.size):
                points.update((edge - 1, edge, edge + 1))
            points.add(section.offset + section.size // 2)
        points.update(range(image.table, len(seed), 61))
    points.update(chance.randrange(len(seed)) for _ in range(20))
    for point in sorted(points):
        if 0 <= point < len(seed):
            yield f"cut at {point}", seed[:point]


def places_to_flip(seed, file):
    """Ranges of bytes that the reader looks at; the header and the section table count more."""
    if seed[:4] != b"\x7fELF":
        return [(0, len(seed))]
    image = elf.Elf(file)
    ranges = [(0, 64), (image.table, len(seed))]
    ranges += [(section.offset, section.offset + section.size) for section in image.sections
               if section.name.lstrip(".z").startswith(("debug", "BTF", "rela.debug", "symtab"))
               and section.size]
    return [(start, end) for start, end in ranges if start < min(end, len(seed))]


def flips(chance, seed, file, count):
    ranges = places_to_flip(seed, file)
    for number in range(count):
        data = bytearray(seed)
        for _ in range(chance.choice([1, 1, 1, 2, 8])):
            start, end = chance.choice(ranges)
            at = chance.randrange(start, min(end, len(seed)))
            data[at] = chance.choice([data[at] ^ 1 << chance.randrange(8), 0, 0x7f, 0x80, 0xff,
                                      chance.randrange(256)])
        yield f"flip {number}", bytes(data)


def damaged(chance, directory, nr_flips):
    """Each seed, cut and flipped."""
    for recipe in SEEDS:
        name, seed = make_seed(directory, *recipe)
        file = os.path.join(directory, "seed")
        with open(file, "wb") as output:
            output.write(seed)
        for what, data in truncations(chance, seed, file):
            yield f"{name}, {what}", data
        for what, data in flips(chance, seed, file, nr_flips):
            yield f"{name}, {what}", data


def plain_wrong():
    yield "empty", b""
    yield "text", b"struct foo { int a; };\n" * 100
    yield "a line without an end", b"x" * 100000
    yield "zeroes", bytes(100000)
    yield "only ELF's magic", b"\x7fELF"
    for magic in (b"\xfd7zXZ\0", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"!<arch>\n", b"MZ"):
        yield f"magic {magic!r}", magic + bytes(1000)


def check_data(program, directory, commands, what, data):
    file = os.path.join(directory, f"input-{threading.get_ident()}")
    with open(file, "wb") as output:
        output.write(data)
    return [(what, command, verdict_of_file(program, command, file)) for command in commands]


def check_odd_files(tally, program, directory):
    """What is no regular file, or none at all: always refused."""
    fifo = os.path.join(directory, "fifo")
    os.mkfifo(fifo)
    loop = os.path.join(directory, "loop")
    os.symlink("loop", loop)
    secret = os.path.join(directory, "secret")
    with open(secret, "wb") as file:
        file.write(b"\x7fELF")
    os.chmod(secret, 0)
    odd = {"a directory": directory, "a FIFO that nobody writes": fifo, "a loop": loop,
           "a missing file": os.path.join(directory, "missing"), "/dev/null": "/dev/null",
           "/dev/zero": "/dev/zero", "a terminal's place": "/dev/tty"}
    if os.geteuid() == 0:
        print("skipped: a file without permission (root may read all)")
    else:
        odd["a file without permission"] = secret
    for what, file in odd.items():
        for command in COMMANDS:
            arguments = [*command, file, *(["*"] if "layout" in command else [])]
            code, output, message = program.run(*arguments)
            wrong = verdict(code, output, message) or (None if code == 1 else f"exit {code}")
            tally.check("no regular file", f"{' '.join(command)} {what}", None, wrong)


def negative_control(tally):
    """Each way to fail must be seen as one."""
    for what in (("hangs", b"", ""), (-11, b"", ""), (-signal.SIGXCPU, b"", ""), (0, b"", ""),
                 (1, b"", ""), (1, b"", "fieldline: a\nb\n"), (1, b"", "Segmentation fault\n"),
                 (3, b"", "fieldline: x\n")):
        tally.check("negative control", what, True, verdict(*what) is not None)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--flips", type=int, default=100, help="per seed file (default: 100)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at a time")
    parser.add_argument("--only", metavar="REGEX", default="", help="cases by name")
    parser.add_argument("--keep", metavar="DIR", help="leave inputs that fail there")
    options = parser.parse_args()
    program = Program(os.path.abspath(options.fieldline))
    chance = random.Random(options.seed)
    tally = Tally()
    negative_control(tally)
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        check_odd_files(tally, program, directory)
        jobs = []
        for group, inputs, commands in (
                ("not ELF", plain_wrong(), COMMANDS),
                ("forged", forged_cases.cases(), COMMANDS),
                ("damaged", damaged(chance, directory, options.flips), None)):
            for what, data in inputs:
                if re.search(options.only, what):
                    chosen = commands or [chance.choice(COMMANDS)]
                    jobs.append((group, data, pool.submit(check_data, program, directory, chosen,
                                                          what, data)))
        for group, data, job in jobs:
            for what, command, wrong in job.result():
                if not tally.check(group, f"{' '.join(command)}: {what}", None, wrong) and \
                        options.keep:
                    name = re.sub(r"\W+", "-", what)
                    with open(os.path.join(options.keep, name), "wb") as file:
                        file.write(data)
    sys.exit(not tally.passes(f"robust (seed {options.seed})"))


if __name__ == "__main__":
    main()
