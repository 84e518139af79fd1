/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/slab.h"

static void buckets_are_those_of_kmalloc(void **state)
{
	(void)state;
	assert_int_equal(slab_bucket(1), 8);
	assert_int_equal(slab_bucket(64), 64);
	assert_int_equal(slab_bucket(65), 96);
	assert_int_equal(slab_bucket(97), 128);
	assert_int_equal(slab_bucket(129), 192);
	assert_int_equal(slab_bucket(193), 256);
	assert_int_equal(slab_bucket(8192), 8192);
	assert_int_equal(slab_bucket(8193), 0);
}

static void assert_cache(uint64_t size, uint32_t align, uint64_t object, uint64_t bytes,
			 uint64_t nr)
{
	struct slab slab = slab_cache(size, align, 64);

	assert_int_equal(slab.object_size, object);
	assert_int_equal(slab.size, bytes);
	assert_int_equal(slab.nr_objects, nr);
}

/* Expected: mm/slub.c of Linux 6.1 by hand, min_objects = 4 * (fls(8) + 1) = 20. */
static void objects_of_a_slab_are_those_of_slub(void **state)
{
	(void)state;
	assert_cache(1552, 8, 1600, 32768, 20);
	assert_cache(192, 8, 192, 4096, 21);
	assert_cache(64, 8, 64, 4096, 64);
	assert_cache(8192, 8, 8192, 32768, 4);
	assert_cache(11008, 8, 11008, 16384, 1); /* two would waste a third of the largest slab */
}

static void small_objects_share_a_line(void **state)
{
	(void)state;
	assert_int_equal(slab_cache(40, 8, 64).object_size, 64);
	assert_int_equal(slab_cache(32, 8, 64).object_size, 32);
	assert_int_equal(slab_cache(20, 4, 64).object_size, 32);
	assert_int_equal(slab_cache(4, 4, 64).object_size, 8);
}

static void what_asks_for_more_gets_it(void **state)
{
	(void)state;
	assert_int_equal(slab_cache(72, 128, 64).object_size, 128);
}

static void what_no_slab_holds_has_none(void **state)
{
	(void)state;
	assert_int_equal(slab_cache(0, 8, 64).size, 0);
	assert_int_equal(slab_cache(32769, 8, 64).size, 0);
	assert_int_equal(slab_cache(UINT64_MAX, 8, 64).size, 0);
	assert_cache(32768, 8, 32768, 32768, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_are_those_of_kmalloc),
		cmocka_unit_test(objects_of_a_slab_are_those_of_slub),
		cmocka_unit_test(small_objects_share_a_line),
		cmocka_unit_test(what_asks_for_more_gets_it),
		cmocka_unit_test(what_no_slab_holds_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
