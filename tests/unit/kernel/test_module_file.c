/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "kernel/module_file.h"

/* Files of a folder, as lib/modules has them. */
static const char *const files[] = { "nf-tables.ko.debug", "nf-tables-extra.ko", "brd.ko.xz",
				     "deep/sound/snd_hda.ko", "ext4.ko.debug.old" };
static const char *const folders[] = { "deep", "deep/sound" };

struct folder {
	char path[64];
};

static int setup(void **state)
{
	static struct folder folder;
	char path[128];

	strcpy(folder.path, "/tmp/fieldline-modules-XXXXXX");
	assert_non_null(mkdtemp(folder.path));
	for (size_t i = 0; i < array_size(folders); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder.path, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	for (size_t i = 0; i < array_size(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder.path, files[i]);
		assert_int_equal(close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);
	}
	*state = &folder;
	return 0;
}

static int teardown(void **state)
{
	const struct folder *folder = *state;
	char path[128];

	for (size_t i = 0; i < array_size(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder->path, files[i]);
		unlink(path);
	}
	for (size_t i = array_size(folders); i-- > 0;) {
		snprintf(path, sizeof(path), "%s/%s", folder->path, folders[i]);
		rmdir(path);
	}
	return rmdir(folder->path);
}

static void expect(const struct folder *folder, const char *name, const char *file)
{
	auto_free char *found = module_file_find(folder->path, name);
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder->path, file ? file : "");
	if (file)
		assert_string_equal(found, path);
	else
		assert_null(found);
}

static void a_module_is_found_below_and_whatever_its_dashes(void **state)
{
	expect(*state, "nf_tables", "nf-tables.ko.debug");
	expect(*state, "snd_hda", "deep/sound/snd_hda.ko");
}

static void a_module_is_found_by_what_perf_calls_it(void **state)
{
	auto_free char *name = module_name(".../netfilter/nf-tables.ko.xz");

	expect(*state, "[nf_tables]", "nf-tables.ko.debug");
	expect(*state, "/lib/modules/6.1.0/kernel/net/nf-tables.ko", "nf-tables.ko.debug");
	expect(*state, "/lib/modules/6.1.0/kernel/sound/snd-hda.ko.xz", "deep/sound/snd_hda.ko");
	expect(*state, "[]", NULL);
	expect(*state, "/lib/modules/", NULL);
	assert_string_equal(name, "nf_tables");
}

static void what_only_looks_like_it_is_none(void **state)
{
	expect(*state, "nf", NULL);
	expect(*state, "tables", NULL);
	expect(*state, "brd", NULL);  /* packed: nothing here unpacks it */
	expect(*state, "ext4", NULL); /* .old */
	expect(*state, "", NULL);
}

static void a_folder_that_is_not_there_has_none(void **state)
{
	const struct folder nowhere = { "/nonexistent" };

	(void)state;
	expect(&nowhere, "brd", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_is_found_below_and_whatever_its_dashes),
		cmocka_unit_test(a_module_is_found_by_what_perf_calls_it),
		cmocka_unit_test(what_only_looks_like_it_is_none),
		cmocka_unit_test(a_folder_that_is_not_there_has_none),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
