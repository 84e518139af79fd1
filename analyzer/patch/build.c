/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/build.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

struct error *build_check(const char *tree, const char *directory)
{
	auto_arena struct arena arena = {};
	const char *link = arena_printf(&arena, "%s/source", directory);
	char source[PATH_MAX];

	if (!is_file(arena_printf(&arena, "%s/Makefile", directory)))
		return error_create(ERROR_INPUT,
				    "'%s' has no Makefile: it is no directory that was built in",
				    directory);
	/* What `make O=` leaves. */
	if (!realpath(link, source) || !strcmp(source, tree))
		return NULL;
	return error_create(ERROR_INPUT, "'%s' is built from '%s', not from '%s'", directory,
			    source, tree);
}

const char *build_target(const char *file, struct arena *arena)
{
	const size_t length = strlen(file);

	if (length > 2 && !strcmp(file + length - 2, ".c"))
		return arena_printf(arena, "%.*s.o", (int)(length - 2), file);
	return "vmlinux";
}

/* How compilers, linkers and make start what is worth reading, the likelier first. */
static const char *const marks[] = { " error: ", "undefined reference", "*** ", "Error " };

static const char *find_error(const char *output)
{
	for (size_t i = 0; i < array_size(marks); i++) {
		const char *found = strstr(output, marks[i]);

		if (!found)
			continue;
		while (found > output && found[-1] != '\n')
			found--;
		return found;
	}
	return output;
}

static struct error *run_make(const struct build_request *request, struct private_view *view)
{
	auto_vec struct string_vec argv = {};
	auto_text struct text output = {};
	const long nr_processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct process process = { .output = &output, .errors = &output };
	struct error *err;
	const char *why;

	*vec_add(&argv) = "make";
	*vec_add(&argv) = "-C";
	*vec_add(&argv) = request->directory;
	*vec_add(&argv) =
		arena_printf(&view->arena, "-j%ld", nr_processors > 0 ? nr_processors : 1);
	for (size_t i = 0; i < request->arguments.nr; i++)
		*vec_add(&argv) = request->arguments.items[i];
	for (size_t i = 0; i < request->targets.nr; i++)
		*vec_add(&argv) = request->targets.items[i];
	*vec_add(&argv) = NULL;
	process.argv = argv.items;
	err = private_view_run(view, &process);
	if (err)
		return error_wrap(err, "building in '%s'", request->directory);
	if (!process.status)
		return NULL;
	why = find_error(text_chars(&output));
	return error_create(ERROR_INPUT, "building in '%s' failed: %.*s", request->directory,
			    (int)strcspn(why, "\n"), why);
}

/* Inside of the tree the build directory is covered with it. */
static bool is_below(const char *path, const char *directory)
{
	const size_t length = strlen(directory);

	return !strncmp(path, directory, length) && (path[length] == '/' || !path[length]);
}

struct error *build_run(const struct build_request *request, struct private_view *view)
{
	struct error *err = private_view_add(view, request->tree);

	if (!err)
		err = private_view_replace(view, request->file, request->text);
	if (!err && !is_below(request->directory, request->tree))
		err = private_view_add(view, request->directory);
	return err ? err : run_make(request, view);
}

struct error *build_result(const struct build_request *request, struct private_view *view,
			   const char *target, const char **ret)
{
	const bool inside = is_below(request->directory, request->tree);
	const char *path = arena_printf(
		&view->arena, "%s%s/%s", view->directories.items[view->directories.nr - 1].changes,
		inside ? request->directory + strlen(request->tree) : "", target);

	if (!is_file(path))
		return error_create(ERROR_INPUT,
				    "'%s' was not built anew: '%s' does not go into it", target,
				    request->file);
	*ret = path;
	return NULL;
}
