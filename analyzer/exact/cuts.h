/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that one operation writes together, parted by a line boundary. */
#ifndef FIELDLINE_EXACT_CUTS_H
#define FIELDLINE_EXACT_CUTS_H

#include "model/exact.h"

/* Fills exact->cuts from its fields. */
void cuts_find(struct exact *exact);

#endif
