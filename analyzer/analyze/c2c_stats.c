/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/c2c_stats.h"

#include <string.h>

#include "base/map.h"
#include "model/data_src.h"

enum {
	LINE_BYTES = 64,
	MIN_SLOTS = 64,
	/* Samples between the steps of one: some hundred nanoseconds, as memory takes. */
	LOOK_UP_LATER = C2C_WAITING / 2,
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
static void count(struct c2c_counts *counts, const struct c2c_waiting *sample)
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
	counts->nomap += !sample->place.is_addr_mapped || !sample->place.is_ip_mapped;
}

static void add_counts(struct c2c_counts *to, const struct c2c_counts *from)
{
	uint32_t *sums = (uint32_t *)to;
	const uint32_t *terms = (const uint32_t *)from;

	/* The struct is nothing but its counters. */
	for (size_t i = 0; i < sizeof(*to) / sizeof(*sums); i++)
		sums[i] += terms[i];
}

static bool is_line(const struct c2c_line *line, const struct c2c_waiting *sample)
{
	const struct c2c_place *place = &sample->place;

	return line->place.addr == place->addr && line->cpu_mode == sample->cpu_mode &&
	       line->place.file_id == place->file_id && line->place.pid == place->pid &&
	       line->place.is_addr_mapped == place->is_addr_mapped;
}

static uint32_t hash_line(const struct c2c_place *place, uint16_t cpu_mode)
{
	uint64_t hash = hash_mix(place->file_id, place->addr);

	return (uint32_t)hash_mix(hash, (uint64_t)place->pid << 32 | cpu_mode << 1 |
						place->is_addr_mapped);
}

static struct c2c_slot *first_slot(const struct c2c_table *table, uint32_t hash)
{
	return &table->slots[hash & (table->nr_slots - 1)];
}

static struct c2c_slot *next_slot(const struct c2c_table *table, struct c2c_slot *slot)
{
	return slot + 1 == table->slots + table->nr_slots ? table->slots : slot + 1;
}

static void place(struct c2c_table *table, struct c2c_slot placed)
{
	struct c2c_slot *slot = first_slot(table, placed.hash);

	while (slot->line)
		slot = next_slot(table, slot);
	*slot = placed;
}

/* Puts all lines into twice as many slots. */
static void grow(struct c2c_table *table)
{
	struct c2c_slot *old = table->slots;
	size_t nr_old = table->nr_slots;

	table->nr_slots = nr_old ? 2 * nr_old : MIN_SLOTS;
	table->slots = memory_alloc(table->nr_slots, sizeof(*table->slots));
	for (size_t i = 0; i < nr_old; i++) {
		if (old[i].line)
			place(table, old[i]);
	}
	free(old);
}

static struct c2c_line *find_line(struct c2c_table *table, const struct c2c_waiting *sample)
{
	const uint64_t line_mask = ~(uint64_t)(LINE_BYTES - 1);
	struct c2c_slot *slot = first_slot(table, sample->hash);

	for (; slot->line; slot = next_slot(table, slot)) {
		struct c2c_line *line = &table->lines.items[slot->line - 1];

		if (slot->hash == sample->hash && is_line(line, sample))
			return line;
	}
	*vec_add(&table->lines) = (struct c2c_line){
		.place = sample->place,
		.cpu_mode = sample->cpu_mode,
		.addr = sample->addr & line_mask,
	};
	*slot = (struct c2c_slot){ sample->hash, (uint32_t)table->lines.nr };
	return &table->lines.items[table->lines.nr - 1];
}

/* Fetches the line that is likely meant. */
static void look_up(const struct c2c_table *table, const struct c2c_waiting *sample)
{
	struct c2c_slot *slot = first_slot(table, sample->hash);
	const char *line;

	while (slot->line && slot->hash != sample->hash)
		slot = next_slot(table, slot);
	if (!slot->line)
		return;
	line = (const char *)&table->lines.items[slot->line - 1];
	__builtin_prefetch(line, 1);
	__builtin_prefetch(line + LINE_BYTES, 1);
}

static struct c2c_waiting *waiting(struct c2c_table *table, uint64_t number)
{
	return &table->waiting[number % C2C_WAITING];
}

static void count_next(struct c2c_table *table)
{
	const struct c2c_waiting *sample = waiting(table, table->nr_counted++);

	count(&find_line(table, sample)->counts, sample);
	if (table->nr_slots <= 2 * table->lines.nr)
		grow(table);
}

static void count_all(struct c2c_table *table)
{
	while (table->nr_counted < table->nr_added)
		count_next(table);
	table->nr_looked_up = table->nr_counted;
}

void c2c_table_add(struct c2c_table *table, const struct sample *sample,
		   const struct c2c_place *place)
{
	const uint64_t line_mask = ~(uint64_t)(LINE_BYTES - 1);
	struct c2c_waiting *added = waiting(table, table->nr_added++);

	if (!table->nr_slots)
		grow(table);
	*added = (struct c2c_waiting){
		.place = *place,
		.addr = sample->addr,
		.data_src = sample->data_src,
		.cpu_mode = sample->misc & CPU_MODE_MASK,
	};
	added->place.addr &= line_mask;
	added->hash = hash_line(&added->place, added->cpu_mode);
	__builtin_prefetch(first_slot(table, added->hash));
	if (table->nr_added - table->nr_looked_up > LOOK_UP_LATER)
		look_up(table, waiting(table, table->nr_looked_up++));
	if (table->nr_added - table->nr_counted == C2C_WAITING)
		count_next(table);
}

struct c2c_counts c2c_total_counts(struct c2c_table *table)
{
	struct c2c_counts sums = {};

	count_all(table);
	for (size_t i = 0; i < table->lines.nr; i++)
		add_counts(&sums, &table->lines.items[i].counts);
	return sums;
}

struct c2c_counts c2c_shared_counts(struct c2c_table *table, uint32_t *ret_nr_lines)
{
	struct c2c_counts sums = {};

	count_all(table);
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
	count_all(table);
	vec_sort(&table->lines, compare_lines);
	if (!table->nr_slots)
		return;
	memset(table->slots, 0, table->nr_slots * sizeof(*table->slots));
	for (uint32_t i = 0; i < table->lines.nr; i++) {
		const struct c2c_line *line = &table->lines.items[i];

		place(table, (struct c2c_slot){ hash_line(&line->place, line->cpu_mode), i + 1 });
	}
}
