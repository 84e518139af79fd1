/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/diff_json.h"

#include "base/json.h"
#include "report/layout_json.h"

static const char *const kind_names[] = { "added",   "removed", "renamed",   "moved", "resized",
					  "retyped", "bits",	"realigned", "inside" };

static void add_notes(struct json *json, const char *key, const struct typeset *set)
{
	json_open(json, key, '[');
	for (size_t i = 0; set->notes && set->notes[i]; i++)
		json_add_string(json, NULL, set->notes[i]);
	json_close(json, ']');
}

static void add_type(struct json *json, const char *key, const struct compared_type *type)
{
	if (!type->type) {
		json_add_null(json, key);
		return;
	}
	json_open(json, key, '{');
	json_add_number(json, "size", type->size);
	json_add_number(json, "align", type->align);
	json_add_number(json, "nr_holes", type->nr_holes);
	json_add_number(json, "hole_bits", type->hole_bits);
	json_add_number(json, "padding_bits", type->padding_bits);
	json_close(json, '}');
}

static void add_place(struct json *json, const struct compared_member *member)
{
	if (member->offset_bits == FIELD_OFFSET_UNKNOWN)
		json_add_null(json, "offset");
	else
		json_add_number(json, "offset", member->offset_bits / 8);
	layout_json_size(json, member->offset_bits, member->width_bits, member->is_sized);
	if (member->bit_size && member->offset_bits != FIELD_OFFSET_UNKNOWN) {
		json_add_number(json, "bit_offset", member->offset_bits);
		json_add_number(json, "bit_size", member->bit_size);
	} else {
		json_add_null(json, "bit_offset");
		json_add_null(json, "bit_size");
	}
}

static void add_member(struct json *json, const char *key, const struct compared_member *member)
{
	if (!member) {
		json_add_null(json, key);
		return;
	}
	json_open(json, key, '{');
	json_add_string(json, "path", member->path);
	json_add_string(json, "anonymous", member->anonymous);
	json_add_string(json, "type", member->type);
	add_place(json, member);
	layout_json_align(json, member->align, member->is_sized);
	json_close(json, '}');
}

static void add_change(struct json *json, const struct change *change)
{
	json_newline(json, 3);
	json_open(json, NULL, '{');
	json_open(json, "kinds", '[');
	for (size_t i = 0; i < array_size(kind_names); i++) {
		if (change->kinds & 1u << i)
			json_add_string(json, NULL, kind_names[i]);
	}
	json_close(json, ']');
	add_member(json, "old", change->before);
	add_member(json, "new", change->after);
	json_add_signed(json, "moved_bits", change->moved_bits);
	if (change->ripple >= 0)
		json_add_number(json, "ripple", (uint64_t)change->ripple);
	else
		json_add_null(json, "ripple");
	json_add_bool(json, "carried", change->carried);
	json_add_bool(json, "follows", change->follows);
	json_add_string(json, "renamed_for", change->renamed_for);
	json_close(json, '}');
}

static void add_ripple(struct json *json, const struct ripple *ripple)
{
	json_newline(json, 3);
	json_open(json, NULL, '{');
	json_add_signed(json, "moved_bits", ripple->moved_bits);
	json_add_string(json, "first", ripple->first);
	json_add_string(json, "last", ripple->last);
	json_add_number(json, "nr", ripple->nr);
	json_add_string(json, "cause", ripple->cause);
	json_add_bool(json, "follows", ripple->follows);
	json_close(json, '}');
}

static void add_finding(struct json *json, const struct finding *finding)
{
	json_newline(json, 3);
	json_open(json, NULL, '{');
	json_add_string(json, "rule", finding->rule->id);
	json_add_string(json, "severity", severity_name(finding->severity));
	json_add_string(json, "field", finding->field);
	json_add_string(json, "message", finding->message);
	json_add_string(json, "evidence", finding->evidence);
	json_add_string(json, "cause", finding->cause);
	json_close(json, '}');
}

static void add_index(struct json *json, const char *key, size_t index)
{
	if (index == COMPARISON_NONE)
		json_add_null(json, key);
	else
		json_add_number(json, key, index);
}

static void add_comparison(struct json *json, const struct comparison *comparison)
{
	json_newline(json, 1);
	json_open(json, NULL, '{');
	json_add_string(json, "name", comparison->name);
	json_add_string(json, "old_name", comparison->old_name);
	json_add_string(json, "status",
			!comparison->before.type ? "added" :
			!comparison->after.type	 ? "removed" :
						   "changed");
	json_add_string(json, "file", comparison->file);
	json_add_number(json, "line", comparison->line);
	add_index(json, "cause", comparison->cause);
	add_type(json, "old", &comparison->before);
	add_type(json, "new", &comparison->after);
	json_newline(json, 2);
	json_open(json, "embedded", '[');
	for (size_t i = 0; i < comparison->embedded.nr; i++) {
		json_open(json, NULL, '{');
		json_add_string(json, "path", comparison->embedded.items[i].path);
		json_add_number(json, "struct", comparison->embedded.items[i].comparison);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_newline(json, 2);
	json_open(json, "changes", '[');
	for (size_t i = 0; i < comparison->changes.nr; i++)
		add_change(json, &comparison->changes.items[i]);
	json_close(json, ']');
	json_newline(json, 2);
	json_open(json, "ripples", '[');
	for (size_t i = 0; i < comparison->ripples.nr; i++)
		add_ripple(json, &comparison->ripples.items[i]);
	json_close(json, ']');
	json_newline(json, 2);
	json_open(json, "findings", '[');
	for (size_t i = 0; i < comparison->findings.nr; i++)
		add_finding(json, &comparison->findings.items[i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void add_head(struct json *json, const struct diff_json_options *options)
{
	json_add_string(json, "schema", "fieldline.diff/1");
	json_newline(json, 0);
	json_add_source(json, "old", &options->old_set->source);
	json_newline(json, 0);
	json_add_source(json, "new", &options->new_set->source);
	json_newline(json, 0);
	json_open(json, "line_sizes", '[');
	for (size_t i = 0; i < options->nr_line_sizes; i++)
		json_add_number(json, NULL, options->line_sizes[i]);
	json_close(json, ']');
	json_add_number(json, "phase", options->phase);
	add_notes(json, "old_notes", options->old_set);
	add_notes(json, "new_notes", options->new_set);
	json_newline(json, 0);
}

void diff_json_print(struct text *text, const struct comparison_set *set,
		     const struct diff_json_options *options)
{
	struct json json = { .text = text };

	json_open(&json, NULL, '{');
	add_head(&json, options);
	json_add_number(&json, "nr_equal", set->nr_equal);
	json_open(&json, "structs", '[');
	for (size_t i = 0; i < set->comparisons.nr; i++)
		add_comparison(&json, &set->comparisons.items[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(text, '\n');
}
