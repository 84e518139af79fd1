/* SPDX-License-Identifier: GPL-2.0-only */
/* Many instructions to resolve at once, and how often each of them ran. */
#ifndef FIELDLINE_CMD_RESOLVE_PLACES_H
#define FIELDLINE_CMD_RESOLVE_PLACES_H

#include "base/vec.h"
#include "resolve/resolver.h"

struct weighed_place {
	uint64_t ip;
	uint64_t weight;
};

DEFINE_VEC(weighed_place_vec, struct weighed_place);

/* A file with a PLACE and, if it says so, a weight on each line; "-" is standard input. */
struct error *places_read_list(struct resolver *resolver, const char *path,
			       struct weighed_place_vec *ret);
/*
 * The instructions of a recording's memory samples, each weighed by how many samples it has; where
 * the kernel and its modules lay is told to the resolver.
 */
struct error *places_read_recording(struct resolver *resolver, const char *path, bool force,
				    struct weighed_place_vec *ret);
/* All of them are analysed together. */
void places_prepare(struct resolver *resolver, const struct weighed_place_vec *places);

#endif
