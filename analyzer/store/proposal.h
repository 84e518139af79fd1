/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proposals as `fieldline propose --output json` saves them, schema fieldline.proposal/1,
 * described in fieldline-propose(1).
 *
 * What is read back has everything but the types of the fields: of those only the size and the
 * spelling are in the file, and each is a TYPE_BASE of that name.
 */
#ifndef FIELDLINE_STORE_PROPOSAL_H
#define FIELDLINE_STORE_PROPOSAL_H

#include "base/error.h"
#include "model/proposal.h"

struct saved_proposals {
	struct proposals proposals;
	struct definition definition; /* that of proposals */
	struct source source;	      /* the image they were made of */
};

/* An error names the place. */
struct error *proposals_read(const char *path, struct saved_proposals *ret);
void saved_proposals_deinit(struct saved_proposals *saved);
#define auto_saved_proposals __attribute__((cleanup(saved_proposals_deinit)))

#endif
