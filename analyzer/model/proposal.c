/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/proposal.h"

const char *const trouble_words[] = {
	[TROUBLE_CUT] = "cut",
	[TROUBLE_STRADDLE] = "straddle",
	[TROUBLE_CONFLICT] = "conflict",
	[TROUBLE_SPREAD] = "spread",
	NULL,
};

const char *const caution_words[] = {
	[CAUTION_UAPI] = "uapi",
	[CAUTION_WIRE] = "wire",
	[CAUTION_FIRST] = "first",
	[CAUTION_RCU] = "rcu",
	[CAUTION_FLEXIBLE] = "flexible",
	[CAUTION_KABI] = "kabi",
	[CAUTION_BITS] = "bits",
	[CAUTION_GROUP] = "group",
	[CAUTION_RANDOM] = "randomized",
	[CAUTION_LOCK] = "lock",
	[CAUTION_KMALLOC] = "kmalloc",
	[CAUTION_ASSERTED] = "asserted",
	[CAUTION_SPLIT] = "split",
	[CAUTION_RANGE] = "range",
	[CAUTION_COMMENT] = "comment",
	[CAUTION_UNCERTAIN] = "uncertain",
	NULL,
};

const char *const edit_words[] = {
	[EDIT_INSERT] = "insert",
	[EDIT_WRAP] = "wrap",
	[EDIT_ALIGN_MEMBER] = "align",
	[EDIT_ALIGN_TYPE] = "align_type",
	[EDIT_MOVE] = "move",
	[EDIT_ORDER] = "order",
	[EDIT_GROUP] = "group",
	[EDIT_SPLIT] = "split",
	[EDIT_REMOVE] = "remove",
	[EDIT_RETYPE] = "retype",
	NULL,
};

void proposal_deinit(struct proposal *proposal)
{
	for (size_t i = 0; i < proposal->outers.nr; i++) {
		vec_deinit(&proposal->outers.items[i].gone);
		vec_deinit(&proposal->outers.items[i].new);
	}
	vec_deinit(&proposal->outers);
	vec_deinit(&proposal->gone);
	vec_deinit(&proposal->new);
	vec_deinit(&proposal->parted);
	vec_deinit(&proposal->joined);
	vec_deinit(&proposal->straddles_won);
	vec_deinit(&proposal->straddles_lost);
	vec_deinit(&proposal->pair_straddles_won);
	vec_deinit(&proposal->pair_straddles_lost);
	vec_deinit(&proposal->cautions);
}

static void deinit_all(struct proposal_vec *proposals)
{
	for (size_t i = 0; i < proposals->nr; i++)
		proposal_deinit(&proposals->items[i]);
	vec_deinit(proposals);
}

void proposals_deinit(struct proposals *proposals)
{
	deinit_all(&proposals->made);
	deinit_all(&proposals->forbidden);
	vec_deinit(&proposals->troubles);
	arena_deinit(&proposals->types);
	arena_deinit(&proposals->arena);
}

void sweep_deinit(struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->rows.nr; i++) {
		vec_deinit(&sweep->rows.items[i].troubles);
		vec_deinit(&sweep->rows.items[i].cuts);
	}
	vec_deinit(&sweep->rows);
	arena_deinit(&sweep->arena);
}
