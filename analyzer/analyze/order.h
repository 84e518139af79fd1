/* SPDX-License-Identifier: GPL-2.0-only */
/* What keeps its order when things are moved about. */
#ifndef FIELDLINE_ANALYZE_ORDER_H
#define FIELDLINE_ANALYZE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct order {
	uint64_t offset; /* in the new order, */
	uint32_t index;	 /* and that among those of one offset */
	bool stayed;	 /* at the offset it had */
	bool kept;
};

/*
 * orders come in the old order. Keeps a longest sequence that is in the new order too; among those
 * of one length one with the most that stayed where they were.
 */
void order_keep_most(struct order *orders, size_t nr);

#endif
