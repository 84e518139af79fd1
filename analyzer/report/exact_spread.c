/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/exact_spread.h"

#include <string.h>

enum { LISTED_TYPES = 10 };

struct spread {
	double sum;
	double least;
	double most;
};

static void add(struct spread *spread, bool is_first, uint64_t nr, const struct exact *exact)
{
	double value = exact->run.nr_operations ? (double)nr / exact->run.nr_operations : nr;

	spread->sum += value;
	if (is_first || value < spread->least)
		spread->least = value;
	if (is_first || value > spread->most)
		spread->most = value;
}

/* Of a run in which nobody fought over that type: zeros. */
static struct exact_counts counts_of(const struct exact *exact, const struct exact_type *wanted)
{
	for (size_t i = 0; i < exact->types.nr; i++) {
		const struct exact_type *type = &exact->types.items[i];

		if (!strcmp(type->label, wanted->label) && !strcmp(type->origin, wanted->origin))
			return type->counts;
	}
	return (struct exact_counts){};
}

static void print_row(struct text *text, const struct exact *runs, size_t nr,
		      const struct exact_type *type)
{
	struct spread transfers = {}, hitm = {};

	for (size_t i = 0; i < nr; i++) {
		struct exact_counts counts = type ? counts_of(&runs[i], type) : runs[i].total;

		add(&transfers, i == 0, exact_counts_transfers(&counts), &runs[i]);
		add(&hitm, i == 0, exact_counts_hitm(&counts), &runs[i]);
	}
	text_printf(text, "  %8.3f (%.3f to %.3f)  %8.3f (%.3f to %.3f)  %s\n", transfers.sum / nr,
		    transfers.least, transfers.most, hitm.sum / nr, hitm.least, hitm.most,
		    type ? type->label : "all of the kernel");
}

void exact_spread_print(struct text *text, const struct exact *runs, size_t nr)
{
	text_printf(
		text,
		"\nOver %zu seeds, per operation: mean (least to most). Kernels of equal layout "
		"can differ by more.\n\n  transfers                    HITM\n",
		nr);
	print_row(text, runs, nr, NULL);
	for (size_t i = 0; i < runs[0].types.nr && i < LISTED_TYPES; i++)
		print_row(text, runs, nr, &runs[0].types.items[i]);
}
