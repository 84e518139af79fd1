/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A memory sample as a recording holds it: raw, nothing looked up. Where it came from is
 * trace/'s business, what it touched is resolve/'s.
 */
#ifndef FIELDLINE_MODEL_SAMPLE_H
#define FIELDLINE_MODEL_SAMPLE_H

#include <stdint.h>

/* Which members of a sample the recording has. */
enum sample_has {
	SAMPLE_HAS_IP = 1 << 0,
	SAMPLE_HAS_ADDR = 1 << 1,
	SAMPLE_HAS_TIME = 1 << 2,
	SAMPLE_HAS_TID = 1 << 3,
	SAMPLE_HAS_CPU = 1 << 4,
	SAMPLE_HAS_WEIGHT = 1 << 5,
	SAMPLE_HAS_DATA_SRC = 1 << 6,
	SAMPLE_HAS_PHYS_ADDR = 1 << 7,
};

struct sample {
	uint64_t ip;
	uint64_t addr;	    /* virtual data address */
	uint64_t phys_addr; /* 0 = unknown */
	uint64_t time_ns;
	uint64_t period;   /* events it stands for; at least 1 */
	uint64_t data_src; /* PERF_MEM_* bits (linux/perf_event.h), little-endian bit order */
	uint32_t weight;   /* latency in cycles where the PMU tells it; 0 = unknown */
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t event; /* index into the recording's events */
	uint32_t size;	/* bytes accessed, where an emulator tells; 0 = unknown */
	uint16_t misc;	/* PERF_RECORD_MISC_*: kernel, user, hypervisor, guest */
	uint16_t has;	/* enum sample_has */
};

#endif
