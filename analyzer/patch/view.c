/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/view.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* Directories that are open at once while a tree is removed. */
#define MAX_OPEN 32

struct error *private_view_open(struct private_view *ret)
{
	struct private_view view = {};
	const char *directory = getenv("TMPDIR");
	char *top = arena_printf(&view.arena, "%s/fieldline.XXXXXX",
				 directory && *directory ? directory : "/tmp");

	if (!mkdtemp(top)) {
		struct error *err = error_from_errno(errno, "cannot make '%s'", top);

		arena_deinit(&view.arena);
		return err;
	}
	view.top = top;
	*ret = view;
	return NULL;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	(void)status;
	(void)kind;
	(void)at;
	remove(path);
	return 0;
}

void private_view_close(struct private_view *view)
{
	/* The kernel keeps a folder in each work directory that nobody but root may look into. */
	for (size_t i = 0; i < view->directories.nr; i++)
		chmod(arena_printf(&view->arena, "%s/%zu.work/work", view->top, i), 0700);
	if (view->top)
		nftw(view->top, remove_entry, MAX_OPEN, FTW_DEPTH | FTW_PHYS);
	vec_deinit(&view->directories);
	arena_deinit(&view->arena);
}

static struct error *make_directory(const char *path, mode_t mode)
{
	return mkdir(path, mode) < 0 && errno != EEXIST ?
		       error_from_errno(errno, "cannot make '%s'", path) :
		       NULL;
}

/* In the options of a mount, commas and colons part words. */
static bool is_plain(const char *path)
{
	return !strpbrk(path, ",:\\");
}

struct error *private_view_add(struct private_view *view, const char *directory)
{
	struct arena *arena = &view->arena;
	const size_t nr = view->directories.nr;
	const char *changes = arena_printf(arena, "%s/%zu", view->top, nr);
	const char *work = arena_printf(arena, "%s/%zu.work", view->top, nr);
	struct stat status;
	struct error *err;

	if (stat(directory, &status) < 0)
		return error_from_errno(errno, "cannot open '%s'", directory);
	if (!is_plain(directory) || !is_plain(view->top))
		return error_create(ERROR_INPUT,
				    "'%s' cannot be covered: there is a ',', ':' or '\\' in '%s'",
				    directory, is_plain(directory) ? view->top : directory);
	err = make_directory(changes, status.st_mode & 07777);
	if (!err)
		err = make_directory(work, 0700);
	if (err)
		return err;
	*vec_add(&view->directories) = (struct view_directory){
		.path = arena_strdup(arena, directory),
		.changes = changes,
		.options = arena_printf(arena, "lowerdir=%s,upperdir=%s,workdir=%s", directory,
					changes, work),
	};
	return NULL;
}

struct error *private_view_replace(struct private_view *view, const char *file, const char *text)
{
	const struct view_directory *directory = &view->directories.items[view->directories.nr - 1];
	char *path = arena_printf(&view->arena, "%s/%s", directory->changes, file);
	const size_t start = strlen(directory->changes) + 1;
	struct error *err = NULL;

	for (char *slash = strchr(path + start, '/'); !err && slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		err = make_directory(path, 0755);
		*slash = '/';
	}
	return err ? err : file_write(path, text, strlen(text));
}

static bool write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return written;
}

/* Who may mount needs a namespace of mounts; others one of users as well, in which they may. */
static const char *enter_namespace(bool *ret_user)
{
	const unsigned int user = geteuid(), group = getegid();
	char map[64];

	*ret_user = false;
	if (!unshare(CLONE_NEWNS))
		return NULL;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return "cannot make a namespace of its own for mounts (is "
		       "kernel.unprivileged_userns_clone or user.max_user_namespaces 0?)";
	*ret_user = true;
	snprintf(map, sizeof(map), "%u %u 1", user, user);
	if (!write_to("/proc/self/setgroups", "deny") || !write_to("/proc/self/uid_map", map))
		return "cannot become itself in a namespace of its own";
	snprintf(map, sizeof(map), "%u %u 1", group, group);
	return write_to("/proc/self/gid_map", map) ? NULL : "cannot keep its group in a namespace";
}

static const char *enter(void *context)
{
	const struct private_view *view = context;
	bool user;
	const char *failed = enter_namespace(&user);
	char options[3 * 4096];

	if (failed)
		return failed;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return "cannot part its mounts from those of others";
	for (size_t i = 0; i < view->directories.nr; i++) {
		const struct view_directory *directory = &view->directories.items[i];

		snprintf(options, sizeof(options), "%s%s", directory->options,
			 user ? ",userxattr" : "");
		if (mount("overlay", directory->path, "overlay", 0, options) < 0)
			return "cannot cover a directory by an overlay mount (TMPDIR must be on a "
			       "disk that is none itself)";
	}
	return NULL;
}

struct error *private_view_run(struct private_view *view, struct process *process)
{
	process->prepare = enter;
	process->context = view;
	return process_run(process);
}
