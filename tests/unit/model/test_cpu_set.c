/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/cpu_set.h"

static struct cpu_set make(struct arena *arena, const uint32_t *cpus, size_t nr)
{
	struct cpu_set set = {};

	for (size_t i = 0; i < nr; i++)
		cpu_set_add(&set, cpus[i], arena);
	return set;
}

#define SET(arena, ...)                                \
	make(arena, (const uint32_t[]){ __VA_ARGS__ }, \
	     sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void ranges_are_told_as_the_kernel_tells_them(void **state)
{
	auto_arena struct arena arena = {};
	auto_text struct text text = {};
	struct cpu_set set = SET(&arena, 8, 63, 64, 0, 2, 1, 300);

	(void)state;
	cpu_set_print(&text, &set);
	assert_string_equal(text_chars(&text), "0-2,8,63-64,300");
	assert_int_equal(cpu_set_count(&set), 7);
	assert_true(cpu_set_has(&set, 300));
	assert_false(cpu_set_has(&set, 301));
	assert_false(cpu_set_has(&set, 100000));
}

static void a_union_is_as_wide_as_the_wider_one(void **state)
{
	auto_arena struct arena arena = {};
	auto_text struct text text = {};
	struct cpu_set narrow = SET(&arena, 3), wide = SET(&arena, 4, 67);

	(void)state;
	cpu_set_add_all(&narrow, &wide, &arena);
	cpu_set_add_all(&wide, &(struct cpu_set){}, &arena);
	cpu_set_print(&text, &narrow);
	assert_string_equal(text_chars(&text), "3-4,67");
	assert_int_equal(cpu_set_count(&wide), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_told_as_the_kernel_tells_them),
		cmocka_unit_test(a_union_is_as_wide_as_the_wider_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
