# SPDX-License-Identifier: GPL-2.0-only
"""Random edits of generated structs."""

import re

from struct_source import Source, edit

# how often each is drawn
KINDS = {"insert": 6, "wrap": 4, "align": 4, "align_type": 2, "move": 5, "order": 3, "group": 3,
         "split": 3, "remove": 3, "retype": 3}
ALIGNS = [2, 4, 8, 16, 32, 64, 128]


class EditMaker:
    """
    A chain of edits of one struct, each of what the one before it left in source; splits are the
    structs split off. earlier: structs that may be put in.
    """

    def __init__(self, rng, name, struct, sizes, earlier):
        self.rng, self.name, self.struct = rng, name, struct
        self.sizes, self.earlier = dict(sizes), [other for other in earlier if not other.flexible]
        self.source = Source(struct.source)
        self.edits, self.splits = [], []

    def make(self):
        """Whether the kinds of edits that were drawn fit the struct."""
        while not self.edits or self.rng.randrange(4) == 0:
            made = self.make_one()
            if not made:
                return False
            self.edits.append(made)
            split = edit(self.source, made)
            if split:
                self.splits.append(split)
        return True

    def make_one(self):
        kind = self.rng.choices(list(KINDS), list(KINDS.values()))[0]
        names = self.source.names()
        if not names and kind != "align_type":
            return None
        made = getattr(self, f"make_{kind}")(names)
        return {"kind": kind, **made} if made else None

    def new(self, stem):
        return f"{stem}{len(self.edits) + 1}"

    def pick(self, names):
        """A member, now and then the anonymous struct around it."""
        name = self.rng.choice(names)
        path = self.source.path(name)
        outward = self.rng.randrange(len(path)) if self.rng.randrange(3) == 0 else 0
        return {"member": name, "outward": outward} if outward else {"member": name}

    def member(self, picked):
        members, index = self.source.place(picked["member"], picked.get("outward", 0))
        return members[index]

    def side(self):
        return self.rng.choice(["before", "after"])

    def align(self, percent):
        return {"align": self.rng.choice(ALIGNS)} if self.rng.randrange(100) < percent else {}

    def make_insert(self, names):
        made = {**self.pick(names), "side": self.side(), "name": self.new("new"), **self.align(30)}
        if self.earlier and self.rng.randrange(4) == 0:
            struct = self.rng.choice(self.earlier)
            return {**made, "type": struct.name.split()[1], "full_type": struct.name}
        return {**made, "bytes": self.rng.choice([0, 1, 2, 3, 4, 7, 8, 12, 16, 24, 56, 64, 100])}

    def make_wrap(self, names):
        made = {**self.pick(names), "name": self.new("pad")}
        size = self.sizes.get(self.member(made).name, 0)
        if size and self.rng.randrange(2):
            line = self.rng.choice([16, 64, 128])
            return {**made, "round_to": line, "in_bytes": -(-size // line) * line}
        bytes_ = max(size + self.rng.randrange(-4, 70), 1)
        return {**made, "bytes": bytes_, "in_bytes": bytes_}

    def make_align(self, names):
        return {"member": self.rng.choice(names), **self.align(100)}

    def make_align_type(self, names):
        made = self.pick(names) if names else {}
        return {**(made if made.get("outward") else {}), **self.align(100)}

    def make_move(self, names):
        made = self.pick(names)
        members, index = self.source.place(made["member"], made.get("outward", 0))
        others = [name for at, member in enumerate(members) if at != index
                  for name in member.names()]
        if not others:
            return None
        return {**made, "anchor": self.rng.choice(others), "side": self.side()}

    def level(self):
        """The members of the struct, or of an anonymous struct in it; none where it is a union."""
        levels = [(self.struct.name.split()[0], self.source.members)]
        for member in self.source.members:
            if member.is_transparent():
                levels.append((member.head, member.children))
        keyword, members = self.rng.choice(levels)
        return members if keyword == "struct" else []

    def representatives(self):
        """A name for each member of a level that has or holds one."""
        return [self.rng.choice(member.names()) for member in self.level() if member.names()]

    def make_order(self, _):
        members = self.representatives()
        self.rng.shuffle(members)
        return {"members": members} if len(members) > 1 else None

    def some(self):
        members = self.representatives()
        if not members:
            return None
        return self.rng.sample(members, self.rng.randrange(1, min(len(members), 5) + 1))

    def make_group(self, _):
        members = self.some()
        end = {"end_align": self.rng.choice(ALIGNS)} if self.rng.randrange(4) == 0 else {}
        return {"members": members, "name": self.new("g"), **self.align(50), **end} if members else None

    def make_split(self, _):
        members = self.some()
        if not members:
            return None
        return {"members": members, "name": self.new("new"),
                "type_name": self.new(f"{self.name}_split")}

    def make_remove(self, names):
        return self.pick(names)

    def make_retype(self, names):
        held = [name for name in names
                if re.match(r"(struct|union) s\d+ m\d+(?!\[)\b", self.member({"member": name}).text)]
        if not held or not self.earlier:
            return None
        struct, member = self.rng.choice(self.earlier), self.rng.choice(held)
        self.sizes[member] = 0
        return {"member": member, "type": struct.name.split()[1],
                "full_type": struct.name}
