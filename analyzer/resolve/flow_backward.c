/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What registers must point at because of what is done with them later: passed to a function,
 * returned, stored into a typed field, named by a variable further down. The union over all
 * paths, so it stays a guess.
 */
#include <string.h>

#include "resolve/flow.h"

#define MAX_ROUNDS 4

static value_id want(struct flow *flow, value_id id, const struct shape *target)
{
	return value_add_candidate(flow->values, id, target, 0, false);
}

static void want_arguments(struct flow *flow, const struct signature *signature,
			   struct state *state)
{
	for (unsigned int i = 0; i < SIGNATURE_ARGUMENTS; i++) {
		uint8_t reg = flow_argument_regs[i];

		if (shape_is_pointer(signature->arguments[i]))
			state->regs[reg] =
				want(flow, state->regs[reg], signature->arguments[i]->target);
	}
}

static void want_result(struct flow *flow, struct state *state)
{
	if (shape_is_pointer(flow->result))
		state->regs[REG_RAX] = want(flow, state->regs[REG_RAX], flow->result->target);
}

/* A jump out of the function: a tail call, or the return thunk. */
static void leave_by_jump(struct flow *flow, const struct insn *insn, struct state *state)
{
	uint32_t function = code_function_entered(flow->code, insn->target);

	if (insn->target == flow->return_thunk)
		want_result(flow, state);
	else if (function != CODE_NO_FUNCTION)
		want_arguments(flow, code_signature(flow->code, function), state);
}

static void give(struct flow *flow, value_id *to, value_id from, int64_t distance)
{
	*to = value_add_candidates(flow->values, *to, from, distance, false);
}

static void undo_move(struct flow *flow, const struct step *step, struct state *state)
{
	const struct operand *to = &step->insn.operands[0], *from = &step->insn.operands[1];
	value_id wanted, *slot;

	if (to->kind == OPERAND_REGISTER && to->reg < NR_REGS) {
		wanted = state->regs[to->reg];
		state->regs[to->reg] = VALUE_ID_UNKNOWN;
		if (to->size != 8 || wanted == VALUE_ID_UNKNOWN)
			return;
		if (from->kind == OPERAND_REGISTER && from->reg < NR_REGS) {
			give(flow, &state->regs[from->reg], wanted, 0);
		} else if (from->kind == OPERAND_MEMORY && step->slot != NO_SLOT) {
			slot = state_slot(state, step->slot, true);
			if (slot)
				give(flow, slot, wanted, 0);
		}
		return;
	}
	if (to->kind != OPERAND_MEMORY || from->kind != OPERAND_REGISTER || from->size != 8 ||
	    from->reg >= NR_REGS)
		return;
	if (step->slot != NO_SLOT) {
		slot = state_slot(state, step->slot, false);
		if (slot) {
			give(flow, &state->regs[from->reg], *slot, 0);
			*slot = VALUE_ID_UNKNOWN;
		}
	} else if (step->hint) {
		state->regs[from->reg] = want(flow, state->regs[from->reg], step->hint);
	}
}

static void undo_address(struct flow *flow, const struct insn *insn, struct state *state)
{
	const struct operand *from = &insn->operands[1];
	uint8_t to = insn->operands[0].reg;
	value_id wanted;

	if (to >= NR_REGS)
		return;
	wanted = state->regs[to];
	state->regs[to] = VALUE_ID_UNKNOWN;
	if (from->base < NR_REGS && from->base != REG_RSP && from->index == REG_NONE)
		give(flow, &state->regs[from->base], wanted, -from->value);
}

static void undo_add(struct flow *flow, const struct insn *insn, struct state *state)
{
	const struct operand *to = &insn->operands[0], *by = &insn->operands[1];
	int64_t sign = insn->kind == INSN_ADD ? -1 : 1;

	if (to->kind != OPERAND_REGISTER || to->reg >= NR_REGS)
		return;
	if (by->kind == OPERAND_IMMEDIATE)
		state->regs[to->reg] =
			value_shift(flow->values, state->regs[to->reg], sign * by->value);
	else if (insn->kind != INSN_ADD || !flow_reads_percpu_offset(flow, by))
		state->regs[to->reg] = VALUE_ID_UNKNOWN;
}

static void undo_push(struct flow *flow, const struct step *step, struct state *state)
{
	const struct operand *operand = &step->insn.operands[0];
	value_id *slot;

	if (operand->kind != OPERAND_REGISTER || operand->reg >= NR_REGS || step->slot == NO_SLOT)
		return;
	slot = state_slot(state, step->slot, false);
	if (!slot)
		return;
	give(flow, &state->regs[operand->reg], *slot, 0);
	*slot = VALUE_ID_UNKNOWN;
}

static void undo_pop(struct flow *flow, const struct step *step, struct state *state)
{
	const struct operand *operand = &step->insn.operands[0];
	value_id wanted, *slot;

	if (operand->kind != OPERAND_REGISTER || operand->reg >= NR_REGS)
		return;
	wanted = state->regs[operand->reg];
	state->regs[operand->reg] = VALUE_ID_UNKNOWN;
	slot = step->slot != NO_SLOT && wanted != VALUE_ID_UNKNOWN ?
		       state_slot(state, step->slot, true) :
		       NULL;
	if (slot)
		give(flow, slot, wanted, 0);
}

/* The register that is compared with, or exchanged for, what a typed field holds. */
static void want_hint(struct flow *flow, const struct step *step, struct state *state)
{
	const struct operand *operand = &step->insn.operands[1 - step->insn.memory];

	if (step->hint && operand->kind == OPERAND_REGISTER && operand->reg < NR_REGS)
		state->regs[operand->reg] = want(flow, state->regs[operand->reg], step->hint);
}

static void undo_other(struct flow *flow, const struct step *step, struct state *state)
{
	const struct insn *insn = &step->insn;

	for (unsigned int reg = 0; reg < NR_REGS; reg++) {
		if (insn->written >> reg & 1 && reg != REG_RSP)
			state->regs[reg] = VALUE_ID_UNKNOWN;
	}
	if (insn->kind == INSN_EXCHANGE || insn->kind == INSN_COMPARE_EXCHANGE)
		want_hint(flow, step, state);
}

static void undo_call(struct flow *flow, const struct step *step, struct state *state)
{
	for (unsigned int reg = 0; reg < NR_REGS; reg++) {
		if (step->clobbered >> reg & 1)
			state->regs[reg] = VALUE_ID_UNKNOWN;
	}
	if (step->call != NO_CALL)
		want_arguments(flow, &flow->calls.items[step->call], state);
}

static void undo(struct flow *flow, const struct step *step, struct state *state)
{
	const struct insn *insn = &step->insn;

	if (insn->flow == FLOW_RETURN)
		want_result(flow, state);
	else if (insn->flow == FLOW_JUMP && flow_step_at(flow, insn->target) == NO_STEP)
		leave_by_jump(flow, insn, state);
	if (insn->flow == FLOW_CALL || insn->flow == FLOW_CALL_INDIRECT) {
		undo_call(flow, step, state);
		return;
	}
	switch (insn->kind) {
	case INSN_MOVE:
		undo_move(flow, step, state);
		break;
	case INSN_ADDRESS:
		undo_address(flow, insn, state);
		break;
	case INSN_ADD:
	case INSN_SUBTRACT:
		undo_add(flow, insn, state);
		break;
	case INSN_PUSH:
		undo_push(flow, step, state);
		break;
	case INSN_POP:
		undo_pop(flow, step, state);
		break;
	case INSN_COMPARE:
		want_hint(flow, step, state);
		break;
	case INSN_TEST:
		break;
	default:
		undo_other(flow, step, state);
	}
}

/* What all blocks that may come next want. */
static void want_next(struct flow *flow, const struct block *block, struct state *state)
{
	state_clear(state);
	for (unsigned int i = 0; i < block->nr_next; i++) {
		const struct state *next = &flow->blocks.items[block->next[i]].wanted;

		for (unsigned int reg = 0; reg < NR_REGS; reg++)
			give(flow, &state->regs[reg], next->regs[reg], 0);
		for (uint32_t j = 0; j < next->nr_slots; j++) {
			value_id *slot = state_slot(state, next->slots[j].offset, true);

			if (slot)
				give(flow, slot, next->slots[j].value, 0);
		}
	}
}

static bool is_same(const struct state *a, const struct state *b)
{
	for (unsigned int reg = 0; reg < NR_REGS; reg++) {
		if (a->regs[reg] != b->regs[reg])
			return false;
	}
	return a->nr_slots == b->nr_slots;
}

/* Whether a block that may come next wants something else than when this one was gone over. */
static bool is_stale(const struct flow *flow, const struct block *block)
{
	bool stale = !block->visited_at;

	for (unsigned int i = 0; i < block->nr_next; i++)
		stale |= flow->blocks.items[block->next[i]].changed_at >= block->visited_at;
	return stale;
}

static void note_wanted(struct flow *flow, uint32_t step, const struct state *state)
{
	value_id *wanted = &flow->wanted.items[(size_t)step * NR_REGS];
	uint16_t regs = 0;

	for (unsigned int reg = 0; reg < NR_REGS; reg++) {
		wanted[reg] = state->regs[reg];
		regs |= (uint16_t)((wanted[reg] != VALUE_ID_UNKNOWN) << reg);
	}
	flow->wanted_regs.items[step] = (uint16_t)(regs & ~(1u << REG_RSP));
}

/* Whether what the block wants has changed. */
static bool visit_block(struct flow *flow, struct block *block)
{
	value_id believed[NR_REGS];
	struct state state;

	want_next(flow, block, &state);
	memset(believed, 0xff, sizeof(believed));
	for (uint32_t step = block->end; step-- > block->first;) {
		undo(flow, &flow->steps.items[step], &state);
		state.regs[REG_RSP] = VALUE_ID_UNKNOWN;
		state_believe_backward(flow, step, &state, believed);
		note_wanted(flow, step, &state);
	}
	if (is_same(&state, &block->wanted))
		return false;
	state_copy(&block->wanted, &state);
	return true;
}

static void make_room(struct flow *flow)
{
	size_t nr = flow->steps.nr;

	flow->wanted.nr = nr * NR_REGS;
	flow->wanted.items =
		memory_resize(flow->wanted.items, flow->wanted.nr + 1, sizeof(*flow->wanted.items));
	flow->wanted_regs.items =
		memory_resize(flow->wanted_regs.items, nr + 1, sizeof(*flow->wanted_regs.items));
}

void flow_backward(struct flow *flow)
{
	uint32_t clock = 0;
	bool changed = true;

	make_room(flow);
	flow->wanted_known = false;
	for (unsigned int round = 0; changed && round < MAX_ROUNDS; round++) {
		changed = false;
		for (size_t b = flow->blocks.nr; b-- > 0;) {
			struct block *block = &flow->blocks.items[b];

			if (!is_stale(flow, block))
				continue;
			block->visited_at = ++clock;
			if (visit_block(flow, block)) {
				block->changed_at = clock;
				changed = true;
			}
		}
	}
	flow->wanted_known = true;
}
