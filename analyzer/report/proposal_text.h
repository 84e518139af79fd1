/* SPDX-License-Identifier: GPL-2.0-only */
/* Proposals as people read them: for and against, side by side. */
#ifndef FIELDLINE_REPORT_PROPOSAL_TEXT_H
#define FIELDLINE_REPORT_PROPOSAL_TEXT_H

#include <stdbool.h>

#include "base/text.h"
#include "model/proposal.h"

/* all = every proposal, and straddling in pairs of lines one by one. */
void proposals_text_print(struct text *text, const struct proposals *proposals, bool all);
/* A table with a row for each size. */
void sweep_text_print(struct text *text, const struct sweep *sweep);

#endif
