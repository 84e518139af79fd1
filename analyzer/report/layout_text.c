/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/layout_text.h"

#include <string.h>

#include "report/layout_printer.h"

static unsigned long long ull(uint64_t value)
{
	return value;
}

static const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static void print_title(struct layout_printer *printer, const struct definition *definition)
{
	const struct type *type = printer->type;
	struct text *text = printer->text;

	if (definition->typedef_name)
		text_printf(text, "%s = ", definition->typedef_name);
	text_printf(text, "%s %s: ", type_keyword(type->kind), type->name ? type->name : "{...}");
	layout_print_number(printer, 0, type_size(type));
	text_printf(text, " byte%s, alignment %u%s, ", plural(type_size(type)),
		    definition_align(definition, printer->set->source.arch),
		    type_is_packed(type, printer->set->source.arch) ? " (packed)" : "");
}

/* The lines of this view first, then the sizes everybody asks for. */
static void print_line_counts(struct layout_printer *printer)
{
	static const uint32_t others[] = { 64, 128 };
	uint64_t size = type_size(printer->type), nr;
	struct view view = printer->options->view;
	const char *separator = " (";

	nr = view_nr_lines(view, 0, size);
	text_printf(printer->text, "%llu line%s of %u", ull(nr), plural(nr), view.cacheline);
	for (size_t i = 0; i < array_size(others); i++) {
		struct view other = { others[i], view.phase % others[i] };

		if (others[i] == view.cacheline)
			continue;
		text_printf(printer->text, "%s%llu of %u", separator,
			    ull(view_nr_lines(other, 0, size)), others[i]);
		separator = ", ";
	}
	text_add(printer->text, ")\n");
}

static void print_origin(struct layout_printer *printer, const struct definition *definition)
{
	const struct layout_text_options *options = printer->options;
	const struct type *type = printer->type;
	struct text *text = printer->text;

	if (type->file)
		text_printf(text, "%s:%u", type->file, type->line);
	else
		text_printf(text, "in %s (%s)", printer->set->source.path,
			    printer->set->source.format);
	if (definition->nr_units)
		text_printf(text, ", in %u unit%s", definition->nr_units,
			    plural(definition->nr_units));
	if (options->nr_numbers > 1)
		text_printf(text, ", definition %zu of %zu", options->number, options->nr_numbers);
	if (options->view.phase)
		text_printf(text, ", the object starts at a line + %u", options->view.phase);
	text_add_char(text, '\n');
	for (size_t i = 0; printer->set->notes && printer->set->notes[i]; i++)
		text_printf(text, "note: %s\n", printer->set->notes[i]);
}

static void print_columns(struct layout_printer *printer)
{
	text_printf(printer->text, "\n %*s%s%s %*s  %-*s  %s\n", printer->offset_width, "offset",
		    printer->options->flat ? "  line" : "", " +line", printer->size_width, "size",
		    (int)printer->name_width, "field", "type");
}

/* Bits as bytes, and the rest of them. */
static void print_amount(struct layout_printer *printer, uint64_t bits)
{
	if (bits >= 8 || !bits)
		text_printf(printer->text, "%llu byte%s", ull(bits / 8), plural(bits / 8));
	if (bits >= 8 && bits % 8)
		text_add_char(printer->text, ' ');
	if (bits % 8)
		text_printf(printer->text, "%llu bit%s", ull(bits % 8), plural(bits % 8));
}

static void print_unused(struct layout_printer *printer)
{
	uint64_t nr_holes = 0, holes = 0, padding = 0, inside = 0;

	for (size_t i = 0; i < printer->rows.nr; i++) {
		const struct row *row = &printer->rows.items[i];

		if (row->kind != ROW_HOLE && row->kind != ROW_PADDING)
			continue;
		if (row_embedding(&printer->rows, row)) {
			inside += row->width_bits;
		} else if (row->kind == ROW_PADDING) {
			padding += row->width_bits;
		} else {
			nr_holes++;
			holes += row->width_bits;
		}
	}
	text_add(printer->text, "unused: ");
	if (nr_holes) {
		print_amount(printer, holes);
		text_printf(printer->text, " in %llu hole%s", ull(nr_holes), plural(nr_holes));
	} else {
		text_add(printer->text, "no holes");
	}
	if (padding) {
		text_add(printer->text, ", ");
		print_amount(printer, padding);
		text_add(printer->text, " of padding");
	} else {
		text_add(printer->text, ", no padding");
	}
	if (inside) {
		text_add(printer->text, "; inside the embedded structs ");
		print_amount(printer, inside);
	}
	text_add_char(printer->text, '\n');
}

static void print_straddling(struct layout_printer *printer)
{
	struct layout_list list = { .text = printer->text, .title = "straddling:" };
	auto_text struct text path = {};

	for (size_t i = 0; i < printer->rows.nr; i++) {
		const struct row *row = &printer->rows.items[i];

		if (!row_wastes_line(row, printer->options->view))
			continue;
		text_clear(&path);
		layout_add_path(printer, &path, row);
		layout_list_add(&list, text_chars(&path));
	}
	if (!layout_list_end(&list))
		text_add(printer->text, "straddling: nothing\n");
}

/* The embedded structs that matter are those larger than a line, opened above or not. */
static void print_phases(const struct layout_printer *printer)
{
	struct layout_text_options options = *printer->options;
	struct layout_printer large = *printer;

	options.expand = LAYOUT_EXPAND_LARGE;
	large.options = &options;
	large.rows = (struct row_vec){};
	layout_rows_list(printer->type, &options, &large.rows);
	layout_print_phases(&large);
	vec_deinit(&large.rows);
}

void layout_text_print(struct text *text, const struct typeset *set,
		       const struct definition *definition,
		       const struct layout_text_options *options)
{
	struct layout_printer printer = {
		.text = text,
		.set = set,
		.type = definition->type,
		.options = options,
	};
	bool complete;

	complete = layout_rows_list(definition->type, options, &printer.rows);
	layout_measure(&printer);
	layout_paint(&printer, PAINT_LINE);
	print_title(&printer, definition);
	layout_paint(&printer, PAINT_NONE);
	print_line_counts(&printer);
	print_origin(&printer, definition);
	if (!complete)
		text_printf(text,
			    "note: it has more fields than are shown; --expand=DEPTH opens fewer "
			    "structs\n");
	if (printer.rows.nr)
		print_columns(&printer);
	if (options->flat) {
		layout_print_flat(&printer);
	} else if (printer.rows.nr) {
		layout_print_lines(&printer);
		text_add_char(text, '\n');
		print_unused(&printer);
		print_straddling(&printer);
		print_phases(&printer);
	}
	vec_deinit(&printer.rows);
}
