/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where an access found its data: the fields of perf's 64-bit data_src. The value is the same on
 * machines of both byte orders, since linux/perf_event.h declares the bits the other way round on
 * the big-endian ones (unlike those of perf_event_attr).
 *
 * Bits 46 and up mean one thing on Arm, another elsewhere: the regions of Intel's, of 2026, took
 * the place that Arm's extended operations of November 2025 had used.
 */
#ifndef FIELDLINE_MODEL_DATA_SRC_H
#define FIELDLINE_MODEL_DATA_SRC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum data_src_op {
	OP_NA = 1 << 0,
	OP_LOAD = 1 << 1,
	OP_STORE = 1 << 2,
	OP_PREFETCH = 1 << 3,
	OP_EXEC = 1 << 4,
};

enum data_src_level {
	LEVEL_NA = 1 << 0,
	LEVEL_HIT = 1 << 1,
	LEVEL_MISS = 1 << 2,
	LEVEL_L1 = 1 << 3,
	LEVEL_LFB = 1 << 4, /* line fill buffer */
	LEVEL_L2 = 1 << 5,
	LEVEL_L3 = 1 << 6,
	LEVEL_LOCAL_RAM = 1 << 7,
	LEVEL_REMOTE_RAM1 = 1 << 8,    /* one hop */
	LEVEL_REMOTE_RAM2 = 1 << 9,    /* two */
	LEVEL_REMOTE_CACHE1 = 1 << 10, /* one hop */
	LEVEL_REMOTE_CACHE2 = 1 << 11, /* two */
	LEVEL_IO = 1 << 12,
	LEVEL_UNCACHED = 1 << 13,
};

enum data_src_snoop {
	SNOOP_NA = 1 << 0,
	SNOOP_NONE = 1 << 1,
	SNOOP_HIT = 1 << 2,
	SNOOP_MISS = 1 << 3,
	SNOOP_HITM = 1 << 4, /* another cache had it modified */
};

enum data_src_lock { LOCK_NA = 1 << 0, LOCK_LOCKED = 1 << 1 };

enum data_src_tlb {
	TLB_NA = 1 << 0,
	TLB_HIT = 1 << 1,
	TLB_MISS = 1 << 2,
	TLB_L1 = 1 << 3,
	TLB_L2 = 1 << 4,
	TLB_WALKER = 1 << 5,
	TLB_OS = 1 << 6,
};

/* A number, not bits. */
enum data_src_level_number {
	LEVEL_NUMBER_L1 = 1,
	LEVEL_NUMBER_L2,
	LEVEL_NUMBER_L3,
	LEVEL_NUMBER_L4,
	LEVEL_NUMBER_L2_MHB, /* miss handling buffer */
	LEVEL_NUMBER_MEMORY_SIDE_CACHE,
	LEVEL_NUMBER_L0,
	LEVEL_NUMBER_UNCACHED,
	LEVEL_NUMBER_CXL,
	LEVEL_NUMBER_IO,
	LEVEL_NUMBER_ANY_CACHE,
	LEVEL_NUMBER_LFB,
	LEVEL_NUMBER_RAM,
	LEVEL_NUMBER_PMEM,
	LEVEL_NUMBER_NA,
};

enum data_src_snoopx { SNOOPX_FORWARD = 1 << 0, SNOOPX_PEER = 1 << 1 };

enum data_src_block { BLOCK_NA = 1 << 0, BLOCK_DATA = 1 << 1, BLOCK_ADDRESS = 1 << 2 };

/* A number; with `remote`. */
enum data_src_hops { HOPS_CORE = 1, HOPS_NODE, HOPS_SOCKET, HOPS_BOARD };

/* One name, number of bits and first bit for each field. */
#define DEFINE_DATA_SRC_FIELD(name, nr_bits, first)                               \
	enum { DATA_SRC_##name##_SHIFT = first };                                 \
	static inline unsigned int data_src_##name(uint64_t data_src)             \
	{                                                                         \
		return (unsigned int)(data_src >> first) & ((1u << nr_bits) - 1); \
	}

DEFINE_DATA_SRC_FIELD(op, 5, 0)
DEFINE_DATA_SRC_FIELD(level, 14, 5)
DEFINE_DATA_SRC_FIELD(snoop, 5, 19)
DEFINE_DATA_SRC_FIELD(lock, 2, 24)
DEFINE_DATA_SRC_FIELD(tlb, 7, 26)
DEFINE_DATA_SRC_FIELD(level_number, 4, 33)
DEFINE_DATA_SRC_FIELD(remote, 1, 37)
DEFINE_DATA_SRC_FIELD(snoopx, 2, 38)
DEFINE_DATA_SRC_FIELD(block, 3, 40)
DEFINE_DATA_SRC_FIELD(hops, 3, 43)
/* Of Intel: which cache agent or memory region answered. */
DEFINE_DATA_SRC_FIELD(region, 5, 46)
/* Of Arm: kind of operation, and what kind of access it was, as bits of enum data_src_affix. */
DEFINE_DATA_SRC_FIELD(op_ext, 4, 46)
DEFINE_DATA_SRC_FIELD(affix, 8, 50)

enum data_src_op_ext {
	OP_EXT_MTE_TAG = 1,
	OP_EXT_NESTED_VIRT,
	OP_EXT_MEMCPY,
	OP_EXT_MEMSET,
	OP_EXT_SIMD,
	OP_EXT_GUARDED_STACK,
};

enum data_src_affix {
	AFFIX_DATA_PROCESSING = 1 << 0,
	AFFIX_FLOATING_POINT = 1 << 1,
	AFFIX_PREDICATED = 1 << 2,
	AFFIX_ATOMIC = 1 << 3,
	AFFIX_EXCLUSIVE = 1 << 4,
	AFFIX_ACQUIRE_RELEASE = 1 << 5,
	AFFIX_SCATTER_GATHER = 1 << 6,
	AFFIX_CONDITIONAL = 1 << 7,
};

/* Every field at its place; what is not named is 0. */
struct data_src_parts {
	unsigned int op, level, snoop, lock, tlb, level_number, remote, snoopx, block, hops;
};

static inline uint64_t data_src_make(const struct data_src_parts *parts)
{
	return (uint64_t)parts->op << DATA_SRC_op_SHIFT |
	       (uint64_t)parts->level << DATA_SRC_level_SHIFT |
	       (uint64_t)parts->snoop << DATA_SRC_snoop_SHIFT |
	       (uint64_t)parts->lock << DATA_SRC_lock_SHIFT |
	       (uint64_t)parts->tlb << DATA_SRC_tlb_SHIFT |
	       (uint64_t)parts->level_number << DATA_SRC_level_number_SHIFT |
	       (uint64_t)parts->remote << DATA_SRC_remote_SHIFT |
	       (uint64_t)parts->snoopx << DATA_SRC_snoopx_SHIFT |
	       (uint64_t)parts->block << DATA_SRC_block_SHIFT |
	       (uint64_t)parts->hops << DATA_SRC_hops_SHIFT;
}

/* What perf takes for a sample without one: "not available". */
static inline uint64_t data_src_none(void)
{
	return data_src_make(&(struct data_src_parts){ .op = OP_NA,
						       .level = LEVEL_NA,
						       .snoop = SNOOP_NA,
						       .lock = LOCK_NA,
						       .tlb = TLB_NA });
}

/* In words: "load, L3 hit, HITM, locked". is_arm: how bits 46 and up are read. */
void data_src_describe(struct text *text, uint64_t data_src, bool is_arm);

#endif
