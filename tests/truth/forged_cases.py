# SPDX-License-Identifier: GPL-2.0-only
"""Forged inputs, by name: (name, bytes of the file)."""

import struct

import forged as f
from forged import Btf, Die, dwarf, int_die, member, struct_die

HUGE = (1 << 64) - 1


def cases():
    yield from cycles()
    yield from absurd_numbers()
    yield from large()
    yield from loose_references()
    yield from lying_units()
    yield from names()
    yield from btf_types()
    yield from btf_headers()


def cycles():
    own = struct_die("own")
    own.children.append(member("self", own))
    yield "struct that holds itself", dwarf(own)
    a, b = struct_die("a"), struct_die("b")
    a.children.append(member("b", b))
    b.children.append(member("a", a))
    yield "structs that hold each other", dwarf(a, b)
    for tag in (f.TYPEDEF, f.CONST, f.POINTER, f.ARRAY):
        type_ = Die(tag, (f.NAME, f.F_STRING, "loop"))
        type_.attributes.append((f.TYPE, f.F_REF4, type_))
        yield f"type {tag:#x} of itself", dwarf(type_, struct_die("s", member("m", type_)))
    base = struct_die("base")
    base.children.append(Die(f.INHERITANCE, (f.TYPE, f.F_REF4, base), (f.LOCATION, f.F_UDATA, 0)))
    yield "class that is its own base", dwarf(base)
    for attribute in (f.SPECIFICATION, f.SIBLING, f.IMPORT):
        for target in ("itself", "the unit", "its parent", "behind the end"):
            die, parent = struct_die("s", member("m", 1)), struct_die("parent")
            parent.children.append(die)
            unit = f.Unit(parent, struct_die("after"))
            aims = {"itself": die, "the unit": unit.root, "its parent": parent,
                    "behind the end": 0x7fffffff}
            die.attributes.append((attribute, f.F_REF4, aims[target]))
            yield f"attribute {attribute:#x} leads to {target}", f.object_file(unit.sections())


def absurd_numbers():
    numbers = (0, 3, 1 << 31, 1 << 32, 1 << 61, (1 << 63) - 1, 1 << 63, HUGE)
    for number in numbers:
        int_ = int_die()
        yield f"size {number:#x}", dwarf(int_, struct_die("s", member("m", int_), size=number))
        yield f"offset {number:#x}", dwarf(int_, struct_die("s", member("m", int_, number)))
        for attribute in (f.BIT_SIZE, f.BIT_OFFSET, f.DATA_BIT_OFFSET, f.ALIGNMENT, f.BYTE_SIZE,
                          f.DECL_LINE, f.DECL_FILE):
            odd = member("m", int_, more=[(attribute, f.F_UDATA, number)])
            bits = member("b", int_, more=[(attribute, f.F_UDATA, number),
                                           (f.BIT_SIZE, f.F_UDATA, 3)])
            yield f"member with {attribute:#x} = {number:#x}", \
                dwarf(int_, struct_die("s", odd, bits))
            if attribute in (f.ALIGNMENT, f.DECL_LINE, f.DECL_FILE):
                yield f"struct with {attribute:#x} = {number:#x}", dwarf(
                    int_, struct_die("s", member("m", int_),
                                     more=[(attribute, f.F_UDATA, number)]))
        array = Die(f.ARRAY, (f.TYPE, f.F_REF4, int_), children=[
            Die(f.SUBRANGE, (f.COUNT, f.F_UDATA, number)),
            Die(f.SUBRANGE, (f.UPPER, f.F_UDATA, number))])
        yield f"array of {number:#x}", dwarf(int_, array, struct_die("s", member("m", array)))
    for number in (-1, -(1 << 31), -(1 << 63)):
        int_ = int_die()
        odd = Die(f.MEMBER, (f.NAME, f.F_STRING, "m"), (f.TYPE, f.F_REF4, int_),
                  (f.LOCATION, f.F_SDATA, number))
        yield f"offset {number}", dwarf(int_, struct_die("s", odd))


def large():
    """Much from little: what is read must not grow beyond reason."""
    int_ = int_die()
    yield "60,000 members", dwarf(int_, struct_die(
        "s", *(member(f"m{i}", int_, 4 * i) for i in range(60000)), size=240000))
    yield "20,000 structs", dwarf(int_, *(struct_die(f"s{i}", member("m", int_))
                                          for i in range(20000)))
    dies = [int_]
    for i in range(50):
        dies.append(struct_die(f"s{i}", member("a", dies[-1]), member("b", dies[-1], 4 << i),
                               size=8 << i))
    yield "struct that unfolds to 2^50 members", dwarf(*dies)
    dies = [int_]
    for i in range(5000):
        dies.append(struct_die(f"s{i}", member("m", dies[-1]), size=4))
    yield "structs nested 5,000 deep by value", dwarf(*dies)
    for tag in (f.TYPEDEF, f.CONST, f.POINTER):
        dies = [int_die()]
        for i in range(50000):
            dies.append(Die(tag, (f.NAME, f.F_STRING, f"t{i}"), (f.TYPE, f.F_REF4, dies[-1])))
        dies.append(struct_die("s", member("m", dies[-1])))
        yield f"chain of 50,000 types {tag:#x}", dwarf(*dies)
    for tag in (f.STRUCT, f.SUBPROGRAM):
        inner = struct_die("inner")
        for i in range(50000):
            inner = Die(tag, (f.NAME, f.F_STRING, f"d{i}"), (f.BYTE_SIZE, f.F_DATA1, 8),
                        children=[inner])
        yield f"DIEs {tag:#x} nested 50,000 deep", dwarf(inner)
    array = int_ = int_die()
    arrays = []
    for _ in range(1000):
        array = Die(f.ARRAY, (f.TYPE, f.F_REF4, array),
                    children=[Die(f.SUBRANGE, (f.COUNT, f.F_DATA1, 2))])
        arrays.append(array)
    yield "array of 1,000 dimensions", dwarf(int_, *arrays, struct_die("s", member("m", array)))


def loose_references():
    int_ = int_die()
    inner = member("inner", int_)
    for name, target in (("0", 0), ("the header", 5), ("the middle of a DIE", 13),
                         ("behind the end", 0xfffffff0), ("a member", inner)):
        yield f"type is {name}", dwarf(int_, struct_die("s", inner, member("m", target)))
    yield "member without a type", dwarf(struct_die("s", Die(f.MEMBER, (f.NAME, f.F_STRING, "m"))))
    yield "type with an unknown signature", dwarf(struct_die("s", Die(
        f.MEMBER, (f.NAME, f.F_STRING, "m"), (f.TYPE, f.F_SIG8, 0x1234))))
    yield "array without an element", dwarf(int_, Die(f.ARRAY), struct_die("s", int_))
    yield "offset as an empty expression", dwarf(int_, struct_die("s", Die(
        f.MEMBER, (f.NAME, f.F_STRING, "m"), (f.TYPE, f.F_REF4, int_),
        (f.LOCATION, f.F_EXPRLOC, 0))))
    yield "variants of nothing", dwarf(struct_die("s", Die(f.VARIANT_PART)))
    yield "member of what is no struct", dwarf(int_, Die(f.CU, children=[member("m", int_)]))
    for form in (f.F_INDIRECT, 0x7f, f.F_BLOCK4, f.F_REF_UDATA):
        value = f.uleb(form) * 1000 if form == f.F_INDIRECT else b"\xff" * 9
        yield f"form {form:#x}", dwarf(struct_die("s", more=[(f.DECL_LINE, form, value)]))


def lying_units():
    int_ = int_die()
    sections = f.Unit(int_, struct_die("s", member("m", int_))).sections()
    info = sections[".debug_info"]
    for name, at, value in (("length beyond the end", 0, struct.pack("<I", 0x7fffffff)),
                            ("length 0", 0, bytes(4)), ("length 3", 0, struct.pack("<I", 3)),
                            ("length of DWARF64 and no more", 0, b"\xff" * 4),
                            ("reserved length", 0, struct.pack("<I", 0xfffffff5)),
                            ("version 0", 4, bytes(2)), ("version 99", 4, b"\x63\0"),
                            ("version 5 by mistake", 4, b"\5\0"),
                            ("abbreviations behind the end", 6, struct.pack("<I", 0x1000)),
                            ("address size 0", 10, b"\0"), ("address size 3", 10, b"\3"),
                            ("unknown abbreviation", 11, b"\x7f"),
                            ("endless number", 11, b"\xff" * 12)):
        yield f"unit: {name}", f.object_file(
            sections | {".debug_info": info[:at] + value + info[at + len(value):]})
    yield "no abbreviations", f.object_file(sections | {".debug_abbrev": b""})
    yield "endless abbreviations", f.object_file(sections | {".debug_abbrev": b"\xff" * 5000})
    yield "100,000 empty units", f.object_file(
        sections | {".debug_info": struct.pack("<IHIB", 7, 4, 0, 8) * 100000})
    for machine in (0, 8, 164, 243, 0x9026, 0xffff):
        yield f"machine {machine}", f.object_file(sections, machine)
    for kind in (0, 2, 3, 4, 0xff00):
        yield f"ELF type {kind}", f.object_file(sections, kind=kind)


def names():
    int_ = int_die()
    for what, name in (("control characters", "a\nb\r\t\x1b[31m\x7f"),
                       ("invalid UTF-8", b"\xff\xfe\xc0\x80".decode(errors="surrogateescape")),
                       ("quotes", "\"\\'`$"), ("nothing", ""), ("1 MB", "x" * (1 << 20)),
                       ("a pattern", "*?[")):
        yield f"name of {what}", dwarf(int_, struct_die(name, member(name, int_)))
    for offset in (1, 7, 8, 0xffffffff):
        yield f"name at {offset} of .debug_str", dwarf(int_, Die(
            f.STRUCT, (f.NAME, f.F_STRP, offset), (f.BYTE_SIZE, f.F_DATA1, 4),
            children=[member("m", int_)]))


def btf_types():
    btf = Btf()
    btf.struct(b"own", (b"self", 1, 0))
    yield "BTF: struct that holds itself", btf.bytes()
    for kind, name in ((8, "typedef"), (10, "const"), (2, "pointer")):
        btf = Btf()
        loop = btf.add(kind, b"loop" if kind == 8 else b"", 1)
        btf.struct(b"s", (b"m", loop, 0))
        yield f"BTF: {name} of itself", btf.bytes()
    btf = Btf()
    array = btf.array(1, 2)
    btf.struct(b"s", (b"m", array, 0))
    yield "BTF: array of itself", btf.bytes()
    for count in (0, 1 << 31, 0xffffffff):
        btf = Btf()
        array = btf.int()
        for _ in range(4):
            array = btf.array(array, count)
        btf.struct(b"s", (b"m", array, 0), size=0xffffffff)
        yield f"BTF: arrays of {count:#x}", btf.bytes()
    for type_ in (0, 99, 0x7fffffff, 0xffffffff):
        btf = Btf()
        btf.struct(b"s", (b"m", type_, 0xffffffff))
        yield f"BTF: member of type {type_:#x}", btf.bytes()
    btf = Btf()
    last = btf.int()
    for i in range(60):
        last = btf.struct(b"s%d" % i, (b"a", last, 0), (b"b", last, 32), size=8)
    yield "BTF: struct that unfolds to 2^60 members", btf.bytes()
    btf = Btf()
    last = btf.int()
    for i in range(50000):
        last = btf.add(8, b"t%d" % i, last)
    btf.struct(b"s", (b"m", last, 0))
    yield "BTF: chain of 50,000 typedefs", btf.bytes()
    for kind in (0, 18, 19, 20, 31):
        btf = Btf()
        btf.add(kind, b"what", 4, 3)
        btf.struct(b"s")
        yield f"BTF: kind {kind}", btf.bytes()
    btf = Btf()
    btf.add(4, b"s", 8, 0xffff)
    yield "BTF: members behind the end", btf.bytes()
    btf = Btf()
    btf.add(1, b"int", 4, rest=b"\xff" * 4)
    btf.struct(b"s", (b"m", 1, 0xffffffff))
    yield "BTF: int of 255 bits", btf.bytes()


def btf_headers():
    btf = Btf()
    btf.struct(b"s", (b"m", btf.int(), 0))
    for field in ("type_off", "type_len", "str_off", "str_len"):
        for value in (0, 3, 0x7fffffff, 0xffffffff, 0xfffffff0):
            yield f"BTF: {field} {value:#x}", btf.bytes(**{field: value})
    for size in (0, 8, 23, 25, 1 << 20, 0xffffffff):
        yield f"BTF: header of {size:#x} bytes", btf.bytes(header_size=size)
    yield "BTF: the other byte order's magic", btf.bytes(magic=0x9feb)
    yield "BTF: strings without an end", btf.bytes()[:-1] + b"x"
    yield "BTF: no types", Btf().bytes()
    for length in (1, 2, 3, 8, 23, 24, 30):
        yield f"BTF: only {length} bytes", btf.bytes()[:length]
