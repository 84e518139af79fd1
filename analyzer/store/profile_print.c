/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/field_path.h"
#include "store/profile.h"
#include "store/profile_keys.h"
#include "store/snapshot.h"

#define AT(base, key, kind) (*(const kind *)((const char *)(base) + (key)->offset))

static void add_record(struct json *json, const struct profile_key *keys, const void *base);

static void add_number(struct json *json, const char *key, uint64_t value)
{
	if (value)
		json_add_number(json, key, value);
}

static void add_string(struct json *json, const char *key, const char *value)
{
	if (value && *value)
		json_add_string(json, key, value);
}

static void add_address(struct json *json, const char *key, uint64_t value)
{
	auto_text struct text text = {};

	if (!value)
		return;
	text_printf(&text, "%#llx", (unsigned long long)value);
	json_add_string(json, key, text_chars(&text));
}

static void add_cpus(struct json *json, const char *key, const struct cpu_set *cpus)
{
	auto_text struct text text = {};

	cpu_set_print(&text, cpus);
	add_string(json, key, text_chars(&text));
}

static void add_basis(struct json *json, const char *key, unsigned int basis)
{
	auto_text struct text text = {};

	access_basis_print(&text, basis, "+");
	add_string(json, key, text_chars(&text));
}

static void add_counts(struct json *json, const char *key, const struct profile_counts *counts)
{
	json_open(json, key, '{');
	add_record(json, profile_counts_keys, counts);
	json_close(json, '}');
}

static void add_value(struct json *json, const struct profile_key *key, const void *base)
{
	switch (key->kind) {
	case KEY_NUMBER:
		add_number(json, key->name, AT(base, key, uint64_t));
		break;
	case KEY_NUMBER32:
		add_number(json, key->name, AT(base, key, uint32_t));
		break;
	case KEY_INDEX:
		if (AT(base, key, uint32_t) != PROFILE_NONE)
			json_add_number(json, key->name, AT(base, key, uint32_t));
		break;
	case KEY_PLACE:
		json_add_number(json, key->name, AT(base, key, uint64_t));
		break;
	case KEY_BOOL:
		if (AT(base, key, bool))
			json_add_bool(json, key->name, true);
		break;
	case KEY_STRING:
		add_string(json, key->name, AT(base, key, char *));
		break;
	case KEY_ADDRESS:
		add_address(json, key->name, AT(base, key, uint64_t));
		break;
	case KEY_WINDOW:
		if (AT(base, key, uint64_t) == UINT64_MAX)
			json_add_null(json, key->name);
		else
			json_add_number(json, key->name, AT(base, key, uint64_t));
		break;
	case KEY_CPUS:
		add_cpus(json, key->name, &AT(base, key, struct cpu_set));
		break;
	case KEY_COUNTS:
		add_counts(json, key->name, &AT(base, key, struct profile_counts));
		break;
	case KEY_BASIS:
		add_basis(json, key->name, AT(base, key, uint8_t));
		break;
	case KEY_CONFIDENCE:
		json_add_string(json, key->name,
				access_confidence_name(AT(base, key, enum access_confidence)));
		break;
	case KEY_VERDICT:
		json_add_string(json, key->name, verdict_word(AT(base, key, enum verdict)));
		break;
	case KEY_CERTAINTY:
		json_add_string(json, key->name, certainty_word(AT(base, key, enum certainty)));
		break;
	case KEY_OTHER:
		break;
	}
}

static void add_record(struct json *json, const struct profile_key *keys, const void *base)
{
	for (; keys->name; keys++)
		add_value(json, keys, base);
}

static void add_field(struct json *json, const char *key, const struct profile_type *type,
		      uint64_t offset, uint64_t size)
{
	auto_text struct text path = {};

	if (type->type)
		field_path_print(&path, type->type, offset, size);
	add_string(json, key, text_chars(&path));
}

/* Each item of a list has a line of its own: two profiles can be compared as text. */
static void open_item(struct json *json, unsigned int depth)
{
	json_newline(json, depth);
	json_open(json, NULL, '{');
}

static void print_phases(struct json *json, const struct profile *profile,
			 const struct profile_type *type)
{
	json_open(json, "phases", '[');
	for (uint32_t i = 0; i < type->nr_phases; i++) {
		open_item(json, 3);
		add_record(json, profile_phase_keys, &profile->phases.items[type->first_phase + i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_pairs(struct json *json, const struct profile *profile,
			const struct profile_line *line)
{
	json_open(json, "pairs", '[');
	for (uint32_t i = 0; i < line->nr_pairs; i++) {
		open_item(json, 4);
		add_record(json, profile_pair_keys, &profile->pairs.items[line->first_pair + i]);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_lines(struct json *json, const struct profile *profile,
			const struct profile_type *type)
{
	json_open(json, "lines", '[');
	for (uint32_t i = 0; i < type->nr_lines; i++) {
		const struct profile_line *line = &profile->lines.items[type->first_line + i];

		open_item(json, 3);
		add_record(json, profile_line_keys, line);
		print_pairs(json, profile, line);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_cuts(struct json *json, const struct profile *profile,
		       const struct profile_type *type)
{
	json_open(json, "cuts", '[');
	for (uint32_t i = 0; i < type->nr_cuts; i++) {
		const struct profile_cut *cut = &profile->cuts.items[type->first_cut + i];

		open_item(json, 3);
		add_record(json, profile_cut_keys, cut);
		add_field(json, "first_field", type, cut->first_offset, cut->first_size);
		add_field(json, "second_field", type, cut->second_offset, cut->second_size);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_places(struct json *json, const struct profile *profile,
			 const struct profile_type *type)
{
	json_open(json, "places", '[');
	for (uint32_t i = 0; i < type->nr_places; i++) {
		const struct profile_place *place = &profile->places.items[type->first_place + i];

		open_item(json, 3);
		add_record(json, profile_place_keys, place);
		add_field(json, "field", type, place->offset, place->size);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void print_types(struct json *json, const struct profile *profile)
{
	json_open(json, "types", '[');
	for (size_t i = 0; i < profile->types.nr; i++) {
		const struct profile_type *type = &profile->types.items[i];

		open_item(json, 1);
		add_record(json, profile_type_keys, type);
		if (type->type)
			json_add_bool(json, "has_layout", true);
		print_phases(json, profile, type);
		print_lines(json, profile, type);
		print_cuts(json, profile, type);
		print_places(json, profile, type);
		json_close(json, '}');
	}
	json_close(json, ']');
}

#define PRINT_LIST(json, key, list, keys)                           \
	do {                                                        \
		json_open(json, key, '[');                          \
		for (size_t _i = 0; _i < (list)->nr; _i++) {        \
			open_item(json, 1);                         \
			add_record(json, keys, &(list)->items[_i]); \
			json_close(json, '}');                      \
		}                                                   \
		json_close(json, ']');                              \
	} while (0)

static void print_totals(struct json *json, const struct profile_totals *totals)
{
	json_open(json, "totals", '{');
	add_record(json, profile_totals_keys, totals);
	json_open(json, "resolved_by", '{');
	for (unsigned int i = 1; i < array_size(totals->nr_by_basis); i++) {
		auto_text struct text text = {};

		access_basis_print(&text, i, "+");
		add_number(json, text_chars(&text), totals->nr_by_basis[i]);
	}
	json_close(json, '}');
	json_open(json, "resolved_with_confidence", '{');
	for (unsigned int i = CONFIDENCE_LOW; i <= CONFIDENCE_HIGH; i++)
		add_number(json, access_confidence_name(i), totals->nr_by_confidence[i]);
	json_close(json, '}');
	json_open(json, "unresolved", '{');
	for (unsigned int i = ACCESS_RESOLVED + 1; i < ACCESS_NR_REASONS; i++)
		add_number(json, access_unresolved_word(i), totals->nr_unresolved[i]);
	json_close(json, '}');
	json_close(json, '}');
}

static void print_slices(struct json *json, const struct profile *profile)
{
	json_open(json, "slices", '[');
	for (unsigned int i = 0; i < PROFILE_NR_SLICES; i++)
		add_counts(json, NULL, &profile->slices[i]);
	json_close(json, ']');
}

/* A snapshot of its own, as the value of a key. Without a struct there is nothing to keep. */
static void print_layouts(struct json *json, const struct profile *profile)
{
	auto_text struct text snapshot = {};

	if (!profile->set.definitions.nr)
		return;
	snapshot_print(&snapshot, &profile->set, ".");
	text_add(json->text, ",\n\"layouts\":");
	text_add_bytes(json->text, snapshot.chars, snapshot.length - 1);
}

void profile_print(struct text *text, const struct profile *profile,
		   void (*add_stats)(void *context, struct json *json), void *context)
{
	struct json json = { .text = text };

	json_open(&json, NULL, '{');
	json_add_string(&json, "schema", PROFILE_SCHEMA);
	json_add_number(&json, "cacheline", profile->cacheline);
	json_newline(&json, 0);
	print_totals(&json, &profile->totals);
	json_newline(&json, 0);
	json_open(&json, "limits", '[');
	for (size_t i = 0; i < profile->limits.nr; i++)
		json_add_string(&json, NULL, profile->limits.items[i]);
	json_close(&json, ']');
	if (add_stats) {
		json_newline(&json, 0);
		add_stats(context, &json);
	}
	json_newline(&json, 0);
	print_types(&json, profile);
	json_newline(&json, 0);
	PRINT_LIST(&json, "objects", &profile->objects, profile_object_keys);
	json_newline(&json, 0);
	PRINT_LIST(&json, "addresses", &profile->addresses, profile_address_keys);
	json_newline(&json, 0);
	PRINT_LIST(&json, "cpus", &profile->cpus, profile_cpu_keys);
	json_newline(&json, 0);
	print_slices(&json, profile);
	print_layouts(&json, profile);
	json_close(&json, '}');
	text_add_char(text, '\n');
}
