#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""fieldline patch from outside: a small program under git, its proposals, patches and proofs."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

FIELDLINE = None
ERROR, USAGE = 1, 3

HEADER = """\
#define L1_CACHE_BYTES 64
#define SMP_CACHE_BYTES L1_CACHE_BYTES
#define CONFIG_SMP 1
#define IS_ENABLED(option) (option)
#define ALIGN(x, a) (((x) + (a) - 1) / (a) * (a))
#define __aligned(n) __attribute__((aligned(n)))
#define ____cacheline_aligned_in_smp __aligned(SMP_CACHE_BYTES)
#define static_assert(expression) _Static_assert(expression, #expression)
#define offsetof(type, member) __builtin_offsetof(type, member)
typedef unsigned char __u8;
"""
SOURCE = """\
#include <linux/cache.h>
#ifdef BROKEN
#error it is broken
#endif
struct rw_semaphore { long count, owner; void *wait[3]; };
struct block_device { long start, size; int openers; void *queue[3]; };
struct inode { long mode[17]; struct rw_semaphore i_rwsem; };

/* A block device and its inode. */
struct bdev_inode {
	struct block_device bdev;	/* the device */
	struct inode vfs_inode;
};

struct holder { char c; struct bdev_inode in; };
struct holder one;
"""
MAKEFILE = """\
block/%.o: ../tree/block/%.c
	@mkdir -p $(@D)
	$(CC) -g -Wall -Werror -I../tree/include $(FLAGS) -c -o $@ $<
"""


def may_mount():
    """Whether this machine lets a build have mounts of its own."""
    options = "-m" if os.geteuid() == 0 else "-rm"
    return not subprocess.run(["unshare", options, "true"], capture_output=True,
                              check=False).returncode


builds = unittest.skipUnless(may_mount(), "no namespaces for mounts here")


class Patch(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.write("tree/include/linux/cache.h", HEADER)
        self.write("tree/block/bdev.c", SOURCE)
        self.write("build/Makefile", MAKEFILE)
        self.git("init", "-q")
        self.git("config", "user.name", "Ada O. Tester")
        self.git("config", "user.email", "ada@example.org")
        self.commit("all of it")
        self.make()
        self.propose()

    def path(self, name):
        return os.path.join(self.top, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.path("tree"), check=True,
                              capture_output=True, text=True).stdout

    def commit(self, subject):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)

    def make(self):
        subprocess.run(["make", "-s", "-C", "build", "block/bdev.o"], cwd=self.top, check=True)

    def run_it(self, *arguments, status=0, env=None):
        result = subprocess.run([FIELDLINE, *arguments], cwd=self.top, capture_output=True,
                                text=True, check=False, env={**os.environ, **(env or {})})
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stderr if status else result.stdout

    def propose(self, *arguments, struct="bdev_inode"):
        text = self.run_it("propose", "-o", "json", "build/block/bdev.o", struct, *arguments)
        self.write("p.json", text)
        return json.loads(text)

    def change_proposal(self, change):
        document = json.loads(self.read("p.json"))
        change(document)
        self.write("p.json", json.dumps(document))

    def patch(self, *arguments, **more):
        return self.run_it("patch", "p.json", "--source", "tree", "-o", "out", *arguments, **more)

    def assert_told(self, message, *arguments, status=ERROR, **more):
        before = self.read("tree/block/bdev.c")
        self.assertRegex(self.patch(*arguments, status=status, **more), message)
        self.assertEqual(before, self.read("tree/block/bdev.c"))
        self.assertFalse(os.path.exists(self.path("out")))

    def layout(self):
        text = self.run_it("layout", "-o", "json", "build/block/bdev.o", "bdev_inode")
        return json.loads(text)["structs"][0]

    def test_each_proposal_goes_through_git_and_is_laid_out_as_predicted(self):
        document = self.propose()
        self.assertGreaterEqual(len(document["proposals"]), 3)
        for number, proposal in enumerate(document["proposals"], 1):
            printed = self.patch("--candidate", str(number), "--assert").splitlines()
            self.assertEqual(len(printed), 3)
            self.assertEqual(printed[0], "out/0000-cover-letter.patch")
            for name in printed[1:]:
                self.git("am", "-q", f"../{name}")
            self.make()
            self.assertEqual(self.layout()["size"], proposal["prediction"]["size"])
            self.assertIn("static_assert(", self.read("tree/block/bdev.c"))
            self.assertIn("/* the device */", self.read("tree/block/bdev.c"))
            for name in reversed(printed[1:]):
                subprocess.run(["patch", "-s", "-p1", "-R", "-i", f"../{name}"],
                               cwd=self.path("tree"), check=True)
            self.assertEqual(self.read("tree/block/bdev.c"), SOURCE)
            self.git("checkout", "-q", ".")
            self.git("reset", "-q", "--hard", "HEAD~2")
            shutil.rmtree(self.path("out"))

    def test_a_patch_says_what_it_does_and_who_signs_it(self):
        name = self.patch().splitlines()[1]
        text = self.read(name)
        self.assertIn("From: \"Ada O. Tester\" <ada@example.org>\n", text)
        self.assertIn("\nSigned-off-by: Ada O. Tester <ada@example.org>\n---\n", text)
        self.assertRegex(text, r"\nSubject: \[PATCH 1/1\] block: pad bdev to ")
        self.assertRegex(text, r"\n  offset of vfs_inode +48 +\d+\n")
        self.assertIn("Not measured: run time.", text)
        self.assertNotIn("was built with this patch", text)
        self.assertTrue(all(len(line) <= 75 for line in text.split("\n---\n")[0].splitlines()
                            if not line.startswith(("From", "Subject"))))
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_subjects_are_those_of_the_files_history(self):
        for number in range(3):
            self.write("tree/block/bdev.c", SOURCE + f"/* {number} */\n")
            self.commit(f"bdev, inode: change {number}" if number == 1 else f"blk: change {number}")
        self.assertRegex(self.read(self.patch().splitlines()[1]), r"\] blk: pad")

    @builds
    def test_a_proof_builds_and_touches_nothing(self):
        before = {name: os.stat(self.path(name)) for name in
                  ("tree/block/bdev.c", "build/block/bdev.o", "build/block", "tree/block")}
        image, temporary = self.layout(), self.path("temporary")
        os.mkdir(temporary)
        for number in ("1", "2", "3"):
            output = self.patch("--build", "build", "--candidate", number, "--assert",
                                env={"TMPDIR": temporary})
            self.assertEqual(os.listdir(temporary), [])
            self.assertIn("proved: block/bdev.o has the layout that was predicted\n", output)
            self.assertIn("block/bdev.o was built with this patch",
                          re.sub(r"\s+", " ", self.read(output.splitlines()[1])))
        self.assertEqual(image, self.layout())
        for name, status in before.items():
            self.assertEqual(status, os.stat(self.path(name)), name)

    @builds
    def test_a_wrong_prediction_is_not_proved(self):
        def change(document):
            document["proposals"][0]["prediction"]["members"][-1]["offset_bits"] += 8
        self.change_proposal(change)
        self.assert_told(r"not proved: struct bdev_inode in 'block/bdev.o' is not as predicted: "
                         r"the offset of 'vfs_inode' is \d+, not \d+", "--build", "build")

    @builds
    def test_a_wrong_prediction_of_a_holder_is_not_proved(self):
        def change(document):
            self.assertEqual(document["proposals"][0]["holders"][0]["name"], "struct holder")
            document["proposals"][0]["holders"][0]["prediction"]["size"] += 8
        self.change_proposal(change)
        self.assert_told("not proved: struct holder in 'block/bdev.o' is not as predicted: "
                         "the size is", "--build", "build")

    @builds
    def test_a_build_that_fails_is_told_by_its_first_error(self):
        self.assert_told("building in '.*build' failed: .*bdev.c:3:2: error: #error it is broken",
                         "--build", "build", "--make", "FLAGS=-DBROKEN")
        self.assert_told(r"failed: .*No rule to make target 'nothing.o'",
                         "--build", "build", "--target", "nothing.o")

    @builds
    def test_a_target_must_hold_the_struct(self):
        self.write("build/Makefile", MAKEFILE + "other.o: ../tree/block/bdev.c\n"
                   "\techo 'struct x { int a; } x;' | $(CC) -g -xc -c -o $@ -\n")
        self.assert_told("nothing that was built holds the struct",
                         "--build", "build", "--target", "other.o")

    def test_a_build_of_another_image_is_refused(self):
        def other_id(document):
            document["source"]["build_id"] = "0123456789abcdef"
        self.change_proposal(other_id)
        self.assert_told("the proposal is for the image of build-id 0123456789abcdef, and "
                         "'.*bdev.o' has none", "--build", "build")
        self.propose()
        self.write("tree/block/bdev.c", SOURCE.replace("long mode[17]", "long mode[19]"))
        self.make()
        self.git("checkout", "-q", ".")
        self.assert_told("the struct in '.*bdev.o' is not the one of the proposal: the size is",
                         "--build", "build")
        os.unlink(self.path("build/block/bdev.o"))
        self.assert_told("holds neither vmlinux nor block/bdev.o", "--build", "build")
        self.assert_told("has no Makefile", "--build", "tree")
        self.assert_told("cannot open 'nowhere'", "--build", "nowhere")

    @builds
    def test_an_interrupt_leaves_nothing_behind(self):
        self.write("build/Makefile", MAKEFILE.replace("\t$(CC)", "\t@touch $(WAIT); sleep 60\n\t$(CC)"))
        flag, temporary = self.path("waiting"), self.path("temporary")
        os.mkdir(temporary)
        # Ctrl-C is sent to all, others are sent to one.
        for kill, sent in ((os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)):
            child = subprocess.Popen(
                [FIELDLINE, "patch", "p.json", "--source", "tree", "-o", "out", "--build", "build",
                 "--make", f"WAIT={flag}"], cwd=self.top, stderr=subprocess.PIPE, text=True,
                env={**os.environ, "TMPDIR": temporary}, start_new_session=True)
            while not os.path.exists(flag) and child.poll() is None:
                time.sleep(0.05)
            kill(child.pid, sent)
            errors = child.communicate()[1]
            self.assertEqual(child.returncode, ERROR)
            self.assertRegex(errors, "building in '.*build'")
            self.assertEqual(os.listdir(temporary), [])
            self.assertEqual(self.read("tree/block/bdev.c"), SOURCE)
            self.assertEqual(self.git("status", "--porcelain"), "")
            os.unlink(flag)

    def test_a_tree_that_is_not_the_images_is_refused(self):
        for change, message in [
                (lambda text: text.replace("struct inode vfs_inode;", "struct inode inode;"),
                 r"block/bdev.c:12: there is no member 'vfs_inode' here"),
                (lambda text: text.replace("\tstruct inode v", "\n\tstruct inode v"),
                 r"block/bdev.c:12: .*'vfs_inode' here but on line 13"),
                (lambda text: "\n" + text,
                 r"block/bdev.c:10: 'struct bdev_inode' is not defined here but on line 11"),
                (lambda text: text.replace("vfs_inode;", "vfs_inode; int more;"),
                 r"block/bdev.c:12: the image has no member 'more'"),
                (lambda text: text[:200], "block/bdev.c:10: 'struct bdev_inode' is not defined")]:
            self.write("tree/block/bdev.c", change(SOURCE))
            self.commit("change")
            self.assert_told(message)
            self.git("reset", "-q", "--hard", "HEAD~1")
        self.git("mv", "block/bdev.c", "block/other.c")
        self.commit("move")
        self.assertIn("has no file '../tree/block/bdev.c'", self.patch(status=ERROR))

    def test_dirty_trees_and_those_without_git_are_refused(self):
        self.write("tree/block/bdev.c", SOURCE + "\n")
        self.assert_told("'block/bdev.c' has changes")
        self.git("checkout", "-q", ".")
        self.git("rm", "-q", "--cached", "block/bdev.c")
        self.git("commit", "-q", "-m", "forget")
        self.assert_told("git does not know 'block/bdev.c'")
        shutil.rmtree(self.path("tree/.git"))
        self.assert_told("the source must be a git work tree: .*/tree': git: fatal: not a git")
        self.assertIn("cannot open 'nowhere'", self.run_it(
            "patch", "p.json", "--source", "nowhere", status=ERROR))
        subprocess.run(["git", "init", "-q"], cwd=self.top, check=True)
        self.assert_told("'tree' is not the top of a git work tree")

    def test_who_signs_must_be_known(self):
        self.git("config", "--unset", "user.name")
        self.git("config", "--unset", "user.email")
        self.git("config", "user.useConfigOnly", "true")
        self.assert_told("git config user.name", env={"HOME": self.top, "GIT_CONFIG_NOSYSTEM": "1",
                                                      "XDG_CONFIG_HOME": self.top})

    def test_what_a_macro_makes_is_not_changed(self):
        text = SOURCE.replace("struct inode vfs_inode;", "INODE(vfs_inode);").replace(
            "/* A block", "#define INODE(name) struct inode name\n/* A block")
        self.write("tree/block/bdev.c", text)
        self.commit("a macro")
        self.make()
        document = self.propose()
        number = [proposal["edits"][0]["kind"] for proposal in document["proposals"]].index("align")
        self.assert_told("block/bdev.c:13: 'vfs_inode' is made by the macro INODE",
                         "--candidate", str(number + 1))

    def test_what_cannot_be_written_is_told(self):
        self.write("out", "a file")
        self.assertIn("cannot create a file beside 'out/0000-cover-letter.patch'",
                      self.patch(status=ERROR))
        os.unlink(self.path("out"))
        name = self.patch().splitlines()[1]
        shutil.rmtree(self.path("out"))
        os.makedirs(self.path(name))
        self.assertIn(f"cannot write '{name}'", self.patch(status=ERROR))
        self.assertEqual(os.listdir(self.path("out")), [os.path.basename(name)])
        shutil.rmtree(self.path("out"))
        self.assert_told("cannot make 'no/where/out'", "-o", "no/where/out")
        self.assert_told("cannot make 'no/where/fieldline", "--build", "build",
                         env={"TMPDIR": "no/where"})

    def test_proposals_that_are_none_are_told(self):
        for text, message in [("{}", "lacks the key 'schema'"), ("[", "p.json"),
                              ('{"schema":"fieldline.proposal/9"}', "newer"),
                              ('{"schema":"fieldline.layout/1"}', "is no proposal"),
                              ('{"schema":"fieldline.proposal/1"}', "lacks the key 'source'")]:
            self.write("p.json", text)
            self.assert_told(message)
        self.propose()
        for change, message in [
                (lambda d: d["struct"]["layout"]["members"][0].update(depth=3), "a depth of 3"),
                (lambda d: d["struct"].update(line=None), "does not tell where"),
                (lambda d: d["proposals"][0]["edits"][0].update(kind="melt"), "'melt' is unknown"),
                (lambda d: d["proposals"][0]["edits"][0].update(kind="remove"), "'remove' changes"),
                (lambda d: d["proposals"][0]["edits"][0].update(member="nobody"),
                 "bdev.c:10: there is no member 'nobody'"),
                (lambda d: d["proposals"][0]["edits"][0].update(member=None), "wants the name of a member"),
                (lambda d: d["proposals"][0]["edits"][0].update(name="a; b"), "wants the name"),
                (lambda d: d["proposals"].clear(), "holds 0 proposals, no number 1")]:
            self.propose()
            self.change_proposal(change)
            self.assert_told(message)

    def test_a_forbidden_proposal_is_not_written(self):
        def forbid(document):
            document["proposals"][0].update(forbidden=True, cautions=[
                {"kind": "uapi", "forbids": True, "message": "user space knows it"}])
        self.change_proposal(forbid)
        number = len(json.loads(self.read("p.json"))["proposals"])
        self.assert_told(f"proposal {number} is forbidden: user space knows it",
                         "--candidate", str(number))

    def test_command_lines_that_make_no_sense_are_told(self):
        for arguments, message in [([], "wants PROPOSAL"), (["p.json"], "wants --source"),
                                   (["p.json", "--source", "tree", "--candidate", "0"],
                                    "counted from 1"),
                                   (["p.json", "--source", "tree", "--target", "x.o"],
                                    "go with --build")]:
            self.assertIn(message, self.run_it("patch", *arguments, status=USAGE))


if __name__ == "__main__":
    FIELDLINE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
