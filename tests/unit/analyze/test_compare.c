/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/compared.h"

static void equal_structs_are_not_told(void **state)
{
	const struct type pair =
		STRUCT("pair", 16, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));
	struct compared *compared = compare(&pair, &pair);

	(void)state;
	assert_int_equal(compared->set.comparisons.nr, 0);
	assert_int_equal(compared->set.nr_equal, 1);
	assert_int_equal(compared->set.examined.nr, 1);
	finish(compared);
}

static void an_added_field_is_the_cause_of_the_ripple_behind_it(void **state)
{
	const struct type before =
		STRUCT("s", 32, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8),
		       FIELD("c", &type_long, 16), FIELD("d", &type_long, 24));
	const struct type after = STRUCT("s", 40, FIELD("a", &type_long, 0),
					 FIELD("new", &type_long, 8), FIELD("b", &type_long, 16),
					 FIELD("c", &type_long, 24), FIELD("d", &type_long, 32));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(s->changes.nr, 4);
	assert_int_equal(find_change(s, "new")->kinds, CHANGE_ADDED);
	assert_false(find_change(s, "new")->follows);
	assert_int_equal(find_change(s, "c")->kinds, CHANGE_MOVED);
	assert_true(find_change(s, "c")->follows);
	assert_int_equal(s->ripples.nr, 1);
	assert_int_equal(s->ripples.items[0].nr, 3);
	assert_int_equal(s->ripples.items[0].moved_bits, 64);
	assert_string_equal(s->ripples.items[0].first, "'b'");
	assert_string_equal(s->ripples.items[0].last, "'d'");
	assert_string_equal(s->ripples.items[0].cause, "'new' was added");
	assert_true(s->own_change);
	finish(compared);
}

static void what_a_hole_takes_up_ends_the_ripple(void **state)
{
	const struct type before =
		STRUCT("s", 24, FIELD("a", &type_int, 0), FIELD("b", &type_int, 4),
		       FIELD("c", &type_char, 8), FIELD("d", &type_long, 16));
	const struct type after = STRUCT("s", 24, FIELD("a", &type_int, 0),
					 FIELD("new", &type_int, 4), FIELD("b", &type_int, 8),
					 FIELD("c", &type_char, 12), FIELD("d", &type_long, 16));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(s->ripples.nr, 1);
	assert_int_equal(s->ripples.items[0].nr, 2);
	assert_int_equal(s->changes.nr, 3);
	finish(compared);
}

static void one_field_that_changes_places_moved_and_the_others_followed(void **state)
{
	const struct type before =
		STRUCT("s", 32, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8),
		       FIELD("c", &type_long, 16), FIELD("d", &type_long, 24));
	const struct type after =
		STRUCT("s", 32, FIELD("b", &type_long, 0), FIELD("c", &type_long, 8),
		       FIELD("d", &type_long, 16), FIELD("a", &type_long, 24));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_false(find_change(s, "a")->follows);
	assert_string_equal(find_change(s, "a")->behind, "'d'");
	for (const char *const *name = (const char *const[]){ "b", "c", "d", NULL }; *name; name++)
		assert_true(find_change(s, *name)->follows);
	assert_string_equal(s->ripples.items[0].cause, "'a' moved away");
	finish(compared);
}

static void a_row_that_moved_together_is_one_ripple_though_one_left_it(void **state)
{
	const struct type before =
		STRUCT("s", 32, FIELD("a", &type_long, 0), FIELD("x", &type_int, 8),
		       FIELD("b", &type_long, 16), FIELD("c", &type_long, 24));
	const struct type after =
		STRUCT("s", 48, FIELD("new", &type_long, 0), FIELD("a", &type_long, 8),
		       FIELD("y", &type_long, 16), FIELD("b", &type_long, 24),
		       FIELD("c", &type_long, 32), FIELD("x", &type_int, 40));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_false(find_change(s, "x")->follows);
	assert_int_equal(s->ripples.nr, 1);
	assert_int_equal(s->ripples.items[0].nr, 3);
	assert_string_equal(s->ripples.items[0].last, "'c'");
	finish(compared);
}

static void same_type_in_the_same_place_is_a_rename(void **state)
{
	const struct type before =
		STRUCT("s", 16, FIELD("reserved", &type_long, 0), FIELD("b", &type_long, 8));
	const struct type after =
		STRUCT("s", 16, FIELD("owner", &type_long, 0), FIELD("b", &type_long, 8));
	struct compared *compared = compare(&before, &after);
	const struct change *change = find_change(find(compared, "struct s"), "owner");

	(void)state;
	assert_int_equal(change->kinds, CHANGE_RENAMED);
	assert_string_equal(change->before->path, "reserved");
	assert_string_equal(change->renamed_for, "same type at the same place");
	finish(compared);
}

static void a_similar_name_elsewhere_is_a_rename_too(void **state)
{
	const struct type before = STRUCT("s", 24, FIELD("i_count", &type_int, 0),
					  FIELD("b", &type_long, 8), FIELD("c", &type_long, 16));
	const struct type after =
		STRUCT("s", 24, FIELD("b", &type_long, 0), FIELD("c", &type_long, 8),
		       FIELD("i_counter", &type_int, 16));
	struct compared *compared = compare(&before, &after);
	const struct change *change = find_change(find(compared, "struct s"), "i_counter");

	(void)state;
	assert_int_equal(change->kinds, CHANGE_RENAMED | CHANGE_MOVED);
	assert_string_equal(change->renamed_for, "same type and a similar name");
	finish(compared);
}

static void another_type_and_another_name_are_two_changes(void **state)
{
	const struct type before =
		STRUCT("s", 16, FIELD("old", &type_int, 0), FIELD("b", &type_long, 8));
	const struct type after =
		STRUCT("s", 16, FIELD("unlike", &type_short, 0), FIELD("b", &type_long, 8));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(find_change(s, "old")->kinds, CHANGE_REMOVED);
	assert_int_equal(find_change(s, "unlike")->kinds, CHANGE_ADDED);
	finish(compared);
}

static void bit_fields_are_told_by_bits(void **state)
{
	const struct type before =
		STRUCT("s", 4, BITS("a", &type_int, 0, 3), BITS("b", &type_int, 3, 5));
	const struct type after =
		STRUCT("s", 4, BITS("a", &type_int, 0, 4), BITS("b", &type_int, 4, 5));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(find_change(s, "a")->kinds, CHANGE_BITS);
	assert_int_equal(find_change(s, "b")->moved_bits, 1);
	assert_string_equal(s->ripples.items[0].cause, "'a' grew by 1 bit");
	finish(compared);
}

static void a_field_keeps_its_identity_in_an_anonymous_union(void **state)
{
	const struct type both =
		UNION(NULL, 8, FIELD("b", &type_long, 0), FIELD("rcu", &type_long, 0));
	const struct type before =
		STRUCT("s", 16, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8));
	const struct type after = STRUCT("s", 16, FIELD("a", &type_long, 0), FIELD(NULL, &both, 8));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(s->changes.nr, 2);
	assert_int_equal(find_change(s, "rcu")->kinds, CHANGE_ADDED);
	assert_string_equal(s->changes.items[0].after->label, "the anonymous union of 'b', 'rcu'");
	finish(compared);
}

static void the_order_in_a_union_is_no_layout(void **state)
{
	const struct type before =
		UNION("u", 8, FIELD("a", &type_long, 0), FIELD("b", &type_int, 0));
	const struct type after =
		UNION("u", 8, FIELD("b", &type_int, 0), FIELD("a", &type_long, 0));
	struct compared *compared = compare(&before, &after);

	(void)state;
	assert_int_equal(compared->set.comparisons.nr, 0);
	finish(compared);
}

static void who_embeds_a_changed_struct_is_listed_under_it(void **state)
{
	const struct type old_inner = STRUCT("inner", 8, FIELD("x", &type_long, 0));
	const struct type new_inner =
		STRUCT("inner", 16, FIELD("x", &type_long, 0), FIELD("y", &type_long, 8));
	const struct type before =
		STRUCT("outer", 16, FIELD("in", &old_inner, 0), FIELD("z", &type_long, 8));
	const struct type after =
		STRUCT("outer", 24, FIELD("in", &new_inner, 0), FIELD("z", &type_long, 16));
	struct compared *compared = compare(&before, &after);
	const struct comparison *inner = find(compared, "struct inner");
	const struct comparison *outer = find(compared, "struct outer");

	(void)state;
	assert_true(inner->own_change);
	assert_false(outer->own_change);
	assert_ptr_equal(&compared->set.comparisons.items[outer->cause], inner);
	assert_int_equal(outer->embedded.nr, 1);
	assert_string_equal(outer->embedded.items[0].path, "in");
	assert_true(outer->ripples.items[0].follows);
	assert_int_equal(count(outer, "DIFF-SIZE", "grew from 16 to 24 bytes"), 1);
	assert_string_equal(outer->findings.items[0].cause, "struct inner changed");
	finish(compared);
}

static void an_edit_of_its_own_makes_a_cause_of_who_embeds(void **state)
{
	const struct type old_inner = STRUCT("inner", 8, FIELD("x", &type_long, 0));
	const struct type new_inner =
		STRUCT("inner", 16, FIELD("x", &type_long, 0), FIELD("y", &type_long, 8));
	const struct type before = STRUCT("outer", 8, FIELD("in", &old_inner, 0));
	const struct type after =
		STRUCT("outer", 24, FIELD("in", &new_inner, 0), FIELD("w", &type_long, 16));
	struct compared *compared = compare(&before, &after);

	(void)state;
	assert_true(find(compared, "struct outer")->own_change);
	assert_int_equal(find(compared, "struct outer")->cause, COMPARISON_NONE);
	finish(compared);
}

static const struct type chars_60 = { .kind = TYPE_ARRAY,
				      .size = TYPE_SIZE_UNKNOWN,
				      .target = &type_char,
				      .counts = (const uint64_t[]){ 60 },
				      .nr_counts = 1 };
static const struct type lock = {
	.kind = TYPE_STRUCT,
	.name = "lock",
	.size = 8,
	.fields = (const struct field[]){ FIELD("count", &type_int, 0),
					  FIELD("owner", &type_int, 4) },
	.nr_fields = 2,
};

static void straddling_is_won_where_a_boundary_falls_inside(void **state)
{
	const struct type before =
		STRUCT("s", 72, FIELD("lock", &lock, 0), FIELD("text", &chars_60, 8));
	const struct type after =
		STRUCT("s", 72, FIELD("text", &chars_60, 0), FIELD("lock", &lock, 60));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(count(s, "DIFF-STRADDLE",
			       "'lock' (8 bytes) straddles lines 0 and 1 of "
			       "64, cut between 'count' and 'owner'"),
			 1);
	assert_int_equal(count(s, "DIFF-STRADDLE", "'text' (60 bytes) no longer straddles"), 1);
	assert_int_equal(count(s, "DIFF-STRADDLE", ""), 2);
	finish(compared);
}

static void straddling_depends_on_the_line_size_and_the_phase(void **state)
{
	const struct type before =
		STRUCT("s", 72, FIELD("lock", &lock, 0), FIELD("text", &chars_60, 8));
	const struct type after =
		STRUCT("s", 72, FIELD("text", &chars_60, 0), FIELD("lock", &lock, 60));
	struct compared *compared = start();

	(void)state;
	add(&compared->before, &before);
	add(&compared->after, &after);
	run_in(compared, 128, 0);
	assert_int_equal(count(find(compared, "struct s"), "DIFF-STRADDLE", ""), 0);
	comparison_set_deinit(&compared->set);
	compared->set = (struct comparison_set){};
	run_in(compared, 128, 64); /* 60 + 64 = 124 */
	assert_int_equal(count(find(compared, "struct s"), "DIFF-STRADDLE", "'lock'"), 1);
	finish(compared);
}

static const struct type longs_15 = { .kind = TYPE_ARRAY,
				      .size = TYPE_SIZE_UNKNOWN,
				      .target = &type_long,
				      .counts = (const uint64_t[]){ 15 },
				      .nr_counts = 1 };

static void an_embedded_struct_at_another_phase_is_told(void **state)
{
	const struct type large =
		STRUCT("large", 128, FIELD("first", &type_long, 0), FIELD("many", &longs_15, 8));
	const struct type before =
		STRUCT("s", 136, FIELD("a", &type_long, 0), FIELD("large", &large, 8));
	const struct type after = STRUCT("s", 144, FIELD("a", &type_long, 0),
					 FIELD("b", &type_long, 8), FIELD("large", &large, 16));
	struct compared *compared = compare(&before, &after);

	(void)state;
	assert_int_equal(count(find(compared, "struct s"), "DIFF-PHASE",
			       "'large' (struct large) starts at line 0 + 16 of 64, started at "
			       "line 0 + 8"),
			 1);
	finish(compared);
}

/* Eight longs a line. */
#define LINE_OF(name, line)                                                                     \
	FIELD(name "0", &type_long, 64 * (line)), FIELD(name "1", &type_long, 64 * (line) + 8), \
		FIELD(name "2", &type_long, 64 * (line) + 16),                                  \
		FIELD(name "3", &type_long, 64 * (line) + 24)

static void who_joins_and_who_leaves_a_line_is_told_once(void **state)
{
	const struct type before = STRUCT("s", 128, LINE_OF("a", 0), LINE_OF("b", 1));
	const struct type after =
		STRUCT("s", 128, FIELD("a0", &type_long, 0), FIELD("a1", &type_long, 8),
		       FIELD("a2", &type_long, 16), LINE_OF("b", 1), FIELD("a3", &type_long, 96));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(count(s, "DIFF-SHARE",
			       "line 1 of 64: 'a3' (from 0) joins 'b0', 'b1', "
			       "'b2', 'b3'"),
			 1);
	assert_int_equal(count(s, "DIFF-SHARE", "line 0 of 64: gone from it: 'a3' (to 1)"), 1);
	assert_int_equal(count(s, "DIFF-SHARE", ""), 2);
	assert_int_equal(count(s, "DIFF-LINE", "1 line of 64 later: 'a3'"), 1);
	finish(compared);
}

static void who_leaves_a_thin_line_for_a_full_one_is_told_too(void **state)
{
	const struct type before = STRUCT("s", 128, LINE_OF("a", 0), FIELD("x", &type_int, 64),
					  FIELD("y", &type_int, 68), FIELD("z", &type_int, 72));
	const struct type after = STRUCT("s", 128, LINE_OF("a", 0), FIELD("z", &type_int, 32),
					 FIELD("x", &type_int, 64), FIELD("y", &type_int, 68));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(count(s, "DIFF-SHARE", "line 1 of 64: gone from it: 'z' (to 0)"), 1);
	assert_int_equal(count(s, "DIFF-SHARE", "line 0 of 64: 'z' (from 1) joins 'a0'"), 1);
	finish(compared);
}

static void a_whole_line_further_on_shares_with_nobody_new(void **state)
{
	const struct type before = STRUCT("s", 128, LINE_OF("a", 0), LINE_OF("b", 1));
	const struct type after =
		STRUCT("s", 192, LINE_OF("a", 0), LINE_OF("new", 1), LINE_OF("b", 2));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(count(s, "DIFF-SHARE", ""), 0);
	assert_int_equal(count(s, "DIFF-LINE", "1 line of 64 later: 'b0', 'b1', 'b2', 'b3'"), 1);
	finish(compared);
}

static void a_line_whose_fields_go_different_ways_is_scattered(void **state)
{
	const struct type before = STRUCT("s", 192, LINE_OF("a", 0), FIELD("x", &type_int, 64),
					  FIELD("y", &type_int, 68), LINE_OF("b", 2));
	const struct type after = STRUCT("s", 192, LINE_OF("a", 0), FIELD("x", &type_int, 32),
					 LINE_OF("b", 2), FIELD("y", &type_int, 160));
	struct compared *compared = compare(&before, &after);

	(void)state;
	assert_int_equal(count(find(compared, "struct s"), "DIFF-SHARE",
			       "old line 1 of 64 is scattered: 'x' (to 0); 'y' (to 2)"),
			 1);
	finish(compared);
}

static void size_classes_are_told_when_they_are_crossed(void **state)
{
	const struct type before = STRUCT("s", 96, FIELD("a", &type_long, 0));
	const struct type after = STRUCT("s", 104, FIELD("a", &type_long, 0));
	struct compared *compared = compare(&before, &after);

	(void)state;
	assert_int_equal(count(find(compared, "struct s"), "DIFF-SIZE-CLASS",
			       "kmalloc takes 128 bytes for it, took 96"),
			 1);
	finish(compared);
}

static void holes_are_told_by_what_they_lie_behind(void **state)
{
	const struct type before = STRUCT("s", 16, FIELD("a", &type_int, 0),
					  FIELD("b", &type_int, 4), FIELD("c", &type_long, 8));
	const struct type after =
		STRUCT("s", 16, FIELD("a", &type_int, 0), FIELD("c", &type_long, 8));
	struct compared *compared = compare(&before, &after);

	(void)state;
	assert_int_equal(count(find(compared, "struct s"), "DIFF-HOLE",
			       "1 hole (4 bytes), had 0 (0 bytes): 4 bytes behind 'a' new"),
			 1);
	finish(compared);
}

#define MARKER(name, offset) FIELD(name, ARRAY(&type_char, 0), offset)

static void a_field_that_leaves_its_group_is_told(void **state)
{
	const struct type before =
		STRUCT("s", 24, MARKER("__cacheline_group_begin__hot", 0),
		       FIELD("a", &type_long, 0), FIELD("b", &type_long, 8),
		       MARKER("__cacheline_group_end__hot", 16), FIELD("c", &type_long, 16));
	const struct type after =
		STRUCT("s", 24, MARKER("__cacheline_group_begin__hot", 0),
		       FIELD("a", &type_long, 0), MARKER("__cacheline_group_end__hot", 8),
		       FIELD("b", &type_long, 8), FIELD("c", &type_long, 16));
	struct compared *compared = compare(&before, &after);
	const struct comparison *s = find(compared, "struct s");

	(void)state;
	assert_int_equal(count(s, "DIFF-GROUP", "group 'hot' no longer holds 'b'"), 1);
	assert_int_equal(count(s, "DIFF-GROUP", ""), 1);
	finish(compared);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_structs_are_not_told),
		cmocka_unit_test(an_added_field_is_the_cause_of_the_ripple_behind_it),
		cmocka_unit_test(what_a_hole_takes_up_ends_the_ripple),
		cmocka_unit_test(one_field_that_changes_places_moved_and_the_others_followed),
		cmocka_unit_test(a_row_that_moved_together_is_one_ripple_though_one_left_it),
		cmocka_unit_test(same_type_in_the_same_place_is_a_rename),
		cmocka_unit_test(a_similar_name_elsewhere_is_a_rename_too),
		cmocka_unit_test(another_type_and_another_name_are_two_changes),
		cmocka_unit_test(bit_fields_are_told_by_bits),
		cmocka_unit_test(a_field_keeps_its_identity_in_an_anonymous_union),
		cmocka_unit_test(the_order_in_a_union_is_no_layout),
		cmocka_unit_test(who_embeds_a_changed_struct_is_listed_under_it),
		cmocka_unit_test(an_edit_of_its_own_makes_a_cause_of_who_embeds),
		cmocka_unit_test(straddling_is_won_where_a_boundary_falls_inside),
		cmocka_unit_test(straddling_depends_on_the_line_size_and_the_phase),
		cmocka_unit_test(an_embedded_struct_at_another_phase_is_told),
		cmocka_unit_test(who_joins_and_who_leaves_a_line_is_told_once),
		cmocka_unit_test(who_leaves_a_thin_line_for_a_full_one_is_told_too),
		cmocka_unit_test(a_whole_line_further_on_shares_with_nobody_new),
		cmocka_unit_test(a_line_whose_fields_go_different_ways_is_scattered),
		cmocka_unit_test(size_classes_are_told_when_they_are_crossed),
		cmocka_unit_test(holes_are_told_by_what_they_lie_behind),
		cmocka_unit_test(a_field_that_leaves_its_group_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
