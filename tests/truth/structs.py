# SPDX-License-Identifier: GPL-2.0-only
"""Makes random C structs, and the questions of truth.h that ask the compiler about each."""

import random

PRELUDE = """\
#include "truth.h"
/* clang 14 and gcc disagree about its alignment on s390x; BTF's fieldline knows no ABI. */
#if defined(__SIZEOF_INT128__) && !defined(__s390x__) && !defined(__bpf__)
typedef __int128 i128;
typedef unsigned __int128 u128;
#else
typedef long long i128;
typedef unsigned long long u128;
#endif
#if defined(__i386__) || defined(__x86_64__)
#define MS_STRUCT ms_struct
#else
#define MS_STRUCT
#endif
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float v8 __attribute__((vector_size(8)));
typedef int v16 __attribute__((vector_size(16)));
/* Elsewhere no vector is that wide, and compilers disagree about its alignment. */
#if defined(__i386__) || defined(__x86_64__) || defined(__aarch64__)
typedef double v32 __attribute__((vector_size(32)));
#else
typedef double v32 __attribute__((vector_size(16)));
#endif
typedef int int_a16 __attribute__((aligned(16)));
typedef u8 u8_a4 __attribute__((aligned(4)));
typedef long long ll_a2 __attribute__((aligned(2)));
typedef _Bool flag;
enum small { SMALL_0, SMALL_1, SMALL_2 };
enum negative { MINUS = -300, PLUS = 3 };
enum big { BIG = 0x1ffffffffULL };
enum __attribute__((packed)) tiny { TINY_0, TINY_1 };
struct odd { char c[3]; };
struct pair { int x, y; };
struct nothing {};
struct incomplete;
union word { u32 word; u16 half[2]; u8 byte[4]; };
SIZE(struct odd) FIELD(struct odd, c)
SIZE(struct pair) FIELD(struct pair, x) FIELD(struct pair, y)
SIZE(struct nothing)
SIZE(union word) FIELD(union word, word) FIELD(union word, half) FIELD(union word, byte)
"""

# (declaration with %s for the name, weight, what it needs of the reader)
PLAIN = [
    ("char %s", 6), ("signed char %s", 1), ("u8 %s", 6), ("short %s", 4), ("u16 %s", 4),
    ("int %s", 8), ("u32 %s", 6), ("long %s", 8), ("unsigned long %s", 3), ("long long %s", 4),
    ("u64 %s", 4), ("_Bool %s", 4), ("flag %s", 2), ("i128 %s", 2), ("u128 %s", 1),
    ("enum small %s", 3), ("enum negative %s", 1), ("enum big %s", 2), ("enum tiny %s", 2),
    ("void *%s", 6), ("const char *const %s", 2), ("volatile int %s", 1),
    ("struct incomplete *%s", 2), ("struct pair *%s[3]", 1), ("union word *%s", 1),
    ("int (*%s)(int, char)", 2), ("void (*%s[3])(struct pair *, ...)", 1),
    ("short (*%s)[3]", 1), ("int (*(*%s)(void))[2]", 1), ("const volatile u16 *volatile %s", 1),
    ("char %s[3]", 3), ("u16 %s[5]", 2), ("short %s[2][3]", 2), ("int %s[2][1][3]", 1),
    ("u8 %s[0]", 2), ("long %s[0]", 1), ("u8 %s[0][6]", 1), ("u8 %s[6][0]", 1),
    ("int_a16 %s", 1), ("u8_a4 %s", 1), ("ll_a2 %s", 1), ("ll_a2 %s[3]", 1),
    ("struct nothing %s", 1), ("struct nothing %s[4]", 1),
]
# What BTF cannot say, or says only with newer kinds.
NOT_IN_BTF = [
    ("float %s", 1), ("double %s", 3), ("long double %s", 2),
    ("_Complex float %s", 1), ("_Complex double %s", 1), ("_Complex long double %s", 1),
    ("_Complex int %s", 1), ("v8 %s", 1), ("v16 %s", 1), ("v32 %s", 1), ("v16 %s[2]", 1),
    ("_Atomic int %s", 2), ("_Atomic(long) %s", 1), ("_Atomic char %s", 1),
    ("_Atomic(u64) %s", 1), ("_Atomic(void *) %s", 1), ("_Atomic(int) %s[3]", 1),
]
BIT_TYPES = [
    ("_Bool", 1), ("flag", 1), ("char", 8), ("signed char", 8), ("u8", 8), ("short", 16),
    ("u16", 16), ("int", 32), ("int", 32), ("u32", 32), ("u32", 32), ("long", 32), ("u64", 64),
    ("u64", 64), ("long long", 64), ("i128", 64), ("u128", 64), ("enum small", 8),
    ("enum negative", 16), ("enum big", 40), ("enum tiny", 8), ("volatile int", 32),
    ("const u32", 32),
]
FLEXIBLE = ["u8 %s[]", "long %s[]", "u16 %s[][4]", "struct pair %s[]", "void *%s[]"]
MAX_FIELDS = 60


class Struct:
    """A struct or union: its source, and its members' paths with how to ask for each."""

    def __init__(self, name):
        self.name = name
        self.source = ""
        self.questions = []  # (macro, path[, inner])
        self.flexible = False
        # what its alignment depends on and debug information may not tell: "packed", "ms",
        # "aligned", "aligned down" (to less than the most), "aligned bits", "atomic", "unnamed"
        self.hints = set()

    def ask(self):
        lines = [f"SIZE({self.name})"]
        for macro, path, *inner in self.questions:
            lines.append(f"{macro}({', '.join([self.name, path, *inner])})")
        return "\n".join(lines) + "\n"


# those of the prelude
GIVEN = [Struct(name) for name in ("struct odd", "struct pair", "struct nothing", "union word")]


class Maker:
    def __init__(self, rng, earlier, for_btf):
        self.rng = rng
        self.earlier = earlier
        self.for_btf = for_btf
        self.plain = PLAIN if for_btf else PLAIN + NOT_IN_BTF
        self.nr_names = 0
        # Half of the structs have no attributes at all, as in life: their alignment is known.
        self.attributed = self.chance(50)
        self.hints = set()

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def new_name(self):
        self.nr_names += 1
        return f"m{self.nr_names}"

    def make(self, index):
        keyword = "union" if self.chance(12) else "struct"
        made = Struct(f"{keyword} s{index}")
        body = self.body(made, "", keyword, depth=0)
        pack = self.rng.choice([1, 2, 4, 8]) if self.attributed and self.chance(8) else 0
        made.source = f"{made.name} {{\n{body}}}{self.type_attributes()};\n"
        if pack:
            made.source = f"#pragma pack(push, {pack})\n{made.source}#pragma pack(pop)\n"
        made.hints |= self.hints
        if pack:
            made.hints.add("packed")
        return made

    def body(self, made, prefix, keyword, depth):
        lines = []
        most = 14 if depth == 0 else 5
        for _ in range(self.rng.randrange(0 if self.chance(3) else 1, most)):
            if len(made.questions) < MAX_FIELDS:
                lines.append(self.member(made, prefix, depth))
        if keyword == "struct" and depth == 0 and made.questions and self.chance(10):
            lines.append(self.flexible(made))
        indent = "\t" * (depth + 1)
        return "".join(f"{indent}{line};\n" for line in lines)

    def member(self, made, prefix, depth):
        kind = self.rng.randrange(100)
        if kind < 30:
            return self.bit_field(made, prefix)
        if kind < 42 and depth < 3:
            return self.nested(made, prefix, depth)
        if kind < 50 and self.earlier:
            return self.embedded(made, prefix)
        if kind < 52 and not self.for_btf:
            inner = self.rng.choice(["struct odd", "struct pair"])
            name = self.new_name()
            made.questions.append(("ATOMIC", prefix + name, inner))
            self.hints.add("atomic")
            return f"_Atomic({inner}) {name}"
        return self.plain_member(made, prefix)

    def plain_member(self, made, prefix):
        name = self.new_name()
        texts, weights = zip(*self.plain)
        declaration = self.rng.choices(texts, weights)[0] % name
        made.questions.append(("FIELD", prefix + name))
        if "_Atomic" in declaration:
            self.hints.add("atomic")
        if "_a" in declaration:
            self.hints.add("aligned")
        return declaration + self.member_attributes()

    def bit_field(self, made, prefix):
        base, width = self.rng.choice(BIT_TYPES)
        if self.chance(12):
            width = 0 if self.chance(40) and base not in ("_Bool", "flag") else \
                self.rng.randrange(1, width + 1)
            self.hints.add("unnamed")
            return f"{base} :{width}"
        name = self.new_name()
        made.questions.append(("BITS", prefix + name))
        if not self.chance(10):
            width = self.rng.randrange(1, width + 1)
        attributes = self.member_attributes()
        if "aligned" in attributes:
            self.hints.add("aligned bits")
        return f"{base} {name}:{width}{attributes}"

    def nested(self, made, prefix, depth):
        keyword = "union" if self.chance(40) else "struct"
        name = "" if self.chance(60) else self.new_name()
        if name:
            made.questions.append(("FIELD", prefix + name))
        body = self.body(made, f"{prefix}{name}." if name else prefix, keyword, depth + 1)
        indent = "\t" * (depth + 1)
        tail = f" {name}" if name else ""
        return f"{keyword} {{\n{body}{indent}}}{self.type_attributes()}{tail}" + \
            (self.member_attributes() if name else "")

    def embedded(self, made, prefix):
        inner = self.rng.choice(self.earlier)
        name = self.new_name()
        if len(inner.questions) > 15 or (inner.hints and not self.attributed):
            return self.plain_member(made, prefix)
        made.questions.append(("FIELD", prefix + name))
        self.hints |= inner.hints
        if not inner.flexible and self.chance(25):
            return f"{inner.name} {name}[{self.rng.randrange(1, 4)}]"
        for macro, path, *rest in inner.questions:
            made.questions.append((macro, f"{prefix}{name}.{path}", *rest))
        return f"{inner.name} {name}{self.member_attributes()}"

    def flexible(self, made):
        name = self.new_name()
        made.flexible = True
        made.questions.append(("FLEX", name))
        return self.rng.choice(FLEXIBLE) % name

    def member_attributes(self):
        return self.attributes(aligned=10, packed=8)

    def type_attributes(self):
        return self.attributes(aligned=12, packed=20, ms=3)

    def attributes(self, aligned, packed, ms=0):
        words = []
        if not self.attributed:
            return ""
        if self.chance(packed):
            words.append("packed")
            self.hints.add("packed")
        if self.chance(aligned):
            bytes_ = self.rng.choice([1, 2, 4, 8, 16, 32, 64])
            words.append(f"aligned({bytes_})")
            self.hints.add("aligned")
            if bytes_ < 64:
                self.hints.add("aligned down")
        if self.chance(ms):
            words.append("MS_STRUCT")
            self.hints.add("ms")
        return f" __attribute__(({', '.join(words)}))" if words else ""


def make_structs(seed, first, count, for_btf=False):
    """count structs; the same seed makes the same ones."""
    made = []
    for index in range(first, first + count):
        rng = random.Random(f"{seed}/{index}/{for_btf}")
        made.append(Maker(rng, made, for_btf).make(index))
    return made


def source_of(structs):
    return PRELUDE + "".join(s.source + s.ask() for s in structs)
