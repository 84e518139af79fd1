/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/comparison.h"

#include <inttypes.h>

void bits_print(struct text *text, uint64_t bits)
{
	uint64_t nr = bits % 8 ? bits : bits / 8;

	text_printf(text, "%" PRIu64 " %s%s", nr, bits % 8 ? "bit" : "byte", nr == 1 ? "" : "s");
}

static void print_place(struct text *text, const struct compared_member *member)
{
	if (member->offset_bits == FIELD_OFFSET_UNKNOWN) {
		text_add(text, "an unknown place");
		return;
	}
	text_printf(text, "%" PRIu64, member->offset_bits / 8);
	if (member->bit_size)
		text_printf(text, ":%" PRIu64, member->offset_bits % 8);
}

static void print_size(struct text *text, const struct compared_member *member)
{
	if (member->bit_size)
		text_printf(text, "%u bit%s", member->bit_size, member->bit_size == 1 ? "" : "s");
	else
		bits_print(text, member->width_bits);
}

static void describe_size(struct text *text, const struct change *change)
{
	const struct compared_member *before = change->before, *after = change->after;

	if (change->kinds & CHANGE_BITS && !before->bit_size)
		text_add(text, "became a bit-field, ");
	else if (change->kinds & CHANGE_BITS && !after->bit_size)
		text_add(text, "is no bit-field any more, ");
	else
		text_printf(text, "%s from ",
			    before->width_bits < after->width_bits ? "grew" : "shrank");
	print_size(text, before);
	text_add(text, " to ");
	print_size(text, after);
}

static void separate(struct text *text, size_t start)
{
	if (text->length > start)
		text_add(text, ", ");
}

static void describe_matched(struct text *text, const struct change *change)
{
	const struct compared_member *before = change->before, *after = change->after;
	size_t start = text->length;

	if (change->kinds & CHANGE_RENAMED)
		text_printf(text, "was %s before: %s", before->label, change->renamed_for);
	if (change->kinds & CHANGE_MOVED) {
		separate(text, start);
		text_add(text, "moved from ");
		print_place(text, before);
		text_add(text, " to ");
		print_place(text, after);
		if (change->behind)
			text_printf(text, ", behind %s", change->behind);
	}
	if (change->kinds & CHANGE_RETYPED) {
		separate(text, start);
		text_printf(text, "changed type from '%s' to '%s'", before->type, after->type);
	}
	if (change->kinds & (CHANGE_RESIZED | CHANGE_BITS)) {
		separate(text, start);
		describe_size(text, change);
	}
	if (change->kinds & CHANGE_REALIGNED && !(change->kinds & CHANGE_RETYPED)) {
		separate(text, start);
		text_printf(text, "is aligned to %u, was to %u", after->align, before->align);
	}
	if (change->kinds & CHANGE_INSIDE) {
		separate(text, start);
		text_printf(text, "changed inside (%s)", after->type);
	}
}

void change_describe(struct text *text, const struct change *change)
{
	const struct compared_member *member = change->after ? change->after : change->before;

	if (change->before && change->after) {
		describe_matched(text, change);
		return;
	}
	text_add(text, change->after ? "was added at " : "was removed from ");
	print_place(text, member);
	text_add(text, ": ");
	print_size(text, member);
	if (!member->anonymous)
		text_printf(text, " (%s)", member->type);
}

void comparison_set_deinit(struct comparison_set *set)
{
	for (size_t i = 0; i < set->comparisons.nr; i++) {
		struct comparison *comparison = &set->comparisons.items[i];

		vec_deinit(&comparison->changes);
		vec_deinit(&comparison->ripples);
		vec_deinit(&comparison->findings);
		vec_deinit(&comparison->embedded);
	}
	vec_deinit(&set->comparisons);
	vec_deinit(&set->examined);
	arena_deinit(&set->arena);
}

void comparison_set_strip_root(struct comparison_set *set, const char *root)
{
	for (size_t i = 0; i < set->comparisons.nr; i++) {
		struct comparison *comparison = &set->comparisons.items[i];

		comparison->file = file_below(root, comparison->file);
		for (size_t j = 0; j < comparison->findings.nr; j++) {
			struct finding *finding = &comparison->findings.items[j];

			finding->file = file_below(root, finding->file);
		}
	}
	for (size_t i = 0; i < set->examined.nr; i++)
		set->examined.items[i].file = file_below(root, set->examined.items[i].file);
}

bool comparison_is_root(const struct comparison *comparison)
{
	return comparison->cause == COMPARISON_NONE;
}
