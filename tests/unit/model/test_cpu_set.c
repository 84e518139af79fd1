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

static void others_are_two_different_cpus(void **state)
{
	auto_arena struct arena arena = {};
	struct cpu_set none = {}, one = SET(&arena, 3), same = SET(&arena, 3);
	struct cpu_set far = SET(&arena, 67), two = SET(&arena, 3, 4);

	(void)state;
	assert_false(cpu_set_has_others(&one, &none));
	assert_false(cpu_set_has_others(&one, &same));
	assert_true(cpu_set_has_others(&one, &far));
	assert_true(cpu_set_has_others(&far, &one));
	assert_true(cpu_set_has_others(&one, &two));
	cpu_set_add_all(&same, &far, &arena);
	assert_true(cpu_set_has_others(&same, &one));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_told_as_the_kernel_tells_them),
		cmocka_unit_test(others_are_two_different_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
