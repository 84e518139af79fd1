#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline propose from outside: what it proposes is compiled, and must lie as predicted."""

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
#define L1_CACHE_BYTES 64
#define ALIGN(x, a) (((x) + (a) - 1) / (a) * (a))
#define ____cacheline_aligned_in_smp __attribute__((aligned(L1_CACHE_BYTES)))
struct rw_semaphore { long count, owner; void *wait[3]; };
struct block_device { long start, size; int openers; void *queue[3]; };
struct inode { long mode[17]; struct rw_semaphore i_rwsem; };
struct bdev_inode {
	%s
	%s
};
struct holder { char c; struct bdev_inode in; };
struct holder one;
"""
BDEV, INODE = "struct block_device bdev;", "struct inode vfs_inode;"


class Propose(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.compile("a.o", BDEV, INODE)

    def compile(self, name, *members):
        path = os.path.join(self.top, f"{name}.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(SOURCE % members)
        subprocess.run(["cc", "-g", "-c", "-o", name, path], cwd=self.top, check=True)

    def run_it(self, *arguments, status=0):
        result = subprocess.run([FIELDLINE, *arguments], cwd=self.top, capture_output=True,
                                text=True, check=False)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stderr if status else result.stdout

    def propose(self, *arguments):
        output = self.run_it("propose", "-o", "json", "./a.o", *arguments)
        return json.loads(output)

    def layout(self, name, struct):
        document = json.loads(self.run_it("layout", "-o", "json", f"./{name}", struct))
        return document["structs"][0]

    def places(self, struct):
        """{name: offset in bits} of a struct's own members, through anonymous ones."""
        found = {}
        for member in struct["members"]:
            if member["name"]:
                found[member["name"]] = member["offset"] * 8
            else:
                found.update(self.places(member))
        return found

    def test_each_proposal_compiles_to_what_it_predicts(self):
        document = self.propose("bdev_inode")
        self.assertEqual([trouble["field"] for trouble in document["struct"]["troubles"]],
                         ["vfs_inode.i_rwsem"])
        kinds = []
        for proposal in document["proposals"]:
            members = [proposal["change"], INODE]
            if proposal["edits"][0]["kind"] == "align":
                members = [BDEV, proposal["change"]]
            self.compile("after.o", *members)
            after = self.layout("after.o", "bdev_inode")
            prediction = proposal["prediction"]
            predicted = {member["name"]: member["offset_bits"]
                         for member in prediction["members"] if member["name"]}
            self.assertEqual((after["size"], after["align"]),
                             (prediction["size"], prediction["align"]))
            self.assertEqual(self.places(after), predicted)
            holders = {holder["name"]: holder["size_after"] for holder in proposal["holders"]}
            self.assertEqual(holders,
                             {"struct holder": self.layout("after.o", "holder")["size"]})
            kinds.append(proposal["edits"][0]["kind"])
        self.assertEqual(sorted(kinds), ["align", "wrap", "wrap"])

    def test_text_tells_gains_and_costs(self):
        text = self.run_it("propose", "./a.o", "bdev_inode")
        self.assertIn("pad 'bdev' to whole lines", text)
        self.assertIn("cures: vfs_inode.i_rwsem is cut", text)
        self.assertIn("struct holder holds it", text)

    def test_without_trouble_there_is_nothing_to_say(self):
        text = self.run_it("propose", "./a.o", "block_device")
        self.assertIn("Nothing here is certain to hurt", text)
        self.assertNotIn("\n1. ", text)

    def test_what_fights_is_parted(self):
        document = self.propose("block_device", "--written", "openers",
                                "--read-mostly", "start,size")
        kinds = {proposal["edits"][0]["kind"] for proposal in document["proposals"]}
        self.assertIn("group", kinds)
        self.assertIn("split", kinds)
        for proposal in document["proposals"]:
            self.assertTrue(proposal["cured"])

    def test_a_sweep_has_a_row_for_each_size(self):
        document = json.loads(self.run_it("propose", "-o", "json", "./a.o", "bdev_inode",
                                          "--sweep", "48..80/16"))
        self.assertEqual(document["schema"], "fieldline.sweep/1")
        self.assertEqual([(row["pad"], row["phase"]) for row in document["rows"]],
                         [(0, 48), (48, 48), (64, 0), (80, 16)])
        self.assertEqual([row["shared"] for row in document["rows"]],
                         [{"line": 0, "bytes_before": 48, "bytes_after": 16},
                          {"line": 0, "bytes_before": 48, "bytes_after": 16}, None,
                          {"line": 1, "bytes_before": 16, "bytes_after": 48}])
        text = self.run_it("propose", "./a.o", "bdev_inode", "--sweep", "48..80/16")
        self.assertEqual(len(text.splitlines()), 8)

    def test_what_the_source_asserts_forbids(self):
        tree = os.path.join(self.top, "tree")
        os.mkdir(tree)
        with open(os.path.join(tree, "s.c"), "w", encoding="utf-8") as file:
            file.write(SOURCE % (BDEV, INODE))
        subprocess.run(["cc", "-g", "-c", "-o", "../a.o", "s.c"], cwd=tree, check=True)
        with open(os.path.join(tree, "use.h"), "w", encoding="utf-8") as file:
            file.write("\nBUILD_BUG_ON(offsetof(struct bdev_inode, vfs_inode) != 48);\n")
        free, held = self.propose("bdev_inode"), self.propose("bdev_inode", "--source", "tree")
        self.assertEqual(free["struct"]["constraints"], [])
        constraint = held["struct"]["constraints"][0]
        self.assertEqual((constraint["kind"], constraint["member"], constraint["file"],
                          constraint["line"]), ("assertion", "vfs_inode", "use.h", 2))
        self.assertFalse(any(proposal["forbidden"] for proposal in free["proposals"]))
        for proposal in held["proposals"]:
            self.assertTrue(proposal["forbidden"])
            self.assertTrue(any("use.h:2 asserts" in caution["message"] and caution["forbids"]
                                for caution in proposal["cautions"]))
        self.assertIn("use.h:2 asserts: BUILD_BUG_ON", self.run_it(
            "propose", "./a.o", "bdev_inode", "--source", "tree"))
        os.remove(os.path.join(tree, "s.c"))
        self.assertIn("not this kernel's", self.run_it("propose", "./a.o", "bdev_inode",
                                                       "--source", "tree", status=ERROR))

    def test_a_file_alone_is_looked_through(self):
        document = json.loads(self.run_it("propose", "-o", "json", "./a.o"))
        self.assertEqual(document["schema"], "fieldline.survey/1")
        found = document["structs"]
        # holder starts it at 8: there the lock is whole
        self.assertEqual([struct["name"] for struct in found], ["bdev_inode"])
        self.assertEqual(found[0]["troubles"][0]["field"], "vfs_inode.i_rwsem")
        self.assertEqual(found[0]["proposal"], "pad 'bdev' to 56 bytes, the fewest that help")
        self.assertGreater(found[0]["figures_after"]["size"], found[0]["figures"]["size"])
        text = self.run_it("propose", "./a.o")
        self.assertIn("1. struct bdev_inode", text)
        self.assertIn("it is whole where 'vfs_inode' starts on a line", text)

    def test_bad_input_is_told(self):
        for arguments, status, message in [
                (["./a.o", "--hot", "a"], USAGE, "without a STRUCT"),
                (["./a.o", "inod"], ERROR, "inode"),
                (["./a.o", "inode", "--hot", "nothing"], ERROR, "no field 'nothing'"),
                (["./a.o", "inode", "--hot", "a,,b"], USAGE, "no name"),
                (["./a.o", "inode", "--hot", "mode", "--written", "mode",
                  "--read-mostly", "mode"], USAGE, "both"),
                (["./a.o", "inode", "--profile", "none.json"], ERROR, "none.json"),
                (["./a.o", "inode", "--profile", "a.o.c"], ERROR, "a.o.c"),
                (["./a.o", "inode", "--sweep", "1-2"], USAGE, "A..B/STEP"),
                (["./a.o", "inode", "--sweep", "9..2/1"], USAGE, "upwards"),
                (["./a.o", "bdev_inode", "--sweep", "1..2/1", "--sweep-member", "vfs_inode"],
                 ERROR, "nothing follows"),
                (["./a.o", "inode", "--sweep-member", "mode"], USAGE, "--sweep"),
                (["./a.o", "inode", "mode"], USAGE, "wants")]:
            self.assertIn(message, self.run_it("propose", *arguments, status=status))


if __name__ == "__main__":
    FIELDLINE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
