/* SPDX-License-Identifier: GPL-2.0-only */
/* Values without a kernel: numbers, the stack, pointers to shapes typed in here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/values.h"
#include "support/shapes.h"

static const struct shape slots = ARRAY_SHAPE(10, &shape_long, 8, 4);
static const struct shape node =
	STRUCT_SHAPE(11, "node", 64, MEMBER("parent", &shape_long, 0, 8),
		     MEMBER("slots", &slots, 16, 32), MEMBER("mark", &shape_long, 48, 8));
static const struct shape lock = STRUCT_SHAPE(12, "lock", 8, MEMBER("owner", &shape_long, 0, 8));

static int set_up(void **state)
{
	*state = values_create(NULL);
	return 0;
}

static int tear_down(void **state)
{
	values_destroy(*state);
	return 0;
}

static void assert_index(const struct values *values, value_id id, int64_t number, int32_t stride)
{
	const struct value *value = value_get(values, id);

	assert_int_equal(value->kind, VALUE_INDEX);
	assert_int_equal(value->number, number);
	assert_int_equal(value->stride, stride);
}

static void assert_points(const struct values *values, value_id id, const struct shape *shape,
			  int32_t offset)
{
	const struct value *value = value_get(values, id);

	assert_int_equal(value->kind, VALUE_POINTER);
	assert_int_equal(value->nr, 1);
	assert_ptr_equal(value->candidates[0].shape, shape);
	assert_int_equal(value->candidates[0].offset, offset);
}

static void equal_values_have_equal_numbers(void **state)
{
	struct values *values = *state;

	assert_int_equal(value_constant(values, 7), value_constant(values, 7));
	assert_int_not_equal(value_constant(values, 7), value_constant(values, 8));
	assert_int_equal(value_shift(values, value_pointer(values, &node, 0), 16),
			 value_pointer(values, &node, 16));
}

static void numbers_keep_what_they_are_a_multiple_of(void **state)
{
	struct values *values = *state;
	value_id times_24 = value_multiply(values, VALUE_ID_UNKNOWN, 24);

	assert_index(values, times_24, 0, 24);
	assert_index(values, value_sum(values, times_24, value_constant(values, 4)), 4, 24);
	assert_index(values, value_sum(values, times_24, value_multiply(values, times_24, 3)), 0,
		     24);
	assert_index(values, value_sum(values, VALUE_ID_UNKNOWN, value_constant(values, 4)), 4, 1);
	assert_int_equal(value_multiply(values, value_constant(values, 5), 8),
			 value_constant(values, 40));
}

static void a_counter_of_a_loop_has_the_stride_of_its_steps(void **state)
{
	struct values *values = *state;
	value_id counter = value_constant(values, 0);

	counter = value_join(values, counter, value_constant(values, 24));
	assert_index(values, counter, 0, 24);
	counter = value_join(values, counter, value_shift(values, counter, 24));
	assert_index(values, counter, 0, 24);
	/* A falling one ends as well. */
	counter = value_constant(values, 9);
	counter = value_join(values, counter, value_constant(values, 7));
	assert_index(values, counter, 1, 2);
	assert_int_equal(value_join(values, counter, value_shift(values, counter, -2)), counter);
}

static void nothing_known_and_null_give_way_to_a_pointer(void **state)
{
	struct values *values = *state;
	value_id pointer = value_pointer(values, &node, 0);

	assert_int_equal(value_join(values, VALUE_ID_UNKNOWN, pointer), pointer);
	assert_int_equal(value_join(values, pointer, value_constant(values, 0)), pointer);
	assert_int_equal(value_join(values, value_constant(values, 0), VALUE_ID_UNKNOWN),
			 VALUE_ID_UNKNOWN);
}

static void an_index_makes_a_pointer_to_any_element(void **state)
{
	struct values *values = *state;
	value_id slot = value_sum(values, value_pointer(values, &node, 16 + 8),
				  value_multiply(values, VALUE_ID_UNKNOWN, 8));

	assert_points(values, slot, &node, 16);
	assert_int_equal(value_get(values, slot)->candidates[0].array, 1);
	/* Back from behind it is an element still; far ahead it is another field. */
	assert_points(values, value_shift(values, slot, -8), &node, 16);
	assert_points(values, value_shift(values, slot, 32), &node, 48);
	/* Steps as large as the struct lead through structs. */
	assert_points(values,
		      value_sum(values, value_pointer(values, &node, 0),
				value_multiply(values, VALUE_ID_UNKNOWN, 64)),
		      &node, 0);
}

/* lea (node, i, 8), then 16 is added. */
static void an_index_that_fits_nothing_yet_waits_for_a_constant(void **state)
{
	struct values *values = *state;
	value_id start = value_sum(values, value_pointer(values, &node, 0),
				   value_multiply(values, VALUE_ID_UNKNOWN, 8));
	const struct value *value = value_get(values, start);

	assert_int_equal(value->candidates[0].array, 0);
	assert_int_equal(value->candidates[0].stride, 8);
	value = value_get(values, value_shift(values, start, 16));
	assert_int_equal(value->candidates[0].array, 1);
	assert_int_equal(value->candidates[0].offset, 16);
}

static void a_loop_over_an_array_keeps_the_struct_around_it(void **state)
{
	struct values *values = *state;
	value_id first = value_pointer(values, &node, 16), joined;

	joined = value_join(values, first, value_shift(values, first, 8));
	assert_points(values, joined, &node, 16);
	assert_int_equal(value_get(values, joined)->candidates[0].array, 1);
	assert_int_equal(value_join(values, joined, value_shift(values, joined, 8)), joined);
}

static void pointers_that_differ_are_both_guesses(void **state)
{
	struct values *values = *state;
	const struct value *value =
		value_get(values, value_join(values, value_pointer(values, &node, 0),
					     value_pointer(values, &lock, 0)));

	assert_int_equal(value->nr, 2);
	assert_true(value->candidates[0].weak);
	assert_true(value->candidates[1].weak);
}

static void what_is_stated_is_no_guess_any_more(void **state)
{
	struct values *values = *state;
	value_id guess = value_add_candidate(values, VALUE_ID_UNKNOWN, &node, 0, true);

	assert_true(value_get(values, guess)->candidates[0].weak);
	assert_int_equal(value_add_candidate(values, guess, &node, 0, false),
			 value_pointer(values, &node, 0));
	/* And a guess of what is known elsewhere adds nothing. */
	assert_int_equal(
		value_add_candidate(values, value_pointer(values, &node, 8), &node, 0, true),
		value_pointer(values, &node, 8));
}

#define VALUES_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		VALUES_TEST(equal_values_have_equal_numbers),
		VALUES_TEST(numbers_keep_what_they_are_a_multiple_of),
		VALUES_TEST(a_counter_of_a_loop_has_the_stride_of_its_steps),
		VALUES_TEST(nothing_known_and_null_give_way_to_a_pointer),
		VALUES_TEST(an_index_makes_a_pointer_to_any_element),
		VALUES_TEST(an_index_that_fits_nothing_yet_waits_for_a_constant),
		VALUES_TEST(a_loop_over_an_array_keeps_the_struct_around_it),
		VALUES_TEST(pointers_that_differ_are_both_guesses),
		VALUES_TEST(what_is_stated_is_no_guess_any_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
