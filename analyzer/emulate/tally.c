/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/tally.h"

#include <string.h>

#include "base/map.h"

enum { FIRST_CAPACITY = 1024 };

void tally_deinit(struct tally *tally)
{
	vec_deinit(&tally->keys);
	free(tally->slots);
}

static uint64_t hash_key(const struct tally_key *key)
{
	return hash_mix(hash_mix(hash_mix(0, key->words[0]), key->words[1]), key->words[2]);
}

static struct tally_slot *find_slot(const struct tally *tally, const struct tally_key *key,
				    uint64_t hash)
{
	uint32_t tag = (uint32_t)(hash >> 32);

	for (size_t at = hash;; at++) {
		struct tally_slot *slot = &tally->slots[at & (tally->capacity - 1)];

		if (!slot->number)
			return slot;
		if (slot->tag == tag &&
		    !memcmp(&tally->keys.items[slot->number - 1], key, sizeof(*key)))
			return slot;
	}
}

static void fill_slot(struct tally_slot *slot, uint64_t hash, size_t number)
{
	*slot = (struct tally_slot){ (uint32_t)number + 1, (uint32_t)(hash >> 32) };
}

static void grow(struct tally *tally)
{
	tally->capacity = tally->capacity ? 2 * tally->capacity : FIRST_CAPACITY;
	free(tally->slots);
	tally->slots = memory_alloc(tally->capacity, sizeof(*tally->slots));
	for (size_t i = 0; i < tally->keys.nr; i++) {
		uint64_t hash = hash_key(&tally->keys.items[i]);

		fill_slot(find_slot(tally, &tally->keys.items[i], hash), hash, i);
	}
}

uint32_t tally_number(struct tally *tally, const struct tally_key *key, bool *ret_is_new)
{
	uint64_t hash = hash_key(key);
	struct tally_slot *slot;

	if (tally->keys.nr >= tally->capacity / 2)
		grow(tally);
	slot = find_slot(tally, key, hash);
	*ret_is_new = !slot->number;
	if (!slot->number) {
		fill_slot(slot, hash, tally->keys.nr);
		*vec_add(&tally->keys) = *key;
	}
	return slot->number - 1;
}
