/* SPDX-License-Identifier: GPL-2.0-only */
/* The model against a plain one, word by word, over random accesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/coherence/reference.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
enum { NR_ACCESSES = 40 * 1000 };
#else
enum { NR_ACCESSES = 500 * 1000 };
#endif

#define MESI_ON(sockets, cpus, size) \
	.topology = { sockets, cpus }, .line_size = size, .protocol = COHERENCE_MESI
#define MOESI_ON(sockets, cpus, size) \
	.topology = { sockets, cpus }, .line_size = size, .protocol = COHERENCE_MOESI

static const struct {
	struct coherence_config config;
	unsigned int nr_lines;
} cases[] = {
	{ { MESI_ON(1, 2, 64) }, 2 },
	{ { MESI_ON(1, 8, 64) }, 8 },
	{ { MESI_ON(2, 4, 64) }, 8 },
	{ { MESI_ON(2, 4, 64), .since_essential = true }, 8 },
	{ { MESI_ON(4, 4, 128) }, 4 },
	{ { MESI_ON(2, 4, 16) }, 32 },
	{ { MESI_ON(3, 5, 1) }, 256 },
	{ { MESI_ON(2, 2, 4096) }, 2 },
	{ { MESI_ON(4, 16, 64) }, 8 },
	{ { MESI_ON(2, 4, 64), .nr_sets = 1, .nr_ways = 1 }, 4 },
	{ { MESI_ON(2, 4, 64), .nr_sets = 4, .nr_ways = 2 }, 16 },
	{ { MESI_ON(2, 4, 32), .nr_sets = 2, .nr_ways = 4, .since_essential = true }, 16 },
	{ { MOESI_ON(1, 4, 64) }, 8 },
	{ { MOESI_ON(2, 4, 64) }, 8 },
	{ { MOESI_ON(2, 4, 64), .since_essential = true }, 4 },
	{ { MOESI_ON(8, 8, 64) }, 4 },
	{ { MOESI_ON(2, 4, 64), .nr_sets = 1, .nr_ways = 2 }, 4 },
	{ { MOESI_ON(2, 4, 64), .nr_sets = 8, .nr_ways = 1 }, 16 },
	{ { MOESI_ON(4, 2, 8), .nr_sets = 2, .nr_ways = 3, .since_essential = true }, 32 },
	{ { MOESI_ON(4, 4, 128), .nr_sets = 2, .nr_ways = 1 }, 8 },
};

/* xorshift64 (Marsaglia 2003). */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Half of the accesses go to bytes of the CPU's own, so that there is false sharing to find. */
static struct coherence_access random_access(const struct reference *reference, uint64_t *seed)
{
	static const uint8_t sizes[] = { 1, 1, 2, 4, 4, 8, 8, 8, 16, 40 };
	uint64_t nr_bytes = (uint64_t)reference->nr_lines * reference->config.line_size;
	uint64_t random = next_random(seed);
	struct coherence_access access = {
		.size = sizes[(random >> 8) % array_size(sizes)],
		.place = random >> 32,
		.cpu = (random >> 16) % reference->nr_cpus,
		.kind = (uint8_t[]){ COHERENCE_LOAD, COHERENCE_LOAD, COHERENCE_STORE,
				     COHERENCE_ATOMIC }[random % 4],
	};
	uint64_t offset = next_random(seed) % (nr_bytes - access.size + 1);

	if (random & 0x80 && access.size <= 4 && reference->config.line_size >= 8)
		offset = (offset & ~7ull) % (nr_bytes - 7) / 64 * 64 + access.cpu % 8 * 8;
	if (offset > nr_bytes - access.size)
		offset = nr_bytes - access.size;
	access.address = reference->base + offset;
	return access;
}

static void assert_same_touch(const struct coherence_touch *told,
			      const struct coherence_touch *expected)
{
	assert_int_equal(told->place, expected->place);
	assert_int_equal(told->offset, expected->offset);
	assert_int_equal(told->size, expected->size);
	assert_int_equal(told->cpu, expected->cpu);
}

static void assert_same(const struct told *told, const struct told *expected)
{
	assert_int_equal(told->is_verdict, expected->is_verdict);
	assert_int_equal(told->event.kind, expected->event.kind);
	assert_int_equal(told->event.cause, expected->event.cause);
	assert_int_equal(told->event.access, expected->event.access);
	assert_int_equal(told->event.line, expected->event.line);
	assert_int_equal(told->event.serial, expected->event.serial);
	assert_same_touch(&told->event.touch, &expected->event.touch);
	assert_int_equal(told->event.supplier, expected->event.supplier);
	assert_int_equal(told->event.nr_invalidated, expected->event.nr_invalidated);
	assert_int_equal(told->verdict.is_true, expected->verdict.is_true);
	assert_int_equal(told->verdict.kind, expected->verdict.kind);
	assert_int_equal(told->verdict.access, expected->verdict.access);
	assert_int_equal(told->verdict.line, expected->verdict.line);
	assert_int_equal(told->verdict.serial, expected->verdict.serial);
	assert_same_touch(&told->verdict.writer, &expected->verdict.writer);
	assert_same_touch(&told->verdict.reader, &expected->verdict.reader);
	assert_same_touch(&told->verdict.missed, &expected->verdict.missed);
}

static void count_told(struct coherence_counts *counts, const struct told_vec *told)
{
	for (size_t i = 0; i < told->nr; i++) {
		if (told->items[i].is_verdict) {
			counts->nr_true += told->items[i].verdict.is_true;
			counts->nr_false += !told->items[i].verdict.is_true;
		} else {
			counts->events[told->items[i].event.kind]++;
			counts->misses[told->items[i].event.cause]++;
			counts->nr_invalidated += told->items[i].event.nr_invalidated;
		}
	}
}

static int compare_verdicts(const void *a, const void *b)
{
	const struct coherence_verdict *left = &((const struct told *)a)->verdict;
	const struct coherence_verdict *right = &((const struct told *)b)->verdict;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	return (int)left->missed.cpu - (int)right->missed.cpu;
}

static void assert_same_counts(const struct coherence_counts *counts,
			       struct coherence_counts *expected, const struct reference *reference)
{
	expected->events[COHERENCE_HIT] = reference->nr_touches;
	for (unsigned int i = COHERENCE_UPGRADE; i < COHERENCE_WRITE_BACK; i++)
		expected->events[COHERENCE_HIT] -= expected->events[i];
	for (unsigned int i = 0; i < COHERENCE_NR_EVENTS; i++)
		assert_int_equal(counts->events[i], expected->events[i]);
	for (unsigned int i = COHERENCE_COLD; i < COHERENCE_NR_CAUSES; i++)
		assert_int_equal(counts->misses[i], expected->misses[i]);
	assert_int_equal(counts->nr_invalidated, expected->nr_invalidated);
	assert_int_equal(counts->nr_true, expected->nr_true);
	assert_int_equal(counts->nr_false, expected->nr_false);
	assert_int_equal(counts->nr_true + counts->nr_false, counts->misses[COHERENCE_TAKEN]);
	assert_int_equal(counts->nr_split, reference->nr_touches - reference->nr_accesses);
	/* An hour of agreement on nothing would prove nothing. */
	assert_true(counts->nr_true > NR_ACCESSES / 500);
	assert_true(counts->nr_false > NR_ACCESSES / 500 || reference->config.line_size == 1);
	assert_true(!reference->config.nr_sets ||
		    counts->misses[COHERENCE_EVICTED] > NR_ACCESSES / 2000);
}

static void compare_case(size_t index)
{
	auto_recorder struct recorder recorder;
	auto_reference struct reference reference;
	struct coherence_counts expected = {};
	uint64_t seed = 88172645463325252ull + index;

	recorder_start(&recorder, cases[index].config);
	reference_start(&reference, cases[index].config, 0xffff888000003000ull,
			cases[index].nr_lines);
	for (unsigned int i = 0; i < NR_ACCESSES; i++) {
		struct coherence_access access = random_access(&reference, &seed);

		recorder.told.nr = 0;
		reference.told.nr = 0;
		coherence_access(recorder.coherence, &access);
		reference_access(&reference, &access);
		assert_int_equal(recorder.told.nr, reference.told.nr);
		for (size_t j = 0; j < reference.told.nr; j++)
			assert_same(&recorder.told.items[j], &reference.told.items[j]);
		count_told(&expected, &reference.told);
	}
	recorder.told.nr = 0;
	reference.told.nr = 0;
	coherence_flush(recorder.coherence);
	reference_flush(&reference);
	vec_sort(&recorder.told, compare_verdicts);
	assert_int_equal(recorder.told.nr, reference.told.nr);
	for (size_t j = 0; j < reference.told.nr; j++)
		assert_same(&recorder.told.items[j], &reference.told.items[j]);
	count_told(&expected, &reference.told);
	assert_same_counts(coherence_counts(recorder.coherence), &expected, &reference);
}

static void random_accesses_are_told_as_a_plain_model_tells_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		print_message("case %zu\n", i);
		compare_case(i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_accesses_are_told_as_a_plain_model_tells_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
