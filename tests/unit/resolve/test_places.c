/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/places.h"
#include "support/shapes.h"

/* Like the kernel's xa_node: counters, pointers, then slots. */
#define SLOTS 24
static const struct shape slots = ARRAY_SHAPE(10, &shape_long, 8, 4);
static const struct shape node = STRUCT_SHAPE(
	11, "node", 64, MEMBER("count", &shape_int, 0, 4), MEMBER("shift", &shape_int, 4, 4),
	MEMBER("parent", &shape_long, 8, 8), MEMBER("owner", &shape_long, 16, 8),
	MEMBER("slots", &slots, SLOTS, 32), MEMBER("mark", &shape_long, 56, 8));
static const struct shape nodes = ARRAY_SHAPE(12, &node, 64, 3);
static const struct shape tree =
	STRUCT_SHAPE(13, "tree", 208, MEMBER("root", &shape_long, 0, 8),
		     MEMBER("nodes", &nodes, 8, 192), MEMBER("height", &shape_long, 200, 8));

static void what_lies_at_an_offset_is_the_scalar_there(void **state)
{
	struct place place = place_find(&tree, 8 + 64 + 4, &(struct place_query){ .size = 4 });

	(void)state;
	assert_ptr_equal(place.leaf, &shape_int);
	assert_int_equal(place.fit, FIT_EXACT);
	assert_true(place.in_array);
	place = place_find(&tree, 0, &(struct place_query){ .size = 4 });
	assert_int_equal(place.fit, FIT_INSIDE);
	assert_false(place.in_array);
	place = place_find(&node, 0, &(struct place_query){ .size = 8 });
	assert_int_equal(place.fit, FIT_WIDER);
	assert_int_equal(place_find(&tree, 208, &(struct place_query){ .size = 8 }).fit, FIT_NONE);
}

static const struct shape words = ARRAY_SHAPE(20, &shape_int, 4, 4);
static const struct shape bytes = ARRAY_SHAPE(21, &shape_char, 1, 16);
static const struct shape address = UNION_SHAPE(22, "address", 16, MEMBER("bytes", &bytes, 0, 16),
						MEMBER("words", &words, 0, 16));

static void several_elements_of_an_array_are_the_array(void **state)
{
	struct place place = place_find(&address, 8, &(struct place_query){ .size = 8 });

	(void)state;
	assert_ptr_equal(place.leaf, &shape_int);
	assert_int_equal(place.fit, FIT_INSIDE);
	assert_int_equal(place_find(&bytes, 8, &(struct place_query){ .size = 8 }).fit, FIT_BYTES);
	assert_int_equal(place_find(&bytes, 12, &(struct place_query){ .size = 8 }).fit, FIT_WIDER);
}

static void an_index_steps_through_the_array_that_its_stride_fits(void **state)
{
	const struct step_width eight = { 0, 8 }, node_size = { 0, 64 }, seven = { 0, 7 };
	int64_t offset = -1;

	(void)state;
	assert_int_equal(place_stepped(&node, SLOTS + 8, &eight, &offset), 1);
	assert_int_equal(offset, SLOTS);
	/* The outer array by its own size, the inner one by that of slots. */
	assert_int_equal(place_stepped(&tree, 8 + 64 + SLOTS, &node_size, &offset), 1);
	assert_int_equal(offset, 8 + SLOTS);
	assert_int_equal(place_stepped(&tree, 8 + 64 + SLOTS + 16, &eight, &offset), 2);
	assert_int_equal(offset, 8 + 64 + SLOTS);
	assert_int_equal(place_stepped(&node, 8, &eight, &offset), 0);
	assert_int_equal(place_stepped(&node, SLOTS, &seven, &offset), 0);
}

/* slots[i] as 8(node, i + 2, 8). */
static void an_arrays_offset_may_be_in_the_index(void **state)
{
	const struct step_width width = { 16, 8 };
	int64_t offset = -1;

	(void)state;
	assert_int_equal(place_stepped(&node, 8, &width, &offset), 1);
	assert_int_equal(offset, SLOTS);
}

static void offsets_in_two_elements_are_one_place_in_any(void **state)
{
	int64_t offset = -1;

	(void)state;
	assert_int_equal(place_same_element(&tree, 8 + 64 + 16, 8 + 128 + 16, &offset), 1);
	assert_int_equal(offset, 8 + 16);
	assert_int_equal(place_same_element(&tree, 8 + 16, 8 + 64 + 24, &offset), 0);
	assert_int_equal(place_same_element(&node, 8, 16, &offset), 0);
	/* The end is where loops stop. */
	assert_int_equal(place_same_element(&node, SLOTS, SLOTS + 32, &offset), 1);
}

static void a_constant_moves_within_an_element_back_into_the_array_or_out_of_it(void **state)
{
	int64_t offset = -1;

	(void)state;
	assert_int_equal(place_moved(&tree, 1, 8, 16, &offset), 1);
	assert_int_equal(offset, 8 + 16);
	assert_int_equal(place_moved(&tree, 1, 8, -48, &offset), 1);
	assert_int_equal(offset, 8 + 16);
	assert_int_equal(place_moved(&tree, 1, 8, 192, &offset), 0);
	assert_int_equal(offset, 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_at_an_offset_is_the_scalar_there),
		cmocka_unit_test(several_elements_of_an_array_are_the_array),
		cmocka_unit_test(an_index_steps_through_the_array_that_its_stride_fits),
		cmocka_unit_test(an_arrays_offset_may_be_in_the_index),
		cmocka_unit_test(offsets_in_two_elements_are_one_place_in_any),
		cmocka_unit_test(
			a_constant_moves_within_an_element_back_into_the_array_or_out_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
