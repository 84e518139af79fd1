/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/proposal.h"

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
