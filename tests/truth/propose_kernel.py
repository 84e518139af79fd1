#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
What `fieldline propose` says of a real kernel: few structs, bdev_inode among the first; and its pad
sweep against plain arithmetic on the offsets that pahole prints.
"""

import argparse
import json
import subprocess
import sys

import pahole
from kernels import find_kernel
from tally import Tally

LINE = 64
MOST = 60  # structs of a kernel: a proposer that is not quiet is not listened to
FIRST = 5


def propose(program, *arguments):
    result = subprocess.run([program, "propose", "-o", "json", *arguments], capture_output=True,
                            text=True, check=True)
    return json.loads(result.stdout)


def offsets_of(vmlinux):
    """{path: offset in bytes in bdev_inode}, put together from what pahole says of each struct."""
    structs = {}
    for name in ("bdev_inode", "inode", "address_space", "rw_semaphore"):
        text = subprocess.run(["pahole", "-F", "btf", "-C", name, vmlinux], capture_output=True,
                              text=True, check=True).stdout
        fields = pahole.parse(text.splitlines())[f"struct {name}"][0].fields
        structs[name] = {path: place.offset // 8 for path, place in fields.items()}
    inode = structs["bdev_inode"]["vfs_inode"]
    data = inode + structs["inode"]["i_data"]
    locks = {"vfs_inode.i_rwsem": inode + structs["inode"]["i_rwsem"],
             "vfs_inode.i_data.invalidate_lock":
                 data + structs["address_space"]["invalidate_lock"]}
    offsets = {f"{lock}.{word}": at + structs["rw_semaphore"][word]
               for lock, at in locks.items() for word in ("count", "owner")}
    return {"vfs_inode": inode, **offsets}


def parted(offsets, lock, words, shift):
    """Whether the line boundary lies between two words of a lock that is moved by so many bytes."""
    first, second = (offsets[f"{lock}.{word}"] + shift for word in words)
    return first // LINE != second // LINE


def check_survey(tally, survey):
    names = [struct["name"] for struct in survey["structs"]]
    print(f"{survey['nr_structs']} structs, {len(names)} with a lock that is cut: "
          f"{', '.join(names[:FIRST])}, ...")
    tally.check("quiet without evidence", len(names), True, len(names) <= MOST)
    tally.check("bdev_inode among the first", names[:FIRST], True, "bdev_inode" in names[:FIRST])


def check_sweep(tally, rows, offsets):
    """Each row, for both of the inode's semaphores that the pad moves."""
    cut_phases = set()
    for row in rows[1:]:
        cuts = {cut["field"]: (cut["left"], cut["right"]) for cut in row["straddling"]}
        shift = row["pad"] - offsets["vfs_inode"]
        tally.check("phase", row["pad"], row["pad"] % LINE, row["phase"])
        for lock in ("vfs_inode.i_rwsem", "vfs_inode.i_data.invalidate_lock"):
            tally.check("count|owner", f"{lock} at {row['pad']}",
                        parted(offsets, lock, ("count", "owner"), shift),
                        cuts.get(lock) == ("count", "owner"))
        if cuts.get("vfs_inode.i_rwsem") == ("count", "owner"):
            cut_phases.add(row["phase"])
    tally.check("phases of eight at which i_rwsem is cut", cut_phases, 1, len(cut_phases))


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip())
    parser.add_argument("--fieldline", required=True)
    parser.add_argument("--kernel", required=True, metavar="ARCH")
    options = parser.parse_args()
    vmlinux, tally = find_kernel(options.kernel)["vmlinux"], Tally()
    offsets = offsets_of(vmlinux)
    first = offsets["vfs_inode"]
    sweep = propose(options.fieldline, vmlinux, "bdev_inode", "--sweep",
                    f"{first}..{first + LINE - 8}/8")
    check_sweep(tally, sweep["rows"], offsets)
    check_survey(tally, propose(options.fieldline, vmlinux))
    sys.exit(0 if tally.passes(f"proposals for {options.kernel}'s kernel") else 1)


if __name__ == "__main__":
    main()
