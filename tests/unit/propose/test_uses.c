/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "propose/uses.h"
#include "support/profiles.h"

struct found {
	struct profile profile;
	struct arena arena;
	struct used_field_vec used;
	struct touches touches;
};

static void found_deinit(struct found *found)
{
	profile_deinit(&found->profile);
	vec_deinit(&found->used);
	vec_deinit(&found->touches.items);
	arena_deinit(&found->arena);
}
#define auto_found __attribute__((cleanup(found_deinit)))

static struct error *find(struct found *found, const struct type *type)
{
	const struct definition definition = { .type = type };

	profile_of_test(&found->profile);
	return uses_find(&found->profile, &definition, &found->arena, &found->used,
			 &found->touches);
}

static unsigned int uses_of(const struct found *found, const char *path)
{
	for (size_t i = 0; i < found->used.nr; i++) {
		if (!strcmp(found->used.items[i].path, path))
			return found->used.items[i].uses;
	}
	return 0;
}

static void fields_are_used_as_they_were_touched(void **state)
{
	auto_found struct found found = {};
	auto_error struct error *err = find(&found, &profiled_inode);

	(void)state;
	assert_null(err);
	/* The atomic_long_t, not its counter. */
	assert_int_equal(uses_of(&found, "i_rwsem.count"), USE_HOT | USE_WRITTEN);
	assert_int_equal(uses_of(&found, "i_rwsem.owner"), USE_HOT | USE_WRITTEN);
	/* One CPU alone reads it: hot, and in nobody's way. */
	assert_int_equal(uses_of(&found, "i_state"), USE_HOT);
	assert_int_equal(uses_of(&found, "i_size"), 0);
	assert_int_equal(found.used.nr, 3);
}

static void touches_tell_who_did_what(void **state)
{
	auto_found struct found found = {};
	auto_error struct error *err = find(&found, &profiled_inode);
	uint64_t nr_writes = 0;

	(void)state;
	assert_null(err);
	assert_int_equal(found.touches.nr, 32);
	assert_int_equal(found.touches.nr_cpus, 3);
	assert_int_equal(found.touches.phase, PROFILED_OBJECT % 64);
	assert_int_equal(found.touches.items.nr, 4);
	for (size_t i = 0; i < found.touches.items.nr; i++) {
		assert_int_equal(found.touches.items.items[i].nr, 8);
		nr_writes += found.touches.items.items[i].nr_writes;
	}
	assert_int_equal(nr_writes, 16);
}

static void what_the_user_says_stands(void **state)
{
	auto_found struct found found = {};
	auto_error struct error *err = NULL;

	(void)state;
	*vec_add(&found.used) = (struct used_field){ "i_rwsem.count", USE_READ_MOSTLY };
	err = find(&found, &profiled_inode);
	assert_null(err);
	assert_int_equal(uses_of(&found, "i_rwsem.count"), USE_READ_MOSTLY);
	assert_int_equal(found.used.nr, 3);
}

static void another_struct_or_layout_is_refused(void **state)
{
	const struct type other = STRUCT("other", 8, FIELD("a", &type_long, 0));
	const struct type inode = STRUCT("inode", 8, FIELD("a", &type_long, 0));
	auto_found struct found found = {}, second = {};
	auto_error struct error *missing = find(&found, &other), *changed = find(&second, &inode);

	(void)state;
	assert_non_null(missing);
	assert_non_null(strstr(error_message(missing), "it has struct inode"));
	assert_non_null(changed);
	assert_non_null(strstr(error_message(changed), "another layout of 'struct inode'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_used_as_they_were_touched),
		cmocka_unit_test(touches_tell_who_did_what),
		cmocka_unit_test(what_the_user_says_stands),
		cmocka_unit_test(another_struct_or_layout_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
