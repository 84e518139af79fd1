/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/sources.h"

void sources_deinit(struct sources *sources)
{
	vec_deinit(&sources->all);
	vec_deinit(&sources->caches);
	tally_deinit(&sources->numbers);
	map_deinit(&sources->cache_numbers);
}

uint32_t sources_number(struct sources *sources, const struct source *source)
{
	struct tally_key key = { {
		(uint64_t)source->form << 32 | source->cache,
		source->site,
		source->size,
	} };
	bool is_new;
	uint32_t number = tally_number(&sources->numbers, &key, &is_new);

	if (is_new)
		*vec_add(&sources->all) = *source;
	return number;
}

uint32_t sources_find_cache(const struct sources *sources, uint64_t address)
{
	const struct map_slot *slot = map_find(&sources->cache_numbers, address);

	return slot ? (uint32_t)slot->value : SOURCES_NO_CACHE;
}

uint32_t sources_add_cache(struct sources *sources, const struct source_cache *cache)
{
	*vec_add(&sources->caches) = *cache;
	map_add(&sources->cache_numbers, cache->address, NULL)->value = sources->caches.nr;
	return (uint32_t)sources->caches.nr;
}
