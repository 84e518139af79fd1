/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns as wide as what stands in them. Cells are added row by row:
 *
 *	auto_grid struct grid grid = { .nr_columns = 2, .left = 1 << 1 };
 *
 *	grid_add(&grid, "reads");
 *	grid_add(&grid, "field");
 *	grid_add(&grid, "%llu", nr);
 *	...
 *	grid_print(&grid, text, "  ");
 */
#ifndef FIELDLINE_REPORT_GRID_H
#define FIELDLINE_REPORT_GRID_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"

struct grid {
	unsigned int nr_columns; /* at most 32 */
	uint32_t left;		 /* bit per column: flush left, else right */
	struct arena arena;
	struct string_vec cells;
};

void grid_add(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number, or "." for 0: what is there stands out. */
void grid_add_number(struct grid *grid, uint64_t value);
/* Adds all rows, each behind indent; what is empty at a row's end is left away. */
void grid_print(const struct grid *grid, struct text *text, const char *indent);
void grid_deinit(struct grid *grid);

#define auto_grid __attribute__((cleanup(grid_deinit)))

#endif
