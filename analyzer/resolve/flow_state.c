/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

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

/* The slot in state that the i-th of other is: mostly in the same place. */
static value_id *slot_like(const struct state *state, const struct state *other, uint32_t i)
{
	struct state *found = (struct state *)state;
	int32_t offset = other->slots[i].offset;

	if (i < state->nr_slots && state->slots[i].offset == offset)
		return &found->slots[i].value;
	return state_slot(found, offset, false);
}

bool state_join(struct values *values, struct state *state, const struct state *from)
{
	bool changed = false;

	for (unsigned int i = 0; i < NR_REGS; i++) {
		value_id joined;

		if (state->regs[i] == from->regs[i])
			continue;
		joined = value_join(values, state->regs[i], from->regs[i]);
		changed |= joined != state->regs[i];
		state->regs[i] = joined;
	}
	for (uint32_t i = 0; i < state->nr_slots; i++) {
		value_id *other = slot_like(from, state, i);
		value_id joined = value_join(values, state->slots[i].value,
					     other ? *other : VALUE_ID_UNKNOWN);

		changed |= joined != state->slots[i].value;
		state->slots[i].value = joined;
	}
	for (uint32_t i = 0; i < from->nr_slots; i++) {
		value_id *slot;

		if (from->slots[i].value == VALUE_ID_UNKNOWN || slot_like(state, from, i))
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

/* What the function's variables say of registers that are new or have changed. */
static void believe_variables(struct flow *flow, uint32_t step, struct state *state, bool is_first,
			      uint16_t changed)
{
	uint32_t end = flow->first_active.items[step + 1];

	for (uint32_t i = flow->first_active.items[step]; i < end; i++) {
		const struct active *active = &flow->active.items[i];
		const struct location *location;

		if (!is_first && !active->begins && !(changed >> active->reg & 1))
			continue;
		location = &flow->locations.items[active->location];
		if (location->kind == LOCATION_BEHIND)
			learn_pointee(flow, step, state, location);
		else if (tells_register(location))
			state->regs[active->reg] = state_believe_location(
				flow->values, state->regs[active->reg], location);
	}
}

void state_believe(struct flow *flow, uint32_t step, struct state *state, bool is_first,
		   uint16_t changed)
{
	uint16_t wanted = flow->wanted_known ? flow->wanted_regs.items[step] : 0;

	if (!flow->without_variables)
		believe_variables(flow, step, state, is_first, changed);
	for (unsigned int reg = 0; wanted; reg++, wanted >>= 1) {
		if (wanted & 1)
			state->regs[reg] = value_add_candidates(
				flow->values, state->regs[reg],
				flow->wanted.items[(size_t)step * NR_REGS + reg], 0, true);
	}
}

/* That some number lies where a register points is worth wanting only where nothing else is. */
static bool is_wanted(const struct location *location, value_id wanted)
{
	if (location->kind == LOCATION_MEMORY && location->shape->kind == SHAPE_SCALAR)
		return wanted == VALUE_ID_UNKNOWN;
	return tells_register(location);
}

void state_believe_backward(struct flow *flow, uint32_t step, struct state *state,
			    value_id *believed)
{
	uint32_t first = flow->first_active.items[step];
	uint32_t end = flow->without_variables ? first : flow->first_active.items[step + 1];
	uint16_t same = 0;

	for (unsigned int reg = 0; reg < NR_REGS; reg++)
		same |= (uint16_t)((state->regs[reg] == believed[reg]) << reg);
	for (uint32_t i = first; i < end; i++) {
		const struct active *active = &flow->active.items[i];
		const struct location *location;

		if (!active->ends && same >> active->reg & 1)
			continue;
		location = &flow->locations.items[active->location];
		if (is_wanted(location, state->regs[active->reg]))
			state->regs[active->reg] = state_believe_location(
				flow->values, state->regs[active->reg], location);
	}
	memcpy(believed, state->regs, sizeof(state->regs));
}
