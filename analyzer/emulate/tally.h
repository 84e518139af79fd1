/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers things that are told by three words, in the order in which they are first seen. */
#ifndef FIELDLINE_EMULATE_TALLY_H
#define FIELDLINE_EMULATE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct tally_key {
	uint64_t words[3];
};

DEFINE_VEC(tally_key_vec, struct tally_key);

struct tally_slot {
	uint32_t number; /* + 1; 0 = empty */
	uint32_t tag;	 /* of the key's hash: most keys that differ are told apart by it */
};

/* A zeroed one is empty. */
struct tally {
	struct tally_key_vec keys; /* by number */
	struct tally_slot *slots;
	size_t capacity; /* a power of two, or 0 */
};

void tally_deinit(struct tally *tally);
/* Its number; *ret_is_new says whether it was first seen now. */
uint32_t tally_number(struct tally *tally, const struct tally_key *key, bool *ret_is_new);

#endif
