/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording cannot tell, said once it was read. */
#ifndef FIELDLINE_CMD_SESSION_LIMITS_H
#define FIELDLINE_CMD_SESSION_LIMITS_H

#include "model/profile.h"
#include "trace/recording.h"

/* What came to light while reading. */
struct session_facts {
	bool has_allocations;
	bool is_patched;       /* text was rewritten while recording */
	bool is_place_unknown; /* how far the kernel was moved (KASLR) can't be told */
	struct string_vec modules_missing;
};

/* Completes the profile's totals and limits. */
void session_limits_add(struct profile *profile, const struct recording *recording,
			const struct session_facts *facts);

#endif
