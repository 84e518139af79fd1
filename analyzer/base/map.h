/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hash map from a 64-bit key (an offset, a hash) to a 64-bit value or pointer; open addressing.
 * A zeroed struct map is an empty one. Keys are spread by the map: they need not be random.
 */
#ifndef FIELDLINE_BASE_MAP_H
#define FIELDLINE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_slot {
	uint64_t key;
	union {
		uint64_t value;
		void *pointer;
	};
	bool used;
};

struct map {
	struct map_slot *slots;
	size_t nr;
	size_t capacity; /* a power of two, or 0 */
};

/* Fetches what map_find() of that key will look at. */
void map_prefetch(const struct map *map, uint64_t key);
/* The slot of key, or NULL. */
struct map_slot *map_find(const struct map *map, uint64_t key);
/*
 * The slot of key, made with value 0 if it was missing; *ret_is_new (may be NULL) says which.
 * The slot may move with the next map_add().
 */
struct map_slot *map_add(struct map *map, uint64_t key, bool *ret_is_new);
void map_deinit(struct map *map);

#define auto_map __attribute__((cleanup(map_deinit)))

/* Mixes value into hash (multiply-xorshift); order matters. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ull; /* 2^64 / golden ratio, Knuth TAOCP 6.4 */
	return hash ^ (hash >> 29);
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t nr);
uint64_t hash_string(uint64_t hash, const char *text);

#endif
