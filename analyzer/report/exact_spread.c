/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/exact_spread.h"

#include <string.h>

enum { LISTED_TYPES = 10 };

void exact_spread_deinit(struct exact_spread *spread)
{
	vec_deinit(&spread->rows);
	arena_deinit(&spread->arena);
}

static void add_rows(struct exact_spread *spread, const struct exact *run)
{
	*vec_add(&spread->rows) = (struct spread_row){};
	for (size_t i = 0; i < run->types.nr && i < LISTED_TYPES; i++)
		*vec_add(&spread->rows) = (struct spread_row){
			.label = arena_strdup(&spread->arena, run->types.items[i].label),
			.origin = arena_strdup(&spread->arena, run->types.items[i].origin),
		};
}

/* Of a run in which nobody fought over that type: zeros. */
static struct exact_counts counts_of(const struct exact *run, const struct spread_row *row)
{
	if (!row->label)
		return run->total;
	for (size_t i = 0; i < run->types.nr; i++) {
		const struct exact_type *type = &run->types.items[i];

		if (!strcmp(type->label, row->label) && !strcmp(type->origin, row->origin))
			return type->counts;
	}
	return (struct exact_counts){};
}

static void add(struct spread *spread, bool is_first, uint64_t nr, const struct exact *run)
{
	double value = run->run.nr_operations ? (double)nr / run->run.nr_operations : nr;

	spread->sum += value;
	if (is_first || value < spread->least)
		spread->least = value;
	if (is_first || value > spread->most)
		spread->most = value;
}

void exact_spread_add(struct exact_spread *spread, const struct exact *run)
{
	if (!spread->nr_runs)
		add_rows(spread, run);
	for (size_t i = 0; i < spread->rows.nr; i++) {
		struct spread_row *row = &spread->rows.items[i];
		struct exact_counts counts = counts_of(run, row);

		add(&row->transfers, !spread->nr_runs, exact_counts_transfers(&counts), run);
		add(&row->hitm, !spread->nr_runs, exact_counts_hitm(&counts), run);
	}
	spread->nr_runs++;
}

void exact_spread_print(struct text *text, const struct exact_spread *spread)
{
	double nr = spread->nr_runs;

	text_printf(text,
		    "\nOver %.0f seeds, per operation: mean (least to most). Kernels of equal "
		    "layout can differ by more.\n\n"
		    "  transfers                    HITM\n",
		    nr);
	for (size_t i = 0; i < spread->rows.nr; i++) {
		const struct spread_row *row = &spread->rows.items[i];

		text_printf(text, "  %8.3f (%.3f to %.3f)  %8.3f (%.3f to %.3f)  %s\n",
			    row->transfers.sum / nr, row->transfers.least, row->transfers.most,
			    row->hitm.sum / nr, row->hitm.least, row->hitm.most,
			    row->label ?: "all of the kernel");
	}
}
