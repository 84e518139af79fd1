#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment A through the page cache, hot or cold: eight jobs, 512 bytes at random.
# series: bdev bdev-pad bdev-sweep
# run: hot
# run: hot-2m SIZE=2M
# run: cold CACHE=cold
# needs: fio
# slabs: bdev_cache
# modules: brd
# boot: brd.rd_nr=1 brd.rd_size=65536
# memory: 512
# seconds: 180
set -e

# invalidate=0: fio would drop the page cache in the middle of the run.
set -- --filename=/dev/ram0 --ioengine=psync --rw=randrw --bs=512 --direct=0 --invalidate=0 \
	--numjobs="${JOBS:-8}" --number_ios="${IOS:-4000}" --size="${SIZE:-64M}" --group_reporting
[ -z "$VERIFY" ] || set -- "$@" --size=4M --offset_increment=4M --verify=crc32c --verify_fatal=1
# The cache lives as long as somebody has the device open.
exec 3</dev/ram0
[ "$CACHE" = cold ] || dd if=/dev/ram0 of=/dev/null bs=1M 2>/dev/null
fio --name=hot "$@"
