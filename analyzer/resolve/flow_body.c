/* SPDX-License-Identifier: GPL-2.0-only */
/* A function's instructions, its basic blocks, and which variables are where. */
#include <string.h>

#include "resolve/flow.h"

/* Locations times instructions: more comes from damaged files only. */
#define MAX_ACTIVE (1u << 24)
/* Bytes of a function of which nothing tells the size. */
#define MAX_UNSIZED 0x4000

static void decode_range(struct flow *flow, struct code_range range, unsigned int most)
{
	uint64_t left, address = range.start;
	const uint8_t *bytes = code_bytes(flow->code, address, &left);

	if (!bytes)
		return;
	if (left > range.end - range.start)
		left = range.end - range.start;
	for (unsigned int i = 0; left && i < most; i++) {
		struct step step = { .slot = NO_SLOT, .call = NO_CALL };
		uint64_t size = 1;

		if (insn_decode(flow->decoder, bytes, left, address, &step.insn)) {
			*vec_add(&flow->steps) = step;
			size = step.insn.size;
		}
		bytes += size;
		address += size;
		left -= size;
	}
}

/* Static feature tests jump to code that is thrown away after boot, and back. */
static void decode_aside(struct flow *flow)
{
	const unsigned int longest = 6;
	size_t nr = flow->steps.nr;

	for (size_t i = 0; i < nr; i++) {
		const struct insn *insn = &flow->steps.items[i].insn;
		const struct code_section *section;

		if (insn->flow != FLOW_JUMP && insn->flow != FLOW_BRANCH)
			continue;
		section = code_section_at(flow->code, insn->target);
		if (section && !strcmp(section->name, ".altinstr_aux"))
			decode_range(flow,
				     (struct code_range){ insn->target,
							  section->address + section->size },
				     longest);
	}
}

static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	return x->insn.address < y->insn.address ? -1 : x->insn.address > y->insn.address;
}

/* As they are where the function is in one piece. */
static bool is_in_order(const struct step_vec *steps)
{
	for (size_t i = 1; i < steps->nr; i++) {
		if (steps->items[i].insn.address <= steps->items[i - 1].insn.address)
			return false;
	}
	return true;
}

static void sort_steps(struct flow *flow)
{
	size_t nr = 0;

	if (is_in_order(&flow->steps))
		return;
	vec_sort(&flow->steps, compare_steps);
	for (size_t i = 0; i < flow->steps.nr; i++) {
		if (!nr ||
		    flow->steps.items[i].insn.address != flow->steps.items[nr - 1].insn.address)
			flow->steps.items[nr++] = flow->steps.items[i];
	}
	flow->steps.nr = nr;
}

/* The first step at or behind address. */
static uint32_t step_from(const struct flow *flow, uint64_t address)
{
	return (uint32_t)vec_first_from(&flow->steps, insn.address, address);
}

uint32_t flow_step_at(const struct flow *flow, uint64_t address)
{
	uint32_t step = step_from(flow, address);

	return step < flow->steps.nr && flow->steps.items[step].insn.address == address ? step :
											  NO_STEP;
}

static bool follows(const struct flow *flow, uint32_t step)
{
	const struct insn *insn = &flow->steps.items[step].insn;

	return step + 1 < flow->steps.nr &&
	       insn[0].address + insn->size == flow->steps.items[step + 1].insn.address;
}

static bool falls_through(const struct flow *flow, const struct insn *insn)
{
	switch (insn->flow) {
	case FLOW_NEXT:
	case FLOW_CALL:
	case FLOW_CALL_INDIRECT:
	case FLOW_BRANCH:
		return true;
	case FLOW_TRAP:
		return map_find(&flow->patches->warnings, insn->address);
	default:
		return map_find(&flow->patches->jump_labels, insn->address);
	}
}

/* Where control may go besides the next instruction: up to three places. */
static unsigned int leads_to(const struct flow *flow, const struct insn *insn, uint32_t *ret)
{
	struct map_slot *label = NULL, *fixup = NULL;
	unsigned int nr = 0;
	uint32_t step;

	if (insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH) {
		step = flow_step_at(flow, insn->target);
		if (step != NO_STEP)
			ret[nr++] = step;
	}
	if (!patches_near(flow->patches, insn->address))
		return nr;
	if (insn->flow == FLOW_JUMP || insn->kind == INSN_NOTHING)
		label = map_find(&flow->patches->jump_labels, insn->address);
	if (insn->memory >= 0 || insn->flow == FLOW_NEXT)
		fixup = map_find(&flow->patches->fixups, insn->address);
	step = label ? flow_step_at(flow, label->value) : NO_STEP;
	if (step != NO_STEP)
		ret[nr++] = step;
	step = fixup ? flow_step_at(flow, fixup->value) : NO_STEP;
	if (step != NO_STEP)
		ret[nr++] = step;
	return nr;
}

static void mark_leaders(const struct flow *flow, bool *leaders)
{
	leaders[0] = true;
	for (uint32_t i = 0; i < flow->steps.nr; i++) {
		const struct insn *insn = &flow->steps.items[i].insn;
		uint32_t targets[3];
		unsigned int nr = leads_to(flow, insn, targets);
		bool ends = insn->flow != FLOW_NEXT && insn->flow != FLOW_CALL &&
			    insn->flow != FLOW_CALL_INDIRECT;

		for (unsigned int j = 0; j < nr; j++)
			leaders[targets[j]] = true;
		if (i + 1 < flow->steps.nr && (nr || ends || !follows(flow, i)))
			leaders[i + 1] = true;
		/* What may fault does so before it changes anything. */
		if (nr && insn->flow == FLOW_NEXT)
			leaders[i] = true;
	}
}

static void connect_blocks(struct flow *flow, const uint32_t *block_of)
{
	for (uint32_t b = 0; b < flow->blocks.nr; b++) {
		struct block *block = &flow->blocks.items[b];
		uint32_t last = block->end - 1, targets[3];
		const struct insn *insn = &flow->steps.items[last].insn;
		unsigned int nr = leads_to(flow, insn, targets);

		if (falls_through(flow, insn) && follows(flow, last))
			block->next[block->nr_next++] = block_of[last + 1];
		for (unsigned int i = 0; i < nr; i++)
			block->next[block->nr_next++] = block_of[targets[i]];
	}
}

static void find_blocks(struct flow *flow)
{
	auto_free bool *leaders = memory_alloc(flow->steps.nr, sizeof(*leaders));
	auto_free uint32_t *block_of = memory_alloc(flow->steps.nr, sizeof(*block_of));

	mark_leaders(flow, leaders);
	flow->blocks.nr = 0;
	for (uint32_t i = 0; i < flow->steps.nr; i++) {
		struct block *block;

		if (leaders[i]) {
			block = vec_add(&flow->blocks);
			block->first = i;
			block->nr_next = 0;
			block->visit = BLOCK_UNSEEN;
			block->visited_at = block->changed_at = 0;
			state_clear(&block->before);
			state_clear(&block->wanted);
		}
		flow->blocks.items[flow->blocks.nr - 1].end = i + 1;
		block_of[i] = (uint32_t)flow->blocks.nr - 1;
	}
	connect_blocks(flow, block_of);
}

struct interval {
	uint32_t first, end;
};

/* Sorts the locations by the steps where they hold: counts, sums up, puts in place. */
static void find_active(struct flow *flow)
{
	size_t nr = flow->steps.nr, nr_active = 0;
	auto_free struct interval *intervals =
		memory_alloc(flow->locations.nr + 1, sizeof(*intervals));
	auto_free uint32_t *at = memory_alloc(nr + 2, sizeof(*at));

	for (size_t i = 0; i < flow->locations.nr; i++) {
		const struct location *location = &flow->locations.items[i];
		struct interval *interval = &intervals[i];

		if (location->kind == LOCATION_ENTRY)
			continue;
		interval->first = step_from(flow, location->start);
		interval->end = step_from(flow, location->end);
		nr_active += interval->end - interval->first;
		if (nr_active > MAX_ACTIVE) {
			nr_active -= interval->end - interval->first;
			interval->end = interval->first;
		}
		for (uint32_t step = interval->first; step < interval->end; step++)
			at[step + 2]++;
	}
	for (size_t i = 0; i < nr; i++)
		at[i + 2] += at[i + 1];
	flow->active.nr = 0;
	flow->active.items =
		memory_resize(flow->active.items, nr_active + 1, sizeof(*flow->active.items));
	for (size_t i = 0; i < flow->locations.nr; i++) {
		uint8_t reg = flow->locations.items[i].reg;

		for (uint32_t step = intervals[i].first; step < intervals[i].end; step++)
			flow->active.items[at[step + 1]++] = (struct active){
				.location = (uint32_t)i,
				.reg = reg,
				.begins = step == intervals[i].first,
				.ends = step + 1 == intervals[i].end,
			};
	}
	flow->first_active.items =
		memory_resize(flow->first_active.items, nr + 1, sizeof(*flow->first_active.items));
	memcpy(flow->first_active.items, at, (nr + 1) * sizeof(*at));
}

/* A function that only a symbol tells of: up to its size, else up to the next symbol. */
static bool read_symbol(struct flow *flow, uint64_t address, struct code_range_vec *ret)
{
	const struct code_symbol *symbol = code_symbol_covering(flow->code, address);
	const struct code_section *section = code_section_at(flow->code, address);
	uint64_t end;

	if (!symbol || !section || !section->executable || symbol->address < section->address)
		return false;
	end = section->address + section->size;
	if (symbol->size && address - symbol->address < symbol->size) {
		end = symbol->address + symbol->size;
	} else {
		for (const struct code_symbol *next = symbol + 1;
		     next < code_symbol(flow->code, 0) + code_nr_symbols(flow->code); next++) {
			if (next->address > address) {
				end = next->address < end ? next->address : end;
				break;
			}
		}
	}
	/* Behind the last label of a section there may be megabytes of padding. */
	if (!symbol->size && end - symbol->address > MAX_UNSIZED)
		end = symbol->address + MAX_UNSIZED;
	flow->entry = symbol->address;
	flow->name = symbol->name;
	*vec_add(ret) = (struct code_range){ symbol->address, end };
	return true;
}

bool flow_read_body(struct flow *flow, uint64_t address)
{
	auto_vec struct code_range_vec ranges = {};

	flow->function = code_function_at(flow->code, address);
	flow->folder = 0;
	flow->result = NULL;
	flow->steps.nr = flow->locations.nr = 0;
	if (flow->function == CODE_NO_FUNCTION) {
		if (!read_symbol(flow, address, &ranges))
			return false;
	} else {
		const struct code_function *function = code_function(flow->code, flow->function);

		flow->entry = function->entry;
		flow->name = function->name;
		flow->folder = code_function_folder(flow->code, flow->function);
		flow->result = code_signature(flow->code, flow->function)->result;
		code_function_ranges(flow->code, flow->function, &ranges);
		code_locations(flow->code, flow->function, &flow->locations);
	}
	for (size_t i = 0; i < ranges.nr; i++)
		decode_range(flow, ranges.items[i], UINT32_MAX);
	decode_aside(flow);
	if (!flow->steps.nr)
		return false;
	sort_steps(flow);
	find_blocks(flow);
	find_active(flow);
	return true;
}
