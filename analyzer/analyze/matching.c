/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/matching.h"

#include <string.h>

#include "analyze/rename.h"
#include "analyze/spelling.h"

/* With more pairs of anonymous members than that only their content tells which is which. */
#define MAX_PAIRS 65536

struct named {
	const char *name;
	int32_t position;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : left->position - right->position;
}

static void sort_by_name(const struct scope_side *side, size_t from, struct named *ret)
{
	for (size_t i = from; i < side->nr; i++)
		ret[i - from] = (struct named){ scope_name(side, i), (int32_t)i };
	qsort(ret, side->nr - from, sizeof(*ret), compare_named);
}

/* Most structs keep the order of most members: what is equal at the start needs no sorting. */
static void match_names(struct scope *scope)
{
	struct scope_side *old = &scope->old_side, *new = &scope->new_side;
	auto_free struct named *olds = NULL, *news = NULL;
	size_t from = 0, i = 0, j = 0;

	while (from < old->nr && from < new->nr &&
	       !strcmp(scope_name(old, from), scope_name(new, from))) {
		scope_link(scope, from, from, NULL);
		from++;
	}
	if (from == old->nr || from == new->nr)
		return;
	olds = memory_alloc(old->nr - from, sizeof(*olds));
	news = memory_alloc(new->nr - from, sizeof(*news));
	sort_by_name(old, from, olds);
	sort_by_name(new, from, news);
	while (i < old->nr - from && j < new->nr - from) {
		int order = strcmp(olds[i].name, news[j].name);

		if (!order)
			scope_link(scope, (size_t)olds[i].position, (size_t)news[j].position, NULL);
		i += order <= 0;
		j += order >= 0;
	}
}

static void link_members(struct matching *matching, uint32_t old, uint32_t new)
{
	matching->to_new[old] = (int32_t) new;
	matching->to_old[new] = (int32_t)old;
}

/* The unmatched anonymous member of the same kind that holds most of what old held. */
static int32_t find_by_content(const struct matching *matching, uint32_t old)
{
	const struct member *olds = matching->old_members.items,
			    *news = matching->new_members.items;
	int32_t best = MATCHING_NONE, current = MATCHING_NONE;
	uint32_t most = 0, run = 0;

	for (uint32_t i = old + 1; i <= old + olds[old].nr_inside; i += 1 + olds[i].nr_inside) {
		int32_t partner = matching->to_new[i];
		int32_t holder = partner < 0 ? MATCHING_NONE : news[partner].parent;

		if (holder < 0 || !news[holder].anonymous || matching->to_old[holder] >= 0 ||
		    member_aggregate(&news[holder])->kind != member_aggregate(&olds[old])->kind)
			continue;
		run = holder == current ? run + 1 : 1;
		current = holder;
		if (run > most) {
			most = run;
			best = holder;
		}
	}
	return best;
}

/* Nothing in it has a name: content can't tell which one it is. */
static bool is_nameless(const struct member_vec *members, uint32_t at)
{
	for (uint32_t i = at + 1; i <= at + members->items[at].nr_inside; i++) {
		if (!members->items[i].anonymous)
			return false;
	}
	return true;
}

/* Whether two that share no content may be one: in one place, or in the same order. */
static bool may_be_same(const struct matching *matching, uint32_t old, uint32_t new)
{
	const struct member *a = &matching->old_members.items[old];
	const struct member *b = &matching->new_members.items[new];
	bool nameless = is_nameless(&matching->old_members, old) ||
			is_nameless(&matching->new_members, new);

	if (member_aggregate(a)->kind != member_aggregate(b)->kind)
		return false;
	if (a->parent >= 0 && matching->to_new[a->parent] != b->parent)
		return false;
	return nameless || (a->offset_bits == b->offset_bits && a->width_bits == b->width_bits);
}

/* Inner ones first: they are content of the outer ones. Then, in order, what has lost its own. */
static void match_anonymous(struct matching *matching, const struct index_vec *olds,
			    const struct index_vec *news)
{
	size_t next = 0;
	bool few = !news->nr || olds->nr <= MAX_PAIRS / news->nr;

	for (size_t i = olds->nr; i-- > 0;) {
		int32_t new = find_by_content(matching, olds->items[i]);

		if (new >= 0)
			link_members(matching, olds->items[i], new);
	}
	for (size_t i = 0; few && i < olds->nr; i++) {
		if (matching->to_new[olds->items[i]] >= 0)
			continue;
		for (size_t j = next; j < news->nr; j++) {
			if (matching->to_old[news->items[j]] >= 0 ||
			    !may_be_same(matching, olds->items[i], news->items[j]))
				continue;
			link_members(matching, olds->items[i], news->items[j]);
			next = j + 1;
			break;
		}
	}
}

static void match_scope(struct matching *matching, int32_t old_parent, int32_t new_parent)
{
	auto_vec struct index_vec olds = {}, news = {}, old_anonymous = {}, new_anonymous = {};
	struct scope scope = { .matching = matching };

	members_collect(&matching->old_members, old_parent, &olds, &old_anonymous);
	members_collect(&matching->new_members, new_parent, &news, &new_anonymous);
	scope_init(&scope, olds.items, olds.nr, news.items, news.nr);
	match_names(&scope);
	scope_match_renamed(&scope);
	scope_deinit(&scope);
	match_anonymous(matching, &old_anonymous, &new_anonymous);
	for (size_t i = 0; i < olds.nr; i++) {
		int32_t old = (int32_t)olds.items[i], new = matching->to_new[old];

		if (new >= 0 && matching->old_members.items[old].nr_inside &&
		    matching->new_members.items[new].nr_inside)
			match_scope(matching, old, new);
	}
}

static int32_t *none_matched(size_t nr)
{
	int32_t *partners = memory_alloc(nr, sizeof(*partners));

	for (size_t i = 0; i < nr; i++)
		partners[i] = MATCHING_NONE;
	return partners;
}

void matching_init(struct matching *matching, const struct type *old_type,
		   const struct type *new_type, bool loose)
{
	bool complete;

	*matching = (struct matching){ .loose = loose };
	complete = members_open(old_type, &matching->old_members);
	complete = members_open(new_type, &matching->new_members) && complete;
	matching->truncated = !complete;
	matching->to_new = none_matched(matching->old_members.nr);
	matching->to_old = none_matched(matching->new_members.nr);
	matching->renamed_for =
		memory_alloc(matching->old_members.nr, sizeof(*matching->renamed_for));
	match_scope(matching, MATCHING_NONE, MATCHING_NONE);
}

void matching_deinit(struct matching *matching)
{
	vec_deinit(&matching->old_members);
	vec_deinit(&matching->new_members);
	free(matching->to_new);
	free(matching->to_old);
	free(matching->renamed_for);
	text_deinit(&matching->scratch[0]);
	text_deinit(&matching->scratch[1]);
}

/* The type's text, without what differs between compilers and formats only. */
static const char *spell(struct matching *matching, int at, const struct type *type)
{
	struct text *text = &matching->scratch[at];

	text_clear(text);
	type_print(text, type, NULL);
	spelling_unify(text);
	if (matching->loose)
		spelling_flatten_counts(text);
	return text_chars(text);
}

bool matching_types_alike(struct matching *matching, const struct type *a, const struct type *b)
{
	if (a && b && a->kind == b->kind && a->name && b->name && type_keyword(a->kind))
		return !strcmp(a->name, b->name);
	if (type_hash(a) == type_hash(b))
		return true;
	return !strcmp(spell(matching, 0, a), spell(matching, 1, b));
}
