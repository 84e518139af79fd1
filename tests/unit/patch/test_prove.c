/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "patch/prove.h"
#include "support/types.h"

static const struct type expected = STRUCT("s", 16, FIELD("a", &type_int, 0),
					   BITS("b", &type_int, 32, 3), FIELD("c", &type_long, 8));

static void assert_differs(const struct type *is, const char *sentence)
{
	auto_text struct text text = {};

	assert_false(prove_layout(&text, &expected, is));
	assert_string_equal(text_chars(&text), sentence);
}

static void the_same_layout_is_proved(void **state)
{
	auto_text struct text text = {};

	(void)state;
	assert_true(prove_layout(&text, &expected, &expected));
	assert_string_equal(text_chars(&text), "");
}

static void each_difference_is_told(void **state)
{
	const struct type larger = STRUCT("s", 24, FIELD("a", &type_int, 0),
					  BITS("b", &type_int, 33, 3), FIELD("c", &type_int, 8));
	const struct type other = STRUCT("s", 16, FIELD("a", &type_int, 0),
					 BITS("b", &type_int, 32, 3), FIELD("d", &type_long, 8));

	(void)state;
	assert_differs(&larger, "the size is 24, not 16; the offset of 'b' is 4 bytes and 1 bits, "
				"not 4; the size of 'c' is 4, not 8");
	assert_differs(&other, "there is no 'c'; 'd' was not expected");
}

static void the_struct_of_the_same_file_is_found(void **state)
{
	struct type mine = expected, theirs = expected;
	struct definition definitions[] = { { .type = &theirs }, { .type = &mine } };
	const struct typeset set = { .definitions = { definitions, 2, 2 } };

	(void)state;
	mine.file = "../linux/block/bdev.c";
	theirs.file = "other.c";
	assert_ptr_equal(
		prove_find(
			&set,
			&(struct type){ .kind = TYPE_STRUCT, .name = "s", .file = "block/bdev.c" },
			NULL)
			->type,
		&mine);
	assert_null(prove_find(&set, &(struct type){ .kind = TYPE_UNION, .name = "s" }, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_layout_is_proved),
		cmocka_unit_test(each_difference_is_told),
		cmocka_unit_test(the_struct_of_the_same_file_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
