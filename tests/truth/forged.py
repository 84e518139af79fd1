# SPDX-License-Identifier: GPL-2.0-only
"""Debug information that no compiler writes: built DIE by DIE and type by type."""

import struct

ARRAY, CLASS, MEMBER, POINTER, CU, STRUCT = 0x01, 0x02, 0x0d, 0x0f, 0x11, 0x13
TYPEDEF, UNION, INHERITANCE, SUBRANGE, BASE, CONST = 0x16, 0x17, 0x1c, 0x21, 0x24, 0x26
IMPORTED_UNIT, SUBPROGRAM, VARIANT_PART = 0x3d, 0x2e, 0x33
SIBLING, NAME, BYTE_SIZE, BIT_OFFSET, BIT_SIZE = 0x01, 0x03, 0x0b, 0x0c, 0x0d
IMPORT, UPPER, LOCATION, DECL_FILE, DECL_LINE, DECLARATION = 0x18, 0x2f, 0x38, 0x3a, 0x3b, 0x3c
ENCODING, SPECIFICATION, TYPE, COUNT, DATA_BIT_OFFSET = 0x3e, 0x47, 0x49, 0x37, 0x6b
SIGNATURE, ALIGNMENT = 0x69, 0x88
F_BLOCK4, F_DATA4, F_DATA8, F_STRING, F_DATA1, F_SDATA, F_STRP = 4, 6, 7, 8, 0x0b, 0x0d, 0x0e
F_UDATA, F_REF4, F_REF_UDATA, F_INDIRECT, F_EXPRLOC = 0x0f, 0x13, 0x15, 0x16, 0x18
F_FLAG_PRESENT, F_SIG8 = 0x19, 0x20


def uleb(value):
    data = bytearray()
    while True:
        data.append(value & 0x7f | (0x80 if value >> 7 else 0))
        value >>= 7
        if not value:
            return bytes(data)


def sleb(value):
    data = bytearray()
    while not -64 <= value < 64:
        data.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(data + bytes([value & 0x7f]))


class Die:
    """attributes: (attribute, form, value); a value may be a Die that is referred to."""

    def __init__(self, tag, *attributes, children=()):
        self.tag, self.attributes, self.children = tag, list(attributes), list(children)
        self.offset = 0


def struct_die(name, *members, size=8, tag=STRUCT, more=()):
    return Die(tag, (NAME, F_STRING, name), (BYTE_SIZE, F_UDATA, size), *more, children=members)


def member(name, type_, offset=0, more=()):
    return Die(MEMBER, (NAME, F_STRING, name), (TYPE, F_REF4, type_), (LOCATION, F_UDATA, offset),
               *more)


def int_die():
    return Die(BASE, (NAME, F_STRING, "int"), (BYTE_SIZE, F_DATA1, 4), (ENCODING, F_DATA1, 5))


class Unit:
    """One DWARF 4 compilation unit in a 64-bit little-endian object."""

    def __init__(self, *dies):
        self.root = Die(CU, (NAME, F_STRING, "forged.c"), children=dies)
        self.shapes = {}

    def shape(self, die):
        key = (die.tag, bool(die.children), tuple((a, f) for a, f, _ in die.attributes))
        return self.shapes.setdefault(key, len(self.shapes) + 1)

    def value(self, form, value):
        if isinstance(value, bytes):
            return value
        if form == F_STRING:
            return value.encode(errors="surrogateescape") + b"\0"
        if form in (F_DATA4, F_STRP, F_REF4):
            return struct.pack("<I", (value.offset if isinstance(value, Die) else value)
                               & 0xffffffff)
        if form in (F_DATA8, F_SIG8):
            return struct.pack("<Q", value)
        if form == F_DATA1:
            return bytes([value])
        if form == F_SDATA:
            return sleb(value)
        return b"" if form == F_FLAG_PRESENT else uleb(value)

    def lay_out(self):
        """The bytes of all DIEs, without recursion; offsets are right at the second time."""
        data, stack = bytearray(11), [iter([self.root])]
        while stack:
            die = next(stack[-1], None)
            if die is None:
                stack.pop()
                if stack:
                    data.append(0)
                continue
            die.offset = len(data)
            data += uleb(self.shape(die))
            for _, form, value in die.attributes:
                data += self.value(form, value)
            if die.children:
                stack.append(iter(die.children))
        return data

    def sections(self):
        self.lay_out()
        info = self.lay_out()
        info[:11] = struct.pack("<IHIB", len(info) - 4, 4, 0, 8)
        abbrev = bytearray()
        for (tag, has_children, attributes), code in self.shapes.items():
            abbrev += uleb(code) + uleb(tag) + bytes([has_children])
            for attribute, form in attributes:
                abbrev += uleb(attribute) + uleb(form)
            abbrev += b"\0\0"
        return {".debug_info": bytes(info), ".debug_abbrev": bytes(abbrev) + b"\0",
                ".debug_str": b"\0string\0"}


def object_file(sections, machine=62, kind=1):
    """An ELF64 file of the sections: {name: bytes}."""
    names = b"\0" + b"".join(name.encode() + b"\0" for name in sections) + b".shstrtab\0"
    contents = [*sections.items(), (".shstrtab", names)]
    data = bytearray(64)
    headers = bytearray(64)
    for name, content in contents:
        section_kind = 3 if name == ".shstrtab" else 1
        headers += struct.pack("<IIQQQQIIQQ", names.index(name.encode() + b"\0"), section_kind, 0,
                               0, len(data), len(content), 0, 0, 1, 0)
        data += content
    data[:64] = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", kind, machine, 1, 0, 0,
                            len(data), 0, 64, 0, 0, 64, len(contents) + 1, len(contents))
    return bytes(data + headers)


def dwarf(*dies):
    return object_file(Unit(*dies).sections())


class Btf:
    """Raw BTF: types get their numbers in the order in which they are added."""

    def __init__(self):
        self.types, self.strings, self.count = bytearray(), bytearray(b"\0"), 0

    def name(self, text):
        self.strings += text + b"\0"
        return len(self.strings) - len(text) - 1

    def add(self, kind, name=b"", size_or_type=0, vlen=0, rest=b"", flag=0):
        self.types += struct.pack("<III", self.name(name) if name else 0,
                                  flag << 31 | kind << 24 | vlen, size_or_type) + rest
        self.count += 1
        return self.count

    def int(self):
        return self.add(1, b"int", 4, rest=struct.pack("<I", 1 << 24 | 32))

    def struct(self, name, *members, size=8):
        rest = b"".join(struct.pack("<III", self.name(text), type_, offset)
                        for text, type_, offset in members)
        return self.add(4, name, size, len(members), rest)

    def array(self, element, count):
        return self.add(3, rest=struct.pack("<III", element, 1, count))

    def bytes(self, magic=0xeb9f, header_size=24, **lies):
        header = {"type_off": 0, "type_len": len(self.types), "str_off": len(self.types),
                  "str_len": len(self.strings)} | lies
        return struct.pack("<HBBIIIII", magic, 1, 0, header_size, *header.values()) + \
            bytes(self.types) + bytes(self.strings)
