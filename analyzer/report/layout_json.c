/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/layout_json.h"

static void add_notes(struct json *json, const struct typeset *set)
{
	json_open(json, "notes", '[');
	for (size_t i = 0; set->notes && set->notes[i]; i++)
		json_add_string(json, NULL, set->notes[i]);
	json_close(json, ']');
}

void json_add_source(struct json *json, const char *key, const struct source *source)
{
	json_open(json, key, '{');
	json_add_string(json, "path", source->path);
	json_add_string(json, "kind", source->kind);
	json_add_string(json, "format", source->format);
	json_add_string(json, "build_id", source->build_id);
	json_add_string(json, "arch", source->arch->name);
	json_add_string(json, "endian", source->big_endian ? "big" : "little");
	json_add_number(json, "pointer_size", source->pointer_size);
	json_add_number(json, "cacheline", source->arch->cacheline);
	json_close(json, '}');
}

void layout_json_source(struct json *json, const struct typeset *set, struct view view)
{
	json_newline(json, 0);
	json_add_source(json, "source", &set->source);
	json_newline(json, 0);
	json_open(json, "view", '{');
	json_add_number(json, "cacheline", view.cacheline);
	json_add_number(json, "phase", view.phase);
	json_close(json, '}');
	json_newline(json, 0);
	add_notes(json, set);
	json_newline(json, 0);
}

void layout_json_begin(struct json *json, const struct typeset *set, struct view view)
{
	json_open(json, NULL, '{');
	json_add_string(json, "schema", "fieldline.layout/1");
	layout_json_source(json, set, view);
	json_open(json, "structs", '[');
}

static void add_bit_hole(struct json *json, const struct hole *hole)
{
	if (!hole->size_bits)
		return;
	json_open(json, NULL, '{');
	json_add_number(json, "bit_offset", hole->offset_bits);
	json_add_number(json, "bit_size", hole->size_bits);
	json_close(json, '}');
}

static void add_holes(struct json *json, const struct type *type)
{
	auto_vec struct hole_vec holes = {};
	struct hole before, bytes, behind;
	uint64_t padding_bits;

	layout_holes(type, &holes, &padding_bits);
	json_open(json, "holes", '[');
	for (size_t i = 0; i < holes.nr; i++) {
		hole_split(&holes.items[i], &before, &bytes, &behind);
		if (!bytes.size_bits)
			continue;
		json_open(json, NULL, '{');
		json_add_number(json, "offset", bytes.offset_bits / 8);
		json_add_number(json, "size", bytes.size_bits / 8);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_open(json, "bit_holes", '[');
	for (size_t i = 0; i < holes.nr; i++) {
		hole_split(&holes.items[i], &before, &bytes, &behind);
		add_bit_hole(json, &before);
		add_bit_hole(json, &behind);
	}
	json_close(json, ']');
	json_add_number(json, "padding", padding_bits / 8);
	json_add_number(json, "bit_padding", padding_bits % 8);
}

static const char *const field_kinds[] = {
	[FIELD_MEMBER] = "member",
	[FIELD_BASE] = "base",
	[FIELD_VIRTUAL_BASE] = "virtual_base",
	[FIELD_VARIANTS] = "variants",
};

void layout_json_size(struct json *json, uint64_t offset_bits, uint64_t width_bits, bool is_sized)
{
	uint64_t start = offset_bits == FIELD_OFFSET_UNKNOWN ? 0 : offset_bits;

	if (is_sized)
		json_add_number(json, "size", (start + width_bits + 7) / 8 - start / 8);
	else
		json_add_null(json, "size");
}

void layout_json_align(struct json *json, uint32_t align, bool is_sized)
{
	if (is_sized)
		json_add_number(json, "align", align);
	else
		json_add_null(json, "align");
}

static void add_place(struct json *json, const struct placed *placed, struct view view)
{
	const bool is_sized = field_is_sized(placed->field);
	uint64_t offset = placed->offset_bits / 8;

	if (placed->offset_bits == FIELD_OFFSET_UNKNOWN) {
		json_add_null(json, "offset");
		layout_json_size(json, placed->offset_bits, placed->width_bits, is_sized);
		json_add_null(json, "bit_offset");
		json_add_null(json, "bit_size");
		json_add_null(json, "cacheline");
		json_add_bool(json, "straddles", false);
		return;
	}
	json_add_number(json, "offset", offset);
	layout_json_size(json, placed->offset_bits, placed->width_bits, is_sized);
	if (placed->field->size_bits) {
		json_add_number(json, "bit_offset", placed->offset_bits);
		json_add_number(json, "bit_size", placed->width_bits);
	} else {
		json_add_null(json, "bit_offset");
		json_add_null(json, "bit_size");
	}
	json_add_number(json, "cacheline", view_line(view, offset));
	json_add_bool(json, "straddles",
		      view_straddles(view, placed->offset_bits, placed->width_bits));
}

static void add_member(struct json *json, const struct typeset *set, const struct placed *placed,
		       struct view view, struct text *type)
{
	text_clear(type);
	type_print(type, placed->field->type, NULL);
	json_newline(json, 2 + placed->depth);
	json_open(json, NULL, '{');
	json_add_string(json, "name", placed->field->name);
	json_add_string(json, "kind", field_kinds[placed->field->kind]);
	json_add_string(json, "type", text_chars(type));
	add_place(json, placed, view);
	layout_json_align(json, field_align(placed->field, set->source.arch),
			  field_is_sized(placed->field));
}

static void add_members(struct json *json, const struct typeset *set, const struct type *type,
			struct view view)
{
	auto_vec struct placed_vec fields = {};
	auto_text struct text printed = {};

	json_add_bool(json, "truncated", !layout_flatten(type, UINT32_MAX, &fields));
	json_open(json, "members", '[');
	for (size_t i = 0; i < fields.nr; i++) {
		const struct placed *placed = &fields.items[i];
		uint32_t next = i + 1 < fields.nr ? fields.items[i + 1].depth : 0;

		add_member(json, set, placed, view, &printed);
		if (placed->has_inside) {
			json_open(json, "members", '[');
			/* Where the list was cut, what is inside the last one is missing. */
			if (next > placed->depth)
				continue;
			json_close(json, ']');
		}
		json_close(json, '}');
		for (uint32_t depth = placed->depth; depth > next; depth--) {
			json_close(json, ']');
			json_close(json, '}');
		}
	}
	json_close(json, ']');
}

void layout_json_identity(struct json *json, const struct definition *definition, size_t number,
			  size_t nr_numbers)
{
	const struct type *type = definition->type;

	json_add_string(json, "name", type->name);
	json_add_string(json, "typedef", definition->typedef_name);
	json_add_string(json, "kind", type_keyword(type->kind));
	json_add_string(json, "file", type->file);
	if (type->line)
		json_add_number(json, "line", type->line);
	else
		json_add_null(json, "line");
	json_add_number(json, "units", definition->nr_units);
	json_add_number(json, "definition", number);
	json_add_number(json, "definitions", nr_numbers);
}

void layout_json_add(struct json *json, const struct typeset *set,
		     const struct definition *definition, struct view view, size_t number,
		     size_t nr_numbers)
{
	const struct type *type = definition->type;

	json_newline(json, 1);
	json_open(json, NULL, '{');
	layout_json_identity(json, definition, number, nr_numbers);
	json_add_number(json, "size", type_size(type));
	json_add_number(json, "align", definition_align(definition, set->source.arch));
	json_add_bool(json, "packed", type_is_packed(type, set->source.arch));
	json_add_number(json, "cachelines", view_nr_lines(view, 0, type_size(type)));
	add_holes(json, type);
	add_members(json, set, type, view);
	json_close(json, '}');
}

void layout_json_end(struct json *json)
{
	json_close(json, ']');
	json_close(json, '}');
	text_add_char(json->text, '\n');
}
