/* SPDX-License-Identifier: GPL-2.0-only */
/* The C files of a kernel's source tree, one after the other in the order of their names. */
#ifndef FIELDLINE_PATCH_SOURCE_TREE_H
#define FIELDLINE_PATCH_SOURCE_TREE_H

#include <stddef.h>

#include "base/error.h"
#include "model/arch.h"

/* path is below the tree; both are only there during the call. */
typedef void source_visit(const char *path, const char *text, size_t size, void *data);

/*
 * Left out: Documentation, samples, scripts, tools, other machines' folders of arch/, symbolic
 * links, and files larger than 16 MiB, which nobody wrote.
 */
struct error *source_tree_visit(const char *tree, const struct arch *arch, source_visit *visit,
				void *data);

#endif
