/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/embedding.h"
#include "support/types.h"

static const struct type lock = STRUCT("mutex", 8, FIELD("owner", &type_long, 0));
/* Read from another unit. */
static const struct type same_lock = STRUCT("mutex", 8, FIELD("owner", &type_long, 0));
static const struct type semaphore = STRUCT("semaphore", 8, FIELD("owner", &type_long, 0));
static const struct type larger_lock = STRUCT("mutex", 16, FIELD("owner", &type_long, 0));

static void structs_of_one_name_and_size_are_the_same(void **state)
{
	(void)state;
	assert_true(type_is_same(&lock, &same_lock));
	assert_int_equal(type_identity(&lock), type_identity(&same_lock));
	assert_false(type_is_same(&lock, &larger_lock));
	assert_int_not_equal(type_identity(&lock), type_identity(&larger_lock));
	assert_false(type_is_same(&lock, &semaphore));
	assert_false(type_is_same(&lock, &type_long));
}

static void what_lies_inside_is_found_at_its_place_only(void **state)
{
	const struct type node = STRUCT("node", 24, FIELD("key", &type_long, 0),
					FIELD("lock", TYPEDEF("mutex_t", &lock), 8));
	const struct type alternatives =
		UNION(NULL, 8, FIELD("word", &type_long, 0), FIELD("lock", &lock, 0));
	const struct type tree = STRUCT("tree", 96, FIELD("nodes", ARRAY(&node, 3), 0),
					FIELD(NULL, &alternatives, 80));

	(void)state;
	assert_true(type_holds(&tree, 0, &tree));
	assert_true(type_holds(&tree, 0, &node));
	assert_true(type_holds(&tree, 48, &node));
	assert_true(type_holds(&tree, 48 + 8, &same_lock));
	assert_true(type_holds(&tree, 80, &lock));
	assert_false(type_holds(&tree, 72, &node));
	assert_false(type_holds(&tree, 12, &lock));
	assert_false(type_holds(&tree, 8, &larger_lock));
	assert_false(type_holds(&lock, 0, &tree));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structs_of_one_name_and_size_are_the_same),
		cmocka_unit_test(what_lies_inside_is_found_at_its_place_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
