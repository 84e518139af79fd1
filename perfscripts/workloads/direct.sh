#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment A: eight jobs read and write 512 bytes at random on one RAM disk, direct I/O.
# series: bdev bdev-pad bdev-sweep blocksize-rwsem
# run: direct
# needs: fio
# slabs: bdev_cache
# modules: brd
# boot: brd.rd_nr=1 brd.rd_size=32768
# memory: 512
# seconds: 180
set -e

# The disk is filled first, as it was in the thread.
dd if=/dev/zero of=/dev/ram0 bs=1M count=32 2>/dev/null
set -- --filename=/dev/ram0 --ioengine=psync --rw=randrw --bs=512 --direct=1 \
	--numjobs="${JOBS:-8}" --number_ios="${IOS:-4000}" --size=32M --group_reporting
# Jobs that verify need a part of the disk each.
[ -z "$VERIFY" ] || set -- "$@" --size=4M --offset_increment=4M --verify=crc32c --verify_fatal=1
fio --name=direct "$@"
