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

void tally_clear(struct tally *tally)
{
	tally->keys.nr = 0;
	if (tally->capacity)
		memset(tally->slots, 0, tally->capacity * sizeof(*tally->slots));
}

static uint32_t *find_slot(const struct tally *tally, const struct tally_key *key)
{
	size_t at = hash_mix(hash_mix(hash_mix(0, key->words[0]), key->words[1]), key->words[2]);

	for (;; at++) {
		uint32_t *slot = &tally->slots[at & (tally->capacity - 1)];

		if (!*slot || !memcmp(&tally->keys.items[*slot - 1], key, sizeof(*key)))
			return slot;
	}
}

static void grow(struct tally *tally)
{
	tally->capacity = tally->capacity ? 2 * tally->capacity : FIRST_CAPACITY;
	free(tally->slots);
	tally->slots = memory_alloc(tally->capacity, sizeof(*tally->slots));
	for (size_t i = 0; i < tally->keys.nr; i++)
		*find_slot(tally, &tally->keys.items[i]) = (uint32_t)i + 1;
}

uint32_t tally_number(struct tally *tally, const struct tally_key *key, bool *ret_is_new)
{
	uint32_t *slot;

	if (tally->keys.nr >= tally->capacity / 2)
		grow(tally);
	slot = find_slot(tally, key);
	*ret_is_new = !*slot;
	if (!*slot) {
		*vec_add(&tally->keys) = *key;
		*slot = (uint32_t)tally->keys.nr;
	}
	return *slot - 1;
}
