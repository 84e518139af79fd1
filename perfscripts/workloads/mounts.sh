#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment E: mounts and unmounts of ext2 and jfs, which set the block size several times.
# series: blocksize-rwsem blocksize-rwsem-expedited bdev
# needs: mkfs.ext2 mkfs.jfs
# run: mounts-ext2 FS=ext2
# run: mounts-jfs FS=jfs
# operations: path_mount
# start: 10
# count: 100000
# warm-up: 2
# slabs: bdev_cache
# modules: brd ext2|ext4 jfs
# boot: brd.rd_nr=2 brd.rd_size=32768
# memory: 512
# seconds: 180
set -e

# With blocks of 4096 bytes, ext2 goes from 4096 to 1024 and back on each mount.
mkfs.ext2 -q -b 4096 /dev/ram0
mkfs.jfs -q /dev/ram1 >/dev/null

milliseconds() { awk '{ print int($1 * 1000) }' /proc/uptime; }

# mounts TYPE DEVICE: prints how long one took, on average.
mounts() {
	mount -t "$1" "$2" /mnt
	dd if=/dev/urandom of=/mnt/file bs=64k count=16 2>/dev/null
	before=$(md5sum </mnt/file)
	umount /mnt
	start=$(milliseconds)
	for loop in $(seq "${LOOPS:-20}"); do
		mount -t "$1" "$2" /mnt
		umount /mnt
	done
	taken=$(($(milliseconds) - start))
	echo "fieldline: measured one mount of $1: $(awk "BEGIN { print $taken / $loop }") ms"
	# Under fieldline emulate the region ends here.
	! command -v mark >/dev/null || mark end
	mount -t "$1" "$2" /mnt
	after=$(md5sum </mnt/file)
	umount /mnt
	[ "$before" = "$after" ]
}

[ "$FS" = jfs ] || mounts ext2 /dev/ram0
[ "$FS" = ext2 ] || mounts jfs /dev/ram1
