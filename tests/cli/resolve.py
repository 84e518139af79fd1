#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline resolve from outside: what it explains, what it refuses, what it keeps in the cache."""

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
struct inner { long pad; volatile int count; };
struct thing { char name[12]; struct inner *inner; volatile int state; };
volatile int counter;
__attribute__((noinline)) void touch(struct thing *thing)
{
	thing->state = 0x1234;
	thing->inner->count = 0x2345;
	counter = 0x3456;
	__sync_fetch_and_add(&thing->state, 3);
}
int main(int argc, char **argv) { static struct thing it; touch(&it); return 0; }
"""


# trace/counts_format.h: types of records, a form of memory and what its offsets count from.
ABOUT, PLACE_OF_MEMORY, PLACE_OF_CODE, ROW, END = 1, 4, 5, 8, 11
IMAGE, IMAGE_START = 1, 0xffffffff80000000


def number(value):
    """LEB128."""
    out = b""
    while value > 0x7f:
        out, value = out + bytes((0x80 | value & 0x7f,)), value >> 7
    return out + bytes((value,))


def record(kind, *values):
    payload = b"".join(number(len(value)) + value.encode() if isinstance(value, str) else
                       number(value) for value in values)
    return number(kind) + number(len(payload)) + payload


@unittest.skipUnless(os.uname().machine == "x86_64", "compiles for this machine")
class Resolve(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.cache = os.path.join(self.top, "cache")
        with open(os.path.join(self.top, "a.c"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        self.compile("a", "-g")

    def compile(self, name, *options):
        subprocess.run(["gcc", "-O2", "-fno-pie", "-no-pie", "-Wl,--build-id", *options, "a.c",
                        "-o", name], cwd=self.top, check=True)

    def run_it(self, *arguments, status=0):
        result = subprocess.run([FIELDLINE, "resolve", *arguments], cwd=self.top, text=True,
                                capture_output=True, check=False,
                                env={**os.environ, "FIELDLINE_CACHE": self.cache})
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stderr if status else result.stdout

    def test_truth_wants_a_run_that_counted_every_access(self):
        error = self.run_it("--truth", self.top, "a", status=ERROR)
        self.assertIn("counts", error)
        with open(os.path.join(self.top, "counts"), "wb") as file:
            # Version 1, a header of 16 bytes; the record that ends the file.
            file.write(b"FIELDCNT" + bytes((1, 0, 0, 0, 16, 0, 0, 0)) + bytes((11, 0)))
        error = self.run_it("--truth", self.top, "a", status=ERROR)
        self.assertIn("--every-access", error)
        self.run_it("--truth", self.top, "--stats", "a", status=USAGE)
        self.run_it("--modules", self.top, "--stats", "a", status=USAGE)

    def write_stores(self, ip, places):
        """Counts of the 4-byte stores of one instruction, as {address: how many}."""
        rows = [record(ROW, 0, address - IMAGE_START, 4, address % 64, 0, 0, 0, 0, nr, *[0] * 16)
                for address, nr in places.items()]
        with open(os.path.join(self.top, "counts"), "wb") as file:
            file.write(b"FIELDCNT" + bytes((1, 0, 0, 0, 16, 0, 0, 0)) +
                       record(ABOUT, "every_access", "1") + record(ABOUT, "line_size", "64") +
                       record(PLACE_OF_MEMORY, 0, IMAGE, 0, IMAGE_START, 0) +
                       record(PLACE_OF_CODE, 0, ip, 0) + b"".join(rows) + record(END))

    def test_answers_are_held_against_what_was_accessed(self):
        self.compile("k", "-g", "-mcmodel=kernel", "-nostdlib", "-static", "-Wl,-e,touch",
                     "-Wl,-Ttext=0xffffffff81000000")
        symbols = {line.split()[2]: int(line.split()[0], 16) for line in subprocess.run(
            ["nm", "k"], cwd=self.top, capture_output=True, text=True,
            check=True).stdout.splitlines()}
        dump = subprocess.run(["objdump", "-d", "k"], cwd=self.top, capture_output=True,
                              text=True, check=True).stdout
        ip = next(int(line.split(":")[0], 16) for line in dump.splitlines() if "$0x1234" in line)
        name, thing = next(item for item in symbols.items() if item[0].startswith("it"))
        # state, parts of inner and of name, and another variable altogether
        self.write_stores(ip, {thing + 24: 70, thing + 16: 12, thing + 4: 8,
                               symbols["counter"]: 10})
        told = json.loads(self.run_it("--no-cache", "--truth", self.top, "-f", "json", "k"))
        self.assertEqual(told["schema"], "fieldline.accuracy/1")
        self.assertEqual(told["total"]["accesses"], 100)
        for row in told["memory"]["variable"], told["rules"]["register"]:
            self.assertEqual({word: share["accesses"] for word, share in row.items()
                              if share["accesses"]}, {"same": 70, "field": 20, "wrong": 10})
        self.assertEqual([(error["agreement"], error["accesses"], error["said"]["field"],
                           error["owner"]) for error in told["errors"]],
                         [("field", 20, "state", name),
                          ("wrong", 10, "state", "counter")])
        text = self.run_it("--no-cache", "--truth", self.top, "k")
        self.assertRegex(text, r"100 100\.00 +100 +70\.000 .* 20\.000 +10\.000 +30\.000  all")

    def places(self):
        """{what the instruction has in it: symbol+offset} of touch()."""
        dump = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--disassemble=touch", "a"],
                              cwd=self.top, capture_output=True, text=True, check=True)
        lines = [line.split("\t") for line in dump.stdout.splitlines() if line.count("\t") > 0]
        start = int(lines[0][0].strip(" :"), 16)
        return {key: f"touch+{int(line[0].strip(' :'), 16) - start}" for line in lines
                for key in ("$0x1234", "$0x2345", "$0x3456", "lock") if key in line[1]}

    def explain(self, *options):
        places = self.places()
        arguments = [word for place in places.values() for word in ("--ip", place)]
        document = json.loads(self.run_it("-f", "json", *options, *arguments, "a"))
        self.assertEqual(document["schema"], "fieldline.resolve/1")
        return dict(zip(places, document["instructions"]))

    def test_fields_and_kinds_of_access(self):
        told = self.explain()
        self.assertEqual([(told[key]["type"], told[key]["field"]) for key in told],
                         [("struct thing", "state"), ("struct inner", "count"),
                          ("int", None), ("struct thing", "state")])
        self.assertEqual((told["lock"]["locked"], told["lock"]["load"], told["lock"]["store"]),
                         (True, True, True))
        self.assertEqual((told["$0x1234"]["load"], told["$0x1234"]["store"]), (False, True))
        self.assertEqual(told["$0x1234"]["offset"], 24)
        self.assertEqual(told["$0x3456"]["rule"], "variable")

    def write_list(self, text):
        with open(os.path.join(self.top, "list"), "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_list_is_resolved_like_single_instructions(self):
        places, told = self.places(), self.explain("--no-cache")
        self.write_list("".join(f"{place}\n" for place in reversed(places.values())))
        rows = json.loads(self.run_it("--no-cache", "-f", "json", "--ips", "list", "a"))
        for key, row in zip(reversed(places), rows["instructions"]):
            self.assertEqual(row, {**told[key], "steps": []})
        output = self.run_it("--ips", "list", "a").splitlines()
        self.assertIn("struct thing +24 state: locked read-modify-write of 4 bytes; register, "
                      "confidence high", output[0])

    def test_a_list_is_counted_by_weight(self):
        places = self.places()
        self.write_list(f"{places['$0x1234']} 90\n\n0x10\t10\n")
        told = json.loads(self.run_it("--stats", "-f", "json", "--ips", "list", "a"))
        self.assertEqual(told["total"], {"instructions": 2, "weight": 100})
        self.assertEqual(told["typed"], {"instructions": 1, "weight": 90})

    def test_what_no_list_is(self):
        self.write_list("touch+1\nnobody\n")
        self.assertIn("list, line 2: ", self.run_it("--ips", "list", "a", status=ERROR))
        self.write_list("touch+1 many\n")
        self.assertIn("list, line 1: ", self.run_it("--ips", "list", "a", status=USAGE))
        self.write_list("\n")
        self.assertIn("no address", self.run_it("--ips", "list", "a", status=ERROR))
        self.assertIn("no-list", self.run_it("--ips", "no-list", "a", status=ERROR))

    def test_the_way_back_names_the_parameter(self):
        output = self.run_it("--ip", self.places()["$0x2345"], "a")
        self.assertIn("struct inner +8 count: store of 4 bytes", output)
        self.assertIn("holds parameter thing, struct thing *", output)

    def test_an_address_says_the_same_as_a_symbol(self):
        place = self.places()["$0x1234"]
        document = json.loads(self.run_it("-f", "json", "--ip", place, "a"))
        address = document["instructions"][0]["ip"]
        self.assertEqual(self.run_it("-f", "json", "--ip", hex(address), "a"),
                         self.run_it("-f", "json", "--ip", place, "a"))

    def test_counts_add_up(self):
        coverage = json.loads(self.run_it("--stats", "-f", "json", "a"))
        total = coverage["total"]["instructions"]
        self.assertGreaterEqual(total, 5)
        for rows in ("reasons", "rules", "confidence", "address"):
            self.assertEqual(sum(row["instructions"] for row in coverage[rows].values()), total)
        self.assertEqual(coverage["typed"], coverage["reasons"]["resolved"])

    def test_a_sample_is_the_same_for_the_same_seed(self):
        first = self.run_it("--stats", "--sample", "3", "--seed", "9", "a")
        self.assertEqual(first, self.run_it("--stats", "--sample", "3", "--seed", "9", "a"))
        self.assertTrue(first.lstrip().startswith("3 "))

    def table(self):
        folder = os.path.join(self.cache, "tables")
        return [os.path.join(folder, name) for name in os.listdir(folder)]

    def test_the_table_says_what_the_analysis_does(self):
        fresh = self.explain("--no-cache")
        self.run_it("--table", "a")
        self.assertEqual(len(self.table()), 1)
        self.assertEqual(self.explain(), fresh)

    def test_a_damaged_table_is_not_believed(self):
        fresh = self.explain("--no-cache")
        self.run_it("--table", "a")
        path, = self.table()
        with open(path, "rb") as file:
            data = file.read()
        for damaged in (data[:50], data[:-1], b"", data[:40] + b"\xff" + data[41:],
                        data[:-30] + bytes(30)):
            with open(path, "wb") as file:
                file.write(damaged)
            self.assertEqual(self.explain(), fresh)

    def test_no_cache_leaves_nothing_behind(self):
        self.run_it("--no-cache", "--stats", "a")
        self.assertFalse(os.path.exists(self.cache))

    def test_wrong_command_lines(self):
        for arguments in ([], ["a"], ["--stats", "--ip", "touch", "a"], ["--sample", "3", "a"],
                          ["--table", "--no-cache", "a"], ["--stats", "a", "b"],
                          ["--ip", "12x", "a"]):
            self.run_it(*arguments, status=USAGE)

    def test_what_is_missing_is_said(self):
        self.assertIn("no symbol 'nosuch'", self.run_it("--ip", "nosuch+3", "a", status=ERROR))
        self.compile("bare", "-s")
        self.assertIn("no DWARF", self.run_it("--stats", "bare", status=ERROR))
        self.run_it("--stats", "nosuch", status=ERROR)

    def test_what_is_no_access_is_no_error(self):
        self.assertIn("no memory operand", self.run_it("--ip", "main+1", "a"))
        self.assertIn("not resolved", self.run_it("--ip", "0x10", "a"))

    def test_pushes_and_returns_are_of_the_stack(self):
        with open(os.path.join(self.top, "save.s"), "w", encoding="ascii") as file:
            file.write(".globl save\n.type save,@function\nsave: push %rbx\nnop\npop %rbx\n"
                       "call 1f\n1: push (%rdi)\nret\njmp 1b\njmp __x86_return_thunk\n"
                       ".size save, . - save\n.globl __x86_return_thunk\n"
                       "__x86_return_thunk: ret\n")
        self.compile("saving", "-g", "-Wl,-z,noexecstack", "save.s")
        for table in ((), ("--table",)):
            if table:
                self.run_it(*table, "saving")
            for offset in (0, 2, 3, 10, 13):
                answer = self.run_it("--ip", f"save+{offset}", "saving")
                self.assertIn("saved on the stack", answer)
            for offset in (1, 8, 11):
                answer = self.run_it("--ip", f"save+{offset}", "saving")
                self.assertIn("not resolved", answer)
                self.assertNotIn("saved on the stack", answer)

    def test_what_is_nowhere_is_no_error(self):
        self.assertIn("not resolved", self.run_it("--ip", "0x10", "a"))


if __name__ == "__main__":
    FIELDLINE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
