/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/field_path.h"

/* Deeper than any real type nests. */
#define MAX_DEPTH 64

/* The bytes looked for, counted from the start of the type being looked into. */
struct wanted {
	uint64_t offset;
	uint64_t size;
	struct text *path; /* NULL = nobody asks */
	size_t start;	   /* of the path in the text */
};

static bool holds(uint64_t offset, uint64_t size, const struct wanted *wanted)
{
	return offset <= wanted->offset && wanted->size <= size &&
	       wanted->offset - offset <= size - wanted->size;
}

/* Whole bytes: a bit-field takes those it has bits in. */
static bool extent_of(const struct field *field, uint64_t *ret_offset, uint64_t *ret_size)
{
	uint64_t width = field_width_bits(field);

	if (field->offset_bits == FIELD_OFFSET_UNKNOWN || !width)
		return false;
	*ret_offset = field->offset_bits / 8;
	*ret_size = (field->offset_bits + width + 7) / 8 - *ret_offset;
	return true;
}

/* A flexible array reaches as far as anybody looks. */
static bool field_holds(const struct field *field, const struct wanted *wanted,
			uint64_t *ret_offset, uint64_t *ret_size)
{
	if (field_is_flexible(field) && field->offset_bits != FIELD_OFFSET_UNKNOWN) {
		*ret_offset = field->offset_bits / 8;
		*ret_size = UINT64_MAX;
		return wanted->offset >= *ret_offset;
	}
	return extent_of(field, ret_offset, ret_size) && holds(*ret_offset, *ret_size, wanted);
}

static struct field_place find(const struct type *type, struct wanted wanted, int depth);

/* Takes one element of an array, and counts from its start. */
static const struct type *step_into_arrays(const struct type *type, struct wanted *wanted,
					   uint64_t *base)
{
	type = type_strip(type);
	while (type && type->kind == TYPE_ARRAY && !type->vector) {
		const struct type *element = type_strip(type->target);
		uint64_t size = type_size(element);

		if (!element || !size || size == TYPE_SIZE_UNKNOWN)
			return NULL;
		/* The innermost dimension steps by elements: a[i][j] is told as a[i * n + j]. */
		if (wanted->offset % size + wanted->size > size)
			return NULL;
		if (wanted->path)
			text_printf(wanted->path, "[%llu]",
				    (unsigned long long)(wanted->offset / size));
		*base += wanted->offset / size * size;
		wanted->offset %= size;
		type = element;
	}
	return type;
}

static void add_name(const struct wanted *wanted, const struct field *field)
{
	if (wanted->path && field->name)
		text_printf(wanted->path, "%s%s", wanted->path->length > wanted->start ? "." : "",
			    field->name);
}

/* Whether a look into field ends at a member of the very extent asked for. */
static bool leads_to_exact(const struct field *field, const struct wanted *wanted, int depth)
{
	uint64_t offset, size;
	struct wanted inner = { wanted->offset, wanted->size, NULL, 0 };
	struct field_place found;

	if (!field_holds(field, wanted, &offset, &size))
		return false;
	/* What has no name is no member, only what it holds. */
	if (size == wanted->size && !field_is_transparent(field))
		return true;
	inner.offset -= offset;
	found = find(field->type, inner, depth + 1);
	return found.field && !found.is_hole && found.offset == inner.offset &&
	       found.size == inner.size;
}

static const struct field *choose(const struct type *type, const struct wanted *wanted, int depth)
{
	const struct field *first = NULL;
	uint64_t offset, size;

	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];

		if (!field_holds(field, wanted, &offset, &size))
			continue;
		if (type->kind != TYPE_UNION || leads_to_exact(field, wanted, depth))
			return field;
		if (!first)
			first = field;
	}
	return first;
}

static struct field_place look_into(const struct field *field, struct wanted wanted, int depth)
{
	struct field_place found = { .field = field }, inner;
	bool is_array, is_whole;
	uint64_t base = 0;
	const struct type *type;

	field_holds(field, &wanted, &found.offset, &found.size);
	add_name(&wanted, field);
	is_array = type_strip(field->type) && type_strip(field->type)->kind == TYPE_ARRAY;
	is_whole = found.size == wanted.size && !field_is_transparent(field) && !is_array;
	if (is_whole || field->size_bits)
		return found;
	wanted.offset -= found.offset;
	type = step_into_arrays(field->type, &wanted, &base);
	if (!type)
		return found;
	if (is_array) {
		found.offset += base;
		found.size = type_size(type);
	}
	if (!type_is_aggregate(type) || (is_array && found.size == wanted.size))
		return found;
	inner = find(type, wanted, depth + 1);
	inner.offset += found.offset;
	if (!inner.field && !inner.is_hole)
		return found;
	if (!inner.field)
		inner.field = field;
	return inner;
}

static struct field_place find(const struct type *type, struct wanted wanted, int depth)
{
	struct field_place none = { .size = type_size(type_strip(type)) };
	const struct field *field;

	type = type_strip(type);
	if (!type_is_aggregate(type) || depth > MAX_DEPTH)
		return none;
	field = choose(type, &wanted, depth);
	if (field)
		return look_into(field, wanted, depth);
	none.is_hole = true;
	return none;
}

struct field_place field_place_at(const struct type *type, uint64_t offset, uint64_t size)
{
	return find(type, (struct wanted){ .offset = offset, .size = size ? size : 1 }, 0);
}

void field_path_print(struct text *text, const struct type *type, uint64_t offset, uint64_t size)
{
	struct wanted wanted = { offset, size ? size : 1, text, text->length };
	struct field_place found = find(type, wanted, 0);
	size_t start = wanted.start;

	if (offset > found.offset && (found.field || found.is_hole))
		text_printf(text, "%s+%llu", text->length > start ? "" : "(start)",
			    (unsigned long long)(offset - found.offset));
}
