/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which members were moved, and which were only pushed: the longest sequence of members that keeps
 * its order was pushed, by as much as what changed between its members grew or shrank.
 */
#include "analyze/compare_pair.h"

/* A struct with more has been shuffled; the rest of its members count as moved. */
#define MAX_RIPPLES 256
#define MAX_CAUSES 3

/* A matched member on both sides; offsets in bits from the start of what it lies in. */
struct step {
	uint32_t old;
	uint32_t new;
	uint64_t old_at;
	uint64_t new_at;
	bool stable;
};

DEFINE_VEC(step_vec, struct step);

/* One struct's members. */
struct rippling {
	struct pair *pair;
	struct index_vec olds;
	struct index_vec news;
	struct step_vec steps;
	uint64_t old_base;
	uint64_t new_base;
};

static int compare_steps(const void *a, const void *b)
{
	const struct step *left = a, *right = b;

	if (left->old_at != right->old_at)
		return left->old_at < right->old_at ? -1 : 1;
	if (left->new_at != right->new_at)
		return left->new_at < right->new_at ? -1 : 1;
	return left->old < right->old ? -1 : left->old > right->old;
}

static int compare_offsets(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* How many of the sorted offsets are below offset. */
static size_t rank_of(const uint64_t *offsets, size_t nr, uint64_t offset)
{
	size_t low = 0;

	while (nr) {
		size_t half = nr / 2;

		if (offsets[low + half] < offset) {
			low += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return low;
}

/*
 * Marks the heaviest subsequence whose new offsets don't fall, a Fenwick tree (1994) keeping the
 * best end for each of them. Among sequences of one length that with the most members which
 * stayed where they were is heaviest.
 */
static void choose_stable(struct step *steps, size_t nr)
{
	auto_free uint64_t *offsets = memory_alloc(nr, sizeof(*offsets));
	auto_free uint64_t *weights = memory_alloc(nr, sizeof(*weights));
	auto_free int32_t *before = memory_alloc(nr, sizeof(*before));
	auto_free int32_t *tree = memory_alloc(nr + 1, sizeof(*tree)); /* step + 1; 0 = none */
	int32_t best = -1;

	for (size_t i = 0; i < nr; i++)
		offsets[i] = steps[i].new_at;
	qsort(offsets, nr, sizeof(*offsets), compare_offsets);
	for (size_t i = 0; i < nr; i++) {
		size_t rank = rank_of(offsets, nr, steps[i].new_at) + 1;

		before[i] = -1;
		for (size_t at = rank; at; at &= at - 1) {
			if (tree[at] &&
			    (before[i] < 0 || weights[tree[at] - 1] > weights[before[i]]))
				before[i] = tree[at] - 1;
		}
		weights[i] = (1ull << 32) + (steps[i].old_at == steps[i].new_at) +
			     (before[i] < 0 ? 0 : weights[before[i]]);
		for (size_t at = rank; at <= nr; at += at & -at) {
			if (!tree[at] || weights[i] > weights[tree[at] - 1])
				tree[at] = (int32_t)i + 1;
		}
		if (best < 0 || weights[i] > weights[best])
			best = (int32_t)i;
	}
	for (; best >= 0; best = before[best])
		steps[best].stable = true;
}

static void list_steps(struct rippling *rippling)
{
	const struct matching *matching = &rippling->pair->matching;

	for (size_t i = 0; i < rippling->olds.nr; i++) {
		uint32_t old = rippling->olds.items[i];
		const struct member *before = &matching->old_members.items[old], *after;
		int32_t new = matching->to_new[old];

		if (new < 0)
			continue;
		after = &matching->new_members.items[new];
		if (before->offset_bits == FIELD_OFFSET_UNKNOWN ||
		    after->offset_bits == FIELD_OFFSET_UNKNOWN)
			continue;
		*vec_add(&rippling->steps) = (struct step){
			.old = old,
			.new = (uint32_t) new,
			.old_at = before->offset_bits - rippling->old_base,
			.new_at = after->offset_bits - rippling->new_base,
		};
	}
	vec_sort(&rippling->steps, compare_steps);
	choose_stable(rippling->steps.items, rippling->steps.nr);
}

/* What changed between two members that keep their order, told in words. */
struct causes {
	struct text text;
	unsigned int nr;
	bool follows; /* all so far are changes to embedded structs */
};

static void add_cause(struct rippling *rippling, struct causes *causes,
		      const struct member_vec *members, size_t at, const char *what, bool follows)
{
	const char *label;

	causes->follows = causes->follows && follows;
	if (++causes->nr > MAX_CAUSES)
		return;
	label = pair_label(rippling->pair, members, at);
	text_printf(&causes->text, "%s%s %s", causes->nr == 1 ? "" : ", ", label, what);
}

/* Offsets of the old and the new struct in between which to look, inclusive. */
struct gap {
	uint64_t old_from;
	uint64_t old_to;
	uint64_t new_from;
	uint64_t new_to;
};

static void add_grown(struct rippling *rippling, struct causes *causes, const struct step *step)
{
	struct pair *pair = rippling->pair;
	const struct member *before = &pair->matching.old_members.items[step->old];
	const struct member *after = &pair->matching.new_members.items[step->new];
	auto_text struct text what = {};
	uint64_t old_bits = before->width_bits, new_bits = after->width_bits;

	text_printf(&what, "%s by ", old_bits < new_bits ? "grew" : "shrank");
	bits_print(&what, old_bits < new_bits ? new_bits - old_bits : old_bits - new_bits);
	add_cause(rippling, causes, &pair->matching.new_members, step->new, text_chars(&what),
		  pair->kinds[step->old] & CHANGE_INSIDE);
}

static bool is_within(uint64_t offset, uint64_t from, uint64_t to)
{
	return offset >= from && offset <= to;
}

/* Matched members that changed around the gap. */
static void add_changed(struct rippling *rippling, struct causes *causes, const struct gap *gap)
{
	const struct pair *pair = rippling->pair;

	for (size_t i = 0; i < rippling->steps.nr; i++) {
		const struct step *step = &rippling->steps.items[i];
		const struct member *before = &pair->matching.old_members.items[step->old];
		unsigned int kinds = pair->kinds[step->old];
		const char *what = NULL;

		if (step->stable && kinds & (CHANGE_RESIZED | CHANGE_BITS) &&
		    step->old_at < gap->old_to && step->old_at + before->width_bits > gap->old_from)
			add_grown(rippling, causes, step);
		else if (step->stable && kinds & CHANGE_REALIGNED && step->old_at == gap->old_to)
			what = "asks for another alignment";
		else if (!step->stable && is_within(step->new_at, gap->new_from, gap->new_to))
			what = "moved here";
		else if (!step->stable && is_within(step->old_at, gap->old_from, gap->old_to))
			what = "moved away";
		if (what)
			add_cause(rippling, causes, &pair->matching.new_members, step->new, what,
				  step->stable && kinds & CHANGE_INSIDE);
	}
}

/* Members of one side without a partner, their offsets relative to base and in [from, to]. */
static void add_unmatched(struct rippling *rippling, struct causes *causes, bool old_side,
			  uint64_t from, uint64_t to)
{
	const struct matching *matching = &rippling->pair->matching;
	const struct member_vec *members =
		old_side ? &matching->old_members : &matching->new_members;
	const struct index_vec *indexes = old_side ? &rippling->olds : &rippling->news;
	const int32_t *partners = old_side ? matching->to_new : matching->to_old;
	uint64_t base = old_side ? rippling->old_base : rippling->new_base;

	for (size_t i = 0; i < indexes->nr; i++) {
		uint32_t at = indexes->items[i];
		uint64_t offset = members->items[at].offset_bits - base;

		if (partners[at] < 0 && is_within(offset, from, to))
			add_cause(rippling, causes, members, at,
				  old_side ? "was removed" : "was added", false);
	}
}

/* The ripple that begins at step `first`, behind the stable step `last` (SIZE_MAX = none). */
static void explain(struct rippling *rippling, size_t last, size_t first, struct ripple *ripple)
{
	const struct step *steps = rippling->steps.items;
	const struct ripple_vec *ripples = &rippling->pair->result->ripples;
	struct causes causes = { .follows = true };
	struct gap gap = { 0, steps[first].old_at, 0, steps[first].new_at };
	bool continues = last != SIZE_MAX && steps[last].old_at != steps[last].new_at;

	if (last != SIZE_MAX) {
		gap.old_from = steps[last].old_at;
		gap.new_from = steps[last].new_at;
	}
	add_unmatched(rippling, &causes, false, gap.new_from, gap.new_to);
	add_unmatched(rippling, &causes, true, gap.old_from, gap.old_to);
	add_changed(rippling, &causes, &gap);
	if (causes.nr > MAX_CAUSES)
		text_printf(&causes.text, " and %u more", causes.nr - MAX_CAUSES);
	if (!causes.nr && continues && ripples->nr) {
		ripple->cause = ripples->items[ripples->nr - 1].cause;
		ripple->follows = ripples->items[ripples->nr - 1].follows;
	} else {
		ripple->cause = arena_strdup(rippling->pair->arena,
					     causes.nr ? text_chars(&causes.text) :
							 "the gap before it changed");
		ripple->follows = causes.nr && causes.follows;
	}
	text_deinit(&causes.text);
}

static int64_t distance(const struct step *step)
{
	return (int64_t)(step->new_at - step->old_at);
}

/* Gathers the stable steps from `first` on that moved by the same distance. */
static void add_ripple(struct rippling *rippling, size_t last, size_t first)
{
	struct pair *pair = rippling->pair;
	struct step *steps = rippling->steps.items;
	struct ripple ripple = { .moved_bits = distance(&steps[first]) };
	size_t end = first;

	if (pair->result->ripples.nr == MAX_RIPPLES) {
		steps[first].stable = false;
		return;
	}
	for (size_t i = first; i < rippling->steps.nr; i++) {
		if (!steps[i].stable)
			continue;
		if (distance(&steps[i]) != ripple.moved_bits)
			break;
		pair->ripples[steps[i].old] = (int32_t)pair->result->ripples.nr;
		ripple.nr++;
		end = i;
	}
	ripple.first = pair_label(pair, &pair->matching.new_members, steps[first].new);
	ripple.last = pair_label(pair, &pair->matching.new_members, steps[end].new);
	explain(rippling, last, first, &ripple);
	*vec_add(&pair->result->ripples) = ripple;
}

static void find_ripples(struct rippling *rippling)
{
	struct step *steps = rippling->steps.items;
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < rippling->steps.nr; i++) {
		if (!steps[i].stable)
			continue;
		if (distance(&steps[i]) &&
		    (last == SIZE_MAX || distance(&steps[last]) != distance(&steps[i])))
			add_ripple(rippling, last, i);
		last = i;
	}
}

void pair_find_ripples(struct pair *pair, int32_t old_parent, int32_t new_parent)
{
	const struct matching *matching = &pair->matching;
	auto_vec struct index_vec old_anonymous = {}, new_anonymous = {};
	struct rippling rippling = {
		.pair = pair,
		.old_base =
			old_parent < 0 ? 0 : matching->old_members.items[old_parent].offset_bits,
		.new_base =
			new_parent < 0 ? 0 : matching->new_members.items[new_parent].offset_bits,
	};

	members_collect(&matching->old_members, old_parent, &rippling.olds, &old_anonymous);
	members_collect(&matching->new_members, new_parent, &rippling.news, &new_anonymous);
	list_steps(&rippling);
	find_ripples(&rippling);
	vec_deinit(&rippling.olds);
	vec_deinit(&rippling.news);
	vec_deinit(&rippling.steps);
}
