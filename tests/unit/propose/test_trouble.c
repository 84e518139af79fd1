/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propose/trouble.h"
#include "support/types.h"

#define USED(...)                                                                             \
	(&(const struct used_field_vec){ .items = (struct used_field[]){ __VA_ARGS__ },       \
					 .nr = sizeof((struct used_field[]){ __VA_ARGS__ }) / \
					       sizeof(struct used_field) })

static const struct used_field_vec nothing = {};

static const struct type rwsem =
	STRUCT("rw_semaphore", 40, FIELD("count", &type_long, 0), FIELD("owner", &type_long, 8),
	       FIELD("wait_list", ARRAY(&type_long, 3), 16));

/* A struct with the lock at an offset. */
#define WITH_LOCK(offset)                                                   \
	STRUCT("s", 256, FIELD("head", ARRAY(&type_long, (offset) / 8), 0), \
	       FIELD("sem", &rwsem, offset))

static void a_lock_is_cut_where_its_words_part(void **state)
{
	const struct type cut = WITH_LOCK(56), whole = WITH_LOCK(48), behind = WITH_LOCK(64);
	const struct view view = { 64, 0 };
	auto_arena struct arena arena = {};
	auto_standing struct standing standing = standing_of(&cut, view, &nothing, &arena);
	auto_standing struct standing other = {};

	(void)state;
	assert_int_equal(standing.troubles.nr, 1);
	assert_int_equal(standing.troubles.items[0].kind, TROUBLE_CUT);
	assert_string_equal(standing.troubles.items[0].path, "sem");
	/* The waiters alone on the next line are no trouble. */
	other = standing_of(&whole, view, &nothing, &arena);
	assert_int_equal(other.troubles.nr, 0);
	other = standing_of(&behind, view, &nothing, &arena);
	assert_int_equal(other.troubles.nr, 0);
	/* What counts is where the object starts. */
	other = standing_of(&behind, (struct view){ 64, 56 }, &nothing, &arena);
	assert_int_equal(other.troubles.nr, 1);
}

static void a_lock_is_found_inside_of_embedded_structs(void **state)
{
	const struct type inner = WITH_LOCK(56), other = WITH_LOCK(48);
	const struct type outer =
		STRUCT("o", 320, FIELD("in", &inner, 64), FIELD("off", &other, 328));
	auto_arena struct arena arena = {};
	auto_standing struct standing standing =
		standing_of(&outer, (struct view){ 64, 0 }, &nothing, &arena);

	(void)state;
	assert_int_equal(standing.troubles.nr, 2);
	assert_string_equal(standing.troubles.items[0].path, "in.sem");
	assert_null(strstr(standing.troubles.items[0].message, "starts on a line"));
	/* By itself it is whole: it is embedded where it should not be. */
	assert_string_equal(standing.troubles.items[1].path, "off.sem");
	assert_non_null(strstr(standing.troubles.items[1].message,
			       "whole where 'off' starts on a line, not 8 bytes into one"));
}

static void a_counter_on_two_lines_is_the_worst(void **state)
{
	const struct type atomic = STRUCT(NULL, 4, FIELD("counter", &type_int, 0));
	const struct type *atomic_t = TYPEDEF("atomic_t", &atomic);
	const struct type ref = STRUCT("kref", 4, FIELD("refcount", atomic_t, 0));
	const struct type seqlock =
		STRUCT(NULL, 8, FIELD("seqcount", &type_int, 0), FIELD("lock", &type_int, 4));
	/* Packed: nothing else puts a word there. */
	const struct type type =
		STRUCT("s", 200, FIELD("pad", ARRAY(&type_char, 62), 0), FIELD("ref", &ref, 62),
		       FIELD("plain", &type_int, 126), FIELD("more", ARRAY(&type_char, 58), 130),
		       FIELD("seq", TYPEDEF("seqlock_t", &seqlock), 188));
	auto_arena struct arena arena = {};
	auto_standing struct standing standing =
		standing_of(&type, (struct view){ 64, 0 }, &nothing, &arena);

	(void)state;
	/* The two words of the seqlock are cut, none of them straddles. */
	assert_int_equal(standing.troubles.nr, 2);
	assert_int_equal(standing.troubles.items[0].kind, TROUBLE_STRADDLE);
	assert_string_equal(standing.troubles.items[0].path, "ref");
	assert_int_equal(standing.troubles.items[1].kind, TROUBLE_CUT);
	assert_string_equal(standing.troubles.items[1].path, "seq");
	assert_true(standing.troubles.items[0].weight > standing.troubles.items[1].weight);
}

static const struct type fields = STRUCT(
	"f", 144, FIELD("a", &type_long, 0), FIELD("b", &type_long, 8), FIELD("c", &type_long, 64),
	FIELD("d", ARRAY(&type_char, 8), 124), FIELD("e", &type_long, 136));

static void what_is_written_fights_what_is_read_beside_it(void **state)
{
	auto_arena struct arena arena = {};
	auto_standing struct standing standing = standing_of(
		&fields, (struct view){ 64, 0 },
		USED({ "a", USE_WRITTEN }, { "b", USE_READ_MOSTLY }, { "c", USE_READ_MOSTLY }),
		&arena);

	(void)state;
	assert_int_equal(standing.troubles.nr, 1);
	assert_int_equal(standing.troubles.items[0].kind, TROUBLE_CONFLICT);
	assert_string_equal(standing.troubles.items[0].path, "a");
	assert_string_equal(standing.troubles.items[0].other, "b");
	assert_int_equal(standing.sharing.nr, 1);
}

static void hot_fields_want_few_lines(void **state)
{
	auto_arena struct arena arena = {};
	auto_standing struct standing standing =
		standing_of(&fields, (struct view){ 64, 0 },
			    USED({ "a", USE_HOT }, { "c", USE_HOT }, { "e", USE_HOT }), &arena);

	(void)state;
	assert_int_equal(standing.used_lines, 3);
	assert_int_equal(standing.used_pairs, 2);
	assert_int_equal(standing.least_lines, 1);
	assert_int_equal(standing.troubles.nr, 1);
	assert_int_equal(standing.troubles.items[0].kind, TROUBLE_SPREAD);
}

static void a_used_field_on_two_lines_is_trouble(void **state)
{
	auto_arena struct arena arena = {};
	auto_standing struct standing standing =
		standing_of(&fields, (struct view){ 64, 0 }, USED({ "d", USE_WRITTEN }), &arena);

	(void)state;
	assert_int_equal(standing.troubles.nr, 1);
	assert_int_equal(standing.troubles.items[0].kind, TROUBLE_STRADDLE);
}

static void a_field_that_is_not_there_is_named(void **state)
{
	auto_error struct error *err = used_fields_check(&fields, USED({ "a", 0 }, { "zz", 0 }));

	(void)state;
	assert_non_null(strstr(error_message(err), "'zz'"));
}

static void what_one_has_and_the_other_has_not(void **state)
{
	struct trouble all[] = { { TROUBLE_CUT, 64, "a" },
				 { TROUBLE_CUT, 128, "a" },
				 { TROUBLE_CONFLICT, 64, "a", "b" } };
	const struct trouble_vec of = { all, 3, 3 }, without = { all + 1, 1, 1 };
	auto_vec struct trouble_vec left = {};

	(void)state;
	troubles_subtract(&of, &without, &left);
	assert_int_equal(left.nr, 2);
	assert_string_equal(left.items[1].other, "b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lock_is_cut_where_its_words_part),
		cmocka_unit_test(a_lock_is_found_inside_of_embedded_structs),
		cmocka_unit_test(a_counter_on_two_lines_is_the_worst),
		cmocka_unit_test(what_is_written_fights_what_is_read_beside_it),
		cmocka_unit_test(hot_fields_want_few_lines),
		cmocka_unit_test(a_used_field_on_two_lines_is_trouble),
		cmocka_unit_test(a_field_that_is_not_there_is_named),
		cmocka_unit_test(what_one_has_and_the_other_has_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
