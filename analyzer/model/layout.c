/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/layout.h"

#include <string.h>

/* Deeper than any real nesting, and a bound on what a damaged file can unfold to. */
#define MAX_DEPTH 32
#define MAX_PLACED 32768
#define SIZE_UNKNOWN UINT64_MAX

static bool flatten(const struct type *type, struct placed outer, uint32_t max_depth,
		    struct placed_vec *ret)
{
	bool complete = true;

	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];
		const struct type *inner = type_unqualified(field->type);
		bool transparent = field_is_transparent(field);
		size_t at = ret->nr;
		struct placed *placed;
		struct placed next;

		if (at == MAX_PLACED)
			return false;
		placed = vec_add(ret);
		*placed = (struct placed){
			.field = field,
			.offset_bits = outer.offset_bits + field->offset_bits,
			.width_bits = field_width_bits(field),
			.depth = outer.depth,
			.parent = outer.parent,
		};
		if (field->offset_bits == FIELD_OFFSET_UNKNOWN) {
			placed->offset_bits = FIELD_OFFSET_UNKNOWN;
			continue;
		}
		if (!transparent)
			inner = type_strip(field->type);
		if (!type_is_aggregate(inner) || !inner->nr_fields || (!transparent && !max_depth))
			continue;
		if (outer.depth >= MAX_DEPTH) {
			complete = false;
			continue;
		}
		placed->has_inside = true;
		next = *placed;
		next.depth++;
		next.parent = (int32_t)at;
		if (!flatten(inner, next, transparent ? max_depth : max_depth - 1, ret))
			complete = false;
	}
	return complete;
}

bool layout_flatten(const struct type *type, uint32_t max_depth, struct placed_vec *ret)
{
	return flatten(type, (struct placed){ .parent = -1 }, max_depth, ret);
}

static int compare_offset(const void *a, const void *b)
{
	const struct hole *left = a, *right = b;

	return left->offset_bits < right->offset_bits ? -1 : left->offset_bits > right->offset_bits;
}

/* C++ compilers may only declare, in one unit, the type of a member that another describes. */
static bool field_size_is_known(const struct field *field)
{
	const struct type *type = type_strip(field->type);

	for (int depth = 0; type && type->kind == TYPE_ARRAY && depth < MAX_DEPTH; depth++)
		type = type_strip(type->target);
	return (type && !type->incomplete) || field->size_bits || field_is_flexible(field);
}

/* What the fields that hold data occupy, by offset. Whether all have a known place. */
static bool occupied(const struct type *type, struct hole_vec *ret)
{
	auto_vec struct placed_vec fields = {};
	bool all_known = true;

	layout_flatten(type, 0, &fields);
	for (size_t i = 0; i < fields.nr; i++) {
		const struct placed *placed = &fields.items[i];
		struct hole used = { placed->offset_bits, placed->width_bits };

		if (placed->offset_bits == FIELD_OFFSET_UNKNOWN)
			all_known = false;
		if (placed->has_inside || placed->offset_bits == FIELD_OFFSET_UNKNOWN)
			continue;
		if (!field_size_is_known(placed->field))
			used.size_bits = SIZE_UNKNOWN;
		else if (field_is_transparent(placed->field))
			continue; /* only its members count, even if it has none */
		*vec_add(ret) = used;
	}
	vec_sort(ret, compare_offset);
	return all_known;
}

void layout_holes(const struct type *type, struct hole_vec *ret, uint64_t *ret_padding_bits)
{
	auto_vec struct hole_vec used = {};
	uint64_t reached = 0, size = type_size(type);
	uint64_t size_bits = size > UINT64_MAX / 16 ? 0 : size * 8;
	bool all_known = occupied(type, &used);
	bool known = true; /* whether what lies behind `reached` can be told to be unused */

	for (size_t i = 0; i < used.nr; i++) {
		const struct hole *field = &used.items[i];
		uint64_t end = field->offset_bits + field->size_bits;

		if (!field->size_bits)
			continue;
		if (field->offset_bits > reached) {
			if (known)
				*vec_add(ret) =
					(struct hole){ reached, field->offset_bits - reached };
			reached = field->offset_bits;
			known = true;
		}
		if (field->size_bits == SIZE_UNKNOWN)
			known = false;
		else if (end > reached)
			reached = end;
	}
	*ret_padding_bits = all_known && known && size_bits > reached ? size_bits - reached : 0;
}

void hole_split(const struct hole *hole, struct hole *ret_before, struct hole *ret_bytes,
		struct hole *ret_behind)
{
	uint64_t start = hole->offset_bits, end = start + hole->size_bits;
	uint64_t first = (start + 7) / 8 * 8, last = end / 8 * 8;

	if (first > last) /* inside one byte */
		first = last = end;
	*ret_before = (struct hole){ start, first - start };
	*ret_bytes = (struct hole){ first, last - first };
	*ret_behind = (struct hole){ last, end - last };
}

uint64_t view_line(struct view view, uint64_t offset)
{
	return (offset + view.phase) / view.cacheline;
}

uint32_t view_line_offset(struct view view, uint64_t offset)
{
	return (uint32_t)((offset + view.phase) % view.cacheline);
}

uint64_t view_nr_lines(struct view view, uint64_t offset, uint64_t size)
{
	return size ? view_line(view, offset + size - 1) - view_line(view, offset) + 1 : 0;
}

bool view_straddles(struct view view, uint64_t offset_bits, uint64_t width_bits)
{
	if (!width_bits || offset_bits == FIELD_OFFSET_UNKNOWN)
		return false;
	return view_line(view, offset_bits / 8) !=
	       view_line(view, (offset_bits + width_bits - 1) / 8);
}

bool view_wastes_line(struct view view, uint64_t offset_bits, uint64_t width_bits)
{
	uint64_t first = offset_bits / 8, size;

	if (!width_bits || offset_bits == FIELD_OFFSET_UNKNOWN)
		return false;
	size = (offset_bits + width_bits - 1) / 8 - first + 1;
	return view_nr_lines(view, first, size) > (size - 1) / view.cacheline + 1;
}

static const char *after_prefix(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return name && !strncmp(name, prefix, length) && name[length] ? name + length : NULL;
}

static bool is_marker(const struct field *field)
{
	const struct type *type = type_strip(field->type);

	return type && type->kind == TYPE_ARRAY && field_width_bits(field) == 0;
}

const char *field_group_begin(const struct field *field)
{
	return is_marker(field) ? after_prefix(field->name, "__cacheline_group_begin__") : NULL;
}

const char *field_group_end(const struct field *field)
{
	return is_marker(field) ? after_prefix(field->name, "__cacheline_group_end__") : NULL;
}
