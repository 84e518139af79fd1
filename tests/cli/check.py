#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline check from outside: exit bits, messages, outputs, on objects compiled for each case.

The compiler is the oracle for offsets (a program of it prints them), nm for neighbours of symbols."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FIELDLINE = None
DIFFERS, VIOLATED, INCOMPLETE, USAGE = 4, 4 | 8, 16, 1 | 2

SOURCE = """
typedef struct { int counter; } atomic_t;
typedef struct spinlock { unsigned int slock; } spinlock_t;
struct queue {
	void *ops;
	unsigned long flags;
	char name[44];
	spinlock_t lock;
	atomic_t active;
	unsigned long served;
};
struct outer { int first; struct queue queue; } __attribute__((aligned(64)));
struct outer one;
struct queue two;
"""
POLICY = {"schema": "fieldline.policy/1",
          "structs": [{"struct": "queue", "max_size": 80}, {"struct": "outer", "max_lines": 2}]}


class Objects(unittest.TestCase):
    """A folder with an object in it, and check run there."""

    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.compile("a.o", SOURCE)

    def path(self, name):
        return os.path.join(self.top, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def compile(self, name, source, *flags):
        self.write("source.c", source)
        subprocess.run(["cc", "-g", "-c", "-o", name, *flags, "source.c"], cwd=self.top, check=True)

    def check(self, *arguments, status=0, policy=None, files=("a.o",)):
        """Runs check in the folder of the files; yields what it prints, errors included."""
        if policy is not None:
            self.write("policy.json", policy)
            arguments = ("--policy", "policy.json") + arguments
        result = subprocess.run([FIELDLINE, "check", *arguments, *files], cwd=self.top,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                check=False)
        self.assertEqual(result.returncode, status, result.stdout)
        return result.stdout


class Check(Objects):
    def changed(self, **guard):
        return {"schema": "fieldline.policy/1", "structs": [{"struct": "queue", **guard}]}

    def test_a_kept_policy_is_silent(self):
        output = self.check(policy=POLICY)
        self.assertEqual(output, "check: a.o against policy.json\n\nnothing found; 2 examined\n")

    def test_a_violation_has_its_bits(self):
        output = self.check(policy=self.changed(max_size=79), status=VIOLATED)
        self.assertIn("struct queue  source.c:4\n"
                      "  error POLICY-SIZE: has 80 bytes, 1 more than the 79 allowed\n", output)
        self.check("--exit-zero", policy=self.changed(max_size=79))
        self.check("--fail-on", "POLICY-LINES", policy=self.changed(max_size=79))
        self.check("--fail-on", "POLICY-SIZE", policy=self.changed(max_size=79), status=VIOLATED)
        self.check("--fail-on", "incomplete", policy=self.changed(max_size=79))

    def test_offsets_are_those_of_the_compiler(self):
        program = SOURCE + """
#include <stdio.h>
#include <stddef.h>
int main(void) { printf("%zu", offsetof(struct outer, queue.lock)); return one.first + two.flags; }
"""
        self.write("program.c", program)
        subprocess.run(["cc", "-o", "program", "program.c"], cwd=self.top, check=True)
        offset = int(subprocess.run([self.path("program")], stdout=subprocess.PIPE, check=True).stdout)
        output = self.check(policy={
            "schema": "fieldline.policy/1",
            "structs": [{"struct": "outer", "fields": {"queue.lock": {"phase": 1}}}]},
                            status=VIOLATED)
        self.assertIn(f"'queue.lock' starts {offset % 64} bytes into a line of 64, not 1 "
                      f"(at byte {offset})", output)

    def test_what_vanished_is_a_gap(self):
        policy = {"schema": "fieldline.policy/1",
                  "structs": [{"struct": "queues", "max_size": 1}, {"struct": "queue", "max_size": 80}]}
        output = self.check(policy=policy, status=INCOMPLETE)
        self.assertIn("gap: policy.json: structs[0]: 'a.o': no struct, union or typedef of one is "
                      "named 'queues'", output)
        self.assertIn("queue", output.split("named 'queues'")[1].splitlines()[0])
        policy["structs"][0]["optional"] = True
        self.check(policy=policy)
        self.check(policy={"schema": "fieldline.policy/1",
                           "structs": [{"struct": "nosuch*", "max_size": 1}]}, status=INCOMPLETE)

    def test_a_renamed_field_is_a_gap(self):
        output = self.check(policy=self.changed(no_straddle=["lokc"], max_size=79),
                            status=VIOLATED | INCOMPLETE)
        self.assertIn("gap: policy.json: structs[0].no_straddle: struct queue has no field 'lokc'; "
                      "is 'lock' meant?", output)

    def test_wrong_policies_are_errors(self):
        for policy, message in (
                ("{", "'policy.json': line 1, column 1: "),
                ({"schema": "fieldline.policy/1", "structs": [{"struct": "queue", "max": 1}]},
                 "'policy.json': structs[0]: unknown key 'max'"),
                (self.changed(share=[["lock", "flags"]], apart=[["lock", "flags"]]),
                 "structs[0].share[0] puts 'lock' and 'flags' on one line"),
                ({"schema": "fieldline.policy/9"}, "newer than this fieldline reads")):
            self.assertIn(message, self.check(policy=policy, status=1))
        self.assertIn("'nosuch.json'", self.check("--policy", "nosuch.json", status=1))

    def test_wrong_command_lines_are_usage_errors(self):
        for arguments in ((), ("--policy", "policy.json", "b.o"), ("--symbols", "--phase", "8"),
                          ("--symbols", "--date", "tomorrow"), ("--symbols", "--nosuch"),
                          ("--learn", "-"), ("--learn", "-", "--symbols", "queue"),
                          ("--symbols", "--fail-on", "POLICY-SIZ"),
                          ("--symbols", "-f", "sarif", "-f", "junit")):
            self.write("policy.json", POLICY)
            self.check(*arguments, status=USAGE)

    def test_exceptions_are_judged_by_the_day(self):
        policy = self.changed(max_size=79)
        policy["exceptions"] = [{"rule": "POLICY-SIZE", "struct": "queue", "reason": "until then",
                                 "expires": "2026-12-01"}]
        output = self.check("--date", "2026-12-01", policy=policy)
        self.assertIn("excepted: until then", output)
        output = self.check("--date", "2026-12-02", policy=policy, status=VIOLATED)
        self.assertIn("error EXCEPTION-EXPIRED: exceptions[0] of POLICY-SIZE expired on 2026-12-01 "
                      "(until then)", output)
        policy["exceptions"][0]["rule"] = "POLICY-LINES"
        output = self.check("--date", "2026-12-01", "--exit-zero", policy=policy)
        self.assertIn("note EXCEPTION-UNUSED", output)

    def test_several_outputs_at_once(self):
        output = self.check("-f", "sarif=out.sarif", "-f", "markdown=out.md", "-f", "junit=out.xml",
                            "-f", "json=out.json", "-f", "github", policy=self.changed(max_size=79),
                            status=VIOLATED)
        self.assertEqual(output, "::error file=source.c,line=4,title=POLICY-SIZE struct too large::"
                                 "struct queue: has 80 bytes, 1 more than the 79 allowed\n")
        finding = json.loads(self.read("out.json"))["findings"][0]
        result = json.loads(self.read("out.sarif"))["runs"][0]["results"][0]
        self.assertEqual(list(result["partialFingerprints"].values()), [finding["fingerprint"]])
        self.assertIn("POLICY-SIZE", self.read("out.md"))
        self.assertIn("<failure", self.read("out.xml"))

    def test_nothing_is_half_written(self):
        self.check("-f", "json=out.json", policy=POLICY, files=("nosuch.o",), status=1)
        self.check("-f", "json=out.json", policy="{", status=1)
        self.check("-f", "sarif=nosuch/out.sarif", "-f", "json=out.json", policy=POLICY, status=1)
        self.assertFalse(os.path.exists(self.path("out.json")))
        self.write("out.json", "kept")
        self.check("-f", "json=out.json", policy="{", status=1)
        self.assertEqual(self.read("out.json"), "kept")

    def test_output_is_the_same_each_time(self):
        policy = self.changed(max_size=1, max_lines=1, no_straddle="all", fields={"lock": {"own_line": True}})
        for form in ("text", "json", "sarif", "junit", "markdown", "github"):
            self.assertEqual(*(self.check("-f", form, policy=policy, status=VIOLATED)
                               for _ in range(2)))

    def test_several_policies_are_judged_in_one_run(self):
        self.write("other.json", self.changed(max_lines=1))
        output = self.check("--policy", "other.json", policy=POLICY, status=VIOLATED)
        self.assertIn("against other.json, policy.json" if "other.json, policy" in output else
                      "against policy.json, other.json", output)
        self.assertIn("POLICY-LINES", output)

    def test_learnt_policies_hold_until_something_changes(self):
        for flags in ((), ("-DEXTRA", "-O2")):
            self.compile("a.o", SOURCE, *flags)
            self.check("--learn", "learnt.json", files=("a.o", "queue", "outer"))
            self.check("--policy", "learnt.json")
        self.compile("a.o", SOURCE.replace("int first;", "int first; char pad[64];"))
        output = self.check("--policy", "learnt.json", status=VIOLATED)
        self.assertIn("POLICY-LINES", output)
        self.compile("a.o", SOURCE.replace("char name[44]", "char name[42]"), "-fpack-struct")
        self.assertIn("POLICY-STRADDLE", self.check("--policy", "learnt.json", status=VIOLATED))

    def snapshot(self, name, *structs):
        subprocess.run([FIELDLINE, "snapshot", "a.o", *structs, "-o", name], cwd=self.top, check=True)

    def test_a_baseline_is_kept_but_for_what_is_allowed(self):
        os.mkdir(self.path("policies"))
        self.snapshot("policies/queue.json", "queue", "outer")
        self.write("policies/p.json", self.changed(baseline={"snapshot": "queue.json"}))
        self.check("--policy", "policies/p.json")
        self.compile("a.o", SOURCE.replace("spinlock_t lock;", "int extra; spinlock_t lock;"))
        output = self.check("--policy", "policies/p.json", status=VIOLATED)
        self.assertIn("error POLICY-BASELINE: since queue.json 'extra' was added at 60", output)
        self.assertIn("since queue.json 2 fields, 'lock' to 'active', moved by +4 bytes: 'extra' was "
                      "added", output)
        self.write("policies/p.json", self.changed(
            baseline={"snapshot": "queue.json", "allow": ["added", "moved", "resized"]}))
        self.check("--policy", "policies/p.json")

    def test_wrong_baselines_are_errors(self):
        self.write("newer.json", {"schema": "fieldline.snapshot/99"})
        output = self.check(policy=self.changed(baseline={"snapshot": "newer.json"}), status=1)
        self.assertIn("'policy.json': structs[0].baseline: ", output)
        self.assertIn("newer than this fieldline reads", output)
        output = self.check(policy=self.changed(baseline={"snapshot": "nosuch.json"}), status=1)
        self.assertIn("nosuch.json", output)
        self.snapshot("outer.json", "outer")
        policy = {"schema": "fieldline.policy/1", "structs": [
            {"struct": "spinlock", "baseline": {"snapshot": "outer.json"}},
            {"struct": "other", "baseline": {"snapshot": "outer.json"}}]}
        self.compile("a.o", SOURCE + "struct other { int x; } other;")
        self.assertIn("struct other is not in outer.json", self.check(policy=policy, status=INCOMPLETE))

    def test_debug_information_may_be_btf(self):
        if not shutil.which("pahole"):
            self.skipTest("no pahole")
        subprocess.run(["pahole", "-J", "a.o"], cwd=self.top, check=True)
        self.check("--format", "btf", policy=POLICY)
        self.check("--format", "btf", policy=self.changed(max_size=79), status=VIOLATED)

    def test_tables_of_fast_paths_are_noted(self):
        os.mkdir(self.path("tables"))
        self.write("tables/queue.rst",
                   "queue struct fast path usage breakdown\n\n"
                   "===== ======= ================== ================== ========\n"
                   "Type  Name    fastpath_tx_access fastpath_rx_access Comments\n"
                   "===== ======= ================== ================== ========\n"
                   "void* ops     read_mostly                           a\n"
                   "int   served  read_mostly        read_write         b\n"
                   "int   active  read_mostly        read_mostly        c\n"
                   "===== ======= ================== ================== ========\n")
        output = self.check("--net-cachelines", "tables")
        self.assertIn("note PATH-LINES: the tx path uses 3 fields of 20 bytes on 2 lines of 64; "
                      "1 would hold them", output)
        self.assertIn("note PATH-SHARED: on line 1 of 64 bytes tx reads 'active', where rx writes "
                      "'served'", output)
        self.check("--net-cachelines", "tables", "--fail-on", "PATH-SHARED", status=DIFFERS)
        self.assertIn("has no table", self.check("--net-cachelines", ".", status=1))


class Symbols(Objects):
    """Globals; the linker places them, nm tells where."""

    SOURCE = """
int before = 1;
int hot[10] __attribute__((aligned(64))) = { 1 };
int behind = 2;
int large[32] __attribute__((aligned(64))) = { 1 };
extern int alias __attribute__((alias("behind")));
int main(void) { return before + hot[0] + behind + large[0] + alias; }
"""

    def neighbours(self, image, name, cacheline=64):
        """Who else lies on the lines of the symbol, by nm; other names of the same bytes aside."""
        symbols = {}
        for line in subprocess.run(["nm", "-S", image], cwd=self.top, stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.splitlines():
            found = re.match(r"([0-9a-f]+) ([0-9a-f]+) [bBdDrR] (\S+)$", line)
            if found:
                symbols[found.group(3)] = (int(found.group(1), 16), int(found.group(2), 16))
        start, size = symbols[name]
        lines = range(start // cacheline, (start + size - 1) // cacheline + 1)
        return {other for other, (at, length) in symbols.items()
                if (at + length <= start or at >= start + size)
                and set(range(at // cacheline, (at + length - 1) // cacheline + 1)) & set(lines)}

    def test_neighbours_are_those_of_nm(self):
        self.write("source.c", self.SOURCE)
        subprocess.run(["cc", "-o", "program", "-fno-common", "source.c"], cwd=self.top, check=True)
        for name in ("before", "hot", "behind", "alias", "large"):
            expected = self.neighbours("program", name)
            output = self.check("--symbol", name, "--exit-zero", files=("program",))
            line = [line for line in output.splitlines() if "error SYMBOL-SHARED" in line]
            told = set(re.findall(r"'(\w+)' \(0x", line[0])) if line else set()
            if len(expected) <= 5:
                expected -= {"alias" if "behind" in told else "behind"} & expected
                self.assertEqual(told, expected, name)
        self.check("--symbol", "hot", files=("program",), status=VIOLATED)
        self.check("--symbol", "large", files=("program",))

    def test_objects_tell_lines_only_of_aligned_sections(self):
        self.compile("a.o", "int x = 1, y = 2;")
        output = self.check("--symbol", "x", status=INCOMPLETE)
        self.assertIn("is only aligned to", output)
        self.compile("a.o", "int x __attribute__((aligned(64))) = 1, y = 2;", "-fno-toplevel-reorder")
        self.check("--symbol", "x", status=VIOLATED)

    def test_policies_name_symbols(self):
        self.compile("a.o", "int x __attribute__((aligned(64))) = 1, y = 2;", "-fno-toplevel-reorder")
        policy = {"schema": "fieldline.policy/1", "symbols": [{"symbol": "x", "why": "it is hot"}]}
        self.assertIn("it is hot", self.check(policy=policy, status=VIOLATED))
        policy["exceptions"] = [{"rule": "SYMBOL-SHARED", "struct": "x", "reason": "so it is",
                                 "expires": "9999-12-31"}]
        self.check(policy=policy)

    def test_a_file_without_symbols_is_an_error(self):
        subprocess.run(["strip", "a.o"], cwd=self.top, check=True)
        self.assertIn("no symbol table", self.check("--symbols", status=1))
        self.write("b.o", "no ELF")
        self.check("--symbols", files=("b.o",), status=1)


if __name__ == "__main__":
    FIELDLINE = os.path.realpath(sys.argv.pop(1))
    unittest.main(verbosity=2)
