/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/map.h"

#include <string.h>

#include "base/memory.h"

static struct map_slot *probe(const struct map *map, uint64_t key)
{
	size_t mask = map->capacity - 1;
	size_t at = hash_mix(0, key) & mask;

	while (map->slots[at].used && map->slots[at].key != key)
		at = (at + 1) & mask;
	return &map->slots[at];
}

static void grow(struct map *map)
{
	struct map larger = { .nr = map->nr, .capacity = map->capacity ? 2 * map->capacity : 64 };

	larger.slots = memory_alloc(larger.capacity, sizeof(*larger.slots));
	for (size_t i = 0; i < map->capacity; i++) {
		if (map->slots[i].used)
			*probe(&larger, map->slots[i].key) = map->slots[i];
	}
	free(map->slots);
	*map = larger;
}

void map_prefetch(const struct map *map, uint64_t key)
{
	if (map->capacity)
		__builtin_prefetch(&map->slots[hash_mix(0, key) & (map->capacity - 1)], 1);
}

struct map_slot *map_find(const struct map *map, uint64_t key)
{
	struct map_slot *slot = map->capacity ? probe(map, key) : NULL;

	return slot && slot->used ? slot : NULL;
}

struct map_slot *map_add(struct map *map, uint64_t key, bool *ret_is_new)
{
	struct map_slot *slot;

	if (map->nr >= map->capacity / 2)
		grow(map);
	slot = probe(map, key);
	if (ret_is_new)
		*ret_is_new = !slot->used;
	if (!slot->used) {
		*slot = (struct map_slot){ .key = key, .used = true };
		map->nr++;
	}
	return slot;
}

void map_deinit(struct map *map)
{
	free(map->slots);
	*map = (struct map){};
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t nr)
{
	const char *at = bytes;
	uint64_t word;

	/* Mixed in before any byte is: else (3, "irb") and (5, "orb") cancel out. */
	hash = hash_mix(hash, nr);
	for (; nr >= sizeof(word); nr -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = hash_mix(hash, word);
	}
	word = 0;
	memcpy(&word, at, nr);
	return hash_mix(hash, word);
}

uint64_t hash_string(uint64_t hash, const char *text)
{
	return text ? hash_bytes(hash, text, strlen(text)) : hash_mix(hash, 1);
}
