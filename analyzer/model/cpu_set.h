/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of CPUs, as wide as the highest one in it. A zeroed struct cpu_set is an empty one. */
#ifndef FIELDLINE_MODEL_CPU_SET_H
#define FIELDLINE_MODEL_CPU_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

struct cpu_set {
	union {
		uint64_t word;	 /* of one word: bit n is CPU n */
		uint64_t *words; /* of more: bit n of word w is CPU 64 * w + n */
	};
	uint32_t nr_words;
};

void cpu_set_add_wide(struct cpu_set *set, uint32_t cpu, struct arena *arena);

/* Runs several times for each sample. */
static inline void cpu_set_add(struct cpu_set *set, uint32_t cpu, struct arena *arena)
{
	if (cpu < 64 && set->nr_words == 1)
		set->word |= 1ull << cpu;
	else
		cpu_set_add_wide(set, cpu, arena);
}

void cpu_set_add_all(struct cpu_set *set, const struct cpu_set *other, struct arena *arena);
bool cpu_set_has(const struct cpu_set *set, uint32_t cpu);
uint32_t cpu_set_count(const struct cpu_set *set);
/* Adds "0-3,8"; nothing for an empty set. */
void cpu_set_print(struct text *text, const struct cpu_set *set);

#endif
