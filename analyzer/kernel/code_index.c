/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the top level of all units declares: one walk from sibling to sibling, by hand where it can
 * be. Most of it repeats what other units have; only what does not is libdw asked for.
 */
#include <dwarf.h>

#include "kernel/code_image.h"
#include "kernel/dwarf_die.h"

bool code_static_address(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute attribute, indirect;
	Dwarf_Addr address;
	Dwarf_Block block;
	Dwarf_Op *ops;
	size_t nr;

	if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_formblock(&attribute, &block) ||
	    !block.length)
		return false;
	if (block.data[0] == DW_OP_addr) {
		struct bytes bytes = bytes_over(block.data + 1, block.length - 1, false);

		*ret = bytes_u64(&bytes);
		return block.length == 9;
	}
	/* clang keeps addresses in a table of their own. */
	if (block.data[0] != DW_OP_addrx || dwarf_getlocation(&attribute, &ops, &nr) || nr != 1 ||
	    dwarf_getlocation_attr(&attribute, ops, &indirect) ||
	    dwarf_formaddr(&indirect, &address))
		return false;
	*ret = address;
	return true;
}

/* The first declaration of each name. */
static void index_declaration(Dwarf_Die *die, struct map *declared, struct die_vec *ret)
{
	const char *name = dwarf_hasattr(die, DW_AT_declaration) ? dwarf_diename(die) : NULL;
	struct map_slot *slot;
	bool is_new;

	if (!name)
		return;
	slot = map_add(declared, hash_string(0, name), &is_new);
	if (!is_new)
		return;
	slot->value = ret->nr;
	*vec_add(ret) = *die;
}

static void index_variable(struct code *code, Dwarf_Die *die)
{
	uint64_t address;

	if (code_static_address(die, &address)) {
		*vec_add(&code->variables) = (struct placed_variable){ address, NULL, *die };
		return;
	}
	index_declaration(die, &code->declared, &code->declarations);
}

const char *code_integrated_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

static void index_function(struct code *code, Dwarf_Die *die)
{
	struct code_function function = {};
	ptrdiff_t at = 0;
	Dwarf_Addr base, start, end, entry;

	if (!dwarf_hasattr(die, DW_AT_low_pc) && !dwarf_hasattr(die, DW_AT_ranges)) {
		index_declaration(die, &code->declared_functions, &code->function_declarations);
		return;
	}
	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (start < end)
			*vec_add(&code->ranges) =
				(struct placed_range){ { start, end },
						       (uint32_t)code->functions.nr };
	}
	function.name = code_integrated_name(die);
	function.no_return = dwarf_hasattr_integrate(die, DW_AT_noreturn);
	if (!dwarf_entrypc(die, &entry) && entry) {
		function.entry = entry;
		map_add(&code->entries, entry, NULL)->value = code->functions.nr;
	}
	*vec_add(&code->functions) = function;
	*vec_add(&code->function_dies) = *die;
}

static void index_die(struct code *code, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_variable:
		index_variable(code, die);
		break;
	case DW_TAG_subprogram:
		*vec_add(&code->subprograms) = dwarf_dieoffset(die);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		if (!dwarf_hasattr(die, DW_AT_declaration))
			shapes_define(&code->shapes, die);
		break;
	}
}

static int compare_variables(const void *a, const void *b)
{
	const struct placed_variable *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (const char *)x->die.addr < (const char *)y->die.addr ? -1 : 1;
}

void code_sort_variables(struct placed_variable_vec *variables)
{
	vec_sort(variables, compare_variables);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct placed_range *x = a, *y = b;

	if (x->range.start != y->range.start)
		return x->range.start < y->range.start ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

static void index_found(struct code *code, const struct dwarf_unit *unit,
			const struct abbrev *abbrev, const uint8_t *at, const uint8_t *name_at)
{
	const char *name = name_at ? dwarf_string(unit, abbrev->name_form, name_at) : NULL;
	Dwarf_Off offset = (Dwarf_Off)(at - unit->sections->info.data);
	Dwarf_Die die;

	switch (abbrev->tag) {
	case DW_TAG_variable:
		if (abbrev->declaration && name && map_find(&code->declared, hash_string(0, name)))
			return;
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		if (abbrev->declaration || !name ||
		    shapes_has_definition(&code->shapes, name, abbrev->tag))
			return;
		break;
	case DW_TAG_subprogram:
		*vec_add(&code->subprograms) = offset;
		return;
	default:
		return;
	}
	if (dwarf_offdie(code->image.dwarf, offset, &die))
		index_die(code, &die);
}

/* False = there is something in it that only libdw may understand. */
static bool walk_by_hand(struct code *code, const struct dwarf_unit *unit)
{
	const uint8_t *at = unit->first, *name, *sibling;
	unsigned int depth = 0;

	while (at < unit->end) {
		const uint8_t *die = at;
		bool is_end;
		const struct abbrev *abbrev = die_abbrev(unit, &at, &is_end);

		if (is_end) {
			depth -= depth > 0;
			continue;
		}
		if (abbrev)
			at = die_skip(unit, abbrev, at, &name, &sibling);
		if (!abbrev || !at)
			return false;
		if (depth == 1)
			index_found(code, unit, abbrev, die, name);
		if (depth && abbrev->children && sibling && sibling > at)
			at = sibling;
		else
			depth += abbrev->children;
	}
	return true;
}

static void walk_by_libdw(struct code *code, Dwarf_Die *unit)
{
	Dwarf_Die die;

	if (dwarf_child(unit, &die))
		return;
	do
		index_die(code, &die);
	while (!dwarf_siblingof(&die, &die));
}

/* by_hand is the unit, where its bytes are those that libdw reads: a module's are relocated. */
static void index_unit(struct code *code, Dwarf_Die *unit, struct dwarf_unit *by_hand,
		       struct abbrev_table *abbrevs)
{
	size_t nr_subprograms = code->subprograms.nr, nr_variables = code->variables.nr;

	if (by_hand && dwarf_unit_prepare(by_hand, abbrevs) && !by_hand->split &&
	    walk_by_hand(code, by_hand))
		return;
	code->subprograms.nr = nr_subprograms;
	code->variables.nr = nr_variables;
	walk_by_libdw(code, unit);
}

void code_index(struct code *code)
{
	const uint8_t *at = code->dwarf_sections.info.data;
	struct abbrev_table abbrevs = {};
	struct dwarf_unit by_hand = {};
	Dwarf_CU *unit = NULL;
	Dwarf_Die unit_die;

	if (code->indexed)
		return;
	code->indexed = true;
	while (!dwarf_get_units(code->image.dwarf, unit, &unit, NULL, NULL, &unit_die, NULL)) {
		bool is_same = at && dwarf_unit_next(&code->dwarf_sections, &at, &by_hand) &&
			       by_hand.first == unit_die.addr;

		index_unit(code, &unit_die, is_same ? &by_hand : NULL, &abbrevs);
	}
	abbrev_table_deinit(&abbrevs);
	code_sort_variables(&code->variables);
}

void code_index_functions(struct code *code)
{
	Dwarf_Die die;

	if (code->functions_indexed)
		return;
	code->functions_indexed = true;
	code_index(code);
	for (size_t i = 0; i < code->subprograms.nr; i++) {
		if (dwarf_offdie(code->image.dwarf, code->subprograms.items[i], &die))
			index_function(code, &die);
	}
	vec_deinit(&code->subprograms);
	vec_sort(&code->ranges, compare_ranges);
}

size_t code_nr_functions(const struct code *code)
{
	return code->functions.nr;
}

const struct code_function *code_function(const struct code *code, uint32_t function)
{
	return &code->functions.items[function];
}

uint32_t code_function_at(const struct code *code, uint64_t address)
{
	/* Ranges overlap only where two functions were folded into one. */
	const size_t max_back = 3;
	size_t behind = vec_first_behind(&code->ranges, range.start, address);

	for (size_t i = behind; i > 0 && behind - i < max_back; i--) {
		const struct placed_range *range = &code->ranges.items[i - 1];

		if (address < range->range.end)
			return range->function;
	}
	return CODE_NO_FUNCTION;
}

uint32_t code_function_entered(const struct code *code, uint64_t address)
{
	const struct map_slot *slot = map_find(&code->entries, address);

	return slot ? (uint32_t)slot->value : CODE_NO_FUNCTION;
}

void code_function_ranges(const struct code *code, uint32_t function, struct code_range_vec *ret)
{
	Dwarf_Die die = code->function_dies.items[function];
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(&die, at, &base, &start, &end)) > 0) {
		if (start < end)
			*vec_add(ret) = (struct code_range){ start, end };
	}
}
