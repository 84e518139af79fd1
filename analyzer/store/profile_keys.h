/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The keys of a profile's objects, one table for each struct of the model: writing and reading
 * go by the same rows. What is 0, empty or false is not written.
 */
#ifndef FIELDLINE_STORE_PROFILE_KEYS_H
#define FIELDLINE_STORE_PROFILE_KEYS_H

#include <stddef.h>

#include "model/profile.h"

enum profile_key_kind {
	KEY_NUMBER,	/* uint64_t */
	KEY_NUMBER32,	/* uint32_t */
	KEY_INDEX,	/* uint32_t; PROFILE_NONE is not written */
	KEY_PLACE,	/* uint64_t, written even if 0 */
	KEY_BOOL,	/* bool */
	KEY_STRING,	/* const char *; NULL is not written */
	KEY_ADDRESS,	/* uint64_t as "0x1f": JSON's readers take no more than 63 bits */
	KEY_WINDOW,	/* uint64_t; UINT64_MAX is null */
	KEY_CPUS,	/* struct cpu_set as "0-3,8" */
	KEY_COUNTS,	/* struct profile_counts, an object */
	KEY_BASIS,	/* uint8_t as "instruction+symbol" */
	KEY_CONFIDENCE, /* the enums of model/ by their words */
	KEY_VERDICT,
	KEY_CERTAINTY,
	KEY_OTHER, /* written and read by a function of its own */
};

struct profile_key {
	const char *name; /* NULL ends the table */
	enum profile_key_kind kind;
	size_t offset;
};

extern const struct profile_key profile_counts_keys[];
extern const struct profile_key profile_totals_keys[];
extern const struct profile_key profile_type_keys[];
extern const struct profile_key profile_place_keys[];
extern const struct profile_key profile_phase_keys[];
extern const struct profile_key profile_line_keys[];
extern const struct profile_key profile_pair_keys[];
extern const struct profile_key profile_cut_keys[];
extern const struct profile_key profile_object_keys[];
extern const struct profile_key profile_address_keys[];
extern const struct profile_key profile_cpu_keys[];

#endif
