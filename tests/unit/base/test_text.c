/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void an_empty_text_has_chars(void **state)
{
	struct text text = {};

	(void)state;
	assert_string_equal(text_chars(&text), "");
}

static void adding_keeps_the_nul(void **state)
{
	auto_text struct text text = {};

	(void)state;
	text_add(&text, "ab");
	text_add_bytes(&text, "cdef", 2);
	text_add_char(&text, 'e');
	text_pad(&text, '.', 8);
	text_pad(&text, '.', 3);
	assert_string_equal(text_chars(&text), "abcde...");
	assert_int_equal(text.length, 8);
	text_clear(&text);
	assert_string_equal(text_chars(&text), "");
}

/* Around every size at which the room may just suffice or just not. */
static void printing_fits_whatever_the_room(void **state)
{
	char expected[300];

	(void)state;
	for (int before = 0; before < 140; before++) {
		auto_text struct text text = {};

		text_pad(&text, 'x', (size_t)before);
		text_printf(&text, "%s-%d", "0123456789", before);
		memset(expected, 'x', (size_t)before);
		snprintf(expected + before, sizeof(expected) - (size_t)before, "0123456789-%d",
			 before);
		assert_string_equal(text_chars(&text), expected);
		assert_int_equal(text.length, strlen(expected));
	}
}

static void patterns_match_as_in_a_shell(void **state)
{
	(void)state;
	assert_true(text_matches("bdev_*", "bdev_inode"));
	assert_true(text_matches("[ab]?", "bx"));
	assert_false(text_matches("bdev", "bdev_inode"));
	assert_true(text_is_pattern("x*"));
	assert_false(text_is_pattern("struct x"));
}

static void distance_counts_edits_up_to_a_limit(void **state)
{
	char long_name[300];

	(void)state;
	memset(long_name, 'a', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	assert_int_equal(text_distance("kitten", "sitting", 9), 3);
	assert_int_equal(text_distance("", "abc", 9), 3);
	assert_int_equal(text_distance("same", "same", 0), 0);
	assert_int_equal(text_distance("kitten", "sitting", 2), 3);
	assert_int_equal(text_distance(long_name, long_name, 5), 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_text_has_chars),
		cmocka_unit_test(adding_keeps_the_nul),
		cmocka_unit_test(printing_fits_whatever_the_room),
		cmocka_unit_test(patterns_match_as_in_a_shell),
		cmocka_unit_test(distance_counts_edits_up_to_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
