#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment B: twelve jobs on the topmost of five nested device-mapper targets, direct I/O.
# series: dm-refcount dm-refcount-shared
# run: dm
# count: 4000
# slabs: kmalloc-512
# needs: fio dmsetup
# modules: brd dm-mod
# boot: brd.rd_nr=1 brd.rd_size=49152
# memory: 512
# seconds: 180
set -e

# Nobody runs udev here, so that dmsetup makes the nodes itself.
export DM_DISABLE_UDEV=1
below=/dev/ram0 sectors=$(blockdev --getsz /dev/ram0)
dd if=/dev/zero of=$below bs=1M count=48 2>/dev/null
for level in 1 2 3 4 5; do
	dmsetup create "level$level" --table "0 $sectors linear $below 0"
	below=/dev/mapper/level$level
done
set -- --filename=$below --ioengine=psync --rw=randrw --bs=512 --direct=1 \
	--numjobs="${JOBS:-12}" --number_ios="${IOS:-4000}" --size=48M --group_reporting
[ -z "$VERIFY" ] || set -- "$@" --size=4M --offset_increment=4M --verify=crc32c --verify_fatal=1
fio --name=dm "$@"
for level in 5 4 3 2 1; do
	dmsetup remove "level$level"
done
