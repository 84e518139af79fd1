/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_COLUMNS 32

void grid_add(struct grid *grid, const char *format, ...)
{
	char chars[512];
	va_list args;

	va_start(args, format);
	vsnprintf(chars, sizeof(chars), format, args);
	va_end(args);
	*vec_add(&grid->cells) = arena_strdup(&grid->arena, chars);
}

void grid_add_number(struct grid *grid, uint64_t value)
{
	if (value)
		grid_add(grid, "%llu", (unsigned long long)value);
	else
		grid_add(grid, ".");
}

static void print_row(const struct grid *grid, struct text *text, const char *indent,
		      const char *const *cells, const int *widths)
{
	size_t end;

	text_add(text, indent);
	end = text->length;
	for (unsigned int i = 0; i < grid->nr_columns; i++) {
		bool left = grid->left >> i & 1;

		text_printf(text, "%s%*s", i ? "  " : "", left ? -widths[i] : widths[i], cells[i]);
		if (*cells[i])
			end = text->length;
		while (left && end && text->chars[end - 1] == ' ' && *cells[i])
			end--;
	}
	text->length = end;
	text->chars[end] = '\0';
	text_add_char(text, '\n');
}

void grid_print(const struct grid *grid, struct text *text, const char *indent)
{
	int widths[MAX_COLUMNS] = {};

	for (size_t i = 0; i < grid->cells.nr; i++) {
		int width = (int)strlen(grid->cells.items[i]);
		unsigned int column = (unsigned int)(i % grid->nr_columns);

		widths[column] = width > widths[column] ? width : widths[column];
	}
	for (size_t i = 0; i + grid->nr_columns <= grid->cells.nr; i += grid->nr_columns)
		print_row(grid, text, indent, &grid->cells.items[i], widths);
}

void grid_deinit(struct grid *grid)
{
	vec_deinit(&grid->cells);
	arena_deinit(&grid->arena);
}
