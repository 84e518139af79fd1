/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/map.h"

static void an_empty_map_finds_nothing(void **state)
{
	struct map map = {};

	(void)state;
	assert_null(map_find(&map, 0));
}

/* Keys that differ only in bits a weak hash would drop, over several growths. */
static void every_key_keeps_its_value(void **state)
{
	auto_map struct map map = {};
	const uint64_t nr = 20000;
	bool is_new;

	(void)state;
	for (uint64_t i = 0; i < nr; i++) {
		map_add(&map, i << 40, &is_new)->value = i;
		assert_true(is_new);
	}
	for (uint64_t i = 0; i < nr; i++) {
		assert_int_equal(map_find(&map, i << 40)->value, i);
		assert_int_equal(map_add(&map, i << 40, &is_new)->value, i);
		assert_false(is_new);
	}
	assert_null(map_find(&map, nr << 40));
	assert_int_equal(map.nr, nr);
}

static void hashes_tell_contents_and_lengths_apart(void **state)
{
	(void)state;
	assert_int_equal(hash_string(1, "abc"), hash_string(1, "abc"));
	assert_int_not_equal(hash_string(1, "abc"), hash_string(2, "abc"));
	assert_int_not_equal(hash_string(1, "abcdefgh"), hash_string(1, "abcdefgi"));
	assert_int_not_equal(hash_bytes(1, "\0\0", 1), hash_bytes(1, "\0\0", 2));
	assert_int_not_equal(hash_string(1, NULL), hash_string(1, ""));
	/* What two strings differ by, the seeds must not make up for. */
	assert_int_not_equal(hash_string(3, "irb"), hash_string(5, "orb"));
	assert_int_not_equal(hash_string('a', "bcdefghi"), hash_string('b', "acdefghi"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_finds_nothing),
		cmocka_unit_test(every_key_keeps_its_value),
		cmocka_unit_test(hashes_tell_contents_and_lengths_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
