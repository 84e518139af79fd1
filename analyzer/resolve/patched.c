/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/patched.h"

/* What may run at one address of a site. */
struct possibility {
	uint64_t address;
	struct answer answer;
	bool is_patched; /* not what the file holds there */
};

DEFINE_VEC(possibility_vec, struct possibility);

static bool agrees(const struct answer *a, const struct answer *b)
{
	return a->shape == b->shape && a->offset == b->offset && a->size == b->size &&
	       a->is_load == b->is_load && a->is_store == b->is_store;
}

static void add(struct possibility_vec *possibilities, uint64_t address,
		const struct answer *answer, bool is_patched)
{
	for (size_t i = 0; i < possibilities->nr; i++) {
		struct possibility *old = &possibilities->items[i];

		if (old->address != address)
			continue;
		if (!agrees(&old->answer, answer))
			old->answer = (struct answer){ .reason = ACCESS_PATCHED,
						       .class = answer->class,
						       .size = answer->size,
						       .reg = answer->reg };
		return;
	}
	*vec_add(possibilities) = (struct possibility){ address, *answer, is_patched };
}

/* Runs the replacement's instructions in the place of the step's own. */
static void follow_replacement(struct flow *flow, struct containers *containers, uint32_t step,
			       const struct state *state, const struct patch_site *site,
			       struct possibility_vec *ret)
{
	struct step kept = flow->steps.items[step];
	uint64_t left, done = 0;
	const uint8_t *bytes = code_bytes(flow->code, site->replacement, &left);
	struct state after;

	state_copy(&after, state);
	while (bytes && done < site->replacement_size && done < left) {
		struct step *at = &flow->steps.items[step];
		struct answer answer;

		if (!insn_decode(flow->decoder, bytes + done, site->replacement_size - done,
				 site->start + done, &at->insn))
			break;
		/* Calls and jumps were linked for where they lie, and lead away. */
		if (at->insn.flow != FLOW_NEXT)
			break;
		answer_step(flow, containers, step, &after, &answer);
		if (answer.class != CLASS_NONE)
			add(ret, site->start + done, &answer, true);
		flow_apply(flow, step, &after);
		done += at->insn.size;
	}
	flow->steps.items[step] = kept;
}

bool patched_answer(struct flow *flow, struct containers *containers, uint32_t step,
		    const struct state *state,
		    void (*give)(void *context, uint64_t address, const struct answer *answer,
				 bool is_patched),
		    void *context)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	auto_vec struct possibility_vec possibilities = {};
	const struct patch_site *sites;
	struct answer answer;
	size_t nr;

	sites = patches_at(flow->patches, insn->address, &nr);
	if (!nr)
		return false;
	/* A call in a site is there to be exchanged; everything else may stay as it is. */
	if (insn->memory >= 0 && insn->flow == FLOW_NEXT) {
		answer_step(flow, containers, step, state, &answer);
		if (answer.class != CLASS_NONE)
			add(&possibilities, insn->address, &answer, false);
	}
	for (size_t i = 0; i < nr && insn->address == sites->start; i++) {
		if (sites[i].kind == PATCH_ALTERNATIVE)
			follow_replacement(flow, containers, step, state, &sites[i],
					   &possibilities);
	}
	if (!possibilities.nr && insn->memory >= 0) {
		answer = (struct answer){ .reason = ACCESS_PATCHED,
					  .size = insn->operands[insn->memory].size,
					  .reg = insn->operands[insn->memory].base };
		add(&possibilities, insn->address, &answer, false);
	}
	for (size_t i = 0; i < possibilities.nr; i++)
		give(context, possibilities.items[i].address, &possibilities.items[i].answer,
		     possibilities.items[i].is_patched);
	return true;
}
