/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/flow.h"

void state_clear(struct state *state)
{
	for (unsigned int i = 0; i < NR_REGS; i++)
		state->regs[i] = VALUE_ID_UNKNOWN;
	state->nr_slots = 0;
}

void state_copy(struct state *to, const struct state *from)
{
	for (unsigned int reg = 0; reg < NR_REGS; reg++)
		to->regs[reg] = from->regs[reg];
	to->nr_slots = from->nr_slots;
	for (uint32_t i = 0; i < from->nr_slots; i++)
		to->slots[i] = from->slots[i];
}

value_id *state_slot(struct state *state, int64_t offset, bool add)
{
	for (uint32_t i = 0; i < state->nr_slots; i++) {
		if (state->slots[i].offset == offset)
			return &state->slots[i].value;
	}
	if (!add || state->nr_slots == STATE_MAX_SLOTS || offset != (int32_t)offset)
		return NULL;
	state->slots[state->nr_slots] = (struct slot){ (int32_t)offset, VALUE_ID_UNKNOWN };
	return &state->slots[state->nr_slots++].value;
}

bool state_join(struct values *values, struct state *state, const struct state *from)
{
	bool changed = false;

	for (unsigned int i = 0; i < NR_REGS; i++) {
		value_id joined = value_join(values, state->regs[i], from->regs[i]);

		changed |= joined != state->regs[i];
		state->regs[i] = joined;
	}
	for (uint32_t i = 0; i < state->nr_slots; i++) {
		value_id *other = state_slot((struct state *)from, state->slots[i].offset, false);
		value_id joined = value_join(values, state->slots[i].value,
					     other ? *other : VALUE_ID_UNKNOWN);

		changed |= joined != state->slots[i].value;
		state->slots[i].value = joined;
	}
	for (uint32_t i = 0; i < from->nr_slots; i++) {
		value_id *slot;

		if (from->slots[i].value == VALUE_ID_UNKNOWN ||
		    state_slot(state, from->slots[i].offset, false))
			continue;
		slot = state_slot(state, from->slots[i].offset, true);
		if (slot) {
			*slot = from->slots[i].value;
			changed = true;
		}
	}
	return changed;
}

/* A register that holds the variable's value, or the variable's place, plus or minus something. */
value_id state_believe_location(struct values *values, value_id value,
				const struct location *location)
{
	int64_t offset = -location->offset;

	if (location->kind == LOCATION_MEMORY)
		return value_add_candidate(values, value, shape_single(location->shape), offset,
					   false);
	if (!shape_is_pointer(location->shape))
		return value;
	return value_add_candidate(values, value, location->shape->target, offset, false);
}

/* The variable lies behind a load that the code has not kept: remember what that one points at. */
static void learn_pointee(struct flow *flow, uint32_t step, struct state *state,
			  const struct location *location)
{
	const size_t most = 64;
	value_id address = value_shift(flow->values, state->regs[location->reg], location->offset);
	struct value loaded;

	if (!value_is_pointer(flow->values, address))
		return;
	loaded = *value_get(flow->values, flow_load(flow, step, state, address, 8));
	for (unsigned int i = 0; i < loaded.nr && flow->pointees.nr < most; i++) {
		struct pointee pointee = {
			.shape = loaded.candidates[i].shape,
			.offset = loaded.candidates[i].offset + location->second,
			.target = location->shape->target,
		};
		bool known = false;

		for (size_t j = 0; j < flow->pointees.nr; j++) {
			const struct pointee *old = &flow->pointees.items[j];

			known |= old->shape == pointee.shape && old->offset == pointee.offset &&
				 old->target == pointee.target;
		}
		if (!known)
			*vec_add(&flow->pointees) = pointee;
	}
}

static bool tells_register(const struct location *location)
{
	return location->kind == LOCATION_REGISTER || location->kind == LOCATION_MEMORY;
}

void state_believe(struct flow *flow, uint32_t step, struct state *state, bool is_first,
		   uint16_t changed)
{
	uint64_t last = step ? flow->steps.items[step - 1].insn.address : 0;
	uint32_t first = flow->first_active.items[step];
	uint32_t end = flow->without_variables ? first : flow->first_active.items[step + 1];

	for (uint32_t i = first; i < end; i++) {
		const struct location *location = &flow->locations.items[flow->active.items[i]];
		value_id *reg = &state->regs[location->reg];

		if (!is_first && location->start <= last && !(changed >> location->reg & 1))
			continue;
		if (location->kind == LOCATION_BEHIND)
			learn_pointee(flow, step, state, location);
		else if (tells_register(location))
			*reg = state_believe_location(flow->values, *reg, location);
	}
	for (unsigned int reg = 0; flow->wanted_known && reg < NR_REGS; reg++) {
		value_id wanted = flow->wanted.items[(size_t)step * NR_REGS + reg];

		if (wanted != VALUE_ID_UNKNOWN && reg != REG_RSP)
			state->regs[reg] = value_add_candidates(flow->values, state->regs[reg],
								wanted, 0, true);
	}
}

void state_believe_backward(struct flow *flow, uint32_t step, struct state *state)
{
	uint32_t first = flow->first_active.items[step];
	uint32_t end = flow->without_variables ? first : flow->first_active.items[step + 1];

	for (uint32_t i = first; i < end; i++) {
		const struct location *location = &flow->locations.items[flow->active.items[i]];
		value_id *reg = &state->regs[location->reg];

		if (tells_register(location))
			*reg = state_believe_location(flow->values, *reg, location);
	}
}
