/* SPDX-License-Identifier: GPL-2.0-only */
/* How far runs with different seeds lie apart. */
#ifndef FIELDLINE_REPORT_EXACT_SPREAD_H
#define FIELDLINE_REPORT_EXACT_SPREAD_H

#include "base/text.h"
#include "model/exact.h"

/* runs: at least one, of the same region of the same workload on the same kernel. */
void exact_spread_print(struct text *text, const struct exact *runs, size_t nr);

#endif
