#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment D: a file on ext2 written and read, 1 KiB each, 32 in flight, direct I/O.
# series: dio-count dio-count-line
# needs: fio mkfs.ext2
# modules: brd ext2|ext4
# boot: brd.rd_nr=1 brd.rd_size=81920
# memory: 768
# seconds: 240
set -e

# Verified, the data is written and read at random, which takes five times as long.
[ -z "$VERIFY" ] || : "${SIZE:=8M}"
: "${SIZE:=50M}"
mkfs.ext2 -q -b 1024 /dev/ram0
mount -t ext2 /dev/ram0 /mnt
set -- --filename=/mnt/file --ioengine=libaio --iodepth=32 --bs=1k --direct=1 \
	--size="$SIZE" --group_reporting
dd if=/dev/zero of=/mnt/file bs=1M count="${SIZE%M}" 2>/dev/null
sync
if [ -n "$VERIFY" ]; then
	fio --name=verify --rw=randwrite --verify=crc32c --verify_fatal=1 "$@"
else
	fio --name=write --rw=write "$@"
	fio --name=read --rw=read "$@"
fi
umount /mnt
