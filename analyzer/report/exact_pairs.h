/* SPDX-License-Identifier: GPL-2.0-only */
/* Which field's writes take the line from which other field's users, for people. */
#ifndef FIELDLINE_REPORT_EXACT_PAIRS_H
#define FIELDLINE_REPORT_EXACT_PAIRS_H

#include "base/text.h"
#include "model/exact.h"

/* Pairs of fields, whichever functions they met in, most misses first. */
void exact_pairs_print(struct text *text, const struct exact *exact);

#endif
