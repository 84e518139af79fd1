/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/flow.h"

/* Rounds over blocks that changed; joins are monotonous but for guesses, so this ends early. */
#define MAX_ROUNDS 8

struct flow *flow_create(struct code *code, struct insn_decoder *decoder,
			 const struct patches *patches, struct facts *facts,
			 struct containers *containers)
{
	struct flow *flow = memory_alloc(1, sizeof(*flow));
	uint64_t address;

	flow->code = code;
	flow->decoder = decoder;
	flow->patches = patches;
	flow->facts = facts;
	flow->containers = containers;
	flow->values = values_create(code);
	flow->idioms = idioms_create(code);
	values_set_idioms(flow->values, flow->idioms);
	/* An address that is nowhere where the image has no such symbol. */
	address = code_symbol_address(code, "__per_cpu_offset");
	flow->percpu_offsets = address ? address : UINT64_MAX;
	address = code_symbol_address(code, "this_cpu_off");
	flow->this_cpu_off = address ? address : UINT64_MAX;
	flow->return_thunk = code_symbol_address(code, "__x86_return_thunk");
	flow->callee_save = code_find_struct(code, "paravirt_callee_save");
	return flow;
}

void flow_destroy(struct flow *flow)
{
	if (!flow)
		return;
	values_destroy(flow->values);
	idioms_destroy(flow->idioms);
	map_deinit(&flow->callee_at);
	vec_deinit(&flow->callees);
	vec_deinit(&flow->steps);
	vec_deinit(&flow->blocks);
	vec_deinit(&flow->locations);
	vec_deinit(&flow->first_active);
	vec_deinit(&flow->active);
	vec_deinit(&flow->wanted);
	vec_deinit(&flow->wanted_regs);
	vec_deinit(&flow->calls);
	vec_deinit(&flow->pointees);
	free(flow);
}

/* Arguments as the function's type, its callers and its variables tell them. */
static void enter(struct flow *flow, struct state *state)
{
	const struct signature *signature;

	state_clear(state);
	state->regs[REG_RSP] = value_stack(flow->values, -8);
	if (flow->function == CODE_NO_FUNCTION)
		return;
	signature = code_signature(flow->code, flow->function);
	for (unsigned int i = 0; i < SIGNATURE_ARGUMENTS; i++) {
		value_id *reg = &state->regs[flow_argument_regs[i]];
		const struct value *passed = NULL;

		if (flow->facts->usable)
			passed = facts_argument(flow->facts, flow->entry, i);
		if (flow_is_untyped(signature->arguments[i])) {
			const struct vote *vote =
				flow->facts->usable ?
					facts_voted_argument(flow->facts, flow->entry, i) :
					NULL;

			flow->may_use_facts = flow->facts->all_callers;
			if (vote)
				*reg = value_add_candidate(flow->values, *reg, vote->target,
							   vote->offset, true);
		}
		if (passed)
			*reg = value_add_candidates(flow->values, *reg,
						    value_intern(flow->values, passed), 0, true);
		if (shape_is_pointer(signature->arguments[i]))
			*reg = value_add_candidate(flow->values, *reg,
						   signature->arguments[i]->target, 0, false);
	}
	for (size_t i = 0; i < flow->locations.nr; i++) {
		const struct location *location = &flow->locations.items[i];
		bool at_entry = location->kind == LOCATION_ENTRY ||
				(location->kind == LOCATION_REGISTER &&
				 location->start <= flow->entry && flow->entry < location->end);
		value_id *reg = &state->regs[location->reg];

		if (at_entry && shape_is_pointer(location->shape) &&
		    (location->is_parameter || !flow->without_variables))
			*reg = value_add_candidate(flow->values, *reg, location->shape->target,
						   -location->offset, false);
	}
}

/* Runs the block's steps on state; false = execution does not reach the block's end. */
static bool run_block(struct flow *flow, const struct block *block, struct state *state)
{
	uint16_t changed = 0;

	for (uint32_t step = block->first; step < block->end; step++) {
		const struct step *at = &flow->steps.items[step];

		state_believe(flow, step, state, step == block->first, changed);
		if (!flow_apply(flow, step, state))
			return false;
		changed = at->insn.flow == FLOW_CALL || at->insn.flow == FLOW_CALL_INDIRECT ?
				  at->clobbered :
				  at->insn.written;
	}
	return true;
}

/* "test reg, reg" before a je or jne: on one side the register is NULL. */
static uint8_t tested_register(const struct flow *flow, const struct block *block)
{
	const struct insn *last = &flow->steps.items[block->end - 1].insn;

	if (!last->if_zero && !last->if_not_zero)
		return REG_NONE;
	for (uint32_t step = block->end - 1; step-- > block->first;) {
		const struct insn *insn = &flow->steps.items[step].insn;
		const struct operand *a = &insn->operands[0], *b = &insn->operands[1];

		if (insn->kind == INSN_TEST && a->kind == OPERAND_REGISTER &&
		    b->kind == OPERAND_REGISTER && a->reg == b->reg && a->size == 8 &&
		    a->reg < NR_REGS)
			return a->reg;
		/* These leave the flags alone. */
		if (insn->kind != INSN_MOVE && insn->kind != INSN_ADDRESS)
			return REG_NONE;
	}
	return REG_NONE;
}

/* Hands the state on to a following block; whether that one has to run again. */
static bool enter_next(struct flow *flow, struct block *next, const struct state *state)
{
	if (next->visit == BLOCK_UNSEEN)
		state_copy(&next->before, state);
	else if (!state_join(flow->values, &next->before, state))
		return false;
	next->visit = BLOCK_WAITING;
	return true;
}

/* Jump tables: what a register points at, nothing says; all blocks without a way in share it. */
static void jump_elsewhere(struct flow *flow, const struct block *block, const struct state *state)
{
	const struct insn *last = &flow->steps.items[block->end - 1].insn;

	if (last->flow != FLOW_JUMP_INDIRECT &&
	    (last->flow != FLOW_JUMP || block->nr_next || !flow_is_thunk(flow, last->target)))
		return;
	if (flow->jumps_elsewhere)
		state_join(flow->values, &flow->elsewhere, state);
	else
		state_copy(&flow->elsewhere, state);
	flow->jumps_elsewhere = true;
}

static bool visit_block(struct flow *flow, struct block *block)
{
	const struct insn *last = &flow->steps.items[block->end - 1].insn;
	struct state state;
	bool changed = false;
	uint8_t tested;

	state_copy(&state, &block->before);
	block->visit = BLOCK_DONE;
	if (!run_block(flow, block, &state))
		return false;
	jump_elsewhere(flow, block, &state);
	tested = tested_register(flow, block);
	for (unsigned int i = 0; i < block->nr_next; i++) {
		struct block *next = &flow->blocks.items[block->next[i]];
		value_id kept = VALUE_ID_UNKNOWN;
		bool taken = flow->steps.items[next->first].insn.address == last->target;

		if (tested < NR_REGS) {
			kept = state.regs[tested];
			if (last->if_zero == taken)
				state.regs[tested] = value_constant(flow->values, 0);
		}
		changed |= enter_next(flow, next, &state);
		if (tested < NR_REGS)
			state.regs[tested] = kept;
	}
	return changed;
}

/* A block that nothing known leads to: a jump table's target, code behind a fault. */
static bool start_unseen(struct flow *flow)
{
	for (size_t i = 0; i < flow->blocks.nr; i++) {
		struct block *block = &flow->blocks.items[i];

		if (block->visit != BLOCK_UNSEEN)
			continue;
		if (flow->jumps_elsewhere)
			state_copy(&block->before, &flow->elsewhere);
		else
			state_clear(&block->before);
		block->visit = BLOCK_WAITING;
		return true;
	}
	return false;
}

static void run_forward(struct flow *flow)
{
	uint32_t entry = flow_step_at(flow, flow->entry);
	struct block *first = &flow->blocks.items[0];

	for (size_t i = 0; i < flow->blocks.nr; i++) {
		flow->blocks.items[i].visit = BLOCK_UNSEEN;
		if (flow->blocks.items[i].first == entry)
			first = &flow->blocks.items[i];
	}
	flow->jumps_elsewhere = false;
	enter(flow, &first->before);
	first->visit = BLOCK_WAITING;
	for (unsigned int round = 0; round < MAX_ROUNDS;) {
		bool changed = false;

		for (size_t i = 0; i < flow->blocks.nr; i++) {
			if (flow->blocks.items[i].visit == BLOCK_WAITING)
				changed |= visit_block(flow, &flow->blocks.items[i]);
		}
		if (changed)
			round++;
		else if (start_unseen(flow))
			round = 0;
		else
			break;
	}
}

bool flow_analyze(struct flow *flow, uint64_t address)
{
	values_trim(flow->values);
	flow->calls.nr = flow->pointees.nr = 0;
	flow->wanted_known = flow->used_facts = flow->may_use_facts = false;
	if (!flow_read_body(flow, address))
		return false;
	values_set_function(flow->values, flow->function);
	flow->used_facts = flow_is_rearranged(flow, flow->entry);
	run_forward(flow);
	flow_backward(flow);
	run_forward(flow);
	return true;
}

static void replay_block(struct flow *flow, const struct block *block,
			 const struct flow_visitor *visitor)
{
	struct state state;
	uint16_t changed = 0;

	state_copy(&state, &block->before);
	for (uint32_t step = block->first; step < block->end; step++) {
		const struct step *at = &flow->steps.items[step];

		state_believe(flow, step, &state, step == block->first, changed);
		visitor->visit(visitor->context, flow, step, &state);
		flow_apply(flow, step, &state);
		changed = at->insn.flow == FLOW_CALL || at->insn.flow == FLOW_CALL_INDIRECT ?
				  at->clobbered :
				  at->insn.written;
	}
}

void flow_replay(struct flow *flow, const struct flow_visitor *visitor)
{
	for (size_t b = 0; b < flow->blocks.nr; b++) {
		const struct block *block = &flow->blocks.items[b];

		if (!visitor->wants || visitor->wants(visitor->context, flow, block))
			replay_block(flow, block, visitor);
	}
}
