#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Experiment C: dbench on reiserfs.
# series: reiserfs-lock reiserfs-lock-lines
# needs: dbench mkfs.reiserfs reiserfsck
# files: /usr/share/dbench/client.txt
# modules: brd reiserfs
# boot: brd.rd_nr=1 brd.rd_size=262144
# memory: 1024
# seconds: 240
set -e

mkfs.reiserfs -ff -q /dev/ram0 >/dev/null 2>&1
mount -t reiserfs /dev/ram0 /mnt
dbench -c /usr/share/dbench/client.txt -D /mnt -t "${SECONDS_EACH:-10}" "${CLIENTS:-1}"
umount /mnt
[ -z "$VERIFY" ] || reiserfsck --yes --quiet --check /dev/ram0
