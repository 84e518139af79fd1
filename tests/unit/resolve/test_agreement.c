/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/agreement.h"
#include "support/types.h"

static const struct type lock = STRUCT("mutex", 8, FIELD("owner", &type_long, 0));
static const struct type head =
	STRUCT("list_head", 16, FIELD("next", &type_long, 0), FIELD("prev", &type_long, 8));
static const struct type inode =
	STRUCT("inode", 48, FIELD("mode", &type_int, 0), FIELD("lock", &lock, 8),
	       FIELD("list", &head, 16), FIELD("slots", ARRAY(&type_long, 2), 32));
static const struct type ext_inode =
	STRUCT("ext_inode", 56, FIELD("flags", &type_long, 0), FIELD("vfs_inode", &inode, 8));
static const struct type ww_mutex =
	STRUCT("ww_mutex", 16, FIELD("base", &lock, 0), FIELD("context", &type_long, 8));

/* What is said of an access of 8 bytes to a type, and where it was in truth. */
static enum agreement compare(const struct type *true_type, uint64_t true_offset,
			      const struct type *said, uint64_t offset)
{
	const struct truth truth = { .kind = TRUTH_OBJECT,
				     .owner = "cache",
				     .type = true_type,
				     .offset = true_offset,
				     .size = 8 };
	const struct access access = { .type = said, .offset = offset, .size = 8 };

	return agreement_of(&truth, &access);
}

static void object_or_a_part_of_it_is_right(void **state)
{
	(void)state;
	assert_int_equal(compare(&ext_inode, 16, &ext_inode, 16), AGREEMENT_SAME);
	assert_int_equal(compare(&ext_inode, 16, &inode, 8), AGREEMENT_PART);
	assert_int_equal(compare(&ext_inode, 16, &lock, 0), AGREEMENT_PART);
	assert_int_equal(compare(&ext_inode, 0, &inode, 0), AGREEMENT_WRONG);
}

static void elements_of_an_array_are_one_field(void **state)
{
	const struct type table = STRUCT("table", 96, FIELD("inodes", ARRAY(&inode, 2), 0));

	(void)state;
	assert_int_equal(compare(&inode, 40, &inode, 32), AGREEMENT_SAME);
	assert_int_equal(compare(&table, 48 + 8, &inode, 8), AGREEMENT_PART);
	assert_int_equal(compare(&table, 48 + 8, &table, 8), AGREEMENT_SAME);
	assert_int_equal(compare(&table, 48 + 8, &table, 16), AGREEMENT_FIELD);
}

static void another_field_is_no_agreement(void **state)
{
	(void)state;
	assert_int_equal(compare(&inode, 32, &inode, 8), AGREEMENT_FIELD);
	assert_int_equal(compare(&ext_inode, 24, &head, 8), AGREEMENT_FIELD);
	assert_int_equal(compare(&inode, 8, &head, 0), AGREEMENT_WRONG);
}

static void a_container_that_is_not_there_is_told_apart(void **state)
{
	(void)state;
	assert_int_equal(compare(&inode, 8, &ext_inode, 16), AGREEMENT_OUTER);
	/* Neither holds the other, but the lock is right. */
	assert_int_equal(compare(&inode, 8, &ww_mutex, 0), AGREEMENT_OUTER);
	assert_int_equal(compare(&inode, 8, &ww_mutex, 8), AGREEMENT_WRONG);
}

static void a_scalar_is_right_where_one_of_its_size_lies(void **state)
{
	const struct type *to_inode = POINTER(&inode), *to_lock = POINTER(&lock);
	const struct type file = STRUCT("file", 16, FIELD("inode", to_inode, 0));

	(void)state;
	assert_int_equal(compare(&inode, 8, &type_long, 0), AGREEMENT_SCALAR);
	assert_int_equal(compare(&inode, 0, &type_long, 0), AGREEMENT_WRONG);
	assert_int_equal(compare(&file, 0, to_inode, 0), AGREEMENT_SCALAR);
	assert_int_equal(compare(&file, 0, to_lock, 0), AGREEMENT_WRONG);
	assert_int_equal(compare(&type_long, 0, &type_long, 0), AGREEMENT_SAME);
}

static void views_of_a_page_are_one(void **state)
{
	const struct type page = STRUCT("page", 64, FIELD("flags", &type_long, 0));
	const struct type folio = STRUCT("folio", 128, FIELD("page", &page, 0));
	const struct truth truth = {
		.kind = TRUTH_PAGE, .owner = "struct page", .type = &page, .offset = 8, .size = 8
	};
	const struct access second = { .type = &folio, .offset = 72, .size = 8 };
	const struct access first = { .type = &folio, .offset = 16, .size = 8 };

	(void)state;
	assert_int_equal(agreement_of(&truth, &second), AGREEMENT_SAME);
	assert_int_not_equal(agreement_of(&truth, &first), AGREEMENT_SAME);
}

static void a_spill_has_to_be_on_the_stack(void **state)
{
	const struct access spill = { .unresolved = ACCESS_STACK, .size = 8 };
	const struct access lost = { .unresolved = ACCESS_LOST_TRACK, .size = 8 };
	struct truth truth = { .kind = TRUTH_STACK, .owner = "kernel_clone()", .size = 8 };

	(void)state;
	assert_int_equal(agreement_of(&truth, &spill), AGREEMENT_SPILL);
	assert_int_equal(agreement_of(&truth, &lost), AGREEMENT_UNTYPED);
	truth.kind = TRUTH_PERCPU;
	truth.owner = "fixed_percpu_data";
	assert_int_equal(agreement_of(&truth, &spill), AGREEMENT_SPILL);
	truth.owner = "runqueues";
	assert_int_equal(agreement_of(&truth, &spill), AGREEMENT_WRONG);
	assert_int_equal(compare(NULL, 8, &inode, 8), AGREEMENT_OPEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(object_or_a_part_of_it_is_right),
		cmocka_unit_test(elements_of_an_array_are_one_field),
		cmocka_unit_test(another_field_is_no_agreement),
		cmocka_unit_test(a_container_that_is_not_there_is_told_apart),
		cmocka_unit_test(a_scalar_is_right_where_one_of_its_size_lies),
		cmocka_unit_test(views_of_a_page_are_one),
		cmocka_unit_test(a_spill_has_to_be_on_the_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
