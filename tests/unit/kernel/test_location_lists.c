/* SPDX-License-Identifier: GPL-2.0-only */
/* Locations of this very program's variables, beside what libdw says of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dwarf.h>
#include <stdlib.h>

#include "kernel/image.h"
#include "kernel/location_lists.h"

struct program {
	struct image image;
	struct dwarf_sections sections;
	struct location_unit unit;
	size_t nr_lists;
	size_t nr_expressions;
};

static void assert_same_ops(struct span expression, const Dwarf_Op *ops, size_t nr)
{
	auto_vec struct location_op_vec read = {};

	assert_true(location_ops_read(expression, &read));
	assert_int_equal(read.nr, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(read.items[i].atom, ops[i].atom);
		if (!read.items[i].block.data)
			assert_int_equal(read.items[i].number, ops[i].number);
	}
}

static void compare_list(struct program *program, Dwarf_Attribute *attribute)
{
	Dwarf_Addr base, start, end;
	uint64_t read_start, read_end;
	struct location_list list;
	struct span expression;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t nr;

	assert_true(location_list_open(&program->sections, &program->unit, attribute, &list));
	while ((at = dwarf_getlocations(attribute, at, &base, &start, &end, &ops, &nr)) > 0) {
		assert_true(location_list_next(&list, &read_start, &read_end, &expression));
		assert_int_equal(read_start, start);
		assert_int_equal(read_end, end);
		assert_same_ops(expression, ops, nr);
		program->nr_expressions++;
	}
	assert_int_equal(at, 0);
	assert_false(location_list_next(&list, &read_start, &read_end, &expression));
	program->nr_lists++;
}

static void compare(struct program *program, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Block block;
	Dwarf_Die child;
	Dwarf_Op *ops;
	size_t nr;

	if (dwarf_attr(die, DW_AT_location, &attribute)) {
		if (dwarf_formblock(&attribute, &block))
			compare_list(program, &attribute);
		else if (!dwarf_getlocation(&attribute, &ops, &nr))
			assert_same_ops((struct span){ block.data, block.length }, ops, nr);
	}
	if (dwarf_child(die, &child))
		return;
	do
		compare(program, &child);
	while (!dwarf_siblingof(&child, &child));
}

static void locations_are_what_libdw_says(void **state)
{
	struct program program = { .image = IMAGE_CLOSED };
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	(void)state;
	assert_null(image_open("/proc/self/exe", &program.image));
	assert_null(image_load_dwarf(&program.image));
	if (!program.image.dwarf)
		exit(77);
	assert_null(image_dwarf_sections(program.image.dwarf, false, &program.sections));
	while (!dwarf_get_units(program.image.dwarf, unit, &unit, NULL, NULL, &die, NULL)) {
		location_unit_read(&die, &program.unit);
		compare(&program, &die);
	}
	/* Without optimisation variables lie on the stack, all the time. */
#ifdef __OPTIMIZE__
	assert_true(program.nr_lists > 100);
	assert_true(program.nr_expressions > program.nr_lists);
#endif
	image_close(&program.image);
}

static void expressions_that_end_early_are_none(void **state)
{
	static const uint8_t bytes[] = { DW_OP_breg5, 0x80 }, unknown[] = { DW_OP_lit1, 0x01 };
	auto_vec struct location_op_vec ops = {};

	(void)state;
	assert_false(location_ops_read((struct span){ bytes, sizeof(bytes) }, &ops));
	assert_false(location_ops_read((struct span){ unknown, sizeof(unknown) }, &ops));
	assert_true(location_ops_read((struct span){ unknown, 1 }, &ops));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(locations_are_what_libdw_says),
		cmocka_unit_test(expressions_that_end_early_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
