#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment D: a file on ext2 written and read, 1 KiB each, 32 in flight, direct I/O.
# series: dio-count dio-count-line
# run: aio-write RW=write SIZE=12M
# run: aio-read RW=read SIZE=12M
# run: aio-loop-write RW=write SIZE=12M DISK=loop
# run: aio-loop-read RW=read SIZE=12M DISK=loop
# operations: __blockdev_direct_IO
# count: 4000
# slabs: dio
# needs: fio mkfs.ext2
# modules: brd loop ext2|ext4
# boot: brd.rd_nr=1 brd.rd_size=81920 loop.max_loop=1
# memory: 768
# seconds: 240
set -e

# Verified, the data is written and read at random, which takes five times as long.
[ -z "$VERIFY" ] || : "${SIZE:=8M}"
: "${SIZE:=50M}"
# A RAM disk ends a bio before its submission returns, the loop device later.
device=/dev/ram0
if [ "$DISK" = loop ]; then
	losetup /dev/loop0 /dev/ram0
	device=/dev/loop0
fi
mkfs.ext2 -q -b 1024 $device
mount -t ext2 $device /mnt
set -- --filename=/mnt/file --ioengine=libaio --iodepth=32 --bs=1k --direct=1 \
	--size="$SIZE" --group_reporting
dd if=/dev/zero of=/mnt/file bs=1M count="${SIZE%M}" 2>/dev/null
sync
if [ -n "$VERIFY" ]; then
	fio --name=verify --rw=randwrite --verify=crc32c --verify_fatal=1 "$@"
else
	for rw in ${RW:-write read}; do
		fio --name="$rw" --rw="$rw" "$@"
	done
fi
umount /mnt
[ "$DISK" != loop ] || losetup -d /dev/loop0
