/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/layout_printer.h"

#include <string.h>

/* A union may have thousands of long alternatives; so many are named on a line they fill. */
#define MAX_CONTINUED 16

static unsigned long long ull(uint64_t value)
{
	return value;
}

/* Where a row starts and ends, in lines. */
struct span {
	size_t row;
	uint64_t first;
	uint64_t last;
};

DEFINE_VEC(span_vec, struct span);

struct section {
	struct layout_printer *printer;
	uint64_t line;
	uint64_t nr_lines;	   /* of the whole struct */
	struct span_vec spans;	   /* by first line */
	struct span_vec continued; /* fields and holes that reach into this line from before */
	uint64_t *shown;	   /* per row: the line it was last shown on, from 1 */
	bool started;		   /* the header is complete */
};

static int compare_spans(const void *a, const void *b)
{
	const struct span *left = a, *right = b;

	if (left->first != right->first)
		return left->first < right->first ? -1 : 1;
	return left->row < right->row ? -1 : left->row > right->row;
}

/* A flexible array stands where the struct ends: shown on its last line. */
static uint64_t line_of(const struct section *section, uint64_t offset)
{
	uint64_t line = view_line(section->printer->options->view, offset);

	return line < section->nr_lines ? line : section->nr_lines - 1;
}

static void list_spans(struct section *section)
{
	const struct row_vec *rows = &section->printer->rows;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->items[i];

		if (row->offset_bits == FIELD_OFFSET_UNKNOWN)
			continue;
		*vec_add(&section->spans) = (struct span){
			.row = i,
			.first = line_of(section, row->offset_bits / 8),
			.last = line_of(section, row_last_byte(row)),
		};
	}
	vec_sort(&section->spans, compare_spans);
}

static uint64_t first_byte(const struct section *section, uint64_t line)
{
	const struct view *view = &section->printer->options->view;

	return line ? line * view->cacheline - view->phase : 0;
}

static uint64_t end_byte(const struct section *section, uint64_t line)
{
	uint64_t end = first_byte(section, line + 1), size = type_size(section->printer->type);

	return end < size ? end : size;
}

/* A struct of no size may still have members: empty structs, a flexible array. */
static void print_bytes(struct section *section, uint64_t line, uint64_t last)
{
	struct layout_printer *printer = section->printer;

	if (!end_byte(section, last))
		return;
	text_add(printer->text, ": bytes ");
	layout_print_number(printer, 0, first_byte(section, line));
	text_add(printer->text, "..");
	layout_print_number(printer, 0, end_byte(section, last) - 1);
}

/* A struct without a name that is no alternative of a union tells nothing. */
static bool is_context(const struct row *row)
{
	return row->in_union || !field_is_transparent(row->field);
}

/* Ends the header, or says anew, where row is inside structs that began on an earlier line. */
static void print_context(struct section *section, const struct row *row)
{
	struct layout_printer *printer = section->printer;
	const struct row_vec *rows = &printer->rows;
	const struct row *inside = NULL;

	for (int32_t at = row->parent; at >= 0; at = rows->items[at].parent) {
		if (section->shown[at] == section->line + 1)
			break;
		section->shown[at] = section->line + 1;
		if (!inside && is_context(&rows->items[at]))
			inside = &rows->items[at];
	}
	if (!section->started) {
		if (inside) {
			text_add(printer->text, ", in ");
			layout_add_path(printer, printer->text, inside);
		}
		layout_paint(printer, PAINT_NONE);
		text_add_char(printer->text, '\n');
	} else if (inside) {
		layout_paint(printer, PAINT_LINE);
		text_add(printer->text, "  in ");
		layout_add_path(printer, printer->text, inside);
		layout_paint(printer, PAINT_NONE);
		text_add_char(printer->text, '\n');
	}
	section->started = true;
}

static void print_continued(struct section *section)
{
	const struct row_vec *rows = &section->printer->rows;

	for (size_t i = 0; i < section->continued.nr; i++) {
		const struct row *row = &rows->items[section->continued.items[i].row];
		uint64_t start = first_byte(section, section->line);
		uint64_t end = end_byte(section, section->line);

		if (end > row_last_byte(row) + 1)
			end = row_last_byte(row) + 1;
		print_context(section, row);
		layout_print_rest(section->printer, row, start, end - start);
	}
}

/* Forgets what ended before this line. */
static void drop_ended(struct section *section)
{
	size_t kept = 0;

	for (size_t i = 0; i < section->continued.nr; i++) {
		if (section->continued.items[i].last >= section->line)
			section->continued.items[kept++] = section->continued.items[i];
	}
	section->continued.nr = kept;
}

/* The last line up to which nothing starts and all that came from before fills every line. */
static uint64_t last_filled(const struct section *section, uint64_t next)
{
	uint64_t last = next - 1;

	for (size_t i = 0; i < section->continued.nr; i++) {
		const struct span *span = &section->continued.items[i];
		const struct row *row = &section->printer->rows.items[span->row];
		bool to_the_end = row_last_byte(row) + 1 >= end_byte(section, span->last);
		uint64_t filled = to_the_end ? span->last : span->last - 1;

		last = filled < last ? filled : last;
	}
	return last;
}

/* Lines on which nothing starts: one row for all of them. */
static void print_filled(struct section *section, uint64_t last)
{
	struct layout_printer *printer = section->printer;
	const char *separator = ": all ";

	layout_paint(printer, PAINT_LINE);
	if (last > section->line)
		text_printf(printer->text, "lines %llu-%llu", ull(section->line), ull(last));
	else
		text_printf(printer->text, "line %llu", ull(last));
	print_bytes(section, section->line, last);
	layout_paint(printer, PAINT_NONE);
	for (size_t i = 0; i < section->continued.nr; i++) {
		text_add(printer->text, separator);
		layout_add_path(printer, printer->text,
				&printer->rows.items[section->continued.items[i].row]);
		separator = ", ";
	}
	text_add_char(printer->text, '\n');
}

/* spans[at..end) start on this line. */
static void print_section(struct section *section, size_t at, size_t end)
{
	struct layout_printer *printer = section->printer;

	section->started = false;
	layout_paint(printer, PAINT_LINE);
	text_printf(printer->text, "line %llu", ull(section->line));
	print_bytes(section, section->line, section->line);
	print_continued(section);
	for (; at < end; at++) {
		const struct span *span = &section->spans.items[at];
		const struct row *row = &printer->rows.items[span->row];

		print_context(section, row);
		section->shown[span->row] = section->line + 1;
		layout_print_row(printer, row);
		if (row->kind != ROW_OPENED && span->last > section->line &&
		    section->continued.nr < MAX_CONTINUED)
			*vec_add(&section->continued) = *span;
	}
}

static void print_unplaced(struct layout_printer *printer)
{
	bool header = false;

	for (size_t i = 0; i < printer->rows.nr; i++) {
		const struct row *row = &printer->rows.items[i];

		if (row->offset_bits != FIELD_OFFSET_UNKNOWN)
			continue;
		if (!header)
			text_add(printer->text, "where the complete object has them\n");
		header = true;
		layout_print_row(printer, row);
	}
}

void layout_print_lines(struct layout_printer *printer)
{
	uint64_t size = type_size(printer->type);
	struct section section = {
		.printer = printer,
		.nr_lines = view_nr_lines(printer->options->view, 0, size ? size : 1),
		.shown = memory_alloc(printer->rows.nr, sizeof(*section.shown)),
	};
	size_t at = 0, end;

	list_spans(&section);
	while (section.line < section.nr_lines && section.spans.nr) {
		uint64_t next =
			at < section.spans.nr ? section.spans.items[at].first : section.nr_lines;

		drop_ended(&section);
		if (next > section.line && last_filled(&section, next) >= section.line) {
			uint64_t last = last_filled(&section, next);

			print_filled(&section, last);
			section.line = last + 1;
			continue;
		}
		for (end = at;
		     end < section.spans.nr && section.spans.items[end].first == section.line;
		     end++)
			;
		print_section(&section, at, end);
		at = end;
		section.line++;
	}
	print_unplaced(printer);
	vec_deinit(&section.spans);
	vec_deinit(&section.continued);
	free(section.shown);
}

void layout_print_flat(struct layout_printer *printer)
{
	for (size_t i = 0; i < printer->rows.nr; i++) {
		if (printer->rows.items[i].kind == ROW_FIELD)
			layout_print_row(printer, &printer->rows.items[i]);
	}
}
