/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Patches as `git format-patch` writes them: mails that `git am` and `patch -p1` take, and a cover
 * letter in front. Nothing in them tells when they were made.
 */
#ifndef FIELDLINE_PATCH_SERIES_H
#define FIELDLINE_PATCH_SERIES_H

#include "base/error.h"
#include "base/vec.h"
#include "patch/diff.h"

struct patch {
	const char *subject; /* "block: pad bdev ..." */
	const char *body;    /* without the sign-off */
	const char *diff;
	struct diff_stat stat;
};

DEFINE_VEC(patch_vec, struct patch);

struct series {
	const char *author;  /* "Name <address>" */
	const char *file;    /* the one that all patches change */
	const char *subject; /* of the cover letter */
	const char *body;
	struct patch_vec patches;
};

/* The mail of patch number 1... ; 0 = the cover letter. */
void series_print(struct text *text, const struct series *series, size_t number);
/* "0001-block-pad-bdev.patch" */
void series_print_name(struct text *text, const struct series *series, size_t number);

#endif
