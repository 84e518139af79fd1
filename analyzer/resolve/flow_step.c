/* SPDX-License-Identifier: GPL-2.0-only */
/* What one instruction does to registers and stack slots. */
#include <string.h>

#include "resolve/flow.h"

static value_id read_operand(struct flow *flow, uint32_t step, struct state *state,
			     const struct operand *operand)
{
	switch (operand->kind) {
	case OPERAND_REGISTER:
		return operand->reg < NR_REGS ? state->regs[operand->reg] : VALUE_ID_UNKNOWN;
	case OPERAND_IMMEDIATE:
		return value_constant(flow->values, operand->value);
	case OPERAND_MEMORY:
		if (flow_reads_percpu_offset(flow, operand))
			return VALUE_ID_PERCPU;
		return flow_load(flow, step, state, flow_address(flow, state, operand),
				 operand->size);
	default:
		return VALUE_ID_UNKNOWN;
	}
}

/* Half a pointer is none; 32-bit numbers are zero-extended. */
static void write_register(struct flow *flow, struct state *state, const struct operand *operand,
			   value_id id)
{
	const struct value *value = value_get(flow->values, id);

	if (operand->kind != OPERAND_REGISTER || operand->reg >= NR_REGS)
		return;
	if (operand->size < 8 && value->kind == VALUE_CONSTANT && operand->size == 4)
		id = value_constant(flow->values, (uint32_t)value->number);
	else if (operand->size < 8 && (value->kind != VALUE_INDEX || operand->size != 4))
		id = VALUE_ID_UNKNOWN;
	state->regs[operand->reg] = id;
}

static void forget_written(const struct step *step, struct state *state)
{
	for (unsigned int reg = 0; reg < NR_REGS; reg++) {
		if (step->insn.written >> reg & 1)
			state->regs[reg] = VALUE_ID_UNKNOWN;
	}
}

static bool is_word_register(const struct operand *operand)
{
	return operand->kind == OPERAND_REGISTER && operand->size == 8 && operand->reg < NR_REGS;
}

static bool is_long_register(const struct operand *operand)
{
	return operand->kind == OPERAND_REGISTER && operand->size >= 4 && operand->reg < NR_REGS;
}

/* What the backward pass needs of the state here. */
static void note_access(struct flow *flow, struct step *step, struct state *state)
{
	const struct insn *insn = &step->insn;
	const struct value *value;
	value_id address;

	step->slot = NO_SLOT;
	step->hint = NULL;
	if (insn->memory < 0)
		return;
	address = flow_address(flow, state, &insn->operands[insn->memory]);
	value = value_get(flow->values, address);
	if (value->kind == VALUE_STACK && !value->inexact &&
	    value->number == (int32_t)value->number)
		step->slot = (int32_t)value->number;
	if (insn->nr_operands < 2 || insn->memory > 1 ||
	    !is_word_register(&insn->operands[1 - insn->memory]))
		return;
	if ((insn->kind == INSN_MOVE && !insn->memory) || insn->kind == INSN_COMPARE ||
	    insn->kind == INSN_EXCHANGE || insn->kind == INSN_COMPARE_EXCHANGE)
		step->hint = flow_pointer_stored(flow, address);
}

/* A void pointer is loaded that is used as something: a vote on what the field holds. */
static void note_void_pointer(struct flow *flow, uint32_t step, struct state *state)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	const struct shape *used_as = NULL;
	struct value address, wanted;

	if (!flow->facts->learning || !flow->wanted_known || insn->memory != 1 ||
	    !is_word_register(&insn->operands[0]) || step + 1 >= flow->steps.nr)
		return;
	wanted = *value_get(
		flow->values,
		flow->wanted.items[(size_t)(step + 1) * NR_REGS + insn->operands[0].reg]);
	for (unsigned int i = 0; i < wanted.nr; i++) {
		const struct shape *shape = wanted.candidates[i].shape;

		if (shape_is_struct(shape) && !wanted.candidates[i].offset &&
		    (!used_as || shape->size > used_as->size))
			used_as = shape;
	}
	if (!used_as)
		return;
	address = *value_get(flow->values, flow_address(flow, state, &insn->operands[1]));
	for (unsigned int i = 0; i < address.nr; i++) {
		const struct candidate *candidate = &address.candidates[i];

		if (!candidate->weak &&
		    flow_holds_void_pointer(candidate->shape, candidate->offset))
			facts_vote_field(flow->facts, flow->folder, candidate->shape,
					 candidate->offset, used_as);
	}
}

/* An offset kept in a field, in less than a word. */
static bool load_distance(struct flow *flow, const struct insn *insn, struct state *state)
{
	const struct operand *to = &insn->operands[0], *from = &insn->operands[1];
	value_id distance;

	if (from->kind != OPERAND_MEMORY || to->kind != OPERAND_REGISTER || to->size < 4 ||
	    to->reg >= NR_REGS)
		return false;
	distance = flow_load_distance(flow, from, flow_address(flow, state, from));
	if (distance == VALUE_ID_UNKNOWN)
		return false;
	state->regs[to->reg] = distance;
	return true;
}

/* An index stays what it is, as it is no longer than its 32 bits. */
static void extend(struct flow *flow, const struct step *step, struct state *state)
{
	const struct operand *to = &step->insn.operands[0], *from = &step->insn.operands[1];
	value_id kept = VALUE_ID_UNKNOWN;
	uint8_t reg = REG_RAX;

	if (load_distance(flow, &step->insn, state))
		return;
	if (!step->insn.nr_operands)
		kept = state->regs[REG_RAX];
	else if (is_long_register(to) && is_long_register(from))
		kept = state->regs[from->reg];
	forget_written(step, state);
	if (step->insn.nr_operands)
		reg = to->reg;
	if (value_get(flow->values, kept)->kind == VALUE_INDEX)
		state->regs[reg] = kept;
}

static void move(struct flow *flow, uint32_t step, struct state *state)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	const struct operand *to = &insn->operands[0], *from = &insn->operands[1];
	struct value address;
	value_id *slot;

	if (to->kind == OPERAND_REGISTER) {
		if (from->size < 8 && load_distance(flow, insn, state))
			return;
		note_void_pointer(flow, step, state);
		write_register(flow, state, to, read_operand(flow, step, state, from));
		return;
	}
	if (to->kind != OPERAND_MEMORY)
		return;
	address = *value_get(flow->values, flow_address(flow, state, to));
	if (address.kind != VALUE_STACK || address.inexact)
		return;
	slot = state_slot(state, address.number, true);
	if (slot)
		*slot = to->size < 8 ? VALUE_ID_UNKNOWN : read_operand(flow, step, state, from);
}

/* From a pointer into bytes a number that is not known leads to others of them. */
static value_id step_back(struct flow *flow, value_id from, value_id by)
{
	const struct value *pointer = value_get(flow->values, from);
	const struct value *amount = value_get(flow->values, by);

	for (unsigned int i = 0; i < pointer->nr; i++) {
		if (pointer->candidates[i].shape->size != 1)
			return VALUE_ID_UNKNOWN;
	}
	if (pointer->kind != VALUE_POINTER ||
	    (amount->kind != VALUE_UNKNOWN && amount->kind != VALUE_INDEX))
		return VALUE_ID_UNKNOWN;
	return value_sum(flow->values, from, VALUE_ID_UNKNOWN);
}

static void subtract(struct flow *flow, uint32_t step, struct state *state)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	const struct operand *to = &insn->operands[0], *by = &insn->operands[1];
	const struct value *amount;
	value_id result, from, subtracted;

	if (to->kind != OPERAND_REGISTER)
		return;
	if (by->kind == OPERAND_REGISTER && by->reg == to->reg) {
		result = value_constant(flow->values, 0);
	} else {
		subtracted = read_operand(flow, step, state, by);
		from = read_operand(flow, step, state, to);
		amount = value_get(flow->values, subtracted);
		/* The distance of two pointers is anything. */
		if (amount->kind == VALUE_CONSTANT && !value_is_image_address(amount->number))
			result = value_sum(flow->values, from,
					   value_constant(flow->values, -amount->number));
		else
			result = step_back(flow, from, subtracted);
	}
	write_register(flow, state, to, result);
}

static value_id without_flags(struct flow *flow, const struct value *pointer, int64_t kept_bits)
{
	const int64_t alignment = 8, byte_cleared = -256;
	struct value result = {};

	for (unsigned int i = 0; i < pointer->nr; i++) {
		struct candidate candidate = pointer->candidates[i];

		if (kept_bits == byte_cleared) {
			candidate.shape = idioms_without_flags(flow->idioms, candidate.shape);
			if (!candidate.shape)
				continue;
		}
		candidate.offset &= (int32_t)(kept_bits | -alignment);
		candidate_put(&result, &candidate);
	}
	return value_intern(flow->values, &result);
}

/* Flags kept in a pointer's low bits are masked away; the stack is aligned. */
static void mask(struct flow *flow, struct state *state, uint8_t reg, int64_t kept_bits)
{
	struct value value = *value_get(flow->values, state->regs[reg]);

	state->regs[reg] = VALUE_ID_UNKNOWN;
	if (kept_bits < 0 && value.kind == VALUE_POINTER && (kept_bits >= -64 || kept_bits == -256))
		state->regs[reg] = without_flags(flow, &value, kept_bits);
	else if (kept_bits < 0 && value.kind == VALUE_STACK)
		state->regs[reg] = value_stack(flow->values, value.number & kept_bits);
}

static void apply_and(struct flow *flow, struct state *state, const struct insn *insn)
{
	const struct operand *to = &insn->operands[0], *by = &insn->operands[1];

	if (is_word_register(to) && by->kind == OPERAND_IMMEDIATE)
		mask(flow, state, to->reg, by->value);
	else
		write_register(flow, state, to, VALUE_ID_UNKNOWN);
}

static void push(struct flow *flow, uint32_t step, struct state *state)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	value_id below = value_shift(flow->values, state->regs[REG_RSP], -8);
	struct value value = *value_get(flow->values, below);
	value_id *slot;

	if (value.kind == VALUE_STACK) {
		slot = state_slot(state, value.number, true);
		if (slot)
			*slot = read_operand(flow, step, state, &insn->operands[0]);
		flow->steps.items[step].slot = (int32_t)value.number;
	}
	state->regs[REG_RSP] = below;
}

static void pop(struct flow *flow, uint32_t step, struct state *state)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	struct value value = *value_get(flow->values, state->regs[REG_RSP]);
	value_id *slot = NULL;

	if (value.kind == VALUE_STACK) {
		slot = state_slot(state, value.number, false);
		flow->steps.items[step].slot = (int32_t)value.number;
	}
	write_register(flow, state, &insn->operands[0], slot ? *slot : VALUE_ID_UNKNOWN);
	state->regs[REG_RSP] = value_shift(flow->values, state->regs[REG_RSP], 8);
}

static void leave(struct flow *flow, struct state *state)
{
	struct value frame = *value_get(flow->values, state->regs[REG_RBP]);
	value_id *slot = frame.kind == VALUE_STACK ? state_slot(state, frame.number, false) : NULL;

	state->regs[REG_RSP] = value_shift(flow->values, state->regs[REG_RBP], 8);
	state->regs[REG_RBP] = slot ? *slot : VALUE_ID_UNKNOWN;
}

static void exchange(struct flow *flow, uint32_t step, struct state *state)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	const struct operand *a = &insn->operands[0], *b = &insn->operands[1];
	value_id old_a = read_operand(flow, step, state, a);
	value_id old_b = read_operand(flow, step, state, b);

	write_register(flow, state, a, old_b);
	write_register(flow, state, b, old_a);
}

/* rep stos, rep movs: where the registers end up. */
static void step_string(struct flow *flow, const struct insn *insn, struct state *state)
{
	const int64_t most = 100000;
	uint32_t size = insn->operands[insn->memory].size;
	struct value count = *value_get(flow->values, state->regs[REG_RCX]);
	bool known = insn->is_repeated && count.kind == VALUE_CONSTANT && count.number >= 0 &&
		     count.number < most;
	static const uint8_t advanced[] = { REG_RDI, REG_RSI };
	unsigned int nr = insn->kind == INSN_COPY ? 2 : 1;

	for (unsigned int i = 0; i < nr; i++) {
		value_id *reg = &state->regs[advanced[i]];

		if (!insn->is_repeated)
			*reg = value_shift(flow->values, *reg, size);
		else if (known)
			*reg = value_shift(flow->values, *reg, count.number * size);
		else
			*reg = value_sum(flow->values, *reg, VALUE_ID_UNKNOWN);
	}
	if (insn->is_repeated)
		state->regs[REG_RCX] = known ? value_constant(flow->values, 0) : VALUE_ID_UNKNOWN;
}

bool flow_is_rearranged(const struct flow *flow, uint64_t target)
{
	const struct code_symbol *symbol = code_symbol_at(flow->code, target);

	return symbol && strchr(symbol->name, '.');
}

static bool call(struct flow *flow, uint32_t step, struct state *state)
{
	struct step *at = &flow->steps.items[step];
	struct signature signature;
	bool returns;

	if (flow->facts->learning && flow->wanted_known && at->insn.target &&
	    flow_is_rearranged(flow, at->insn.target)) {
		for (unsigned int i = 0; i < SIGNATURE_ARGUMENTS; i++)
			facts_pass_argument(flow->facts, flow->values, at->insn.target, i,
					    state->regs[flow_argument_regs[i]]);
	}
	returns = flow_call(flow, step, state, &at->clobbered, &signature);
	if (at->call == NO_CALL) {
		at->call = (uint32_t)flow->calls.nr;
		*vec_add(&flow->calls) = signature;
	} else {
		flow->calls.items[at->call] = signature;
	}
	for (unsigned int reg = 0; reg < NR_REGS; reg++) {
		if (at->clobbered >> reg & 1)
			state->regs[reg] = VALUE_ID_UNKNOWN;
	}
	if (shape_is_pointer(signature.result))
		state->regs[REG_RAX] = value_pointer(flow->values, signature.result->target, 0);
	return returns;
}

/* Of a number and a constant; the operand in memory or register is not known otherwise. */
static value_id product(struct flow *flow, uint32_t step, struct state *state)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	const struct operand *by = &insn->operands[insn->nr_operands - 1];
	value_id of = read_operand(flow, step, state, &insn->operands[insn->nr_operands - 2]);

	if (by->kind != OPERAND_IMMEDIATE || by->value < 0 ||
	    (insn->kind == INSN_SHIFT_LEFT && by->value > 24))
		return VALUE_ID_UNKNOWN;
	return value_multiply(flow->values, of,
			      insn->kind == INSN_SHIFT_LEFT ? 1ll << by->value : by->value);
}

static void apply_arithmetic(struct flow *flow, uint32_t step, struct state *state)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	const struct operand *to = &insn->operands[0], *from = &insn->operands[1];

	if (to->kind != OPERAND_REGISTER)
		return;
	switch (insn->kind) {
	case INSN_ADD: {
		value_id a = read_operand(flow, step, state, to);
		value_id b = read_operand(flow, step, state, from);

		write_register(flow, state, to,
			       is_word_register(from) && from->reg == to->reg ?
				       value_multiply(flow->values, a, 2) :
				       value_sum(flow->values, a, b));
		break;
	}
	case INSN_INCREMENT:
	case INSN_DECREMENT:
		write_register(flow, state, to,
			       value_sum(flow->values, read_operand(flow, step, state, to),
					 value_constant(flow->values,
							insn->kind == INSN_INCREMENT ? 1 : -1)));
		break;
	case INSN_SHIFT_LEFT:
	case INSN_MULTIPLY:
		write_register(flow, state, to, product(flow, step, state));
		break;
	case INSN_XOR:
		/* xor %al, %al is how gcc clears a byte alone. */
		if (from->kind == OPERAND_REGISTER && from->reg == to->reg && to->reg < NR_REGS &&
		    to->size < 4)
			mask(flow, state, to->reg, -1ll << 8 * to->size);
		else if (from->kind == OPERAND_REGISTER && from->reg == to->reg &&
			 to->reg < NR_REGS)
			state->regs[to->reg] = value_constant(flow->values, 0);
		else
			write_register(flow, state, to, VALUE_ID_UNKNOWN);
		break;
	case INSN_MOVE_IF: {
		value_id a = read_operand(flow, step, state, to);
		value_id b = read_operand(flow, step, state, from);

		write_register(flow, state, to, value_join(flow->values, a, b));
		break;
	}
	}
}

static void apply_other(struct flow *flow, uint32_t step, struct state *state)
{
	const struct step *at = &flow->steps.items[step];
	const struct insn *insn = &at->insn;
	const struct operand *operands = insn->operands;

	switch (insn->kind) {
	case INSN_COMPARE_EXCHANGE:
		state->regs[REG_RAX] = insn->memory == 0 && operands[1].size == 8 ?
					       read_operand(flow, step, state, &operands[0]) :
					       VALUE_ID_UNKNOWN;
		break;
	case INSN_EXCHANGE_ADD:
		write_register(flow, state, &operands[1],
			       insn->memory == 0 ? read_operand(flow, step, state, &operands[0]) :
						   VALUE_ID_UNKNOWN);
		break;
	case INSN_FILL:
	case INSN_COPY:
		if (insn->memory >= 0 && insn->written >> REG_RDI & 1)
			step_string(flow, insn, state);
		break;
	default:
		forget_written(at, state);
	}
}

bool flow_apply(struct flow *flow, uint32_t step, struct state *state)
{
	struct step *at = &flow->steps.items[step];
	const struct insn *insn = &at->insn;

	note_access(flow, at, state);
	if (insn->flow == FLOW_CALL || insn->flow == FLOW_CALL_INDIRECT)
		return call(flow, step, state);
	switch (insn->kind) {
	case INSN_MOVE:
		move(flow, step, state);
		break;
	case INSN_EXTEND:
		extend(flow, at, state);
		break;
	case INSN_ADDRESS:
		write_register(flow, state, &insn->operands[0],
			       flow_address(flow, state, &insn->operands[1]));
		break;
	case INSN_SUBTRACT:
		subtract(flow, step, state);
		break;
	case INSN_AND:
		apply_and(flow, state, insn);
		break;
	case INSN_ADD:
	case INSN_INCREMENT:
	case INSN_DECREMENT:
	case INSN_XOR:
	case INSN_MOVE_IF:
		apply_arithmetic(flow, step, state);
		break;
	case INSN_SHIFT_LEFT:
	case INSN_MULTIPLY:
		if (insn->nr_operands > 1)
			apply_arithmetic(flow, step, state);
		else
			forget_written(at, state);
		break;
	case INSN_PUSH:
		push(flow, step, state);
		break;
	case INSN_POP:
		pop(flow, step, state);
		break;
	case INSN_PUSH_FLAGS:
	case INSN_POP_FLAGS:
		state->regs[REG_RSP] = value_shift(flow->values, state->regs[REG_RSP],
						   insn->kind == INSN_POP_FLAGS ? 8 : -8);
		break;
	case INSN_LEAVE:
		leave(flow, state);
		break;
	case INSN_EXCHANGE:
		exchange(flow, step, state);
		break;
	case INSN_COMPARE:
	case INSN_TEST:
	case INSN_TEST_BIT:
	case INSN_NOTHING:
		break;
	default:
		apply_other(flow, step, state);
	}
	return true;
}
