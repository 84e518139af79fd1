/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/cpu_set.h"

#include <string.h>

static uint64_t *words_of(struct cpu_set *set)
{
	return set->nr_words > 1 ? set->words : &set->word;
}

static uint64_t word_at(const struct cpu_set *set, uint32_t i)
{
	return set->nr_words > 1 ? set->words[i] : set->word;
}

static void widen(struct cpu_set *set, uint32_t nr_words, struct arena *arena)
{
	uint64_t *words;

	if (nr_words <= set->nr_words)
		return;
	if (nr_words > 1) {
		words = arena_alloc(arena, nr_words, sizeof(*words));
		memcpy(words, words_of(set), set->nr_words * sizeof(*words));
		set->words = words;
	}
	set->nr_words = nr_words;
}

void cpu_set_add_wide(struct cpu_set *set, uint32_t cpu, struct arena *arena)
{
	widen(set, cpu / 64 + 1, arena);
	words_of(set)[cpu / 64] |= 1ull << cpu % 64;
}

void cpu_set_add_all(struct cpu_set *set, const struct cpu_set *other, struct arena *arena)
{
	widen(set, other->nr_words, arena);
	for (uint32_t i = 0; i < other->nr_words; i++)
		words_of(set)[i] |= word_at(other, i);
}

bool cpu_set_has(const struct cpu_set *set, uint32_t cpu)
{
	return cpu / 64 < set->nr_words && word_at(set, cpu / 64) >> cpu % 64 & 1;
}

uint32_t cpu_set_count(const struct cpu_set *set)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < set->nr_words; i++)
		nr += (uint32_t)__builtin_popcountll(word_at(set, i));
	return nr;
}

void cpu_set_print(struct text *text, const struct cpu_set *set)
{
	const char *separator = "";

	for (uint32_t cpu = 0; cpu < 64 * set->nr_words; cpu++) {
		uint32_t last = cpu;

		if (!cpu_set_has(set, cpu))
			continue;
		while (cpu_set_has(set, last + 1))
			last++;
		text_printf(text, "%s%u", separator, cpu);
		if (last > cpu)
			text_printf(text, "-%u", last);
		separator = ",";
		cpu = last;
	}
}
