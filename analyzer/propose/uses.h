/* SPDX-License-Identifier: GPL-2.0-only */
/* What a profile tells of how a struct's fields are used. */
#ifndef FIELDLINE_PROPOSE_USES_H
#define FIELDLINE_PROPOSE_USES_H

#include "base/error.h"
#include "model/profile.h"
#include "model/proposal.h"

/*
 * Adds to ret_used the fields that are worth a word and not named there, to ret_touches all.
 * An ERROR_NOT_FOUND says that the profile has nothing on the struct, an ERROR_INPUT that it has
 * another layout of it. Strings live in the arena.
 */
struct error *uses_find(const struct profile *profile, const struct definition *definition,
			struct arena *arena, struct used_field_vec *ret_used,
			struct touches *ret_touches);

#endif
