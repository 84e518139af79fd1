# SPDX-License-Identifier: GPL-2.0-only
"""What the compiler says about layouts: reads the records that truth.h leaves in an object."""

import collections
import os
import struct
import subprocess

import elf

HERE = os.path.dirname(os.path.abspath(__file__))

# offset in bits in memory order; size in bytes, 0 for a bit-field; bit_size 0 for no bit-field.
Place = collections.namedtuple("Place", "offset size bit_size")


class Truth:
    def __init__(self, name, size, align):
        self.name, self.size, self.align = name, size, align
        self.fields = {}


class CompilerError(Exception):
    pass


def run(command, cwd=None):
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if result.returncode:
        raise CompilerError(f"{' '.join(command)}:\n{result.stderr.strip()}")
    return result.stdout


def compile_source(compiler, flags, source, output):
    """compiler is a list: the program and the flags that fix the ABI."""
    quiet = ["-w", "-Wno-incompatible-ms-struct"]
    run([*compiler, *quiet, "-I", HERE, *flags, "-c", source, "-o", output])
    return output


def read_truth(path):
    """{name: Truth} out of an object compiled with -DTRUTH."""
    image = elf.Elf(path)
    # clang names a function's own truth_1 "function.truth_1", C++ any _ZL7truth_1
    records = [parse_record(image, data) for data in image.symbols(r"(\w+\.|_ZL\d+)?truth_\d")]
    truths = {}
    for kind, words, first, second, _ in records:
        if kind == "size":
            truths[words[0]] = Truth(words[0], first, second)
    for kind, words, first, second, data in records:
        if kind == "field":
            truths[words[0]].fields[words[1]] = Place(first * 8, second, 0)
        elif kind == "bits":
            place = probe_bits(image, words, data[second:second + first])
            truths[words[0]].fields[words[1]] = place
    for kind, words, _, _, _ in records:
        if kind == "inner":
            add_inner(truths[words[0]], words[1], truths[words[2]])
    return truths


def parse_printed(text):
    """{name: Truth} of what a program prints of itself, a record a line."""
    truths = {}
    for line in text.splitlines():
        kind, name, *words = line.split("|")
        if kind == "size":
            truths[name] = Truth(name, int(words[0]), int(words[1]))
        else:
            path, offset, size = words
            truths[name].fields[path] = Place(int(offset) * 8, int(size), 0)
    return truths


def parse_record(image, data):
    kind, *words = data[:128].rstrip(b"\0").decode().split("|")
    first, second = struct.unpack_from(image.order + "QQ", data, 128)
    return kind, words, first, second, data


def probe_bits(image, words, data):
    """Which bits of the object the bit-field set: counted from the first byte's first bit."""
    bits = [byte * 8 + bit for byte, value in enumerate(data) for bit in range(8)
            if value >> (7 - bit if image.big_endian else bit) & 1]
    if not bits or bits[-1] - bits[0] + 1 != len(bits):
        raise CompilerError(f"{'|'.join(words)}: bits that do not lie side by side: {bits}")
    return Place(bits[0], 0, len(bits))


def add_inner(truth, path, inner):
    """The language cannot name the members of an _Atomic struct: they lie as in the plain one."""
    base = truth.fields[path].offset
    for name, place in inner.fields.items():
        truth.fields[f"{path}.{name}"] = place._replace(offset=base + place.offset)
