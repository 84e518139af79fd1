/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of a struct and of those around it: all that a candidate wins and costs. */
#include <string.h>

#include "analyze/compare.h"
#include "analyze/slab.h"
#include "propose/modelled.h"
#include "propose/proposer.h"

struct figures proposer_figures(struct proposer *proposer, const struct type *type,
				const struct standing *standing)
{
	const uint32_t align = relayout_align(&proposer->relayout, type);
	struct slab slab =
		slab_cache(type->size, align, proposer->request->set->source.arch->cacheline);

	return (struct figures){
		.size = type->size,
		.align = align,
		.slab_object = slab.object_size,
		.slab_nr = slab.nr_objects,
		.kmalloc = slab_bucket(type->size),
		.used_lines = standing->used_lines,
		.used_pairs = standing->used_pairs,
		.least_lines = standing->least_lines,
		.transfers = modelled_transfers(type, proposer->request->view,
						proposer->request->touches),
	};
}

/* What is put in may straddle: nobody uses it. */
static bool is_new_field(const struct proposal *proposal, const char *field)
{
	for (size_t i = 0; field && i < proposal->nr_edits; i++) {
		const struct edit *edit = &proposal->edits[i];

		if (edit->kind != EDIT_GROUP && edit->name && !strcmp(edit->name, field))
			return true;
	}
	return false;
}

/* What a comparison of before and after says about straddling in lines of some size. */
static void find_straddles(struct proposer *proposer, const struct proposal *proposal,
			   uint32_t line_size, struct string_vec *won, struct string_vec *lost)
{
	const struct compare_options options = { &line_size, 1, proposer->request->view.phase };
	struct definition old_definition = *proposer->request->definition;
	struct definition new_definition = old_definition;
	struct typeset old_set = *proposer->request->set, new_set = old_set;
	auto_comparison_set struct comparison_set set = {};

	new_definition.type = proposal->after;
	old_set.definitions = (struct definition_vec){ &old_definition, 1, 1 };
	new_set.definitions = (struct definition_vec){ &new_definition, 1, 1 };
	compare_sets(&old_set, &new_set, &options, &set);
	for (size_t i = 0; i < set.comparisons.nr; i++) {
		const struct finding_vec *findings = &set.comparisons.items[i].findings;

		for (size_t j = 0; j < findings->nr; j++) {
			const struct finding *finding = &findings->items[j];

			if (strcmp(finding->rule->id, "DIFF-STRADDLE") ||
			    is_new_field(proposal, finding->field))
				continue;
			*vec_add(finding->severity == SEVERITY_NOTE ? won : lost) =
				arena_strdup(proposer->arena, finding->message);
		}
	}
}

/* Of a struct around it only the locks count: how its other fields are used nobody told. */
static struct moved_outer judge_outer(struct proposer *proposer, const struct moved *moved)
{
	static const struct used_field_vec none = {};
	const struct view view = proposer->request->view;
	const struct type *before = moved->before->type, *after = moved->after.type;
	auto_standing struct standing was = {}, is = {};
	struct moved_outer outer = {
		.name = arena_printf(proposer->arena, "%s %s", type_keyword(before->kind),
				     definition_name(moved->before)),
		.size_before = before->size,
		.refusal = moved->refusal,
	};

	if (!after)
		return outer;
	outer.after = after;
	outer.size_after = after->size;
	outer.align_after = relayout_align(&proposer->relayout, after);
	was = standing_of(before, view, &none, proposer->arena);
	is = standing_of(after, view, &none, proposer->arena);
	troubles_subtract(&was.troubles, &is.troubles, &outer.gone);
	troubles_subtract(&is.troubles, &was.troubles, &outer.new);
	return outer;
}

static struct error *find_outers(struct proposer *proposer, const struct candidate *candidate,
				 struct edited *ret, struct proposal *proposal)
{
	auto_vec struct moved_vec moved = {};
	struct error *err =
		relayout_set(&proposer->relayout, proposer->request->set, proposer->type,
			     candidate->edits, candidate->nr_edits, &moved);

	for (size_t i = 0; !err && i < moved.nr; i++) {
		if (moved.items[i].before == proposer->request->definition)
			*ret = moved.items[i].after;
		else
			*vec_add(&proposal->outers) = judge_outer(proposer, &moved.items[i]);
	}
	return err;
}

static bool is_forbidden(const struct proposal *proposal)
{
	for (size_t i = 0; i < proposal->cautions.nr; i++) {
		if (proposal->cautions.items[i].forbids)
			return true;
	}
	return false;
}

/* A candidate has to cure more than it breaks; one that packs has to make the struct smaller. */
static bool is_useful(struct proposer *proposer, const struct proposal *proposal)
{
	const uint64_t before = proposer->before.used_lines, after = proposal->figures.used_lines;

	if (proposal->figures.align < relayout_align(&proposer->relayout, proposer->type))
		return false;
	if (proposal->new.nr > proposal->gone.nr || (before && after > before + proposal->gone.nr))
		return false;
	return proposal->gone.nr > proposal->new.nr || after < before ||
	       (proposer->request->pack && proposal->figures.size < proposer->type->size);
}

static void find_pairs(struct proposer *proposer, const struct standing *of,
		       const struct standing *without, struct string_vec *ret)
{
	const struct used_field *used = proposer->request->used.items;

	for (size_t i = 0; i < of->sharing.nr; i++) {
		const struct used_pair *pair = &of->sharing.items[i];

		if (!standing_shares(without, pair))
			*vec_add(ret) =
				arena_printf(proposer->arena, "%s and %s", used[pair->first].path,
					     used[pair->second].path);
	}
}

struct error *proposer_judge(struct proposer *proposer, const struct candidate *candidate,
			     struct proposal *ret, enum worth *ret_worth)
{
	auto_standing struct standing after = {};
	struct proposal proposal = { .title = candidate->title,
				     .change = candidate->change,
				     .edits = candidate->edits,
				     .nr_edits = candidate->nr_edits };
	const uint32_t line = proposer->request->view.cacheline;
	struct edited edited = {};
	struct error *err = find_outers(proposer, candidate, &edited, &proposal);

	if (err) {
		proposal_deinit(&proposal);
		return err;
	}
	proposal.after = edited.type;
	after = proposer_stand(proposer, edited.type, proposer->arena);
	proposal.figures = proposer_figures(proposer, edited.type, &after);
	if (edited.split) /* touches of what is elsewhere now are not in it */
		proposal.figures.transfers = 0;
	troubles_subtract(&proposer->before.troubles, &after.troubles, &proposal.gone);
	troubles_subtract(&after.troubles, &proposer->before.troubles, &proposal.new);
	find_pairs(proposer, &proposer->before, &after, &proposal.parted);
	find_pairs(proposer, &after, &proposer->before, &proposal.joined);
	find_straddles(proposer, &proposal, line, &proposal.straddles_won,
		       &proposal.straddles_lost);
	find_straddles(proposer, &proposal, 2 * line, &proposal.pair_straddles_won,
		       &proposal.pair_straddles_lost);
	cautions_find(proposer, candidate, &edited, &proposal.cautions);
	*ret_worth = !is_useful(proposer, &proposal) ? WORTH_NOTHING :
		     is_forbidden(&proposal)	     ? WORTH_FORBIDDEN :
						       WORTH_MAKING;
	*ret = proposal;
	return NULL;
}
