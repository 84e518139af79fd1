# SPDX-License-Identifier: GPL-2.0-only
# Experiment A: eight jobs read and write 512 bytes at random on one RAM disk, direct I/O.
# needs: fio
# modules: brd
# boot: brd.rd_nr=1 brd.rd_size=65536
# memory: 512
# seconds: 60
set -e

fio --name=direct --filename=/dev/ram0 --ioengine=psync --rw=randrw --bs=512 --direct=1 \
	--numjobs="${JOBS:-8}" --size=4M --offset_increment=4M --number_ios="${IOS:-4000}" \
	--norandommap --group_reporting
