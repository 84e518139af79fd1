/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel keeps pointers that its types do not tell: in integers with flags in the low
 * bits, as offsets from another pointer, in memory that a security module has a part of. A short
 * list of what is used everywhere (Linux 6.1); what a kernel does not have is left out.
 */
#ifndef FIELDLINE_RESOLVE_IDIOMS_H
#define FIELDLINE_RESOLVE_IDIOMS_H

#include "resolve/values.h"

struct idioms;

struct idioms *idioms_create(struct code *code);
void idioms_destroy(struct idioms *idioms);
/* The pointer that lies, in disguise, at offset in shape. */
bool idioms_pointer(struct idioms *idioms, const struct shape *shape, int64_t offset,
		    struct candidate *ret);
/* What a pointer to shape points at once its low byte, which holds flags, is cleared; or NULL. */
const struct shape *idioms_without_flags(const struct idioms *idioms, const struct shape *shape);
/* Whether code casts to it before it knows that it may. */
bool idioms_is_cast_early(const struct shape *shape);
/*
 * The number of the distance that lies at offset in shape; -1 = none. folder is the function's,
 * since what a packet holds depends on who looks at it.
 */
int64_t idioms_distance(struct idioms *idioms, uint64_t folder, const struct shape *shape,
			int64_t offset, uint32_t size);
/* The same for a global variable by name. */
int64_t idioms_distance_in(struct idioms *idioms, const char *variable, int64_t offset);
/* The struct that is found by adding distance number to a pointer. */
const struct shape *idioms_target(const struct idioms *idioms, int64_t number);
/* Whether bytes without a type follow the struct. */
bool idioms_has_payload(const struct shape *shape);

#endif
