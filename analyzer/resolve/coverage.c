/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/coverage.h"

#include "resolve/images.h"

static void share_add(struct share *share, uint64_t weight)
{
	share->nr++;
	share->weight += weight;
}

static const char *confidence_word(unsigned int i)
{
	return access_confidence_name((enum access_confidence)i);
}

static const char *reason_word(unsigned int i)
{
	return access_unresolved_word((enum access_unresolved)i);
}

static const char *reason_phrase(unsigned int i)
{
	return access_unresolved_phrase((enum access_unresolved)i);
}

static const char *rule_word_of(unsigned int i)
{
	return rule_word((enum rule)i);
}

static const char *rule_phrase_of(unsigned int i)
{
	return rule_phrase((enum rule)i);
}

static const char *class_word(unsigned int i)
{
	return operand_class_word((enum operand_class)i);
}

/* One row for each of nr values, whether it occurs or not: reports compare. */
static void make_rows(struct coverage_row_vec *rows, unsigned int nr,
		      const char *(*word)(unsigned int), const char *(*phrase)(unsigned int))
{
	for (unsigned int i = rows->nr; i < nr; i++)
		*vec_add(rows) = (struct coverage_row){ word(i), phrase(i), {} };
}

static void prepare(struct coverage *coverage)
{
	make_rows(&coverage->reasons, ACCESS_NR_REASONS, reason_word, reason_phrase);
	make_rows(&coverage->rules, NR_RULES, rule_word_of, rule_phrase_of);
	make_rows(&coverage->classes, NR_CLASSES, class_word, class_word);
	make_rows(&coverage->confidences, CONFIDENCE_HIGH + 1, confidence_word, confidence_word);
}

void coverage_add(struct resolver *resolver, uint64_t ip, uint64_t weight, struct coverage *ret)
{
	uint64_t address;
	struct analysis *analysis = images_find(resolver, ip, &address);
	struct row row = { .reason = ACCESS_NO_CODE };

	prepare(ret);
	if (analysis && !analysis_find(analysis, address, &row))
		row = (struct row){ .reason = ACCESS_NO_CODE };
	ret->weighed |= weight != 1;
	share_add(&ret->total, weight);
	share_add(&ret->reasons.items[row.reason].share, weight);
	share_add(&ret->classes.items[row.class].share, weight);
	share_add(&ret->rules.items[row.rule].share, weight);
	share_add(&ret->confidences.items[row.confidence].share, weight);
	if (row.reason != ACCESS_RESOLVED)
		return;
	share_add(&ret->typed, weight);
	if (row.is_field)
		share_add(&ret->fields, weight);
}

void resolver_list(struct resolver *resolver, struct address_list *ret)
{
	struct address_vec found = {};

	analysis_list(&resolver->kernel, ".text", &found);
	*ret = (struct address_list){ found.items, found.nr };
}

/* splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void address_list_sample(struct address_list *list, size_t nr, uint64_t seed)
{
	if (nr >= list->nr)
		return;
	for (size_t i = 0; i < nr; i++) {
		size_t chosen = i + next_random(&seed) % (list->nr - i);
		uint64_t kept = list->items[i];

		list->items[i] = list->items[chosen];
		list->items[chosen] = kept;
	}
	list->nr = nr;
	if (nr)
		qsort(list->items, nr, sizeof(*list->items), compare_addresses);
}
