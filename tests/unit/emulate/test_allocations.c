/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "emulate/allocations.h"

#define BASE 0xffff888000100000ull

static int setup(void **state)
{
	*state = memory_alloc(1, sizeof(struct allocations));
	return 0;
}

static int teardown(void **state)
{
	allocations_deinit(*state);
	free(*state);
	return 0;
}

static uint32_t source_at(struct allocations *allocations, uint64_t address)
{
	const struct allocation *allocation = allocations_find(allocations, address);

	return allocation ? allocation->source : ALLOCATIONS_NO_SOURCE;
}

static void object_lies_over_the_pages_it_was_cut_from(void **state)
{
	struct allocations *allocations = *state;

	allocations_add_pages(allocations, 1, BASE, 8192, 10);
	allocations_add_object(allocations, 2, BASE + 4000, 200, 11);
	assert_int_equal(source_at(allocations, BASE + 3999), 1);
	assert_int_equal(source_at(allocations, BASE + 4000), 2);
	assert_int_equal(source_at(allocations, BASE + 4096), 2); /* across the page boundary */
	assert_int_equal(source_at(allocations, BASE + 4199), 2);
	assert_int_equal(source_at(allocations, BASE + 4200), 1);
	assert_int_equal(source_at(allocations, BASE + 8191), 1);
	assert_int_equal(source_at(allocations, BASE + 8192), ALLOCATIONS_NO_SOURCE);
	assert_int_equal(source_at(allocations, BASE - 1), ALLOCATIONS_NO_SOURCE);
}

/* Two per-CPU counters, as percpu_counter_init() makes them. */
static void nothing_lies_before_its_own_start(void **state)
{
	struct allocations *allocations = *state;

	allocations_add_pages(allocations, 1, BASE, 4096, 10);
	allocations_add_object(allocations, 2, BASE + 8, 4, 11);
	allocations_add_object(allocations, 3, BASE + 12, 4, 12);
	assert_int_equal(source_at(allocations, BASE + 12), 3);
	assert_int_equal(source_at(allocations, BASE + 8), 1);
}

static void pages_handed_out_again_hold_no_objects(void **state)
{
	struct allocations *allocations = *state;

	allocations_add_pages(allocations, 1, BASE, 4096, 10);
	allocations_add_object(allocations, 2, BASE + 64, 64, 11);
	allocations_add_pages(allocations, 3, BASE, 4096, 20);
	assert_int_equal(source_at(allocations, BASE + 64), 3);
}

static void freed_memory_keeps_its_source_until_it_is_used_again(void **state)
{
	struct allocations *allocations = *state;
	const struct allocation *allocation;

	allocations_add_object(allocations, 2, BASE, 64, 10);
	allocations_free_object(allocations, BASE + 8); /* no start of an object */
	assert_false(allocations_find(allocations, BASE)->is_free);
	allocations_free_object(allocations, BASE);
	allocation = allocations_find(allocations, BASE + 8);
	assert_true(allocation->is_free);
	assert_int_equal(allocation->source, 2);
	allocations_add_object(allocations, 5, BASE, 64, 30);
	allocation = allocations_find(allocations, BASE + 8);
	assert_false(allocation->is_free);
	assert_int_equal(allocation->source, 5);
	assert_int_equal(allocations->all.nr, 1);
}

static void an_address_is_what_it_was_at_the_time(void **state)
{
	struct allocations *allocations = *state;
	const struct allocation *allocation;

	allocations_add_object(allocations, 2, BASE, 64, 10);
	allocation = allocations_find(allocations, BASE);
	assert_int_equal(allocation_source_at(allocation, 9), ALLOCATIONS_NO_SOURCE);
	assert_int_equal(allocation_source_at(allocation, 10), 2);
	allocations_add_object(allocations, 5, BASE, 64, 30);
	allocation = allocations_find(allocations, BASE);
	assert_int_equal(allocation_source_at(allocation, 29), 2);
	assert_int_equal(allocation_source_at(allocation, 30), 5);
	/* Another size: another object. */
	allocations_add_object(allocations, 7, BASE, 32, 40);
	allocation = allocations_find(allocations, BASE);
	assert_int_equal(allocation_source_at(allocation, 39), 5);
	assert_int_equal(allocation_source_at(allocation, 40), 7);
}

static void the_outermost_of_nested_allocators_has_the_last_word(void **state)
{
	struct allocations *allocations = *state;
	const struct allocation *allocation;

	allocations_add_pages(allocations, 1, BASE, 4096, 5);
	allocations_add_pages(allocations, 2, BASE, 4096, 10); /* inner */
	allocations_add_pages(allocations, 3, BASE, 4096, 10); /* outer, same moment */
	allocation = allocations_find(allocations, BASE);
	assert_int_equal(allocation->source, 3);
	assert_int_equal(allocation_source_at(allocation, 9), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(object_lies_over_the_pages_it_was_cut_from, setup,
						teardown),
		cmocka_unit_test_setup_teardown(nothing_lies_before_its_own_start, setup, teardown),
		cmocka_unit_test_setup_teardown(pages_handed_out_again_hold_no_objects, setup,
						teardown),
		cmocka_unit_test_setup_teardown(
			freed_memory_keeps_its_source_until_it_is_used_again, setup, teardown),
		cmocka_unit_test_setup_teardown(an_address_is_what_it_was_at_the_time, setup,
						teardown),
		cmocka_unit_test_setup_teardown(
			the_outermost_of_nested_allocators_has_the_last_word, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
