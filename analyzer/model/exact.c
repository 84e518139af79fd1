/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/exact.h"

void exact_deinit(struct exact *exact)
{
	vec_deinit(&exact->run.operations);
	vec_deinit(&exact->types);
	vec_deinit(&exact->lines);
	vec_deinit(&exact->fields);
	vec_deinit(&exact->functions);
	vec_deinit(&exact->pairs);
	vec_deinit(&exact->cuts);
	vec_deinit(&exact->limits);
	typeset_deinit(&exact->set);
	arena_deinit(&exact->arena);
}

void exact_counts_add(struct exact_counts *counts, const struct exact_counts *other)
{
	uint64_t *sums = (uint64_t *)counts;
	const uint64_t *numbers = (const uint64_t *)other;

	for (size_t i = 0; i < sizeof(*counts) / sizeof(*sums); i++)
		sums[i] += numbers[i];
}

uint64_t exact_counts_accesses(const struct exact_counts *counts)
{
	return counts->loads + counts->stores + counts->atomics;
}

uint64_t exact_counts_hitm(const struct exact_counts *counts)
{
	return counts->hitm_local + counts->hitm_remote;
}

uint64_t exact_counts_transfers(const struct exact_counts *counts)
{
	return counts->upgrades + counts->clean_local + counts->clean_remote +
	       exact_counts_hitm(counts);
}

const char *exact_context_word(enum exact_context context)
{
	static const char *const words[EXACT_NR_CONTEXTS] = {
		[EXACT_TASK] = "task",
		[EXACT_SOFTIRQ] = "softirq",
		[EXACT_HARDIRQ] = "hardirq",
		[EXACT_EXCEPTION] = "exception",
	};

	return words[context];
}
