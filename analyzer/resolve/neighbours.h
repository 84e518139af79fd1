/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a sampled instruction is followed by for certain: up to the next jump or call everything
 * runs. Instructions there that reach memory by the same registers touched the same object, at a
 * known distance, though no sample says so.
 */
#ifndef FIELDLINE_RESOLVE_NEIGHBOURS_H
#define FIELDLINE_RESOLVE_NEIGHBOURS_H

#include "base/error.h"
#include "kernel/code.h"

enum { NEIGHBOURS_MAX = 16 };

struct neighbour {
	uint64_t ip;	   /* as in the image */
	uint64_t distance; /* of its bytes from the sampled ones; modulo 2^64 */
};

struct insn_decoder;

/* ip as in the image; fills ret and tells how many. */
unsigned int neighbours_find(const struct code *code, struct insn_decoder *decoder, uint64_t ip,
			     struct neighbour ret[NEIGHBOURS_MAX]);

#endif
