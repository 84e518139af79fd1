/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cut pairs: words that one operation writes together, a lock's count and its owner, but a line
 * boundary parts, so that each costs a transfer of its own.
 */
#ifndef FIELDLINE_ANALYZE_CUT_PAIRS_H
#define FIELDLINE_ANALYZE_CUT_PAIRS_H

#include "model/profile.h"

/*
 * Fills profile->cuts and each type's range of them, from what else is in it. Two words are a cut
 * pair if they lie on neighbouring lines, one line could hold both, one function writes both, and
 * CPUs fight over both. In a lock that is as certain as the verdicts of the two lines; elsewhere it
 * is suspected, for the function may write them at different times.
 */
void cut_pairs_find(struct profile *profile);

#endif
