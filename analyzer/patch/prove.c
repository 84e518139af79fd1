/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/prove.h"

#include <inttypes.h>
#include <string.h>

#include "model/layout.h"

/* A prediction of hundreds of members is wrong in its first ones already. */
#define MAX_SENTENCES 8

static const struct placed *find_placed(const struct placed_vec *placed, const char *name)
{
	for (size_t i = 0; i < placed->nr; i++) {
		if (placed->items[i].field->name && !strcmp(placed->items[i].field->name, name))
			return &placed->items[i];
	}
	return NULL;
}

static void print_bits(struct text *text, uint64_t bits)
{
	text_printf(text, "%" PRIu64, bits / 8);
	if (bits % 8)
		text_printf(text, " bytes and %" PRIu64 " bits", bits % 8);
}

/* Adds one difference to the list. */
static void add(struct text *text, size_t *nr, const char *what, uint64_t expected_bits,
		uint64_t is_bits)
{
	if ((*nr)++ >= MAX_SENTENCES)
		return;
	text_printf(text, "%s%s is ", text->length ? "; " : "", what);
	print_bits(text, is_bits);
	text_add(text, ", not ");
	print_bits(text, expected_bits);
}

static void compare_member(struct text *text, size_t *nr, const struct placed *expected,
			   const struct placed *is)
{
	auto_text struct text what = {};
	const char *name = expected->field->name;

	if (!is) {
		if ((*nr)++ < MAX_SENTENCES)
			text_printf(text, "%sthere is no '%s'", text->length ? "; " : "", name);
		return;
	}
	if (is->offset_bits != expected->offset_bits) {
		text_printf(&what, "the offset of '%s'", name);
		add(text, nr, text_chars(&what), expected->offset_bits, is->offset_bits);
	} else if (is->width_bits != expected->width_bits) {
		text_printf(&what, "the size of '%s'", name);
		add(text, nr, text_chars(&what), expected->width_bits, is->width_bits);
	}
}

bool prove_layout(struct text *text, const struct type *expected, const struct type *is)
{
	auto_vec struct placed_vec expected_fields = {}, fields = {};
	size_t nr = 0;

	layout_flatten(expected, 0, &expected_fields);
	layout_flatten(is, 0, &fields);
	if (type_size(is) != expected->size)
		add(text, &nr, "the size", 8 * expected->size, 8 * type_size(is));
	for (size_t i = 0; i < expected_fields.nr; i++) {
		const struct placed *placed = &expected_fields.items[i];

		if (placed->field->name)
			compare_member(text, &nr, placed,
				       find_placed(&fields, placed->field->name));
	}
	for (size_t i = 0; i < fields.nr; i++) {
		const char *name = fields.items[i].field->name;

		if (name && !find_placed(&expected_fields, name) && nr++ < MAX_SENTENCES)
			text_printf(text, "%s'%s' was not expected", text->length ? "; " : "",
				    name);
	}
	if (nr > MAX_SENTENCES)
		text_printf(text, "; and %zu more", nr - MAX_SENTENCES);
	return !nr;
}

/* Two paths of one file: the ends of both agree as far as the shorter one goes. */
static bool is_same_file(const char *a, const char *b)
{
	const char *base_a = a ? strrchr(a, '/') : NULL, *base_b = b ? strrchr(b, '/') : NULL;

	return a && b && !strcmp(base_a ? base_a : a, base_b ? base_b : b);
}

const struct definition *prove_find(const struct typeset *set, const struct type *type,
				    const char *typedef_name)
{
	const struct definition *found = NULL;

	for (size_t i = 0; i < set->definitions.nr; i++) {
		const struct definition *definition = &set->definitions.items[i];
		const char *name = type->name ? definition->type->name : definition->typedef_name;

		if (!name || strcmp(name, type->name ? type->name : typedef_name) != 0 ||
		    definition->type->kind != type->kind)
			continue;
		if (!found || is_same_file(definition->type->file, type->file))
			found = definition;
	}
	return found;
}
