/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Proposals as JSON, schema fieldline.proposal/1, described in fieldline-propose(1): all that is
 * told in text, the edits, and the layout each is to lead to.
 */
#ifndef FIELDLINE_REPORT_PROPOSAL_JSON_H
#define FIELDLINE_REPORT_PROPOSAL_JSON_H

#include "base/json.h"
#include "model/proposal.h"

void proposals_json_print(struct text *text, const struct typeset *set,
			  const struct proposals *proposals);
/* Parts that other documents about layouts have, too. */
void proposal_json_figures(struct json *json, const char *key, const struct figures *figures);
void proposal_json_troubles(struct json *json, const char *key, const struct trouble_vec *troubles);
/* Schema fieldline.sweep/1. */
void sweep_json_print(struct text *text, const struct typeset *set, const struct sweep *sweep);

#endif
