/* SPDX-License-Identifier: GPL-2.0-only */
/* How far runs of one workload with different seeds lie apart. */
#ifndef FIELDLINE_REPORT_EXACT_SPREAD_H
#define FIELDLINE_REPORT_EXACT_SPREAD_H

#include "base/text.h"
#include "model/exact.h"

/* Per operation, over the runs. */
struct spread {
	double sum;
	double least;
	double most;
};

struct spread_row {
	const char *label; /* NULL = of the whole kernel */
	const char *origin;
	struct spread transfers;
	struct spread hitm;
};

DEFINE_VEC(spread_row_vec, struct spread_row);

/* A zeroed one has seen no run. */
struct exact_spread {
	struct arena arena;
	uint64_t nr_runs;
	struct spread_row_vec rows; /* the first run says of which types */
};

/* The run is not kept. */
void exact_spread_add(struct exact_spread *spread, const struct exact *run);
void exact_spread_print(struct text *text, const struct exact_spread *spread);
void exact_spread_deinit(struct exact_spread *spread);
#define auto_exact_spread __attribute__((cleanup(exact_spread_deinit)))

#endif
