/* SPDX-License-Identifier: GPL-2.0-only */
/* Size, alignment, the allocator's classes, holes. */
#include <inttypes.h>

#include "analyze/compare_pair.h"
#include "analyze/slab.h"

#define MAX_HOLES_NAMED 4

/* "15 lines of 64 as before", "15 to 16 lines of 64". */
static void print_lines(struct text *text, const struct pair *pair)
{
	const struct comparison *result = pair->result;

	for (size_t i = 0; i < pair->options->nr_line_sizes; i++) {
		uint32_t line_size = pair->options->line_sizes[i];
		struct view view = { line_size, pair->options->phase % line_size };
		uint64_t before = view_nr_lines(view, 0, result->before.size);
		uint64_t after = view_nr_lines(view, 0, result->after.size);

		text_printf(text, "%s%" PRIu64, i ? ", " : "; ", before);
		if (after != before)
			text_printf(text, " to %" PRIu64, after);
		text_printf(text, " line%s of %u%s", after == 1 ? "" : "s", line_size,
			    after == before ? " as before" : "");
	}
}

static void judge_size(struct pair *pair)
{
	const struct compared_type *before = &pair->result->before, *after = &pair->result->after;
	bool realigned = !pair->matching.loose && before->align != after->align;
	auto_text struct text text = {};
	struct finding *finding;

	if (before->size == after->size && !realigned)
		return;
	if (before->size != after->size) {
		text_printf(&text, "%s from %" PRIu64 " to %" PRIu64 " bytes",
			    before->size < after->size ? "grew" : "shrank", before->size,
			    after->size);
		print_lines(&text, pair);
	}
	if (realigned)
		text_printf(&text, "%sis aligned to %u, was to %u", text.length ? "; " : "",
			    after->align, before->align);
	finding = pair_add_finding(pair, &rule_diff_size,
				   before->size > after->size ? SEVERITY_NOTE : SEVERITY_WARNING,
				   NULL, 0);
	finding->message = arena_strdup(pair->arena, text_chars(&text));
}

static void print_bucket(struct text *text, uint64_t before, uint64_t after)
{
	if (before && after)
		text_printf(text, "kmalloc takes %" PRIu64 " bytes for it, took %" PRIu64, after,
			    before);
	else
		text_printf(text, "kmalloc takes %s for it, took %s",
			    after ? "a slab object" : "whole pages",
			    after ? "whole pages" : "a slab object");
}

static void judge_class(struct pair *pair)
{
	const struct compared_type *before = &pair->result->before, *after = &pair->result->after;
	struct slab old_slab = slab_cache(before->size, before->align, pair->old_arch->cacheline);
	struct slab new_slab = slab_cache(after->size, after->align, pair->new_arch->cacheline);
	uint64_t old_bucket = slab_bucket(before->size), new_bucket = slab_bucket(after->size);
	auto_text struct text text = {};
	struct finding *finding;

	if (old_bucket != new_bucket)
		print_bucket(&text, old_bucket, new_bucket);
	if (old_slab.size && new_slab.size &&
	    (old_slab.nr_objects != new_slab.nr_objects || old_slab.size != new_slab.size))
		text_printf(&text,
			    "%sa cache of it has %" PRIu64 " objects in a slab of %" PRIu64
			    " bytes, had %" PRIu64 " in %" PRIu64,
			    text.length ? "; " : "", new_slab.nr_objects, new_slab.size,
			    old_slab.nr_objects, old_slab.size);
	if (!text.length)
		return;
	finding = pair_add_finding(pair, &rule_diff_class,
				   before->size < after->size ? SEVERITY_WARNING : SEVERITY_NOTE,
				   NULL, 0);
	finding->message = arena_strdup(pair->arena, text_chars(&text));
	finding->evidence = SLAB_ASSUMPTION;
}

/* Where a member ends. */
struct end {
	uint64_t bits;
	uint32_t at;
};

static int compare_ends(const void *a, const void *b)
{
	const struct end *left = a, *right = b;

	if (left->bits != right->bits)
		return left->bits < right->bits ? -1 : 1;
	return left->at < right->at ? -1 : left->at > right->at;
}

DEFINE_VEC(end_vec, struct end);

static int32_t member_ending_at(const struct end_vec *ends, uint64_t bits)
{
	size_t low = 0, nr = ends->nr;

	while (nr) {
		size_t half = nr / 2;

		if (ends->items[low + half].bits <= bits) {
			low += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return low && ends->items[low - 1].bits == bits ? (int32_t)ends->items[low - 1].at : -1;
}

/* Sizes of the holes by the member they lie behind: its index + 1; 0 = at the start. */
static uint64_t *site_holes(const struct type *type, const struct member_vec *members)
{
	uint64_t *sizes = memory_alloc(members->nr + 1, sizeof(*sizes));
	auto_vec struct hole_vec holes = {};
	auto_vec struct end_vec ends = {};
	uint64_t padding_bits;

	layout_holes(type, &holes, &padding_bits);
	for (size_t i = 0; i < members->nr && holes.nr; i++) {
		const struct member *member = &members->items[i];

		if (member->own && !member->anonymous && !member->repeated &&
		    member->offset_bits != FIELD_OFFSET_UNKNOWN)
			*vec_add(&ends) = (struct end){ member->offset_bits + member->width_bits,
							(uint32_t)i };
	}
	vec_sort(&ends, compare_ends);
	for (size_t i = 0; i < holes.nr; i++)
		sizes[member_ending_at(&ends, holes.items[i].offset_bits) + 1] =
			holes.items[i].size_bits;
	return sizes;
}

static void name_hole(struct text *text, struct pair *pair, const struct member_vec *members,
		      size_t behind, uint64_t before, uint64_t after, unsigned int *nr)
{
	if (before == after || ++*nr > MAX_HOLES_NAMED)
		return;
	text_add(text, *nr == 1 ? ": " : ", ");
	bits_print(text, after ? after : before);
	text_printf(text, " behind %s",
		    behind ? pair_label(pair, members, behind - 1) : "the start");
	if (before && after) {
		text_add(text, " (was ");
		bits_print(text, before);
		text_add_char(text, ')');
	} else {
		text_add(text, after ? " new" : " gone");
	}
}

static void name_holes(struct text *text, struct pair *pair)
{
	const struct matching *matching = &pair->matching;
	auto_free uint64_t *before = site_holes(pair->old_type, &matching->old_members);
	auto_free uint64_t *after = site_holes(pair->new_type, &matching->new_members);
	unsigned int nr = 0;

	for (size_t i = 0; i <= matching->new_members.nr; i++) {
		int32_t old = i ? matching->to_old[i - 1] : -1;
		bool is_new = i && old < 0;

		if (after[i])
			name_hole(text, pair, &matching->new_members, i,
				  is_new ? 0 : before[old + 1], after[i], &nr);
	}
	for (size_t i = 0; i <= matching->old_members.nr; i++) {
		int32_t new = i ? matching->to_new[i - 1] : -1;
		bool is_gone = i && new < 0;

		if (before[i] && (is_gone || !after[new + 1]))
			name_hole(text, pair, &matching->old_members, i, before[i], 0, &nr);
	}
	if (nr > MAX_HOLES_NAMED)
		text_printf(text, " and %u more", nr - MAX_HOLES_NAMED);
}

static void print_padding(struct text *text, uint64_t bits, const char *none)
{
	if (bits) {
		bits_print(text, bits);
		text_add(text, " of padding at the end");
	} else {
		text_add(text, none);
	}
}

static void judge_holes(struct pair *pair)
{
	const struct compared_type *before = &pair->result->before, *after = &pair->result->after;
	auto_text struct text text = {};
	struct finding *finding;

	if (before->nr_holes == after->nr_holes && before->hole_bits == after->hole_bits &&
	    before->padding_bits == after->padding_bits)
		return;
	if (before->nr_holes != after->nr_holes || before->hole_bits != after->hole_bits) {
		text_printf(&text, "%u hole%s (", after->nr_holes, after->nr_holes == 1 ? "" : "s");
		bits_print(&text, after->hole_bits);
		text_printf(&text, "), had %u (", before->nr_holes);
		bits_print(&text, before->hole_bits);
		text_add_char(&text, ')');
		name_holes(&text, pair);
	}
	if (before->padding_bits != after->padding_bits) {
		text_add(&text, text.length ? "; " : "");
		print_padding(&text, after->padding_bits, "no padding at the end");
		text_add(&text, ", had ");
		print_padding(&text, before->padding_bits, "none");
	}
	finding = pair_add_finding(pair, &rule_diff_hole, SEVERITY_NOTE, NULL, 0);
	finding->message = arena_strdup(pair->arena, text_chars(&text));
}

void pair_judge_size(struct pair *pair)
{
	judge_size(pair);
	if (pair->result->before.size != pair->result->after.size)
		judge_class(pair);
	judge_holes(pair);
}
