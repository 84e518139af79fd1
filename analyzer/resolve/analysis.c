/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/analysis.h"

#include <string.h>

#include "resolve/patched.h"

struct error *analysis_open(const char *path, struct insn_decoder *decoder, struct analysis *ret)
{
	struct analysis analysis = { .decoder = decoder };
	struct error *err = code_open(path, &analysis.code);

	if (!err)
		*ret = analysis;
	return err;
}

void analysis_close(struct analysis *analysis)
{
	flow_destroy(analysis->flow);
	containers_destroy(analysis->containers);
	facts_deinit(&analysis->facts);
	patches_deinit(&analysis->patches);
	table_deinit(&analysis->table);
	code_close(analysis->code);
}

void analysis_begin(struct analysis *analysis)
{
	if (analysis->flow)
		return;
	code_index_functions(analysis->code);
	patches_read(analysis->code, &analysis->patches);
	analysis->containers = containers_create(analysis->code);
	analysis->flow = flow_create(analysis->code, analysis->decoder, &analysis->patches,
				     &analysis->facts, analysis->containers);
}

/* What a replay records: all of the function, or only the addresses asked for. */
struct recording {
	struct analysis *analysis;
	const struct address_vec *wanted; /* sorted; NULL = all */
	size_t next;			  /* the first wanted one behind what was looked for last */
};

/* The first wanted address from there on. They are asked for in order, mostly. */
static size_t first_wanted(struct recording *recording, uint64_t address)
{
	const struct address_vec *wanted = recording->wanted;
	size_t low = recording->next, high = wanted->nr;

	if (low && wanted->items[low - 1] >= address)
		low = 0;
	else if (low == high || wanted->items[low] >= address)
		high = low;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (wanted->items[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return recording->next = low;
}

static bool is_wanted(struct recording *recording, uint64_t address)
{
	size_t first;

	if (!recording->wanted)
		return true;
	first = first_wanted(recording, address);
	return first < recording->wanted->nr && recording->wanted->items[first] == address;
}

static void record_answer(void *context, uint64_t address, const struct answer *answer,
			  bool is_patched)
{
	struct recording *recording = context;

	if (is_wanted(recording, address))
		table_add(&recording->analysis->table, address, answer, is_patched);
}

static void record_step(void *context, struct flow *flow, uint32_t step, struct state *state)
{
	struct recording *recording = context;
	const struct insn *insn = &flow->steps.items[step].insn;
	struct answer answer;

	if (patched_answer(flow, recording->analysis->containers, step, state, record_answer,
			   context))
		return;
	if (recording->wanted ? !is_wanted(recording, insn->address) : insn->memory < 0)
		return;
	answer_step(flow, recording->analysis->containers, step, state, &answer);
	record_answer(context, insn->address, &answer, false);
}

/* A site whose code is exchanged may begin in one block and hold what is wanted behind it. */
static bool wants_block(void *context, const struct flow *flow, const struct block *block)
{
	struct recording *recording = context;
	const struct insn *last = &flow->steps.items[block->end - 1].insn;
	uint64_t end = last->address + last->size;
	size_t first;

	if (!recording->wanted)
		return true;
	if (patches_near(flow->patches, last->address))
		end += UINT8_MAX;
	first = first_wanted(recording, flow->steps.items[block->first].insn.address);
	return first < recording->wanted->nr && recording->wanted->items[first] < end;
}

static void record(struct analysis *analysis, const struct address_vec *wanted)
{
	struct recording recording = { analysis, wanted, 0 };

	flow_replay(analysis->flow, &(struct flow_visitor){ record_step, wants_block, &recording });
}

/* Functions each once: by number, or, those that only a symbol tells of, by its address. */
static bool is_first_visit(struct analysis *analysis, uint64_t address, struct map *visited)
{
	uint32_t function = code_function_at(analysis->code, address);
	const struct code_symbol *symbol;
	uint64_t key = function;
	bool is_new;

	if (function == CODE_NO_FUNCTION) {
		symbol = code_symbol_covering(analysis->code, address);
		key = symbol ? symbol->address : address;
	}
	map_add(visited, key, &is_new);
	return is_new;
}

/* Whether callers agree on an argument of the function. */
static bool is_told(struct analysis *analysis, uint64_t address)
{
	uint32_t function = code_function_at(analysis->code, address);
	uint64_t entry;

	if (function == CODE_NO_FUNCTION)
		return false;
	entry = code_function(analysis->code, function)->entry;
	for (unsigned int i = 0; i < SIGNATURE_ARGUMENTS; i++) {
		if (facts_voted_argument(&analysis->facts, entry, i))
			return true;
	}
	return false;
}

/*
 * Two rounds: the first learns, and is the last word on functions that ask nothing of others; the
 * second goes over the rest.
 */
static void analyze(struct analysis *analysis, const uint64_t *addresses, size_t nr,
		    const struct address_vec *wanted)
{
	auto_vec struct address_vec again = {}, perhaps = {};
	auto_map struct map visited = {};

	analysis_begin(analysis);
	analysis->facts.learning = true;
	analysis->facts.usable = false;
	for (size_t i = 0; i < nr; i++) {
		if (!is_first_visit(analysis, addresses[i], &visited) ||
		    !flow_analyze(analysis->flow, addresses[i]))
			continue;
		if (analysis->flow->used_facts) {
			*vec_add(&again) = addresses[i];
			continue;
		}
		record(analysis, wanted);
		if (analysis->flow->may_use_facts)
			*vec_add(&perhaps) = addresses[i];
	}
	for (size_t i = 0; i < perhaps.nr; i++) {
		if (is_told(analysis, perhaps.items[i]))
			*vec_add(&again) = perhaps.items[i];
	}
	analysis->facts.learning = false;
	analysis->facts.usable = true;
	for (size_t i = 0; i < again.nr; i++) {
		if (flow_analyze(analysis->flow, again.items[i]))
			record(analysis, wanted);
	}
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void analysis_prepare(struct analysis *analysis, const uint64_t *addresses, size_t nr)
{
	auto_vec struct address_vec unknown = {};
	struct row row;

	for (size_t i = 0; i < nr; i++) {
		if (!table_find(&analysis->table, addresses[i], &row))
			*vec_add(&unknown) = addresses[i];
	}
	vec_sort(&unknown, compare_addresses);
	if (unknown.nr)
		analyze(analysis, unknown.items, unknown.nr, &unknown);
}

void analysis_all(struct analysis *analysis)
{
	auto_vec struct address_vec starts = {};

	analysis_begin(analysis);
	for (uint32_t i = 0; i < code_nr_functions(analysis->code); i++) {
		auto_vec struct code_range_vec ranges = {};

		code_function_ranges(analysis->code, i, &ranges);
		if (ranges.nr)
			*vec_add(&starts) = ranges.items[0].start;
	}
	for (size_t i = 0; i < code_nr_symbols(analysis->code); i++) {
		uint64_t address = code_symbol(analysis->code, i)->address;
		const struct code_section *section = code_section_at(analysis->code, address);

		if (section && section->executable &&
		    code_function_at(analysis->code, address) == CODE_NO_FUNCTION)
			*vec_add(&starts) = address;
	}
	analysis->table.many = analysis->facts.all_callers = true;
	analyze(analysis, starts.items, starts.nr, NULL);
	table_settle(&analysis->table);
}

/* What accesses memory without an operand: only the stack. */
static bool is_by_stack_alone(const struct analysis *analysis, uint64_t address)
{
	uint64_t left;
	const uint8_t *bytes = code_bytes(analysis->code, address, &left);
	struct insn insn;

	return bytes && insn_decode(analysis->decoder, bytes, left, address, &insn) &&
	       answer_is_saved(analysis->code, &insn);
}

bool analysis_find(struct analysis *analysis, uint64_t address, struct row *ret)
{
	static const struct answer nothing = { .reason = ACCESS_NO_OPERAND, .reg = REG_NONE };

	if (table_find(&analysis->table, address, ret))
		return true;
	/* A table that is whole lists what has an operand. */
	if (analysis->table.file_rows || analysis->table.sorted) {
		*ret = (struct row){ .address = address,
				     .type = TABLE_NO_TYPE,
				     .class = CLASS_STACK,
				     .reason = ACCESS_STACK,
				     .by_stack_pointer = true };
		return is_by_stack_alone(analysis, address);
	}
	analysis_begin(analysis);
	analysis->facts.usable = true;
	if (!flow_analyze(analysis->flow, address))
		return false;
	record(analysis, NULL);
	if (table_find(&analysis->table, address, ret))
		return true;
	table_add(&analysis->table, address,
		  is_by_stack_alone(analysis, address) ? &answer_saved : &nothing, false);
	return table_find(&analysis->table, address, ret);
}

static bool is_listed(const struct insn *insn)
{
	const struct operand *operand;

	if (insn->memory < 0 || insn->kind == INSN_ADDRESS || insn->kind == INSN_NOTHING ||
	    insn->kind == INSN_PUSH || insn->kind == INSN_POP || insn->flow != FLOW_NEXT)
		return false;
	operand = &insn->operands[insn->memory];
	/* An address alone is seldom data: it is code's own, moved (movabs). */
	return operand->base != REG_RSP &&
	       (operand->base != REG_NONE || operand->index != REG_NONE ||
		operand->segment == SEGMENT_GS);
}

static void list_section(struct analysis *analysis, const struct code_section *section,
			 struct address_vec *ret)
{
	uint64_t address = section->address, end = section->address + section->size;
	const struct code_symbol *next = code_symbol_covering(analysis->code, address);
	const struct code_symbol *last =
		code_symbol(analysis->code, 0) + code_nr_symbols(analysis->code);
	struct insn insn;

	while (address < end) {
		uint64_t left = end - address;

		/* In step with the symbols again, whatever lies between them. */
		while (next && next < last && next->address <= address)
			next++;
		if (next && next < last && next->address < end)
			left = next->address - address;
		if (!insn_decode(analysis->decoder, section->bytes + (address - section->address),
				 left, address, &insn)) {
			address++;
			continue;
		}
		if (is_listed(&insn))
			*vec_add(ret) = address;
		address += insn.size;
	}
}

void analysis_list(struct analysis *analysis, const char *name, struct address_vec *ret)
{
	const struct code_section *section;

	for (size_t i = 0; (section = code_section(analysis->code, i)); i++) {
		if (section->executable && section->bytes && !strcmp(section->name, name))
			list_section(analysis, section, ret);
	}
}
