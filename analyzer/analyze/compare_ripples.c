/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which members were moved, and which were only pushed: the longest sequence of members that keeps
 * its order was pushed, by as much as what changed between its members grew or shrank.
 *
 * Order means something among members of one holder: the struct itself, or an anonymous struct or
 * one defined in place within it. The alternatives of a union are sequences of their own.
 */
#include "analyze/compare_pair.h"
#include "analyze/order.h"

/* A struct with more has been shuffled; the rest of its members count as moved. */
#define MAX_RIPPLES 256
#define MAX_CAUSES 3

/* A matched member on both sides; offsets in bits from the start of its holder. */
struct step {
	int32_t holder;	     /* index of the old one; -1 = the struct itself */
	int32_t alternative; /* of a union: the old member that it is or lies in; else -1 */
	uint32_t old;
	uint32_t new;
	uint64_t old_at;
	uint64_t new_at;
	bool stable;
};

/* A member that came or went; offset from the start of its holder. */
struct lone {
	int32_t holder;
	bool removed;
	uint32_t at;
	uint64_t offset;
};

DEFINE_VEC(step_vec, struct step);
DEFINE_VEC(lone_vec, struct lone);

struct rippling {
	struct pair *pair;
	struct step_vec steps;
	struct lone_vec lones;
	/* The sequence being looked at. */
	struct step *sequence;
	size_t nr_steps;
	size_t first_lone;
	size_t nr_lones;
};

/* Inner holders, which have the larger index, come first: outer ones ask what changed inside. */
static int compare_holders(int32_t a, int32_t b)
{
	return a > b ? -1 : a < b;
}

static int compare_steps(const void *a, const void *b)
{
	const struct step *left = a, *right = b;

	if (left->holder != right->holder)
		return compare_holders(left->holder, right->holder);
	if (left->alternative != right->alternative)
		return left->alternative < right->alternative ? -1 : 1;
	if (left->old_at != right->old_at)
		return left->old_at < right->old_at ? -1 : 1;
	return left->old < right->old ? -1 : left->old > right->old;
}

static int compare_lones(const void *a, const void *b)
{
	const struct lone *left = a, *right = b;

	if (left->holder != right->holder)
		return compare_holders(left->holder, right->holder);
	if (left->removed != right->removed)
		return left->removed - right->removed;
	return left->at < right->at ? -1 : left->at > right->at;
}

static bool is_union(const struct pair *pair, int32_t holder)
{
	const struct member *members = pair->matching.old_members.items;

	return (holder < 0 ? pair->old_type : member_aggregate(&members[holder]))->kind ==
	       TYPE_UNION;
}

/* What of the holder the member is or lies in. */
static int32_t alternative_of(const struct pair *pair, int32_t holder, uint32_t old)
{
	const struct member *members = pair->matching.old_members.items;
	int32_t at = (int32_t)old;

	if (!is_union(pair, holder))
		return -1;
	while (members[at].parent != holder)
		at = members[at].parent;
	return at;
}

static void add_step(struct rippling *rippling, uint32_t old, uint32_t new)
{
	const struct pair *pair = rippling->pair;
	struct place place = pair_place(pair, old, new);

	if (place.before == FIELD_OFFSET_UNKNOWN || place.after == FIELD_OFFSET_UNKNOWN)
		return;
	*vec_add(&rippling->steps) = (struct step){
		.holder = place.holder,
		.alternative = alternative_of(pair, place.holder, old),
		.old = old,
		.new = new,
		.old_at = place.before,
		.new_at = place.after,
	};
}

/* What lies in a member that came or went itself is not worth telling. */
static void add_lone(struct rippling *rippling, bool removed, uint32_t at)
{
	const struct matching *matching = &rippling->pair->matching;
	const struct member_vec *members =
		removed ? &matching->old_members : &matching->new_members;
	const int32_t *partners = removed ? matching->to_new : matching->to_old;
	const struct member *member = &members->items[at];
	int32_t parent = member->parent;
	uint64_t base = parent < 0 ? 0 : members->items[parent].offset_bits;

	if (parent >= 0 && partners[parent] < 0)
		return;
	*vec_add(&rippling->lones) = (struct lone){
		.holder = parent < 0 || removed ? parent : partners[parent],
		.removed = removed,
		.at = at,
		.offset = member->offset_bits - base,
	};
}

static void list_members(struct rippling *rippling)
{
	const struct matching *matching = &rippling->pair->matching;

	for (uint32_t i = 0; i < matching->old_members.nr; i++) {
		if (!matching->old_members.items[i].own)
			continue;
		if (pair_has_partner(rippling->pair, i))
			add_step(rippling, i, (uint32_t)matching->to_new[i]);
		else
			add_lone(rippling, true, i);
	}
	for (uint32_t i = 0; i < matching->new_members.nr; i++) {
		if (matching->new_members.items[i].own && matching->to_old[i] < 0)
			add_lone(rippling, false, i);
	}
	vec_sort(&rippling->steps, compare_steps);
	vec_sort(&rippling->lones, compare_lones);
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
	causes->follows = causes->follows && follows;
	if (++causes->nr > MAX_CAUSES)
		return;
	text_printf(&causes->text, "%s%s %s", causes->nr == 1 ? "" : ", ",
		    pair_label(rippling->pair, members, at), what);
}

/* Offsets of the old and the new struct in between which to look, inclusive. */
struct gap {
	uint64_t old_from;
	uint64_t old_to;
	uint64_t new_from;
	uint64_t new_to;
};

static bool is_within(uint64_t offset, uint64_t from, uint64_t to)
{
	return offset >= from && offset <= to;
}

/* Whether a member of that width at offset lies between from and to, or reaches into there. */
static bool reaches(uint64_t offset, uint64_t width, uint64_t from, uint64_t to)
{
	return offset < to && offset + width > from;
}

static bool grew_into(const struct rippling *rippling, const struct step *step,
		      const struct gap *gap)
{
	const struct matching *matching = &rippling->pair->matching;
	uint64_t before = matching->old_members.items[step->old].width_bits;
	uint64_t after = matching->new_members.items[step->new].width_bits;

	return rippling->pair->kinds[step->old] & (CHANGE_RESIZED | CHANGE_BITS) &&
	       (reaches(step->old_at, before, gap->old_from, gap->old_to) ||
		reaches(step->new_at, after, gap->new_from, gap->new_to));
}

/* Whether what changed about a matched member is no edit of it. */
static bool follows(const struct rippling *rippling, const struct step *step)
{
	return !(pair_edited_kinds(rippling->pair, step->old) &
		 (CHANGE_RESIZED | CHANGE_BITS | CHANGE_REALIGNED | CHANGE_RETYPED));
}

static void add_grown(struct rippling *rippling, struct causes *causes, const struct step *step)
{
	const struct matching *matching = &rippling->pair->matching;
	uint64_t old_bits = matching->old_members.items[step->old].width_bits;
	uint64_t new_bits = matching->new_members.items[step->new].width_bits;
	auto_text struct text what = {};

	text_printf(&what, "%s by ", old_bits < new_bits ? "grew" : "shrank");
	bits_print(&what, old_bits < new_bits ? new_bits - old_bits : old_bits - new_bits);
	add_cause(rippling, causes, &matching->new_members, step->new, text_chars(&what),
		  follows(rippling, step));
}

/* Matched members that changed around the gap. */
static void add_changed(struct rippling *rippling, struct causes *causes, const struct gap *gap)
{
	const struct pair *pair = rippling->pair;

	for (size_t i = 0; i < rippling->nr_steps; i++) {
		const struct step *step = &rippling->sequence[i];
		const char *what = NULL;

		if (step->stable && grew_into(rippling, step, gap))
			add_grown(rippling, causes, step);
		else if (step->stable && pair->kinds[step->old] & CHANGE_REALIGNED &&
			 step->old_at == gap->old_to)
			what = "asks for another alignment";
		else if (!step->stable && is_within(step->new_at, gap->new_from, gap->new_to))
			what = "moved here";
		else if (!step->stable && is_within(step->old_at, gap->old_from, gap->old_to))
			what = "moved away";
		if (what)
			add_cause(rippling, causes, &pair->matching.new_members, step->new, what,
				  step->stable && follows(rippling, step));
	}
}

static void add_lones(struct rippling *rippling, struct causes *causes, const struct gap *gap)
{
	const struct matching *matching = &rippling->pair->matching;

	for (size_t i = 0; i < rippling->nr_lones; i++) {
		const struct lone *lone = &rippling->lones.items[rippling->first_lone + i];

		if (lone->removed && is_within(lone->offset, gap->old_from, gap->old_to))
			add_cause(rippling, causes, &matching->old_members, lone->at, "was removed",
				  false);
		else if (!lone->removed && is_within(lone->offset, gap->new_from, gap->new_to))
			add_cause(rippling, causes, &matching->new_members, lone->at, "was added",
				  false);
	}
}

/* The ripple that begins at step `first`, behind the stable step `last` (NULL = none). */
static void explain(struct rippling *rippling, const struct step *last, const struct step *first,
		    struct ripple *ripple)
{
	const struct ripple_vec *ripples = &rippling->pair->result->ripples;
	struct causes causes = { .follows = true };
	struct gap gap = { 0, first->old_at, 0, first->new_at };

	if (last) {
		gap.old_from = last->old_at;
		gap.new_from = last->new_at;
	}
	add_lones(rippling, &causes, &gap);
	add_changed(rippling, &causes, &gap);
	if (causes.nr > MAX_CAUSES)
		text_printf(&causes.text, " and %u more", causes.nr - MAX_CAUSES);
	if (!causes.nr && last && last->old_at != last->new_at) {
		/* The rest of the last one: a hole took some of it, or alignment added to it. */
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
static void add_ripple(struct rippling *rippling, const struct step *last, struct step *first)
{
	struct pair *pair = rippling->pair;
	const struct step *end = rippling->sequence + rippling->nr_steps, *final = first;
	struct ripple ripple = { .moved_bits = distance(first) };

	if (pair->result->ripples.nr == MAX_RIPPLES) {
		first->stable = false;
		return;
	}
	for (const struct step *step = first; step < end; step++) {
		if (!step->stable)
			continue;
		if (distance(step) != ripple.moved_bits)
			break;
		pair->ripples[step->old] = (int32_t)pair->result->ripples.nr;
		ripple.nr++;
		final = step;
	}
	ripple.first = pair_label(pair, &pair->matching.new_members, first->new);
	ripple.last = pair_label(pair, &pair->matching.new_members, final->new);
	explain(rippling, last, first, &ripple);
	if (!ripple.follows)
		pair_mark_edited(pair, first->holder);
	*vec_add(&pair->result->ripples) = ripple;
}

static void mark_stable(struct step *steps, size_t nr)
{
	auto_free struct order *orders = memory_alloc(nr, sizeof(*orders));

	for (size_t i = 0; i < nr; i++)
		orders[i] = (struct order){
			.offset = steps[i].new_at,
			.index = steps[i].new,
			.stayed = steps[i].old_at == steps[i].new_at,
		};
	order_keep_most(orders, nr);
	for (size_t i = 0; i < nr; i++)
		steps[i].stable = orders[i].kept;
}

static void find_in_sequence(struct rippling *rippling)
{
	struct pair *pair = rippling->pair;
	const struct step *last = NULL;

	mark_stable(rippling->sequence, rippling->nr_steps);
	for (size_t i = 0; i < rippling->nr_steps; i++) {
		struct step *step = &rippling->sequence[i];

		if (!step->stable)
			continue;
		if (distance(step) && (!last || distance(last) != distance(step)))
			add_ripple(rippling, last, step);
		last = step;
	}
	for (size_t i = 0; i < rippling->nr_steps; i++) {
		if (pair_edited_kinds(pair, rippling->sequence[i].old))
			pair_mark_edited(pair, rippling->sequence[i].holder);
	}
}

/* What came to the sequence's holder or went from it; in a union nothing pushes another. */
static void find_lones(struct rippling *rippling, int32_t holder)
{
	const struct lone_vec *lones = &rippling->lones;
	size_t end;

	/* Sequences and lones come in the same order of holders. */
	while (rippling->first_lone < lones->nr &&
	       lones->items[rippling->first_lone].holder > holder)
		rippling->first_lone++;
	end = rippling->first_lone;
	while (end < lones->nr && lones->items[end].holder == holder)
		end++;
	rippling->nr_lones = is_union(rippling->pair, holder) ? 0 : end - rippling->first_lone;
}

void pair_find_ripples(struct pair *pair)
{
	struct rippling rippling = { .pair = pair };
	size_t start, end;

	list_members(&rippling);
	for (size_t i = 0; i < rippling.lones.nr; i++)
		pair_mark_edited(pair, rippling.lones.items[i].holder);
	for (start = 0; start < rippling.steps.nr; start = end) {
		const struct step *first = &rippling.steps.items[start];

		for (end = start; end < rippling.steps.nr; end++) {
			if (rippling.steps.items[end].holder != first->holder ||
			    rippling.steps.items[end].alternative != first->alternative)
				break;
		}
		rippling.sequence = rippling.steps.items + start;
		rippling.nr_steps = end - start;
		find_lones(&rippling, first->holder);
		find_in_sequence(&rippling);
	}
	vec_deinit(&rippling.steps);
	vec_deinit(&rippling.lones);
}
