#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Stress of C: trees made, listed, read and deleted and fsx at the same time, with little memory.
# series: reiserfs-lock reiserfs-lock-lines
# needs: mkfs.reiserfs reiserfsck
# compile: stress-tree.c stress-fsx.c
# modules: brd reiserfs
# boot: brd.rd_nr=2 brd.rd_size=65536
# memory: 256
# seconds: 300
set -e

# Two file systems: the global lock serializes them, the one for each must not.
mkdir a b
for disk in a:/dev/ram0 b:/dev/ram1; do
	mkfs.reiserfs -ff -q "${disk#*:}" >/dev/null 2>&1
	mount -t reiserfs "${disk#*:}" "${disk%%:*}"
done
# What the page cache cannot have.
dd if=/dev/zero of=ballast bs=1M count="${BALLAST:-32}" 2>/dev/null

pids=
for directory in a b; do
	stress-tree -j "${JOBS:-4}" -n "${LOOPS:-5}" "$directory" &
	pids="$pids $!"
	stress-fsx -n "${OPERATIONS:-1500}" -s "${SEED:-1}" "$directory/fsx" &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid"; done

for disk in a:/dev/ram0 b:/dev/ram1; do
	umount "${disk%%:*}"
	reiserfsck --yes --quiet --check "${disk#*:}"
done
