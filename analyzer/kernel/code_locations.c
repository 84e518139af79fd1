/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Location lists, as far as they name one register or one place on the stack (DWARF 5, 2.6).
 * Everything longer is left out: a variable that is nowhere is not wrong.
 */
#include <dwarf.h>

#include "kernel/code_image.h"

/* What one variable says about one range of addresses. */
struct expression {
	struct location_vec *ret;
	const struct location_op *ops;
	size_t nr;
	int frame_register;   /* what DW_OP_fbreg counts from; -1 = the CFA */
	struct location like; /* what all locations of the variable share */
};

static void add(struct expression *expression, enum location_kind kind, uint8_t reg, int64_t offset)
{
	struct location location = expression->like;

	location.kind = kind;
	location.reg = reg;
	location.offset = offset;
	*vec_add(expression->ret) = location;
}

/* The pointer member of a struct kept in registers, that starts at offset; NULL = none. */
static const struct shape *pointer_at(const struct shape *shape, int64_t offset, int depth)
{
	uint32_t nr;
	const struct shape_member *members = shape_members(shape, &nr);

	if (shape_is_pointer(shape))
		return offset ? NULL : shape;
	for (uint32_t i = 0; i < nr && depth < CODE_MAX_DEPTH; i++) {
		if (!members[i].nr_bits && offset >= members[i].offset &&
		    offset < members[i].offset + members[i].size)
			return pointer_at(members[i].shape, offset - members[i].offset, depth + 1);
	}
	return NULL;
}

/* A struct of two words in two registers: reg, piece, reg, piece. */
static void add_pieces(struct expression *expression)
{
	const struct shape *whole = expression->like.shape;
	int64_t offset = 0;

	for (size_t i = 0; i < expression->nr; i++) {
		const struct location_op *op = &expression->ops[i];
		bool in_register = op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg15;

		while (i < expression->nr && expression->ops[i].atom != DW_OP_piece)
			i++;
		if (i == expression->nr)
			return;
		expression->like.shape = in_register && expression->ops[i].number == 8 ?
						 pointer_at(whole, offset, 0) :
						 NULL;
		if (expression->like.shape)
			add(expression, LOCATION_REGISTER, (uint8_t)(op->atom - DW_OP_reg0), 0);
		offset += (int64_t)expression->ops[i].number;
	}
}

/* The register whose value at the function's entry DW_OP_entry_value asks for. */
static bool entry_register(const struct expression *expression, uint8_t *ret)
{
	const struct span *block = &expression->ops[0].block;

	if (block->size != 1 || block->data[0] < DW_OP_reg0 || block->data[0] > DW_OP_reg15)
		return false;
	*ret = (uint8_t)(block->data[0] - DW_OP_reg0);
	return true;
}

/* The constant that a single operation pushes. */
static bool pushed(const struct location_op *op, int64_t *ret)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		*ret = op->atom - DW_OP_lit0;
	else if (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts)
		*ret = (int64_t)op->number;
	else
		return false;
	return true;
}

/* What an expression does to the base it starts with. */
struct tail {
	int64_t offset;
	int64_t second; /* added behind a load */
	unsigned int nr_loads;
	bool is_value; /* DW_OP_stack_value */
};

static bool read_tail(const struct expression *expression, struct tail *ret)
{
	for (size_t i = 1; i < expression->nr; i++) {
		const struct location_op *op = &expression->ops[i];
		int64_t *offset = ret->nr_loads ? &ret->second : &ret->offset;
		int64_t number;

		if (ret->is_value)
			return false;
		if (op->atom == DW_OP_plus_uconst) {
			*offset += (int64_t)op->number;
		} else if (op->atom == DW_OP_stack_value) {
			ret->is_value = true;
		} else if (op->atom == DW_OP_deref) {
			ret->nr_loads++;
		} else if (i + 1 < expression->nr && pushed(op, &number) &&
			   (op[1].atom == DW_OP_plus || op[1].atom == DW_OP_minus)) {
			*offset += op[1].atom == DW_OP_plus ? number : -number;
			i++;
		} else {
			return false;
		}
	}
	return true;
}

static void add_based_on_register(struct expression *expression, uint8_t reg,
				  const struct tail *tail)
{
	bool is_pointer = shape_is_pointer(expression->like.shape);

	if (!tail->nr_loads)
		add(expression, tail->is_value ? LOCATION_REGISTER : LOCATION_MEMORY, reg,
		    tail->offset);
	else if (tail->nr_loads == 1 && tail->is_value && !tail->second && is_pointer)
		add(expression, LOCATION_MEMORY, reg, tail->offset);
	else if (is_pointer && tail->nr_loads == (tail->is_value ? 2 : 1)) {
		expression->like.second = tail->second;
		add(expression, LOCATION_BEHIND, reg, tail->offset);
	}
}

static void add_based_on_frame(struct expression *expression, const struct tail *tail)
{
	if (!tail->nr_loads && !tail->is_value)
		add(expression, LOCATION_FRAME, 0, tail->offset);
	else if (tail->nr_loads == 1 && tail->is_value && !tail->second)
		add(expression, LOCATION_SPILLED, 0, tail->offset);
}

static void add_expression(struct expression *expression)
{
	const struct location_op *first = expression->ops;
	struct tail tail = {};
	uint8_t reg;

	if (first->atom >= DW_OP_reg0 && first->atom <= DW_OP_reg15 && expression->nr == 1) {
		add(expression, LOCATION_REGISTER, (uint8_t)(first->atom - DW_OP_reg0), 0);
		return;
	}
	if (expression->ops[expression->nr - 1].atom == DW_OP_piece) {
		add_pieces(expression);
		return;
	}
	if (!read_tail(expression, &tail))
		return;
	if (first->atom >= DW_OP_breg0 && first->atom <= DW_OP_breg15) {
		tail.offset += (int64_t)first->number;
		add_based_on_register(expression, (uint8_t)(first->atom - DW_OP_breg0), &tail);
	} else if (first->atom == DW_OP_fbreg) {
		tail.offset += (int64_t)first->number;
		if (expression->frame_register < 0)
			add_based_on_frame(expression, &tail);
		else
			add_based_on_register(expression, (uint8_t)expression->frame_register,
					      &tail);
	} else if (first->atom == DW_OP_entry_value || first->atom == DW_OP_GNU_entry_value) {
		if (!tail.nr_loads && entry_register(expression, &reg))
			add(expression, LOCATION_ENTRY, reg, tail.offset);
	}
}

static void add_in_range(struct expression *expression, struct location like, uint64_t start,
			 uint64_t end)
{
	expression->like = like;
	expression->like.start = start;
	expression->like.end = end;
	if (start < end && expression->nr)
		add_expression(expression);
}

static void set_ops(struct expression *expression, struct span bytes, struct location_op_vec *ops)
{
	expression->nr = location_ops_read(bytes, ops) ? ops->nr : 0;
	expression->ops = ops->items;
}

/* What the walk over a function's scopes carries along. */
struct walk {
	struct code *code;
	int frame_register;
	struct location_op_vec *ops; /* of the expression looked at */
	struct location_vec *ret;
};

static void add_variable(const struct walk *walk, Dwarf_Die *scope, Dwarf_Die *die, int depth)
{
	struct expression expression = {
		.ret = walk->ret,
		.frame_register = walk->frame_register,
	};
	Dwarf_Addr base, start, end;
	uint64_t first, behind;
	struct location_list list;
	Dwarf_Attribute attribute;
	ptrdiff_t at = 0;
	struct location like;
	struct span bytes;
	Dwarf_Block block;

	if (!dwarf_attr(die, DW_AT_location, &attribute))
		return;
	like = (struct location){
		.depth = (uint16_t)depth,
		.is_parameter = !depth && dwarf_tag(die) == DW_TAG_formal_parameter,
		.shape = shape_of_target(&walk->code->shapes, die),
		.name = code_integrated_name(die),
	};
	if (!dwarf_formblock(&attribute, &block)) {
		set_ops(&expression, (struct span){ block.data, block.length }, walk->ops);
		while ((at = dwarf_ranges(scope, at, &base, &start, &end)) > 0)
			add_in_range(&expression, like, start, end);
		return;
	}
	if (!location_list_open(&walk->code->dwarf_sections, &walk->code->location_unit, &attribute,
				&list))
		return;
	while (location_list_next(&list, &first, &behind, &bytes)) {
		set_ops(&expression, bytes, walk->ops);
		add_in_range(&expression, like, first, behind);
	}
}

static void walk_scope(const struct walk *walk, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;

	if (depth > CODE_MAX_DEPTH || dwarf_child(scope, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			add_variable(walk, scope, &die, depth);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			walk_scope(walk, &die, depth + 1);
			break;
		}
	} while (!dwarf_siblingof(&die, &die));
}

/* gcc counts from the CFA, clang from a register. */
static int frame_register(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_attr(function, DW_AT_frame_base, &attribute) &&
	    !dwarf_getlocation(&attribute, &ops, &nr) && nr == 1 && ops[0].atom >= DW_OP_reg0 &&
	    ops[0].atom <= DW_OP_reg15)
		return ops[0].atom - DW_OP_reg0;
	return -1;
}

void code_locations(struct code *code, uint32_t function, struct location_vec *ret)
{
	Dwarf_Die *die = &code->function_dies.items[function], unit;
	auto_vec struct location_op_vec ops = {};
	struct walk walk = { code, frame_register(die), &ops, ret };

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return;
	if (code->location_unit.die != unit.addr)
		location_unit_read(&unit, &code->location_unit);
	walk_scope(&walk, die, 0);
}
