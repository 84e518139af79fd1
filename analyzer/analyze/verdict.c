/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/verdict.h"

/* A verdict is mixed unless one side has more than this share of the evidence. */
#define CLEAR_PERCENT 80

static enum verdict weigh(uint64_t nr_true, uint64_t nr_false)
{
	uint64_t nr = nr_true + nr_false;

	if (nr_true * 100 > nr * CLEAR_PERCENT)
		return VERDICT_TRUE;
	return nr_false * 100 > nr * CLEAR_PERCENT ? VERDICT_FALSE : VERDICT_MIXED;
}

void verdict_judge(const struct verdict_evidence *evidence, enum verdict *ret_verdict,
		   enum certainty *ret_certainty)
{
	uint64_t nr_met = evidence->nr_true + evidence->nr_false;
	uint64_t nr_fits = evidence->fits_true + evidence->fits_false;

	*ret_verdict = VERDICT_NONE;
	*ret_certainty = CERTAINTY_NONE;
	if (nr_met >= VERDICT_LEAST) {
		*ret_verdict = weigh(evidence->nr_true, evidence->nr_false);
		*ret_certainty = evidence->nr_sure >= VERDICT_LEAST ? CERTAINTY_CONFIRMED :
								      CERTAINTY_SUSPECTED;
	} else if (nr_fits >= VERDICT_LEAST) {
		*ret_verdict = weigh(evidence->fits_true, evidence->fits_false);
		*ret_certainty = CERTAINTY_SUSPECTED;
	} else if (nr_met || nr_fits || evidence->nr_contended) {
		*ret_verdict = VERDICT_UNDECIDED;
	}
}
