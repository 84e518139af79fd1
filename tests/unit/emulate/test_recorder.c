/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "emulate/recorder.h"

#define OBJECT 0xffff888000200000ull

static const struct recorder_config two_cpus = {
	.coherence = { .topology = { 1, 2 }, .line_size = 64 },
	.page_struct = 56,
};

static int setup(void **state)
{
	struct recorder *recorder;

	assert_null(recorder_create(&two_cpus, &recorder));
	*state = recorder;
	return 0;
}

static int teardown(void **state)
{
	recorder_destroy(*state);
	return 0;
}

static void touch(struct recorder *recorder, unsigned int cpu, enum coherence_kind kind,
		  uint64_t address, uint32_t place)
{
	recorder_access(recorder, &(struct coherence_access){
					  .address = address,
					  .size = 8,
					  .cpu = (uint8_t)cpu,
					  .kind = (uint8_t)kind,
					  .place = recorder_place(place, COUNTS_TASK),
				  });
}

static uint32_t add_object(struct recorder *recorder, uint64_t site)
{
	uint32_t source = sources_number(
		recorder_sources(recorder),
		&(struct source){ .form = COUNTS_FORM_SLAB, .cache = 1, .site = site });

	allocations_add_object(recorder_allocations(recorder), source, OBJECT, 128,
			       recorder_now(recorder));
	return source;
}

static const struct recorder_row *find_row(struct recorder *recorder, uint32_t source,
					   uint32_t offset, unsigned int cpu)
{
	const struct recorder_row_vec *rows = recorder_rows(recorder);

	for (size_t i = 0; i < rows->nr; i++) {
		if (rows->items[i].source == source && rows->items[i].offset == offset &&
		    rows->items[i].cpu == cpu)
			return &rows->items[i];
	}
	return NULL;
}

static void events_and_hits_are_counted_where_they_happened(void **state)
{
	struct recorder *recorder = *state;
	uint32_t source = add_object(recorder, 0x1000);
	const struct recorder_row *row;

	/* The fight began in the warm-up. */
	touch(recorder, 0, COHERENCE_STORE, OBJECT + 8, 1);
	touch(recorder, 1, COHERENCE_LOAD, OBJECT + 8, 2);
	recorder_start(recorder);
	touch(recorder, 0, COHERENCE_STORE, OBJECT + 8, 1); /* upgrade */
	touch(recorder, 0, COHERENCE_LOAD, OBJECT + 8, 1);  /* hit */
	touch(recorder, 1, COHERENCE_LOAD, OBJECT + 8, 2);  /* HITM, true sharing */
	recorder_stop(recorder);

	row = find_row(recorder, source, 8, 0);
	assert_non_null(row);
	assert_int_equal(row->total.accesses[COHERENCE_STORE], 1);
	assert_int_equal(row->total.accesses[COHERENCE_LOAD], 1);
	assert_int_equal(row->total.events[COHERENCE_UPGRADE], 1);
	assert_int_equal(row->total.nr_invalidated, 1);
	row = find_row(recorder, source, 8, 1);
	assert_non_null(row);
	assert_int_equal(row->total.events[COHERENCE_HITM_LOCAL], 1);
	assert_int_equal(row->total.causes[COHERENCE_TAKEN], 1);
	assert_int_equal(row->total.nr_true, 1);
	assert_int_equal(row->total.nr_false, 0);
	assert_int_equal(recorder_total(recorder).events[COHERENCE_HITM_LOCAL], 1);
	assert_int_equal(recorder_total(recorder).nr_true, 1);
}

static void with_every_access_hits_are_counted_on_all_lines(void **state)
{
	struct recorder_config config = two_cpus;
	struct recorder *recorder;
	const struct recorder_row *row;
	uint32_t source;

	(void)state;
	config.every_access = true;
	assert_null(recorder_create(&config, &recorder));
	source = add_object(recorder, 0x1000);
	recorder_start(recorder);
	touch(recorder, 0, COHERENCE_STORE, OBJECT, 1); /* first touch */
	touch(recorder, 0, COHERENCE_LOAD, OBJECT, 1);	/* hit */
	row = find_row(recorder, source, 0, 0);
	assert_non_null(row);
	assert_int_equal(row->total.accesses[COHERENCE_STORE], 1);
	assert_int_equal(row->total.accesses[COHERENCE_LOAD], 1);
	recorder_destroy(recorder);
}

static void pair_tells_writer_and_reader_of_a_false_sharing(void **state)
{
	struct recorder *recorder = *state;
	uint32_t source = add_object(recorder, 0x1000);
	const struct recorder_pair *pair;

	touch(recorder, 1, COHERENCE_LOAD, OBJECT, 2);
	recorder_start(recorder);
	touch(recorder, 0, COHERENCE_STORE, OBJECT + 16, 1);
	touch(recorder, 1, COHERENCE_LOAD, OBJECT, 2);
	recorder_stop(recorder);
	assert_int_equal(recorder_pairs(recorder)->nr, 1);
	pair = &recorder_pairs(recorder)->items[0];
	assert_int_equal(pair->writer.source, source);
	assert_int_equal(pair->writer.offset, 16);
	assert_int_equal(pair->writer_place, 1);
	assert_int_equal(pair->reader.offset, 0);
	assert_int_equal(pair->reader_place, 2);
	assert_int_equal(pair->nr_true, 0);
	assert_int_equal(pair->nr_false, 1);
}

/* The verdict comes when the object is another one already. */
static void verdict_goes_to_the_object_that_missed(void **state)
{
	struct recorder *recorder = *state;
	uint32_t before = add_object(recorder, 0x1000), after;

	touch(recorder, 1, COHERENCE_LOAD, OBJECT, 2);
	recorder_start(recorder);
	touch(recorder, 0, COHERENCE_STORE, OBJECT + 16, 1);
	touch(recorder, 1, COHERENCE_LOAD, OBJECT, 2); /* misses */
	allocations_free_object(recorder_allocations(recorder), OBJECT);
	after = add_object(recorder, 0x2000);
	assert_int_not_equal(before, after);
	touch(recorder, 0, COHERENCE_STORE, OBJECT + 16, 1); /* decides: false */
	recorder_stop(recorder);
	assert_int_equal(find_row(recorder, before, 0, 1)->total.nr_false, 1);
	assert_null(find_row(recorder, after, 0, 1));
	assert_non_null(find_row(recorder, after, 16, 0));
}

static void what_only_one_cpu_uses_is_not_counted_by_row(void **state)
{
	struct recorder *recorder = *state;

	add_object(recorder, 0x1000);
	recorder_start(recorder);
	touch(recorder, 0, COHERENCE_STORE, OBJECT, 1);
	touch(recorder, 0, COHERENCE_LOAD, OBJECT, 1);
	recorder_stop(recorder);
	assert_int_equal(recorder_rows(recorder)->nr, 0);
	assert_int_equal(recorder_total(recorder).accesses[COHERENCE_STORE], 1);
	assert_int_equal(recorder_total(recorder).causes[COHERENCE_COLD], 1);
}

/* Kernels without control groups for memory have pages of 56 bytes. */
static void pages_are_as_large_as_the_kernel_has_them(void **state)
{
	struct recorder *recorder = *state;
	const struct recorder_row *row;

	recorder_start(recorder);
	touch(recorder, 0, COHERENCE_STORE, 0xffffea0000000000ull + 3 * 56 + 8, 1);
	touch(recorder, 1, COHERENCE_LOAD, 0xffffea0000000000ull + 3 * 56 + 8, 2);
	recorder_stop(recorder);
	row = &recorder_rows(recorder)->items[0];
	assert_int_equal(recorder_sources(recorder)->all.items[row->source].form, COUNTS_FORM_PAGE);
	assert_int_equal(row->offset, 8);
	assert_int_equal(row->phase, 3 * 56 % 128);
}

static void hits_follow_the_memory_when_it_is_handed_out_anew(void **state)
{
	struct recorder *recorder = *state;
	uint32_t first = add_object(recorder, 0x1000), second;

	touch(recorder, 0, COHERENCE_STORE, OBJECT + 8, 1);
	touch(recorder, 1, COHERENCE_LOAD, OBJECT + 8, 2);
	recorder_start(recorder);
	for (int i = 0; i < 3; i++)
		touch(recorder, 1, COHERENCE_LOAD, OBJECT + 8, 2);
	second = add_object(recorder, 0x2000);
	for (int i = 0; i < 5; i++)
		touch(recorder, 1, COHERENCE_LOAD, OBJECT + 8, 2);
	assert_int_equal(find_row(recorder, first, 8, 1)->total.accesses[COHERENCE_LOAD], 3);
	assert_int_equal(find_row(recorder, second, 8, 1)->total.accesses[COHERENCE_LOAD], 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(events_and_hits_are_counted_where_they_happened,
						setup, teardown),
		cmocka_unit_test_setup_teardown(pair_tells_writer_and_reader_of_a_false_sharing,
						setup, teardown),
		cmocka_unit_test_setup_teardown(verdict_goes_to_the_object_that_missed, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_only_one_cpu_uses_is_not_counted_by_row, setup,
						teardown),
		cmocka_unit_test(with_every_access_hits_are_counted_on_all_lines),
		cmocka_unit_test_setup_teardown(pages_are_as_large_as_the_kernel_has_them, setup,
						teardown),
		cmocka_unit_test_setup_teardown(hits_follow_the_memory_when_it_is_handed_out_anew,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
