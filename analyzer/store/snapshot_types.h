/* SPDX-License-Identifier: GPL-2.0-only */
/* The types of a snapshot, read from JSON when they are asked for, each named one once. */
#ifndef FIELDLINE_STORE_SNAPSHOT_TYPES_H
#define FIELDLINE_STORE_SNAPSHOT_TYPES_H

#include "base/map.h"
#include "model/type.h"
#include "store/json_reader.h"

struct snapshot_types {
	struct json_reader reader; /* holds the first error */
	struct arena *arena;
	const json_t *table; /* "types": by key */
	uint32_t pointer_size;
	const struct arch *arch;
	struct map loaded; /* an entry's json_t -> what was read of it */
	int depth;
};

/* The type written as value, used by value; NULL for void and after an error. */
const struct type *snapshot_types_read(struct snapshot_types *types, const json_t *value,
				       const char *place);

/* The type of that key in the table. */
const struct type *snapshot_types_named(struct snapshot_types *types, const char *key);

#endif
