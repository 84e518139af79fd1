#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment A while two processes open and close the device without end: bd_openers is written.
# series: bdev
# run: openers
# needs: fio
# slabs: bdev_cache
# modules: brd
# boot: brd.rd_nr=1 brd.rd_size=32768
# memory: 512
# seconds: 180
set -e

dd if=/dev/zero of=/dev/ram0 bs=1M count=32 2>/dev/null
set -- --filename=/dev/ram0 --ioengine=psync --rw=randrw --bs=512 --direct=1 \
	--numjobs="${JOBS:-6}" --number_ios="${IOS:-4000}" --size=32M --group_reporting
[ -z "$VERIFY" ] || set -- "$@" --size=4M --offset_increment=4M --verify=crc32c --verify_fatal=1
for opener in 1 2; do
	while [ ! -e "done.$opener" ]; do : </dev/ram0; done &
done
status=0
fio --name=openers "$@" || status=$?
touch done.1 done.2
wait
exit "$status"
