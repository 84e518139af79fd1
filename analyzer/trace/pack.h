/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of either byte order into memory: the mirror of base/bytes.h. */
#ifndef FIELDLINE_TRACE_PACK_H
#define FIELDLINE_TRACE_PACK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/vec.h"

/* A growing run of bytes. */
struct pack {
	uint8_t *items;
	size_t nr;
	size_t capacity;
	bool big_endian;
};

static inline uint8_t *pack_room(struct pack *pack, size_t nr)
{
	if (pack->capacity - pack->nr < nr) {
		pack->capacity = 2 * pack->capacity + nr;
		pack->items = memory_resize(pack->items, pack->capacity, 1);
	}
	pack->nr += nr;
	return pack->items + pack->nr - nr;
}

static inline void pack_bytes(struct pack *pack, const void *bytes, size_t nr)
{
	if (nr)
		memcpy(pack_room(pack, nr), bytes, nr);
}

static inline void pack_zeros(struct pack *pack, size_t nr)
{
	memset(pack_room(pack, nr), 0, nr);
}

#define DEFINE_PACK(bits)                                                         \
	static inline void pack_u##bits(struct pack *pack, uint##bits##_t value)  \
	{                                                                         \
		if (pack->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)) \
			value = __builtin_bswap##bits(value);                     \
		memcpy(pack_room(pack, sizeof(value)), &value, sizeof(value));    \
	}

/* pack_u16(), pack_u32(), pack_u64() */
DEFINE_PACK(16)
DEFINE_PACK(32)
DEFINE_PACK(64)

#endif
