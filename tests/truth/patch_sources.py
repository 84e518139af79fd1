# SPDX-License-Identifier: GPL-2.0-only
"""Structs as people write them: comments, conditions, several members to a line, odd spacing."""

TYPES = ["char", "short", "int", "unsigned int", "long", "u64", "struct pair",
         "unsigned\tlong", "struct pair *", "void *", "const char *", "struct pair *const "]
PRELUDE = """#include <stddef.h>
typedef unsigned long long u64;
struct pair { long a; char b; };
#define TWO(name) int name##_one; char name##_two
"""


class StructMaker:
    """One struct: its text, and the names of members that are there when ON is defined."""

    def __init__(self, rng, name):
        self.rng, self.name, self.nr = rng, name, 0
        self.lines = []

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def new(self):
        self.nr += 1
        return f"m{self.nr}"

    def space(self):
        return self.rng.choice([" ", " ", "\t", "  ", "\t\t"])

    def declarator(self, name, pointer):
        """pointer: "" or what comes before each name, as "*"."""
        kind = self.rng.randrange(10)
        if pointer:
            return f"{pointer}{name}" + (f"[{kind}]" if kind < 3 else "")
        if kind == 0:
            return f"{name}[{self.rng.randrange(1, 5)}]"
        if kind == 1:
            return f"(*{name})(int x, struct pair *m1)"
        if kind == 2:
            return f"*{name}"
        if kind == 3:
            return f"{name} __attribute__((aligned({self.rng.choice([4, 8, 16])})))"
        if kind == 4:
            return f"*{name}[{self.rng.randrange(1, 3)}]"
        return name

    def comment(self, text):
        if self.chance(70):
            return f"/* {text} */"
        return f"// {text}" if self.chance(40) else f"/* {text};\n\t * int m1; and more\n\t */"

    def plain(self, indent):
        type_ = self.rng.choice(TYPES)
        names = [self.new() for _ in range(self.rng.choice([1, 1, 1, 2, 3]))]
        pointer = type_[type_.index("*"):] if "*" in type_ else ""
        type_ = type_.split(" *")[0]
        parts = [self.declarator(name, pointer) for name in names]
        if len(names) > 1 and self.chance(30):
            body = parts[0]
            for name, part in zip(names, parts[1:]):
                body += f",\t/* of {name} */\n{indent}    {part}"
        else:
            body = self.rng.choice([", ", ","]).join(parts)
        text = f"{indent}{type_}{self.space()}{body};"
        if self.chance(30):
            text += f"\t{self.comment('behind ' + names[-1])}"
        elif self.chance(8):
            text += f" char {self.new()};"
        return text

    def bits(self, indent):
        names = [self.new() for _ in range(self.rng.randrange(1, 4))]
        return "\n".join(f"{indent}unsigned int {name}{self.rng.choice([':', ' : '])}"
                         f"{self.rng.randrange(1, 12)};" for name in names)

    def inside(self, indent, depth):
        keyword = self.rng.choice(["struct", "union"])
        name = self.new() if self.chance(40) else ""
        members = "\n".join(self.member(f"{indent}\t", depth + 1, bool(name))
                            for _ in range(self.rng.randrange(1, 4)))
        name = f" {name}" if name else self.rng.choice(["", "", " __attribute__((aligned(8)))"])
        return f"{indent}{keyword} {{\n{members}\n{indent}}}{name};"

    def conditional(self, indent, depth):
        members = "\n".join(self.member(indent, depth + 1)
                            for _ in range(self.rng.randrange(1, 3)))
        condition = self.rng.choice(["#ifdef ON", "#if defined(ON)", "#ifdef OFF", "#ifndef OFF",
                                     "# if ON + 1 > 1"])
        if self.chance(15):
            members += f"\n#else\n{self.plain(indent)}"
        return f"{condition}\n{members}\n#endif{self.rng.choice(['', ' /* of it */'])}"

    def member(self, indent, depth=0, named=False):
        kind = self.rng.randrange(100)
        if kind < 12 and depth < 2 and not named:
            return self.conditional(indent, depth)
        if kind < 22 and depth < 2:
            return self.inside(indent, depth)
        if kind < 27:
            return self.bits(indent)
        if kind < 30:
            return f"{indent}TWO({self.new()});"
        return self.plain(indent)

    def make(self):
        text = f"{self.rng.choice(['/* A struct. */', ''])}\n"
        text += f"struct {self.name}{self.rng.choice([' {', chr(10) + '{'])}\n"
        for _ in range(self.rng.randrange(2, 9)):
            if self.chance(20):
                text += "\n"
            if self.chance(25):
                text += f"\t{self.comment('above a member')}\n"
            text += self.member("\t") + "\n"
        tail = self.rng.choice(["", "", "", " __attribute__((aligned(16)))"])
        return f"{text}}}{tail};\nstruct {self.name} an_{self.name};\n"
