/* SPDX-License-Identifier: GPL-2.0-only */
#include "store/proposal.h"

#include <string.h>

#include "store/json_reader.h"
#include "store/proposal_layout.h"

/* An object being read, and where it stands in the file. */
struct reading {
	struct json_reader *reader;
	const json_t *object;
	const char *place;
};

typedef void read_item_fn(struct reading *reading, void *context);

/* Keys that are not asked for are left alone: report/ may tell more than we need. */
static const json_t *value_of(struct reading *reading, const char *key)
{
	const json_t *value = json_object_get(reading->object, key);

	if (!value && !reading->reader->err)
		json_reader_fail(reading->reader, reading->place, "lacks the key '%s'", key);
	return value;
}

static const char *place_of(struct reading *reading, const char *key)
{
	return arena_printf(reading->reader->arena, "%s%s%s", reading->place,
			    *reading->place ? "." : "", key);
}

static struct reading inside(struct reading *reading, const char *key)
{
	struct reading ret = { reading->reader, value_of(reading, key), place_of(reading, key) };

	if (!reading->reader->err && !json_is_object(ret.object))
		json_reader_fail(reading->reader, ret.place, "wants an object");
	return ret;
}

static uint64_t number_of(struct reading *reading, const char *key, uint64_t most)
{
	const json_t *value = value_of(reading, key);

	return value ? json_read_number(reading->reader, value, place_of(reading, key), 0, most) :
		       0;
}

/* 0 where it is missing. */
static uint64_t maybe_number_of(struct reading *reading, const char *key, uint64_t most)
{
	return json_object_get(reading->object, key) ? number_of(reading, key, most) : 0;
}

static const char *string_of(struct reading *reading, const char *key)
{
	const json_t *value = value_of(reading, key);

	return value ? json_read_string(reading->reader, value, place_of(reading, key)) : "";
}

/* NULL where it is missing or null. */
static const char *maybe_string_of(struct reading *reading, const char *key)
{
	const json_t *value = json_object_get(reading->object, key);

	return value && !json_is_null(value) ? string_of(reading, key) : NULL;
}

static bool bool_of(struct reading *reading, const char *key)
{
	const json_t *value = value_of(reading, key);

	return value && json_read_bool(reading->reader, value, place_of(reading, key));
}

/* The index of the string among words. */
static unsigned int word_of(struct reading *reading, const char *key, const char *const *words)
{
	const char *word = string_of(reading, key);

	for (unsigned int i = 0; words[i]; i++) {
		if (!strcmp(words[i], word))
			return i;
	}
	if (!reading->reader->err)
		json_reader_fail(reading->reader, place_of(reading, key), "'%s' is unknown", word);
	return 0;
}

static void each_of(struct reading *reading, const char *key, read_item_fn *read, void *context)
{
	const json_t *array = value_of(reading, key);

	if (!reading->reader->err && !json_is_array(array))
		json_reader_fail(reading->reader, place_of(reading, key), "wants an array");
	for (size_t i = 0; i < json_array_size(array) && !reading->reader->err; i++) {
		struct reading item = { reading->reader, json_array_get(array, i),
					arena_printf(reading->reader->arena, "%s[%zu]",
						     place_of(reading, key), i) };

		read(&item, context);
	}
}

static void read_string(struct reading *reading, void *context)
{
	struct string_vec *ret = context;

	*vec_add(ret) = json_read_string(reading->reader, reading->object, reading->place);
}

static void read_trouble(struct reading *reading, void *context)
{
	struct trouble_vec *ret = context;

	*vec_add(ret) = (struct trouble){
		.kind = word_of(reading, "kind", trouble_words),
		.path = maybe_string_of(reading, "field"),
		.other = maybe_string_of(reading, "other"),
		.message = string_of(reading, "message"),
	};
}

static void read_caution(struct reading *reading, void *context)
{
	struct caution_vec *ret = context;

	*vec_add(ret) = (struct caution){
		.kind = word_of(reading, "kind", caution_words),
		.forbids = bool_of(reading, "forbids"),
		.message = string_of(reading, "message"),
	};
}

static struct figures read_figures(struct reading *of)
{
	struct reading reading = inside(of, "figures");

	return (struct figures){
		.size = number_of(&reading, "size", UINT64_MAX),
		.align = (uint32_t)number_of(&reading, "align", UINT32_MAX),
		.slab_object = number_of(&reading, "slab_object", UINT64_MAX),
		.slab_nr = number_of(&reading, "slab_objects", UINT64_MAX),
		.kmalloc = number_of(&reading, "kmalloc", UINT64_MAX),
		.used_lines = number_of(&reading, "hot_lines", UINT64_MAX),
		.used_pairs = number_of(&reading, "hot_line_pairs", UINT64_MAX),
		.least_lines = number_of(&reading, "hot_lines_least", UINT64_MAX),
	};
}

static void read_layout_member(struct reading *reading, void *context)
{
	struct proposal_layout *layout = context;
	const char *anonymous = maybe_string_of(reading, "anonymous");
	struct layout_member member = {
		.depth = (uint32_t)number_of(reading, "depth", UINT32_MAX),
		.name = maybe_string_of(reading, "name"),
		.type = anonymous ? NULL : string_of(reading, "type"),
		.is_union = anonymous && !strcmp(anonymous, "union"),
		.line = (uint32_t)maybe_number_of(reading, "line", UINT32_MAX),
		.offset_bits = number_of(reading, "offset_bits", UINT64_MAX),
		.width_bits = number_of(reading, "width_bits", UINT64_MAX),
		.is_bits = json_is_true(json_object_get(reading->object, "bit_field")),
	};

	if (reading->reader->err)
		return;
	if (!proposal_layout_add(layout, &member))
		json_reader_fail(reading->reader, reading->place,
				 "a depth of %u does not follow from what stands before it",
				 member.depth);
}

/* A struct of that layout, named as like. */
static const struct type *read_layout(struct reading *of, const char *key, struct type like)
{
	struct reading reading = inside(of, key);
	struct proposal_layout layout __attribute__((cleanup(proposal_layout_deinit))) = {};

	like.size = number_of(&reading, "size", UINT64_MAX);
	each_of(&reading, "members", read_layout_member, &layout);
	return of->reader->err ? NULL : proposal_layout_make(&layout, like, of->reader->arena);
}

static void read_outer(struct reading *reading, void *context)
{
	struct moved_outer_vec *ret = context;
	struct moved_outer outer = {
		.name = string_of(reading, "name"),
		.size_before = number_of(reading, "size_before", UINT64_MAX),
		.refusal = maybe_string_of(reading, "unknown"),
	};

	if (!outer.refusal) {
		struct type_query query = type_query_parse(outer.name);

		outer.after = read_layout(reading, "prediction",
					  (struct type){ .kind = query.kind, .name = query.name });
		outer.size_after = number_of(reading, "size_after", UINT64_MAX);
	}
	*vec_add(ret) = outer;
	each_of(reading, "cured", read_trouble, &ret->items[ret->nr - 1].gone);
	each_of(reading, "brought", read_trouble, &ret->items[ret->nr - 1].new);
}

/* Names become part of source code. */
static bool is_identifier(const char *name)
{
	static const char chars[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz_";

	return name && *name && !strchr("0123456789", *name) && strspn(name, chars) == strlen(name);
}

static void check_name(struct reading *reading, const char *key, const char *name, bool wanted)
{
	if (!reading->reader->err && (wanted || name) && !is_identifier(name))
		json_reader_fail(reading->reader, place_of(reading, key),
				 "wants the name of a "
				 "member");
}

static void check_edit(struct reading *reading, const struct edit *edit)
{
	const bool lists =
		edit->kind == EDIT_ORDER || edit->kind == EDIT_GROUP || edit->kind == EDIT_SPLIT;
	const bool whole = edit->kind == EDIT_ALIGN_TYPE && !edit->outward;

	check_name(reading, "member", edit->member, !lists && !whole);
	check_name(reading, "anchor", edit->anchor, edit->kind == EDIT_MOVE);
	check_name(reading, "name", edit->name,
		   edit->kind == EDIT_INSERT || edit->kind == EDIT_WRAP ||
			   edit->kind == EDIT_GROUP);
	for (size_t i = 0; i < edit->nr_members; i++)
		check_name(reading, "members", edit->members[i], true);
	if (!reading->reader->err && lists && !edit->nr_members)
		json_reader_fail(reading->reader, reading->place, "lists no members");
	if (!reading->reader->err &&
	    ((edit->align & (edit->align - 1)) || (edit->end_align & (edit->end_align - 1))))
		json_reader_fail(reading->reader, reading->place,
				 "an alignment is no power of two");
}

static void read_edit(struct reading *reading, void *context)
{
	struct edit_vec *ret = context;
	const char *side = maybe_string_of(reading, "side");
	struct string_vec members = {};
	struct edit edit = {
		.kind = word_of(reading, "kind", edit_words),
		.member = maybe_string_of(reading, "member"),
		.outward = (uint32_t)maybe_number_of(reading, "outward", UINT32_MAX),
		.anchor = maybe_string_of(reading, "anchor"),
		.side = side && !strcmp(side, "after") ? EDIT_AFTER : EDIT_BEFORE,
		.name = maybe_string_of(reading, "name"),
		.type_name = maybe_string_of(reading, "type_name"),
		.bytes = maybe_number_of(reading, "bytes", UINT64_MAX),
		.round_to = maybe_number_of(reading, "round_to", UINT64_MAX),
		.align = (uint32_t)maybe_number_of(reading, "align", UINT32_MAX),
		.end_align = (uint32_t)maybe_number_of(reading, "end_align", UINT32_MAX),
	};

	if (json_object_get(reading->object, "members"))
		each_of(reading, "members", read_string, &members);
	edit.members = arena_copy(reading->reader->arena, members.items,
				  members.nr * sizeof(*members.items));
	edit.nr_members = members.nr;
	vec_deinit(&members);
	check_edit(reading, &edit);
	*vec_add(ret) = edit;
}

static void read_proposal(struct reading *reading, void *context)
{
	struct saved_proposals *saved = context;
	bool forbidden = bool_of(reading, "forbidden");
	struct proposal_vec *list =
		forbidden ? &saved->proposals.forbidden : &saved->proposals.made;
	auto_vec struct edit_vec edits = {};
	struct proposal *proposal = vec_add(list);

	*proposal = (struct proposal){
		.title = string_of(reading, "title"),
		.change = string_of(reading, "change"),
		.figures = read_figures(reading),
		.after = read_layout(reading, "prediction", *saved->definition.type),
	};
	each_of(reading, "edits", read_edit, &edits);
	proposal->edits =
		arena_copy(reading->reader->arena, edits.items, edits.nr * sizeof(*edits.items));
	proposal->nr_edits = edits.nr;
	each_of(reading, "cured", read_trouble, &proposal->gone);
	each_of(reading, "brought", read_trouble, &proposal->new);
	each_of(reading, "straddles_won", read_string, &proposal->straddles_won);
	each_of(reading, "straddles_lost", read_string, &proposal->straddles_lost);
	each_of(reading, "pair_straddles_won", read_string, &proposal->pair_straddles_won);
	each_of(reading, "pair_straddles_lost", read_string, &proposal->pair_straddles_lost);
	each_of(reading, "parted", read_string, &proposal->parted);
	each_of(reading, "joined", read_string, &proposal->joined);
	each_of(reading, "holders", read_outer, &proposal->outers);
	each_of(reading, "cautions", read_caution, &proposal->cautions);
}

static void read_source(struct reading *document, struct source *source)
{
	struct reading reading = inside(document, "source");

	source->path = string_of(&reading, "path");
	source->kind = string_of(&reading, "kind");
	source->format = string_of(&reading, "format");
	source->build_id = maybe_string_of(&reading, "build_id");
	source->arch = arch_by_name(string_of(&reading, "arch"));
	source->big_endian = !strcmp(string_of(&reading, "endian"), "big");
	source->pointer_size = (uint32_t)number_of(&reading, "pointer_size", 16);
}

static void read_struct(struct reading *document, struct saved_proposals *saved)
{
	static const char *const kinds[] = { "struct", "union", "class", NULL };
	static const enum type_kind types[] = { TYPE_STRUCT, TYPE_UNION, TYPE_CLASS };
	struct reading reading = inside(document, "struct");
	struct type like = {
		.kind = types[word_of(&reading, "kind", kinds)],
		.name = maybe_string_of(&reading, "name"),
		.file = maybe_string_of(&reading, "file"),
		.line = json_is_integer(json_object_get(reading.object, "line")) ?
				(uint32_t)number_of(&reading, "line", UINT32_MAX) :
				0,
	};

	saved->definition = (struct definition){
		.type = read_layout(&reading, "layout", like),
		.typedef_name = maybe_string_of(&reading, "typedef"),
		.nr_units = (uint32_t)number_of(&reading, "units", UINT32_MAX),
	};
	saved->proposals.figures = read_figures(&reading);
	saved->proposals.assumption = string_of(&reading, "assumption");
	each_of(&reading, "troubles", read_trouble, &saved->proposals.troubles);
}

static void read_document(struct reading *document, struct saved_proposals *saved)
{
	struct reading view;

	json_read_schema(document->reader, value_of(document, "schema"), "schema", "proposal", 1);
	read_source(document, &saved->source);
	view = inside(document, "view");
	saved->proposals.view.cacheline = (uint32_t)number_of(&view, "cacheline", UINT32_MAX);
	saved->proposals.view.phase = (uint32_t)number_of(&view, "phase", UINT32_MAX);
	read_struct(document, saved);
	if (!document->reader->err)
		each_of(document, "proposals", read_proposal, saved);
}

struct error *proposals_read(const char *path, struct saved_proposals *ret)
{
	struct saved_proposals saved = {};
	struct json_reader reader = { .arena = &saved.proposals.arena };
	auto_json json_t *json = NULL;
	struct error *err = json_load(path, &json);
	struct reading document = { &reader, json, "" };

	if (err)
		return err;
	read_document(&document, &saved);
	if (reader.err) {
		saved_proposals_deinit(&saved);
		return error_wrap(reader.err, "'%s'", path);
	}
	*ret = saved;
	ret->proposals.definition = &ret->definition;
	return NULL;
}

void saved_proposals_deinit(struct saved_proposals *saved)
{
	proposals_deinit(&saved->proposals);
}
