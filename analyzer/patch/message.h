/* SPDX-License-Identifier: GPL-2.0-only */
/* What a patch of a proposal says: its subject, and why, with what is certain and what is not. */
#ifndef FIELDLINE_PATCH_MESSAGE_H
#define FIELDLINE_PATCH_MESSAGE_H

#include "base/text.h"
#include "model/proposal.h"

struct message_request {
	const struct proposals *proposals;
	const struct proposal *proposal;
	const struct source *source;
	const char *proved; /* what was built and agrees with the prediction; NULL = nothing was */
};

/* "pad bdev to whole cache lines in struct bdev_inode". */
void message_print_subject(struct text *text, const struct message_request *request);
void message_print_body(struct text *text, const struct message_request *request);
/* A paragraph in lines of at most 72 characters, the first behind mark, others below it. */
void message_add_paragraph(struct text *text, const char *mark, const char *paragraph);

#endif
