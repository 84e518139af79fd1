/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of one row. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/layout_printer.h"

#define LINE_WIDTH 6
#define LINE_OFFSET_WIDTH 6
#define SIZE_WIDTH_MIN 5
#define NAME_WIDTH_MIN 20
#define NAME_WIDTH_MAX 44

void layout_paint(struct layout_printer *printer, enum paint paint)
{
	static const char *const codes[] = {
		[PAINT_NONE] = "\033[0m",    [PAINT_LINE] = "\033[1m",
		[PAINT_UNUSED] = "\033[31m", [PAINT_STRADDLE] = "\033[33m",
		[PAINT_GROUP] = "\033[36m",
	};

	if (printer->options->color)
		text_add(printer->text, codes[paint]);
}

void layout_print_number(struct layout_printer *printer, int width, uint64_t value)
{
	text_printf(printer->text, printer->options->hex ? "%#*llx" : "%*llu", width,
		    (unsigned long long)value);
}

static bool is_group_marker(const struct field *field)
{
	return field_group_begin(field) || field_group_end(field);
}

/* "(union)" where there is no name. */
static void add_field_name(struct text *text, const struct field *field)
{
	const struct type *type = type_strip(field->type);
	const char *keyword = type ? type_keyword(type->kind) : NULL;

	if (field_group_begin(field))
		text_printf(text, "-- group %s", field_group_begin(field));
	else if (field_group_end(field))
		text_printf(text, "-- end of %s", field_group_end(field));
	else if (field->name)
		text_add(text, field->name);
	else if (field->kind == FIELD_VARIANTS)
		text_add(text, "(variants)");
	else if (field->kind == FIELD_BASE || field->kind == FIELD_VIRTUAL_BASE)
		text_printf(text, "(%s %s)", field->kind == FIELD_BASE ? "base" : "virtual base",
			    type && type->name ? type->name : "?");
	else
		text_printf(text, "(%s)", keyword ? keyword : "unnamed");
}

static void add_name(struct text *text, const struct row *row)
{
	if (row->field)
		add_field_name(text, row->field);
	else
		text_add(text, row->kind == ROW_HOLE	? "-- hole --" :
			       row->kind == ROW_PADDING ? "-- padding --" :
							  "-- gap --");
}

void layout_add_path(const struct layout_printer *printer, struct text *text, const struct row *row)
{
	const struct row *outer = row_embedding(&printer->rows, row);

	if (outer) {
		layout_add_path(printer, text, outer);
		text_add_char(text, '.');
	}
	add_name(text, row);
}

/* Two columns a level; a bar runs along the alternatives of a union. */
static void add_indent(struct layout_printer *printer, struct text *text, const struct row *row)
{
	if (row->parent >= 0)
		add_indent(printer, text, &printer->rows.items[row->parent]);
	if (row->depth || row->in_union)
		text_add(text, row->in_union ? "| " : "  ");
}

static bool in_bits(const struct row *row)
{
	if (row->offset_bits == FIELD_OFFSET_UNKNOWN)
		return false;
	return (row->field && row->field->size_bits) || row->offset_bits % 8 || row->width_bits % 8;
}

/* "12:3" is bit 3 of byte 12. */
static void print_offset(struct layout_printer *printer, const struct row *row)
{
	const char *format = printer->options->hex ? "%#llx" : "%llu";
	char offset[32];
	int length =
		snprintf(offset, sizeof(offset), format, (unsigned long long)row->offset_bits / 8);

	if (row->offset_bits == FIELD_OFFSET_UNKNOWN)
		strcpy(offset, "?");
	else if (in_bits(row))
		snprintf(offset + length, sizeof(offset) - (size_t)length, ":%u",
			 (unsigned int)(row->offset_bits % 8));
	text_printf(printer->text, "%*s", printer->offset_width, offset);
}

static void print_line_offset(struct layout_printer *printer, const struct row *row)
{
	struct view view = printer->options->view;
	uint64_t offset = row->offset_bits / 8;
	char line[32] = "";

	if (row->offset_bits == FIELD_OFFSET_UNKNOWN) {
		text_printf(printer->text, "%*s", LINE_OFFSET_WIDTH + LINE_WIDTH, "");
		return;
	}
	if (printer->options->flat)
		snprintf(line, sizeof(line), "%llu", (unsigned long long)view_line(view, offset));
	text_printf(printer->text, "%*s", printer->options->flat ? LINE_WIDTH : 0, line);
	snprintf(line, sizeof(line), printer->options->hex ? "+%#x" : "+%u",
		 view_line_offset(view, offset));
	text_printf(printer->text, "%*s", LINE_OFFSET_WIDTH, line);
}

/* Bytes, or as in C ":3" bits. */
static void print_size(struct layout_printer *printer, const struct row *row)
{
	const char *format = in_bits(row) ? ":%llu" : printer->options->hex ? "%#llx" : "%llu";
	char size[32];

	snprintf(size, sizeof(size), format,
		 (unsigned long long)(in_bits(row) ? row->width_bits : row->width_bits / 8));
	text_printf(printer->text, " %*s", printer->size_width, size);
}

static void add_note(struct layout_printer *printer, bool *noted, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add_note(struct layout_printer *printer, bool *noted, const char *format, ...)
{
	char note[256];
	va_list args;

	va_start(args, format);
	vsnprintf(note, sizeof(note), format, args);
	va_end(args);
	text_printf(printer->text, "%s%s", *noted ? ", " : "  <- ", note);
	*noted = true;
}

static void note_lines(struct layout_printer *printer, bool *noted, const struct row *row)
{
	struct view view = printer->options->view;
	uint64_t first = view_line(view, row->offset_bits / 8);
	uint64_t last = view_line(view, row_last_byte(row));
	const struct row *outer = row_embedding(&printer->rows, row);

	if (first == last || !row->width_bits)
		return;
	add_note(printer, noted,
		 row->width_bits > 8 * (uint64_t)view.cacheline ? "lines %llu-%llu" :
								  "straddles lines %llu-%llu",
		 (unsigned long long)first, (unsigned long long)last);
	if (!row_wastes_line(row, view))
		return;
	if (row->width_bits > 8 * (uint64_t)view.cacheline)
		add_note(printer, noted, "one line more than it needs");
	if (outer && !view_wastes_line((struct view){ view.cacheline, 0 },
				       row->offset_bits - outer->offset_bits, row->width_bits))
		add_note(printer, noted, "because of where %s starts", outer->field->name);
}

/* An embedded struct whose fields are not shown may still hold unused bytes. */
static void note_unused(struct layout_printer *printer, bool *noted, const struct type *type)
{
	auto_vec struct hole_vec holes = {};
	uint64_t unused;

	layout_holes(type, &holes, &unused);
	for (size_t i = 0; i < holes.nr; i++)
		unused += holes.items[i].size_bits;
	if (unused / 8)
		add_note(printer, noted, "%llu unused inside", (unsigned long long)unused / 8);
}

static void note_alignment(struct layout_printer *printer, bool *noted, const struct field *field)
{
	struct type natural;

	if (!field->align || !field->type)
		return;
	natural = *field->type;
	natural.align = 0;
	if (field->align > type_align(&natural, printer->set->source.arch))
		add_note(printer, noted, "aligned(%u)", field->align);
}

static const struct row *group_end(const struct layout_printer *printer, const struct row *begin)
{
	const struct row *end = printer->rows.items + printer->rows.nr;
	const char *name = field_group_begin(begin->field);

	for (const struct row *row = begin; row < end; row++) {
		const char *ended = row->field ? field_group_end(row->field) : NULL;

		if (ended && !strcmp(name, ended) && row->parent == begin->parent)
			return row;
	}
	return NULL;
}

static void note_group(struct layout_printer *printer, bool *noted, const struct row *row)
{
	struct view view = printer->options->view;
	const struct row *end;
	uint64_t first, last, size;

	if (!field_group_begin(row->field))
		return;
	end = group_end(printer, row);
	if (!end || end->offset_bits < row->offset_bits) {
		add_note(printer, noted, "never ends");
		return;
	}
	size = (end->offset_bits - row->offset_bits) / 8;
	first = view_line(view, row->offset_bits / 8);
	last = view_line(view, row->offset_bits / 8 + (size ? size - 1 : 0));
	add_note(printer, noted, "%llu byte%s", (unsigned long long)size, size == 1 ? "" : "s");
	if (last > first)
		add_note(printer, noted, "lines %llu-%llu", (unsigned long long)first,
			 (unsigned long long)last);
	else
		add_note(printer, noted, "line %llu", (unsigned long long)first);
}

/* Where a struct whose fields follow starts; of one on a single line the columns say it all. */
static void note_start(struct layout_printer *printer, bool *noted, const struct row *row)
{
	struct view view = printer->options->view;
	uint64_t offset = row->offset_bits / 8;

	if (field_is_transparent(row->field) ||
	    !view_straddles(view, row->offset_bits, row->width_bits))
		return;
	add_note(printer, noted, "starts at line %llu + %u",
		 (unsigned long long)view_line(view, offset), view_line_offset(view, offset));
	if (view_wastes_line(view, row->offset_bits, row->width_bits))
		add_note(printer, noted, "takes one line more than it needs");
}

static void print_notes(struct layout_printer *printer, const struct row *row)
{
	const struct type *type = row->field ? type_strip(row->field->type) : NULL;
	bool noted = false;

	if (!row->field || row->offset_bits == FIELD_OFFSET_UNKNOWN)
		return;
	if (row->kind == ROW_OPENED)
		note_start(printer, &noted, row);
	else
		note_lines(printer, &noted, row);
	if (row->kind == ROW_FIELD && type_is_aggregate(type))
		note_unused(printer, &noted, type);
	note_alignment(printer, &noted, row->field);
	note_group(printer, &noted, row);
}

static enum paint paint_of(const struct layout_printer *printer, const struct row *row)
{
	if (!row->field)
		return PAINT_UNUSED;
	if (is_group_marker(row->field))
		return PAINT_GROUP;
	return row_wastes_line(row, printer->options->view) ? PAINT_STRADDLE : PAINT_NONE;
}

static void print_name(struct layout_printer *printer, const struct row *row)
{
	size_t end = printer->text->length + 2 + printer->name_width;

	text_add(printer->text, "  ");
	if (printer->options->flat) {
		layout_add_path(printer, printer->text, row);
	} else {
		add_indent(printer, printer->text, row);
		add_name(printer->text, row);
	}
	if (!row->field || is_group_marker(row->field) || field_is_transparent(row->field))
		return;
	text_pad(printer->text, ' ', end);
	text_add(printer->text, "  ");
	type_print(printer->text, row->field->type, NULL);
}

void layout_print_row(struct layout_printer *printer, const struct row *row)
{
	enum paint paint = paint_of(printer, row);

	if (paint)
		layout_paint(printer, paint);
	text_add_char(printer->text, row_wastes_line(row, printer->options->view) ? '!' : ' ');
	print_offset(printer, row);
	print_line_offset(printer, row);
	print_size(printer, row);
	print_name(printer, row);
	print_notes(printer, row);
	if (paint)
		layout_paint(printer, PAINT_NONE);
	text_add_char(printer->text, '\n');
}

void layout_print_rest(struct layout_printer *printer, const struct row *row, uint64_t offset,
		       uint64_t size)
{
	struct row part = *row;
	enum paint paint = paint_of(printer, row);

	part.offset_bits = 8 * offset;
	part.width_bits = 8 * size;
	part.field = NULL;
	if (paint)
		layout_paint(printer, paint);
	text_add_char(printer->text, ' ');
	print_offset(printer, &part);
	print_line_offset(printer, &part);
	print_size(printer, &part);
	text_add(printer->text, "  ");
	add_indent(printer, printer->text, row);
	text_add(printer->text, "... ");
	add_name(printer->text, row);
	if (paint)
		layout_paint(printer, PAINT_NONE);
	text_add_char(printer->text, '\n');
}

/* How wide offsets, sizes and names are at most. */
void layout_measure(struct layout_printer *printer)
{
	const char *format = printer->options->hex ? "%#llx" : "%llu";
	uint64_t size = type_size(printer->type);
	auto_text struct text name = {};
	size_t width = NAME_WIDTH_MIN;

	printer->size_width = snprintf(NULL, 0, format, (unsigned long long)size);
	if (printer->size_width < SIZE_WIDTH_MIN)
		printer->size_width = SIZE_WIDTH_MIN;
	printer->offset_width = printer->size_width + 2; /* ":3" */
	for (size_t i = 0; i < printer->rows.nr; i++) {
		const struct row *row = &printer->rows.items[i];

		text_clear(&name);
		if (printer->options->flat) {
			layout_add_path(printer, &name, row);
		} else {
			add_indent(printer, &name, row);
			add_name(&name, row);
		}
		if (row->field && name.length > width)
			width = name.length;
	}
	printer->name_width = width < NAME_WIDTH_MAX ? width : NAME_WIDTH_MAX;
}
