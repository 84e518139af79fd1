/* SPDX-License-Identifier: GPL-2.0-only */
/* Sequences worked out by hand: which event each access makes, and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/coherence/recorder.h"

static const struct coherence_config two_by_four = {
	.topology = { .nr_sockets = 2, .nr_cpus_per_socket = 4 },
	.line_size = 64,
};

static struct coherence_config moesi(void)
{
	struct coherence_config config = two_by_four;

	config.protocol = COHERENCE_MOESI;
	return config;
}

/* One set of one way: each CPU holds one line. */
static struct coherence_config one_line_caches(enum coherence_protocol protocol)
{
	struct coherence_config config = two_by_four;

	config.protocol = protocol;
	config.nr_sets = 1;
	config.nr_ways = 1;
	return config;
}

static void the_first_load_is_cold_and_the_next_hits(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, two_by_four);
	load(&recorder, 0, 0x1000);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_COLD);
	assert_int_equal(recorder.told.items[0].event.line, 0x1000);
	assert_int_equal(recorder.told.items[0].event.supplier, COHERENCE_NO_CPU);
	load(&recorder, 0, 0x1038);
	assert_hit(&recorder);
	load(&recorder, 0, 0x1040);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_COLD);
}

static void a_store_to_an_exclusive_line_is_silent(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, two_by_four);
	load(&recorder, 0, 0);
	store(&recorder, 0, 8);
	assert_hit(&recorder);
	load(&recorder, 1, 0);
	assert_int_equal(nth_event(&recorder, 0, 2)->kind, COHERENCE_HITM_LOCAL);
}

static void mesi_writes_a_modified_line_back_when_it_is_read(void **state)
{
	auto_recorder struct recorder recorder;
	const struct coherence_event *event;

	(void)state;
	recorder_start(&recorder, two_by_four);
	store(&recorder, 0, 0x40);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_COLD);
	load(&recorder, 1, 0x48);
	event = nth_event(&recorder, 0, 2);
	assert_int_equal(event->kind, COHERENCE_HITM_LOCAL);
	assert_int_equal(event->cause, COHERENCE_COLD);
	assert_int_equal(event->supplier, 0);
	assert_int_equal(event->touch.offset, 8);
	event = nth_event(&recorder, 1, 2);
	assert_int_equal(event->kind, COHERENCE_WRITE_BACK);
	assert_int_equal(event->cause, COHERENCE_NO_MISS);
	assert_int_equal(event->supplier, 0);
	assert_int_equal(event->line, 0x40);
	load(&recorder, 2, 0x40);
	assert_event(&recorder, COHERENCE_CLEAN_LOCAL, COHERENCE_COLD);
}

static void moesi_keeps_a_modified_line_dirty_when_it_is_read(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, moesi());
	store(&recorder, 5, 0);
	load(&recorder, 1, 0);
	assert_event(&recorder, COHERENCE_HITM_REMOTE, COHERENCE_COLD);
	/* The owner supplies, though CPU 1 is nearer. */
	load(&recorder, 2, 0);
	assert_event(&recorder, COHERENCE_CLEAN_REMOTE, COHERENCE_COLD);
	assert_int_equal(recorder.told.items[0].event.supplier, 5);
	store(&recorder, 5, 0);
	assert_event(&recorder, COHERENCE_UPGRADE, COHERENCE_NO_MISS);
	assert_int_equal(recorder.told.items[0].event.nr_invalidated, 2);
}

static void a_store_to_a_shared_line_is_an_upgrade(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, two_by_four);
	load(&recorder, 0, 0);
	load(&recorder, 1, 0);
	load(&recorder, 6, 0);
	store(&recorder, 1, 0);
	assert_event(&recorder, COHERENCE_UPGRADE, COHERENCE_NO_MISS);
	assert_int_equal(recorder.told.items[0].event.nr_invalidated, 2);
	store(&recorder, 1, 0);
	assert_hit(&recorder);
	load(&recorder, 0, 0);
	assert_int_equal(nth_event(&recorder, 0, 2)->kind, COHERENCE_HITM_LOCAL);
	assert_int_equal(nth_event(&recorder, 0, 2)->cause, COHERENCE_TAKEN);
}

static void a_store_takes_a_modified_line_without_a_write_back(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, two_by_four);
	store(&recorder, 0, 0);
	store(&recorder, 1, 0);
	assert_event(&recorder, COHERENCE_HITM_LOCAL, COHERENCE_COLD);
	assert_int_equal(recorder.told.items[0].event.nr_invalidated, 1);
	store(&recorder, 0, 0);
	assert_int_equal(nth_event(&recorder, 0, 1)->cause, COHERENCE_TAKEN);
}

static void a_store_that_misses_takes_every_clean_copy(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, two_by_four);
	load(&recorder, 0, 0);
	load(&recorder, 4, 0);
	store(&recorder, 7, 0);
	assert_event(&recorder, COHERENCE_CLEAN_LOCAL, COHERENCE_COLD);
	assert_int_equal(recorder.told.items[0].event.supplier, 4);
	assert_int_equal(recorder.told.items[0].event.nr_invalidated, 2);
}

static void a_socket_of_2x4_ends_between_cpus_3_and_4(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, two_by_four);
	store(&recorder, 3, 0);
	store(&recorder, 0, 0);
	assert_int_equal(nth_event(&recorder, 0, 1)->kind, COHERENCE_HITM_LOCAL);
	store(&recorder, 4, 0);
	assert_int_equal(nth_event(&recorder, 0, 1)->kind, COHERENCE_HITM_REMOTE);
	store(&recorder, 7, 0);
	assert_int_equal(nth_event(&recorder, 0, 1)->kind, COHERENCE_HITM_LOCAL);
	store(&recorder, 3, 0);
	assert_int_equal(nth_event(&recorder, 0, 1)->kind, COHERENCE_HITM_REMOTE);
}

static void an_atomic_is_one_read_for_ownership(void **state)
{
	auto_recorder struct recorder recorder;
	const struct coherence_counts *counts;

	(void)state;
	recorder_start(&recorder, two_by_four);
	store(&recorder, 0, 0);
	touch(&recorder, COHERENCE_ATOMIC, 1, 0, 4, 0);
	assert_event(&recorder, COHERENCE_HITM_LOCAL, COHERENCE_COLD);
	assert_int_equal(recorder.told.items[0].event.access, COHERENCE_ATOMIC);
	store(&recorder, 1, 0);
	assert_hit(&recorder);
	counts = coherence_counts(recorder.coherence);
	assert_int_equal(counts->accesses[COHERENCE_ATOMIC], 1);
	assert_int_equal(counts->accesses[COHERENCE_STORE], 2);
	assert_int_equal(counts->accesses[COHERENCE_LOAD], 0);
	assert_int_equal(counts->events[COHERENCE_HITM_LOCAL], 1);
	assert_int_equal(counts->events[COHERENCE_HIT], 1);
}

static void an_access_across_lines_touches_each(void **state)
{
	auto_recorder struct recorder recorder;
	const struct coherence_event *event;

	(void)state;
	recorder_start(&recorder, two_by_four);
	load(&recorder, 0, 0);
	touch(&recorder, COHERENCE_LOAD, 0, 0x7c, 0x48, 9);
	event = nth_event(&recorder, 0, 3);
	assert_int_equal(event->line, 0x40);
	assert_int_equal(event->touch.offset, 0x3c);
	assert_int_equal(event->touch.size, 4);
	event = nth_event(&recorder, 1, 3);
	assert_int_equal(event->line, 0x80);
	assert_int_equal(event->touch.offset, 0);
	assert_int_equal(event->touch.size, 64);
	event = nth_event(&recorder, 2, 3);
	assert_int_equal(event->line, 0xc0);
	assert_int_equal(event->touch.size, 4);
	assert_int_equal(event->touch.place, 9);
	assert_int_equal(event->serial, 1);
	assert_int_equal(coherence_counts(recorder.coherence)->nr_split, 2);
	touch(&recorder, COHERENCE_LOAD, 0, 0x40, 64, 0);
	assert_hit(&recorder);
	touch(&recorder, COHERENCE_LOAD, 0, 0x400, 0, 0);
	assert_hit(&recorder);
	assert_int_equal(coherence_counts(recorder.coherence)->accesses[COHERENCE_LOAD], 3);
	/* The last byte there is, and the first. */
	touch(&recorder, COHERENCE_LOAD, 0, UINT64_MAX, 2, 0);
	assert_int_equal(nth_event(&recorder, 0, 1)->line, UINT64_MAX - 63);
}

static void a_line_evicted_and_not_written_is_an_eviction_miss(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, one_line_caches(COHERENCE_MESI));
	load(&recorder, 0, 0);
	load(&recorder, 0, 0x40);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_COLD);
	load(&recorder, 0, 0);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_EVICTED);
	load(&recorder, 1, 0);
	load(&recorder, 0, 0x40);
	load(&recorder, 0, 0);
	assert_event(&recorder, COHERENCE_CLEAN_LOCAL, COHERENCE_EVICTED);
}

static void a_line_evicted_and_then_written_is_a_coherence_miss(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, one_line_caches(COHERENCE_MESI));
	load(&recorder, 0, 0);
	load(&recorder, 0, 0x40);
	store(&recorder, 1, 0);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_COLD);
	assert_int_equal(recorder.told.items[0].event.nr_invalidated, 0);
	load(&recorder, 0, 0);
	assert_int_equal(nth_event(&recorder, 0, 2)->kind, COHERENCE_HITM_LOCAL);
	assert_int_equal(nth_event(&recorder, 0, 2)->cause, COHERENCE_TAKEN);
}

/* CPU 1 gets the line Exclusive, for CPU 0 evicted it: the store is silent, yet takes it. */
static void a_silent_store_still_takes_an_evicted_line(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, one_line_caches(COHERENCE_MESI));
	load(&recorder, 0, 0);
	load(&recorder, 0, 0x40);
	load(&recorder, 1, 0);
	store(&recorder, 1, 0);
	assert_hit(&recorder);
	load(&recorder, 0, 0);
	assert_int_equal(nth_event(&recorder, 0, 2)->cause, COHERENCE_TAKEN);
}

static void evicting_a_dirty_line_writes_it_back(void **state)
{
	auto_recorder struct recorder recorder;
	const struct coherence_event *event;

	(void)state;
	recorder_start(&recorder, one_line_caches(COHERENCE_MESI));
	store(&recorder, 2, 0);
	store(&recorder, 2, 0x80);
	event = nth_event(&recorder, 1, 2);
	assert_int_equal(event->kind, COHERENCE_WRITE_BACK);
	assert_int_equal(event->line, 0);
	assert_int_equal(event->supplier, 2);
	assert_int_equal(event->touch.offset, 0);
	load(&recorder, 2, 0);
	assert_int_equal(nth_event(&recorder, 0, 2)->kind, COHERENCE_MEMORY);
	assert_int_equal(nth_event(&recorder, 1, 2)->line, 0x80);
}

/* Only the owner of an Owned line writes back; what is left is then clean. */
static void evicting_an_owned_line_writes_it_back_once(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, one_line_caches(COHERENCE_MOESI));
	store(&recorder, 0, 0);
	load(&recorder, 1, 0);
	load(&recorder, 2, 0);
	load(&recorder, 1, 0x40);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_COLD);
	load(&recorder, 0, 0x80);
	assert_int_equal(nth_event(&recorder, 1, 2)->kind, COHERENCE_WRITE_BACK);
	load(&recorder, 2, 0xc0);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_COLD);
	load(&recorder, 2, 0);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_EVICTED);
}

static void the_least_recently_used_way_leaves(void **state)
{
	auto_recorder struct recorder recorder;
	struct coherence_config config = two_by_four;

	(void)state;
	config.nr_sets = 2;
	config.nr_ways = 2;
	recorder_start(&recorder, config);
	load(&recorder, 0, 0x000);
	load(&recorder, 0, 0x080); /* the same set: line numbers 0, 2, 4 */
	load(&recorder, 0, 0x000);
	load(&recorder, 0, 0x100); /* 0x080 leaves */
	load(&recorder, 0, 0x040); /* the other set */
	load(&recorder, 0, 0x000);
	assert_hit(&recorder);
	load(&recorder, 0, 0x080);
	assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_EVICTED);
	load(&recorder, 0, 0x040);
	assert_hit(&recorder);
}

/* A copy taken away makes room: nothing needs to leave for the next line. */
static void a_line_taken_away_leaves_its_way_empty(void **state)
{
	auto_recorder struct recorder recorder;
	struct coherence_config config = two_by_four;

	(void)state;
	config.nr_sets = 1;
	config.nr_ways = 2;
	recorder_start(&recorder, config);
	load(&recorder, 0, 0x00);
	load(&recorder, 0, 0x40);
	store(&recorder, 1, 0x40);
	load(&recorder, 0, 0x80);
	load(&recorder, 0, 0x00);
	assert_hit(&recorder);
}

static void the_line_size_decides_who_fights(void **state)
{
	static const struct {
		unsigned int line_size;
		bool shared;
	} cases[] = { { 1, false }, { 8, false }, { 64, false }, { 128, true }, { 4096, true } };

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_recorder struct recorder recorder;
		struct coherence_config config = two_by_four;

		config.line_size = cases[i].line_size;
		recorder_start(&recorder, config);
		touch(&recorder, COHERENCE_STORE, 0, 0x103f, 1, 0);
		touch(&recorder, COHERENCE_STORE, 1, 0x1040, 1, 0);
		assert_int_equal(nth_event(&recorder, 0, 1)->kind,
				 cases[i].shared ? COHERENCE_HITM_LOCAL : COHERENCE_MEMORY);
	}
}

static void all_64_cpus_have_their_bit(void **state)
{
	auto_recorder struct recorder recorder;
	struct coherence_config config = two_by_four;

	(void)state;
	config.topology = (struct coherence_topology){ 1, 64 };
	recorder_start(&recorder, config);
	for (unsigned int cpu = 0; cpu < 64; cpu++)
		load(&recorder, cpu, 0);
	store(&recorder, 63, 0);
	assert_event(&recorder, COHERENCE_UPGRADE, COHERENCE_NO_MISS);
	assert_int_equal(recorder.told.items[0].event.nr_invalidated, 63);
	load(&recorder, 0, 0);
	assert_int_equal(nth_event(&recorder, 0, 2)->kind, COHERENCE_HITM_LOCAL);
	assert_int_equal(nth_event(&recorder, 0, 2)->supplier, 63);
}

/* Enough lines for several growths of the table; the numbers differ in high bits only. */
static void every_line_is_found_again(void **state)
{
	auto_recorder struct recorder recorder;
	const uint64_t nr = 20000;
	struct coherence_memory memory;

	(void)state;
	recorder_start(&recorder, two_by_four);
	for (uint64_t i = 0; i < nr; i++) {
		store(&recorder, 0, i << 44);
		assert_event(&recorder, COHERENCE_MEMORY, COHERENCE_COLD);
		memory = coherence_memory(recorder.coherence);
		if (i >= 1023)
			assert_true(memory.lines_bytes / memory.nr_lines < 64);
	}
	for (uint64_t i = 0; i < nr; i++) {
		store(&recorder, 0, i << 44);
		assert_hit(&recorder);
	}
	assert_int_equal(memory.nr_lines, nr);
	assert_int_equal(memory.nr_contended, 0);
}

static void mark_transfers(void *context, const struct coherence_event *event)
{
	(void)context;
	if (event->kind == COHERENCE_HITM_LOCAL)
		*event->mark = true;
}

static void hits_of_a_marked_line_say_so(void **state)
{
	const struct coherence_config config = {
		.topology = { 1, 2 },
		.line_size = 64,
		.on_event = mark_transfers,
	};
	const struct coherence_access by_0 = { .address = 0x1000, .size = 8 };
	const struct coherence_access by_1 = { .address = 0x1008, .size = 8, .cpu = 1 };
	struct coherence_access write = by_0;
	auto_coherence struct coherence *coherence = NULL;

	(void)state;
	write.kind = COHERENCE_STORE;
	assert_null(coherence_create(&config, &coherence));
	for (int i = 0; i < 3; i++)
		assert_false(coherence_access(coherence, &write));
	for (int i = 0; i < 3; i++)
		assert_true(coherence_access(coherence, &by_1));
	assert_true(coherence_access(coherence, &by_0));
	assert_int_equal(coherence_counts(coherence)->events[COHERENCE_HIT], 5);
}

static void a_configuration_that_makes_no_sense_is_refused(void **state)
{
	static const struct {
		struct coherence_config config;
		const char *part;
	} cases[] = {
		{ { .topology = { 0, 4 }, .line_size = 64 }, "0x4 CPUs" },
		{ { .topology = { 5, 13 }, .line_size = 64 }, "5x13 CPUs" },
		{ { .topology = { 65536, 65536 }, .line_size = 64 }, "65536x65536 CPUs" },
		{ { .topology = { 1, 4 }, .line_size = 0 }, "lines of 0 bytes" },
		{ { .topology = { 1, 4 }, .line_size = 96 }, "lines of 96 bytes" },
		{ { .topology = { 1, 4 }, .line_size = 8192 }, "lines of 8192 bytes" },
		{ { .topology = { 1, 4 }, .line_size = 64, .nr_sets = 3, .nr_ways = 1 }, "3 sets" },
		{ { .topology = { 1, 4 }, .line_size = 64, .nr_ways = 1 }, "0 sets" },
		{ { .topology = { 1, 4 }, .line_size = 64, .nr_sets = 2 }, "0 ways" },
		{ { .topology = { 1, 4 }, .line_size = 64, .nr_sets = 2, .nr_ways = 65 },
		  "65 ways" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		struct coherence *coherence = NULL;
		auto_error struct error *err = coherence_create(&cases[i].config, &coherence);

		assert_non_null(err);
		assert_null(coherence);
		assert_int_equal(error_kind(err), ERROR_USAGE);
		assert_non_null(strstr(error_message(err), cases[i].part));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_load_is_cold_and_the_next_hits),
		cmocka_unit_test(a_store_to_an_exclusive_line_is_silent),
		cmocka_unit_test(mesi_writes_a_modified_line_back_when_it_is_read),
		cmocka_unit_test(moesi_keeps_a_modified_line_dirty_when_it_is_read),
		cmocka_unit_test(a_store_to_a_shared_line_is_an_upgrade),
		cmocka_unit_test(a_store_takes_a_modified_line_without_a_write_back),
		cmocka_unit_test(a_store_that_misses_takes_every_clean_copy),
		cmocka_unit_test(a_socket_of_2x4_ends_between_cpus_3_and_4),
		cmocka_unit_test(an_atomic_is_one_read_for_ownership),
		cmocka_unit_test(an_access_across_lines_touches_each),
		cmocka_unit_test(a_line_evicted_and_not_written_is_an_eviction_miss),
		cmocka_unit_test(a_line_evicted_and_then_written_is_a_coherence_miss),
		cmocka_unit_test(a_silent_store_still_takes_an_evicted_line),
		cmocka_unit_test(evicting_a_dirty_line_writes_it_back),
		cmocka_unit_test(evicting_an_owned_line_writes_it_back_once),
		cmocka_unit_test(the_least_recently_used_way_leaves),
		cmocka_unit_test(a_line_taken_away_leaves_its_way_empty),
		cmocka_unit_test(the_line_size_decides_who_fights),
		cmocka_unit_test(all_64_cpus_have_their_bit),
		cmocka_unit_test(every_line_is_found_again),
		cmocka_unit_test(hits_of_a_marked_line_say_so),
		cmocka_unit_test(a_configuration_that_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
