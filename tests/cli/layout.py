#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline layout and list from outside: which operand is what, exit codes, messages, outputs."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

FIELDLINE = None
ERROR, USAGE = 1, 3

SOURCE = """
struct list_head { struct list_head *next, *prev; };
struct lock { int owner; char name[20]; };
struct inner { long head[4]; struct lock lock; long tail[5]; };
struct outer { long count[2]; struct inner in; char flag; struct list_head many[2]; } one;
typedef struct { int a; char b; } pair_t;
pair_t two;
union choice { int number; char text[70]; } three;
"""
SAME = """
struct twin { %s a; } %s;
struct user { struct twin t; } u_%s;
"""


class Objects(unittest.TestCase):
    """A folder with objects in it, and fieldline run there."""

    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.compile("a.o", SOURCE)

    def compile(self, name, source):
        path = os.path.join(self.top, f"{name}.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        subprocess.run(["cc", "-g", "-c", "-o", name, path], cwd=self.top, check=True)

    def run_it(self, *arguments, status=0, **environment):
        """What fieldline prints; nothing may be printed beside an error."""
        result = subprocess.run([FIELDLINE, *arguments], cwd=self.top, capture_output=True,
                                text=True, check=False, env={**os.environ, **environment})
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        if status:
            self.assertEqual(result.stdout, "")
            self.assertEqual(result.stderr.count("\n"), 1)
            return result.stderr.removeprefix("fieldline: ").rstrip()
        self.assertEqual(result.stderr, "")
        return result.stdout


class Layout(Objects):
    def test_a_slash_makes_a_file_of_the_first_operand(self):
        self.assertIn("struct inner: 96 bytes", self.run_it("layout", "./a.o", "inner"))
        message = self.run_it("layout", "./missing", "inner", status=ERROR)
        self.assertEqual(message, "cannot open './missing': No such file or directory")

    def test_so_does_a_file_of_that_name(self):
        self.assertIn("struct inner: 96 bytes", self.run_it("layout", "a.o", "inner"))

    def test_a_file_alone_wants_a_struct(self):
        message = self.run_it("layout", "a.o", status=USAGE)
        self.assertIn("'a.o' is a file; name a struct after it", message)

    def test_no_operand_is_a_usage_error(self):
        self.run_it("layout", status=USAGE)

    def test_each_name_is_answered(self):
        output = self.run_it("layout", "a.o", "struct lock", "pair_t", "union choice")
        self.assertEqual([line.partition(":")[0] for line in output.splitlines()
                          if " bytes, alignment " in line],
                         ["union choice", "struct lock", "pair_t = struct {...}"])

    def test_a_missing_name_is_an_error_with_the_nearest(self):
        message = self.run_it("layout", "a.o", "inne", status=ERROR)
        self.assertIn("named 'inne': did you mean 'inner'?", message)
        self.assertIn("named 'struct pair_t'",
                      self.run_it("layout", "a.o", "struct pair_t", status=ERROR))

    def test_all_definitions_of_a_name_are_shown(self):
        self.compile("int.o", SAME % ("int", "x", "x"))
        self.compile("long.o", SAME % ("long", "y", "y"))
        subprocess.run(["ld", "-r", "-o", "both.o", "int.o", "long.o"], cwd=self.top, check=True)
        output = self.run_it("layout", "both.o", "twin")
        self.assertIn("struct twin: 4 bytes", output)
        self.assertIn("definition 1 of 2", output)
        self.assertIn("struct twin: 8 bytes", output)
        self.assertIn("definition 2 of 2", output)
        self.assertNotIn("8 bytes", self.run_it("layout", "both.o", "twin", "--first"))

    def test_options_that_change_nothing_are_refused(self):
        for options in (("--flat", "-ojson"), ("--expand", "-opahole"), ("--hex", "-ojson"),
                        ("--phase=3", "-opahole"), ("--color", "-ojson"),
                        ("--cacheline=48",), ("--cacheline=0",), ("--cacheline=131072",),
                        ("--btf-base=a.o", "--format=dwarf"), ("--output=xml",)):
            self.run_it("layout", *options, "a.o", "inner", status=USAGE)

    def test_a_phase_counts_modulo_the_line(self):
        self.assertEqual(self.run_it("layout", "--phase=72", "a.o", "inner"),
                         self.run_it("layout", "--phase=8", "a.o", "inner"))

    def test_the_lock_straddles_because_of_where_inner_starts(self):
        output = self.run_it("layout", "a.o", "outer")
        self.assertIn("!     48   +48    24    lock", output)
        self.assertIn("because of where in starts", output)
        self.assertNotIn("because", self.run_it("layout", "--phase=48", "a.o", "outer"))

    def test_colours_are_for_terminals_unless_asked_for(self):
        self.assertNotIn("\033", self.run_it("layout", "a.o", "outer", TERM="xterm"))
        self.assertIn("\033[33m", self.run_it("layout", "--color", "a.o", "outer"))
        self.assertNotIn("\033", self.run_it("layout", "--color=never", "a.o", "outer"))

    def test_json_is_one_document_for_all(self):
        document = json.loads(self.run_it("layout", "-o", "json", "a.o", "*"))
        self.assertEqual(document["schema"], "fieldline.layout/1")
        self.assertEqual([struct["name"] or struct["typedef"] for struct in document["structs"]],
                         ["choice", "inner", "list_head", "lock", "outer", "pair_t"])

    def test_pahole_text_ends_in_a_semicolon(self):
        self.assertEqual(self.run_it("layout", "-opahole", "a.o", "pair_t").splitlines()[0],
                         "typedef struct {")
        self.assertEqual(self.run_it("layout", "-opahole", "a.o", "list_head"), """\
struct list_head {
	struct list_head *         next;                 /*     0     8 */
	struct list_head *         prev;                 /*     8     8 */

	/* size: 16, cachelines: 1, members: 2 */
	/* last cacheline: 16 bytes */
};
""")

    def test_what_is_no_file_of_types_is_refused(self):
        os.mkfifo(os.path.join(self.top, "fifo"))
        with open(os.path.join(self.top, "empty"), "w", encoding="utf-8"):
            pass
        for path in ("./fifo", ".", "empty", "a.o.c"):
            self.run_it("layout", f"./{path}", "inner", status=ERROR)


class List(Objects):
    def names(self, *options):
        document = json.loads(self.run_it("list", "-o", "json", *options, "a.o"))
        return [struct["name"] or struct["typedef"] for struct in document["structs"]]

    def test_all_structs_come_by_name(self):
        self.assertEqual(self.names(), ["choice", "inner", "list_head", "lock", "outer", "pair_t"])

    def test_the_largest_come_first(self):
        self.assertEqual(self.names("--sort", "size", "--min-size=70"),
                         ["outer", "inner", "choice"])
        self.assertEqual(self.names("--sort=size", "--reverse", "--min-size=70"),
                         ["choice", "inner", "outer"])

    def test_a_row_has_its_numbers(self):
        self.assertEqual(self.run_it("list", "--match", "outer", "a.o").splitlines()[1].split(),
                         ["152", "3", "1", "7", "0", "1", "struct", "outer"])

    def test_who_embeds_a_type_is_found_with_offset_and_phase(self):
        self.assertEqual(self.run_it("list", "--contains", "struct lock", "a.o"), """\
  offset   line  phase  struct: field
      32      0     32  struct inner: lock
      48      0     48  struct outer: in.lock
""")
        self.assertIn("struct outer: many\n", self.run_it("list", "-c", "list_head", "a.o"))

    def test_that_nothing_is_left_is_an_error(self):
        self.assertIn("no struct passes the filters",
                      self.run_it("list", "--min-size=5000", "a.o", status=ERROR))
        self.assertIn("embeds 'outer' by value",
                      self.run_it("list", "--contains=outer", "a.o", status=ERROR))

    def test_contradictions_are_usage_errors(self):
        for arguments in (("--min-size=9", "--max-size=8", "a.o"), ("a.o", "a.o"),
                          ("--sort=colour", "a.o"), ("--cacheline=3", "a.o")):
            self.run_it("list", *arguments, status=USAGE)


if __name__ == "__main__":
    FIELDLINE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
