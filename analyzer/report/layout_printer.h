/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the text of a layout, each in its own file. */
#ifndef FIELDLINE_REPORT_LAYOUT_PRINTER_H
#define FIELDLINE_REPORT_LAYOUT_PRINTER_H

#include "report/layout_rows.h"

enum paint { PAINT_NONE, PAINT_LINE, PAINT_UNUSED, PAINT_STRADDLE, PAINT_GROUP };

/* One layout being printed. */
struct layout_printer {
	struct text *text;
	const struct typeset *set;
	const struct type *type;
	const struct layout_text_options *options;
	struct row_vec rows;
	int offset_width; /* of the columns, in characters */
	int size_width;
	size_t name_width;
};

/* Chooses the widths of the columns. */
void layout_measure(struct layout_printer *printer);
/* Numbers as the options want them. */
void layout_print_number(struct layout_printer *printer, int width, uint64_t value);
/* Starts or ends (PAINT_NONE) a colour; nothing without --color. */
void layout_paint(struct layout_printer *printer, enum paint paint);
/* Adds the path of a row, "vfs_inode.i_data"; anonymous levels don't show. */
void layout_add_path(const struct layout_printer *printer, struct text *text,
		     const struct row *row);

/* One line of the table; notes say where it straddles and what else is odd. */
void layout_print_row(struct layout_printer *printer, const struct row *row);
/* The part of a row that reaches into another line: size bytes at offset. */
void layout_print_rest(struct layout_printer *printer, const struct row *row, uint64_t offset,
		       uint64_t size);

/* "title: item, item", broken into lines of some 100 columns. Nothing without an item. */
struct layout_list {
	struct text *text;
	const char *title;
	size_t line_start;
	bool begun;
};

void layout_list_add(struct layout_list *list, const char *item);
/* Ends the line; whether there was an item. */
bool layout_list_end(struct layout_list *list);

/* Line by line, and the flat table. */
void layout_print_lines(struct layout_printer *printer);
void layout_print_flat(struct layout_printer *printer);
/* What each embedded struct's start does to its fields. */
void layout_print_phases(struct layout_printer *printer);

#endif
