/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/resolution_json.h"

#include "base/text.h"
#include "model/field_path.h"

static void add_source(struct json *json, const char *schema, const struct source *source)
{
	json_open(json, NULL, '{');
	json_add_string(json, "schema", schema);
	json_add_string(json, "file", source->path);
	json_add_string(json, "build_id", source->build_id);
}

void resolution_json_begin(struct json *json, const struct source *source)
{
	add_source(json, "fieldline.resolve/1", source);
	json_open(json, "instructions", '[');
}

void resolution_json_end(struct json *json)
{
	json_close(json, ']');
	json_close(json, '}');
	text_add_char(json->text, '\n');
}

static void add_access(struct json *json, const struct access *access)
{
	auto_text struct text type = {}, field = {}, basis = {};

	if (access->type) {
		type_print(&type, access->type, NULL);
		if (type_is_aggregate(type_strip(access->type)))
			field_path_print(&field, access->type, access->offset, access->size);
		access_basis_print(&basis, access->basis, "+");
	}
	json_add_string(json, "type", access->type ? text_chars(&type) : NULL);
	json_add_number(json, "offset", access->offset);
	json_add_string(json, "field", field.length ? text_chars(&field) : NULL);
	json_add_number(json, "size", access->size);
	json_add_bool(json, "load", access->is_load);
	json_add_bool(json, "store", access->is_store);
	json_add_bool(json, "locked", access->is_locked);
	json_add_string(json, "basis", access->type ? text_chars(&basis) : NULL);
	json_add_string(json, "confidence", access_confidence_name(access->confidence));
	json_add_string(json, "unresolved",
			access->unresolved == ACCESS_RESOLVED ?
				NULL :
				access_unresolved_word(access->unresolved));
}

void resolution_json_add(struct json *json, const struct resolution *resolution)
{
	json_newline(json, 1);
	json_open(json, NULL, '{');
	json_add_number(json, "ip", resolution->ip);
	json_add_string(json, "place", resolution->place);
	json_add_string(json, "instruction", resolution->insn);
	json_add_string(json, "address", resolution->class);
	add_access(json, &resolution->access);
	json_add_string(json, "rule", resolution->rule);
	json_add_bool(json, "patched", resolution->is_patched);
	json_open(json, "steps", '[');
	for (size_t i = 0; i < resolution->steps.nr; i++) {
		const struct resolution_step *step = &resolution->steps.items[i];

		json_newline(json, 2);
		json_open(json, NULL, '{');
		json_add_string(json, "place", step->place);
		json_add_string(json, "instruction", step->insn);
		json_add_string(json, "text", step->text);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void add_share(struct json *json, const char *key, const struct coverage *coverage,
		      const struct share *share)
{
	json_open(json, key, '{');
	json_add_number(json, "instructions", share->nr);
	if (coverage->weighed)
		json_add_number(json, "weight", share->weight);
	json_close(json, '}');
}

static void add_rows(struct json *json, const char *key, const struct coverage *coverage,
		     const struct coverage_row_vec *rows)
{
	json_newline(json, 1);
	json_open(json, key, '{');
	for (size_t i = 0; i < rows->nr; i++) {
		json_newline(json, 2);
		add_share(json, rows->items[i].word, coverage, &rows->items[i].share);
	}
	json_close(json, '}');
}

void coverage_json_print(struct json *json, const struct source *source,
			 const struct coverage *coverage)
{
	add_source(json, "fieldline.coverage/1", source);
	json_newline(json, 1);
	add_share(json, "total", coverage, &coverage->total);
	add_share(json, "typed", coverage, &coverage->typed);
	add_share(json, "fields", coverage, &coverage->fields);
	add_rows(json, "reasons", coverage, &coverage->reasons);
	add_rows(json, "rules", coverage, &coverage->rules);
	add_rows(json, "confidence", coverage, &coverage->confidences);
	add_rows(json, "address", coverage, &coverage->classes);
	json_close(json, '}');
	text_add_char(json->text, '\n');
}
