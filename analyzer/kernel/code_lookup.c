/* SPDX-License-Identifier: GPL-2.0-only */
/* Variables by address, structs by name, what a function's unit holds. */
#include <dwarf.h>
#include <string.h>

#include "kernel/code_image.h"

static bool function_unit(struct code *code, uint32_t function, Dwarf_Die *ret)
{
	return function != CODE_NO_FUNCTION &&
	       dwarf_diecu(&code->function_dies.items[function], ret, NULL, NULL);
}

const struct signature *code_signature(struct code *code, uint32_t function)
{
	struct code_function *known = &code->functions.items[function];
	const struct code_symbol *symbol;

	if (known->signature_read)
		return &known->signature;
	known->signature_read = true;
	known->signature =
		shape_read_signature(&code->shapes, &code->function_dies.items[function]);
	/* Assembler has no parameters; what C declares has. */
	if (known->name && !known->signature.arguments[0])
		code_declared_signature(code, known->name, &known->signature);
	symbol = code_symbol_at(code, known->entry);
	if (symbol && strchr(symbol->name, '.'))
		memset(known->signature.arguments, 0, sizeof(known->signature.arguments));
	return &known->signature;
}

bool code_declared_signature(struct code *code, const char *name, struct signature *ret)
{
	struct map_slot *slot = map_find(&code->declared_functions, hash_string(0, name));

	if (slot)
		*ret = shape_read_signature(&code->shapes,
					    &code->function_declarations.items[slot->value]);
	return slot;
}

uint64_t code_function_folder(struct code *code, uint32_t function)
{
	const char *name, *slash;
	Dwarf_Die unit;

	if (!function_unit(code, function, &unit))
		return 0;
	name = dwarf_diename(&unit);
	slash = name ? strrchr(name, '/') : NULL;
	return slash ? code_folder(name, (size_t)(slash - name)) : 1;
}

uint64_t code_folder(const char *name, size_t length)
{
	return hash_bytes(1, name, length);
}

/* DWARF 5 numbers the unit's own file 0; gcc lists it as 1 once more, as DWARF 4 did. */
static bool is_own(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file;

	return dwarf_attr(die, DW_AT_decl_file, &attribute) &&
	       !dwarf_formudata(&attribute, &file) && file <= 1;
}

/* Only the last unit's names are kept: all units' together are a million. */
static void list_unit(struct code *code, Dwarf_Die *unit)
{
	Dwarf_Die die;

	map_deinit(&code->unit_structs);
	code->listed_unit = unit->addr;
	if (dwarf_child(unit, &die))
		return;
	do {
		const char *name =
			dwarf_tag(&die) == DW_TAG_structure_type ? dwarf_diename(&die) : NULL;

		if (name && !dwarf_hasattr(&die, DW_AT_declaration))
			map_add(&code->unit_structs, hash_string(0, name), NULL)->value =
				is_own(&die) ? UNIT_OWNS : UNIT_INCLUDES;
	} while (!dwarf_siblingof(&die, &die));
}

enum unit_has code_unit_has(struct code *code, uint32_t function, const char *struct_name)
{
	struct map_slot *slot;
	Dwarf_Die unit;

	if (!function_unit(code, function, &unit))
		return UNIT_LACKS;
	if (code->listed_unit != unit.addr)
		list_unit(code, &unit);
	slot = map_find(&code->unit_structs, hash_string(0, struct_name));
	return slot ? (enum unit_has)slot->value : UNIT_LACKS;
}

/* Static variables inside functions, as deep as blocks nest in honest files. */
static void walk_unit(Dwarf_Die *parent, int depth, struct placed_variable_vec *ret)
{
	uint64_t address;
	Dwarf_Die die;

	if (depth > CODE_MAX_DEPTH || dwarf_child(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			if (code_static_address(&die, &address))
				*vec_add(ret) = (struct placed_variable){ address, NULL, die };
			break;
		case DW_TAG_subprogram:
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			walk_unit(&die, depth + 1, ret);
			break;
		}
	} while (!dwarf_siblingof(&die, &die));
}

/* NULL where the function has no unit. */
static struct placed_variable_vec *own_variables(struct code *code, uint32_t function)
{
	struct placed_variable_vec *own;
	struct map_slot *slot;
	Dwarf_Die unit;
	bool is_new;

	if (!function_unit(code, function, &unit))
		return NULL;
	slot = map_add(&code->own_variables, (uint64_t)(uintptr_t)unit.addr, &is_new);
	if (is_new) {
		own = arena_alloc(&code->set.arena, 1, sizeof(*own));
		slot->pointer = own;
		walk_unit(&unit, 0, own);
		code_sort_variables(own);
	}
	return slot->pointer;
}

/* An array whose definition states no count is as large as its symbol. */
static uint64_t extent_of(struct code *code, const struct placed_variable *variable)
{
	const struct shape *shape = variable->shape;
	const struct code_symbol *symbol;
	uint64_t size = 1;

	if (shape->size || shape->kind != SHAPE_ARRAY)
		return (uint64_t)shape->size;
	symbol = code_symbol_covering(code, variable->address);
	/* Of several names the section's may come last. */
	for (; symbol && symbol->address == variable->address; symbol--) {
		if (symbol->size > size)
			size = symbol->size;
		if (symbol == code->symbols.items)
			break;
	}
	return size;
}

static bool find_placed(struct code *code, struct placed_variable_vec *variables, uint64_t address,
			struct code_variable *ret)
{
	/* A few declarations of one variable, or aliases. */
	const size_t max_back = 6;
	size_t behind = vec_first_behind(variables, address, address);
	struct placed_variable *best = NULL;

	for (size_t i = behind; i > 0 && behind - i < max_back; i--) {
		struct placed_variable *variable = &variables->items[i - 1];

		if (!variable->shape)
			variable->shape = shape_of_target(&code->shapes, &variable->die);
		if (address - variable->address >= extent_of(code, variable))
			continue;
		if (!best || variable->shape->size > best->shape->size)
			best = variable;
	}
	if (best)
		*ret = (struct code_variable){ code_integrated_name(&best->die), best->shape,
					       address - best->address };
	return best;
}

/* What no unit defines (assembler, linker script) may still be declared in C. */
static bool find_declared(struct code *code, const struct code_symbol *symbol, uint64_t address,
			  struct code_variable *ret)
{
	const struct code_symbol *all = code->symbols.items;
	const struct code_symbol *end = all + code->symbols.nr;

	while (symbol > all && symbol[-1].address == symbol->address)
		symbol--;
	for (const struct code_symbol *alias = symbol;
	     alias < end && alias->address == symbol->address; alias++) {
		struct map_slot *slot = map_find(&code->declared, hash_string(0, alias->name));

		if (!slot)
			continue;
		*ret = (struct code_variable){
			alias->name,
			shape_of_target(&code->shapes, &code->declarations.items[slot->value]),
			address - symbol->address,
		};
		return true;
	}
	return false;
}

bool code_find_variable(struct code *code, uint32_t function, uint64_t address,
			struct code_variable *ret)
{
	struct placed_variable_vec *own;
	const struct code_symbol *symbol;

	if (find_placed(code, &code->variables, address, ret))
		return true;
	/* All variables have symbols, and most constants are no addresses. */
	symbol = code_symbol_covering(code, address);
	if (!symbol || (address - symbol->address >= symbol->size && address != symbol->address))
		return false;
	own = own_variables(code, function);
	return (own && find_placed(code, own, address, ret)) ||
	       find_declared(code, symbol, address, ret);
}

const struct shape *code_find_struct(struct code *code, const char *name)
{
	Dwarf_Die *die = shapes_find_struct(&code->shapes, name);

	return die ? shape_of_die(&code->shapes, *die) : NULL;
}

const struct shape *code_definition(struct code *code, size_t i)
{
	return i < code->shapes.definitions.nr ?
		       shape_of_die(&code->shapes, code->shapes.definitions.items[i]) :
		       NULL;
}
