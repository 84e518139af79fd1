/* SPDX-License-Identifier: GPL-2.0-only */
/* Sequences worked out by hand, and random ones held against coherence/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/line_history.h"
#include "coherence/coherence.h"

/* Footprints of these tests are numbered by their bytes. */
#define FOOTPRINT(start, end) ((start) << 8 | (end))

struct step {
	uint32_t cpu;
	char kind; /* r, w, or u: reads and writes */
	uint16_t start, end;
	uint64_t time_ns;
};

struct counted {
	unsigned int nr_true, nr_false;
	struct line_event last;
};

static void count(struct counted *counted, const struct line_event *event)
{
	counted->nr_true += event->is_true;
	counted->nr_false += !event->is_true;
	counted->last = *event;
}

static struct counted play(const struct history_rule *rule, const struct step *steps, size_t nr)
{
	struct line_history history = {};
	struct counted counted = {};
	struct line_event events[2];
	unsigned int nr_events;

	for (size_t i = 0; i < nr; i++) {
		const struct line_touch touch = {
			.time_ns = steps[i].time_ns,
			.footprint = FOOTPRINT((uint32_t)steps[i].start, steps[i].end),
			.cpu = steps[i].cpu,
			.start = steps[i].start,
			.end = steps[i].end,
			.reads = steps[i].kind != 'w',
			.writes = steps[i].kind != 'r',
		};

		line_history_add(&history, rule, &touch, events, &nr_events);
		for (unsigned int k = 0; k < nr_events; k++)
			count(&counted, &events[k]);
	}
	for (size_t i = 0; i < history.holders.nr; i++) {
		if (line_history_flush(&history, i, events))
			count(&counted, events);
	}
	line_history_deinit(&history);
	return counted;
}

#define PLAY(rule, ...)                                  \
	play(rule, (const struct step[]){ __VA_ARGS__ }, \
	     sizeof((const struct step[]){ __VA_ARGS__ }) / sizeof(struct step))

static const struct history_rule within_10_us = { .window_ns = 10000 };
static const struct history_rule whole = { .window_ns = UINT64_MAX, .every_access = true };

static void what_one_writes_and_another_reads_is_true_sharing(void **state)
{
	struct counted counted =
		PLAY(&within_10_us, { 0, 'w', 8, 16, 1000 }, { 1, 'r', 8, 16, 2000 },
		     { 0, 'w', 8, 16, 3000 }, { 1, 'r', 12, 16, 4000 });

	(void)state;
	/* CPU 0's second write follows only its own: it held the line, for nobody else wrote. */
	assert_int_equal(counted.nr_true, 2);
	assert_int_equal(counted.nr_false, 0);
	assert_int_equal(counted.last.writer, FOOTPRINT(8, 16));
	assert_int_equal(counted.last.other, FOOTPRINT(12, 16));
}

static void disjoint_bytes_are_false_sharing(void **state)
{
	struct counted counted =
		PLAY(&within_10_us, { 0, 'w', 8, 16, 1000 }, { 1, 'r', 16, 24, 2000 },
		     { 0, 'w', 8, 16, 3000 }, { 1, 'r', 16, 24, 4000 });

	(void)state;
	assert_int_equal(counted.nr_true, 0);
	assert_int_equal(counted.nr_false, 2);
	assert_int_equal(counted.last.writer, FOOTPRINT(8, 16));
	assert_int_equal(counted.last.other, FOOTPRINT(16, 24));
}

static void a_later_use_of_what_was_written_makes_the_fetch_worth_it(void **state)
{
	struct counted counted = PLAY(&within_10_us, { 0, 'w', 8, 16, 1000 },
				      { 1, 'r', 16, 24, 2000 }, { 1, 'r', 8, 16, 3000 });

	(void)state;
	assert_int_equal(counted.nr_true, 1);
	assert_int_equal(counted.nr_false, 0);
}

static void outside_the_window_nothing_is_said(void **state)
{
	struct counted counted =
		PLAY(&within_10_us, { 0, 'w', 8, 16, 1000 }, { 1, 'r', 8, 16, 11001 });

	(void)state;
	assert_int_equal(counted.nr_true + counted.nr_false, 0);
	counted = PLAY(&within_10_us, { 0, 'w', 8, 16, 1000 }, { 1, 'r', 8, 16, 11000 });
	assert_int_equal(counted.nr_true, 1);
}

static void one_cpu_or_no_writer_shares_nothing(void **state)
{
	struct counted counted = PLAY(&within_10_us, { 3, 'w', 8, 16, 1000 },
				      { 3, 'r', 16, 24, 2000 }, { 3, 'u', 8, 16, 3000 });

	(void)state;
	assert_int_equal(counted.nr_true + counted.nr_false, 0);
	counted = PLAY(&within_10_us, { 0, 'r', 8, 16, 1000 }, { 1, 'r', 8, 16, 2000 },
		       { 2, 'r', 16, 24, 3000 });
	assert_int_equal(counted.nr_true + counted.nr_false, 0);
}

static void a_first_access_counts_only_among_samples(void **state)
{
	struct counted counted = PLAY(&whole, { 0, 'w', 8, 16, 0 }, { 1, 'r', 8, 16, 0 });

	(void)state;
	assert_int_equal(counted.nr_true + counted.nr_false, 0);
	/* The write between two reads takes the line away. */
	counted = PLAY(&whole, { 1, 'r', 8, 16, 0 }, { 0, 'w', 8, 16, 0 }, { 1, 'r', 8, 16, 0 });
	assert_int_equal(counted.nr_true, 1);
}

/* xorshift64 (Marsaglia 2003). */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static struct step random_step(uint64_t *seed, uint32_t nr_cpus)
{
	uint64_t random = next_random(seed);
	uint16_t size = (uint16_t)(1 << random % 4), start = (uint16_t)(random >> 8) % 64;

	start -= start % size;
	/* Some bytes are written by one CPU alone: there is false sharing to find. */
	if (random >> 32 & 1)
		start = (uint16_t)((random >> 16) % nr_cpus * 64 / nr_cpus / 8 * 8);
	return (struct step){ .cpu = (uint32_t)((random >> 16) % nr_cpus),
			      .kind = "rrwu"[(random >> 24) % 4],
			      .start = start,
			      .end = (uint16_t)(start + size) };
}

static void count_verdict(void *context, const struct coherence_verdict *verdict)
{
	struct counted *counted = context;

	counted->nr_true += verdict->is_true;
	counted->nr_false += !verdict->is_true;
}

static struct counted ask_coherence(const struct step *steps, size_t nr, uint32_t nr_cpus)
{
	struct counted counted = {};
	struct coherence_config config = {
		.topology = { 1, nr_cpus },
		.line_size = 64,
		.on_verdict = count_verdict,
		.context = &counted,
	};
	struct coherence *coherence = NULL;

	assert_null(coherence_create(&config, &coherence));
	for (size_t i = 0; i < nr; i++) {
		const struct coherence_access access = {
			.address = 0x1000u + steps[i].start,
			.size = (uint32_t)steps[i].end - steps[i].start,
			.cpu = (uint8_t)steps[i].cpu,
			.kind = steps[i].kind == 'r' ? COHERENCE_LOAD :
				steps[i].kind == 'w' ? COHERENCE_STORE :
						       COHERENCE_ATOMIC,
		};

		coherence_access(coherence, &access);
	}
	coherence_flush(coherence);
	coherence_destroy(coherence);
	return counted;
}

/* On every access of a line the counts are those of the model, which keeps a clock for each byte. */
static void on_whole_recordings_the_counts_are_those_of_the_model(void **state)
{
	static struct step steps[300];
	unsigned int nr_true = 0, nr_false = 0;
	uint64_t seed = 20261130;

	(void)state;
	for (unsigned int round = 0; round < 400; round++) {
		uint32_t nr_cpus = (uint32_t[]){ 2, 3, 8, 64 }[round % 4];
		size_t nr = 1 + next_random(&seed) % array_size(steps);
		struct counted ours, theirs;

		for (size_t i = 0; i < nr; i++)
			steps[i] = random_step(&seed, nr_cpus);
		ours = play(&whole, steps, nr);
		theirs = ask_coherence(steps, nr, nr_cpus);
		assert_int_equal(ours.nr_true, theirs.nr_true);
		assert_int_equal(ours.nr_false, theirs.nr_false);
		nr_true += theirs.nr_true;
		nr_false += theirs.nr_false;
	}
	/* Enough of both that agreement says something. */
	assert_true(nr_true > 2000);
	assert_true(nr_false > 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_one_writes_and_another_reads_is_true_sharing),
		cmocka_unit_test(disjoint_bytes_are_false_sharing),
		cmocka_unit_test(a_later_use_of_what_was_written_makes_the_fetch_worth_it),
		cmocka_unit_test(outside_the_window_nothing_is_said),
		cmocka_unit_test(one_cpu_or_no_writer_shares_nothing),
		cmocka_unit_test(a_first_access_counts_only_among_samples),
		cmocka_unit_test(on_whole_recordings_the_counts_are_those_of_the_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
