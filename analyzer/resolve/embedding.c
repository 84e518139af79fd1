/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/embedding.h"

#include <string.h>

#include "base/map.h"

#define MAX_DEPTH 32

/* A struct without a name goes by its typedef's. */
static const char *name_of(const struct type *type)
{
	const struct type *stripped = type_strip(type);

	if (stripped && stripped->name)
		return stripped->name;
	type = type_unqualified(type);
	return type ? type->name : NULL;
}

bool type_is_same(const struct type *a, const struct type *b)
{
	const struct type *x = type_strip(a), *y = type_strip(b);
	const char *name = name_of(a), *other = name_of(b);

	if (x == y)
		return true;
	return x && y && x->kind == y->kind && type_size(x) == type_size(y) && name && other &&
	       !strcmp(name, other);
}

static bool holds(const struct type *outer, uint64_t offset, const struct type *inner, int depth)
{
	const struct type *stripped = type_strip(outer);
	uint64_t size = type_size(stripped), element;

	if (!offset && type_is_same(outer, inner))
		return true;
	if (!stripped || depth > MAX_DEPTH || offset >= size)
		return false;
	if (stripped->kind == TYPE_ARRAY) {
		element = type_size(stripped->target);
		return element && element != TYPE_SIZE_UNKNOWN &&
		       holds(stripped->target, offset % element, inner, depth + 1);
	}
	for (uint32_t i = 0; type_is_aggregate(stripped) && i < stripped->nr_fields; i++) {
		const struct field *field = &stripped->fields[i];
		uint64_t start = field->offset_bits / 8;

		if (field->offset_bits == FIELD_OFFSET_UNKNOWN || field->size_bits ||
		    offset < start)
			continue;
		if (holds(field->type, offset - start, inner, depth + 1))
			return true;
	}
	return false;
}

bool type_holds(const struct type *outer, uint64_t offset, const struct type *inner)
{
	return holds(outer, offset, inner, 0);
}

uint64_t type_identity(const struct type *type)
{
	const char *name = name_of(type);

	return hash_mix(name ? hash_string(1, name) : hash_mix(0, (uintptr_t)type_strip(type)),
			type_size(type));
}
