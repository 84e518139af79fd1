/* SPDX-License-Identifier: GPL-2.0-only */
/* The proof of a patch: build what it changes, read the new debug information, compare. */
#ifndef FIELDLINE_CMD_PATCH_PROOF_H
#define FIELDLINE_CMD_PATCH_PROOF_H

#include "patch/build.h"
#include "store/proposal.h"

struct proof_request {
	struct build_request build; /* without targets: those that suit the file */
	const struct saved_proposals *saved;
	const struct proposal *proposal;
};

/*
 * Adds what was proved, "block/bdev.o". An ERROR_INPUT tells where the layout is not as predicted,
 * or why there is none: a failed build, a build directory of another image.
 */
struct error *patch_prove(struct proof_request *request, struct text *ret);

#endif
