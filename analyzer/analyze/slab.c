/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/slab.h"

#include "base/memory.h"

#define PAGE_BYTES 4096u
#define MAX_ORDER 3u	/* slub_max_order: PAGE_ALLOC_COSTLY_ORDER */
#define MIN_OBJECTS 20u /* of calculate_order(): 4 * (fls(8 CPUs) + 1) */

uint64_t slab_bucket(uint64_t size)
{
	/* include/linux/slab.h, kmalloc_index(): powers of two, and 96 and 192. */
	static const uint64_t buckets[] = { 8,	 16,  32,   64,	  96,	128, 192,
					    256, 512, 1024, 2048, 4096, 8192 };

	for (size_t i = 0; i < array_size(buckets); i++) {
		if (size <= buckets[i])
			return buckets[i];
	}
	return 0;
}

static uint64_t round_up(uint64_t size, uint64_t align)
{
	return (size + align - 1) / align * align;
}

/* mm/slab_common.c, calculate_alignment(): small objects may share a line. */
static uint64_t cache_align(uint64_t size, uint32_t align, uint32_t cacheline)
{
	uint64_t wanted = cacheline;

	while (wanted > 8 && size <= wanted / 2)
		wanted /= 2;
	wanted = wanted > align ? wanted : align;
	return wanted > 8 ? wanted : 8;
}

/* mm/slub.c, calc_slab_order(): the least order that wastes at most a fraction. */
static uint64_t slab_bytes(uint64_t object, unsigned int min_objects, unsigned int fraction)
{
	unsigned int order = 0;

	while (order < MAX_ORDER && PAGE_BYTES << order < min_objects * object)
		order++;
	for (; order <= MAX_ORDER; order++) {
		uint64_t bytes = PAGE_BYTES << order;

		if (bytes >= min_objects * object && bytes % object <= bytes / fraction)
			return bytes;
	}
	return 0;
}

/* mm/slub.c, calculate_order(). */
static uint64_t choose_bytes(uint64_t object)
{
	uint64_t most = (PAGE_BYTES << MAX_ORDER) / object;
	unsigned int min_objects = most < MIN_OBJECTS ? (unsigned int)most : MIN_OBJECTS;

	for (; min_objects > 1; min_objects--) {
		for (unsigned int fraction = 16; fraction >= 4; fraction /= 2) {
			uint64_t bytes = slab_bytes(object, min_objects, fraction);

			if (bytes)
				return bytes;
		}
	}
	return slab_bytes(object, 1, 1);
}

struct slab slab_cache(uint64_t size, uint32_t align, uint32_t cacheline)
{
	struct slab slab = {};

	if (!size || size > PAGE_BYTES << MAX_ORDER)
		return slab;
	slab.object_size = round_up(size, cache_align(size, align, cacheline));
	if (slab.object_size > PAGE_BYTES << MAX_ORDER)
		return slab;
	slab.size = choose_bytes(slab.object_size);
	slab.nr_objects = slab.size / slab.object_size;
	return slab;
}
