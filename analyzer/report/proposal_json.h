/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proposals as JSON, schema fieldline.proposal/1, described in fieldline-propose(1): all that is
 * told in text, the edits, and the layout each is to lead to.
 */
#ifndef FIELDLINE_REPORT_PROPOSAL_JSON_H
#define FIELDLINE_REPORT_PROPOSAL_JSON_H

#include "base/text.h"
#include "model/proposal.h"

void proposals_json_print(struct text *text, const struct typeset *set,
			  const struct proposals *proposals);
/* Schema fieldline.sweep/1. */
void sweep_json_print(struct text *text, const struct typeset *set, const struct sweep *sweep);

#endif
