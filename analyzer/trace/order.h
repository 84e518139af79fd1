/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts items in the order of their times. perf writes each CPU's buffer in turn and ends a round
 * when it was at all of them: what the next round brings may be earlier than what this one brought
 * last, but not earlier than what the round before did. So all up to the last time of the round
 * before may go.
 *
 * Items without a time go first, as perf has it. A recording without rounds is cut into some.
 */
#ifndef FIELDLINE_TRACE_ORDER_H
#define FIELDLINE_TRACE_ORDER_H

#include <stdbool.h>

#include "trace/recording.h"

struct order;

struct order *order_create(void);
void order_destroy(struct order *order);
/* Copies the item, with the strings in it. */
void order_add(struct order *order, const struct item *item);
void order_end_round(struct order *order);
/* Nothing follows: lets all go. */
void order_end(struct order *order);
/* The next item that may go, valid until the next call; false when there is none yet. */
bool order_take(struct order *order, const struct item **ret);
/* Whether none is left, ready or not. */
bool order_is_empty(const struct order *order);

#endif
