#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Stress of D: asynchronous and synchronous direct I/O that is verified, cut short and failing.
# series: dio-count dio-count-line
# needs: fio mkfs.ext2
# compile: stress-dio.c stress-fsx.c
# modules: brd loop ext2|ext4
# boot: brd.rd_nr=1 brd.rd_size=65536 loop.max_loop=1
# memory: 512
# seconds: 300
set -e

# A RAM disk ends a bio before it returns from its submission. The loop device ends it elsewhere.
losetup /dev/loop0 /dev/ram0
mkfs.ext2 -q -b 1024 /dev/loop0
mount -t ext2 /dev/loop0 /mnt
stress-dio -t "${SECONDS_EACH:-15}" -j "${JOBS:-4}" -s "${SEED:-1}" /mnt
stress-fsx -n "${OPERATIONS:-1000}" -s "${SEED:-1}" /mnt/fsx
fio --name=verify --filename=/mnt/file --ioengine=libaio --iodepth=32 --bs=1k --direct=1 \
	--rw=randwrite --size=8M --verify=crc32c --verify_fatal=1
umount /mnt
losetup -d /dev/loop0
