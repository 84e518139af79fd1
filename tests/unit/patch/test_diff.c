/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "patch/diff.h"

#define HEAD "diff --git a/f b/f\n--- a/f\n+++ b/f\n"

static void assert_diff(const char *before, const char *after, const char *expected)
{
	auto_text struct text text = {};
	struct diff_stat stat;

	assert_null(diff_print(&text, "f", before, after, &stat));
	assert_string_equal(text_chars(&text), expected);
}

static void equal_texts_have_no_diff(void **state)
{
	(void)state;
	assert_diff("a\nb\n", "a\nb\n", "");
	assert_diff("", "", "");
}

static void a_change_has_three_lines_around_it(void **state)
{
	(void)state;
	assert_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\ny\n6\n7\n8\n9\n",
		    HEAD "@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+x\n+y\n 6\n 7\n 8\n");
}

static void changes_share_a_hunk_where_their_contexts_meet(void **state)
{
	(void)state;
	assert_diff("a\n1\n2\n3\n4\n5\n6\nb\n", "1\n2\n3\n4\n5\n6\n",
		    HEAD "@@ -1,8 +1,6 @@\n-a\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n");
	assert_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\n",
		    HEAD "@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -6,4 +5,3 @@\n 5\n 6\n 7\n-b\n");
}

static void an_empty_side_is_named_by_the_line_before(void **state)
{
	(void)state;
	assert_diff("", "a\n", HEAD "@@ -0,0 +1 @@\n+a\n");
	assert_diff("a\n", "", HEAD "@@ -1 +0,0 @@\n-a\n");
}

static void a_last_line_without_its_end_is_marked(void **state)
{
	(void)state;
	assert_diff("a\nb", "a\nb\n",
		    HEAD "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}

static void the_shortest_change_is_found(void **state)
{
	auto_text struct text text = {};
	struct diff_stat stat;

	(void)state;
	assert_null(diff_print(&text, "f", "a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", &stat));
	assert_int_equal(stat.nr_added + stat.nr_removed, 5); /* Myers 1986, figure 2 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_have_no_diff),
		cmocka_unit_test(a_change_has_three_lines_around_it),
		cmocka_unit_test(changes_share_a_hunk_where_their_contexts_meet),
		cmocka_unit_test(an_empty_side_is_named_by_the_line_before),
		cmocka_unit_test(a_last_line_without_its_end_is_marked),
		cmocka_unit_test(the_shortest_change_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
