/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often lines would move between CPUs under another layout, by a model: no time, no caches
 * that fill up, and CPUs that take turns at random. It tells layouts apart, not machines.
 */
#ifndef FIELDLINE_PROPOSE_MODELLED_H
#define FIELDLINE_PROPOSE_MODELLED_H

#include "model/proposal.h"

/*
 * Of so many touches. What one function touches on one line comes for one transfer: a call touches
 * each of its fields once, so its visits to a line are as many as those to its most touched field
 * there. touches may be NULL. Fields that the type does not have are nowhere.
 */
uint64_t modelled_transfers(const struct type *type, struct view view,
			    const struct touches *touches);

#endif
