/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/c2c_stats.h"

#include "base/map.h"
#include "model/data_src.h"

enum {
	LINE_BYTES = 64,
	MIN_SLOTS = 64,
	CPU_MODE_MASK = 7, /* PERF_RECORD_MISC_CPUMODE_MASK */
};

/* A remote access of unknown level (Skylake). POWER sets hops for another core of the node. */
static bool is_remote(uint64_t data_src)
{
	return data_src_remote(data_src) && !data_src_hops(data_src);
}

static void count_dram(struct c2c_counts *counts, unsigned int snoop)
{
	if (snoop & SNOOP_HIT)
		counts->ld_shared++;
	else
		counts->ld_excl++;
}

static void count_load_hit(struct c2c_counts *counts, uint64_t data_src)
{
	const unsigned int remote_ram = LEVEL_REMOTE_RAM1 | LEVEL_REMOTE_RAM2;
	unsigned int level = data_src_level(data_src);
	unsigned int snoop = data_src_snoop(data_src);
	bool peer = data_src_snoopx(data_src) & SNOOPX_PEER;

	counts->ld_uncache += !!(level & LEVEL_UNCACHED);
	counts->ld_io += !!(level & LEVEL_IO);
	counts->ld_fbhit += !!(level & LEVEL_LFB);
	counts->ld_l1hit += !!(level & LEVEL_L1);
	if (level & LEVEL_L2) {
		counts->ld_l2hit++;
		counts->lcl_peer += peer;
		counts->tot_peer += peer;
	}
	if (level & LEVEL_L3) {
		if (snoop & SNOOP_HITM) {
			counts->lcl_hitm++;
			counts->tot_hitm++;
		} else {
			counts->ld_llchit++;
		}
		counts->lcl_peer += peer;
		counts->tot_peer += peer;
	}
	if (level & LEVEL_LOCAL_RAM) {
		counts->lcl_dram++;
		count_dram(counts, snoop);
	}
	if (level & remote_ram || is_remote(data_src)) {
		counts->rmt_dram++;
		count_dram(counts, snoop);
	}
}

/* Counted whether the level is marked as hit or not. */
static void count_remote_cache(struct c2c_counts *counts, uint64_t data_src)
{
	const unsigned int remote_cache = LEVEL_REMOTE_CACHE1 | LEVEL_REMOTE_CACHE2;
	unsigned int snoop = data_src_snoop(data_src);

	if (!(data_src_level(data_src) & remote_cache) && !is_remote(data_src))
		return;
	if (snoop & SNOOP_HIT) {
		counts->rmt_hit++;
	} else if (snoop & SNOOP_HITM) {
		counts->rmt_hitm++;
		counts->tot_hitm++;
	} else if (data_src_snoopx(data_src) & SNOOPX_PEER) {
		counts->rmt_hit++;
		counts->rmt_peer++;
		counts->tot_peer++;
	}
}

static void count_store(struct c2c_counts *counts, unsigned int level)
{
	if (level & LEVEL_HIT) {
		counts->st_uncache += !!(level & LEVEL_UNCACHED);
		counts->st_l1hit += !!(level & LEVEL_L1);
	}
	if (level & LEVEL_MISS)
		counts->st_l1miss += !!(level & LEVEL_L1);
	counts->st_na += !!(level & LEVEL_NA);
}

/* What is rejected ends early and is left out of what comes after. */
static void count(struct c2c_counts *counts, const struct sample *sample,
		  const struct c2c_place *place)
{
	uint64_t data_src = sample->data_src;
	unsigned int op = data_src_op(data_src);
	unsigned int level = data_src_level(data_src);

	counts->nr_entries++;
	counts->locks += !!(data_src_lock(data_src) & LOCK_LOCKED);
	counts->blk_data += !!(data_src_block(data_src) & BLOCK_DATA);
	counts->blk_addr += !!(data_src_block(data_src) & BLOCK_ADDRESS);
	if (op & OP_LOAD) {
		counts->load++;
		if (!sample->addr) {
			counts->ld_noadrs++;
			return;
		}
		if (level & LEVEL_HIT)
			count_load_hit(counts, data_src);
		count_remote_cache(counts, data_src);
		counts->ld_miss += !!(level & LEVEL_MISS);
	} else if (op & OP_STORE) {
		counts->store++;
		if (!sample->addr) {
			counts->st_noadrs++;
			return;
		}
		count_store(counts, level);
	} else {
		counts->noparse++;
		return;
	}
	counts->nomap += !place->is_addr_mapped || !place->is_ip_mapped;
}

static void add_counts(struct c2c_counts *to, const struct c2c_counts *from)
{
	uint32_t *sums = (uint32_t *)to;
	const uint32_t *terms = (const uint32_t *)from;

	/* The struct is nothing but its counters. */
	for (size_t i = 0; i < sizeof(*to) / sizeof(*sums); i++)
		sums[i] += terms[i];
}

static bool is_line(const struct c2c_line *line, const struct c2c_place *place, uint16_t cpu_mode)
{
	return line->place.addr == place->addr && line->cpu_mode == cpu_mode &&
	       line->place.file_id == place->file_id && line->place.pid == place->pid &&
	       line->place.is_addr_mapped == place->is_addr_mapped;
}

static uint64_t hash_line(const struct c2c_place *place, uint16_t cpu_mode)
{
	uint64_t hash = hash_mix(place->file_id, place->addr);

	return hash_mix(hash, (uint64_t)place->pid << 32 | cpu_mode << 1 | place->is_addr_mapped);
}

/* Where the line is told of, or the free slot where it would be. */
static uint32_t *find_slot(const struct c2c_table *table, const struct c2c_place *place,
			   uint16_t cpu_mode)
{
	size_t mask = table->nr_slots - 1;
	size_t i = hash_line(place, cpu_mode) & mask;

	while (table->slots[i] &&
	       !is_line(&table->lines.items[table->slots[i] - 1], place, cpu_mode))
		i = (i + 1) & mask;
	return &table->slots[i];
}

/* Puts all lines into so many slots. */
static void index_lines(struct c2c_table *table, size_t nr_slots)
{
	free(table->slots);
	table->slots = memory_alloc(nr_slots, sizeof(*table->slots));
	table->nr_slots = nr_slots;
	for (size_t i = 0; i < table->lines.nr; i++) {
		const struct c2c_line *line = &table->lines.items[i];

		*find_slot(table, &line->place, line->cpu_mode) = (uint32_t)i + 1;
	}
}

/* place->addr is that of the line. */
static struct c2c_line *find_line(struct c2c_table *table, const struct c2c_place *place,
				  uint16_t cpu_mode, uint64_t addr)
{
	uint32_t *slot;

	if (table->nr_slots <= 2 * table->lines.nr)
		index_lines(table, table->nr_slots ? 2 * table->nr_slots : MIN_SLOTS);
	slot = find_slot(table, place, cpu_mode);
	if (!*slot) {
		*vec_add(&table->lines) = (struct c2c_line){
			.place = *place,
			.cpu_mode = cpu_mode,
			.addr = addr,
		};
		*slot = (uint32_t)table->lines.nr;
	}
	return &table->lines.items[*slot - 1];
}

void c2c_table_add(struct c2c_table *table, const struct sample *sample,
		   const struct c2c_place *place)
{
	const uint64_t line_mask = ~(uint64_t)(LINE_BYTES - 1);
	struct c2c_place line_place = *place;
	struct c2c_line *line;

	line_place.addr &= line_mask;
	line = find_line(table, &line_place, sample->misc & CPU_MODE_MASK,
			 sample->addr & line_mask);
	count(&line->counts, sample, place);
}

struct c2c_counts c2c_total_counts(const struct c2c_table *table)
{
	struct c2c_counts sums = {};

	for (size_t i = 0; i < table->lines.nr; i++)
		add_counts(&sums, &table->lines.items[i].counts);
	return sums;
}

struct c2c_counts c2c_shared_counts(const struct c2c_table *table, uint32_t *ret_nr_lines)
{
	struct c2c_counts sums = {};

	*ret_nr_lines = 0;
	for (size_t i = 0; i < table->lines.nr; i++) {
		const struct c2c_counts *counts = &table->lines.items[i].counts;

		if (!counts->tot_hitm && !counts->tot_peer)
			continue;
		(*ret_nr_lines)++;
		add_counts(&sums, counts);
	}
	return sums;
}

static int compare_lines(const void *a, const void *b)
{
	const struct c2c_line *left = a;
	const struct c2c_line *right = b;

	if (left->counts.tot_hitm != right->counts.tot_hitm)
		return left->counts.tot_hitm > right->counts.tot_hitm ? -1 : 1;
	if (left->addr != right->addr)
		return left->addr < right->addr ? -1 : 1;
	if (left->place.pid != right->place.pid)
		return left->place.pid < right->place.pid ? -1 : 1;
	if (left->cpu_mode != right->cpu_mode)
		return left->cpu_mode < right->cpu_mode ? -1 : 1;
	if (left->place.file_id != right->place.file_id)
		return left->place.file_id < right->place.file_id ? -1 : 1;
	return left->place.addr < right->place.addr ? -1 : left->place.addr > right->place.addr;
}

void c2c_table_sort(struct c2c_table *table)
{
	vec_sort(&table->lines, compare_lines);
	if (table->nr_slots)
		index_lines(table, table->nr_slots);
}
