/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/relayout.h"

#include <inttypes.h>
#include <string.h>

#include "propose/declared_edit.h"
#include "propose/edit_find.h"

/* More room than anyone pads by, and far from overflowing a size in bits. */
#define MAX_BYTES (1u << 30)
#define MAX_ALIGN (1u << 16)
/* Deeper, twins of twins would take 2^depth edits: no kernel nests struct_group() so. */
#define MAX_TWIN_DEPTH 4

void relayout_init(struct relayout *relayout, const struct source *source)
{
	*relayout = (struct relayout){ .source = source };
}

void relayout_deinit(struct relayout *relayout)
{
	map_deinit(&relayout->explained);
	arena_deinit(&relayout->arena);
}

/* As gcc does, which states for a struct also what one of its members states. */
static bool states_alignment(const struct type *like, const struct declared *declared)
{
	bool states = like->align || declared->stated;

	for (size_t i = 0; i < declared->members.nr; i++)
		states |= declared->members.items[i].field.align != 0;
	return states;
}

static void set_fields(struct relayout *relayout, struct type *type,
		       const struct declared *declared)
{
	struct field *fields = arena_alloc(&relayout->arena, declared->members.nr, sizeof(*fields));

	type->nr_fields = 0;
	type->fields = fields;
	for (size_t i = 0; i < declared->members.nr; i++) {
		if (!declaration_is_unnamed(&declared->members.items[i]))
			fields[type->nr_fields++] = declared->members.items[i].field;
	}
}

const struct type *relayout_make(struct relayout *relayout, const struct type *like,
				 struct declared *declared, size_t nr_declared, const char *doubt)
{
	struct explanation *explanation = arena_alloc(&relayout->arena, 1, sizeof(*explanation));
	struct declared *kept = arena_alloc(&relayout->arena, nr_declared, sizeof(*kept));
	struct type *type = arena_copy(&relayout->arena, like, sizeof(*like));

	type->align = states_alignment(like, declared) ? declared->align : 0;
	type->size = declared->size;
	set_fields(relayout, type, declared);
	type->hash = 0; /* what like kept holds no longer; its members' alignment is known here */
	type_seal(type, NULL);
	type->known_align = declared->align;
	for (size_t i = 0; i < nr_declared; i++)
		kept[i] = declared_keep(&declared[i], &relayout->arena);
	*explanation = (struct explanation){ .declared = kept,
					     .nr_declared = nr_declared,
					     .doubt = doubt };
	map_add(&relayout->explained, (uintptr_t)type, NULL)->pointer = explanation;
	return type;
}

static const struct declaration *next_shown(const struct declared *declared, size_t *i)
{
	while (*i < declared->members.nr) {
		const struct declaration *member = &declared->members.items[(*i)++];

		if (!declaration_is_unnamed(member))
			return member;
	}
	return NULL;
}

/* The first member that lies elsewhere, or NULL. */
static const struct declaration *first_difference(const struct declared *a,
						  const struct declared *b)
{
	const struct declaration *left, *right;
	size_t i = 0, j = 0;

	while ((left = next_shown(a, &i)) && (right = next_shown(b, &j))) {
		if (left->field.offset_bits != right->field.offset_bits)
			return left;
	}
	return NULL;
}

/* Why the result is not certain if other may be the source as well as best; NULL = it is. */
static const char *find_doubt(struct relayout *relayout, const struct declared *best,
			      const struct declared *other)
{
	const struct declaration *member = first_difference(best, other);
	const char *what = "how unnamed bit-fields or alignments in it are declared";

	if (!member && best->size == other->size)
		return NULL;
	if (other->pack != best->pack)
		what = arena_printf(&relayout->arena, "whether it stands under #pragma pack(%u)",
				    other->pack ? other->pack : best->pack);
	else if (other->packed != best->packed)
		what = "whether it is packed";
	if (!member)
		return arena_printf(&relayout->arena,
				    "the size depends on %s, which its layout does not show", what);
	return arena_printf(&relayout->arena,
			    "the place of '%s' depends on %s, which its layout does not show",
			    member->field.name ? member->field.name : "(anonymous)", what);
}

/* A struct's declarations while they are edited: one for each supposed source. */
struct variants {
	struct declared *items;
	size_t nr;
};

static void variants_deinit(struct variants *variants)
{
	for (size_t i = 0; i < variants->nr; i++)
		vec_deinit(&variants->items[i].members);
	free(variants->items);
}

static const char *print_type(struct relayout *relayout, const struct type *type)
{
	const char *keyword = type->kind == TYPE_UNION ? "union" : "struct";

	return type->name ? arena_printf(&relayout->arena, "%s %s", keyword, type->name) :
			    arena_printf(&relayout->arena, "the anonymous %s", keyword);
}

static struct error *cannot_explain(struct relayout *relayout, const struct type *type)
{
	return error_create(ERROR_INPUT, "the layout of %s cannot be explained: %s",
			    print_type(relayout, type), relayout_explain(relayout, type)->refusal);
}

/* Adds what becomes of a supposed source. */
static struct error *edit_variant(struct relayout *relayout, const struct declared *before,
				  const struct found_edit *found, struct variants *variants,
				  const struct type **ret_split)
{
	struct declared *declared = &variants->items[variants->nr];
	struct error *err;

	*declared = declared_copy(before);
	err = declared_edit(relayout, found, declared, ret_split);
	if (err)
		vec_deinit(&declared->members);
	else
		variants->nr++;
	return err;
}

/* The same for another than the first; why = the doubt so far, and what is returned. */
static const char *edit_other(struct relayout *relayout, const struct declared *before,
			      const struct found_edit *found, struct variants *variants,
			      const char *why)
{
	const struct type *split;
	auto_error struct error *err = edit_variant(relayout, before, found, variants, &split);

	if (why)
		return why;
	return err ? arena_strdup(&relayout->arena, error_message(err)) :
		     find_doubt(relayout, &variants->items[0], &variants->items[variants->nr - 1]);
}

/* Edits a struct whose own members the edit names. */
static struct error *edit_here(struct relayout *relayout, const struct type *type,
			       const struct found_edit *found, struct edited *ret)
{
	const struct explanation *explanation = relayout_explain(relayout, type);
	struct variants variants __attribute__((cleanup(variants_deinit))) = {};
	const char *why = explanation->doubt;
	struct error *err;

	if (explanation->refusal)
		return cannot_explain(relayout, type);
	variants.items = memory_alloc(explanation->nr_declared, sizeof(*variants.items));
	err = edit_variant(relayout, &explanation->declared[0], found, &variants, &ret->split);
	if (err)
		return error_wrap(err, "%s", print_type(relayout, type));
	for (size_t i = 1; i < explanation->nr_declared; i++)
		why = edit_other(relayout, &explanation->declared[i], found, &variants, why);
	ret->type = relayout_make(relayout, type, variants.items, variants.nr, why);
	if (why)
		ret->doubt = why;
	return NULL;
}

static const struct type *retarget(struct relayout *relayout, const struct type *type,
				   const struct type *to)
{
	struct type *outer;

	if (type_is_aggregate(type))
		return to;
	outer = arena_copy(&relayout->arena, type, sizeof(*type));
	/* gcc repeats at typedefs and arrays what the struct states. */
	if (outer->align == declared_stated_by(type->target))
		outer->align = 0;
	outer->target = retarget(relayout, type->target, to);
	if (outer->kind == TYPE_ARRAY)
		outer->size = TYPE_SIZE_UNKNOWN; /* follows from the counts */
	return outer;
}

struct error *relayout_retype(struct relayout *relayout, const struct type *type, uint32_t at,
			      const struct type *to, struct edited *ret)
{
	const struct edit edit = { .kind = EDIT_RETYPE };
	const struct found_edit found = {
		.edit = &edit,
		.at = &at,
		.nr_at = 1,
		.type = retarget(relayout, type->fields[at].type, to),
	};

	return edit_here(relayout, type, &found, ret);
}

/*
 * struct_group() of include/linux/stddef.h declares members twice, in a union of an anonymous
 * struct and a named one: an edit of one is an edit of both.
 */
static bool is_twin(const struct type *type, uint32_t a, uint32_t b)
{
	const struct type *left = type_strip(type->fields[a].type);
	const struct type *right = type_strip(type->fields[b].type);

	if (type->kind != TYPE_UNION || !type_is_aggregate(right) || left->kind != right->kind ||
	    left->size != right->size || left->nr_fields != right->nr_fields)
		return false;
	for (uint32_t i = 0; i < left->nr_fields; i++) {
		const struct field *field = &left->fields[i], *other = &right->fields[i];

		if (!field->name || !other->name || strcmp(field->name, other->name) ||
		    field->offset_bits != other->offset_bits)
			return false;
	}
	return left->nr_fields > 0;
}

/* level leads from type to the anonymous struct that the edit is made in. */
static struct error *edit_level(struct relayout *relayout, const struct type *type,
				const struct field_path *level, uint32_t depth,
				const struct found_edit *found, struct edited *ret)
{
	const struct type *before = type;
	struct error *err = NULL;

	/* What is around an anonymous struct tells about it: that has to come first. */
	relayout_explain(relayout, type);
	if (depth == level->nr)
		return edit_here(relayout, type, found, ret);
	for (uint32_t i = 0; !err && i < before->nr_fields; i++) {
		if (i != level->at[depth] &&
		    (depth >= MAX_TWIN_DEPTH || !is_twin(before, level->at[depth], i)))
			continue;
		err = edit_level(relayout, type_strip(before->fields[i].type), level, depth + 1,
				 found, ret);
		if (!err)
			err = relayout_retype(relayout, type, i, ret->type, ret);
		type = ret->type;
	}
	return err;
}

static struct error *check_alignment(uint64_t align)
{
	if (align && !(align & (align - 1)) && align <= MAX_ALIGN)
		return NULL;
	return error_create(ERROR_INPUT,
			    "an alignment of %" PRIu64 " is not a power of two up to %u", align,
			    MAX_ALIGN);
}

static struct error *check_numbers(const struct edit *edit)
{
	const bool aligns = edit->kind == EDIT_ALIGN_MEMBER || edit->kind == EDIT_ALIGN_TYPE;
	struct error *err = edit->align || aligns ? check_alignment(edit->align) : NULL;

	if (!err && edit->end_align)
		err = check_alignment(edit->end_align);
	if (!err && (edit->bytes > MAX_BYTES || edit->round_to > MAX_BYTES))
		err = error_create(ERROR_INPUT, "more than %u bytes are asked for", MAX_BYTES);
	return err;
}

static struct error *check_edit(struct relayout *relayout, const struct type *type,
				const struct edit *edit)
{
	const struct type *held = edit->type ? declared_held(edit->type) : NULL;
	const bool names =
		edit->kind == EDIT_INSERT || edit->kind == EDIT_WRAP || edit->kind == EDIT_SPLIT;
	struct error *err = check_numbers(edit);

	if (!err && names && edit_finds(type, edit->name))
		err = error_create(ERROR_INPUT, "it has a member '%s' already", edit->name);
	/* Attributes behind an anonymous struct are its type's. */
	if (!err && edit->kind == EDIT_ALIGN_MEMBER && edit->outward)
		err = error_create(ERROR_INPUT, "the type of an anonymous struct can be aligned, "
						"not the member");
	if (!err && held && relayout_explain(relayout, held)->refusal)
		err = cannot_explain(relayout, held);
	return err;
}

struct error *relayout_edit(struct relayout *relayout, const struct type *type,
			    const struct edit *edits, size_t nr_edits, struct edited *ret)
{
	struct edited edited = { .type = type };
	struct error *err = NULL;

	for (size_t i = 0; !err && i < nr_edits; i++) {
		struct field_path level;
		struct found_edit found;

		err = check_edit(relayout, edited.type, &edits[i]);
		if (!err)
			err = edit_find(edited.type, &edits[i], &relayout->arena, &level, &found);
		if (!err)
			err = edit_level(relayout, edited.type, &level, 0, &found, &edited);
	}
	if (err)
		return error_wrap(err, "cannot edit %s", print_type(relayout, type));
	*ret = edited;
	return NULL;
}
