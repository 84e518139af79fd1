/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/coverage.h"

#include "resolve/images.h"

void coverage_add(struct resolver *resolver, uint64_t ip, uint64_t weight, struct coverage *ret)
{
	uint64_t address;
	struct analysis *analysis = images_find(resolver, ip, &address);
	struct row row = { .reason = ACCESS_NO_CODE };

	if (analysis && !analysis_find(analysis, address, &row))
		row = (struct row){ .reason = ACCESS_NO_CODE };
	ret->total.nr++;
	ret->total.weight += weight;
	ret->by_reason[row.reason].nr++;
	ret->by_reason[row.reason].weight += weight;
	ret->by_class[row.class].nr++;
	ret->by_class[row.class].weight += weight;
	if (row.reason != ACCESS_RESOLVED)
		return;
	ret->by_rule[row.rule].nr++;
	ret->by_rule[row.rule].weight += weight;
	ret->by_confidence[row.confidence].nr++;
	ret->by_confidence[row.confidence].weight += weight;
	if (row.is_field) {
		ret->fields.nr++;
		ret->fields.weight += weight;
	}
}

void resolver_list(struct resolver *resolver, struct address_list *ret)
{
	struct address_vec found = {};

	analysis_list(&resolver->kernel, ".text", &found);
	*ret = (struct address_list){ found.items, found.nr };
}
