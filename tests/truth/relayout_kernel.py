#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
The relayout engine on a real kernel: how many structs it can explain, and why not the rest; and
edits of struct bdev_inode, whose outcome is plain arithmetic.
"""

import argparse
import sys

from kernels import find_kernel
from relayout_driver import Driver
from tally import Tally

LEAST_EXPLAINED = 0.99
LINE = 64

EDITS = """\
union bdev_inode wrap member=bdev name=pad round_to=64
aligned bdev_inode align member=vfs_inode align=64
grown block_device insert member=bd_device side=after name=new bytes=8 align=8 show=bdev_inode
swapped bdev_inode move member=vfs_inode anchor=bdev side=before
"""


def round_up(value, multiple):
    return -(-value // multiple) * multiple


def check_explained(tally, text):
    lines = text.splitlines()
    refused = [line for line in lines if line.startswith("refused ")]
    print("\n".join(refused + lines[-2:]))
    total = int(lines[-2].split()[0])
    explained = 1 - len(refused) / total
    tally.check("share explained", f"{explained:.4f}", True, explained >= LEAST_EXPLAINED)
    # Linux 6.1 declares these with unnamed bit-fields, and packed.
    for expected in ("supposed __kernel_timex: unnamed bit-fields",
                     "supposed task_struct: unnamed bit-fields"):
        tally.check("known suppositions", expected, True, expected in lines)


class Inode:
    """Of bdev_inode: where struct inode starts and the sizes, in bytes."""

    def __init__(self, layout):
        self.size, self.align = layout.size, layout.align
        (bdev, bdev_bits), (inode, inode_bits) = layout.fields["bdev"], layout.fields["vfs_inode"]
        self.bdev, self.bdev_size = bdev // 8, bdev_bits // 8
        self.inode, self.inode_size = inode // 8, inode_bits // 8


def check_edits(tally, answers):
    before = Inode(answers["union"].layouts["before"][0])
    after = {name: Inode(answer.layouts["after"][0]) for name, answer in answers.items()}
    inode = round_up(before.bdev_size, LINE)
    expected = {
        "union": (inode, round_up(inode + before.inode_size, 8)),
        "aligned": (inode, round_up(inode + before.inode_size, LINE)),
        "grown": (before.inode + 8, before.size + 8),
        "swapped": (0, before.size),
    }
    for name, place in expected.items():
        tally.check("edits of bdev_inode", name, place, (after[name].inode, after[name].size))
    tally.check("edits of bdev_inode", "alignment", LINE, after["aligned"].align)
    print(f"bdev_inode: inode at {before.inode} of {before.size}, then " + ", ".join(
        f"{name} {after[name].inode} of {after[name].size}" for name in expected))


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip())
    parser.add_argument("--driver", required=True, help="the program relayout_driver")
    parser.add_argument("--kernel", required=True, metavar="ARCH")
    options = parser.parse_args()
    vmlinux = find_kernel(options.kernel)["vmlinux"]
    driver, tally = Driver(options.driver), Tally()
    check_explained(tally, driver.explain(vmlinux))
    check_edits(tally, driver.edit(vmlinux, EDITS))
    sys.exit(0 if tally.passes(f"relayout on {options.kernel}'s kernel") else 1)


if __name__ == "__main__":
    main()
