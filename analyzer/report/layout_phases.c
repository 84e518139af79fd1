/* SPDX-License-Identifier: GPL-2.0-only */
/* Where embedded structs start, and what that does to the lines of their fields. */
#include "report/layout_printer.h"

enum effect {
	EFFECT_NONE,
	EFFECT_STRADDLES, /* it would not if the struct started on a boundary */
	EFFECT_SAVED,	  /* it would straddle there */
};

static enum effect effect_on(const struct layout_printer *printer, const struct row *outer,
			     const struct row *row)
{
	struct view here = printer->options->view, aligned = { here.cacheline, 0 };
	bool wastes, would_waste;

	if (!row->field || !row->field->name || row_embedding(&printer->rows, row) != outer)
		return EFFECT_NONE;
	wastes = view_wastes_line(here, row->offset_bits, row->width_bits);
	would_waste =
		view_wastes_line(aligned, row->offset_bits - outer->offset_bits, row->width_bits);
	if (wastes == would_waste)
		return EFFECT_NONE;
	return wastes ? EFFECT_STRADDLES : EFFECT_SAVED;
}

static bool print_effects(const struct layout_printer *printer, struct text *text, size_t at,
			  enum effect effect, const char *title)
{
	const struct row_vec *rows = &printer->rows;
	const struct row *outer = &rows->items[at];
	struct layout_list list = { .text = text, .title = title };
	auto_text struct text item = {};

	for (at++; at < rows->nr && rows->items[at].depth > outer->depth; at++) {
		const struct row *row = &rows->items[at];

		if (effect_on(printer, outer, row) != effect)
			continue;
		text_clear(&item);
		text_printf(&item, printer->options->hex ? "%s (at %#llx)" : "%s (at %llu)",
			    row->field->name,
			    (unsigned long long)(row->offset_bits - outer->offset_bits) / 8);
		layout_list_add(&list, text_chars(&item));
	}
	return layout_list_end(&list);
}

/* What lies deeper is only worth a line if its place changes something. */
static void print_phase(struct layout_printer *printer, size_t at, bool *header)
{
	const struct row *row = &printer->rows.items[at];
	struct view view = printer->options->view;
	uint64_t offset = row->offset_bits / 8;
	auto_text struct text effects = {};
	bool any;

	any = print_effects(printer, &effects, at, EFFECT_STRADDLES, "    straddle because of it:");
	any |= print_effects(printer, &effects, at, EFFECT_SAVED,
			     "    would straddle on a boundary:");
	if (row->depth && !any)
		return;
	if (!*header)
		text_add(printer->text, "embedded structs that start inside a line:\n");
	*header = true;
	text_add(printer->text, "  ");
	layout_add_path(printer, printer->text, row);
	text_add(printer->text, " at ");
	layout_print_number(printer, 0, offset);
	text_printf(printer->text, " = line %llu + %u\n%s",
		    (unsigned long long)view_line(view, offset), view_line_offset(view, offset),
		    text_chars(&effects));
}

void layout_print_phases(struct layout_printer *printer)
{
	bool header = false;

	for (size_t i = 0; i < printer->rows.nr; i++) {
		const struct row *row = &printer->rows.items[i];

		if (row->kind == ROW_OPENED && !field_is_transparent(row->field) &&
		    view_line_offset(printer->options->view, row->offset_bits / 8))
			print_phase(printer, i, &header);
	}
}
