/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording cannot tell, said once it was read. */
#ifndef FIELDLINE_CMD_SESSION_LIMITS_H
#define FIELDLINE_CMD_SESSION_LIMITS_H

#include "cmd/recorded_kernel.h"
#include "model/profile.h"

/* What came to light while reading. */
struct session_facts {
	bool has_allocations;
	size_t nr_modules_placed; /* where their sections lay was told */
	bool is_patched;	  /* text was rewritten while recording */
};

/* Completes the profile's totals and limits. */
void session_limits_add(struct profile *profile, const struct recording *recording,
			const struct recorded_kernel *kernel, const struct session_facts *facts);

#endif
