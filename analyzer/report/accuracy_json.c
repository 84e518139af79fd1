/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/accuracy_json.h"

#include "model/field_path.h"

static void add_share(struct json *json, const char *key, const struct share *share)
{
	json_open(json, key, '{');
	json_add_number(json, "instructions", share->nr);
	json_add_number(json, "accesses", share->weight);
	json_close(json, '}');
}

static void add_row(struct json *json, const char *key, const struct accuracy_row *row)
{
	json_open(json, key, '{');
	for (unsigned int i = 0; i < NR_AGREEMENTS; i++)
		add_share(json, agreement_word((enum agreement)i), &row->shares[i]);
	json_close(json, '}');
}

static void add_rows(struct json *json, const char *key, const struct accuracy_row_vec *rows)
{
	json_newline(json, 1);
	json_open(json, key, '{');
	for (size_t i = 0; i < rows->nr; i++) {
		json_newline(json, 2);
		add_row(json, rows->items[i].word, &rows->items[i]);
	}
	json_close(json, '}');
}

static void add_place(struct json *json, const char *key, const struct type *type, uint64_t offset,
		      uint32_t size)
{
	auto_text struct text name = {}, field = {};

	if (type)
		type_print(&name, type, NULL);
	if (type && type_is_aggregate(type_strip(type)))
		field_path_print(&field, type, offset, size);
	json_open(json, key, '{');
	json_add_string(json, "type", type ? text_chars(&name) : NULL);
	json_add_number(json, "offset", offset);
	json_add_string(json, "field", field.length ? text_chars(&field) : NULL);
	json_close(json, '}');
}

static void add_error(struct json *json, const struct accuracy_error *error)
{
	const struct truth *truth = &error->truth;

	json_newline(json, 2);
	json_open(json, NULL, '{');
	json_add_number(json, "ip", error->ip);
	json_add_string(json, "function", error->function);
	json_add_string(json, "agreement", agreement_word(error->agreement));
	json_add_bool(json, "inferred", truth->is_inferred);
	json_add_string(json, "rule", error->rule);
	json_add_string(json, "confidence", access_confidence_name(error->confidence));
	json_add_string(json, "reason",
			error->reason ? access_unresolved_word(error->reason) : NULL);
	json_add_number(json, "accesses", error->nr);
	json_add_number(json, "size", truth->size);
	json_add_string(json, "owner", truth->owner);
	add_place(json, "said", error->type, error->offset, truth->size);
	add_place(json, "is", truth->type, truth->offset, truth->size);
	json_close(json, '}');
}

void accuracy_json_print(struct json *json, const struct source *source,
			 const struct accuracy *accuracy)
{
	json_open(json, NULL, '{');
	json_add_string(json, "schema", "fieldline.accuracy/1");
	json_add_string(json, "file", source->path);
	json_add_string(json, "build_id", source->build_id);
	add_share(json, "total", &accuracy->total);
	add_share(json, "by_stack_pointer", &accuracy->by_stack);
	add_share(json, "second_operands", &accuracy->other);
	add_share(json, "repeated", &accuracy->repeated);
	add_share(json, "other_sizes", &accuracy->size);
	add_rows(json, "confidence", &accuracy->confidences);
	add_rows(json, "rules", &accuracy->rules);
	add_rows(json, "memory", &accuracy->kinds);
	add_rows(json, "inferred", &accuracy->weak);
	json_newline(json, 1);
	add_row(json, "patched", &accuracy->patched);
	json_newline(json, 1);
	json_open(json, "reasons", '{');
	for (size_t i = 0; i < accuracy->reasons.nr; i++)
		add_share(json, accuracy->reasons.items[i].word, &accuracy->reasons.items[i].share);
	json_close(json, '}');
	json_newline(json, 1);
	json_open(json, "errors", '[');
	for (size_t i = 0; i < accuracy->errors.nr; i++)
		add_error(json, &accuracy->errors.items[i]);
	json_close(json, ']');
	json_close(json, '}');
	text_add_char(json->text, '\n');
}
