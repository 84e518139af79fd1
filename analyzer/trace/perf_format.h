/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data beyond linux/perf_event.h: what perf itself adds to the kernel's records. Facts of
 * Linux 6.1's tools/perf/Documentation/perf.data-file-format.txt and tools/perf/util/header.h.
 */
#ifndef FIELDLINE_TRACE_PERF_FORMAT_H
#define FIELDLINE_TRACE_PERF_FORMAT_H

#include <linux/perf_event.h>
#include <stdint.h>

#define PERF_MAGIC "PERFILE2"
#define PERF_MAGIC_NUMBER 0x32454c4946524550ull /* the same, little-endian */
#define PERF_MAGIC_SWAPPED "2ELIFREP"
#define PERF_MAGIC_V1 "PERFFILE"

enum {
	PERF_FILE_HEADER_BYTES = 104,
	PERF_PIPE_HEADER_BYTES = 16,
	PERF_RECORD_HEADER_BYTES = 8,
	PERF_RECORD_BYTES_MAX = 65535, /* the header's size has 16 bits */
	PERF_SECTION_BYTES = 16,
};

/* Bits of perf_event_attr's word of flags, by number; a big-endian file has bit n at 63 - n. */
enum perf_attr_flag {
	PERF_ATTR_DISABLED = 0,
	PERF_ATTR_MMAP = 8,
	PERF_ATTR_COMM = 9,
	PERF_ATTR_FREQ = 10,
	PERF_ATTR_TASK = 13,
	PERF_ATTR_MMAP_DATA = 17,
	PERF_ATTR_SAMPLE_ID_ALL = 18,
	PERF_ATTR_MMAP2 = 23,
	PERF_ATTR_COMM_EXEC = 24,
};

enum perf_user_record {
	PERF_USER_ATTR = 64,
	PERF_USER_TRACING_DATA = 66,
	PERF_USER_BUILD_ID = 67,
	PERF_USER_FINISHED_ROUND = 68,
	PERF_USER_AUXTRACE = 71, /* its payload follows, outside the record's size */
	PERF_USER_EVENT_UPDATE = 78,
	PERF_USER_FEATURE = 80,
	PERF_USER_COMPRESSED = 81,
	PERF_USER_COMPRESSED2 = 83, /* with the size of its data: records are padded to 8 bytes */
	PERF_USER_MAX = 86,	    /* the last that is known, to Linux 6.18 */
};

enum perf_feature {
	PERF_FEATURE_TRACING_DATA = 1,
	PERF_FEATURE_BUILD_ID = 2,
	PERF_FEATURE_HOSTNAME = 3,
	PERF_FEATURE_OSRELEASE = 4,
	PERF_FEATURE_VERSION = 5,
	PERF_FEATURE_ARCH = 6,
	PERF_FEATURE_NRCPUS = 7,
	PERF_FEATURE_CPUDESC = 8,
	PERF_FEATURE_CPUID = 9,
	PERF_FEATURE_TOTAL_MEM = 10,
	PERF_FEATURE_CMDLINE = 11,
	PERF_FEATURE_EVENT_DESC = 12,
	PERF_FEATURE_CPU_TOPOLOGY = 13,
	PERF_FEATURE_NUMA_TOPOLOGY = 14,
	PERF_FEATURE_SAMPLE_TIME = 21,
	PERF_FEATURE_DIR_FORMAT = 24,
	PERF_NR_FEATURES = 256,
};

enum { PERF_EVENT_UPDATE_NAME = 2 };

#define PERF_KERNEL_MAP_NAME "[kernel.kallsyms]"

/* In the misc of a build-id: the byte after its 20 says how many are used. */
#define PERF_MISC_BUILD_ID_SIZE (1 << 15)

#endif
