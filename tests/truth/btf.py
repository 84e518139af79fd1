#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Reads BTF, raw or in an ELF file, and prints each struct and union as a line of JSON:

    {"kind", "name", "typedef", "size", "members": [{"name", "offset", "size", "bits"}]}

Offsets are in bits in memory order, sizes in bytes, bits the width of a bit-field (0 = none).
typedef is the name an anonymous one goes by (null = it has a name, or has none at all). Written
from Documentation/bpf/btf.rst; the only thing it shares with fieldline is that page."""

import argparse
import json
import struct
import sys

from elf import Elf

INT, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, \
    FUNC_PROTO, VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64 = range(1, 20)
SIZED = (INT, STRUCT, UNION, ENUM, ENUM64, FLOAT)
ALIASES = (TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG)
# 32-bit words behind a type: fixed ones, and for each of its elements.
WORDS = {INT: (1, 0), ARRAY: (3, 0), STRUCT: (0, 3), UNION: (0, 3), ENUM: (0, 2),
         FUNC_PROTO: (0, 2), VAR: (1, 0), DATASEC: (0, 3), DECL_TAG: (1, 0), ENUM64: (0, 3)}


class Type:
    def __init__(self, number, kind, flag, name, value, words):
        self.id, self.kind, self.flag, self.name = number, kind, flag, name
        self.value = value  # a size, or the id of another type
        self.words = words


class Btf:
    def __init__(self, data, base=None):
        self.order = "<" if data[:2] == b"\x9f\xeb" else ">"
        magic, version, _, header, types, types_size, strings, strings_size = \
            struct.unpack_from(self.order + "HBBIIIII", data)
        if magic != 0xeb9f or version != 1:
            raise ValueError("not BTF")
        self.strings = base.strings if base else b""
        self.strings += data[header + strings:header + strings + strings_size]
        self.types = list(base.types) if base else [Type(0, 0, False, "", 0, ())]
        self.first = len(self.types)
        self._read_types(data[header + types:header + types + types_size])
        self.pointer_size = next((t.value for t in self.types
                                  if t.kind == INT and t.name in ("long int", "long")), 8)

    def _read_types(self, data):
        at = 0
        while at < len(data):
            name, info, value = struct.unpack_from(self.order + "III", data, at)
            kind, count = info >> 24 & 0x1f, info & 0xffff
            fixed, each = WORDS.get(kind, (0, 0))
            nr_words = fixed + count * each
            words = struct.unpack_from(f"{self.order}{nr_words}I", data, at + 12)
            self.types.append(Type(len(self.types), kind, bool(info >> 31), self._string(name),
                                   value, words))
            at += 12 + 4 * nr_words

    def _string(self, offset):
        return self.strings[offset:self.strings.index(b"\0", offset)].decode()

    def behind(self, number, kinds=ALIASES):
        while self.types[number].kind in kinds:
            number = self.types[number].value
        return self.types[number]

    def size(self, number):
        found = self.behind(number)
        if found.kind in SIZED:
            return found.value
        if found.kind == PTR:
            return self.pointer_size
        if found.kind == ARRAY:
            return found.words[2] * self.size(found.words[0])
        return 0

    def members(self, outer):
        for i in range(0, len(outer.words), 3):
            name, number, offset = outer.words[i:i + 3]
            bits = offset >> 24 if outer.flag else 0
            offset = offset & 0xffffff if outer.flag else offset
            integer = self.behind(number)
            if not outer.flag and integer.kind == INT:
                width = integer.words[0] & 0xff
                if width != 8 * integer.value:
                    bits = width
                offset += integer.words[0] >> 16 & 0xff
            yield {"name": self._string(name), "offset": offset, "size": self.size(number),
                   "bits": bits}

    def structs(self):
        """Of this BTF alone, not of its base."""
        typedefs = {}
        for found in self.types[self.first:]:
            if found.kind == TYPEDEF:
                target = self.behind(found.value, (VOLATILE, CONST, RESTRICT, TYPE_TAG))
                typedefs.setdefault(target.id, found.name)
        for found in self.types[self.first:]:
            if found.kind in (STRUCT, UNION):
                yield {"kind": "struct" if found.kind == STRUCT else "union",
                       "name": found.name,
                       "typedef": None if found.name else typedefs.get(found.id),
                       "size": found.value, "members": list(self.members(found))}


def read(path, base=None):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"\x7fELF":
        elf = Elf(path)
        section = elf.section(".BTF")
        if not section:
            raise ValueError(f"{path} has no .BTF section")
        data = elf.contents(section)
    return Btf(data, base)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--base", help="the BTF that a module's continues")
    arguments = parser.parse_args()
    base = read(arguments.base) if arguments.base else None
    for found in read(arguments.file, base).structs():
        json.dump(found, sys.stdout)
        print()


if __name__ == "__main__":
    main()
