/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "kernel/running.h"

static int make_root(void **state)
{
	char path[] = "/tmp/fieldline-test-XXXXXX";

	*state = mkdtemp(path) ? strdup(path) : NULL;
	return *state ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *stat, int flag, struct FTW *ftw)
{
	(void)stat, (void)flag, (void)ftw;
	return remove(path);
}

static int remove_root(void **state)
{
	int failed = nftw(*state, remove_entry, 8, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return failed;
}

/* Makes an empty file below root, and its folders. */
static void make_file(const char *root, const char *path)
{
	auto_text struct text whole = {};
	FILE *file;

	text_printf(&whole, "%s%s", root, path);
	for (char *slash = whole.chars + strlen(root); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		assert_true(!mkdir(whole.chars, 0700) || errno == EEXIST);
		*slash = '/';
	}
	file = fopen(whole.chars, "w");
	assert_non_null(file);
	fclose(file);
}

static void assert_found(const char *root, const char *path)
{
	auto_free char *found = NULL;

	assert_null(running_kernel_find(root, "6.1.0-9", &found));
	assert_memory_equal(found, root, strlen(root));
	assert_string_equal(found + strlen(root), path);
}

static void best_image_is_found_first(void **state)
{
	static const char *const worst_first[] = {
		"/sys/kernel/btf/vmlinux",
		"/boot/vmlinux-6.1.0-9",
		"/lib/modules/6.1.0-9/build/vmlinux",
		"/usr/lib/debug/boot/vmlinux-6.1.0-9.debug",
		"/usr/lib/debug/lib/modules/6.1.0-9/vmlinux",
		"/usr/lib/debug/boot/vmlinux-6.1.0-9",
	};

	for (size_t i = 0; i < array_size(worst_first); i++) {
		make_file(*state, worst_first[i]);
		assert_found(*state, worst_first[i]);
	}
}

static void image_of_another_release_is_not_found(void **state)
{
	make_file(*state, "/usr/lib/debug/boot/vmlinux-6.1.0-8");
	make_file(*state, "/sys/kernel/btf/vmlinux");
	assert_found(*state, "/sys/kernel/btf/vmlinux");
}

static void without_an_image_the_error_says_what_to_install(void **state)
{
	char *found = NULL;
	struct error *err = running_kernel_find(*state, "6.1.0-9", &found);

	assert_non_null(err);
	assert_null(found);
	assert_int_equal(error_kind(err), ERROR_NOT_FOUND);
	assert_non_null(strstr(error_message(err), "linux-image-6.1.0-9-dbg"));
	assert_non_null(strstr(error_message(err), "CONFIG_DEBUG_INFO_BTF"));
	error_destroy(err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(best_image_is_found_first, make_root, remove_root),
		cmocka_unit_test_setup_teardown(image_of_another_release_is_not_found, make_root,
						remove_root),
		cmocka_unit_test_setup_teardown(without_an_image_the_error_says_what_to_install,
						make_root, remove_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
