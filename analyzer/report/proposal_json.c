/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/proposal_json.h"

#include "report/layout_json.h"

static void add_strings(struct json *json, const char *key, const char *const *strings, size_t nr)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < nr; i++)
		json_add_string(json, NULL, strings[i]);
	json_close(json, ']');
}

void proposal_json_figures(struct json *json, const char *key, const struct figures *figures)
{
	json_open(json, key, '{');
	json_add_number(json, "size", figures->size);
	json_add_number(json, "align", figures->align);
	json_add_number(json, "slab_object", figures->slab_object);
	json_add_number(json, "slab_objects", figures->slab_nr);
	json_add_number(json, "kmalloc", figures->kmalloc);
	json_add_number(json, "hot_lines", figures->used_lines);
	json_add_number(json, "hot_line_pairs", figures->used_pairs);
	json_add_number(json, "hot_lines_least", figures->least_lines);
	json_add_number(json, "modelled_transfers", figures->transfers);
	json_close(json, '}');
}

void proposal_json_troubles(struct json *json, const char *key, const struct trouble_vec *troubles)
{
	json_open(json, key, '[');
	for (size_t i = 0; i < troubles->nr; i++) {
		const struct trouble *trouble = &troubles->items[i];

		json_open(json, NULL, '{');
		json_add_string(json, "kind", trouble_words[trouble->kind]);
		json_add_string(json, "field", trouble->path);
		json_add_string(json, "other", trouble->other);
		json_add_string(json, "message", trouble->message);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_number_unless_0(struct json *json, const char *key, uint64_t value)
{
	if (value)
		json_add_number(json, key, value);
}

static void add_string_unless_null(struct json *json, const char *key, const char *value)
{
	if (value)
		json_add_string(json, key, value);
}

/* Only what the kind of edit takes. */
static void add_edit(struct json *json, const struct edit *edit)
{
	json_open(json, NULL, '{');
	json_add_string(json, "kind", edit_words[edit->kind]);
	add_string_unless_null(json, "member", edit->member);
	add_number_unless_0(json, "outward", edit->outward);
	add_string_unless_null(json, "anchor", edit->anchor);
	if (edit->kind == EDIT_INSERT || edit->kind == EDIT_MOVE)
		json_add_string(json, "side", edit->side == EDIT_AFTER ? "after" : "before");
	add_string_unless_null(json, "name", edit->name);
	add_string_unless_null(json, "type_name", edit->type_name);
	add_number_unless_0(json, "bytes", edit->bytes);
	add_number_unless_0(json, "round_to", edit->round_to);
	add_number_unless_0(json, "align", edit->align);
	add_number_unless_0(json, "end_align", edit->end_align);
	if (edit->nr_members)
		add_strings(json, "members", edit->members, edit->nr_members);
	json_close(json, '}');
}

static void add_member(struct json *json, const struct placed *placed)
{
	const struct field *field = placed->field;
	auto_text struct text type = {};

	json_open(json, NULL, '{');
	json_add_string(json, "name", field->name);
	if (field_is_transparent(field)) {
		json_add_string(json, "anonymous", type_keyword(type_strip(field->type)->kind));
	} else {
		type_print(&type, field->type, NULL);
		json_add_string(json, "type", text_chars(&type));
	}
	json_add_number(json, "depth", placed->depth);
	add_number_unless_0(json, "line", field->line);
	json_add_number(json, "offset_bits", placed->offset_bits);
	json_add_number(json, "width_bits", placed->width_bits);
	if (field->size_bits)
		json_add_bool(json, "bit_field", true);
	json_close(json, '}');
}

/* Where every field of the struct itself is, those of anonymous ones in it included. */
static void add_layout(struct json *json, const char *key, const struct type *type, uint32_t align)
{
	auto_vec struct placed_vec placed = {};

	layout_flatten(type, 0, &placed);
	json_open(json, key, '{');
	json_add_number(json, "size", type->size);
	json_add_number(json, "align", align);
	json_open(json, "members", '[');
	for (size_t i = 0; i < placed.nr; i++)
		add_member(json, &placed.items[i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void add_outers(struct json *json, const struct moved_outer_vec *outers)
{
	json_open(json, "holders", '[');
	for (size_t i = 0; i < outers->nr; i++) {
		const struct moved_outer *outer = &outers->items[i];

		json_open(json, NULL, '{');
		json_add_string(json, "name", outer->name);
		json_add_number(json, "size_before", outer->size_before);
		if (outer->refusal)
			json_add_null(json, "size_after");
		else
			json_add_number(json, "size_after", outer->size_after);
		json_add_string(json, "unknown", outer->refusal);
		proposal_json_troubles(json, "cured", &outer->gone);
		proposal_json_troubles(json, "brought", &outer->new);
		if (outer->after)
			add_layout(json, "prediction", outer->after, outer->align_after);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_cautions(struct json *json, const struct caution_vec *cautions)
{
	json_open(json, "cautions", '[');
	for (size_t i = 0; i < cautions->nr; i++) {
		json_open(json, NULL, '{');
		json_add_string(json, "kind", caution_words[cautions->items[i].kind]);
		json_add_bool(json, "forbids", cautions->items[i].forbids);
		json_add_string(json, "message", cautions->items[i].message);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void add_proposal(struct json *json, const struct proposal *proposal, bool forbidden)
{
	json_newline(json, 1);
	json_open(json, NULL, '{');
	json_add_string(json, "title", proposal->title);
	json_add_bool(json, "forbidden", forbidden);
	json_add_string(json, "change", proposal->change);
	json_open(json, "edits", '[');
	for (size_t i = 0; i < proposal->nr_edits; i++)
		add_edit(json, &proposal->edits[i]);
	json_close(json, ']');
	proposal_json_figures(json, "figures", &proposal->figures);
	proposal_json_troubles(json, "cured", &proposal->gone);
	proposal_json_troubles(json, "brought", &proposal->new);
	add_strings(json, "straddles_won", proposal->straddles_won.items,
		    proposal->straddles_won.nr);
	add_strings(json, "straddles_lost", proposal->straddles_lost.items,
		    proposal->straddles_lost.nr);
	add_strings(json, "pair_straddles_won", proposal->pair_straddles_won.items,
		    proposal->pair_straddles_won.nr);
	add_strings(json, "pair_straddles_lost", proposal->pair_straddles_lost.items,
		    proposal->pair_straddles_lost.nr);
	add_strings(json, "parted", proposal->parted.items, proposal->parted.nr);
	add_strings(json, "joined", proposal->joined.items, proposal->joined.nr);
	add_outers(json, &proposal->outers);
	add_cautions(json, &proposal->cautions);
	add_layout(json, "prediction", proposal->after, proposal->figures.align);
	json_close(json, '}');
}

static const char *const constraint_words[] = {
	[CONSTRAINT_ASSERTION] = "assertion", [CONSTRAINT_CAST] = "cast",
	[CONSTRAINT_CONTAINER] = "container", [CONSTRAINT_RANGE] = "range",
	[CONSTRAINT_COMMENT] = "comment",     [CONSTRAINT_SHUFFLED] = "shuffled",
};

static void add_constraints(struct json *json, const struct constraints *constraints)
{
	json_open(json, "constraints", '[');
	for (size_t i = 0; constraints && i < constraints->found.nr; i++) {
		const struct constraint *constraint = &constraints->found.items[i];

		json_open(json, NULL, '{');
		json_add_string(json, "kind", constraint_words[constraint->kind]);
		json_add_string(json, "member", constraint->member);
		json_add_string(json, "file", constraint->file);
		json_add_number(json, "line", constraint->line);
		json_add_string(json, "text", constraint->text);
		json_add_number(json, "more", constraint->nr_more);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void proposals_json_print(struct text *text, const struct typeset *set,
			  const struct proposals *proposals)
{
	struct json json = { text, false };

	json_open(&json, NULL, '{');
	json_add_string(&json, "schema", "fieldline.proposal/1");
	layout_json_source(&json, set, proposals->view);
	json_newline(&json, 0);
	json_open(&json, "struct", '{');
	layout_json_identity(&json, proposals->definition, 1, 1);
	add_layout(&json, "layout", proposals->definition->type, proposals->figures.align);
	proposal_json_figures(&json, "figures", &proposals->figures);
	json_add_string(&json, "assumption", proposals->assumption);
	proposal_json_troubles(&json, "troubles", &proposals->troubles);
	add_constraints(&json, proposals->constraints);
	json_close(&json, '}');
	json_newline(&json, 0);
	json_open(&json, "proposals", '[');
	for (size_t i = 0; i < proposals->made.nr; i++)
		add_proposal(&json, &proposals->made.items[i], false);
	for (size_t i = 0; i < proposals->forbidden.nr; i++)
		add_proposal(&json, &proposals->forbidden.items[i], true);
	json_close(&json, ']');
	json_add_number(&json, "useless", proposals->nr_useless);
	json_close(&json, '}');
	text_add_char(text, '\n');
}

static void add_shared(struct json *json, const struct sweep_row *row)
{
	if (!row->shared_before) {
		json_add_null(json, "shared");
		return;
	}
	json_open(json, "shared", '{');
	json_add_number(json, "line", row->shared_line);
	json_add_number(json, "bytes_before", row->shared_before);
	json_add_number(json, "bytes_after", row->shared_after);
	json_close(json, '}');
}

static void add_cuts(struct json *json, const struct line_cut_vec *cuts)
{
	json_open(json, "straddling", '[');
	for (size_t i = 0; i < cuts->nr; i++) {
		json_open(json, NULL, '{');
		json_add_string(json, "field", cuts->items[i].path);
		json_add_string(json, "left", cuts->items[i].left);
		json_add_string(json, "right", cuts->items[i].right);
		json_add_bool(json, "cut", cuts->items[i].certain);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void sweep_json_print(struct text *text, const struct typeset *set, const struct sweep *sweep)
{
	struct json json = { text, false };

	json_open(&json, NULL, '{');
	json_add_string(&json, "schema", "fieldline.sweep/1");
	layout_json_source(&json, set, sweep->view);
	json_newline(&json, 0);
	json_open(&json, "struct", '{');
	layout_json_identity(&json, sweep->definition, 1, 1);
	json_close(&json, '}');
	json_add_string(&json, "padded", sweep->member);
	json_add_string(&json, "next", sweep->next);
	json_newline(&json, 0);
	json_open(&json, "rows", '[');
	for (size_t i = 0; i < sweep->rows.nr; i++) {
		const struct sweep_row *row = &sweep->rows.items[i];

		json_newline(&json, 1);
		json_open(&json, NULL, '{');
		json_add_number(&json, "pad", row->bytes);
		json_add_number(&json, "phase", row->phase);
		add_shared(&json, row);
		proposal_json_figures(&json, "figures", &row->figures);
		proposal_json_troubles(&json, "troubles", &row->troubles);
		add_cuts(&json, &row->cuts);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	text_add_char(text, '\n');
}
