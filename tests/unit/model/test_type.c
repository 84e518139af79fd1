/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "model/type.h"
#include "support/types.h"

static const struct type type_s = {
	.kind = TYPE_STRUCT, .name = "s", .size = TYPE_SIZE_UNKNOWN, .incomplete = true
};
static const struct type type_float = BASE("float", 4);

struct declaration {
	const char *c; /* as a person writes it, naming x */
	const struct type *type;
};

#define CONST(what) OF(TYPE_CONST, what)
#define VOLATILE(what) OF(TYPE_VOLATILE, what)

/* What type_print() makes of each type, beside what a person writes. */
static void write_declarations(FILE *file)
{
	const struct type *to_int = FUNCTION(&type_int, PARAMETER(&type_int));
	const struct type *to_void = FUNCTION(NULL, PARAMETER(POINTER(&type_s)));
	struct type variadic = *FUNCTION(&type_int, PARAMETER(POINTER(CONST(&type_char))));
	const struct type nothing = { .kind = TYPE_FUNCTION, .target = &type_long };
	const struct type vector = { .kind = TYPE_ARRAY,
				     .vector = true,
				     .size = 16,
				     .target = &type_float,
				     .counts = (const uint64_t[]){ 4 },
				     .nr_counts = 1 };
	const struct declaration declarations[] = {
		{ "int x", &type_int },
		{ "char *x", POINTER(&type_char) },
		{ "void *x", POINTER(NULL) },
		{ "const char *x", POINTER(CONST(&type_char)) },
		{ "char *const x", CONST(POINTER(&type_char)) },
		{ "const volatile char *const volatile x",
		  CONST(VOLATILE(POINTER(CONST(VOLATILE(&type_char))))) },
		{ "char *restrict *x", POINTER(OF(TYPE_RESTRICT, POINTER(&type_char))) },
		{ "struct s *x[3]", ARRAY(POINTER(&type_s), 3) },
		{ "int x[2][3]", ARRAY(&type_int, 2, 3) },
		{ "const int x[4]", ARRAY(CONST(&type_int), 4) },
		{ "const int x[4]", CONST(ARRAY(&type_int, 4)) },
		{ "int (*x)[4]", POINTER(ARRAY(&type_int, 4)) },
		{ "int (*(*x)[4])[5]", POINTER(ARRAY(POINTER(ARRAY(&type_int, 5)), 4)) },
		{ "int (*x)(int)", POINTER(to_int) },
		{ "int (*x[4])(int)", ARRAY(POINTER(to_int), 4) },
		{ "int (**x)(int)", POINTER(POINTER(to_int)) },
		{ "void (*const x)(struct s *)", CONST(POINTER(to_void)) },
		{ "int (*x)(const char *, ...)", POINTER(&variadic) },
		{ "long (*x)(void)", POINTER(&nothing) },
		{ "void (*(*x)(int (*)(int)))(struct s *)",
		  POINTER(FUNCTION(POINTER(to_void), PARAMETER(POINTER(to_int)))) },
		{ "_Atomic int x", OF(TYPE_ATOMIC, &type_int) },
		{ "float __attribute__((vector_size(16))) x", &vector },
	};
	auto_text struct text text = {};

	variadic.variadic = true;
	fputs("struct s;\n", file);
	for (size_t i = 0; i < array_size(declarations); i++) {
		text_clear(&text);
		type_print(&text, declarations[i].type, "x");
		/* The addresses, for the compiler drops qualifiers of the outermost type. */
		fprintf(file,
			"struct a%zu { %s; };\nstruct b%zu { %s; };\n"
			"_Static_assert(__builtin_types_compatible_p(\n"
			"	__typeof__(&((struct a%zu *)0)->x),\n"
			"	__typeof__(&((struct b%zu *)0)->x)), \"not the same\");\n",
			i, declarations[i].c, i, text_chars(&text), i, i);
	}
}

/* The compiler reads what we print; it must be what a person would have written. */
static void declarations_are_what_the_compiler_reads(void **state)
{
	static const char command[] = TEST_CC " -std=gnu11 -Werror -fsyntax-only -x c %s 2>&1";
	char path[] = "/tmp/fieldline_declarations.XXXXXX", line[sizeof(command) + sizeof(path)];
	int fd = mkstemp(path), status;
	FILE *file = fdopen(fd, "w");

	(void)state;
	assert_non_null(file);
	write_declarations(file);
	assert_int_equal(fclose(file), 0);
	snprintf(line, sizeof(line), command, path);
	status = system(line);
	unlink(path);
	assert_int_equal(status, 0);
}

static void what_has_no_name_is_printed_in_braces(void **state)
{
	const struct type inside = STRUCT(NULL, 4, FIELD("a", &type_int, 0));
	auto_text struct text text = {};

	(void)state;
	type_print(&text, ARRAY(POINTER(&inside), 2), "x");
	assert_string_equal(text_chars(&text), "struct {...} *x[2]");
}

static void a_declaration_splits_into_base_and_declarator(void **state)
{
	auto_text struct text base = {}, declarator = {};

	(void)state;
	text_add(&declarator, "x");
	type_print_split(&base, &declarator, POINTER(ARRAY(CONST(&type_int), 4)));
	assert_string_equal(text_chars(&base), "const int");
	assert_string_equal(text_chars(&declarator), "(*x)[4]");
}

/* Only a damaged file has such a type. */
static void a_qualifier_is_printed_whatever_the_text_holds(void **state)
{
	auto_text struct text text = {};

	(void)state;
	text_add(&text, "const int a; ");
	type_print(&text, CONST(&type_int), "b");
	assert_string_equal(text_chars(&text), "const int a; const int b");
}

static void a_function_that_takes_itself_ends(void **state)
{
	struct type function = { .kind = TYPE_FUNCTION, .target = &type_int };
	const struct type pointer = { .kind = TYPE_POINTER, .size = 8, .target = &function };
	const struct field parameters[] = { PARAMETER(&pointer), PARAMETER(&pointer) };
	auto_text struct text text = {};

	(void)state;
	function.fields = parameters;
	function.nr_fields = 2;
	type_print(&text, &pointer, "x");
	assert_true(text.length < 1000000);
}

static void sizes_see_through_typedefs_and_arrays(void **state)
{
	(void)state;
	assert_int_equal(type_size(ARRAY(TYPEDEF("u", CONST(&type_long)), 3, 2)), 48);
	assert_int_equal(type_size(ARRAY(&type_long, TYPE_COUNT_FLEXIBLE)), 0);
	assert_int_equal(type_size(ARRAY(&type_long, UINT64_MAX / 4, 2)), TYPE_SIZE_UNKNOWN);
	assert_int_equal(type_size(NULL), 0);
}

static void an_element_is_behind_all_dimensions(void **state)
{
	const struct type slot = STRUCT("slot", 12, FIELD("a", &type_int, 0));
	const struct type *row = ARRAY(TYPEDEF("slot_t", &slot), 2);
	uint64_t offset = 5 * 12 + 4;

	(void)state;
	assert_ptr_equal(type_element(ARRAY(row, 4), &offset), &slot);
	assert_int_equal(offset, 4);
	offset = 10;
	assert_ptr_equal(type_element(TYPEDEF("slot_t", &slot), &offset), &slot);
	assert_int_equal(offset, 10);
	assert_null(type_element(NULL, &offset));
}

static void alignment_of(const struct type *type, const char *arch, uint32_t expected)
{
	assert_int_equal(type_align(type, arch_by_name(arch)), expected);
}

static void alignments_follow_the_machine(void **state)
{
	const struct type pair =
		STRUCT("pair", 16, FIELD("a", &type_char, 0), FIELD("b", &type_long, 8));
	struct type stated = pair;

	(void)state;
	stated.align = 64;
	stated.size = 64;
	alignment_of(&pair, "x86_64", _Alignof(struct {
		char a;
		long b;
	}));
	alignment_of(&type_long, "i386", 4);
	alignment_of(&type_long, "m68k", 2);
	alignment_of(&stated, "x86_64", 64);
	alignment_of(ARRAY(&stated, 2), "x86_64", 64);
	alignment_of(OF(TYPE_ATOMIC, &pair), "x86_64", 16);
}

static void packed_is_what_no_other_struct_can_be(void **state)
{
	const struct type off =
		STRUCT("off", 8, FIELD("a", &type_char, 0), FIELD("b", &type_int, 1));
	const struct type odd =
		STRUCT("odd", 9, FIELD("b", &type_long, 0), FIELD("a", &type_char, 8));
	const struct type plain =
		STRUCT("plain", 8, FIELD("a", &type_char, 0), FIELD("b", &type_int, 4));
	const struct arch *arch = arch_by_name("x86_64");

	(void)state;
	assert_true(type_is_packed(&off, arch));
	assert_true(type_is_packed(&odd, arch));
	assert_false(type_is_packed(&plain, arch));
	assert_int_equal(type_align(&odd, arch), 1);
}

static void equal_layouts_have_equal_hashes(void **state)
{
	const struct type inner =
		STRUCT("inner", 8, FIELD("x", &type_int, 0), FIELD("y", &type_int, 4));
	const struct type moved =
		STRUCT("inner", 8, FIELD("x", &type_int, 4), FIELD("y", &type_int, 0));
	const struct type outer = STRUCT("outer", 8, FIELD("in", &inner, 0));
	const struct type again = STRUCT("outer", 8, FIELD("in", &inner, 0));
	const struct type other = STRUCT("outer", 8, FIELD("in", &moved, 0));
	const struct type here = STRUCT("here", 8, FIELD("p", POINTER(&inner), 0));
	const struct type there = STRUCT("here", 8, FIELD("p", POINTER(&moved), 0));

	(void)state;
	assert_int_equal(type_hash(&outer), type_hash(&again));
	assert_int_not_equal(type_hash(&outer), type_hash(&other));
	/* What is behind a pointer is no part of the layout. */
	assert_int_equal(type_hash(&here), type_hash(&there));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declarations_are_what_the_compiler_reads),
		cmocka_unit_test(what_has_no_name_is_printed_in_braces),
		cmocka_unit_test(a_declaration_splits_into_base_and_declarator),
		cmocka_unit_test(a_qualifier_is_printed_whatever_the_text_holds),
		cmocka_unit_test(a_function_that_takes_itself_ends),
		cmocka_unit_test(sizes_see_through_typedefs_and_arrays),
		cmocka_unit_test(an_element_is_behind_all_dimensions),
		cmocka_unit_test(alignments_follow_the_machine),
		cmocka_unit_test(packed_is_what_no_other_struct_can_be),
		cmocka_unit_test(equal_layouts_have_equal_hashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
