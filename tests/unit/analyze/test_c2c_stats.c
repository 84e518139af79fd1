/* SPDX-License-Identifier: GPL-2.0-only */
/* The counts themselves are held against perf's in truth/c2c_stats.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/c2c_stats.h"
#include "model/data_src.h"

enum { KERNEL = 1, USER = 2 };

static void add(struct c2c_table *table, uint16_t misc, uint64_t addr, struct data_src_parts parts)
{
	const struct sample sample = { .addr = addr,
				       .misc = misc,
				       .data_src = data_src_make(&parts) };
	const struct c2c_place place = { .addr = addr,
					 .is_addr_mapped = true,
					 .is_ip_mapped = true };

	c2c_table_add(table, &sample, &place);
}

#define HITM                                                                      \
	{                                                                         \
		.op = OP_LOAD, .level = LEVEL_HIT | LEVEL_L3, .snoop = SNOOP_HITM \
	}
#define STORE                                                 \
	{                                                     \
		.op = OP_STORE, .level = LEVEL_HIT | LEVEL_L1 \
	}

static void samples_of_one_line_are_added_up(void **state)
{
	auto_c2c_table struct c2c_table table = {};
	struct c2c_counts total, shared;
	uint32_t nr_shared;

	(void)state;
	add(&table, KERNEL, 0x1000, (struct data_src_parts)HITM);
	add(&table, KERNEL, 0x103f, (struct data_src_parts)STORE);
	add(&table, KERNEL, 0x1040, (struct data_src_parts)STORE);
	add(&table, USER, 0x1000, (struct data_src_parts)STORE);
	total = c2c_total_counts(&table);
	assert_int_equal(table.lines.nr, 3);
	assert_int_equal(table.lines.items[0].counts.nr_entries, 2);
	assert_int_equal(total.nr_entries, 4);
	assert_int_equal(total.store, 3);
	shared = c2c_shared_counts(&table, &nr_shared);
	assert_int_equal(nr_shared, 1);
	assert_int_equal(shared.store, 1);
	assert_int_equal(shared.tot_hitm, 1);
}

/* HITM is of loads only, however a store's data_src looks. */
static void a_store_is_never_a_hitm(void **state)
{
	auto_c2c_table struct c2c_table table = {};
	struct data_src_parts parts = HITM;

	(void)state;
	parts.op = OP_STORE;
	add(&table, KERNEL, 0x1000, parts);
	assert_int_equal(c2c_total_counts(&table).tot_hitm, 0);
}

static void sorting_keeps_lines_findable(void **state)
{
	auto_c2c_table struct c2c_table table = {};

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		add(&table, KERNEL, 0x10000 + i * 64, (struct data_src_parts)STORE);
	for (uint64_t i = 0; i < 3; i++)
		add(&table, KERNEL, 0x10000 + 50 * 64, (struct data_src_parts)HITM);
	c2c_table_sort(&table);
	assert_int_equal(table.lines.items[0].addr, 0x10000 + 50 * 64);
	assert_int_equal(table.lines.items[1].addr, 0x10000);
	for (uint64_t i = 0; i < 100; i++)
		add(&table, KERNEL, 0x10000 + i * 64, (struct data_src_parts)STORE);
	assert_int_equal(c2c_total_counts(&table).nr_entries, 203);
	assert_int_equal(table.lines.nr, 100);
	assert_int_equal(table.lines.items[0].counts.nr_entries, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_one_line_are_added_up),
		cmocka_unit_test(a_store_is_never_a_hitm),
		cmocka_unit_test(sorting_keeps_lines_findable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
