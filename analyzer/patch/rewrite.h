/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a proposal into C source.
 *
 * Debug information says on which line the struct and each member stands; all of that has to be
 * there, or nothing is changed. In the end the members that the image has must stand in the order
 * that was predicted, each under the conditions it stood under. Whether the compiler agrees is
 * another question: build and prove.
 */
#ifndef FIELDLINE_PATCH_REWRITE_H
#define FIELDLINE_PATCH_REWRITE_H

#include "model/proposal.h"
#include "patch/dialect.h"
#include "patch/rewriting.h"

struct rewrite_request {
	const char *text; /* of the file */
	const char *path; /* as errors name it: below the tree */
	const struct definition *definition;
	const struct proposal *proposal;
	const struct dialect *dialect;
};

/* *ret holds the new text. An ERROR_INPUT starts with "path:line: ". */
struct error *rewrite(const struct rewrite_request *request, struct rewriting *ret);

#endif
