/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/learn.h"
#include "support/types.h"

#define EXPIRES 20270101

static void learn(const struct type *const *types, size_t nr, struct policy *ret)
{
	struct typeset set = typeset_of_test();

	for (size_t i = 0; i < nr; i++)
		*vec_add(&set.definitions) = (struct definition){ .type = types[i] };
	policy_learn(&set, (struct view){ .cacheline = 64 }, EXPIRES, ret);
	typeset_deinit(&set);
}

#define LEARN(ret, ...)                                    \
	learn((const struct type *const[]){ __VA_ARGS__ }, \
	      array_size(((const struct type *const[]){ __VA_ARGS__ })), (ret))

static void expect_clauses(const struct guard *guard, const enum clause_kind *kinds, size_t nr)
{
	assert_int_equal(guard->clauses.nr, nr);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(guard->clauses.items[i].kind, kinds[i]);
}

#define EXPECT_CLAUSES(guard, ...)                                         \
	expect_clauses((guard), (const enum clause_kind[]){ __VA_ARGS__ }, \
		       array_size(((const enum clause_kind[]){ __VA_ARGS__ })))

#define MARKER(name, offset) FIELD(name, ARRAY(&type_char, 0), offset)

static void groups_keep_their_fields_and_their_size(void **state)
{
	const struct type inner =
		STRUCT("inner", 16, FIELD("x", &type_long, 0), FIELD("y", &type_long, 8));
	const struct type grouped = STRUCT(
		"grouped", 192, FIELD("before", &type_long, 0),
		MARKER("__cacheline_group_begin__hot", 64), FIELD("a", &type_int, 64),
		MARKER("no_field", 72), FIELD("inner", &inner, 72),
		FIELD("b", ARRAY(&type_long, 6), 88), MARKER("__cacheline_group_end__hot", 136),
		MARKER("__cacheline_group_begin__cold", 136), FIELD("c", &type_long, 136),
		MARKER("__cacheline_group_end__cold", 144), FIELD("behind", &type_long, 144));
	auto_policy struct policy policy = {};
	const struct clause *clauses;

	(void)state;
	LEARN(&policy, &grouped);
	assert_int_equal(policy.guards.nr, 1);
	assert_string_equal(policy.guards.items[0].pattern, "grouped");
	EXPECT_CLAUSES(&policy.guards.items[0], CLAUSE_SIZE, CLAUSE_LINES, CLAUSE_STRADDLE_SCALARS,
		       CLAUSE_GROUPS, CLAUSE_GROUP_FIELDS, CLAUSE_GROUP_SIZE, CLAUSE_GROUP_LINES,
		       CLAUSE_GROUP_FIELDS, CLAUSE_GROUP_SIZE, CLAUSE_GROUP_LINES);
	clauses = policy.guards.items[0].clauses.items;
	assert_int_equal(clauses[0].number, 192);
	assert_int_equal(clauses[1].number, 3);
	assert_string_equal(clauses[4].name, "hot");
	assert_int_equal(clauses[4].nr_fields, 3);
	assert_string_equal(clauses[4].fields[0], "a");
	assert_string_equal(clauses[4].fields[1], "inner");
	assert_string_equal(clauses[4].fields[2], "b");
	assert_int_equal(clauses[5].number, 72); /* 64 to 136 */
	assert_int_equal(clauses[6].number, 2);
	assert_string_equal(clauses[7].name, "cold");
	assert_string_equal(clauses[7].fields[0], "c");
	assert_int_equal(clauses[8].number, 8);
	assert_int_equal(clauses[9].number, 1);
	assert_int_equal(policy.exceptions.nr, 0);
}

static void a_group_without_an_end_is_only_told_to_need_one(void **state)
{
	const struct type grouped =
		STRUCT("grouped", 64, MARKER("__cacheline_group_begin__hot", 0),
		       FIELD("a", &type_int, 0), MARKER("__cacheline_group_end__cold", 8));
	auto_policy struct policy policy = {};

	(void)state;
	LEARN(&policy, &grouped);
	EXPECT_CLAUSES(&policy.guards.items[0], CLAUSE_SIZE, CLAUSE_LINES, CLAUSE_STRADDLE_SCALARS,
		       CLAUSE_GROUPS);
	/* As it is so today, it is excepted. */
	assert_true(policy.exceptions.nr > 0);
}

static void what_is_aligned_keeps_its_line_if_it_has_one(void **state)
{
	const struct field alone[] = {
		FIELD("a", &type_long, 0),
		{ .name = "lock", .type = &type_long, .offset_bits = 64 * 8, .align = 64 }
	};
	const struct field shared[] = { alone[0], alone[1], FIELD("b", &type_long, 72) };
	const struct type own = { .kind = TYPE_STRUCT,
				  .name = "own",
				  .size = 128,
				  .align = 64,
				  .fields = alone,
				  .nr_fields = array_size(alone) };
	const struct type not_own = { .kind = TYPE_STRUCT,
				      .name = "shared",
				      .size = 128,
				      .align = 64,
				      .fields = shared,
				      .nr_fields = array_size(shared) };
	auto_policy struct policy policy = {};

	(void)state;
	LEARN(&policy, &own, &not_own);
	assert_int_equal(policy.guards.nr, 2);
	EXPECT_CLAUSES(&policy.guards.items[0], CLAUSE_SIZE, CLAUSE_LINES, CLAUSE_STRADDLE_SCALARS,
		       CLAUSE_ALIGN, CLAUSE_OWN_LINE);
	assert_string_equal(policy.guards.items[0].clauses.items[4].fields[0], "lock");
	/* Its alignment is for all that follows: no exception either. */
	EXPECT_CLAUSES(&policy.guards.items[1], CLAUSE_SIZE, CLAUSE_LINES, CLAUSE_STRADDLE_SCALARS,
		       CLAUSE_ALIGN);
	assert_int_equal(policy.exceptions.nr, 0);
}

static void what_straddles_today_is_excepted_for_a_while(void **state)
{
	const struct type crossing =
		STRUCT("crossing", 72, FIELD("a", &type_int, 0), FIELD("wide", &type_long, 60));
	auto_policy struct policy policy = {};

	(void)state;
	LEARN(&policy, &crossing);
	assert_int_equal(policy.exceptions.nr, 1);
	assert_string_equal(policy.exceptions.items[0].rule, "POLICY-STRADDLE");
	assert_string_equal(policy.exceptions.items[0].pattern, "crossing");
	assert_string_equal(policy.exceptions.items[0].field, "wide");
	assert_int_equal(policy.exceptions.items[0].expires, EXPIRES);
}

static void of_several_definitions_the_largest_is_kept(void **state)
{
	const struct type embedded = STRUCT("embedded", 64, FIELD("x", ARRAY(&type_long, 8), 0));
	const struct type small =
		STRUCT("twice", 72, FIELD("a", &type_long, 0), FIELD("e", &embedded, 8));
	const struct type large = STRUCT("twice", 136, FIELD("e", &embedded, 0),
					 FIELD("z", ARRAY(&type_long, 9), 64));
	const struct type once =
		STRUCT("unique", 72, FIELD("a", &type_long, 0), FIELD("e", &embedded, 8));
	auto_policy struct policy policy = {};

	(void)state;
	LEARN(&policy, &small, &large, &once);
	assert_int_equal(policy.guards.nr, 2);
	EXPECT_CLAUSES(&policy.guards.items[0], CLAUSE_SIZE, CLAUSE_LINES, CLAUSE_STRADDLE_SCALARS);
	assert_int_equal(policy.guards.items[0].clauses.items[0].number, 136);
	assert_int_equal(policy.guards.items[0].clauses.items[1].number, 3);
	/* Of one alone also where in a line what is embedded starts. */
	EXPECT_CLAUSES(&policy.guards.items[1], CLAUSE_SIZE, CLAUSE_LINES, CLAUSE_STRADDLE_SCALARS,
		       CLAUSE_PHASE);
	assert_string_equal(policy.guards.items[1].clauses.items[3].fields[0], "e");
	assert_int_equal(policy.guards.items[1].clauses.items[3].number, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_keep_their_fields_and_their_size),
		cmocka_unit_test(a_group_without_an_end_is_only_told_to_need_one),
		cmocka_unit_test(what_is_aligned_keeps_its_line_if_it_has_one),
		cmocka_unit_test(what_straddles_today_is_excepted_for_a_while),
		cmocka_unit_test(of_several_definitions_the_largest_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
