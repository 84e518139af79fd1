/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which function's frame an address on a stack lies in. Where return addresses lie is known from
 * calls and returns: above a frame is the one that its function will return by, below it the one
 * that the function has pushed itself, if it has called another.
 */
#ifndef FIELDLINE_EMULATE_FRAMES_H
#define FIELDLINE_EMULATE_FRAMES_H

#include "base/map.h"
#include "coherence/coherence.h"

/* A zeroed one is empty. */
struct frames {
	uint64_t ip;	  /* of the instruction noted last */
	struct map pages; /* by address / 4096 -> the calls whose return addresses lie there */
};

void frames_deinit(struct frames *frames);
/* Every access, in order, and what instruction makes it; what is no stack does no harm. */
void frames_note(struct frames *frames, const struct coherence_access *access, uint64_t ip,
		 bool is_call, bool is_return);

struct frame {
	uint64_t ip;	   /* of the function, where it is at the moment */
	uint64_t distance; /* from the address up to the canonical frame address */
	uint64_t size;	   /* from the stack pointer up to there; 0 = not known */
};

/* For the instruction noted last. False = in no frame whose start was seen. */
bool frames_find(const struct frames *frames, uint64_t address, struct frame *ret);

#endif
