/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds what a changed file goes into, with neither the source nor the build directory touched. */
#ifndef FIELDLINE_PATCH_BUILD_H
#define FIELDLINE_PATCH_BUILD_H

#include "base/vec.h"
#include "patch/view.h"

struct build_request {
	const char *tree; /* absolute */
	const char *file; /* below it; has this text */
	const char *text;
	const char *directory;	     /* configured and built before; absolute */
	struct string_vec targets;   /* "block/bdev.o" */
	struct string_vec arguments; /* for make: "CC=ccache gcc" */
};

/* An ERROR_INPUT if it is no build directory, or that of another tree. */
struct error *build_check(const char *tree, const char *directory);
/* What holds the struct that a file declares: its object, or all of vmlinux for a header. */
const char *build_target(const char *file, struct arena *arena);
/* The view is open, and gets what is built. The error of a failed build is the compiler's first. */
struct error *build_run(const struct build_request *request, struct private_view *view);
/* The path of a target that was built in the view; an ERROR_INPUT if it was not built anew. */
struct error *build_result(const struct build_request *request, struct private_view *view,
			   const char *target, const char **ret);

#endif
