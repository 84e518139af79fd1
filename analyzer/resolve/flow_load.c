/* SPDX-License-Identifier: GPL-2.0-only */
/* What a load of a pointer yields: the member's target, the spilled register, the variable's. */
#include "resolve/containers.h"
#include "resolve/flow.h"
#include "resolve/places.h"

const struct location *flow_stack_variable(const struct flow *flow, uint32_t step, int64_t offset)
{
	const struct location *best = NULL;

	for (uint32_t i = flow->first_active.items[step]; i < flow->first_active.items[step + 1];
	     i++) {
		const struct location *location =
			&flow->locations.items[flow->active.items[i].location];
		int64_t size = location->shape->size ? location->shape->size : 1;

		if (location->kind == LOCATION_FRAME && offset >= location->offset &&
		    offset < location->offset + size && (!best || location->depth > best->depth))
			best = location;
	}
	return best;
}

static const struct place_query pointer_query = { .size = 8, .of_pointer = true };

static value_id load_from_stack(struct flow *flow, uint32_t step, struct state *state,
				const struct value *address)
{
	const struct location *variable;
	value_id *slot, result;

	slot = address->inexact ? NULL : state_slot(state, address->number, false);
	result = slot ? *slot : VALUE_ID_UNKNOWN;
	if (flow->without_variables)
		return result;
	variable = flow_stack_variable(flow, step, address->number);
	if (variable) {
		struct place place = place_find(variable->shape, address->number - variable->offset,
						&pointer_query);

		if (place.fit == FIT_EXACT && shape_is_pointer(place.leaf))
			result = value_add_candidate(flow->values, result, place.leaf->target, 0,
						     false);
	}
	for (uint32_t i = flow->first_active.items[step]; i < flow->first_active.items[step + 1];
	     i++) {
		const struct location *location =
			&flow->locations.items[flow->active.items[i].location];

		if (location->kind == LOCATION_SPILLED && location->offset == address->number &&
		    shape_is_pointer(location->shape))
			result = value_add_candidate(flow->values, result, location->shape->target,
						     0, false);
	}
	return result;
}

struct loading {
	struct value *result;
	const struct shape *target; /* of the first pointer that lies there */
	bool weak;
	bool untyped; /* a void pointer lies there */
	bool differ;  /* pointers to different things: a union's */
};

static void see_pointer(void *context, const struct shape *pointer)
{
	struct loading *loading = context;

	loading->untyped |= pointer->target->kind == SHAPE_VOID;
	loading->differ |= loading->target && loading->target != pointer->target;
	loading->target = pointer->target;
}

static void load_pointer(void *context, const struct shape *pointer)
{
	struct loading *loading = context;

	candidate_add(loading->result, pointer->target, 0, loading->weak || loading->differ);
}

/* Outside of an embedded struct lies the one around it. */
static void load_from_container(struct flow *flow, const struct candidate *candidate,
				struct loading *loading)
{
	const struct container_query query = {
		.function = flow->function,
		.variables = &flow->locations,
		.place = pointer_query,
		.is_guess = candidate->weak,
		.only_telling = true,
	};
	struct container_match match;

	loading->weak = true;
	if (containers_find(flow->containers, &query, candidate->shape, candidate->offset,
			    &match) &&
	    !match.is_step)
		place_pointers(match.shape, match.offset, load_pointer, loading);
}

static void load_candidate(struct flow *flow, const struct candidate *candidate,
			   struct value *result)
{
	struct loading loading = { .result = result, .weak = candidate->weak };
	int64_t offset = candidate->offset;
	const struct shape *learned;
	struct candidate disguised;

	/* A pointer to a pointer may be one into an array of them. */
	if (shape_is_scalar(candidate->shape) && offset >= 0)
		offset %= 8;
	place_pointers(candidate->shape, offset, see_pointer, &loading);
	if (loading.target)
		place_pointers(candidate->shape, offset, load_pointer, &loading);
	else if (shape_is_struct(candidate->shape) &&
		 (offset < 0 || offset >= candidate->shape->size))
		load_from_container(flow, candidate, &loading);
	for (size_t i = 0; i < flow->pointees.nr; i++) {
		const struct pointee *pointee = &flow->pointees.items[i];

		if (pointee->shape == candidate->shape && pointee->offset == offset)
			candidate_add(result, pointee->target, 0, false);
	}
	if (idioms_pointer(flow->idioms, candidate->shape, offset, &disguised))
		candidate_add(result, disguised.shape, disguised.offset, candidate->weak);
	if (!loading.untyped || result->nr)
		return;
	flow->used_facts = true;
	if (!flow->facts->usable)
		return;
	learned = facts_field(flow->facts, flow->folder, candidate->shape, offset);
	if (learned)
		candidate_add(result, learned, 0, true);
}

value_id flow_load(struct flow *flow, uint32_t step, struct state *state, value_id address,
		   uint32_t size)
{
	struct value from = *value_get(flow->values, address), result = {};

	if (size != 8)
		return VALUE_ID_UNKNOWN;
	if (from.kind == VALUE_STACK)
		return load_from_stack(flow, step, state, &from);
	if (from.kind == VALUE_CONSTANT) {
		if ((uint64_t)from.number == flow->this_cpu_off)
			return VALUE_ID_PERCPU;
		from = *value_get(flow->values, value_as_pointer(flow->values, address));
	}
	for (unsigned int i = 0; i < from.nr; i++)
		load_candidate(flow, &from.candidates[i], &result);
	return value_intern(flow->values, &result);
}

value_id flow_load_distance(struct flow *flow, const struct operand *operand, value_id address)
{
	struct value from = *value_get(flow->values, address);
	struct code_variable variable;
	int64_t distance = -1;

	if (from.kind == VALUE_CONSTANT &&
	    code_find_variable(flow->code, flow->function, (uint64_t)from.number, &variable))
		distance =
			idioms_distance_in(flow->idioms, variable.name, (int64_t)variable.offset);
	for (unsigned int i = 0; i < from.nr && distance < 0; i++)
		distance = idioms_distance(flow->idioms, flow->folder, from.candidates[i].shape,
					   from.candidates[i].offset, operand->size);
	if (distance < 0)
		return VALUE_ID_UNKNOWN;
	return value_intern(flow->values,
			    &(struct value){ .kind = VALUE_DISTANCE, .number = distance });
}

bool flow_holds_void_pointer(const struct shape *shape, int64_t offset)
{
	static const struct place_query query = { .size = 8 };
	struct place place = place_find(shape, offset, &query);

	return place.fit == FIT_EXACT && shape_is_pointer(place.leaf) &&
	       place.leaf->target->kind == SHAPE_VOID;
}

const struct shape *flow_pointer_stored(struct flow *flow, value_id address)
{
	struct value to = *value_get(flow->values, value_as_pointer(flow->values, address));
	const struct shape *found = NULL;

	for (unsigned int i = 0; i < to.nr; i++) {
		struct place place =
			place_find(to.candidates[i].shape, to.candidates[i].offset, &pointer_query);

		if (place.fit == FIT_EXACT && shape_is_pointer(place.leaf) &&
		    place.leaf->target->kind != SHAPE_VOID)
			found = place.leaf->target;
	}
	return found;
}
