/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "patch/assertion.h"
#include "support/types.h"

static const struct dialect kernel = { .kernel = true, .cacheline = 64 };
static const struct dialect plain = { .cacheline = 64 };

#define AT(field_name, at_line)                                            \
	{                                                                  \
		.name = field_name, .type = &type_long, .line = (at_line), \
	}
/* An edit of a struct s on line 1, whose members are told with their lines. */
#define STRUCT_OF(...) AGGREGATE(TYPE_STRUCT, "s", 64, __VA_ARGS__)

struct bench {
	struct type before;
	struct definition definition;
	struct type after;
	struct proposal proposal;
	struct rewrite_request request;
	struct rewriting rewriting;
	struct error *err;
};

/* after: the names in their order, with spaces between. */
static void set_up(struct bench *bench, const char *text, struct type before,
		   const struct edit *edit, const char *after)
{
	static struct field fields[16];
	static char copy[256];
	char *rest = copy;
	uint32_t nr = 0;

	snprintf(copy, sizeof(copy), "%s", after);
	for (char *name; (name = strsep(&rest, " "));)
		fields[nr++] = (struct field){ .name = name, .type = &type_long };
	*bench = (struct bench){ .before = before };
	bench->before.line = 1;
	bench->after = (struct type){
		.kind = TYPE_STRUCT, .name = "s", .size = 64, .fields = fields, .nr_fields = nr
	};
	bench->definition.type = &bench->before;
	bench->proposal = (struct proposal){ .edits = edit, .nr_edits = 1, .after = &bench->after };
	bench->request = (struct rewrite_request){ text, "f.h", &bench->definition,
						   &bench->proposal, &kernel };
}

static void tear_down(struct bench *bench)
{
	if (!bench->err)
		rewriting_deinit(&bench->rewriting);
	error_destroy(bench->err);
}
#define auto_bench __attribute__((cleanup(tear_down)))

static void assert_becomes(struct bench *bench, const char *expected)
{
	bench->err = rewrite(&bench->request, &bench->rewriting);
	if (bench->err)
		fail_msg("%s", error_message(bench->err));
	assert_string_equal(text_chars(&bench->rewriting.text), expected);
}

static void assert_refused(struct bench *bench, const char *message)
{
	bench->err = rewrite(&bench->request, &bench->rewriting);
	if (!bench->err)
		fail_msg("it became %s", text_chars(&bench->rewriting.text));
	if (!strstr(error_message(bench->err), message))
		fail_msg("%s", error_message(bench->err));
}

static void a_struct_is_padded_in_a_union(void **state)
{
	const struct edit edit = { EDIT_WRAP, .member = "a", .name = "pad", .round_to = 64 };
	const struct type before = STRUCT_OF(AT("a", 3), AT("b", 4));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench,
	       "struct s {\n\t/* its own */\n\tstruct a a;\t/* is a\n\t\t\t * thing */\n\tint b;\n};\n",
	       before, &edit, "a pad b");
	bench.before.fields = (const struct field[]){ AT("a", 3), AT("b", 5) };
	assert_becomes(&bench, "struct s {\n\t/* its own */\n\tunion {\n\t\tstruct a a;\t/* is a\n"
			       "\t\t\t\t * thing */\n"
			       "\t\tchar pad[ALIGN(sizeof(struct a), L1_CACHE_BYTES)];\n\t};\n"
			       "\tint b;\n};\n");
}

static void elsewhere_than_in_a_kernel_c_is_plain(void **state)
{
	const struct edit edit = { EDIT_WRAP, .member = "a", .name = "pad", .round_to = 64 };
	const struct type before = STRUCT_OF(AT("a", 1), AT("b", 1));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s { thing a[2]; int b; };\n", before, &edit, "a pad b");
	bench.request.dialect = &plain;
	assert_becomes(&bench, "struct s {\n\tunion {\n\t\tthing a[2];\n"
			       "\t\tchar pad[(sizeof(thing [2]) + 63) / 64 * 64];\n\t};\n"
			       "\tint b; };\n");
}

static void a_member_is_aligned_where_it_stands(void **state)
{
	const struct edit edit = { EDIT_ALIGN_MEMBER, .member = "b", .align = 64 };
	const struct type before = STRUCT_OF(AT("a", 2), AT("b", 2), AT("c", 2));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n\tint a, b /* cold */, c;\n};\n", before, &edit, "a b c");
	assert_becomes(&bench,
		       "struct s {\n\tint a, b ____cacheline_aligned_in_smp /* cold */, c;\n"
		       "};\n");
}

static void a_type_is_aligned_behind_its_brace(void **state)
{
	const struct edit edit = { EDIT_ALIGN_TYPE, .align = 128 };
	const struct type before = STRUCT_OF(AT("a", 2));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n\tint a;\n} __packed s;\n", before, &edit, "a");
	assert_becomes(&bench, "struct s {\n\tint a;\n} __aligned(128) __packed s;\n");
}

static void a_member_moves_with_its_comments(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "a", .anchor = "c", .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("a", 3), AT("b", 5), AT("c", 6));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench,
	       "struct s {\n\t/* of a */\n\tint a;\t/* a */\n\n\tint b;\n\tint c;\n\tint d;\n};\n",
	       before, &edit, "b c a");
	bench.before.fields =
		(const struct field[]){ AT("a", 3), AT("b", 5), AT("c", 6), AT("d", 7) };
	bench.before.nr_fields = 4;
	assert_becomes(&bench, "struct s {\n\tint b;\n\tint c;\n\t/* of a */\n\tint a;\t/* a */\n"
			       "\tint d;\n};\n");
}

static void a_comment_above_several_members_stays(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "a", .anchor = "c", .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("a", 3), AT("b", 4), AT("c", 6));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n\t/* of both */\n\tint a;\n\tint b;\n\n\tint c;\n};\n", before,
	       &edit, "b c a");
	assert_becomes(&bench, "struct s {\n\t/* of both */\n\tint b;\n\n\tint c;\n\tint a;\n};\n");
}

static void a_line_of_members_is_parted(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "b", .anchor = "d", .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("a", 2), AT("b", 2), AT("c", 2), AT("d", 3));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n\tstruct x *a, **b, c;\t/* x */\n\tint d;\n};\n", before, &edit,
	       "a c d b");
	assert_becomes(&bench, "struct s {\n\tstruct x *a;\t/* x */\n\tstruct x c;\n\tint d;\n"
			       "\tstruct x **b;\n};\n");
}

static void comments_of_parted_members_go_along(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "a", .anchor = "b", .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("a", 2), AT("b", 3));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n\tint a,\t/* of a */\n\t    b;\t/* of b */\n};\n", before,
	       &edit, "b a");
	assert_becomes(&bench, "struct s {\n\tint b;\t/* of b */\n\tint a;\t/* of a */\n};\n");
}

static void a_condition_goes_along(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "a", .anchor = "c", .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("a", 3), AT("c", 5));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n#ifdef A\n\tint a;\n#endif\n\tint c;\n};\n", before, &edit,
	       "c a");
	assert_becomes(&bench, "struct s {\n\tint c;\n#ifdef A\n\tint a;\n#endif\n};\n");
}

static void a_condition_of_several_members_is_repeated(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "a", .anchor = "c", .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("a", 3), AT("b", 4), AT("c", 6));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n#ifdef A\n\tint a;\n\tint b;\n#endif\n\tint c;\n};\n", before,
	       &edit, "b c a");
	assert_becomes(&bench,
		       "struct s {\n#ifdef A\n\tint b;\n#endif\n\tint c;\n#ifdef A\n\tint a;\n"
		       "#endif\n};\n");
}

static void nothing_comes_under_the_condition_of_its_neighbour(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "c", .anchor = "a", .side = EDIT_BEFORE };
	const struct type before = STRUCT_OF(AT("a", 3), AT("b", 4), AT("c", 6));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n#ifdef A\n\tint a;\n\tint b;\n#endif\n\tint c;\n};\n", before,
	       &edit, "c a b");
	assert_becomes(&bench, "struct s {\n\tint c;\n#ifdef A\n\tint a;\n\tint b;\n#endif\n};\n");
}

static void between_members_of_a_condition_is_no_place(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "c", .anchor = "a", .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("a", 3), AT("b", 4), AT("c", 6));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n#ifdef A\n\tint a;\n\tint b;\n#endif\n\tint c;\n};\n", before,
	       &edit, "a c b");
	assert_refused(&bench, "f.h:4: conditions or macros stand between 'b' and its place");
}

static void members_come_into_a_group(void **state)
{
	const char *members[] = { "c", "a" };
	const struct edit edit = { EDIT_GROUP,	  .members = members, .nr_members = 2,
				   .name = "hot", .align = 64,	      .end_align = 64 };
	const struct type before = STRUCT_OF(AT("a", 2), AT("b", 3), AT("c", 4));
	const struct dialect newer = {
		.kernel = true, .group_macros = true, .group_aligned_macros = true, .cacheline = 64
	};
	const char *after = "b __cacheline_group_begin__hot c a __cacheline_group_end__hot";
	auto_bench struct bench bench, other;

	(void)state;
	set_up(&bench, "struct s {\n\tint a;\n\tint b;\n\tint c;\n};\n", before, &edit, after);
	assert_becomes(&bench,
		       "struct s {\n\tint b;\n"
		       "\t__u8 __cacheline_group_begin__hot[0] ____cacheline_aligned_in_smp;\n"
		       "\tint c;\n\tint a;\n"
		       "\t__u8 __cacheline_group_end__hot[0] ____cacheline_aligned_in_smp;\n};\n");
	set_up(&other, "struct s {\n\tint a;\n\tint b;\n\tint c;\n};\n", before, &edit, after);
	other.request.dialect = &newer;
	assert_becomes(&other, "struct s {\n\tint b;\n\t__cacheline_group_begin_aligned(hot, 64);\n"
			       "\tint c;\n\tint a;\n"
			       "\t__cacheline_group_end_aligned(hot, 64);\n};\n");
}

static void an_anonymous_struct_comes_into_a_group_whole(void **state)
{
	const char *members[] = { "c", "b" };
	const struct edit edit = { EDIT_GROUP, .members = members, .nr_members = 2, .name = "hot" };
	const struct type before = STRUCT_OF(AT("a", 3), AT("b", 4), AT("c", 6));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n\tstruct {\n\t\tint a;\n\t\tint b;\n\t};\n\tint c;\n};\n",
	       before, &edit, "__cacheline_group_begin__hot c a b __cacheline_group_end__hot");
	assert_becomes(&bench, "struct s {\n\t__u8 __cacheline_group_begin__hot[0];\n\tint c;\n"
			       "\tstruct {\n\t\tint a;\n\t\tint b;\n\t};\n"
			       "\t__u8 __cacheline_group_end__hot[0];\n};\n");
}

static void members_come_into_an_order(void **state)
{
	const char *members[] = { "c", "a", "b" };
	const struct edit edit = { EDIT_ORDER, .members = members, .nr_members = 3 };
	const struct type before = STRUCT_OF(AT("a", 2), AT("b", 2), AT("c", 3));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n\tint a, b;\n\tstruct { int x; } c;\n};\n", before, &edit,
	       "c a b");
	assert_becomes(&bench, "struct s {\n\tstruct { int x; } c;\n\tint a;\n\tint b;\n};\n");
}

static void an_anonymous_struct_moves_for_the_member_in_it(void **state)
{
	const struct edit edit = { EDIT_MOVE, .member = "c", .anchor = "a", .side = EDIT_BEFORE };
	const struct type before = STRUCT_OF(AT("a", 2), AT("b", 4), AT("c", 4));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n\tunion { int a; };\n\n\tint b, c; int d;\n};\n", before, &edit,
	       "c a b d");
	bench.before.fields =
		(const struct field[]){ AT("a", 2), AT("b", 4), AT("c", 4), AT("d", 4) };
	bench.before.nr_fields = 4;
	assert_becomes(&bench, "struct s {\n\tint c;\n\tunion { int a; };\n\n\tint b;\n\tint d;\n"
			       "};\n");
}

static void what_is_not_there_is_another_tree(void **state)
{
	const struct edit edit = { EDIT_ALIGN_MEMBER, .member = "a", .align = 64 };
	const struct type gone = STRUCT_OF(AT("a", 2), AT("z", 2));
	const struct type moved = STRUCT_OF(AT("a", 3));
	const struct type less = STRUCT_OF(AT("a", 2));
	auto_bench struct bench first, second, third;

	(void)state;
	set_up(&first, "struct s {\n\tint a;\n};\n", gone, &edit, "a z");
	assert_refused(&first, "f.h:2: there is no member 'z' here: the tree is not the one");
	set_up(&second, "struct s {\n\tint a;\n};\n", moved, &edit, "a");
	assert_refused(&second, "f.h:3: there is no member 'a' here but on line 2: the tree");
	set_up(&third, "struct s {\n\tint a;\n\tint q;\n};\n", less, &edit, "a");
	assert_refused(&third, "f.h:3: the image has no member 'q': the tree");
}

static void a_name_that_the_kernel_renames_is_known(void **state)
{
	const struct edit edit = { EDIT_ALIGN_MEMBER, .member = "b", .align = 64 };
	const struct edit move = { EDIT_MOVE, .member = "callback_head", .anchor = "b",
				   .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("callback_head", 2), AT("b", 3));
	const char *text = "struct s {\n\tstruct rcu_head rcu_head;\n\tint b;\n};\n";
	auto_bench struct bench bench, moved, elsewhere;

	(void)state;
	set_up(&bench, text, before, &edit, "callback_head b");
	assert_becomes(&bench, "struct s {\n\tstruct rcu_head rcu_head;\n"
			       "\tint b ____cacheline_aligned_in_smp;\n};\n");
	set_up(&moved, text, before, &move, "b callback_head");
	assert_refused(&moved, "f.h:2: 'callback_head' is made by the macro rcu_head");
	set_up(&elsewhere, text, before, &edit, "callback_head b");
	elsewhere.request.dialect = &plain;
	assert_refused(&elsewhere, "f.h:2: there is no member 'callback_head' here");
}

static void assert_told(const char *text, uint32_t line, bool has_y, const char *message)
{
	const struct edit edit = { EDIT_MOVE, .member = "a", .anchor = "b", .side = EDIT_AFTER };
	const struct field fields[] = { AT("a", 3), AT("b", line), AT("y", 3) };
	const struct type before = { .kind = TYPE_STRUCT,
				     .name = "s",
				     .size = 64,
				     .fields = fields,
				     .nr_fields = has_y ? 3 : 2 };
	auto_bench struct bench bench;

	set_up(&bench, text, before, &edit, "b a");
	assert_refused(&bench, message);
}

static void what_cannot_be_changed_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "struct s {\n\tTWO(x,\n\ta)\n\t;\n\tint b;\n};\n",
		  "f.h:3: 'a' is made by the macro TWO" },
		{ "struct s {\n#ifdef A\n\tint a;\n#else\n\tlong a;\n#endif\n\tint b;\n};\n",
		  "f.h:5: 'a' is declared a second time" },
		{ "struct s {\n#ifdef A\n\tint a;\n#else\n\tint y;\n#endif\n\tint b;\n};\n",
		  "f.h:2: what is moved stands in a condition with #else" },
		{ "struct s {\n\n\tint a\n#ifdef A\n\t[2]\n#endif\n\t; int b;\n};\n",
		  "f.h:4: a preprocessor line stands in the declaration of 'a'" },
		{ "struct s {\n\n\tstruct { int x; } a, y; int b;\n};\n",
		  "f.h:3: 'a' shares a struct" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		const char *b = strstr(cases[i].text, "int b;");
		uint32_t line = 1;

		for (const char *at = cases[i].text; at < b; at++)
			line += *at == '\n';
		assert_told(cases[i].text, line, i == 4, cases[i].message);
	}
}

static void assert_asserts(struct bench *bench, const char *expected)
{
	bench->err = rewrite(&bench->request, &bench->rewriting);
	if (!bench->err)
		bench->err = assertion_add(&bench->request, &bench->rewriting);
	if (bench->err)
		fail_msg("%s", error_message(bench->err));
	assert_string_equal(strstr(text_chars(&bench->rewriting.text), "};\n") + 3, expected);
}

static void what_is_won_is_asserted(void **state)
{
	const struct edit align = { EDIT_ALIGN_MEMBER, .member = "b", .align = 64 };
	const struct edit move = { EDIT_MOVE, .member = "a", .anchor = "b", .side = EDIT_AFTER };
	const struct type before = STRUCT_OF(AT("a", 2), AT("b", 3));
	auto_bench struct bench first, second;

	(void)state;
	set_up(&first, "struct s {\n\tint a;\n\tint b;\n};\nint x;\n", before, &align, "a b");
	assert_asserts(&first, "\nstatic_assert(!IS_ENABLED(CONFIG_SMP) || "
			       "offsetof(struct s, b) % SMP_CACHE_BYTES == 0);\nint x;\n");
	set_up(&second, "struct s {\n\tint a;\n\tint b;\n};\n", before, &move, "b a");
	second.request.dialect = &plain;
	assert_asserts(&second, "\n_Static_assert(__builtin_offsetof(struct s, b) < "
				"__builtin_offsetof(struct s, a), \"a\");\n");
}

static void a_group_is_asserted_by_its_macros_or_its_markers(void **state)
{
	static const char *const members[] = { "c", "a" };
	const struct edit edit = { EDIT_GROUP, .name = "hot", .members = members, .nr_members = 2 };
	const struct dialect macros = { .kernel = true, .group_macros = true, .cacheline = 64 };
	const struct type before = STRUCT_OF(AT("a", 2), AT("b", 3), AT("c", 4));
	const char *text = "struct s {\n\tint a;\n\tint b;\n\tint c;\n};\n";
	const char *after = "b __cacheline_group_begin__hot c a __cacheline_group_end__hot";
	auto_bench struct bench first, second;

	(void)state;
	set_up(&first, text, before, &edit, after);
	first.request.dialect = &macros;
	assert_asserts(&first, "\nstatic inline void s_hot_group_check(void)\n{\n"
			       "\tCACHELINE_ASSERT_GROUP_MEMBER(struct s, hot, c);\n"
			       "\tCACHELINE_ASSERT_GROUP_MEMBER(struct s, hot, a);\n}\n");
	set_up(&second, text, before, &edit, after);
	assert_asserts(&second, "\n"
				"static_assert(offsetof(struct s, __cacheline_group_begin__hot) <= "
				"offsetof(struct s, c));\n"
				"static_assert(offsetof(struct s, c) < "
				"offsetof(struct s, __cacheline_group_end__hot));\n"
				"static_assert(offsetof(struct s, __cacheline_group_begin__hot) <= "
				"offsetof(struct s, a));\n"
				"static_assert(offsetof(struct s, a) < "
				"offsetof(struct s, __cacheline_group_end__hot));\n");
}

static void what_a_condition_hides_is_not_asserted(void **state)
{
	const struct edit align = { EDIT_ALIGN_MEMBER, .member = "b", .align = 64 };
	const struct type before = STRUCT_OF(AT("b", 3));
	auto_bench struct bench bench;

	(void)state;
	set_up(&bench, "struct s {\n#ifdef B\n\tint b;\n#endif\n};\n", before, &align, "b");
	assert_null(rewrite(&bench.request, &bench.rewriting));
	bench.err = assertion_add(&bench.request, &bench.rewriting);
	assert_non_null(
		strstr(error_message(bench.err), "f.h:1: nothing about it can be asserted"));
	rewriting_deinit(&bench.rewriting);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_struct_is_padded_in_a_union),
		cmocka_unit_test(elsewhere_than_in_a_kernel_c_is_plain),
		cmocka_unit_test(a_member_is_aligned_where_it_stands),
		cmocka_unit_test(a_type_is_aligned_behind_its_brace),
		cmocka_unit_test(a_member_moves_with_its_comments),
		cmocka_unit_test(a_comment_above_several_members_stays),
		cmocka_unit_test(a_line_of_members_is_parted),
		cmocka_unit_test(comments_of_parted_members_go_along),
		cmocka_unit_test(a_condition_goes_along),
		cmocka_unit_test(a_condition_of_several_members_is_repeated),
		cmocka_unit_test(nothing_comes_under_the_condition_of_its_neighbour),
		cmocka_unit_test(between_members_of_a_condition_is_no_place),
		cmocka_unit_test(members_come_into_a_group),
		cmocka_unit_test(an_anonymous_struct_comes_into_a_group_whole),
		cmocka_unit_test(members_come_into_an_order),
		cmocka_unit_test(an_anonymous_struct_moves_for_the_member_in_it),
		cmocka_unit_test(what_is_not_there_is_another_tree),
		cmocka_unit_test(a_name_that_the_kernel_renames_is_known),
		cmocka_unit_test(what_cannot_be_changed_is_told_with_its_line),
		cmocka_unit_test(what_is_won_is_asserted),
		cmocka_unit_test(a_group_is_asserted_by_its_macros_or_its_markers),
		cmocka_unit_test(what_a_condition_hides_is_not_asserted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
