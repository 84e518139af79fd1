/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/tree.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "base/vec.h"

/* How much of a file's history tells how its patches are called. */
#define NR_SUBJECTS "64"

/* Runs git in the tree; what it prints is in the arena, without the last line feed. */
static struct error *run_git(struct tree *tree, const char *const *arguments, const char **ret)
{
	auto_vec struct string_vec argv = {};
	auto_text struct text output = {}, errors = {};
	struct process process = { .output = &output, .errors = &errors };
	struct error *err;

	*vec_add(&argv) = "git";
	*vec_add(&argv) = "-C";
	*vec_add(&argv) = tree->path;
	for (; *arguments; arguments++)
		*vec_add(&argv) = *arguments;
	*vec_add(&argv) = NULL;
	process.argv = argv.items;
	err = process_run(&process);
	if (err)
		return err;
	if (process.status) {
		const char *why = text_chars(&errors);

		return error_create(ERROR_INPUT, "'%s': git: %.*s", tree->path,
				    (int)strcspn(why, "\n"), why);
	}
	if (output.length && output.chars[output.length - 1] == '\n')
		output.chars[output.length - 1] = '\0';
	*ret = arena_strdup(&tree->arena, text_chars(&output));
	return NULL;
}

#define RUN_GIT(tree, ret, ...) run_git(tree, (const char *const[]){ __VA_ARGS__, NULL }, ret)

struct error *tree_open(const char *path, struct tree *ret)
{
	struct tree tree = {};
	char absolute[PATH_MAX], top_absolute[PATH_MAX];
	struct error *err;
	const char *top;

	if (!realpath(path, absolute))
		return error_from_errno(errno, "cannot open '%s'", path);
	tree.path = arena_strdup(&tree.arena, absolute);
	err = RUN_GIT(&tree, &top, "rev-parse", "--show-toplevel");
	if (!err && (!realpath(top, top_absolute) || strcmp(top_absolute, absolute) != 0))
		err = error_create(ERROR_INPUT,
				   "'%s' is not the top of a git work tree; that is '%s'", path,
				   top);
	else if (err)
		err = error_wrap(err, "the source must be a git work tree");
	if (err) {
		tree_close(&tree);
		return err;
	}
	*ret = tree;
	return NULL;
}

void tree_close(struct tree *tree)
{
	arena_deinit(&tree->arena);
}

static bool is_file(struct tree *tree, const char *file)
{
	struct stat status;

	return !stat(arena_printf(&tree->arena, "%s/%s", tree->path, file), &status) &&
	       S_ISREG(status.st_mode);
}

/* Leaves out "." and what ".." takes back. */
static const char *normalize(struct tree *tree, const char *named)
{
	char *copy = arena_strdup(&tree->arena, named);
	auto_vec struct string_vec parts = {};
	auto_text struct text text = {};

	for (char *part; (part = strsep(&copy, "/"));) {
		if (!strcmp(part, "..") && parts.nr)
			parts.nr--;
		else if (*part && strcmp(part, ".") && strcmp(part, ".."))
			*vec_add(&parts) = part;
	}
	for (size_t i = 0; i < parts.nr; i++)
		text_printf(&text, "%s%s", i ? "/" : "", parts.items[i]);
	return arena_strdup(&tree->arena, text_chars(&text));
}

struct error *tree_find(struct tree *tree, const char *named, const char **ret)
{
	const size_t length = strlen(tree->path);
	const char *file;

	if (!strncmp(named, tree->path, length) && named[length] == '/')
		named += length;
	for (file = normalize(tree, named); file; file = strchr(file, '/')) {
		file += *file == '/';
		if (*file && is_file(tree, file)) {
			*ret = file;
			return NULL;
		}
	}
	return error_create(ERROR_INPUT,
			    "'%s' has no file '%s', where the struct is declared: the tree is not "
			    "the one that the image was built from",
			    tree->path, named);
}

struct error *tree_check_clean(struct tree *tree, const char *file)
{
	const char *state;
	struct error *err = RUN_GIT(tree, &state, "ls-files", "--", file);

	if (err)
		return err;
	if (!*state)
		return error_create(ERROR_INPUT, "'%s': git does not know '%s'", tree->path, file);
	err = RUN_GIT(tree, &state, "status", "--porcelain", "--", file);
	if (!err && *state)
		err = error_create(ERROR_INPUT,
				   "'%s': '%s' has changes; commit them or put them away first",
				   tree->path, file);
	return err;
}

struct error *tree_read(struct tree *tree, const char *file, const char **ret)
{
	auto_file struct file content = {};
	struct error *err =
		file_read(arena_printf(&tree->arena, "%s/%s", tree->path, file), &content);

	if (err)
		return err;
	if (memchr(content.data, '\0', content.size))
		return error_create(ERROR_INPUT, "'%s/%s' is no text", tree->path, file);
	*ret = arena_printf(&tree->arena, "%.*s", (int)content.size, (const char *)content.data);
	return NULL;
}

/* "include/linux/blk_types.h" is "blk_types", "block/bdev.c" is "block". */
static const char *subsystem_of_path(struct tree *tree, const char *file)
{
	const char *slash = strrchr(file, '/'), *start = slash;
	const char *base = slash ? slash + 1 : file;

	if (!slash || !strncmp(file, "include/", strlen("include/")))
		return arena_printf(&tree->arena, "%.*s", (int)strcspn(base, "."), base);
	while (start > file && start[-1] != '/')
		start--;
	return arena_printf(&tree->arena, "%.*s", (int)(slash - start), start);
}

/* Length of "block" of "block: fix it"; 0 = none. */
static size_t prefix_length(const char *subject)
{
	size_t length = strcspn(subject, ":\n ");

	return subject[length] == ':' && subject[length + 1] == ' ' ? length : 0;
}

static size_t count_prefix(const char *subjects, const char *prefix, size_t length)
{
	size_t nr = 0;

	for (; *subjects; subjects += strcspn(subjects, "\n"), subjects += *subjects == '\n')
		nr += prefix_length(subjects) == length && !strncmp(subjects, prefix, length);
	return nr;
}

struct error *tree_subsystem(struct tree *tree, const char *file, const char **ret)
{
	const char *subjects, *best = NULL;
	size_t most = 1; /* one patch is no custom */
	struct error *err = RUN_GIT(tree, &subjects, "log", "-n", NR_SUBJECTS, "--no-merges",
				    "--format=%s", "--", file);

	if (err)
		return err;
	for (const char *at = subjects; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		size_t length = prefix_length(at);
		size_t nr = length ? count_prefix(subjects, at, length) : 0;

		if (nr > most) {
			most = nr;
			best = at;
		}
	}
	*ret = best ? arena_printf(&tree->arena, "%.*s", (int)prefix_length(best), best) :
		      subsystem_of_path(tree, file);
	return NULL;
}

struct error *tree_author(struct tree *tree, const char **ret)
{
	const char *ident;
	struct error *err = RUN_GIT(tree, &ident, "var", "GIT_COMMITTER_IDENT");
	const char *end;

	if (err) {
		error_destroy(err);
		return error_create(ERROR_INPUT, "git does not know who signs the patches off; "
						 "git config user.name and user.email tell it");
	}
	end = strrchr(ident, '>');
	*ret = arena_printf(&tree->arena, "%.*s", end ? (int)(end - ident) + 1 : 0, ident);
	return NULL;
}
