/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "patch/constraints.h"
#include "support/types.h"

static void find_in(const char *text, struct constraints *ret)
{
	constraints_find_in(text, strlen(text), "a.c", "struct s", ret);
}

/* The one constraint that a text has. */
static void expect(const char *text, enum constraint_kind kind, bool exact, const char *member)
{
	auto_constraints struct constraints constraints = {};
	const struct constraint *constraint = NULL;

	find_in(text, &constraints);
	if (constraints.found.nr != 1)
		fail_msg("%zu constraints in: %s", constraints.found.nr, text);
	constraint = &constraints.found.items[0];
	assert_int_equal(constraint->kind, kind);
	assert_int_equal(constraint->exact, exact);
	assert_string_equal(constraint->file, "a.c");
	if (member)
		assert_string_equal(constraint->member, member);
	else
		assert_null(constraint->member);
}

static void expect_none(const char *text)
{
	auto_constraints struct constraints constraints = {};

	find_in(text, &constraints);
	if (constraints.found.nr)
		fail_msg("kind %d in: %s", constraints.found.items[0].kind, text);
}

static void assertions_name_a_member_or_the_size(void **state)
{
	(void)state;
	expect("static_assert(sizeof(struct s) == 64);", CONSTRAINT_ASSERTION, true, NULL);
	expect("_Static_assert(sizeof(struct s) <= 64, \"x\");", CONSTRAINT_ASSERTION, false, NULL);
	expect("{ BUILD_BUG_ON(offsetof(struct s, a) & 63); }", CONSTRAINT_ASSERTION, false, "a");
	expect("BUILD_BUG_ON(\n\toffsetof(struct s, a.b) !=\n\t8);", CONSTRAINT_ASSERTION, true,
	       "a");
	expect("CACHELINE_ASSERT_GROUP_MEMBER(struct s, rx, a);", CONSTRAINT_ASSERTION, false, "a");
	expect("XFS_CHECK_OFFSET(struct s, a, 8);", CONSTRAINT_ASSERTION, true, "a");
	expect("XFS_CHECK_STRUCT_SIZE(struct s, 8);", CONSTRAINT_ASSERTION, true, NULL);
	expect("BUILD_BUG_ON(offsetofend(struct s, a) > __alignof__(long));", CONSTRAINT_ASSERTION,
	       false, "a");
}

static void an_assertion_is_quoted_on_one_line(void **state)
{
	auto_constraints struct constraints constraints = {};

	(void)state;
	find_in("int x;\n\nvoid f(void)\n{\n\tBUILD_BUG_ON(offsetof(struct s, a) \\\n\t\t!= 8);\n}",
		&constraints);
	assert_int_equal(constraints.found.nr, 1);
	assert_int_equal(constraints.found.items[0].line, 5);
	assert_string_equal(constraints.found.items[0].text,
			    "BUILD_BUG_ON(offsetof(struct s, a) != 8)");
}

static void casts_are_told_from_declarations(void **state)
{
	(void)state;
	expect("x = (struct s *)head;", CONSTRAINT_CAST, false, NULL);
	expect("return (struct s *) &y->head;", CONSTRAINT_CAST, false, NULL);
	expect("f(a, (struct s *)(b + 1));", CONSTRAINT_CAST, false, NULL);
	expect_none("int f(struct s *);");
	expect_none("int (*f)(struct s *);");
	expect_none("int (*f)(struct s *) __acquires(x);");
	expect_none("int f(struct s *x);");
	expect_none("n = sizeof(struct s *);");
	expect_none("n = sizeof(((struct s *)0)->a);");
	expect_none("x = (struct s **)y;");
	expect_none("x = (struct st *)y;");
}

static void the_ways_to_the_container_are_counted(void **state)
{
	auto_constraints struct constraints constraints = {};

	(void)state;
	find_in("a = container_of(p, struct s, head);\nb = list_entry(q, struct s, head);\n",
		&constraints);
	assert_int_equal(constraints.found.nr, 1);
	assert_int_equal(constraints.found.items[0].kind, CONSTRAINT_CONTAINER);
	assert_string_equal(constraints.found.items[0].member, "head");
	assert_int_equal(constraints.found.items[0].line, 1);
	assert_int_equal(constraints.found.items[0].nr_more, 1);
	expect_none("int add_entry(struct s *s);");
}

static void ranges_are_told_from_tables_of_offsets(void **state)
{
	(void)state;
	expect("memset(p, 0, offsetof(struct s, z) - 8);", CONSTRAINT_RANGE, false, "z");
	expect_none("{ \"z\", offsetof(struct s, z) },");
	expect_none("f(p->x, offsetof(struct s, z));");
}

static void comments_and_literals_say_nothing(void **state)
{
	(void)state;
	expect_none("/* BUILD_BUG_ON(sizeof(struct s) != 8); */");
	expect_none("// x = (struct s *)y;");
	expect_none("printk(\"(struct s *)x\");");
	expect("#error don't\nx = (struct s *)y; /* ' */", CONSTRAINT_CAST, false, NULL);
}

static void text_that_is_no_c_does_no_harm(void **state)
{
	static const char *const texts[] = { "struct s",    "(struct s",    "offsetof(struct s,",
					     "/*struct s",  "\"struct s\\", "f((((((((((struct s",
					     "(struct s *)" };

	(void)state;
	for (size_t i = 0; i < array_size(texts); i++)
		expect_none(texts[i]);
}

/* A tree of one file that declares the struct, and one that uses it. */
struct tree {
	char path[64];
};

static void write_file(const struct tree *tree, const char *name, const char *text)
{
	auto_text struct text path = {};

	text_printf(&path, "%s/%s", tree->path, name);
	assert_null(file_write(text_chars(&path), text, strlen(text)));
}

static void make_tree(struct tree *tree)
{
	auto_text struct text folder = {};

	strcpy(tree->path, "/tmp/fieldline-tree-XXXXXX");
	assert_non_null(mkdtemp(tree->path));
	text_printf(&folder, "%s/tools", tree->path);
	assert_int_equal(mkdir(text_chars(&folder), 0700), 0);
	write_file(tree, "s.h",
		   "struct s {\n\t/* Must be the\n\t * first. */\n\tlong a;\n\tlong b; "
		   "/* keep this at 8 */\n\tlong c; /* next to b */\n} __randomize_layout;\n");
	write_file(tree, "u.c", "x = (struct s *)y;\n");
	write_file(tree, "tools/u.c", "z = (struct s *)y;\n");
}

static void remove_tree(const struct tree *tree)
{
	static const char *const names[] = { "s.h", "u.c", "tools/u.c", "tools", "" };

	for (size_t i = 0; i < array_size(names); i++) {
		auto_text struct text path = {};

		text_printf(&path, "%s/%s", tree->path, names[i]);
		remove(text_chars(&path));
	}
}

static struct error *search(const struct tree *tree, uint32_t line, struct constraints *ret)
{
	struct field fields[] = { FIELD("a", &type_long, 0), FIELD("b", &type_long, 8),
				  FIELD("c", &type_long, 16) };
	struct type type = { .kind = TYPE_STRUCT,
			     .name = "s",
			     .size = 24,
			     .fields = fields,
			     .nr_fields = 3,
			     .file = "s.h",
			     .line = line };
	const struct definition definition = { .type = &type };

	for (uint32_t i = 0; i < 3; i++)
		fields[i].line = 4 + i;
	return constraints_find(tree->path, &definition, arch_by_name("x86_64"), ret);
}

static void a_tree_is_searched_without_its_tools(void **state)
{
	auto_constraints struct constraints constraints = {};
	struct tree tree;
	struct error *err;

	(void)state;
	make_tree(&tree);
	err = search(&tree, 1, &constraints);
	remove_tree(&tree);
	if (err)
		fail_msg("%s", error_message(err));
	assert_int_equal(constraints.nr_files, 2);
	assert_int_equal(constraints.found.nr, 4);
	assert_int_equal(constraints.found.items[3].kind, CONSTRAINT_SHUFFLED);
	assert_int_equal(constraints.found.items[3].line, 7);
	assert_int_equal(constraints.found.items[0].kind, CONSTRAINT_CAST);
	assert_int_equal(constraints.found.items[0].nr_more, 0);
	assert_string_equal(constraints.found.items[1].member, "a");
	assert_string_equal(constraints.found.items[1].text, "Must be the first.");
	assert_string_equal(constraints.found.items[2].member, "b");
}

static void another_kernels_tree_is_refused(void **state)
{
	auto_constraints struct constraints constraints = {};
	auto_error struct error *moved = NULL, *missing = NULL;
	struct tree tree, none = { "no-such-tree" };

	(void)state;
	make_tree(&tree);
	moved = search(&tree, 2, &constraints);
	missing = search(&none, 1, &constraints);
	remove_tree(&tree);
	assert_non_null(moved);
	assert_non_null(strstr(error_message(moved), "line 2 of 's.h'"));
	assert_non_null(missing);
	assert_non_null(strstr(error_message(missing), "s.h"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assertions_name_a_member_or_the_size),
		cmocka_unit_test(an_assertion_is_quoted_on_one_line),
		cmocka_unit_test(casts_are_told_from_declarations),
		cmocka_unit_test(the_ways_to_the_container_are_counted),
		cmocka_unit_test(ranges_are_told_from_tables_of_offsets),
		cmocka_unit_test(comments_and_literals_say_nothing),
		cmocka_unit_test(text_that_is_no_c_does_no_harm),
		cmocka_unit_test(a_tree_is_searched_without_its_tools),
		cmocka_unit_test(another_kernels_tree_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
