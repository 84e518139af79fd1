/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/module_file.h"

#include <fts.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

static char plain(char c)
{
	return c == '-' ? '_' : c;
}

size_t module_name(const char *recorded, const char **ret)
{
	const char *slash = strrchr(recorded, '/'), *end;

	*ret = recorded[0] == '[' ? recorded + 1 : slash ? slash + 1 : recorded;
	end = recorded[0] == '[' ? strchr(*ret, ']') : strstr(*ret, ".ko");
	return end ? (size_t)(end - *ret) : strlen(*ret);
}

/* "nf_tables" for "nf-tables.ko.debug". */
static bool names_module(const char *file, const char *name, size_t length)
{
	for (; length; length--, name++, file++) {
		if (plain(*file) != plain(*name))
			return false;
	}
	return !strcmp(file, ".ko") || !strcmp(file, ".ko.debug");
}

char *module_file_find(const char *folder, const char *name)
{
	char *const roots[] = { (char *)folder, NULL };
	const char *plain_name;
	size_t length = module_name(name, &plain_name);
	char *found = NULL;
	FTSENT *entry;
	FTS *walk;

	if (!length)
		return NULL;
	walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	while (walk && !found && (entry = fts_read(walk))) {
		if (entry->fts_info == FTS_F && names_module(entry->fts_name, plain_name, length))
			found = memory_strdup(entry->fts_path);
	}
	if (walk)
		fts_close(walk);
	return found;
}
