/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/neighbours.h"

#include "insn/insn.h"

#define INSN_MAX_BYTES 15
/* A straight line is rarely longer. */
#define MAX_INSNS 64

static bool decode(const struct code *code, struct insn_decoder *decoder, uint64_t ip,
		   struct insn *ret)
{
	uint64_t left = 0;
	const uint8_t *bytes = code_bytes(code, ip, &left);

	return bytes && insn_decode(decoder, bytes,
				    left < INSN_MAX_BYTES ? (size_t)left : INSN_MAX_BYTES, ip, ret);
}

/* A place that the registers of an instruction name, and nothing else. */
static const struct operand *memory_of(const struct insn *insn)
{
	const struct operand *operand = insn->memory < 0 ? NULL : &insn->operands[insn->memory];

	if (!operand || insn->is_repeated || operand->segment != SEGMENT_NONE ||
	    operand->base >= NR_REGS || (!operand->is_load && !operand->is_store))
		return NULL;
	return operand;
}

static bool changes(const struct insn *insn, const struct operand *place)
{
	return insn->written >> place->base & 1 ||
	       (place->index < NR_REGS && insn->written >> place->index & 1);
}

static bool is_by_same_registers(const struct operand *a, const struct operand *b)
{
	return a->base == b->base && a->index == b->index &&
	       (a->index == REG_NONE || a->scale == b->scale);
}

unsigned int neighbours_find(const struct code *code, struct insn_decoder *decoder, uint64_t ip,
			     struct neighbour ret[NEIGHBOURS_MAX])
{
	const struct operand *found;
	struct operand place;
	unsigned int nr = 0;
	struct insn insn;

	if (!decode(code, decoder, ip, &insn) || !memory_of(&insn))
		return 0;
	place = *memory_of(&insn);
	for (unsigned int i = 0; i < MAX_INSNS && nr < NEIGHBOURS_MAX; i++) {
		if (insn.flow != FLOW_NEXT || changes(&insn, &place))
			break;
		if (!decode(code, decoder, insn.address + insn.size, &insn))
			break;
		found = memory_of(&insn);
		if (found && is_by_same_registers(found, &place) && found->value != place.value)
			ret[nr++] = (struct neighbour){ insn.address,
							(uint64_t)(found->value - place.value) };
	}
	return nr;
}
