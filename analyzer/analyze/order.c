/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/order.h"

#include "base/memory.h"

static int compare_places(const void *a, const void *b)
{
	const struct order *const *left = a, *const *right = b;

	if ((*left)->offset != (*right)->offset)
		return (*left)->offset < (*right)->offset ? -1 : 1;
	return (*left)->index < (*right)->index ? -1 : (*left)->index > (*right)->index;
}

/* Where each stands in the new order, from 1. */
static size_t *find_ranks(struct order *orders, size_t nr)
{
	auto_free const struct order **sorted = memory_alloc(nr, sizeof(*sorted));
	size_t *ranks = memory_alloc(nr, sizeof(*ranks));

	for (size_t i = 0; i < nr; i++)
		sorted[i] = &orders[i];
	qsort(sorted, nr, sizeof(*sorted), compare_places);
	for (size_t i = 0; i < nr; i++)
		ranks[sorted[i] - orders] = i + 1;
	return ranks;
}

/* A Fenwick tree (1994) keeps, for each rank and those below, where the heaviest sequence ends. */
void order_keep_most(struct order *orders, size_t nr)
{
	auto_free size_t *ranks = find_ranks(orders, nr);
	auto_free uint64_t *weights = memory_alloc(nr, sizeof(*weights));
	auto_free size_t *before = memory_alloc(nr, sizeof(*before)); /* index + 1; 0 = none */
	auto_free size_t *tree = memory_alloc(nr + 1, sizeof(*tree)); /* the same */
	size_t best = 0;

	for (size_t i = 0; i < nr; i++) {
		for (size_t at = ranks[i]; at; at &= at - 1) {
			if (tree[at] &&
			    (!before[i] || weights[tree[at] - 1] > weights[before[i] - 1]))
				before[i] = tree[at];
		}
		weights[i] =
			(1ull << 32) + orders[i].stayed + (before[i] ? weights[before[i] - 1] : 0);
		for (size_t at = ranks[i]; at <= nr; at += at & -at) {
			if (!tree[at] || weights[i] > weights[tree[at] - 1])
				tree[at] = i + 1;
		}
		if (!best || weights[i] > weights[best - 1])
			best = i + 1;
	}
	for (; best; best = before[best - 1])
		orders[best - 1].kept = true;
}
