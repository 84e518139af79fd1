/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_directory.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/text.h"

/* perf makes one file a CPU. */
enum { MAX_FILES = 4096 };

struct error *perf_directory_find(const char *path, char **ret)
{
	auto_text struct text text = {};
	struct stat status;

	if (stat(path, &status) || !S_ISDIR(status.st_mode))
		return NULL; /* opening it says what is wrong */
	text_printf(&text, "%s/data", path);
	if (stat(text.chars, &status) || !S_ISREG(status.st_mode))
		return error_create(ERROR_INPUT,
				    "directory '%s' is no recording: it has no file 'data'", path);
	*ret = memory_strdup(text.chars);
	return NULL;
}

void perf_directory_list(const char *path, struct path_vec *ret)
{
	auto_text struct text text = {};
	struct stat status;

	for (unsigned int i = 0; i < MAX_FILES; i++) {
		text_clear(&text);
		text_printf(&text, "%s.%u", path, i);
		if (stat(text.chars, &status) || !S_ISREG(status.st_mode))
			break;
		*vec_add(ret) = memory_strdup(text.chars);
	}
}
