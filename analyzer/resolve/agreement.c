/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/agreement.h"

#include <string.h>

#include "model/field_path.h"
#include "resolve/embedding.h"

enum { MAX_DEPTH = 32 };

/* A type, and a place in it. */
struct spot {
	const struct type *type;
	uint64_t offset;
};

/* Structs without a name are the same if all in them is; typedefs of them may have several. */
static bool is_same(const struct type *a, const struct type *b)
{
	return type_is_same(a, b) ||
	       (type_is_aggregate(a) && type_is_aggregate(b) && !a->name && !b->name &&
		type_size(a) == type_size(b) && type_hash(a) == type_hash(b));
}

/* Arrays are judged by their element. */
static struct spot into_array(const struct type *type, uint64_t offset)
{
	struct spot spot = { .offset = offset };

	spot.type = type_element(type, &spot.offset);
	return spot;
}

/* The path without indexes: all elements of an array are one field. */
static void print_path(struct text *text, const struct type *type, uint64_t offset, uint32_t size)
{
	char *to;

	field_path_print(text, type, offset, size);
	to = text->chars;
	for (const char *from = text_chars(text); *from; from++) {
		if (*from == '[')
			from += strcspn(from, "]");
		else
			*to++ = *from;
	}
	if (to)
		*to = '\0';
}

static bool same_field(const struct type *type, uint64_t a, uint64_t b, uint32_t size)
{
	auto_text struct text left = {}, right = {};

	if (a == b)
		return true;
	print_path(&left, type, a, size);
	print_path(&right, type, b, size);
	return !strcmp(text_chars(&left), text_chars(&right));
}

struct search {
	const struct type *wanted;
	uint64_t offset; /* in it */
	uint32_t size;
	/* Of what the instruction accesses, in several pieces perhaps. */
	uint32_t extent;
	bool found;	 /* it lies there */
	bool same_field; /* and so does the field */
};

/* Looks for a part of the wanted type around the offset. */
static void search_part(struct search *search, const struct type *type, uint64_t offset, int depth)
{
	const struct spot spot = into_array(type, offset);

	if (!spot.type || depth > MAX_DEPTH || search->same_field)
		return;
	if (is_same(spot.type, search->wanted)) {
		search->found = true;
		search->same_field =
			spot.offset - search->offset < search->extent ||
			same_field(spot.type, spot.offset, search->offset, search->size);
	}
	for (uint32_t i = 0; type_is_aggregate(spot.type) && i < spot.type->nr_fields; i++) {
		const struct field *field = &spot.type->fields[i];
		uint64_t start = field->offset_bits / 8;

		if (field->offset_bits == FIELD_OFFSET_UNKNOWN || spot.offset < start ||
		    (!field_is_flexible(field) && spot.offset >= start + type_size(field->type)))
			continue;
		search_part(search, field->type, spot.offset - start, depth + 1);
	}
}

/* A page's struct has several views, which lie over each other. */
static bool is_page_view(const struct type *type)
{
	static const char *const views[] = { "page", "folio", "slab" };

	for (size_t i = 0; i < array_size(views); i++) {
		if (type->name && !strcmp(type->name, views[i]))
			return true;
	}
	return false;
}

static bool points_at_same(const struct type *a, const struct type *b)
{
	return !type_is_aggregate(a) || !type_is_aggregate(b) || !a->name || !b->name ||
	       !strcmp(a->name, b->name) || (is_page_view(a) && is_page_view(b));
}

static bool is_byte(const struct type *type)
{
	return !type || type_size(type) <= 1;
}

/* A scalar of that size lies there; pointers to structs have to point to the same. */
static bool holds_scalar(const struct type *type, uint64_t offset, const struct type *wanted,
			 int depth)
{
	struct spot spot = into_array(type, offset);

	if (!spot.type || depth > MAX_DEPTH)
		return false;
	if (!type_is_aggregate(spot.type)) {
		if (is_byte(wanted) || is_byte(spot.type))
			return true;
		if (type_size(spot.type) != type_size(wanted))
			return false;
		return spot.type->kind != TYPE_POINTER || wanted->kind != TYPE_POINTER ||
		       points_at_same(type_strip(spot.type->target), type_strip(wanted->target));
	}
	for (uint32_t i = 0; i < spot.type->nr_fields; i++) {
		const struct field *field = &spot.type->fields[i];
		uint64_t start = field->offset_bits / 8;

		if (field->offset_bits != FIELD_OFFSET_UNKNOWN && spot.offset >= start &&
		    (field_is_flexible(field) || spot.offset < start + type_size(field->type)) &&
		    holds_scalar(field->type, spot.offset - start, wanted, depth + 1))
			return true;
	}
	return false;
}

/* Whether the field is right, of some struct within the one that is said to be there. */
static bool has_same_part(const struct truth *truth, struct spot said, int depth)
{
	if (depth > MAX_DEPTH || !type_is_aggregate(said.type))
		return false;
	for (uint32_t i = 0; i < said.type->nr_fields; i++) {
		const struct field *field = &said.type->fields[i];
		uint64_t start = field->offset_bits / 8;
		struct search search = { .size = truth->size, .extent = 1 };
		struct spot part;

		if (field->offset_bits == FIELD_OFFSET_UNKNOWN || said.offset < start ||
		    said.offset >= start + type_size(field->type))
			continue;
		part = into_array(field->type, said.offset - start);
		if (!type_is_aggregate(part.type))
			continue;
		search.wanted = part.type;
		search.offset = part.offset;
		search_part(&search, truth->type, truth->offset, 0);
		if (search.same_field || has_same_part(truth, part, depth + 1))
			return true;
	}
	return false;
}

/* The canary lies in a struct of its own. */
static bool is_stack(const struct truth *truth)
{
	return truth->kind == TRUTH_STACK || !strcmp(truth->owner, "fixed_percpu_data");
}

enum agreement agreement_of(const struct truth *truth, const struct access *access)
{
	struct spot said = into_array(access->type, access->offset);
	struct search search = {
		.wanted = said.type,
		.offset = said.offset,
		.size = truth->size,
		.extent = access->size ?: 1,
	};

	if (access->unresolved == ACCESS_STACK)
		return is_stack(truth) ? AGREEMENT_SPILL : AGREEMENT_WRONG;
	if (!access->type)
		return AGREEMENT_UNTYPED;
	if (!truth->type)
		return AGREEMENT_OPEN;
	if (!said.type || !type_is_aggregate(said.type)) {
		if (!holds_scalar(truth->type, truth->offset, said.type, 0))
			return AGREEMENT_WRONG;
		return type_is_aggregate(type_strip(truth->type)) ? AGREEMENT_SCALAR :
								    AGREEMENT_SAME;
	}
	if (truth->kind == TRUTH_PAGE && is_page_view(said.type) &&
	    said.offset % type_size(truth->type) == truth->offset)
		return AGREEMENT_SAME;
	search_part(&search, truth->type, truth->offset, 0);
	if (search.same_field)
		return type_is_same(said.type, truth->type) ? AGREEMENT_SAME : AGREEMENT_PART;
	if (search.found)
		return AGREEMENT_FIELD;
	if (has_same_part(truth, said, 0))
		return AGREEMENT_OUTER;
	return AGREEMENT_WRONG;
}
