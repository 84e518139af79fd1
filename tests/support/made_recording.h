/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings made up for tests and benches, given to a writer item by item. */
#ifndef FIELDLINE_TESTS_SUPPORT_MADE_RECORDING_H
#define FIELDLINE_TESTS_SUPPORT_MADE_RECORDING_H

#include <stdlib.h>
#include <string.h>

#include "model/data_src.h"
#include "trace/recording.h"

struct made_random {
	uint64_t state; /* not 0 */
};

/* xorshift64 (Marsaglia 2003): the same everywhere. */
static inline uint64_t made_number(struct made_random *random)
{
	random->state ^= random->state << 13;
	random->state ^= random->state >> 7;
	random->state ^= random->state << 17;
	return random->state;
}

static inline uint64_t made_below(struct made_random *random, uint64_t limit)
{
	return made_number(random) % limit;
}

enum { MADE_NR_CPUS = 8 };

/* Two nodes of four CPUs; loads and stores. The arrays are to be freed with about_deinit(). */
static inline void made_about(struct recording_about *about)
{
	*about = (struct recording_about){
		.hostname = "made",
		.os_release = "6.1.0",
		.version = "6.1",
		.arch = "x86_64",
		.cpu_desc = "made up",
		.cpuid = "GenuineIntel,6,85,4",
		.nr_cpus = MADE_NR_CPUS,
		.nr_cpus_online = MADE_NR_CPUS,
		.total_memory_kb = 1 << 22,
	};
	*vec_add(&about->cmdline) = "perf";
	*vec_add(&about->cmdline) = "c2c record";
	*vec_add(&about->events) = (struct recorded_event){ .name = "cpu/mem-loads,ldlat=30/P",
							    .type = 4,
							    .config = 0x1cd,
							    .config1 = 30,
							    .period = 1 };
	*vec_add(&about->events) = (struct recorded_event){
		.name = "cpu/mem-stores/P", .type = 4, .config = 0x82d0, .period = 1
	};
	for (uint32_t cpu = 0; cpu < MADE_NR_CPUS; cpu++)
		*about_cpu(about, cpu) =
			(struct recorded_cpu){ (int32_t)cpu % 4, (int32_t)cpu / 4, 0, -1 };
	about_add_node(about, (struct recorded_node){ 0, 1 << 21, 1 << 20, "0-3" });
	about_add_node(about, (struct recorded_node){ 1, 1 << 21, 1 << 20, "4-7" });
}

#define MADE_TEXT 0xffffffff81000000ull

/* A build-id that no kernel has: perf must not take the running one for the recorded. */
static inline struct item made_kernel_map(void)
{
	return (struct item){
		.kind = ITEM_MAP,
		.map = { .kind = MAP_KERNEL,
			 .start = MADE_TEXT,
			 .size = 0x2000000,
			 .name = "[kernel.kallsyms]_text",
			 .symbol = "_text",
			 .symbol_addr = MADE_TEXT,
			 .executable = true,
			 .build_id = "fieldline, made up!",
			 .build_id_size = BUILD_ID_MAX },
	};
}

static inline struct item made_user_map(uint32_t pid, uint64_t start, uint64_t size,
					const char *name, uint64_t file_id)
{
	return (struct item){
		.kind = ITEM_MAP,
		.map = { .kind = MAP_USER,
			 .pid = pid,
			 .tid = pid,
			 .start = start,
			 .size = size,
			 .file_offset = file_id ? 0x3000 : 0,
			 .file_id = file_id,
			 .name = name },
	};
}

static inline struct item made_comm(uint32_t pid, uint32_t tid, const char *name)
{
	return (struct item){ .kind = ITEM_COMM, .comm = { pid, tid, name, false } };
}

/* All that a sample needs, on CPU 0 and in the kernel. */
static inline struct item made_sample(uint64_t time_ns, uint64_t addr, uint64_t data_src)
{
	return (struct item){
		.kind = ITEM_SAMPLE,
		.time_ns = time_ns,
		.sample = { .ip = MADE_TEXT + 0x1000,
			    .addr = addr,
			    .time_ns = time_ns,
			    .period = 1,
			    .data_src = data_src,
			    .weight = 100,
			    .pid = 100,
			    .tid = 100,
			    .event = data_src_op(data_src) & OP_STORE ? 1 : 0,
			    .misc = 1, /* PERF_RECORD_MISC_KERNEL */
			    .has = SAMPLE_HAS_IP | SAMPLE_HAS_ADDR | SAMPLE_HAS_TIME |
				   SAMPLE_HAS_TID | SAMPLE_HAS_CPU | SAMPLE_HAS_WEIGHT |
				   SAMPLE_HAS_DATA_SRC },
	};
}

#endif
