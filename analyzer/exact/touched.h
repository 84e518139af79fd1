/* SPDX-License-Identifier: GPL-2.0-only */
/* How many lines of an object the region touched: only where every access was counted. */
#ifndef FIELDLINE_EXACT_TOUCHED_H
#define FIELDLINE_EXACT_TOUCHED_H

#include "model/exact.h"

/* Fills nr_touched and nr_hot of exact's types from their lines. */
void touched_count(struct exact *exact);

#endif
