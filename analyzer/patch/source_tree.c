/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/source_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#define MAX_FILE (16u << 20)

struct walk {
	FTS *fts;
	char *buffer; /* MAX_FILE: mapping 50,000 small files takes longer than reading them */
	const char *arch_folder;
	size_t skip; /* of each path: the tree and a slash */
	source_visit *visit;
	void *data;
};

static void walk_deinit(struct walk *walk)
{
	if (walk->fts)
		fts_close(walk->fts);
	free(walk->buffer);
}

/* As Linux 6.1 names them; NULL = not known, all are searched. */
static const char *arch_folder(const char *arch)
{
	static const struct {
		const char *prefix;
		const char *folder;
	} folders[] = {
		{ "x86_64", "x86" },	{ "i386", "x86" },
		{ "aarch64", "arm64" }, { "arm", "arm" },
		{ "s390", "s390" },	{ "powerpc", "powerpc" },
		{ "riscv", "riscv" },	{ "loongarch", "loongarch" },
		{ "mips", "mips" },	{ "sparc", "sparc" },
	};

	for (size_t i = 0; i < array_size(folders); i++) {
		if (!strncmp(arch, folders[i].prefix, strlen(folders[i].prefix)))
			return folders[i].folder;
	}
	return NULL;
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_left_out(const struct walk *walk, const FTSENT *entry)
{
	static const char *const names[] = { "Documentation", "samples", "scripts", "tools" };

	for (size_t i = 0; i < array_size(names); i++) {
		if (entry->fts_level == 1 && !strcmp(entry->fts_name, names[i]))
			return true;
	}
	return (entry->fts_level > 0 && entry->fts_name[0] == '.') ||
	       (entry->fts_level == 2 && walk->arch_folder &&
		!strcmp(entry->fts_parent->fts_name, "arch") &&
		strcmp(entry->fts_name, walk->arch_folder));
}

static bool is_source(const FTSENT *entry)
{
	const char *end = entry->fts_name + entry->fts_namelen;

	return entry->fts_namelen > 2 && end[-2] == '.' && (end[-1] == 'c' || end[-1] == 'h');
}

static struct error *read_file(const struct walk *walk, const char *path, size_t *ret_size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct error *err = NULL;
	struct stat status;
	size_t size = 0;
	ssize_t nr = 1;

	if (fd < 0)
		return error_from_errno(errno, "cannot open '%s'", path);
	if (fstat(fd, &status) < 0)
		err = error_from_errno(errno, "cannot examine '%s'", path);
	while (!err && S_ISREG(status.st_mode) && status.st_size <= MAX_FILE && size < MAX_FILE &&
	       nr > 0) {
		nr = read(fd, walk->buffer + size, MAX_FILE - size);
		if (nr < 0)
			err = error_from_errno(errno, "cannot read '%s'", path);
		else
			size += (size_t)nr;
	}
	close(fd);
	*ret_size = size;
	return err;
}

static struct error *visit_entry(struct walk *walk, FTSENT *entry)
{
	struct error *err;
	size_t size;

	switch (entry->fts_info) {
	case FTS_DNR:
	case FTS_ERR:
		return error_from_errno(entry->fts_errno, "cannot read '%s'", entry->fts_path);
	case FTS_D:
		if (is_left_out(walk, entry))
			fts_set(walk->fts, entry, FTS_SKIP);
		return NULL;
	case FTS_F:
		if (!is_source(entry))
			return NULL;
		err = read_file(walk, entry->fts_accpath, &size);
		if (!err && size)
			walk->visit(entry->fts_path + walk->skip, walk->buffer, size, walk->data);
		return err;
	default:
		return NULL;
	}
}

struct error *source_tree_visit(const char *tree, const struct arch *arch, source_visit *visit,
				void *data)
{
	struct walk walk __attribute__((cleanup(walk_deinit))) = {
		.arch_folder = arch_folder(arch->name),
		.skip = strlen(tree) + (tree[strlen(tree) - 1] != '/'),
		.visit = visit,
		.data = data,
	};
	char *const roots[] = { (char *)tree, NULL };
	struct error *err = NULL;
	FTSENT *entry;

	walk.fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
	if (!walk.fts)
		return error_from_errno(errno, "cannot open '%s'", tree);
	walk.buffer = memory_alloc(MAX_FILE, 1);
	for (errno = 0; !err && (entry = fts_read(walk.fts)); errno = 0)
		err = visit_entry(&walk, entry);
	if (!err && errno)
		err = error_from_errno(errno, "cannot read '%s'", tree);
	return err;
}
