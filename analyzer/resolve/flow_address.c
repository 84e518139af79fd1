/* SPDX-License-Identifier: GPL-2.0-only */
/* Which address a memory operand has, given what is in its registers. */
#include "resolve/flow.h"

bool flow_reads_percpu_offset(const struct flow *flow, const struct operand *operand)
{
	uint64_t address = (uint64_t)operand->value;

	if (operand->kind != OPERAND_MEMORY ||
	    (operand->base != REG_NONE && operand->base != REG_RIP))
		return false;
	return (operand->segment == SEGMENT_GS && address == flow->this_cpu_off) ||
	       address == flow->percpu_offsets;
}

static bool is_no_pointer(const struct values *values, value_id id)
{
	uint8_t kind = value_get(values, id)->kind;

	return kind == VALUE_UNKNOWN || kind == VALUE_MIXED || kind == VALUE_INDEX;
}

/* An array's address and an index in a register. */
static value_id address_in_array(struct flow *flow, const struct operand *operand, value_id index)
{
	value_id array = value_constant(flow->values, operand->value);

	if (operand->segment == SEGMENT_GS)
		return value_in_percpu(flow->values, value_sum(flow->values, array, index));
	return value_sum(flow->values, array, index);
}

static bool points_into_array(const struct values *values, value_id id)
{
	const struct value *value = value_get(values, id);

	for (unsigned int i = 0; i < value->nr; i++) {
		if (value->candidates[i].array)
			return true;
	}
	return false;
}

/* base + index * scale + displacement: the index counts elements, or is the pointer itself. */
static value_id indexed_address(struct flow *flow, const struct operand *operand, value_id base,
				value_id index)
{
	struct values *values = flow->values;
	uint8_t base_kind = value_get(values, base)->kind;
	uint8_t index_kind = value_get(values, index)->kind;
	value_id sum, multiple;

	if (operand->scale == 1) {
		if (base_kind == VALUE_PERCPU)
			return value_sum(values, base, value_shift(values, index, operand->value));
		if (index_kind == VALUE_PERCPU)
			return value_sum(values, value_shift(values, base, operand->value), index);
		if (index_kind == VALUE_DISTANCE || base_kind == VALUE_DISTANCE)
			return value_shift(values, value_sum(values, base, index), operand->value);
		if (base_kind != VALUE_POINTER && base_kind != VALUE_STACK &&
		    (index_kind == VALUE_POINTER || index_kind == VALUE_STACK)) {
			sum = base;
			base = index;
			index = sum;
			base_kind = index_kind;
		}
	}
	multiple = value_multiply(values, index, operand->scale);
	if (operand->base == operand->index && is_no_pointer(values, base))
		return address_in_array(flow, operand,
					value_multiply(values, index, operand->scale + 1));
	if (is_no_pointer(values, base))
		return address_in_array(flow, operand, value_sum(values, base, multiple));
	if (base_kind == VALUE_PERCPU)
		return VALUE_ID_UNKNOWN;
	/* The displacement is that of the array in the struct or of a field in the element; below
	 * 0 it leads back from behind. */
	sum = value_sum(values, base, multiple);
	if (operand->value < 0 && points_into_array(values, sum))
		return value_shift(values, sum, operand->value);
	sum = value_sum(values, value_shift(values, base, operand->value), multiple);
	if (base_kind != VALUE_POINTER || value_is_pointer(values, sum))
		return sum;
	return value_shift(values, value_sum(values, base, multiple), operand->value);
}

value_id flow_operand_address(struct flow *flow, const struct operand *operand, value_id base,
			      value_id index)
{
	if (operand->base >= NR_REGS)
		base = value_constant(flow->values, operand->value);
	if (operand->base == REG_RIP || (operand->base >= NR_REGS && operand->index >= NR_REGS))
		return base;
	if (operand->base >= NR_REGS)
		return value_sum(flow->values, base,
				 value_multiply(flow->values, index, operand->scale));
	if (operand->index < NR_REGS)
		return indexed_address(flow, operand, base, index);
	return is_no_pointer(flow->values, base) ? address_in_array(flow, operand, base) :
						   value_shift(flow->values, base, operand->value);
}

value_id flow_address(struct flow *flow, const struct state *state, const struct operand *operand)
{
	return flow_operand_address(
		flow, operand,
		operand->base < NR_REGS ? state->regs[operand->base] : VALUE_ID_UNKNOWN,
		operand->index < NR_REGS ? state->regs[operand->index] : VALUE_ID_UNKNOWN);
}
