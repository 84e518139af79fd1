/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions that the kernel exchanges at boot: what the file holds is not what runs. An
 * alternative's other instructions are in the file too and are followed instead; where two
 * possibilities touch different things nothing is claimed.
 */
#ifndef FIELDLINE_RESOLVE_PATCHED_H
#define FIELDLINE_RESOLVE_PATCHED_H

#include "resolve/answer.h"

/*
 * False where the step lies in no exchanged site. Else calls give for each address in the site
 * where some possibility accesses memory; state is that before the step.
 */
bool patched_answer(struct flow *flow, struct containers *containers, uint32_t step,
		    const struct state *state,
		    void (*give)(void *context, uint64_t address, const struct answer *answer,
				 bool is_patched),
		    void *context);

#endif
