/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/facts.h"
#include "support/shapes.h"

static const struct shape file = STRUCT_SHAPE(10, "file", 8, MEMBER("data", &shape_long, 0, 8));
static const struct shape queue = STRUCT_SHAPE(11, "queue", 8, MEMBER("head", &shape_long, 0, 8));
static const struct shape timer = STRUCT_SHAPE(12, "timer", 8, MEMBER("due", &shape_long, 0, 8));

static void vote(struct facts *facts, const struct shape *target, unsigned int nr)
{
	while (nr--)
		facts_vote_field(facts, 1, &file, 0, target);
}

static void what_most_uses_agree_on_is_what_a_field_holds(void **state)
{
	struct facts facts = {};

	(void)state;
	assert_null(facts_field(&facts, 1, &file, 0));
	vote(&facts, &timer, 1);
	vote(&facts, &queue, 8);
	assert_ptr_equal(facts_field(&facts, 1, &file, 0), &queue);
	assert_null(facts_field(&facts, 2, &file, 0));
	assert_null(facts_field(&facts, 1, &file, 8));
	vote(&facts, &timer, 3);
	assert_null(facts_field(&facts, 1, &file, 0));
	facts_deinit(&facts);
}

static void an_argument_that_is_no_struct_to_most_callers_is_none(void **state)
{
	struct facts facts = {};
	const struct vote *voted;

	(void)state;
	facts_vote_argument(&facts, 0x1000, 1, &queue, 4);
	facts_vote_argument(&facts, 0x1000, 1, &queue, 4);
	voted = facts_voted_argument(&facts, 0x1000, 1);
	assert_non_null(voted);
	assert_ptr_equal(voted->target, &queue);
	assert_int_equal(voted->offset, 4);
	assert_null(facts_voted_argument(&facts, 0x1000, 2));
	facts_vote_argument(&facts, 0x1000, 1, NULL, 0);
	assert_null(facts_voted_argument(&facts, 0x1000, 1));
	facts_deinit(&facts);
}

static void what_callers_pass_is_joined(void **state)
{
	struct values *values = values_create(NULL);
	struct facts facts = {};
	const struct value *passed;

	(void)state;
	assert_null(facts_argument(&facts, 0x1000, 0));
	facts_pass_argument(&facts, values, 0x1000, 0, value_pointer(values, &queue, 0));
	facts_pass_argument(&facts, values, 0x1000, 0, value_constant(values, 0));
	passed = facts_argument(&facts, 0x1000, 0);
	assert_non_null(passed);
	assert_int_equal(passed->nr, 1);
	assert_ptr_equal(passed->candidates[0].shape, &queue);
	facts_pass_argument(&facts, values, 0x1000, 0, value_pointer(values, &timer, 0));
	assert_int_equal(facts_argument(&facts, 0x1000, 0)->nr, 2);
	facts_deinit(&facts);
	values_destroy(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_most_uses_agree_on_is_what_a_field_holds),
		cmocka_unit_test(an_argument_that_is_no_struct_to_most_callers_is_none),
		cmocka_unit_test(what_callers_pass_is_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
