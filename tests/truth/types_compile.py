# SPDX-License-Identifier: GPL-2.0-only
"""Holds the C types that fieldline prints against the compiler: each must be the member's own."""

import re

from oracle import CompilerError, run, HERE

PRELUDE = """
#undef complex
#define complex _Complex
#define IS(T, m, ...) _Static_assert(__builtin_types_compatible_p( \\
	__typeof__(((T *)0)->m), __typeof__(__VA_ARGS__)), #T " " #m);
"""
# clang and gcc
REFUSED = r"^assertions:(\d+):\d+: (?:error|note: in expansion of macro)"


def assertions(layouts, truths):
    """A line for each member whose type has a name and that the language lets us ask about."""
    for layout in layouts:
        fields = truths[layout.name].fields
        hidden = set()  # what lies inside _Atomic members
        for member in layout.members:
            outer, _, _ = (member.path or "").rpartition(".")
            if member.json["type"].startswith("_Atomic") or outer in hidden:
                hidden.add(member.path)
            asked = member.path in fields and not fields[member.path].bit_size
            # clang calls _Complex float, double and long double alike
            named = "{" not in member.json["type"] and member.json["type"] != "complex"
            if asked and named and outer not in hidden:
                yield f"IS({layout.name}, {member.path}, {member.json['type']})\n"


def compile_lines(compiler, source, lines, stem):
    """The lines that the compiler refuses."""
    path = f"{stem}.types.c"
    with open(path, "w", encoding="utf-8") as file:
        file.write(source + PRELUDE + "#line 1 \"assertions\"\n")
        file.writelines(lines)
    try:
        limit = "-ferror-limit=0" if compiler[0] == "clang" else "-fmax-errors=0"
        run([*compiler, "-w", "-I", HERE, limit, "-fsyntax-only", path])
    except CompilerError as error:
        refused = {int(line) for line in re.findall(REFUSED, str(error), re.MULTILINE)}
        return [lines[line - 1] for line in sorted(refused)] or [str(error)]
    return []


def check_types(tally, stem, compiler, source, layouts, truths):
    lines = list(assertions(layouts, truths))
    refused = compile_lines(compiler, source, lines, stem)
    tally.compared["type as printed"] += len(lines)
    tally.differing["type as printed"].extend(line.strip() for line in refused)
    wrong = ["IS(struct pair, x, long *)\n"]
    tally.check("negative control", "types", wrong, compile_lines(compiler, source, wrong, stem))
