#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Edits of a real kernel's headers: the relayout engine sees the kernel's vmlinux, the compiler the
edited headers. Each struct that moves must have the predicted size, alignment and offsets.
"""

import argparse
import os
import sys
import tempfile

from kernel_asserts import FAILED, Headers, refused
from kernels import find_kernel
from relayout_driver import Driver, words_of
from tally import Tally

# block/bdev.c has it, no header
BDEV_INODE = "struct bdev_inode { %s %s };\n"
BDEV, INODE = "struct block_device bdev;", "struct inode vfs_inode;"
PADDED = "union { struct block_device bdev; char pad[%s]; };"


class Case:
    """An edit, where it is made in the headers, and what bdev_inode is then."""

    def __init__(self, struct, edit, header=None, old=None, new=None, bdev=BDEV, inode=INODE):
        self.struct, self.edit, self.header, self.old, self.new = struct, edit, header, old, new
        self.bdev_inode = BDEV_INODE % (bdev, inode)

    def words(self):
        return f"{self.struct} {words_of(self.edit)} show=all"


BLK_TYPES, RWSEM, FS = "linux/blk_types.h", "linux/rwsem.h", "linux/fs.h"
META = "struct partition_meta_info *bd_meta_info;"
CASES = [
    Case("bdev_inode", {"kind": "wrap", "member": "bdev", "name": "pad", "bytes": 960},
         bdev=PADDED % 960),
    Case("bdev_inode", {"kind": "wrap", "member": "bdev", "name": "pad", "round_to": 64},
         bdev=PADDED % "ALIGN(sizeof(struct block_device), L1_CACHE_BYTES)"),
    Case("bdev_inode", {"kind": "align", "member": "vfs_inode", "align": 64},
         inode="struct inode vfs_inode ____cacheline_aligned_in_smp;"),
    Case("bdev_inode", {"kind": "move", "member": "vfs_inode", "anchor": "bdev", "side": "before"},
         bdev=INODE, inode=BDEV),
    # the thread's first patch: a lock that nothing uses
    Case("block_device", {"kind": "insert", "member": "bd_meta_info", "side": "after",
                          "name": "bd_unused", "type": "rw_semaphore"},
         BLK_TYPES, META, f"{META}\n\tstruct rw_semaphore bd_unused;"),
    Case("block_device", {"kind": "move", "member": "bd_openers", "anchor": "bd_queue",
                          "side": "after"},
         BLK_TYPES, "atomic_t\t\tbd_openers;", ""),
    Case("block_device", {"kind": "align", "member": "bd_size_lock", "align": 64}, BLK_TYPES,
         "bd_size_lock;", "bd_size_lock ____cacheline_aligned_in_smp;"),
    Case("block_device", {"kind": "remove", "member": "bd_claiming"}, BLK_TYPES,
         "void *\t\t\tbd_claiming;", ""),
    Case("block_device", {"kind": "group", "members": ["bd_holder", "bd_holders"], "name": "held",
                          "align": 64, "end_align": 64},
         BLK_TYPES, "void *\t\t\tbd_holder;\n\tint\t\t\tbd_holders;",
         "__u8 __cacheline_group_begin__held[0] ____cacheline_aligned;\n"
         "\tvoid *bd_holder;\n\tint bd_holders;\n"
         "\t__u8 __cacheline_group_end__held[0] ____cacheline_aligned;"),
    # in hundreds of structs
    Case("rw_semaphore", {"kind": "insert", "member": "wait_list", "side": "after", "name": "more",
                          "bytes": 1},
         RWSEM, "struct list_head wait_list;", "struct list_head wait_list; char more[1];"),
    Case("list_head", {"kind": "insert", "member": "prev", "side": "after", "name": "more",
                       "bytes": 12, "align": 4},
         "linux/types.h", "struct list_head {\n\tstruct list_head *next, *prev;",
         "struct list_head {\n\tstruct list_head *next, *prev;\n"
         "\tchar more[12] __attribute__((aligned(4)));"),
    Case("inode", {"kind": "align_type", "align": 64}, FS,
         "\tvoid\t\t\t*i_private; /* fs or device private pointer */\n} __randomize_layout;",
         "\tvoid\t\t\t*i_private;\n} __aligned(64);"),
]
# What the move takes away comes back behind another member.
MOVED_TO = "struct request_queue *\tbd_queue;"

# Its array is as long as fits a size: that the length follows from one no debug information tells.
SIZED_BY_OTHERS = {"struct poll_wqueues"}
LEAST_STRUCTS = 500


def write_header(kernel, case, directory):
    """The edited header, in a folder that comes first on the include path."""
    with open(os.path.join(kernel["headers_common"], "include", case.header),
              encoding="utf-8") as file:
        text = file.read()
    new = text.replace(case.old, case.new, 1)
    if case.edit["kind"] == "move":
        new = new.replace(MOVED_TO, f"{MOVED_TO}\n\t{case.old}", 1)
    if new == text:
        raise ValueError(f"{case.header} has no '{case.old}'")
    path = os.path.join(directory, "edited", case.header)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)
    return os.path.join(directory, "edited")


def assertions_of(name, layout):
    yield "sizeof", f"_Static_assert(sizeof({name}) == {layout.size}, \"\");\n"
    yield "_Alignof", f"_Static_assert(_Alignof({name}) == {layout.align}, \"\");\n"
    for path, (offset, width) in layout.fields.items():
        if offset % 8 == 0 and width % 8 == 0 and "." not in path:
            # of a bit-field the compiler refuses the question, and it drops out
            yield "offsetof", (f"_Static_assert(__builtin_offsetof({name}, {path}) == "
                               f"{offset // 8}, \"\");\n")


def check_case(tally, headers, case, answer):
    """Asserts all that moves; what the headers do not show drops out."""
    where = f"{case.struct} {case.edit}"
    if not tally.check("predicted", where, None, answer.refused):
        return
    asked = [(name, what, line) for name, layouts in answer.holders.items() if len(layouts) == 1
             for what, line in assertions_of(name, layouts[0])]
    found = refused(headers, "assertions", [case.bdev_inode] + [line for _, _, line in asked])
    unknown = {asked[at - 1][0] for at, message in found.items()
               if not FAILED.search(message) and asked[at - 1][1] == "sizeof"}
    for at, (name, what, line) in enumerate(asked):
        message = found.get(at + 1, "")
        if name in unknown | SIZED_BY_OTHERS or (message and not FAILED.search(message)):
            continue
        tally.check(what, f"{where}: {line.strip()}", "", message)
    tally.noted["structs that move"] += len(answer.holders)
    tally.noted["of these not in headers"] += len(unknown)


def check_control(tally, headers, case, answer):
    """Without the edit the assertions must fail."""
    lines = [line for name, layouts in answer.holders.items() if len(layouts) == 1
             for what, line in assertions_of(name, layouts[0]) if what == "sizeof"]
    found = refused(headers, "control", [BDEV_INODE % (BDEV, INODE)] + lines)
    failed = [at for at, message in found.items() if FAILED.search(message)]
    tally.check("negative control", case.struct, True, bool(failed))


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip())
    parser.add_argument("--driver", required=True, help="the program relayout_driver")
    parser.add_argument("--kernel", required=True, metavar="ARCH")
    options = parser.parse_args()
    kernel, tally = find_kernel(options.kernel), Tally()
    words = "".join(f"c{at} {case.words()}\n" for at, case in enumerate(CASES))
    answers = Driver(options.driver).edit(kernel["vmlinux"], words)
    with tempfile.TemporaryDirectory(prefix="fieldline-truth-") as directory:
        plain = Headers(options.kernel, kernel, directory)
        for at, case in enumerate(CASES):
            folder = os.path.join(directory, str(at))
            os.mkdir(folder)
            headers = Headers(options.kernel, kernel, folder)
            if case.header:
                headers.flags.insert(0, f"-I{write_header(kernel, case, folder)}")
            check_case(tally, headers, case, answers[f"c{at}"])
        grown = next(at for at, case in enumerate(CASES) if case.struct == "rw_semaphore")
        check_control(tally, plain, CASES[grown], answers[f"c{grown}"])
    tally.check("enough structs", "sizeof", True, tally.compared["sizeof"] >= LEAST_STRUCTS)
    sys.exit(0 if tally.passes(f"edited headers of {kernel['release']}") else 1)


if __name__ == "__main__":
    main()
