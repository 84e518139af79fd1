/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A private view of directories: programs that run in it see them, may change them, and find files
 * replaced; the directories themselves stay as they are, whatever happens.
 *
 * Each is covered by an overlay mount (Linux 3.18) in a mount namespace of the program's own: no
 * copy is made of what does not change, and no path is another one, so that a kernel's build sees
 * nothing new but what really is.
 */
#ifndef FIELDLINE_PATCH_VIEW_H
#define FIELDLINE_PATCH_VIEW_H

#include "base/arena.h"
#include "base/error.h"
#include "base/process.h"
#include "base/vec.h"

struct view_directory {
	const char *path;
	const char *changes; /* what programs wrote there; on the disk of the temporary files */
	const char *options; /* of its mount */
};

DEFINE_VEC(view_directory_vec, struct view_directory);

struct private_view {
	struct arena arena;
	const char *top; /* temporary; NULL = none */
	struct view_directory_vec directories;
};

/* Makes the place for what is written, below TMPDIR. */
struct error *private_view_open(struct private_view *ret);
/* Removes all that was written. */
void private_view_close(struct private_view *view);
#define auto_private_view __attribute__((cleanup(private_view_close)))

/* Covers a directory: an absolute path. Those around it come first. */
struct error *private_view_add(struct private_view *view, const char *directory);
/* A file below the directory that was added last has this text in the view. */
struct error *private_view_replace(struct private_view *view, const char *file, const char *text);
/* Runs a program in the view; process->prepare is the view's. */
struct error *private_view_run(struct private_view *view, struct process *process);

#endif
