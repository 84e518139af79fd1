#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline c2c from outside: a small program linked where kernels are, and logs of its accesses."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
sys.path.insert(0, os.path.join(ROOT, "tests/support"))
import field_log as log  # noqa: E402

FIELDLINE = None
ERROR, USAGE = 1, 3
TEXT, SLIDE = 0xffffffff81000000, 0x1a000000
OBJECT = 0xffff888001000000

SOURCE = """
__asm__(".text\\n.globl _text\\n_text:");
struct rw_semaphore { long count, owner; void *wait[3]; };
struct block_device { long start, size; int openers; void *queue[3]; };
struct inode { long mode[9]; char blkbits; struct rw_semaphore i_rwsem; };
struct bdev_inode { struct block_device bdev; struct inode vfs_inode; };
struct worker { long jobs, idle; } workers[4];
struct request { long tag, state; struct request *next; };
#define FUNCTION __attribute__((noinline, noclone, used)) void
long sink;
char *volatile stash;

FUNCTION down_read(struct rw_semaphore *sem)
{
	__atomic_fetch_add(&sem->count, 256, __ATOMIC_SEQ_CST);
	sem->owner = 1;
}
FUNCTION get_size(struct block_device *bdev) { sink = bdev->size; }
FUNCTION get_blkbits(struct inode *inode) { sink = inode->blkbits; }
FUNCTION add_job(struct worker *worker) { worker->jobs++; }
FUNCTION set_state(struct request *request) { request->state = 1; }
FUNCTION requeue(struct request *request) { request->tag++; request->next = request; }
FUNCTION raw(char *bytes) { bytes[3] = 1; }
void _start(struct bdev_inode *inode, struct request *request)
{
	down_read(&inode->vfs_inode.i_rwsem);
	get_size(&inode->bdev);
	get_blkbits(&inode->vfs_inode);
	add_job(&workers[2]);
	set_state(request);
	requeue(request);
	raw(stash);
}
"""
# A module in all that matters here: an object to be loaded somewhere.
MODULE_SOURCE = """
struct entry { long hits, misses; } entries[8] = { { 1, 2 } }, spare[2];
const struct limits { int least, most; } limits = { 1, 2 };
__attribute__((noinline, used)) void count(struct entry *entry) { entry->misses++; }
"""
MODULE = 0xffffffffc0400000
FLAGS = ["-O2", "-g", "-ffreestanding", "-fno-pie", "-no-pie", "-static", "-nostdlib",
         "-mcmodel=kernel", "-fcf-protection=none", f"-Wl,-Ttext={TEXT:#x}", "-Wl,--build-id=sha1"]


class C2c(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp()
        cls.kernel = os.path.join(cls.top, "vmlinux")
        source = os.path.join(cls.top, "kernel.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run(["gcc", *FLAGS, "-o", cls.kernel, source], check=True)
        notes = subprocess.run(["readelf", "-n", cls.kernel], capture_output=True, text=True,
                               check=True).stdout
        cls.build_id = re.search("Build ID: ([0-9a-f]+)", notes).group(1)
        cls.code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", cls.kernel],
                                  capture_output=True, text=True, check=True).stdout
        symbols = subprocess.run(["nm", cls.kernel], capture_output=True, text=True,
                                 check=True).stdout
        cls.symbols = {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines()}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top)

    def setUp(self):
        self.time = 1000
        self.log = log.FieldLog()
        self.log.about(arch="x86_64", nr_cpus=4, nr_cpus_online=4)
        for cpu in range(4):
            self.log.cpu(cpu, cpu, cpu // 2)
        for node in range(2):
            self.log.node(node, f"{2 * node}-{2 * node + 1}")
        self.log.event(0, "cpu/mem-loads,ldlat=30/P", 0x1cd)
        self.log.event(1, "cpu/mem-stores/P", 0x82d0)

    def path(self, name):
        return os.path.join(self.top, name)

    def ip(self, function, pattern):
        """The address of the function's first instruction that matches."""
        body = self.code.split(f"<{function}>:\n")[1].split("\n\n")[0]
        for line in body.splitlines():
            if re.search(pattern, line):
                return int(line.split(":")[0], 16)
        raise AssertionError(f"no {pattern} in {body}")

    def access(self, cpu, kind, function, pattern, addr, outcome=log.HIT, after=100):
        self.time += after
        self.log.access(cpu, self.time, kind, self.ip(function, pattern) + SLIDE, addr, outcome,
                        200 if outcome != log.HIT else 0)

    def fieldline(self, *arguments, status=0, stdin=None):
        result = subprocess.run([FIELDLINE, *arguments], cwd=self.top, capture_output=True,
                                text=True, check=False, stdin=stdin,
                                env={**os.environ, "XDG_CACHE_HOME": self.path("cache")})
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stderr if status else result.stdout

    def c2c(self, *arguments, **more):
        self.log.save(self.path("a.log"))
        return self.fieldline("c2c", "a.log", "--kernel", self.kernel, *arguments, **more)

    def profile(self, *arguments):
        return json.loads(self.c2c("-f", "json", *arguments))

    def type_named(self, profile, name):
        found = [one for one in profile["types"] if one["name"] == name]
        self.assertEqual(len(found), 1, [one["name"] for one in profile["types"]])
        return found[0]

    def fight_over_lock(self, rounds=6, base=OBJECT):
        """Two CPUs take the lock in turn; a third one reads a field on its line."""
        offset = 48 + 80  # of i_rwsem in bdev_inode: behind bdev, mode and blkbits
        self.log.kernel(self.build_id, TEXT + SLIDE, 0x100000)
        for turn in range(rounds):
            cpu = turn % 2
            hitm = log.HITM_LOCAL if turn else log.HIT
            self.access(cpu, log.LOAD, "get_size", r"mov +0x8\(%rdi\)", base + 8)
            self.access(cpu, log.LOAD | log.LOCKED, "down_read", "lock", base + offset, hitm)
            self.access(cpu, log.STORE, "down_read", r"mov.*0x8\(%rdi\)", base + offset + 8)
            self.access(2, log.LOAD, "get_blkbits", r"0x48\(%rdi\)", base + 48 + 72,
                        log.HITM_REMOTE)

    def test_fields_are_lifted_to_the_struct_that_nobody_names(self):
        # At 56 the lock's count ends the line and its owner begins the next one.
        self.fight_over_lock(base=OBJECT - 8)
        profile = self.profile()
        found = self.type_named(profile, "struct bdev_inode")
        self.assertEqual([one["name"] for one in profile["types"]], ["struct bdev_inode"])
        self.assertEqual(found["objects"], 1)
        self.assertEqual(found["phases"], [{"phase": 56, "objects": 1, "samples": 24}])
        fields = {(place["field"], place["function"]) for place in found["places"]}
        self.assertEqual(fields, {("bdev.size", "get_size"), ("vfs_inode.blkbits", "get_blkbits"),
                                  ("vfs_inode.i_rwsem.count", "down_read"),
                                  ("vfs_inode.i_rwsem.owner", "down_read")})

    def test_of_two_structs_that_fit_none_is_taken(self):
        source, other = self.path("twin.c"), self.path("twin")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE + """
struct twin { struct block_device bdev; struct inode vfs_inode; long more; } twin;
""")
        subprocess.run(["gcc", *FLAGS, "-o", other, source], check=True)
        self.fight_over_lock()
        self.log.save(self.path("a.log"))
        profile = json.loads(self.fieldline("c2c", "a.log", "-k", other, "--force", "-f", "json"))
        self.assertEqual({one["name"] for one in profile["types"]},
                         {"struct block_device", "struct inode"})

    def test_verdicts_and_pairs(self):
        self.fight_over_lock()
        profile = self.profile()
        found = self.type_named(profile, "struct bdev_inode")
        places = [place for one in profile["types"] for place in one["places"]]
        lines = {line["line"]: line for line in found["lines"] if "line" in line}
        # i_rwsem at 128 begins line 2, blkbits at 120 ends line 1: nothing is false.
        self.assertEqual(lines[2]["verdict"], "true")
        self.assertEqual(lines[2]["certainty"], "confirmed")
        self.assertEqual(lines[2]["true"], 5)
        self.assertEqual(lines[2]["counts"]["hitm_local"], 5)
        self.assertEqual(lines[1]["verdict"], "undecided")
        self.assertEqual(found["cuts"], [])
        pair = lines[2]["pairs"][0]
        self.assertEqual(places[pair["other"]]["field"], "vfs_inode.i_rwsem.count")

    def test_a_lock_cut_in_two_and_a_reader_on_its_line(self):
        self.fight_over_lock(base=OBJECT - 8)
        text = self.c2c()
        self.assertIn("cut pair, confirmed: vfs_inode.i_rwsem.count | vfs_inode.i_rwsem.owner",
                      text)
        self.assertRegex(text, r"line 2: .* true and false sharing, confirmed \(5 .* 6 did not\)")
        self.assertIn("must part: vfs_inode.i_rwsem.count (written) from vfs_inode.blkbits (used)",
                      text)
        table = self.c2c("--by", "function")
        self.assertRegex(table, r"\n +\. +6  get_blkbits +vfs_inode.blkbits +down_read ")
        self.assertRegex(self.c2c("--by", "node"), r"\n +1 +1 +6 ")
        self.assertRegex(self.c2c("-f", "c"), r"blkbits; +/\* +72 +1 \*/|vfs_inode;.*HITM 11")

    def test_a_saved_profile_needs_no_kernel(self):
        self.fight_over_lock(base=OBJECT - 8)
        for by in ("type", "object", "line", "function", "cpu", "node", "time"):
            text = self.c2c("--by", by, "-o", "saved.json")
            again = self.fieldline("c2c", "saved.json", "--by", by)
            self.assertEqual(text, again)
        self.assertIn("'saved.json' is a profile: --kernel does not go with it",
                      self.fieldline("c2c", "saved.json", "-k", self.kernel, status=USAGE))
        self.assertEqual(self.fieldline("c2c", "saved.json", "-f", "c"), self.c2c("-f", "c"))

    def test_variables_are_named_and_arrays_indexed(self):
        self.log.kernel(self.build_id, TEXT + SLIDE, 0x100000)
        worker = self.symbols["workers"] + SLIDE + 2 * 16
        for turn in range(8):
            self.access(turn % 2, log.LOAD | log.STORE, "add_job", r"\(%rdi\)", worker,
                        log.HITM_LOCAL)
        found = self.type_named(self.profile(), "struct worker")
        self.assertEqual([place["basis"] for place in found["places"]], ["symbol+instruction"])
        self.assertEqual(found["places"][0]["confidence"], "high")
        self.assertRegex(self.c2c("--by", "object"), f"{worker:#x}  struct worker +workers\\+32")

    def module_recording(self, name, sections):
        """perf's part of what perfscripts/record leaves, with a module of that name in it."""
        folder = tempfile.mkdtemp(dir=self.top)
        source = os.path.join(folder, "toy.c")
        with open(source, "w", encoding="ascii") as file:
            file.write(MODULE_SOURCE)
        os.makedirs(os.path.join(folder, "modules/deep"))
        built = os.path.join(folder, "modules/deep/toy-car.ko")
        subprocess.run(["gcc", "-O2", "-g", "-c", "-ffreestanding", "-fno-pie", "-mcmodel=kernel",
                        "-fcf-protection=none", "-o", built, source], check=True)
        shutil.copy(self.kernel, os.path.join(folder, "vmlinux"))
        nm = subprocess.run(["nm", built], capture_output=True, text=True, check=True).stdout
        at = {line.split()[2]: int(line.split()[0], 16) for line in nm.splitlines()}
        self.log.kernel(self.build_id, TEXT + SLIDE, 0x100000)
        self.log.module(name, MODULE, 0x8000)
        # Nothing but the address tells what raw() and the module's own code touch.
        code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", built], capture_output=True,
                              text=True, check=True).stdout
        inside = int(re.search(r"(\w+):.*0x8\(%rdi\)", code).group(1), 16)
        for turn in range(8):
            self.access(turn % 2, log.STORE, "raw", r"movb", MODULE + 0x5000 + at["entries"] + 40)
            self.access(turn % 2, log.STORE, "raw", r"movb", MODULE + 0x6000 + at["spare"] + 16)
            self.access(turn % 2, log.LOAD, "raw", r"movb", MODULE + 0x3000 + at["limits"] + 4)
            self.time += 100
            self.log.access(turn % 2, self.time, log.LOAD | log.STORE, MODULE + 0x1000 + inside,
                            OBJECT + 8, log.HIT)
        self.log.save(os.path.join(folder, "perf.data"))
        if sections is not None:
            with open(os.path.join(folder, "module-sections"), "w", encoding="ascii") as file:
                file.write(sections)
        return folder

    def test_modules_variables_are_found_where_their_sections_lay(self):
        where = "".join(f"toy_car {name} {MODULE + at:#x}\n" for name, at in (
            (".text", 0x1000), (".rodata", 0x3000), (".data", 0x5000), (".bss", 0x6000),
            (".init.text", 0x7000)))
        for name in "[toy_car]", "/lib/modules/6.1.0/kernel/drivers/toy-car.ko.xz":
            self.setUp()
            folder = self.module_recording(name, "other .data 0xffffffffc0900000\n" + where)
            profile = json.loads(self.fieldline("c2c", "-f", "json", folder))
            entries = self.type_named(profile, "struct entry")
            self.assertEqual({(place["offset"], place["basis"]) for place in entries["places"]},
                             {(8, "symbol"), (0, "symbol"), (8, "instruction")})
            self.assertEqual({place["field"] for place in
                              self.type_named(profile, "struct limits")["places"]}, {"most"})
            objects = self.fieldline("c2c", "--by", "object", folder)
            self.assertRegex(objects, r"struct entry +entries\+32")
            self.assertRegex(objects, r"struct entry +spare\+16")
            self.assertNotIn("modules' data", objects)

    def test_modules_variables_are_not_guessed(self):
        folder = self.module_recording("[toy_car]", None)
        text = self.fieldline("c2c", folder)
        self.assertIn("where modules' data lies was not recorded", text)
        self.assertNotIn("struct limits", self.fieldline("c2c", "--by", "object", folder))
        # The sections of another load are none of this one.
        with open(os.path.join(folder, "module-sections"), "w", encoding="ascii") as file:
            file.write(f"toy_car .text {MODULE + 0x9000:#x}\ntoy_car .rodata {MODULE + 0x3000:#x}\n")
        self.assertNotIn("struct limits", self.fieldline("c2c", "--by", "object", folder))
        for damaged in ("toy_car .text", "toy_car .text here", "toy_car .text 0x12z", " .text 0x1",
                        "\0", "toy_car .text 0x12\0", "\0toy_car .text 0x12"):
            with open(os.path.join(folder, "module-sections"), "w", encoding="ascii") as file:
                file.write(f"toy_car .data {MODULE:#x}\n{damaged}\n")
            self.assertIn("module-sections', line 2:",
                          self.fieldline("c2c", folder, status=ERROR))

    def test_modules_that_were_not_placed_are_counted(self):
        folder = self.module_recording("[toy_car]", f"toy_car .text {MODULE + 0x1000:#x}\n"
                                                    f"toy_car .data {MODULE + 0x5000:#x}\n")
        shutil.copy(os.path.join(folder, "modules/deep/toy-car.ko"),
                    os.path.join(folder, "modules/other.ko"))
        self.log.module("[other]", MODULE + 0x100000, 0x8000)
        self.log.save(os.path.join(folder, "perf.data"))
        self.assertIn("where modules' data lies was not recorded (1 of 2)",
                      self.fieldline("c2c", folder))

    def test_allocations_type_what_no_instruction_does(self):
        self.log.kernel(self.build_id, TEXT + SLIDE, 0x100000)
        for nr in range(4):
            self.log.allocation(0, self.time, OBJECT + 64 * nr, 24, 0x1234, "kmalloc-32")
            self.access(0, log.STORE, "set_state", r"0x8\(%rdi\)", OBJECT + 64 * nr + 8)
            self.access(1, log.STORE, "raw", r"0x3\(%rdi\)", OBJECT + 64 * nr + 3)
        self.log.free(0, self.time, OBJECT, 0x1234, "kmalloc-32")
        self.access(1, log.STORE, "raw", r"0x3\(%rdi\)", OBJECT + 3)
        profile = self.profile()
        found = self.type_named(profile, "struct request")
        places = {place["function"]: place for place in found["places"]}
        self.assertEqual(places["raw"]["basis"], "allocation")
        self.assertEqual(places["raw"]["field"], "tag+3")
        self.assertEqual(places["raw"]["counts"]["stores"], 4)
        self.assertEqual(places["set_state"]["basis"], "allocation+instruction")
        # What was freed is nobody's any more.
        self.assertEqual(sum(profile["totals"]["unresolved"].values()) +
                         profile["totals"]["resolved_by"].get("instruction", 0), 1)

    def test_what_runs_behind_a_sample_is_inferred_and_kept_apart(self):
        self.log.kernel(self.build_id, TEXT + SLIDE, 0x100000)
        for turn in range(6):
            self.access(turn % 2, log.LOAD | log.STORE, "requeue", r"\(%rdi\)", OBJECT,
                        log.HITM_LOCAL)
        found = self.type_named(self.profile(), "struct request")
        inferred = [place for place in found["places"] if place.get("inferred")]
        self.assertEqual([(place["field"], place["counts"]) for place in inferred],
                         [("next", {"stores": 1})])
        self.assertEqual(found["counts"]["samples"], 6)
        text = self.c2c()
        self.assertIn("    inferred: next (written, requeue)\n", text)
        self.assertIn("    not seen: state\n", text)

    def test_a_kernel_of_another_build_is_refused(self):
        other = "ab" * 20
        self.log.kernel(other, TEXT + SLIDE, 0x100000)
        self.access(0, log.LOAD, "get_size", r"mov +0x8\(%rdi\)", OBJECT)
        message = self.c2c(status=ERROR)
        self.assertIn(f"build-id {self.build_id}", message)
        self.assertIn(f"has {other}", message)
        self.c2c("--force")

    def test_what_is_missing_is_said(self):
        self.assertIn("has 0 samples, and none says what memory it touched",
                      self.c2c(status=ERROR))
        self.assertIn("--kernel VMLINUX", self.fieldline("c2c", "a.log", status=USAGE))
        self.assertIn("no-such", self.fieldline("c2c", "no-such", "-k", "x", status=ERROR))
        self.fight_over_lock()
        self.assertIn("no sample touched a 'page'", self.c2c("--type", "page", status=ERROR))
        self.assertIn("--by cpu does not go with --format c",
                      self.c2c("-b", "cpu", "-f", "c", status=USAGE))
        self.assertIn("power of two", self.c2c("--cacheline", "65", status=USAGE))

    def test_the_profile_that_is_shipped_needs_no_kernel(self):
        shipped = os.path.join(ROOT, "tests/recordings/bdev.profile.json")
        text = self.fieldline("c2c", shipped)
        self.assertIn("cut pair, confirmed: vfs_inode.i_rwsem.count | vfs_inode.i_rwsem.owner",
                      text)
        self.assertIn("/* r 150, w 0, HITM 150, 352 cycles */",
                      self.fieldline("c2c", shipped, "-f", "c", "-t", "bdev_inode") or "")

    def test_the_window_is_the_users(self):
        self.fight_over_lock(base=OBJECT - 8)
        text = self.c2c("--window", "10")
        self.assertIn("window: 10 ns", text)
        self.assertNotIn("confirmed", text)
        self.assertIn("suspected", text)

    def test_standard_input_and_a_directory(self):
        self.fight_over_lock()
        text = self.c2c()
        with open(self.path("a.log"), "rb") as file:
            piped = self.fieldline("c2c", "-", "-k", self.kernel, stdin=file)
        self.assertIn("read: 24 memory samples", piped)
        os.makedirs(self.path("left"))
        shutil.copy(self.path("a.log"), self.path("left/perf.data"))
        shutil.copy(self.kernel, self.path("left/vmlinux"))
        self.assertEqual(self.fieldline("c2c", "left"), text)

    def test_stats_need_no_kernel(self):
        self.fight_over_lock()
        self.log.save(self.path("a.log"))
        stats = json.loads(self.fieldline("c2c", "a.log", "--stats"))
        self.assertEqual(stats["stats"]["load_local_hitm"], 5)
        self.assertEqual(stats["stats"]["load_remote_hitm"], 6)
        self.assertIn("--by does not go", self.fieldline("c2c", "a.log", "--stats", "-b", "cpu",
                                                         status=USAGE))


if __name__ == "__main__":
    FIELDLINE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
