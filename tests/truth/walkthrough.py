#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The walk-through of the README, on a real kernel's headers: struct bdev_inode before and after one
field is added to struct block_device, in front of the struct inode. --print shows the session.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import kernels
from kernel_asserts import Headers
from tally import Tally

# block/bdev.c keeps the struct to itself.
SOURCE = """\
#include <linux/blkdev.h>
#include <linux/fs.h>
struct bdev_inode {
	struct block_device bdev;
	struct inode vfs_inode;
};
static struct bdev_inode *bdev_inode_of(struct inode *inode)
{
	return container_of(inode, struct bdev_inode, vfs_inode);
}
unsigned long offset_of_inode(struct inode *inode);
unsigned long offset_of_inode(struct inode *inode)
{
	return (char *)inode - (char *)bdev_inode_of(inode);
}
const unsigned long truth[] = {
	sizeof(struct bdev_inode), __builtin_offsetof(struct bdev_inode, vfs_inode),
};
"""
FIELD = "struct rw_semaphore bd_block_size_semaphore;"


def with_field(header):
    """linux/blk_types.h with FIELD as the last member of struct block_device."""
    changed, count = re.subn(r"(struct block_device \{.*?)(\n\} __randomize_layout;)",
                             rf"\1\n\t{FIELD}\2", header, count=1, flags=re.DOTALL)
    if not count:
        sys.exit("the kernel's struct block_device ends otherwise than expected")
    return changed


def compile_object(headers, directory, name, overlay):
    command = [*headers.compiler, *overlay, *headers.flags, "-g", "-c", "bdev.c", "-o", name]
    subprocess.run(command, cwd=directory, check=True)


def truth_of(directory, name):
    """sizeof(struct bdev_inode) and the offset of its inode, as the compiler left them in name."""
    data = os.path.join(directory, "truth.bin")
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.rodata", name, data],
                   cwd=directory, check=True)
    with open(data, "rb") as file:
        content = file.read()
    return [int.from_bytes(content[at:at + 8], "little") for at in (0, 8)]


class Session:
    def __init__(self, program, directory, show):
        self.program, self.directory, self.show = program, directory, show

    def run(self, *arguments):
        result = subprocess.run([self.program, *arguments], cwd=self.directory,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                check=False)
        if self.show:
            print("$ fieldline", *arguments)
            print(result.stdout, end="")
            print(f"(exit {result.returncode})\n")
        return result.returncode, result.stdout


def build(directory):
    kernel = kernels.find_kernel("amd64")
    headers = Headers("amd64", kernel, directory)
    with open(os.path.join(kernel["headers_common"], "include/linux/blk_types.h"),
              encoding="utf-8") as file:
        changed = with_field(file.read())
    os.makedirs(os.path.join(directory, "after/linux"))
    with open(os.path.join(directory, "after/linux/blk_types.h"), "w", encoding="utf-8") as file:
        file.write(changed)
    with open(os.path.join(directory, "bdev.c"), "w", encoding="utf-8") as file:
        file.write(SOURCE)
    compile_object(headers, directory, "before.o", [])
    compile_object(headers, directory, "after.o", [f"-I{directory}/after"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fieldline", default="fieldline", help="the program to test")
    parser.add_argument("--print", action="store_true", help="show each command and its output")
    options = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="fieldline-walkthrough-") as directory:
        build(directory)
        old_size, old_inode = truth_of(directory, "before.o")
        new_size, new_inode = truth_of(directory, "after.o")
        session = Session(os.path.abspath(options.fieldline), directory, options.print)

        status, _ = session.run("check", "--learn=bdev.json", "before.o", "bdev_inode")
        tally.check("exit code", "check --learn", 0, status)
        status, _ = session.run("check", "--policy=bdev.json", "before.o")
        tally.check("exit code", "check of what was learnt", 0, status)
        status, output = session.run("diff", "before.o", "after.o", "bdev_inode", "block_device")
        tally.check("exit code", "diff", 4, status)
        for expected in (
                "'bd_block_size_semaphore' was added at",
                f"struct bdev_inode, {old_size} to {new_size} bytes",
                f"'vfs_inode' (struct inode) starts at line {new_inode // 64} + {new_inode % 64} "
                f"of 64, started at line {old_inode // 64} + {old_inode % 64}"):
            tally.check("diff says", expected, True, expected in output)
        status, output = session.run("check", "--policy=bdev.json", "-f", "github", "after.o")
        tally.check("exit code", "check", 4 | 8, status)
        expected = "::error file=bdev.c,line=5,title=POLICY-PHASE"
        tally.check("check says", expected, True, expected in output)
        expected = (f"starts {new_inode % 64} bytes into a line of 64, not {old_inode % 64} "
                    f"(at byte {new_inode})")
        tally.check("check says", expected, True, expected in output)
    sys.exit(not tally.passes("the walk-through"))


if __name__ == "__main__":
    main()
