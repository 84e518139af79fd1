/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"

struct item {
	int other;
	uint64_t key;
};

DEFINE_VEC(item_vec, struct item);

/* Sorted, with gaps, repeats and both ends of the range. */
static const uint64_t keys[] = { 0, 1, 1, 4, 4, 4, 9, UINT64_MAX };

static size_t scan(const struct item_vec *items, uint64_t value, bool behind)
{
	size_t i = 0;

	while (i < items->nr &&
	       (behind ? items->items[i].key <= value : items->items[i].key < value))
		i++;
	return i;
}

static void what_is_found_is_what_a_scan_finds(void **state)
{
	const uint64_t values[] = { 0, 1, 2, 4, 5, 9, 10, UINT64_MAX };
	auto_vec struct item_vec items = {};

	(void)state;
	for (size_t nr = 0; nr <= sizeof(keys) / sizeof(*keys); nr++) {
		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
			assert_int_equal(vec_first_from(&items, key, values[i]),
					 scan(&items, values[i], false));
			assert_int_equal(vec_first_behind(&items, key, values[i]),
					 scan(&items, values[i], true));
		}
		if (nr < sizeof(keys) / sizeof(*keys))
			*vec_add(&items) = (struct item){ .key = keys[nr] };
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_found_is_what_a_scan_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
