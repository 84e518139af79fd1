/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/declared_edit.h"

#include <inttypes.h>
#include <string.h>

/* The index among all members of the at-th that debug information shows. */
static size_t member_index(const struct declared *declared, uint32_t at)
{
	size_t i = 0;

	for (;; i++) {
		if (!declaration_is_unnamed(&declared->members.items[i]) && !at--)
			return i;
	}
}

static void insert_member(struct declaration_vec *members, size_t at,
			  const struct declaration *member)
{
	vec_add(members);
	memmove(&members->items[at + 1], &members->items[at],
		(members->nr - 1 - at) * sizeof(*members->items));
	members->items[at] = *member;
}

static struct declaration take_member(struct declaration_vec *members, size_t at)
{
	struct declaration taken = members->items[at];

	members->nr--;
	memmove(&members->items[at], &members->items[at + 1],
		(members->nr - at) * sizeof(*members->items));
	return taken;
}

static const struct type *char_array(struct relayout *relayout, uint64_t bytes)
{
	static const struct type character = { .kind = TYPE_BASE, .name = "char", .size = 1 };
	struct type *array = arena_alloc(&relayout->arena, 1, sizeof(*array));

	array->kind = TYPE_ARRAY;
	array->target = &character;
	array->size = TYPE_SIZE_UNKNOWN; /* follows from the count */
	array->nr_counts = 1;
	array->counts = arena_copy(&relayout->arena, &bytes, sizeof(bytes));
	return array;
}

static struct declaration new_member(struct relayout *relayout, const struct declared *declared,
				     const char *name, const struct type *type, uint32_t align)
{
	return (struct declaration){
		.field = { .kind = FIELD_MEMBER, .name = name, .type = type, .align = align },
		.natural = relayout_align(relayout, type),
		.stated = align,
		.packed = declared->packed,
	};
}

static void edit_insert(struct relayout *relayout, const struct found_edit *found,
			struct declared *declared)
{
	const struct edit *edit = found->edit;
	const struct type *type = edit->type ? edit->type : char_array(relayout, edit->bytes);
	struct declaration member = new_member(relayout, declared, edit->name, type, edit->align);
	size_t at = member_index(declared, found->at[0]);

	insert_member(&declared->members, at + (edit->side == EDIT_AFTER), &member);
}

static uint64_t wrapped_bytes(const struct edit *edit, const struct declaration *member)
{
	uint64_t size = type_size(member->field.type);

	return edit->round_to ? (size + edit->round_to - 1) / edit->round_to * edit->round_to :
				edit->bytes;
}

/* The member keeps its attributes inside of the union, which has none. */
static struct error *edit_wrap(struct relayout *relayout, const struct found_edit *found,
			       struct declared *declared)
{
	struct declaration *member = &declared->members.items[member_index(declared, found->at[0])];
	struct declared wrapped = { .is_union = true, .pack = declared->pack };
	const struct type *array, *type;

	if (member->is_bits || field_is_flexible(&member->field))
		return error_create(ERROR_INPUT, "'%s' cannot stand in a union: it is a %s",
				    found->edit->member,
				    member->is_bits ? "bit-field" : "flexible array");
	array = char_array(relayout, wrapped_bytes(found->edit, member));
	*vec_add(&wrapped.members) = *member;
	wrapped.members.items[0].packed = member->packed && !declared->packed;
	*vec_add(&wrapped.members) = new_member(relayout, &wrapped, found->edit->name, array, 0);
	declared_place(&wrapped);
	type = relayout_make(relayout, &(struct type){ .kind = TYPE_UNION }, &wrapped, 1, NULL);
	*member = new_member(relayout, declared, NULL, type, 0);
	return NULL;
}

static struct error *edit_align(const struct found_edit *found, struct declared *declared)
{
	struct declaration *member = &declared->members.items[member_index(declared, found->at[0])];
	const uint32_t align = found->edit->align;

	/*
	 * Under a pragma that allows less gcc aligns it that far, clang not at all; with less than
	 * its type's alignment clang lets it straddle its unit.
	 */
	if (member->is_bits && !member->packed &&
	    (declared->pack ? declared->pack < align : align < member->natural))
		return error_create(ERROR_INPUT,
				    "compilers differ on where a bit-field goes that is aligned to "
				    "%" PRIu32,
				    align);
	member->stated = align;
	member->field.align = align;
	return NULL;
}

static void edit_move(const struct found_edit *found, struct declared *declared)
{
	size_t from = member_index(declared, found->at[0]);
	size_t to = member_index(declared, found->anchor_at) + (found->edit->side == EDIT_AFTER);
	struct declaration moved = take_member(&declared->members, from);

	insert_member(&declared->members, to > from ? to - 1 : to, &moved);
}

static void edit_retype(struct relayout *relayout, const struct found_edit *found,
			struct declared *declared)
{
	struct declaration *member = &declared->members.items[member_index(declared, found->at[0])];

	if (!member->stated)
		member->field.align = declared_stated_by(found->type);
	member->field.type = found->type;
	member->natural = relayout_align(relayout, found->type);
}

/* Members taken out of a struct, and what comes in at the place of the first. */
struct gathered {
	struct declaration_vec out;
	struct declaration_vec in;
};

static void gathered_deinit(struct gathered *gathered)
{
	vec_deinit(&gathered->out);
	vec_deinit(&gathered->in);
}

static void gather(struct gathered *gathered, const struct found_edit *found,
		   const struct declared *declared)
{
	for (size_t i = 0; i < found->nr_at; i++)
		*vec_add(&gathered->out) =
			declared->members.items[member_index(declared, found->at[i])];
}

static void replace_gathered(struct gathered *gathered, const struct found_edit *found,
			     struct declared *declared)
{
	struct declaration_vec members = {};
	uint32_t at = 0;

	for (size_t i = 0; i < declared->members.nr; i++) {
		const struct declaration *member = &declared->members.items[i];
		bool is_first, is_out = false;

		if (declaration_is_unnamed(member)) {
			*vec_add(&members) = *member;
			continue;
		}
		is_first = at == found->at[0];
		for (size_t j = 0; j < found->nr_at; j++)
			is_out |= at == found->at[j];
		at++;
		for (size_t j = 0; is_first && j < gathered->in.nr; j++)
			*vec_add(&members) = gathered->in.items[j];
		if (!is_out)
			*vec_add(&members) = *member;
	}
	vec_deinit(&declared->members);
	declared->members = members;
}

static struct declaration group_marker(struct relayout *relayout, const struct declared *declared,
				       const struct edit *edit, const char *end, uint32_t align)
{
	const char *name =
		arena_printf(&relayout->arena, "__cacheline_group_%s__%s", end, edit->name);

	return new_member(relayout, declared, name, char_array(relayout, 0), align);
}

static void edit_group(struct relayout *relayout, const struct found_edit *found,
		       struct declared *declared)
{
	struct gathered gathered __attribute__((cleanup(gathered_deinit))) = {};
	const struct edit *edit = found->edit;

	gather(&gathered, found, declared);
	*vec_add(&gathered.in) = group_marker(relayout, declared, edit, "begin", edit->align);
	for (size_t i = 0; i < gathered.out.nr; i++)
		*vec_add(&gathered.in) = gathered.out.items[i];
	*vec_add(&gathered.in) = group_marker(relayout, declared, edit, "end", edit->end_align);
	replace_gathered(&gathered, found, declared);
}

static struct error *edit_order(const struct found_edit *found, struct declared *declared)
{
	struct gathered gathered __attribute__((cleanup(gathered_deinit))) = {};

	if (declared->members.nr != found->nr_at)
		return error_create(ERROR_INPUT,
				    "there are unnamed bit-fields, which have no place in a new "
				    "order of all members");
	gather(&gathered, found, declared);
	replace_gathered(&(struct gathered){ .in = gathered.out }, found, declared);
	return NULL;
}

static const struct type *pointer_to(struct relayout *relayout, const struct type *target)
{
	struct type *pointer = arena_alloc(&relayout->arena, 1, sizeof(*pointer));

	pointer->kind = TYPE_POINTER;
	pointer->size = relayout->source->pointer_size;
	pointer->target = target;
	return pointer;
}

static struct error *check_flexible(const struct declared *declared)
{
	const struct declaration *last = NULL;

	for (size_t i = 0; i < declared->members.nr && !declared->is_union; i++) {
		const struct declaration *member = &declared->members.items[i];

		if (last && field_is_flexible(&last->field))
			return error_create(ERROR_INPUT, "the flexible array '%s' must stay last",
					    last->field.name);
		last = member;
	}
	if (last && field_is_flexible(&last->field) && declared->members.nr == 1)
		return error_create(ERROR_INPUT, "the flexible array '%s' cannot be alone",
				    last->field.name);
	return NULL;
}

/* The new struct has none of the attributes of the old one. */
static struct error *edit_split(struct relayout *relayout, const struct found_edit *found,
				struct declared *declared, const struct type **ret_split)
{
	struct gathered gathered __attribute__((cleanup(gathered_deinit))) = {};
	struct declared split = {};
	const struct edit *edit = found->edit;
	const struct type *type;
	struct error *err;

	/* Anonymous structs among the members would change with the pragma. */
	if (declared->pack)
		return error_create(ERROR_INPUT,
				    "members cannot leave the #pragma pack(%" PRIu32 ") they are "
				    "under",
				    declared->pack);
	gather(&gathered, found, declared);
	for (size_t i = 0; i < gathered.out.nr; i++)
		gathered.out.items[i].packed &= !declared->packed;
	split.members = gathered.out;
	err = check_flexible(&split);
	if (err)
		return err;
	gathered.out = (struct declaration_vec){};
	declared_place(&split);
	type = relayout_make(relayout,
			     &(struct type){ .kind = TYPE_STRUCT, .name = edit->type_name }, &split,
			     1, NULL);
	*vec_add(&gathered.in) =
		new_member(relayout, declared, edit->name, pointer_to(relayout, type), edit->align);
	replace_gathered(&gathered, found, declared);
	*ret_split = type;
	return NULL;
}

static struct error *apply(struct relayout *relayout, const struct found_edit *found,
			   struct declared *declared, const struct type **ret_split)
{
	switch (found->edit->kind) {
	case EDIT_INSERT:
		edit_insert(relayout, found, declared);
		return NULL;
	case EDIT_WRAP:
		return edit_wrap(relayout, found, declared);
	case EDIT_ALIGN_MEMBER:
		return edit_align(found, declared);
	case EDIT_ALIGN_TYPE:
		declared->stated = found->edit->align;
		return NULL;
	case EDIT_MOVE:
		edit_move(found, declared);
		return NULL;
	case EDIT_ORDER:
		return edit_order(found, declared);
	case EDIT_GROUP:
		edit_group(relayout, found, declared);
		return NULL;
	case EDIT_SPLIT:
		return edit_split(relayout, found, declared, ret_split);
	case EDIT_REMOVE:
		take_member(&declared->members, member_index(declared, found->at[0]));
		return NULL;
	case EDIT_RETYPE:
		edit_retype(relayout, found, declared);
		return NULL;
	}
	return NULL;
}

struct error *declared_edit(struct relayout *relayout, const struct found_edit *found,
			    struct declared *declared, const struct type **ret_split)
{
	struct error *err = apply(relayout, found, declared, ret_split);

	if (!err)
		err = check_flexible(declared);
	if (!err)
		declared_place(declared);
	return err;
}
