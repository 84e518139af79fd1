/* SPDX-License-Identifier: GPL-2.0-only */
/* A source tree under git, which is only read. */
#ifndef FIELDLINE_PATCH_TREE_H
#define FIELDLINE_PATCH_TREE_H

#include "base/arena.h"
#include "base/error.h"

struct tree {
	struct arena arena;
	const char *path; /* absolute, without symbolic links */
};

/* An ERROR_INPUT if path is not the top of a git work tree. */
struct error *tree_open(const char *path, struct tree *ret);
void tree_close(struct tree *tree);
#define auto_tree __attribute__((cleanup(tree_close)))

/*
 * The file below the tree that debug information names: by the path of another machine, or one
 * relative to where it was compiled. *ret is in the arena.
 */
struct error *tree_find(struct tree *tree, const char *named, const char **ret);
/* An ERROR_INPUT if git does not know the file, or it has changes. */
struct error *tree_check_clean(struct tree *tree, const char *file);
/* The file as text; *ret is in the arena. */
struct error *tree_read(struct tree *tree, const char *file, const char **ret);
/*
 * What subjects of patches to the file start with: as its history has it, else by its path:
 * "block", "reiserfs". In the arena.
 */
struct error *tree_subsystem(struct tree *tree, const char *file, const char **ret);
/* "Name <address>" as git is configured; in the arena. */
struct error *tree_author(struct tree *tree, const char **ret);

#endif
