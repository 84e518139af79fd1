/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/field_path.h"
#include "support/types.h"

static void expect_path(const struct type *type, uint64_t offset, uint64_t size, const char *path)
{
	auto_text struct text text = {};

	/* What stands in the text before is left alone. */
	text_add(&text, "of ");
	field_path_print(&text, type, offset, size);
	assert_string_equal(text_chars(&text) + 3, path);
}

static void a_path_stops_at_the_member_that_is_the_bytes(void **state)
{
	const struct type counter = STRUCT("", 8, FIELD("counter", &type_long, 0));
	const struct type sem =
		STRUCT("rw_semaphore", 16, FIELD("count", TYPEDEF("atomic_long_t", &counter), 0),
		       FIELD("owner", TYPEDEF("atomic_long_t", &counter), 8));
	const struct type inode =
		STRUCT("inode", 24, FIELD("i_mode", &type_short, 0), FIELD("i_rwsem", &sem, 8));

	(void)state;
	expect_path(&inode, 8, 8, "i_rwsem.count");
	expect_path(&inode, 16, 8, "i_rwsem.owner");
	expect_path(&inode, 8, 16, "i_rwsem");
	expect_path(&inode, 20, 4, "i_rwsem.owner.counter+4");
	expect_path(&inode, 0, 0, "i_mode");
}

static void arrays_are_indexed(void **state)
{
	const struct type slot =
		STRUCT("slot", 8, FIELD("a", &type_int, 0), FIELD("b", &type_int, 4));
	const struct type table = STRUCT("table", 40, FIELD("slots", ARRAY(&slot, 4), 0),
					 FIELD("name", ARRAY(&type_char, 8), 32));

	(void)state;
	expect_path(&table, 20, 4, "slots[2].b");
	expect_path(&table, 16, 8, "slots[2]");
	expect_path(&table, 33, 1, "name[1]");
	/* More than one element: the array, and how far into it. */
	expect_path(&table, 34, 4, "name+2");
}

static void the_alternative_of_the_very_size_wins(void **state)
{
	const struct type halves =
		STRUCT(NULL, 4, FIELD("locked", &type_char, 0), FIELD("tail", &type_short, 2));
	const struct type lock =
		UNION(NULL, 4, FIELD("val", &type_int, 0), FIELD(NULL, &halves, 0));
	const struct type qspinlock = STRUCT("qspinlock", 4, FIELD(NULL, &lock, 0));

	(void)state;
	expect_path(&qspinlock, 0, 4, "val");
	expect_path(&qspinlock, 0, 1, "locked");
	expect_path(&qspinlock, 2, 2, "tail");
	expect_path(&qspinlock, 1, 1, "val+1");
}

/* Both members of the first struct are its bytes, but no member is. */
static void an_anonymous_struct_of_the_size_is_no_member(void **state)
{
	const struct type bytes =
		STRUCT(NULL, 2, FIELD("locked", &type_char, 0), FIELD("pending", &type_char, 1));
	const struct type halves = STRUCT(NULL, 4, FIELD("locked_pending", &type_short, 0),
					  FIELD("tail", &type_short, 2));
	const struct type lock = UNION(NULL, 4, FIELD(NULL, &bytes, 0), FIELD(NULL, &halves, 0));
	const struct type qspinlock = STRUCT("qspinlock", 4, FIELD(NULL, &lock, 0));

	(void)state;
	expect_path(&qspinlock, 0, 2, "locked_pending");
	expect_path(&qspinlock, 1, 1, "pending");
}

static void holes_and_what_crosses_members_are_told_by_distance(void **state)
{
	const struct type type = STRUCT("holed", 16, FIELD("a", &type_int, 0),
					FIELD("b", &type_long, 8), BITS("bits", &type_int, 48, 3));

	(void)state;
	expect_path(&type, 5, 1, "(start)+5");
	expect_path(&type, 0, 8, "");
	expect_path(&type, 6, 1, "bits");
	assert_true(field_place_at(&type, 5, 1).is_hole);
	assert_false(field_place_at(&type, 8, 4).is_hole);
	assert_int_equal(field_place_at(&type, 12, 4).offset, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_stops_at_the_member_that_is_the_bytes),
		cmocka_unit_test(arrays_are_indexed),
		cmocka_unit_test(the_alternative_of_the_very_size_wins),
		cmocka_unit_test(an_anonymous_struct_of_the_size_is_no_member),
		cmocka_unit_test(holes_and_what_crosses_members_are_told_by_distance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
