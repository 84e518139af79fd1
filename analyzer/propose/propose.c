/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/propose.h"

#include <string.h>

#include "analyze/slab.h"
#include "propose/proposer.h"

struct score score_of(const struct standing *standing, const struct type *type)
{
	return (struct score){ standing->troubles.nr, standing->used_lines, type->size };
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

int score_compare(const struct score *a, const struct score *b)
{
	int order = compare_numbers(a->troubles, b->troubles);

	if (!order)
		order = compare_numbers(a->used_lines, b->used_lines);
	return order ? order : compare_numbers(a->size, b->size);
}

struct standing proposer_stand(const struct proposer *proposer, const struct type *type,
			       struct arena *arena)
{
	return standing_of(type, proposer->request->view, &proposer->request->used, arena);
}

bool proposer_score(struct proposer *proposer, const struct edit *edits, size_t nr_edits,
		    struct score *ret)
{
	auto_standing struct standing standing = {};
	auto_arena struct arena scratch = {};
	struct edited edited;
	auto_error struct error *err =
		relayout_edit(&proposer->relayout, proposer->type, edits, nr_edits, &edited);

	if (err)
		return false;
	standing = proposer_stand(proposer, edited.type, &scratch);
	*ret = score_of(&standing, edited.type);
	return true;
}

/* Troubles brought less those cured, in the struct and in those around it. */
static int64_t balance(const struct proposal *proposal)
{
	int64_t sum = (int64_t)proposal->new.nr - (int64_t)proposal->gone.nr;

	for (size_t i = 0; i < proposal->outers.nr; i++)
		sum += (int64_t)proposal->outers.items[i].new.nr -
		       (int64_t)proposal->outers.items[i].gone.nr;
	return sum;
}

/* A pointer on the way costs each access more than any layout saves: the last resort. */
static bool splits(const struct proposal *proposal)
{
	for (size_t i = 0; i < proposal->nr_edits; i++) {
		if (proposal->edits[i].kind == EDIT_SPLIT)
			return true;
	}
	return false;
}

/* The best first: what cures most, moves lines and spreads hot fields least, costs least. */
static int compare_proposals(const void *a, const void *b)
{
	const struct proposal *left = a, *right = b;
	int64_t left_balance = balance(left), right_balance = balance(right);
	int order = (int)splits(left) - (int)splits(right);

	if (!order)
		order = left_balance < right_balance ? -1 : left_balance > right_balance;
	if (!order)
		order = compare_numbers(left->figures.transfers, right->figures.transfers);
	if (!order)
		order = compare_numbers(left->figures.used_lines, right->figures.used_lines);
	if (!order)
		order = compare_numbers(left->figures.slab_object, right->figures.slab_object);
	if (!order)
		order = compare_numbers(left->figures.size, right->figures.size);
	return order ? order : strcmp(left->title, right->title);
}

static void judge(struct proposer *proposer, const struct candidate_vec *candidates,
		  struct proposals *ret)
{
	for (size_t i = 0; i < candidates->nr; i++) {
		struct proposal proposal;
		enum worth worth;
		struct error *err =
			proposer_judge(proposer, &candidates->items[i], &proposal, &worth);

		/* What cannot be made, such as a bit-field in a union, is no candidate. */
		if (err) {
			error_destroy(err);
			ret->nr_useless++;
			continue;
		}
		switch (worth) {
		case WORTH_MAKING:
			*vec_add(&ret->made) = proposal;
			break;
		case WORTH_FORBIDDEN:
			*vec_add(&ret->forbidden) = proposal;
			break;
		case WORTH_NOTHING:
			proposal_deinit(&proposal);
			ret->nr_useless++;
			break;
		}
	}
	vec_sort(&ret->made, compare_proposals);
	vec_sort(&ret->forbidden, compare_proposals);
}

struct error *proposer_init(struct proposer *proposer, const struct propose_request *request,
			    struct arena *arena)
{
	const struct type *type = request->definition->type;
	const struct explanation *explanation;
	struct error *err = used_fields_check(type, &request->used);

	*proposer = (struct proposer){ .request = request, .type = type, .arena = arena };
	relayout_init(&proposer->relayout, &request->set->source);
	explanation = relayout_explain(&proposer->relayout, type);
	if (!err && explanation->refusal)
		err = error_create(ERROR_INPUT, "its layout cannot be explained: %s",
				   explanation->refusal);
	if (err)
		return error_wrap(err, "%s", definition_name(request->definition));
	proposer->before = proposer_stand(proposer, type, arena);
	return NULL;
}

void proposer_deinit(struct proposer *proposer)
{
	standing_deinit(&proposer->before);
	relayout_deinit(&proposer->relayout);
}

struct error *propose(const struct propose_request *request, struct proposals *ret)
{
	struct proposer proposer __attribute__((cleanup(proposer_deinit)));
	auto_proposals struct proposals proposals = {
		.definition = request->definition,
		.view = request->view,
		.assumption = SLAB_ASSUMPTION,
		.nr_used = request->used.nr,
		.constraints = request->constraints,
		.touches = request->touches,
	};
	auto_vec struct candidate_vec candidates = {};
	struct error *err = proposer_init(&proposer, request, &proposals.arena);

	if (err)
		return err;
	proposals.figures = proposer_figures(&proposer, proposer.type, &proposer.before);
	for (size_t i = 0; i < proposer.before.troubles.nr; i++)
		*vec_add(&proposals.troubles) = proposer.before.troubles.items[i];
	candidates_find(&proposer, &candidates);
	if (request->pack)
		candidates_pack(&proposer, &candidates);
	judge(&proposer, &candidates, &proposals);
	proposals.types = proposer.relayout.arena;
	proposer.relayout.arena = (struct arena){};
	*ret = proposals;
	proposals = (struct proposals){};
	return NULL;
}
