/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory samples counted the way `perf c2c report` of Linux 6.1 counts them, and by its names, so
 * that the two can be held against each other number by number. Where perf's manual and its code
 * disagree these follow the code.
 */
#ifndef FIELDLINE_MODEL_C2C_STATS_H
#define FIELDLINE_MODEL_C2C_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* Of perf's struct c2c_stats. What most samples count comes first, on one line with the key. */
struct c2c_counts {
	uint32_t nr_entries; /* samples */
	uint32_t load;
	uint32_t ld_l1hit;
	uint32_t store;
	uint32_t st_l1hit;
	uint32_t nomap;
	uint32_t lcl_hitm;
	uint32_t rmt_hitm;
	uint32_t tot_hitm;
	uint32_t locks;
	uint32_t st_uncache;
	uint32_t st_noadrs;
	uint32_t st_l1miss;
	uint32_t st_na;
	uint32_t ld_excl;
	uint32_t ld_shared;
	uint32_t ld_uncache;
	uint32_t ld_io;
	uint32_t ld_miss;
	uint32_t ld_noadrs;
	uint32_t ld_fbhit;
	uint32_t ld_l2hit;
	uint32_t ld_llchit; /* without lcl_hitm; perf's rows add them */
	uint32_t lcl_peer;
	uint32_t rmt_peer;
	uint32_t tot_peer;
	uint32_t rmt_hit;
	uint32_t lcl_dram;
	uint32_t rmt_dram;
	uint32_t blk_data;
	uint32_t blk_addr;
	uint32_t noparse;
};

/*
 * Which line a sample belongs to, as perf tells lines apart: not by the virtual address alone.
 * Memory of a file is one line wherever it is mapped, and anonymous memory one of each process.
 */
struct c2c_place {
	uint64_t addr;	     /* in the file, else the virtual one */
	uint64_t file_id;    /* 0 = no file */
	uint32_t pid;	     /* of anonymous memory of a process, else 0 */
	bool is_addr_mapped; /* something is known to be mapped where the data is */
	bool is_ip_mapped;   /* the same of the instruction */
};

struct c2c_line {
	struct c2c_place place; /* of a sample on it; addr is that of the line */
	uint16_t cpu_mode;	/* PERF_RECORD_MISC_CPUMODE_MASK of the sample's misc */
	struct c2c_counts counts;
	uint64_t addr; /* virtual, of the first sample */
};

DEFINE_VEC(c2c_line_vec, struct c2c_line);

struct c2c_slot {
	uint32_t hash;
	uint32_t line; /* its index + 1; 0 = free */
};

/* A sample that is not counted yet: what it needs is on its way from memory. */
struct c2c_waiting {
	struct c2c_place place; /* of its line */
	uint64_t addr;
	uint64_t data_src;
	uint32_t hash;
	uint16_t cpu_mode;
};

#define C2C_WAITING 32

struct c2c_table {
	struct c2c_line_vec lines;
	struct c2c_slot *slots; /* open addressing, by the hash of what makes a line */
	size_t nr_slots;	/* a power of two, more than twice the lines; or 0 */
	/* In order, round and round: added, looked up in the slots, counted. */
	struct c2c_waiting waiting[C2C_WAITING];
	uint64_t nr_added;
	uint64_t nr_looked_up;
	uint64_t nr_counted;
};

/* What perf shows as Load LLC Misses. */
static inline uint32_t c2c_llc_misses(const struct c2c_counts *counts)
{
	return counts->lcl_dram + counts->rmt_dram + counts->rmt_hitm + counts->rmt_hit;
}

/* Total Loads and Total records in its table of lines; Total Stores there is `store`. */
static inline uint32_t c2c_total_loads(const struct c2c_counts *counts)
{
	return c2c_llc_misses(counts) + counts->ld_fbhit + counts->ld_l1hit + counts->ld_l2hit +
	       counts->ld_llchit + counts->lcl_hitm;
}

static inline uint32_t c2c_total_records(const struct c2c_counts *counts)
{
	return c2c_total_loads(counts) + counts->st_l1hit + counts->st_l1miss + counts->st_na;
}

static inline void c2c_table_deinit(struct c2c_table *table)
{
	vec_deinit(&table->lines);
	free(table->slots);
}

#define auto_c2c_table __attribute__((cleanup(c2c_table_deinit)))

#endif
