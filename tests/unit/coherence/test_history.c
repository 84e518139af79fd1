/* SPDX-License-Identifier: GPL-2.0-only */
/* Sequences worked out by hand: which misses are true sharing, which false, and with whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/coherence/recorder.h"

enum { WRITER = 0, READER = 1, OTHER = 2 };

static const struct coherence_config four = {
	.topology = { .nr_sockets = 1, .nr_cpus_per_socket = 4 },
	.line_size = 64,
};

static void assert_touch(const struct coherence_touch *touched, unsigned int cpu,
			 unsigned int offset, unsigned int size, uint32_t place)
{
	assert_int_equal(touched->cpu, cpu);
	assert_int_equal(touched->offset, offset);
	assert_int_equal(touched->size, size);
	assert_int_equal(touched->place, place);
}

/* The reader had the line and lost it to a write of bytes 0-7 by place 10. */
static void start_with_a_loss(struct recorder *recorder, struct coherence_config config)
{
	recorder_start(recorder, config);
	touch(recorder, COHERENCE_LOAD, READER, 8, 8, 20);
	touch(recorder, COHERENCE_STORE, WRITER, 0, 8, 10);
	(void)nth_verdict(recorder, 0, 0);
}

static void a_miss_that_touches_a_byte_written_meanwhile_is_true_at_once(void **state)
{
	auto_recorder struct recorder recorder;
	const struct coherence_verdict *verdict;

	(void)state;
	start_with_a_loss(&recorder, four);
	touch(&recorder, COHERENCE_LOAD, READER, 4, 2, 21);
	verdict = nth_verdict(&recorder, 0, 1);
	assert_true(verdict->is_true);
	assert_int_equal(verdict->kind, COHERENCE_HITM_LOCAL);
	assert_int_equal(verdict->access, COHERENCE_LOAD);
	assert_int_equal(verdict->line, 0);
	assert_int_equal(verdict->serial, 2);
	assert_touch(&verdict->writer, WRITER, 0, 8, 10);
	assert_touch(&verdict->reader, READER, 4, 2, 21);
	assert_touch(&verdict->missed, READER, 4, 2, 21);
}

static void a_miss_is_true_if_a_later_touch_meets_the_byte(void **state)
{
	auto_recorder struct recorder recorder;
	const struct coherence_verdict *verdict;

	(void)state;
	start_with_a_loss(&recorder, four);
	touch(&recorder, COHERENCE_LOAD, READER, 8, 8, 21);
	(void)nth_verdict(&recorder, 0, 0);
	touch(&recorder, COHERENCE_STORE, READER, 7, 1, 22);
	verdict = nth_verdict(&recorder, 0, 1);
	assert_true(verdict->is_true);
	assert_touch(&verdict->writer, WRITER, 0, 8, 10);
	assert_touch(&verdict->reader, READER, 7, 1, 22);
	assert_touch(&verdict->missed, READER, 8, 8, 21);
	assert_int_equal(verdict->access, COHERENCE_LOAD);
	/* One miss, one verdict. */
	touch(&recorder, COHERENCE_LOAD, READER, 0, 8, 23);
	(void)nth_verdict(&recorder, 0, 0);
	assert_int_equal(coherence_counts(recorder.coherence)->nr_true, 1);
}

static void a_miss_is_false_if_the_line_is_lost_before_the_byte_is_met(void **state)
{
	auto_recorder struct recorder recorder;
	const struct coherence_verdict *verdict;

	(void)state;
	start_with_a_loss(&recorder, four);
	touch(&recorder, COHERENCE_LOAD, READER, 8, 8, 21);
	touch(&recorder, COHERENCE_STORE, OTHER, 16, 4, 30);
	verdict = nth_verdict(&recorder, 0, 1);
	assert_false(verdict->is_true);
	assert_touch(&verdict->writer, WRITER, 0, 8, 10);
	assert_touch(&verdict->reader, READER, 8, 8, 21);
	assert_touch(&verdict->missed, READER, 8, 8, 21);
	/* It was read once more, and it is the write of bytes 16-19 that took it. */
	touch(&recorder, COHERENCE_LOAD, READER, 8, 8, 22);
	touch(&recorder, COHERENCE_STORE, OTHER, 16, 4, 30);
	assert_touch(&nth_verdict(&recorder, 0, 1)->writer, OTHER, 16, 4, 30);
	assert_int_equal(coherence_counts(recorder.coherence)->nr_false, 2);
}

static void a_byte_next_to_the_written_ones_is_not_news(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, four);
	touch(&recorder, COHERENCE_LOAD, READER, 8, 8, 20);
	touch(&recorder, COHERENCE_STORE, WRITER, 9, 1, 10);
	touch(&recorder, COHERENCE_LOAD, READER, 8, 1, 21);
	touch(&recorder, COHERENCE_LOAD, READER, 10, 6, 21);
	(void)nth_verdict(&recorder, 0, 0);
	touch(&recorder, COHERENCE_LOAD, READER, 9, 1, 22);
	assert_true(nth_verdict(&recorder, 0, 1)->is_true);
}

static void the_writer_of_a_pair_is_the_last_to_write_the_byte(void **state)
{
	auto_recorder struct recorder recorder;
	const struct coherence_verdict *verdict;

	(void)state;
	start_with_a_loss(&recorder, four);
	touch(&recorder, COHERENCE_STORE, WRITER, 0, 4, 11);
	touch(&recorder, COHERENCE_STORE, OTHER, 4, 4, 30);
	touch(&recorder, COHERENCE_LOAD, READER, 2, 8, 21);
	verdict = nth_verdict(&recorder, 0, 1);
	assert_touch(&verdict->writer, WRITER, 0, 4, 11);
	assert_touch(&verdict->reader, READER, 2, 8, 21);
}

static void what_a_cpu_wrote_itself_is_not_news(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	start_with_a_loss(&recorder, four);
	touch(&recorder, COHERENCE_STORE, READER, 8, 8, 21);
	touch(&recorder, COHERENCE_LOAD, WRITER, 0, 8, 11);
	(void)nth_verdict(&recorder, 0, 0);
	touch(&recorder, COHERENCE_LOAD, WRITER, 8, 8, 12);
	assert_touch(&nth_verdict(&recorder, 0, 1)->writer, READER, 8, 8, 21);
}

static void what_was_written_before_the_loss_is_not_news(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	start_with_a_loss(&recorder, four);
	touch(&recorder, COHERENCE_LOAD, READER, 0, 8, 21);
	assert_true(nth_verdict(&recorder, 0, 1)->is_true);
	touch(&recorder, COHERENCE_STORE, WRITER, 32, 8, 11);
	(void)nth_verdict(&recorder, 0, 0);
	touch(&recorder, COHERENCE_LOAD, READER, 0, 8, 21);
	touch(&recorder, COHERENCE_STORE, WRITER, 32, 8, 11);
	assert_false(nth_verdict(&recorder, 0, 1)->is_true);
}

static void the_end_decides_what_still_waits(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	start_with_a_loss(&recorder, four);
	touch(&recorder, COHERENCE_LOAD, READER, 8, 8, 21);
	recorder.told.nr = 0;
	coherence_flush(recorder.coherence);
	assert_false(nth_verdict(&recorder, 0, 1)->is_true);
	recorder.told.nr = 0;
	coherence_flush(recorder.coherence);
	(void)nth_verdict(&recorder, 0, 0);
}

static void cold_misses_and_upgrades_get_no_verdict(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	start_with_a_loss(&recorder, four);
	touch(&recorder, COHERENCE_LOAD, OTHER, 0, 8, 30);
	(void)nth_verdict(&recorder, 0, 0);
	touch(&recorder, COHERENCE_STORE, OTHER, 0, 8, 30);
	assert_event(&recorder, COHERENCE_UPGRADE, COHERENCE_NO_MISS);
	coherence_flush(recorder.coherence);
	(void)nth_verdict(&recorder, 0, 0);
}

/* A write that takes the line from several gives their verdicts in the order of the CPUs. */
static void one_write_decides_for_every_reader(void **state)
{
	auto_recorder struct recorder recorder;

	(void)state;
	recorder_start(&recorder, four);
	for (unsigned int cpu = 1; cpu < 4; cpu++)
		touch(&recorder, COHERENCE_LOAD, cpu, 8, 8, cpu);
	touch(&recorder, COHERENCE_STORE, 0, 0, 8, 10);
	for (unsigned int cpu = 3; cpu >= 1; cpu--)
		touch(&recorder, COHERENCE_LOAD, cpu, 8, 8, cpu);
	touch(&recorder, COHERENCE_STORE, 0, 0, 8, 10);
	for (unsigned int cpu = 1; cpu < 4; cpu++)
		assert_touch(&nth_verdict(&recorder, cpu - 1, 3)->reader, cpu, 8, 8, cpu);
}

/*
 * Bytes 0-7 are written; the reader misses twice, and meets them only after the second. By "since
 * it last had the line" they are old then; by Dubois they are news until a miss was essential.
 */
static void dubois_counts_from_the_last_essential_miss(void **state)
{
	(void)state;
	for (int essential = 0; essential < 2; essential++) {
		auto_recorder struct recorder recorder;
		struct coherence_config config = four;

		config.since_essential = essential;
		start_with_a_loss(&recorder, config);
		touch(&recorder, COHERENCE_LOAD, READER, 8, 8, 21);
		touch(&recorder, COHERENCE_STORE, OTHER, 16, 4, 30);
		assert_false(nth_verdict(&recorder, 0, 1)->is_true);
		touch(&recorder, COHERENCE_LOAD, READER, 0, 8, 22);
		(void)nth_verdict(&recorder, 0, essential);
		touch(&recorder, COHERENCE_STORE, OTHER, 16, 4, 30);
		(void)nth_verdict(&recorder, 0, !essential);
		/* The essential miss is over: now bytes 0-7 are old in both readings. */
		touch(&recorder, COHERENCE_LOAD, READER, 0, 8, 23);
		(void)nth_verdict(&recorder, 0, 0);
	}
}

static void an_eviction_does_not_end_the_wait(void **state)
{
	auto_recorder struct recorder recorder;
	struct coherence_config config = four;
	const struct coherence_verdict *verdict;

	(void)state;
	config.nr_sets = 1;
	config.nr_ways = 1;
	start_with_a_loss(&recorder, config);
	touch(&recorder, COHERENCE_LOAD, READER, 8, 8, 21);
	touch(&recorder, COHERENCE_LOAD, READER, 64, 8, 0);
	touch(&recorder, COHERENCE_LOAD, READER, 0, 8, 22);
	assert_event(&recorder, COHERENCE_CLEAN_LOCAL, COHERENCE_EVICTED);
	verdict = nth_verdict(&recorder, 0, 1);
	assert_true(verdict->is_true);
	assert_touch(&verdict->missed, READER, 8, 8, 21);
	assert_touch(&verdict->reader, READER, 0, 8, 22);
}

static void a_pair_of_lines_is_told_from_a_line(void **state)
{
	auto_recorder struct recorder recorder;
	struct coherence_config config = four;

	(void)state;
	config.line_size = 128;
	start_with_a_loss(&recorder, config);
	touch(&recorder, COHERENCE_LOAD, READER, 64, 8, 21);
	touch(&recorder, COHERENCE_STORE, WRITER, 56, 8, 10);
	assert_true(coherence_only_as_pair(nth_verdict(&recorder, 0, 1), 64));
	touch(&recorder, COHERENCE_LOAD, READER, 48, 8, 21);
	touch(&recorder, COHERENCE_STORE, WRITER, 120, 8, 10);
	assert_false(coherence_only_as_pair(nth_verdict(&recorder, 0, 1), 64));
	touch(&recorder, COHERENCE_LOAD, READER, 0, 8, 21);
	touch(&recorder, COHERENCE_STORE, WRITER, 56, 8, 10);
	assert_true(coherence_only_as_pair(nth_verdict(&recorder, 0, 1), 64));
	/* Neighbours, on the two sides of the middle. */
	touch(&recorder, COHERENCE_LOAD, READER, 64, 8, 21);
	touch(&recorder, COHERENCE_STORE, WRITER, 0, 8, 10);
	assert_true(coherence_only_as_pair(nth_verdict(&recorder, 0, 1), 64));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_miss_that_touches_a_byte_written_meanwhile_is_true_at_once),
		cmocka_unit_test(a_miss_is_true_if_a_later_touch_meets_the_byte),
		cmocka_unit_test(a_miss_is_false_if_the_line_is_lost_before_the_byte_is_met),
		cmocka_unit_test(a_byte_next_to_the_written_ones_is_not_news),
		cmocka_unit_test(the_writer_of_a_pair_is_the_last_to_write_the_byte),
		cmocka_unit_test(what_a_cpu_wrote_itself_is_not_news),
		cmocka_unit_test(what_was_written_before_the_loss_is_not_news),
		cmocka_unit_test(the_end_decides_what_still_waits),
		cmocka_unit_test(cold_misses_and_upgrades_get_no_verdict),
		cmocka_unit_test(one_write_decides_for_every_reader),
		cmocka_unit_test(dubois_counts_from_the_last_essential_miss),
		cmocka_unit_test(an_eviction_does_not_end_the_wait),
		cmocka_unit_test(a_pair_of_lines_is_told_from_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
