/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/list_json.h"

#include "report/layout_json.h"

static void add_occurrences(struct json *json, const struct listing *listing,
			    const struct listed *listed)
{
	json_open(json, "contains", '[');
	for (size_t i = 0; i < listed->nr_occurrences; i++) {
		const struct occurrence *occurrence =
			&listing->occurrences.items[listed->first_occurrence + i];

		json_open(json, NULL, '{');
		json_add_string(json, "path", occurrence->path);
		if (occurrence->offset == FIELD_OFFSET_UNKNOWN) {
			json_add_null(json, "offset");
			json_add_null(json, "cacheline");
			json_add_null(json, "phase");
		} else {
			json_add_number(json, "offset", occurrence->offset);
			json_add_number(json, "cacheline",
					view_line(listing->view, occurrence->offset));
			json_add_number(json, "phase",
					view_line_offset(listing->view, occurrence->offset));
		}
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_struct(struct json *json, const struct listing *listing,
		       const struct listed *listed)
{
	const struct statistics *statistics = &listed->statistics;

	json_newline(json, 1);
	json_open(json, NULL, '{');
	layout_json_identity(json, listed->definition, listed->number, listed->nr_numbers);
	json_add_number(json, "size", statistics->size);
	json_add_number(json, "cachelines", statistics->nr_lines);
	json_add_number(json, "holes", statistics->nr_holes);
	json_add_number(json, "hole_bytes", statistics->hole_bytes);
	json_add_number(json, "bit_holes", statistics->nr_bit_holes);
	json_add_number(json, "bit_hole_bits", statistics->bit_hole_bits);
	json_add_number(json, "padding", statistics->padding);
	json_add_number(json, "bit_padding", statistics->bit_padding_bits);
	json_add_number(json, "straddles", statistics->nr_straddles);
	if (listing->contained)
		add_occurrences(json, listing, listed);
	json_close(json, '}');
}

void list_json_print(struct text *text, const struct typeset *set, const struct listing *listing)
{
	struct json json = { text, false };

	json_open(&json, NULL, '{');
	json_add_string(&json, "schema", "fieldline.list/1");
	layout_json_source(&json, set, listing->view);
	json_add_string(&json, "contains", listing->contained);
	json_newline(&json, 0);
	json_open(&json, "structs", '[');
	for (size_t i = 0; i < listing->structs.nr; i++)
		add_struct(&json, listing, &listing->structs.items[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(text, '\n');
}
