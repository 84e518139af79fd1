# SPDX-License-Identifier: GPL-2.0-only
"""Takes the source of a struct apart, edits it as a person would, and puts it together again.

Understands what structs.py makes and what relayout_driver prints: a member on each line, the
members of structs inside on lines of their own, members called m1, m2, ...
"""

import re

ALIGNED = re.compile(r" ?__attribute__\(\(aligned\(\d+\)\)\)|(, )?aligned\(\d+\)(?=[,)])")


class Member:
    def __init__(self, text, children=None, pragma=None):
        self.text = text  # of a struct inside: what follows the closing brace
        self.head = None  # "struct" or "union" of a struct inside
        self.children = children
        self.pragma = pragma
        match = re.search(r"\b(m\d+|pad\d|new\d|__cacheline\w+)\b", text)
        self.name = match.group(1) if match else None

    def is_transparent(self):
        return self.children is not None and not self.name

    def is_bits(self):
        return self.children is None and re.search(r"\w* ?:\d+", self.text) is not None

    def is_flexible(self):
        return self.children is None and "[]" in self.text

    def render(self, depth):
        indent = "\t" * depth
        if self.children is None:
            text = f"{indent}{self.text};\n"
        else:
            inside = "".join(child.render(depth + 1) for child in self.children)
            text = f"{indent}{self.head} {{\n{inside}{indent}}}{self.text};\n"
        return f"{self.pragma}\n{text}#pragma pack(pop)\n" if self.pragma else text

    def names(self):
        """All that C can name here from outside."""
        if self.name:
            return [self.name]
        return [name for child in self.children or [] for name in child.names()]


class Source:
    def __init__(self, text):
        lines = text.splitlines()
        self.pragma = lines.pop(0) if lines[0].startswith("#pragma") else None
        self.name = lines.pop(0)[:-2]
        self.members, self.tail = self._parse(lines)

    def _parse(self, lines):
        members, pragma = [], None
        while True:
            line = lines.pop(0).strip()
            if line.startswith("}"):
                return members, line[1:-1]
            if line.startswith("#pragma"):
                pragma = line if "push" in line else None
            elif line.endswith("{"):
                children, tail = self._parse(lines)
                members.append(Member(tail, children, pragma))
                members[-1].head = line[:-2]
            else:
                members.append(Member(line[:-1]))

    def render(self, name=None):
        body = "".join(member.render(1) for member in self.members)
        text = f"{name or self.name} {{\n{body}}}{self.tail};\n"
        return f"{self.pragma}\n{text}#pragma pack(pop)\n" if self.pragma else text

    def path(self, name, members=None):
        """[(list of members, index), ...] from the outermost to the named one."""
        members = self.members if members is None else members
        for index, member in enumerate(members):
            if member.name == name:
                return [(members, index)]
            if member.is_transparent():
                inner = self.path(name, member.children)
                if inner:
                    return [(members, index)] + inner
        return []

    def place(self, name, outward=0):
        path = self.path(name)
        return path[len(path) - 1 - outward]

    def names(self):
        return [name for member in self.members for name in member.names()]

    def is_valid(self, but_for_unnamed=False):
        """Whether a flexible array stands last, or has only unnamed bit-fields behind it."""
        members = [member for member in self.members if member.names() or not but_for_unnamed]
        return not any(member.is_flexible() for member in members[:-1])


def aligned(align):
    return f" __attribute__((aligned({align})))" if align else ""


def with_alignment(text, align):
    return re.sub(r" ?__attribute__\(\(\)\)", "", ALIGNED.sub("", text)) + aligned(align)


def edit(source, edit_):
    """Makes one edit, a dictionary in the words of model/edit.h. Returns what is split off."""
    return EDITS[edit_["kind"]](source, edit_)


def edit_insert(source, edit_):
    members, index = source.place(edit_["member"], edit_.get("outward", 0))
    if "type" in edit_:
        text = f"{edit_['full_type']} {edit_['name']}"
    else:
        text = f"char {edit_['name']}[{edit_['bytes']}]"
    members.insert(index + (edit_["side"] == "after"),
                   Member(text + aligned(edit_.get("align"))))


def edit_wrap(source, edit_):
    members, index = source.place(edit_["member"], edit_.get("outward", 0))
    inner = members[index]
    union = Member("", [inner, Member(f"char {edit_['name']}[{edit_['in_bytes']}]")], inner.pragma)
    union.head = "union"
    inner.pragma = None
    members[index] = union


def edit_align(source, edit_):
    members, index = source.place(edit_["member"])
    member = members[index]
    before, after = "", member.text
    if member.children is not None:
        before, after = re.match(rf"(.*\b{member.name}\b)(.*)", member.text).groups()
    member.text = before + with_alignment(after, edit_["align"])


def edit_align_type(source, edit_):
    if "member" not in edit_:
        source.tail = with_alignment(source.tail, edit_["align"])
        return
    members, index = source.place(edit_["member"], edit_["outward"])
    members[index].text = with_alignment(members[index].text, edit_["align"])


def edit_move(source, edit_):
    members, index = source.place(edit_["member"], edit_.get("outward", 0))
    level = len(source.path(edit_["member"])) - 1 - edit_.get("outward", 0)
    anchor = members[source.path(edit_["anchor"])[level][1]]
    member = members.pop(index)
    members.insert(members.index(anchor) + (edit_["side"] == "after"), member)


def gather(source, names):
    """The list that holds all the named, and the members of it that are or hold them."""
    paths = [source.path(name) for name in names]
    level = min(len(path) for path in paths) - 1
    while len({id(path[level][0]) for path in paths}) > 1:
        level -= 1
    members = paths[0][level][0]
    return members, [members[path[level][1]] for path in paths]


def replace(members, gathered, new):
    at = members.index(gathered[0])
    before = [member for member in members[:at] if member not in gathered]
    after = [member for member in members[at:] if member not in gathered]
    members[:] = before + new + after


def edit_order(source, edit_):
    members, gathered = gather(source, edit_["members"])
    replace(members, gathered, gathered)


def edit_group(source, edit_):
    members, gathered = gather(source, edit_["members"])
    markers = [Member(f"unsigned char __cacheline_group_{end}__{edit_['name']}[0]" +
                      aligned(edit_.get(align)))
               for end, align in (("begin", "align"), ("end", "end_align"))]
    replace(members, gathered, [markers[0], *gathered, markers[1]])


def edit_split(source, edit_):
    members, gathered = gather(source, edit_["members"])
    keyword_and_name = f"struct {edit_['type_name']}"
    replace(members, gathered,
            [Member(f"{keyword_and_name} *{edit_['name']}" + aligned(edit_.get("align")))])
    split = Source(f"{keyword_and_name} {{\n}};")
    split.members = gathered
    return split


def edit_remove(source, edit_):
    members, index = source.place(edit_["member"], edit_.get("outward", 0))
    del members[index]


def edit_retype(source, edit_):
    members, index = source.place(edit_["member"])
    members[index].text = re.sub(r"(struct|union) s\d+", edit_["full_type"], members[index].text)


EDITS = {"insert": edit_insert, "wrap": edit_wrap, "align": edit_align,
         "align_type": edit_align_type, "move": edit_move, "order": edit_order,
         "group": edit_group, "split": edit_split, "remove": edit_remove, "retype": edit_retype}
