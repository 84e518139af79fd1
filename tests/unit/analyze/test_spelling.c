/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/spelling.h"

static void assert_unified(const char *from, const char *expected)
{
	auto_text struct text text = {};

	text_add(&text, from);
	spelling_unify(&text);
	assert_string_equal(text_chars(&text), expected);
}

static void assert_flattened(const char *from, const char *expected)
{
	auto_text struct text text = {};

	text_add(&text, from);
	spelling_flatten_counts(&text);
	assert_string_equal(text_chars(&text), expected);
}

static void compilers_spell_one_integer_type_alike(void **state)
{
	(void)state;
	assert_unified("long int", "long");
	assert_unified("long unsigned int", "unsigned long");
	assert_unified("unsigned long", "unsigned long");
	assert_unified("long long unsigned int", "unsigned long long");
	assert_unified("short int", "short");
	assert_unified("signed char", "signed char");
	assert_unified("unsigned char", "unsigned char");
	assert_unified("char", "char");
	assert_unified("signed int", "int");
	assert_unified("unsigned int", "unsigned int");
}

static void the_rest_of_a_declaration_stays(void **state)
{
	(void)state;
	assert_unified("", "");
	assert_unified("const long int *(*)(short int, char)[3]",
		       "const long *(*)(short, char)[3]");
	assert_unified("struct interval", "struct interval");
	assert_unified("long_t", "long_t");
	assert_unified("point", "point");
}

static void counts_are_multiplied(void **state)
{
	(void)state;
	assert_flattened("int", "int");
	assert_flattened("int[2][3]", "int[6]");
	assert_flattened("int (*[2])(char[0])", "int (*[2])(char[0])");
	assert_flattened("char[]", "char[0]");
	assert_flattened("char[0][6]", "char[0]");
	assert_flattened("char[", "char[");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compilers_spell_one_integer_type_alike),
		cmocka_unit_test(the_rest_of_a_declaration_stays),
		cmocka_unit_test(counts_are_multiplied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
