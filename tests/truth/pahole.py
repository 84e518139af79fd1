# SPDX-License-Identifier: GPL-2.0-only
"""Runs pahole on a file and reads the structs and unions that it prints."""

import collections
import re
import subprocess

from oracle import Place

OPEN = re.compile(r"^\t*(?:const |volatile )*(struct|union|class|enum)(?: (\w+))? *\{$")
CLOSE = re.compile(r"^\t+\}(.*);(?:\s+/\* +(\d+)(?:: ?(\d+))? +(\d+) \*/)?$")
LAST = re.compile(r"^\}.*;$")
MEMBER = re.compile(r"^\t+(.*?);\s+/\* +(\d+)(?:: ?(\d+))? +(\d+) \*/$")
SIZE = re.compile(r"^\t/\* size: (\d+), cachelines: \d+, members: \d+ \*/$")
ATTRIBUTE = re.compile(r"\s*__attribute__\(\(\w+(?:\(\d+\))?\)\)")


class Struct:
    def __init__(self, name):
        self.name = name
        self.size = None  # pahole states none for unions
        self.fields = {}
        self.direct = []  # (name, place) of what it declares itself; the name may be None
        self.opened = set()  # paths whose members are shown


class Level:
    """A struct, union or enum that is being read."""

    def __init__(self, keyword):
        self.keyword = keyword
        self.fields = {}
        self.direct = []
        self.opened = set()

    def take(self, inner, name):
        """The members of an anonymous inner level count as ours."""
        prefix = f"{name}." if name else ""
        for path, place in inner.fields.items():
            self.fields[prefix + path] = place
        self.opened.update(prefix + path for path in inner.opened)
        if name:
            self.opened.add(name)


def declared_name(declaration):
    """(name, is an array, is a pointer); the name is None for what has none."""
    declaration = ATTRIBUTE.sub("", declaration)
    function = re.search(r"\(\*+(?:const |volatile )*(\w+)", declaration)
    if function:
        return function.group(1), False, True
    declaration = re.sub(r":\d+$", "", declaration)
    match = re.search(r"(\w+)((?:\[\d*\])*)$", declaration)
    if not match:
        return None, False, False
    return match.group(1), bool(match.group(2)), "*" in declaration


def bit_width(declaration):
    match = re.search(r":(\d+)$", ATTRIBUTE.sub("", declaration))
    return int(match.group(1)) if match else 0


def close_level(levels, match):
    inner = levels.pop()
    declaration, offset, _, _ = match.groups()
    if offset is None:
        return  # a type that is only declared here
    name, is_array, is_pointer = declared_name(declaration)
    add_member(levels[-1], match)
    if not is_array and not is_pointer and inner.keyword != "enum":
        levels[-1].take(inner, name)


def add_member(level, match):
    declaration, offset, bit, size = match.groups()
    name, _, _ = declared_name(declaration)
    width = bit_width(declaration)
    place = Place(int(offset) * 8 + int(bit or 0), 0 if width else int(size), width)
    level.direct.append((name, place))
    if name:
        level.fields[name] = place


def parse(lines):
    structs = collections.defaultdict(list)
    levels, struct = [], None
    for line in lines:
        line = line.rstrip()
        opened = OPEN.match(line)
        if opened:
            if not levels:
                struct = Struct(" ".join(filter(None, opened.groups())))
            levels.append(Level(opened.group(1)))
        elif not levels:
            continue
        elif len(levels) == 1 and LAST.match(line):
            for what in ("fields", "direct", "opened"):
                setattr(struct, what, getattr(levels[0], what))
            structs[struct.name].append(struct)
            levels = []
        elif CLOSE.match(line):
            close_level(levels, CLOSE.match(line))
        elif MEMBER.match(line):
            add_member(levels[-1], MEMBER.match(line))
        elif len(levels) == 1 and SIZE.match(line):
            struct.size = int(SIZE.match(line).group(1))
    return structs


def read(path):
    """
    {name: [Struct, ...]} of all structs and unions with a name, those local to functions too. On
    one thread: with more pahole 1.24 mixes their output.
    """
    command = ["pahole", "-F", "dwarf", "--show_private_classes", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True) as process:
        structs = parse(process.stdout)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit {process.returncode}")
    return structs
