# SPDX-License-Identifier: GPL-2.0-only
"""As much of ELF as the tests need: sections and symbols, both classes and byte orders."""

import re
import struct

SHT_SYMTAB = 2
SHT_NOBITS = 8


class Section:
    def __init__(self, name, kind, offset, size, link, flags):
        self.name, self.kind, self.offset, self.size = name, kind, offset, size
        self.link, self.flags = link, flags


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        if self.bytes[:4] != b"\x7fELF":
            raise ValueError(f"{path} is not ELF")
        self.is_64 = self.bytes[4] == 2
        self.big_endian = self.bytes[5] == 2
        self.order = ">" if self.big_endian else "<"
        self.sections = self._read_sections()

    def _unpack(self, layout, offset):
        return struct.unpack_from(self.order + layout, self.bytes, offset)

    def _read_sections(self):
        if self.is_64:
            (table,) = self._unpack("Q", 40)
            entry, count, names = self._unpack("HHH", 58)
        else:
            (table,) = self._unpack("I", 32)
            entry, count, names = self._unpack("HHH", 46)
        self.table = table
        raw = []
        for i in range(count):
            if self.is_64:
                name, kind, flags, _, offset, size, link = self._unpack("IIQQQQI",
                                                                       table + i * entry)
            else:
                name, kind, flags, _, offset, size, link = self._unpack("IIIIIII",
                                                                       table + i * entry)
            raw.append((name, kind, offset, size, link, flags))
        strings = raw[names][2] if raw else 0
        return [Section(self._string(strings + name), kind, offset, size, link, flags)
                for name, kind, offset, size, link, flags in raw]

    def _string(self, offset):
        return self.bytes[offset:self.bytes.index(b"\0", offset)].decode()

    def section(self, name):
        return next((s for s in self.sections if s.name == name), None)

    def contents(self, section):
        return self.bytes[section.offset:section.offset + section.size]

    def symbols(self, pattern):
        """The bytes of each object whose name matches the regular expression."""
        table = next((s for s in self.sections if s.kind == SHT_SYMTAB), None)
        if not table:
            return
        strings = self.sections[table.link].offset
        step = 24 if self.is_64 else 16
        for at in range(table.offset, table.offset + table.size, step):
            if self.is_64:
                name, _, _, index, value, size = self._unpack("IBBHQQ", at)
            else:
                name, value, size, _, _, index = self._unpack("IIIBBH", at)
            if not 0 < index < len(self.sections):
                continue
            text = self._string(strings + name)
            section = self.sections[index]
            if section.kind != SHT_NOBITS and re.match(pattern, text):
                start = section.offset + value
                yield self.bytes[start:start + size]
