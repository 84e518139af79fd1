#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline diff and snapshot from outside: exit bits, outputs, messages, what may be an input."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

FIELDLINE = None
BASELINES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../layouts/baselines")
ERROR, USAGE, DIFFERS, INCOMPLETE = 1, 3, 4, 16

SOURCE = """
struct lock { int count, owner; };
struct inner { long a; char pad[48]; %s struct lock lock; };
struct outer { int first; struct inner inner; } one;
struct other { int x; } two;
"""
OLD, NEW = SOURCE % "", SOURCE % "int added;"


class Objects(unittest.TestCase):
    """A folder with the same objects before and after an edit, and fieldline run there."""

    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.compile("old.o", OLD)
        self.compile("new.o", NEW)

    def path(self, name):
        return os.path.join(self.top, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def compile(self, name, source, *flags):
        self.write("source.c", source)
        subprocess.run(["cc", "-g", "-c", "-o", name, *flags, "source.c"], cwd=self.top, check=True)

    def run_(self, command, *arguments, status=0):
        result = subprocess.run([FIELDLINE, command, *arguments], cwd=self.top,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                check=False)
        self.assertEqual(result.returncode, status, result.stdout)
        return result.stdout

    def diff(self, *arguments, status=DIFFERS, files=("old.o", "new.o")):
        return self.run_("diff", *arguments, *files, status=status)


class Diff(Objects):
    def test_nothing_changed_is_0(self):
        self.assertIn("\n4 as before\n", self.diff(files=("old.o", "old.o"), status=0))

    def test_the_cause_comes_first_and_who_follows_below_it(self):
        output = self.diff()
        self.assertIn("struct inner (source.c:3): 64 to 72 bytes (+8)\n"
                      "! 'added' was added at 56: 4 bytes (int)\n", output)
        self.assertIn("  'lock' moved on by 4 bytes: 'added' was added\n", output)
        self.assertIn("  changed because of it:\n"
                      "    struct outer, 72 to 80 bytes (+8): 'inner' is struct inner\n", output)
        self.assertIn("\n1 changed, 1 changed because of these, 2 as before", output)

    def test_the_order_of_files_matters(self):
        self.assertIn("'added' was removed from 56", self.diff(files=("new.o", "old.o")))

    def test_only_what_is_named_is_compared(self):
        self.assertIn("1 as before", self.run_("diff", "old.o", "new.o", "other"))
        self.assertIn("struct inner", self.run_("diff", "old.o", "new.o", "inn*", status=DIFFERS))

    def test_exit_bits_can_be_chosen(self):
        self.diff("--exit-zero", status=0)
        self.diff("--fail-on", "differs")
        self.diff("--fail-on", "violation", status=0)
        self.diff("--fail-on", "incomplete", status=0)
        self.diff("--fail-on", "DIFF-PHASE", status=0)
        self.diff("--fail-on", "DIFF-SIZE")
        self.diff("--fail-on", "DIFF-RIPPLE")  # a note counts where its rule is named
        self.diff("--fail-on", "violation,DIFF-S*")
        self.diff("--fail-on", "violation", "--fail-on", "differs")

    def test_what_one_side_lacks_differs(self):
        self.compile("new.o", OLD.replace("struct other { int x; } two;", ""))
        self.assertIn("gone:\n  struct other (source.c:5), 4 bytes\n", self.diff())
        output = self.run_("diff", "old.o", "new.o", "other", status=DIFFERS)
        self.assertIn("1 gone", output)
        self.assertIn("new:\n  struct other", self.diff(files=("new.o", "old.o")))

    def test_what_neither_has_is_an_error(self):
        output = self.run_("diff", "old.o", "new.o", "innr", status=ERROR)
        self.assertIn("'innr'", output)
        self.assertIn("did you mean", output)

    def test_lines_of_other_sizes(self):
        self.assertIn("1 to 2 lines of 64", self.diff())
        self.assertIn("1 line of 128 as before", self.diff("--line-size", "128"))
        both = self.diff("--line-size", "64", "--line-size", "128")
        self.assertIn("1 to 2 lines of 64, 1 line of 128 as before", both)

    def test_the_phase_moves_the_boundaries(self):
        # added at 56, lock at 60: cut at 64; with the object 4 bytes further on it is not
        self.assertIn("'lock' (8 bytes) straddles", self.run_("diff", "old.o", "new.o", "inner",
                                                              status=DIFFERS))
        self.assertNotIn("'lock' (8 bytes) straddles",
                         self.run_("diff", "--phase", "4", "old.o", "new.o", "inner",
                                   status=DIFFERS))

    def test_stat_prints_numbers_only(self):
        self.assertRegex(self.diff("--stat"), r"^1 changed, 1 changed because of these, 2 as before; "
                                              r"\d+ warnings, \d+ notes\n$")

    def test_several_outputs_at_once(self):
        output = self.diff("-f", "text", "-f", "json=out.json", "-f", "markdown=out.md",
                           "-f", "sarif=out.sarif", "-f", "junit=out.xml", "-f", "github=out.txt")
        self.assertIn("struct inner", output)
        document = json.loads(self.read("out.json"))
        self.assertEqual(document["schema"], "fieldline.diff/1")
        self.assertEqual([struct["name"] for struct in document["structs"]],
                         ["struct inner", "struct outer"])
        self.assertEqual(document["structs"][1]["cause"], 0)
        self.assertIn("struct inner", self.read("out.md"))
        results = json.loads(self.read("out.sarif"))["runs"][0]["results"]
        self.assertIn("DIFF-FIELD", {result["ruleId"] for result in results})
        suite = xml.etree.ElementTree.parse(self.path("out.xml")).getroot()
        self.assertEqual(len(list(suite.iter("testcase"))), 4)
        self.assertRegex(self.read("out.txt"),
                         r"::warning file=source\.c,line=3,title=DIFF-FIELD [^:]*::struct inner: "
                         r"'added' was added")

    def test_files_are_named_from_the_sources(self):
        for name, text in (("old.o", OLD), ("new.o", NEW)):
            self.write("source.c", text)
            subprocess.run(["cc", "-g", "-c", "-o", self.path(name), self.path("source.c")],
                           cwd="/", check=True)
        self.assertIn("struct inner (source.c:3)", self.diff())
        self.assertIn(f"struct inner ({self.path('source.c')}:3)",
                      self.diff("--source-root", "/nowhere"))

    def test_mistakes_are_told_before_anything_is_read(self):
        missing = ("no.o", "such.o")
        for arguments, message in (
                (("-f", "xml"), "--report wants one of text, json"),
                (("-f", "json="), "names no file"),
                (("-f", "json", "-f", "sarif"), "go to standard output"),
                (("-f", "json=x", "-f", "sarif=x"), "go to x"),
                (("--fail-on", "DIFF-NONE"), "--fail-on knows"),
                (("--line-size", "60"), "power of two"),
                (("--line-size", "large"), "wants a number")):
            self.assertIn(message, self.diff(*arguments, status=USAGE, files=missing))
        self.run_("diff", "old.o", status=USAGE)

    def test_what_cannot_be_read_or_written_is_an_error(self):
        self.diff(files=("old.o", "no.o"), status=ERROR)
        self.diff(files=("source.c", "new.o"), status=ERROR)
        self.diff("-f", "json=nowhere/out.json", status=ERROR)
        self.assertFalse(os.path.exists(self.path("nowhere")))

    def test_other_machines_and_compilers_differ_only_in_layout(self):
        if not shutil.which("clang"):
            self.skipTest("needs clang")
        self.write("source.c", OLD)
        subprocess.run(["clang", "-target", "aarch64-linux-gnu", "-g", "-c", "-o", "arm.o",
                        "source.c"], cwd=self.top, check=True)
        self.assertIn("These are different machines", self.diff(files=("old.o", "arm.o"), status=0))


class Snapshot(Objects):
    def setUp(self):
        super().setUp()
        self.run_("snapshot", "old.o", "outer", "-o", "old.json")

    def test_it_stands_for_what_it_was_taken_of(self):
        self.assertIn("1 as before", self.diff(files=("old.json", "old.o"), status=0))
        self.assertIn("1 as before", self.diff(files=("old.o", "old.json"), status=0))
        self.assertIn("struct inner (source.c:3): 64 to 72 bytes",
                      self.diff(files=("old.json", "new.o")))
        self.assertEqual(self.run_("layout", "--output", "pahole", "old.json", "outer"),
                         self.run_("layout", "--output", "pahole", "old.o", "outer"))

    def test_what_came_along_can_be_asked_for(self):
        self.assertIn("struct inner: 64 bytes", self.run_("layout", "old.json", "inner"))
        output = self.run_("layout", "old.json", "innr", status=ERROR)
        self.assertIn("did you mean 'inner'", output)

    def test_only_its_structs_are_compared(self):
        output = self.diff(files=("old.json", "new.o"))
        self.assertNotIn("struct other", output)
        self.assertNotIn("new:\n", output)

    def test_only_its_structs_are_compared_however_many(self):
        source = "".join(f"struct {name}{i} {{ int x; }} {name}{i};\n"
                         for name in ("many", "more") for i in range(70))
        self.compile("old.o", source)
        self.run_("snapshot", "old.o", "many*", "-o", "old.json")
        self.assertIn("\n70 as before\n", self.diff(files=("old.json", "old.o"), status=0))

    def test_it_is_the_same_each_time_and_tells_nothing_of_the_machine(self):
        first = self.read("old.json")
        os.rename(self.path("old.o"), self.path("renamed.o"))
        self.run_("snapshot", "renamed.o", "outer", "-o", "old.json")
        self.assertEqual(self.read("old.json"), first)
        self.assertNotIn(self.top, first)
        self.assertNotIn(os.path.basename(self.top), first)

    def test_a_field_is_a_line(self):
        self.run_("snapshot", "new.o", "outer", "-o", "new.json")
        old, new = self.read("old.json").splitlines(), self.read("new.json").splitlines()
        self.assertEqual(len(new), len(old) + 1)
        # the lock behind it moves, the sizes of two structs change
        self.assertEqual(len(set(new) - set(old)), 4)

    def test_a_newer_one_asks_for_an_update(self):
        self.write("old.json", self.read("old.json").replace("snapshot/1", "snapshot/9"))
        output = self.diff(files=("old.json", "new.o"), status=ERROR)
        self.assertIn("update fieldline", output)

    def test_a_damaged_one_is_an_error_with_its_place(self):
        text = self.read("old.json")
        for damaged, message in (
                (text[:-20], r"'old\.json': line \d+, column \d+: "),
                (text.replace('"offset":0', '"offset":"0"', 1), r"\.offset: wants a number"),
                (text.replace('"int":{"size":4,"base":true}', '"int":{"size":4,"basis":true}'),
                 r'types\["int"\]: wants an object that says its kind')):
            self.assertNotEqual(damaged, text)
            self.write("old.json", damaged)
            output = self.diff(files=("old.json", "new.o"), status=ERROR)
            self.assertTrue(re.search(message, output), output)

    def test_the_old_file_stays_when_something_fails(self):
        before = self.read("old.json")
        self.run_("snapshot", "old.o", "nosuch", "-o", "old.json", status=ERROR)
        self.assertEqual(self.read("old.json"), before)
        self.assertEqual([name for name in os.listdir(self.top) if name.startswith("old.json")],
                         ["old.json"])

    def test_the_baselines_and_what_is_written_are_as_the_schema_says(self):
        try:
            import jsonschema  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        with open(os.path.join(BASELINES, "snapshot.schema.json"), encoding="utf-8") as file:
            validator = jsonschema.Draft202012Validator(json.load(file))
        names = [name for name in os.listdir(BASELINES) if name.startswith("debian")]
        self.assertTrue(names)
        for path in [os.path.join(BASELINES, name) for name in names] + [self.path("old.json")]:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
            validator.validate(document)
        document["types"]["int"]["sise"] = 4
        with self.assertRaises(jsonschema.ValidationError):
            validator.validate(document)

    def test_the_baselines_can_be_read(self):
        for name in os.listdir(BASELINES):
            if name.startswith("debian"):
                path = os.path.join(BASELINES, name)
                self.assertIn(" as before\n", self.diff(files=(path, path), status=0))

    def test_format_does_not_go_with_it(self):
        self.run_("layout", "--format", "dwarf", "old.json", "outer", status=USAGE)
        self.run_("snapshot", "old.o", "-o", "x.json", status=USAGE)


if __name__ == "__main__":
    FIELDLINE = os.path.realpath(sys.argv.pop(1))
    unittest.main(verbosity=2)
