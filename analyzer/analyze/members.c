/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/members.h"

#include <string.h>

/* Bounds on what a damaged file can unfold to; task_struct has 1,100 members, 9 deep. */
#define MAX_DEPTH 32
#define MAX_MEMBERS 200000
#define MAX_NAMES 3

/* What is known of the members being added: where they lie. */
struct opening {
	uint64_t offset_bits;
	int32_t parent;
	int depth;
	bool own;
	bool repeated;
};

/* An array's element, typedefs and qualifiers in between taken off. */
static const struct type *element(const struct type *type, bool *ret_array)
{
	const struct type *stripped = type_strip(type);

	*ret_array = false;
	while (stripped && stripped->kind == TYPE_ARRAY && !stripped->vector) {
		*ret_array = true;
		type = stripped->target;
		stripped = type_strip(type);
	}
	return type;
}

static bool is_named(const struct type *type)
{
	type = type_unqualified(type);
	return type && (type->kind == TYPE_TYPEDEF || type->name);
}

static bool open(const struct type *type, struct opening outer, struct member_vec *ret)
{
	bool complete = true;

	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];
		bool array, unknown = field->offset_bits == FIELD_OFFSET_UNKNOWN;
		const struct type *held = element(field->type, &array);
		const struct type *inner = type_strip(held);
		struct opening next = outer;
		size_t at = ret->nr;

		if (at >= MAX_MEMBERS)
			return false;
		next.offset_bits += unknown ? 0 : field->offset_bits;
		*vec_add(ret) = (struct member){
			.field = field,
			.offset_bits = unknown ? FIELD_OFFSET_UNKNOWN : next.offset_bits,
			.width_bits = field_width_bits(field),
			.parent = outer.parent,
			.anonymous = field_is_transparent(field),
			.own = outer.own,
			.repeated = outer.repeated,
		};
		if (unknown || !type_is_aggregate(inner))
			continue;
		next.parent = (int32_t)at;
		ret->items[at].in_place = !is_named(held);
		next.own = outer.own && !is_named(held);
		next.repeated = outer.repeated || array;
		complete = ++next.depth <= MAX_DEPTH && open(inner, next, ret) && complete;
		ret->items[at].nr_inside = (uint32_t)(ret->nr - at - 1);
	}
	return complete;
}

bool members_open(const struct type *type, struct member_vec *ret)
{
	return open(type, (struct opening){ .parent = -1, .own = true }, ret);
}

const struct type *member_aggregate(const struct member *member)
{
	bool array;
	const struct type *held = type_strip(element(member->field->type, &array));

	return type_is_aggregate(held) ? held : NULL;
}

const char *member_aggregate_name(const struct member *member, struct arena *arena)
{
	bool array;
	const struct type *held = type_unqualified(element(member->field->type, &array));

	if (!member_aggregate(member) || !is_named(held))
		return NULL;
	if (held->kind == TYPE_TYPEDEF && !type_strip(held)->name)
		return held->name;
	held = type_strip(held);
	return arena_printf(arena, "%s %s", type_keyword(held->kind), held->name);
}

void members_collect(const struct member_vec *members, int32_t parent, struct index_vec *ret_named,
		     struct index_vec *ret_anonymous)
{
	size_t start = (size_t)(parent + 1);
	size_t end = parent < 0 ? members->nr : start + members->items[parent].nr_inside;

	for (size_t i = start; i < end; i++) {
		const struct member *member = &members->items[i];

		*vec_add(member->anonymous ? ret_anonymous : ret_named) = (uint32_t)i;
		i += member->anonymous ? 0 : member->nr_inside;
	}
}

const char *member_name(const struct member *member)
{
	const struct field *field = member->field;
	const struct type *type = type_strip(field->type);

	if (field->name)
		return field->name;
	return field->kind != FIELD_MEMBER && type && type->name ? type->name : "";
}

static bool is_array(const struct member *member)
{
	const struct type *type = type_strip(member->field->type);

	return type && type->kind == TYPE_ARRAY;
}

static void print_path(struct text *text, size_t start, const struct member_vec *members, size_t at)
{
	const struct member *member = &members->items[at];
	const char *name = member_name(member);

	if (member->parent >= 0) {
		print_path(text, start, members, (size_t)member->parent);
		if (is_array(&members->items[member->parent]))
			text_add(text, "[]");
	}
	if (*name && !member->anonymous)
		text_printf(text, "%s%s", text->length > start ? "." : "", name);
}

void member_print_path(struct text *text, const struct member_vec *members, size_t at)
{
	print_path(text, text->length, members, at);
}

static void print_names(struct text *text, const struct member_vec *members, size_t at)
{
	size_t end = at + members->items[at].nr_inside;
	int nr = 0;

	for (size_t i = at + 1; i <= end;
	     i += 1 + (members->items[i].anonymous ? 0 : members->items[i].nr_inside)) {
		if (members->items[i].anonymous)
			continue;
		if (nr++ == MAX_NAMES) {
			text_add(text, ", ...");
			return;
		}
		text_printf(text, "%s'%s'", nr == 1 ? " of " : ", ",
			    member_name(&members->items[i]));
	}
}

void member_print_label(struct text *text, const struct member_vec *members, size_t at)
{
	const struct member *member = &members->items[at];

	if (!member->anonymous) {
		text_add_char(text, '\'');
		member_print_path(text, members, at);
		text_add_char(text, '\'');
		return;
	}
	text_printf(text, "the anonymous %s", type_keyword(member_aggregate(member)->kind));
	print_names(text, members, at);
}

bool members_find_cut(const struct member_vec *members, size_t at, struct view view,
		      const struct member **ret_left, const struct member **ret_right)
{
	const struct member *outer = &members->items[at], *left = NULL, *right = NULL;
	const uint64_t line = view_line(view, outer->offset_bits / 8);

	for (size_t i = at + 1; i <= at + outer->nr_inside; i++) {
		const struct member *inner = &members->items[i];

		if (!inner->width_bits || inner->offset_bits == FIELD_OFFSET_UNKNOWN ||
		    inner->repeated || inner->anonymous || inner->parent != (int32_t)at)
			continue;
		if (view_line(view, (inner->offset_bits + inner->width_bits - 1) / 8) == line)
			left = inner;
		else if (view_line(view, inner->offset_bits / 8) > line && !right)
			right = inner;
	}
	*ret_left = left;
	*ret_right = right;
	return left && right;
}
