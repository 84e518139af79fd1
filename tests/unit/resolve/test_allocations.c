/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/allocations.h"
#include "support/types.h"

static const struct type inner = STRUCT("inner", 8, FIELD("a", &type_long, 0));
static const struct type outer =
	STRUCT("outer", 24, FIELD("in", &inner, 0), FIELD("b", &type_long, 8));
static const struct type other = STRUCT("other", 16, FIELD("x", &type_long, 0));

static void an_object_is_there_from_its_allocation_to_its_end(void **state)
{
	struct allocations *allocations = allocations_create();
	struct allocated found = {};

	(void)state;
	/* It crosses a page. */
	allocations_add(allocations, 0x1ff0, 0x40, "kmalloc-64", 7);
	assert_true(allocations_find(allocations, 0x1ff0, &found));
	assert_true(allocations_find(allocations, 0x202f, &found));
	assert_int_equal(found.start, 0x1ff0);
	assert_false(allocations_find(allocations, 0x2030, &found));
	assert_false(allocations_find(allocations, 0x1fef, &found));
	allocations_remove(allocations, 0x1ff8);
	assert_true(allocations_find(allocations, 0x2000, &found));
	allocations_remove(allocations, 0x1ff0);
	assert_false(allocations_find(allocations, 0x1ff0, &found));
	assert_false(allocations_find(allocations, 0x2000, &found));
	allocations_destroy(allocations);
}

/* A free that was lost: what is allocated there next is what counts. */
static void memory_that_is_used_again_is_of_the_new_kind(void **state)
{
	struct allocations *allocations = allocations_create();
	struct allocated first = {}, second = {};

	(void)state;
	allocations_add(allocations, 0x1000, 0x40, "kmalloc-64", 7);
	assert_true(allocations_find(allocations, 0x1000, &first));
	allocations_add(allocations, 0x1000, 0x20, "kmalloc-32", 8);
	assert_true(allocations_find(allocations, 0x1000, &second));
	assert_int_not_equal(first.kind, second.kind);
	assert_false(allocations_find(allocations, 0x1030, &second));
	allocations_restart(allocations);
	assert_false(allocations_find(allocations, 0x1000, &second));
	allocations_destroy(allocations);
}

static void the_outermost_type_that_explains_the_votes_wins(void **state)
{
	struct allocations *allocations = allocations_create();
	struct allocated object = {};

	(void)state;
	allocations_add(allocations, 0x1000, 24, NULL, 7);
	assert_true(allocations_find(allocations, 0x1000, &object));
	assert_null(allocations_type(allocations, object.kind));
	for (int i = 0; i < 6; i++)
		allocations_vote(allocations, object.kind, &inner);
	assert_ptr_equal(allocations_type(allocations, object.kind), &inner);
	allocations_vote(allocations, object.kind, &outer);
	assert_ptr_equal(allocations_type(allocations, object.kind), &inner);
	allocations_vote(allocations, object.kind, &outer);
	assert_ptr_equal(allocations_type(allocations, object.kind), &outer);
	/* Contradicted by more than a quarter. */
	for (int i = 0; i < 3; i++)
		allocations_vote(allocations, object.kind, &other);
	assert_null(allocations_type(allocations, object.kind));
	allocations_destroy(allocations);
}

static void what_is_larger_than_the_object_has_no_vote(void **state)
{
	struct allocations *allocations = allocations_create();
	struct allocated object = {};

	(void)state;
	allocations_add(allocations, 0x1000, 16, NULL, 7);
	assert_true(allocations_find(allocations, 0x1000, &object));
	for (int i = 0; i < 6; i++)
		allocations_vote(allocations, object.kind, &outer);
	assert_null(allocations_type(allocations, object.kind));
	allocations_destroy(allocations);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_is_there_from_its_allocation_to_its_end),
		cmocka_unit_test(memory_that_is_used_again_is_of_the_new_kind),
		cmocka_unit_test(the_outermost_type_that_explains_the_votes_wins),
		cmocka_unit_test(what_is_larger_than_the_object_has_no_vote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
