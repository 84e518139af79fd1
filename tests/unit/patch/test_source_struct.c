/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "patch/source_struct.h"

static const char *known[] = { "inode", "open", "a", "b", "__pad", "list" };
static const struct string_vec names = { known, array_size(known), array_size(known) };

static void read_at(const char *text, const char *name, uint32_t line, struct source_struct *ret)
{
	const struct type type = { .kind = TYPE_STRUCT, .name = name, .line = line };
	struct source_place place;
	struct error *err = source_struct_find(text, "f.h", &type, &place);

	if (!err)
		err = source_struct_read(text, "f.h", place, &names, ret);
	if (err)
		fail_msg("%s", error_message(err));
}

static struct error *error_of(const char *text, uint32_t line)
{
	const struct type type = { .kind = TYPE_STRUCT, .name = "s", .line = line };
	struct source_struct source;
	struct source_place place;
	struct error *err = source_struct_find(text, "f.h", &type, &place);

	if (!err)
		err = source_struct_read(text, "f.h", place, &names, &source);
	assert_non_null(err);
	return err;
}

static const struct source_member *member(const struct source_struct *source, const char *name)
{
	int32_t found = source_struct_member(source, name, 0);

	if (found < 0)
		fail_msg("there is no '%s'", name);
	return &source->members.items[found];
}

static const struct source_declaration *declaration(const struct source_struct *source,
						    const char *name)
{
	return &source->declarations.items[member(source, name)->declaration];
}

static void assert_text(const struct source_struct *source, size_t start, size_t end,
			const char *expected)
{
	assert_int_equal(end - start, strlen(expected));
	assert_memory_equal(source->text + start, expected, end - start);
}

static void the_struct_of_the_line_is_found_among_others(void **state)
{
	auto_source_struct struct source_struct source = {};

	(void)state;
	read_at("struct s;\n/* struct s { int no; }; */\n#define S struct s { int no; };\n"
		"struct s *f(struct s *s);\nstruct s\n{\n\tint a;\n};\n",
		"s", 5, &source);
	assert_int_equal(source.line, 5);
	assert_int_equal(source.members.nr, 1);
	assert_int_equal(member(&source, "a")->line, 7);
}

static void attributes_may_stand_before_the_name(void **state)
{
	auto_source_struct struct source_struct source = {};

	(void)state;
	read_at("struct __attribute__((packed, aligned(4))) s { int a; };\n", "s", 1, &source);
	assert_text(&source, declaration(&source, "a")->start, declaration(&source, "a")->end,
		    "int a;");
}

static void another_line_is_another_tree(void **state)
{
	auto_error struct error *moved = error_of("\n\nstruct s { int a; };\n", 1);
	auto_error struct error *none = error_of("int x;\n", 1);

	(void)state;
	assert_non_null(strstr(error_message(moved), "f.h:1: 'struct s' is not defined here but on "
						     "line 3"));
	assert_non_null(strstr(error_message(none), "f.h:1: 'struct s' is not defined here"));
}

static void a_name_is_told_from_its_type(void **state)
{
	auto_source_struct struct source_struct source = {};

	(void)state;
	read_at("struct s {\n\tstruct inode inode;\n\tint (*open)(struct inode *a, int b);\n"
		"\tu32 __pad __aligned(8);\n\tstruct list list[2] ____cacheline_aligned_in_smp;\n"
		"\tu64 b : 3, a:5;\n};\n",
		"s", 1, &source);
	assert_int_equal(source.members.nr, 6);
	assert_int_equal(member(&source, "inode")->line, 2);
	assert_int_equal(member(&source, "open")->line, 3);
	assert_int_equal(member(&source, "__pad")->line, 4);
	assert_int_equal(member(&source, "list")->line, 5);
	assert_text(&source, member(&source, "b")->start, member(&source, "b")->end, "b : 3");
	assert_text(&source, member(&source, "list")->start, member(&source, "list")->end,
		    "list[2] ____cacheline_aligned_in_smp");
}

static void declarators_of_one_line_are_told_apart(void **state)
{
	auto_source_struct struct source_struct source = {};

	(void)state;
	read_at("struct s {\n\tconst char *const a, (*open[2])(int), /* here */\n\t\t**b;\n};\n",
		"s", 1, &source);
	assert_int_equal(source.declarations.nr, 1);
	assert_text(&source, member(&source, "a")->start, member(&source, "a")->end, "*const a");
	assert_text(&source, member(&source, "open")->start, member(&source, "open")->end,
		    "(*open[2])(int)");
	assert_text(&source, member(&source, "b")->start, member(&source, "b")->end, "**b");
	assert_int_equal(member(&source, "b")->line, 3);
}

static void anonymous_structs_are_opened_and_others_not(void **state)
{
	auto_source_struct struct source_struct source = {};

	(void)state;
	read_at("struct s {\n\tunion {\n\t\tstruct { int a; };\n\t\tint b;\n\t} __aligned(8);\n"
		"\tstruct { int open; } inode, *list;\n};\n",
		"s", 1, &source);
	assert_int_equal(source_struct_member(&source, "open", 0), -1);
	assert_int_equal(declaration(&source, "inode")->nr_members, 2);
	assert_true(declaration(&source, "inode")->body_start);
	assert_false(declaration(&source, "inode")->anonymous);
	assert_int_equal(declaration(&source, "b")->parent, 0);
	assert_true(source.declarations.items[0].anonymous);
	assert_int_equal(declaration(&source, "a")->parent, 1);
}

static void what_macros_make_is_marked(void **state)
{
	auto_source_struct struct source_struct source = {};

	(void)state;
	read_at("struct s {\n\tDECLARE_BITMAP(map, 4) __aligned(8);\n\trandomized_start\n\tint a;\n"
		"\tKABI_SLOT(1)\n\tKABI_SLOT(2) /* taken */\n#ifdef X\n\tatomic_long_t\n\t\tb;\n"
		"#endif\n\tHEADER u8 list[3];\n\tMORE int *open;\n\tALONE;\n\tTAIL /* */\n};\n",
		"s", 1, &source);
	assert_string_equal(source.declarations.items[0].macro, "DECLARE_BITMAP");
	assert_string_equal(source.declarations.items[1].macro, "randomized_start");
	assert_text(&source, declaration(&source, "a")->start, declaration(&source, "a")->end,
		    "int a;");
	assert_string_equal(source.declarations.items[3].macro, "KABI_SLOT");
	assert_string_equal(source.declarations.items[4].macro, "KABI_SLOT");
	assert_text(&source, declaration(&source, "b")->start, declaration(&source, "b")->end,
		    "atomic_long_t\n\t\tb;");
	assert_string_equal(source.declarations.items[6].macro, "HEADER");
	assert_string_equal(source.declarations.items[7].macro, "MORE");
	assert_string_equal(source.declarations.items[8].macro, "ALONE");
	assert_string_equal(source.declarations.items[9].macro, "TAIL");
	assert_int_equal(source.declarations.nr, 10);
}

static void conditions_are_told_with_their_branches(void **state)
{
	auto_source_struct struct source_struct source = {};

	(void)state;
	read_at("struct s {\n#if A && /* and\n */ B\n\tint a;\n# ifdef C\n\tint b;\n# endif\n"
		"#else\n\tint open;\n#endif\n\tint list\n#ifdef D\n\t[2]\n#endif\n\t;\n};\n",
		"s", 1, &source);
	assert_int_equal(source.conditions.nr, 2);
	assert_true(source.conditions.items[0].has_else);
	assert_false(source.conditions.items[1].has_else);
	assert_int_equal(declaration(&source, "a")->condition, 0);
	assert_int_equal(declaration(&source, "a")->branch, 0);
	assert_int_equal(declaration(&source, "b")->condition, 1);
	assert_int_equal(source.conditions.items[1].parent, 0);
	assert_int_equal(declaration(&source, "open")->branch, 1);
	assert_int_equal(declaration(&source, "list")->condition, -1);
	assert_int_equal(declaration(&source, "list")->broken_line, 12);
}

static void what_cannot_be_read_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "struct s {\n\tint a;\n", "f.h:1: the struct does not end" },
		{ "struct s {\n\tint a\n};\n", "f.h:2: no ';'" },
		{ "struct s {\n\tint a;\n#endif\n};\n", "f.h:3: this condition does not start" },
		{ "struct s {\n#if A\n\tunion {\n#endif\n\tint a;\n\t};\n};\n",
		  "f.h:4: this condition does not start" },
		{ "struct s {\n#if A\n\tint a;\n};\n", "f.h:2: the condition does not end" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_error struct error *err = error_of(cases[i].text, 1);

		if (!strstr(error_message(err), cases[i].message))
			fail_msg("%s", error_message(err));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_struct_of_the_line_is_found_among_others),
		cmocka_unit_test(attributes_may_stand_before_the_name),
		cmocka_unit_test(another_line_is_another_tree),
		cmocka_unit_test(a_name_is_told_from_its_type),
		cmocka_unit_test(declarators_of_one_line_are_told_apart),
		cmocka_unit_test(anonymous_structs_are_opened_and_others_not),
		cmocka_unit_test(what_macros_make_is_marked),
		cmocka_unit_test(conditions_are_told_with_their_branches),
		cmocka_unit_test(what_cannot_be_read_is_told_with_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
