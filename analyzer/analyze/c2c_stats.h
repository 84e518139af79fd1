/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts samples as perf c2c does; see model/c2c_stats.h. */
#ifndef FIELDLINE_ANALYZE_C2C_STATS_H
#define FIELDLINE_ANALYZE_C2C_STATS_H

#include "model/c2c_stats.h"
#include "model/sample.h"

/*
 * A sample of any event: perf counts those without memory, too. It is counted a few samples later,
 * when its line has come from memory; the questions below wait for that.
 */
void c2c_table_add(struct c2c_table *table, const struct sample *sample,
		   const struct c2c_place *place);

/* The sums of all lines: every sample is on one. */
struct c2c_counts c2c_total_counts(struct c2c_table *table);
/* The sums of the lines that some load found modified, or in a peer's cache; and how many. */
struct c2c_counts c2c_shared_counts(struct c2c_table *table, uint32_t *ret_nr_lines);
/* The most fought over first, then by address. Adding after that is fine. */
void c2c_table_sort(struct c2c_table *table);

#endif
