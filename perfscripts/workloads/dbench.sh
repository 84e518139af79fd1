#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment C: dbench on reiserfs, on one RAM disk or on two at once.
# series: reiserfs-lock reiserfs-lock-lines
# run: dbench-1
# run: dbench-30 CLIENTS=30
# run: dbench-100 CLIENTS=100
# run: dbench-2-disks DISKS=2
# operations: reiserfs_write_lock
# start: 4000
# count: 8000
# slabs: kmalloc-512
# needs: dbench mkfs.reiserfs reiserfsck
# files: /usr/share/dbench/client.txt
# modules: brd reiserfs
# boot: brd.rd_nr=2 brd.rd_size=262144
# memory: 1024
# seconds: 240
set -e

bench() {
	dbench -c /usr/share/dbench/client.txt -D "$1" -t "${SECONDS_EACH:-10}" "${CLIENTS:-1}" >"log.$1"
}

disks=$(seq 0 $((${DISKS:-1} - 1)))
for disk in $disks; do
	mkdir "$disk"
	mkfs.reiserfs -ff -q "/dev/ram$disk" >/dev/null 2>&1
	mount -t reiserfs "/dev/ram$disk" "$disk"
done
pids=
for disk in $disks; do
	bench "$disk" &
	pids="$pids $!"
done
for pid in $pids; do wait "$pid"; done
for disk in $disks; do
	sed -n "s|^Throughput \\([0-9.]*\\) MB/sec.*|fieldline: disk $disk: \\1 MB/s|p" "log.$disk"
done
for disk in $disks; do
	umount "$disk"
	[ -z "$VERIFY" ] || reiserfsck --yes --quiet --check "/dev/ram$disk"
done
