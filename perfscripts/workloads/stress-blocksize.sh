#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Stress of A and E: the block size changes while others read and write, and verify.
# series: bdev bdev-pad blocksize-rwsem blocksize-rwsem-expedited
# compile: stress-blocksize.c
# modules: brd
# boot: brd.rd_nr=1 brd.rd_size=16384
# memory: 512
# seconds: 180
set -e

stress-blocksize -t "${SECONDS_EACH:-20}" -j "${JOBS:-6}" -s "${SEED:-1}" /dev/ram0
