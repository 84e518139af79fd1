/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "btf_reading.h"

enum { INT = 1, POINT, UNION, NAMELESS };

/*
 * struct point { int x; }; union point_or_int { int i; }; typedef struct { int n; } counter_t;
 * and typedefs of them.
 */
static struct builder some_types(void)
{
	struct builder builder = builder_init(false);
	uint32_t constant;

	add_int(&builder, "int", 4);
	add_struct_of(&builder, "point", 4, "x", INT);
	add_type(&builder, "point_or_int", BTF_KIND_UNION, 1, 4);
	add_member(&builder, "i", INT, 0);
	add_struct_of(&builder, "", 4, "n", INT);
	add_type(&builder, "same_counter_t", BTF_KIND_TYPEDEF, 0, builder.last_id + 2);
	add_type(&builder, "counter_t", BTF_KIND_TYPEDEF, 0, NAMELESS);
	add_type(&builder, "also_counter_t", BTF_KIND_TYPEDEF, 0, NAMELESS);
	constant = add_type(&builder, "", BTF_KIND_CONST, 0, POINT);
	add_type(&builder, "point_t", BTF_KIND_TYPEDEF, 0, constant);
	add_type(&builder, "place_t", BTF_KIND_TYPEDEF, 0, builder.last_id);
	add_type(&builder, "number_t", BTF_KIND_TYPEDEF, 0, INT);
	return builder;
}

static void struct_is_found_by_its_name(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset set = read_types(&builder, "point");

	(void)state;
	assert_ptr_not_equal(only_type(&set), NULL);
	assert_null(set.definitions.items[0].typedef_name);
	assert_definition(&set, 0, "point");
}

static void keyword_chooses_the_kind(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset found = read_types(&builder, "union point_or_int");
	auto_typeset struct typeset wrong = read_types(&builder, "struct point_or_int");
	auto_typeset struct typeset alias = read_types(&builder, "struct place_t");

	(void)state;
	assert_int_equal(only_type(&found)->kind, TYPE_UNION);
	assert_int_equal(wrong.definitions.nr, 0);
	assert_int_equal(alias.definitions.nr, 0);
}

static void typedef_is_found_through_typedefs_and_qualifiers(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset set = read_types(&builder, "place_t");

	(void)state;
	assert_string_equal(only_type(&set)->name, "point");
	assert_string_equal(set.definitions.items[0].typedef_name, "place_t");
}

static void typedef_names_a_nameless_struct(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset set = read_types(&builder, "same_counter_t");

	(void)state;
	assert_null(only_type(&set)->name);
	assert_string_equal(set.definitions.items[0].typedef_name, "same_counter_t");
}

static void typedef_of_something_else_is_not_found(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset set = read_types(&builder, "number_t");

	(void)state;
	assert_int_equal(set.definitions.nr, 0);
}

static void pattern_finds_typedefs_whose_struct_it_does_not(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset set = read_types(&builder, "p*");

	(void)state;
	/* point_t is struct point, which is there already; place_t as well. */
	assert_int_equal(set.definitions.nr, 2);
	assert_definition(&set, 0, "point");
	assert_definition(&set, 1, "point_or_int");
	typeset_deinit(&set);
	set = read_types(&builder, "*_t");
	assert_int_equal(set.definitions.nr, 5);
}

static void everything_is_each_struct_once(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset set = read_types(&builder, NULL);

	(void)state;
	assert_int_equal(set.definitions.nr, 3);
	assert_definition(&set, 0, "point");
	assert_definition(&set, 1, "point_or_int");
	/* The first typedef that names it directly. */
	assert_definition(&set, 2, "counter_t");
}

static void different_structs_of_one_name_are_all_found(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset set = {};

	(void)state;
	add_struct_of(&builder, "point", 8, "y", INT);
	add_struct_of(&builder, "point", 4, "x", INT); /* the first one again */
	set = read_types(&builder, "point");
	assert_int_equal(set.definitions.nr, 2);
	assert_int_equal(set.definitions.items[0].type->size, 4);
	assert_int_equal(set.definitions.items[1].type->size, 8);
}

static void typedef_in_a_circle_is_not_found(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_typeset struct typeset set = {};

	(void)state;
	add_type(&builder, "round_t", BTF_KIND_TYPEDEF, 0, builder.last_id + 2);
	add_type(&builder, "circle_t", BTF_KIND_TYPEDEF, 0, builder.last_id);
	add_type(&builder, "lost_t", BTF_KIND_TYPEDEF, 0, 4711);
	set = read_types(&builder, "*t");
	for (size_t i = 0; i < set.definitions.nr; i++)
		assert_string_not_equal(definition_name(&set.definitions.items[i]), "circle_t");
}

static void add_name(void *context, const char *name)
{
	text_printf(context, "%s ", name);
}

static void names_are_those_a_query_finds(void **state)
{
	auto_builder struct builder builder = some_types();
	auto_text struct text blob = builder_finish(&builder), names = {};
	struct btf_input input = { .data = (const uint8_t *)blob.chars, .size = blob.length };

	(void)state;
	assert_null(btf_types_names(&input, add_name, &names));
	assert_string_equal(text_chars(&names), "point point_or_int same_counter_t counter_t "
						"also_counter_t point_t place_t ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(struct_is_found_by_its_name),
		cmocka_unit_test(keyword_chooses_the_kind),
		cmocka_unit_test(typedef_is_found_through_typedefs_and_qualifiers),
		cmocka_unit_test(typedef_names_a_nameless_struct),
		cmocka_unit_test(typedef_of_something_else_is_not_found),
		cmocka_unit_test(pattern_finds_typedefs_whose_struct_it_does_not),
		cmocka_unit_test(everything_is_each_struct_once),
		cmocka_unit_test(different_structs_of_one_name_are_all_found),
		cmocka_unit_test(typedef_in_a_circle_is_not_found),
		cmocka_unit_test(names_are_those_a_query_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
