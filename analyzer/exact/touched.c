/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/touched.h"

/* The plugin tells phases modulo 128. */
enum { NR_PHASES = 128 };

struct touched {
	uint32_t nr, nr_hot;
};

/* Objects that start elsewhere in a line have their fields on other lines: each phase by itself. */
static void count_type(const struct exact *exact, struct exact_type *type)
{
	struct touched by_phase[NR_PHASES] = {};

	for (uint32_t i = 0; i < type->nr_lines; i++) {
		const struct exact_line *line = &exact->lines.items[type->first_line + i];
		struct touched *touched = &by_phase[line->phase % NR_PHASES];
		uint64_t nr = exact_counts_accesses(&line->counts);

		touched->nr += nr != 0;
		touched->nr_hot += nr && nr * 10 >= exact->run.nr_operations;
	}
	for (size_t i = 0; i < NR_PHASES; i++) {
		if (by_phase[i].nr > type->nr_touched)
			type->nr_touched = by_phase[i].nr;
		if (by_phase[i].nr_hot > type->nr_hot)
			type->nr_hot = by_phase[i].nr_hot;
	}
}

void touched_count(struct exact *exact)
{
	for (size_t i = 0; exact->run.every_access && i < exact->types.nr; i++)
		count_type(exact, &exact->types.items[i]);
}
