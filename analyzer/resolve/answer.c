/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/answer.h"

#include <string.h>

/* Where the kernel keeps the stack protector's value (Linux 6.1, fixed_percpu_data). */
#define CANARY 0x28

struct question {
	struct flow *flow;
	struct containers *containers; /* NULL in the first round: only what fits as it is */
	uint32_t step;
	const struct state *state;
	const struct insn *insn;
	struct place_query query;
};

/* A choice among the candidates of a value. */
struct choice {
	const struct shape *shape;
	int64_t offset;
	struct place place;
	bool weak;
	enum rule rule; /* RULE_NONE, or how it was stretched */
};

static const struct shape *element(const struct shape *shape)
{
	while (shape->kind == SHAPE_ARRAY)
		shape = shape->target;
	return shape;
}

/* Whether it says nothing of what the place is a part of. */
static bool is_plain(const struct shape *shape)
{
	return shape_is_scalar(element(shape));
}

bool answer_is_field(const struct answer *answer)
{
	return answer->shape && answer->place.leaf && shape_is_struct(element(answer->shape));
}

/* A struct says more than a scalar, and than one that has only bytes there. */
static int fit_rank(const struct choice *choice)
{
	bool is_struct = shape_is_struct(choice->shape);
	int rank = (int)choice->place.fit;

	if (is_struct && choice->place.in_bytes && rank > FIT_BYTES)
		rank = FIT_BYTES;
	else if (rank > FIT_INSIDE)
		rank = FIT_INSIDE;
	return 2 * rank + (is_struct ? 3 : 0);
}

/* Whether inner's object is a part of outer's. */
static bool contains(const struct choice *outer, const struct choice *inner)
{
	return shape_is_struct(outer->shape) && outer->shape->size > inner->shape->size &&
	       place_holds(outer->shape, outer->offset - inner->offset, inner->shape);
}

/* What is stated wins over what is inferred, unless that is the same and more. */
static bool is_better(const struct choice *a, const struct choice *b)
{
	bool a_struct, b_struct, a_named, b_named;

	if (!b->shape)
		return true;
	a_struct = shape_is_struct(a->shape);
	b_struct = shape_is_struct(b->shape);
	/* One without a name is how unaligned numbers are read. */
	a_named = a_struct && a->shape->name;
	b_named = b_struct && b->shape->name;
	if (idioms_is_cast_early(a->shape) != idioms_is_cast_early(b->shape))
		return idioms_is_cast_early(b->shape);
	if (a->weak && !b->weak)
		return (a_named && !b_struct) || contains(a, b);
	if (b->weak && !a->weak)
		return !((b_named && !a_struct) || contains(b, a));
	if (fit_rank(a) != fit_rank(b))
		return fit_rank(a) > fit_rank(b);
	return a->shape->size > b->shape->size;
}

static bool choose_container(const struct question *question, const struct value *value,
			     struct choice *ret)
{
	struct container_query query = {
		.function = question->flow->function,
		.variables = &question->flow->locations,
		.place = question->query,
	};
	const struct shape *inner = NULL;

	for (int weak = 0; weak < 2 && !ret->shape; weak++) {
		query.is_guess = weak;
		for (unsigned int i = 0; i < value->nr; i++) {
			const struct candidate *candidate = &value->candidates[i];
			struct container_match match;

			if (candidate->weak != weak ||
			    !containers_find(question->containers, &query, candidate->shape,
					     candidate->offset, &match))
				continue;
			if (match.is_step && idioms_has_payload(candidate->shape))
				continue;
			/* The more is known inside, the surer is what is around it. */
			if (inner && candidate->shape->size <= inner->size)
				continue;
			inner = candidate->shape;
			*ret = (struct choice){
				match.shape,
				match.offset,
				match.place,
				weak,
				match.is_step ? RULE_STEP : RULE_CONTAINER,
			};
		}
	}
	return ret->shape;
}

static bool is_behind(const struct candidate *candidate)
{
	const int32_t most = 4096;
	const struct shape *shape = candidate->shape;

	return shape_is_struct(shape) && shape->size > 0 && candidate->offset >= shape->size &&
	       candidate->offset < shape->size + most;
}

/* What follows a header has no type of its own; the header is still the object. */
static void choose_payload(const struct value *value, struct choice *ret)
{
	for (unsigned int i = 0; i < value->nr; i++) {
		const struct candidate *candidate = &value->candidates[i];

		if (is_behind(candidate) &&
		    (idioms_has_payload(candidate->shape) ||
		     (!candidate->weak && !candidate_is_indexed(candidate))))
			*ret = (struct choice){
				candidate->shape, candidate->offset, {},
				candidate->weak,  RULE_PAYLOAD,
			};
	}
}

static bool choose(const struct question *question, value_id id, struct choice *ret)
{
	struct value value = *value_get(question->flow->values, id);

	*ret = (struct choice){};
	for (unsigned int i = 0; i < value.nr; i++) {
		const struct candidate *candidate = &value.candidates[i];
		struct choice choice = {
			candidate->shape, candidate->offset, {}, candidate->weak, RULE_NONE,
		};

		if (choice.shape->kind == SHAPE_FUNCTION)
			continue;
		/* Indexed, but no array: not what it seems, or one of many. */
		choice.weak |= candidate->stride && !candidate->array;
		/* A pointer to a scalar may be one into an array of them. */
		if (shape_is_scalar(choice.shape) && choice.shape->size > 0)
			choice.offset = (choice.offset % choice.shape->size + choice.shape->size) %
					choice.shape->size;
		choice.place = place_find(choice.shape, choice.offset, &question->query);
		if (choice.place.fit && (!ret->shape || is_better(&choice, ret)))
			*ret = choice;
	}
	if (question->containers && (!ret->shape || is_plain(ret->shape))) {
		struct choice larger = {};

		if (choose_container(question, &value, &larger))
			*ret = larger;
		else if (!ret->shape)
			choose_payload(&value, ret);
	}
	return ret->shape;
}

static bool give(const struct choice *choice, enum rule rule, const char *variable,
		 struct answer *ret)
{
	ret->shape = choice->shape;
	ret->offset = choice->offset;
	ret->place = choice->place;
	ret->is_weak = choice->weak;
	ret->rule = choice->rule != RULE_NONE ? choice->rule : rule;
	if (ret->rule == RULE_FLOW && choice->weak)
		ret->rule = RULE_INFERRED;
	ret->variable = variable;
	ret->reason = ACCESS_RESOLVED;
	return true;
}

static bool answer_variable(const struct question *question, int64_t address, enum rule rule,
			    struct answer *ret)
{
	struct flow *flow = question->flow;
	struct code_variable variable;
	struct choice choice;

	if (!code_find_variable(flow->code, flow->function, (uint64_t)address, &variable))
		return false;
	if (!choose(question, value_pointer(flow->values, variable.shape, (int64_t)variable.offset),
		    &choice))
		return false;
	return give(&choice, rule, variable.name, ret);
}

/* What debug information alone says is in a register; the innermost variable's name. */
static value_id stated(const struct question *question, uint8_t reg, const char **ret_name)
{
	struct flow *flow = question->flow;
	value_id value = VALUE_ID_UNKNOWN;
	int depth = -1;

	*ret_name = NULL;
	for (uint32_t i = flow->first_active.items[question->step];
	     i < flow->first_active.items[question->step + 1]; i++) {
		const struct location *location =
			&flow->locations.items[flow->active.items[i].location];

		if (location->reg != reg ||
		    (location->kind != LOCATION_REGISTER && location->kind != LOCATION_MEMORY))
			continue;
		value = state_believe_location(flow->values, value, location);
		if (location->depth > depth) {
			depth = location->depth;
			*ret_name = location->name;
		}
	}
	return value;
}

/* Whether the flow is certain of that object. */
static bool is_followed(const struct value *followed, const struct shape *shape)
{
	for (unsigned int i = 0; i < followed->nr; i++) {
		const struct candidate *candidate = &followed->candidates[i];

		if (candidate->shape == shape)
			return !candidate->weak && (candidate->array || !candidate->stride);
	}
	return false;
}

/* The flow may know the same object as a part of a larger one; the rule for what is chosen. */
static enum rule enlarge(const struct question *question, const struct operand *operand,
			 value_id value, struct choice *choice)
{
	struct values *values = question->flow->values;
	value_id followed = flow_address(question->flow, question->state, operand);
	struct choice larger;

	if (!value_is_pointer(values, followed))
		return RULE_REGISTER;
	value = value_add_candidates(values, value, followed, 0, true);
	if (!choose(question, value, &larger))
		return RULE_REGISTER;
	if (larger.shape == choice->shape) {
		*choice = larger;
		return RULE_REGISTER;
	}
	/* Two ways agree on the part. */
	larger.weak &= !contains(&larger, choice) ||
		       !is_followed(value_get(values, followed), larger.shape);
	*choice = larger;
	return RULE_FLOW;
}

static bool answer_register(const struct question *question, const struct operand *operand,
			    bool by_index, struct answer *ret)
{
	struct values *values = question->flow->values;
	uint8_t reg = by_index ? operand->index : operand->base;
	enum rule rule = RULE_REGISTER;
	value_id value, address, other;
	struct choice choice;
	const char *name;

	if (reg >= NR_REGS || reg == REG_RSP)
		return false;
	value = stated(question, reg, &name);
	if (!value_is_pointer(values, value))
		return false;
	other = by_index ? operand->base : operand->index;
	other = other < NR_REGS ? question->state->regs[other] : VALUE_ID_UNKNOWN;
	/* What is added to a pointer is none. */
	if (value_is_pointer(values, other))
		other = VALUE_ID_UNKNOWN;
	address = flow_operand_address(question->flow, operand, by_index ? other : value,
				       by_index ? value : other);
	if (!choose(question, address, &choice))
		return false;
	if (choice.rule == RULE_NONE)
		rule = enlarge(question, operand, address, &choice);
	return give(&choice, rule, name, ret);
}

static bool covers(const struct location *location, int64_t start, int64_t offset)
{
	int64_t size = location->shape->size ? location->shape->size : 1;

	return offset >= start && offset < start + size;
}

/* gcc describes some variables by a register, where it realigns the frame. */
static const struct location *realigned_variable(const struct question *question, int64_t offset,
						 int64_t *ret_start)
{
	struct flow *flow = question->flow;

	for (uint32_t i = flow->first_active.items[question->step];
	     i < flow->first_active.items[question->step + 1]; i++) {
		const struct location *location =
			&flow->locations.items[flow->active.items[i].location];
		const struct value *base =
			value_get(flow->values, question->state->regs[location->reg]);

		if (location->kind != LOCATION_MEMORY || base->kind != VALUE_STACK)
			continue;
		*ret_start = base->number + location->offset;
		if (covers(location, *ret_start, offset))
			return location;
	}
	return NULL;
}

/* Whether all accesses to the slot are of the variable's size: it is not used for others too. */
static bool is_used_alike(const struct flow *flow, const struct location *location)
{
	for (size_t i = 0; i < flow->steps.nr; i++) {
		const struct step *step = &flow->steps.items[i];

		if (step->slot != NO_SLOT && step->insn.memory >= 0 &&
		    covers(location, location->offset, step->slot) &&
		    step->insn.operands[step->insn.memory].size != location->shape->size)
			return false;
	}
	return true;
}

/*
 * The one variable that the slot ever holds: a location begins behind the store that spills it,
 * and ends where the compiler knows it dead.
 */
static const struct location *sole_variable(const struct question *question, int64_t offset)
{
	const struct flow *flow = question->flow;
	const struct location *found = NULL;

	for (size_t i = 0; i < flow->locations.nr; i++) {
		const struct location *location = &flow->locations.items[i];

		if (location->kind != LOCATION_FRAME || !covers(location, location->offset, offset))
			continue;
		/* Inlined functions give it names of their own. */
		if (found && (found->shape != location->shape || found->offset != location->offset))
			return NULL;
		found = location;
	}
	return found && is_used_alike(flow, found) ? found : NULL;
}

static bool answer_stack(const struct question *question, int64_t offset, struct answer *ret)
{
	struct flow *flow = question->flow;
	const struct location *variable = flow_stack_variable(flow, question->step, offset);
	int64_t start = variable ? variable->offset : 0;
	bool is_elsewhere = false;
	struct choice choice;

	ret->class = CLASS_STACK;
	ret->reason = ACCESS_STACK;
	if (!variable)
		variable = realigned_variable(question, offset, &start);
	if (!variable) {
		variable = sole_variable(question, offset);
		start = variable ? variable->offset : 0;
		is_elsewhere = true;
	}
	if (!variable)
		return false;
	if (!choose(question, value_pointer(flow->values, variable->shape, offset - start),
		    &choice))
		return false;
	choice.weak |= is_elsewhere;
	return give(&choice, RULE_STACK, variable->name, ret);
}

/* Why the address says nothing. */
static enum access_unresolved reason_for(const struct question *question,
					 const struct operand *operand, const struct value *value)
{
	struct flow *flow = question->flow;

	if (flow->function == CODE_NO_FUNCTION)
		return ACCESS_NO_DEBUG_INFO;
	for (uint32_t i = flow->first_active.items[question->step];
	     i < flow->first_active.items[question->step + 1]; i++) {
		const struct location *location =
			&flow->locations.items[flow->active.items[i].location];

		if (location->kind == LOCATION_REGISTER && location->reg == operand->base)
			return ACCESS_UNTYPED_POINTER;
	}
	if (value->kind == VALUE_POINTER || value->kind == VALUE_MIXED)
		return ACCESS_CONTRADICTION;
	return ACCESS_LOST_TRACK;
}

static bool answer_followed(const struct question *question, const struct operand *operand,
			    struct answer *ret)
{
	struct flow *flow = question->flow;
	struct value value;
	struct choice choice;
	value_id address;

	address = flow_address(flow, question->state, operand);
	value = *value_get(flow->values, address);
	if (value.kind == VALUE_STACK) {
		/* From behind an element of an array that starts there. */
		if (operand->index < NR_REGS && operand->value < 0 &&
		    answer_stack(question, value.number - operand->value, ret))
			return true;
		return answer_stack(question, value.number, ret);
	}
	if (value.kind == VALUE_CONSTANT && !value_is_small(value.number) &&
	    answer_variable(question, value.number, RULE_FLOW, ret))
		return true;
	if (choose(question, address, &choice))
		return give(&choice, RULE_FLOW, NULL, ret);
	ret->reason = reason_for(question, operand, &value);
	return false;
}

static bool is_canary(const struct operand *operand)
{
	return operand->segment == SEGMENT_GS && operand->base == REG_NONE &&
	       operand->index == REG_NONE && operand->value == CANARY;
}

static enum operand_class class_of(const struct operand *operand)
{
	if (is_canary(operand))
		return CLASS_CANARY;
	if (operand->segment == SEGMENT_GS)
		return CLASS_PERCPU;
	if (operand->base == REG_NONE || operand->base == REG_RIP)
		return CLASS_FIXED;
	return operand->base == REG_RSP ? CLASS_STACK : CLASS_BASE;
}

static bool points_at_stack(const struct question *question, const struct operand *operand)
{
	value_id address = flow_address(question->flow, question->state, operand);

	return value_get(question->flow->values, address)->kind == VALUE_STACK;
}

static bool answer_operand(struct question *question, const struct operand *operand,
			   struct answer *ret)
{
	bool fixed = operand->base == REG_NONE || operand->base == REG_RIP;

	question->query.size = operand->size;
	ret->class = class_of(operand);
	ret->size = operand->size;
	ret->reg = operand->base;
	ret->is_load = operand->is_load;
	ret->is_store = operand->is_store;
	ret->reason = ACCESS_LOST_TRACK;
	if (ret->class == CLASS_CANARY) {
		ret->reason = ACCESS_STACK;
		return false;
	}
	/* What is added to a variable's address is an index, whatever the register held before. */
	if ((fixed || value_is_image_address(operand->value)) &&
	    answer_variable(question, operand->value, RULE_VARIABLE, ret))
		return true;
	if (fixed && operand->index == REG_NONE)
		return false;
	if (!fixed && points_at_stack(question, operand))
		ret->class = CLASS_STACK;
	if (!fixed && !question->flow->without_variables) {
		if (answer_register(question, operand, false, ret) ||
		    (operand->scale == 1 && answer_register(question, operand, true, ret)))
			return true;
	}
	return answer_followed(question, operand, ret);
}

/* The bits that an immediate tells apart: those tested, set or cleared. */
static uint64_t bits_of(const struct insn *insn)
{
	const struct operand *to = &insn->operands[0], *by = &insn->operands[1];
	uint64_t whole = to->size >= 8 ? ~0ull : (1ull << 8 * to->size) - 1;

	if (insn->nr_operands != 2 || to->kind != OPERAND_MEMORY || by->kind != OPERAND_IMMEDIATE)
		return 0;
	switch (insn->kind) {
	case INSN_TEST:
	case INSN_OR:
	case INSN_XOR:
		return (uint64_t)by->value & whole;
	case INSN_AND:
		return ~(uint64_t)by->value & whole;
	default:
		return 0;
	}
}

/* The first memory operand that something is known of, else why the first one is unknown. */
static void answer_operands(struct question *question, struct answer *ret)
{
	const struct insn *insn = question->insn;

	for (int i = insn->memory; i < insn->nr_operands; i++) {
		struct answer answer = { .is_locked = insn->is_locked };

		if (insn->operands[i].kind != OPERAND_MEMORY)
			continue;
		if (answer_operand(question, &insn->operands[i], &answer) || i == insn->memory)
			*ret = answer;
		if (answer.shape)
			return;
	}
}

const struct answer answer_saved = {
	.reason = ACCESS_STACK,
	.class = CLASS_STACK,
	.reg = REG_RSP,
};

/* Compilers leave returns to the kernel, which at boot puts one there or into the thunk itself. */
static bool is_return_site(const struct code *code, const struct insn *insn)
{
	const struct code_symbol *symbol = NULL;

	if (insn->flow == FLOW_JUMP && insn->target)
		symbol = code_symbol_at(code, insn->target);
	return symbol && !strcmp(symbol->name, "__x86_return_thunk");
}

bool answer_is_saved(const struct code *code, const struct insn *insn)
{
	return insn->memory < 0 && ((insn->kind >= INSN_PUSH && insn->kind <= INSN_LEAVE) ||
				    (insn->flow >= FLOW_CALL && insn->flow <= FLOW_RETURN) ||
				    is_return_site(code, insn));
}

void answer_step(struct flow *flow, struct containers *containers, uint32_t step,
		 const struct state *state, struct answer *ret)
{
	const struct insn *insn = &flow->steps.items[step].insn;
	struct question question = {
		.flow = flow,
		.step = step,
		.state = state,
		.insn = insn,
		.query.bits = bits_of(insn),
	};
	struct answer stretched = {};

	*ret = (struct answer){ .reason = ACCESS_NO_OPERAND, .reg = REG_NONE };
	if (answer_is_saved(flow->code, insn))
		*ret = answer_saved;
	if (insn->memory < 0 || insn->kind == INSN_ADDRESS || insn->kind == INSN_NOTHING)
		return;
	answer_operands(&question, ret);
	/* What lies on the stack without a variable is a spilled register. */
	if (!containers || ret->class == CLASS_STACK || ret->class == CLASS_CANARY ||
	    ret->rule == RULE_VARIABLE || (ret->shape && !is_plain(ret->shape)))
		return;
	question.containers = containers;
	answer_operands(&question, &stretched);
	if (stretched.shape && (!ret->shape || stretched.rule == RULE_CONTAINER))
		*ret = stretched;
}

enum access_confidence answer_confidence(const struct answer *answer)
{
	if (!answer->shape)
		return CONFIDENCE_NONE;
	if (answer->rule >= RULE_CONTAINER || answer->is_weak || answer->place.fit <= FIT_WIDER)
		return CONFIDENCE_LOW;
	if (answer->rule == RULE_FLOW || answer->place.fit != FIT_EXACT)
		return CONFIDENCE_MEDIUM;
	return CONFIDENCE_HIGH;
}
