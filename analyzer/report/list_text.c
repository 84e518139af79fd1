/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/list_text.h"

static unsigned long long ull(uint64_t value)
{
	return value;
}

static void print_name(struct text *text, const struct listed *listed)
{
	const struct type *type = listed->definition->type;
	const char *typedef_name = listed->definition->typedef_name;

	text_printf(text, "%s%s%s", typedef_name ? "" : type_keyword(type->kind),
		    typedef_name ? "" : " ", definition_name(listed->definition));
	if (listed->nr_numbers > 1)
		text_printf(text, " (%zu of %zu)", listed->number, listed->nr_numbers);
}

static void print_struct(struct text *text, const struct listed *listed)
{
	const struct statistics *statistics = &listed->statistics;

	text_printf(text, "%8llu %6llu %6u %6llu %8llu %9u  ", ull(statistics->size),
		    ull(statistics->nr_lines), statistics->nr_holes + statistics->nr_bit_holes,
		    ull(statistics->hole_bytes), ull(statistics->padding),
		    statistics->nr_straddles);
	print_name(text, listed);
	text_add_char(text, '\n');
}

static void print_occurrence(struct text *text, const struct listing *listing,
			     const struct listed *listed, const struct occurrence *occurrence)
{
	uint64_t offset = occurrence->offset;

	if (offset == FIELD_OFFSET_UNKNOWN)
		text_printf(text, "%8s %6s %6s  ", "?", "?", "?");
	else
		text_printf(text, "%8llu %6llu %6u  ", ull(offset),
			    ull(view_line(listing->view, offset)),
			    view_line_offset(listing->view, offset));
	print_name(text, listed);
	text_printf(text, ": %s\n", occurrence->path);
}

static void print_occurrences(struct text *text, const struct listing *listing)
{
	text_printf(text, "%8s %6s %6s  %s\n", "offset", "line", "phase", "struct: field");
	for (size_t i = 0; i < listing->structs.nr; i++) {
		const struct listed *listed = &listing->structs.items[i];
		const struct occurrence *first =
			&listing->occurrences.items[listed->first_occurrence];

		for (size_t j = 0; j < listed->nr_occurrences; j++)
			print_occurrence(text, listing, listed, first + j);
	}
}

void list_text_print(struct text *text, const struct typeset *set, const struct listing *listing)
{
	for (size_t i = 0; set->notes && set->notes[i]; i++)
		text_printf(text, "note: %s\n", set->notes[i]);
	if (listing->contained) {
		print_occurrences(text, listing);
		return;
	}
	text_printf(text, "%8s %6s %6s %6s %8s %9s  %s\n", "size", "lines", "holes", "bytes",
		    "padding", "straddles", "name");
	for (size_t i = 0; i < listing->structs.nr; i++)
		print_struct(text, &listing->structs.items[i]);
}
