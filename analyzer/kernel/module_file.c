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

char *module_name(const char *recorded)
{
	const char *slash = strrchr(recorded, '/'), *start, *end;
	char *name;

	if (recorded[0] == '[') {
		start = recorded + 1;
		end = strchr(start, ']');
	} else {
		start = slash ? slash + 1 : recorded;
		end = strstr(start, ".ko");
	}
	name = memory_strdup(start);
	if (end)
		name[end - start] = '\0';
	for (char *at = name; *at; at++)
		*at = plain(*at);
	return name;
}

/* "nf_tables" for "nf-tables.ko.debug". */
static bool names_module(const char *file, const char *name)
{
	for (; *name; name++, file++) {
		if (plain(*file) != *name)
			return false;
	}
	return !strcmp(file, ".ko") || !strcmp(file, ".ko.debug");
}

char *module_file_find(const char *folder, const char *name)
{
	char *const roots[] = { (char *)folder, NULL };
	auto_free char *plain_name = module_name(name);
	char *found = NULL;
	FTSENT *entry;
	FTS *walk;

	if (!*plain_name)
		return NULL;
	walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	while (walk && !found && (entry = fts_read(walk))) {
		if (entry->fts_info == FTS_F && names_module(entry->fts_name, plain_name))
			found = memory_strdup(entry->fts_path);
	}
	if (walk)
		fts_close(walk);
	return found;
}
