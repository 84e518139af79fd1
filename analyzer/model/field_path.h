/* SPDX-License-Identifier: GPL-2.0-only */
/* The name of some bytes of a type. */
#ifndef FIELDLINE_MODEL_FIELD_PATH_H
#define FIELDLINE_MODEL_FIELD_PATH_H

#include "base/text.h"
#include "model/type.h"

/*
 * The smallest member that holds bytes [offset, offset + size), or whose extent they are; size 0
 * = unknown, taken as 1. Anonymous levels don't count. Of a union's alternatives that hold the
 * bytes the first one wins whose member has their very extent.
 */
struct field_place {
	const struct field *field; /* NULL = the type itself, or a hole in it */
	uint64_t offset;	   /* of that member from the start of type, in bytes */
	uint64_t size;		   /* of that member, or of that element of it; bytes */
	bool is_hole;		   /* no member holds all of the bytes */
};

struct field_place field_place_at(const struct type *type, uint64_t offset, uint64_t size);

/*
 * Adds its path, "vfs_inode.i_rwsem.count", "slots[3].lock"; what lies inside a scalar or between
 * members is told by a distance, "flags+2". Nothing for a whole type.
 */
void field_path_print(struct text *text, const struct type *type, uint64_t offset, uint64_t size);

#endif
