/* SPDX-License-Identifier: GPL-2.0-only */
/* How many bytes an object of some size really takes: the allocator's classes, Linux 6.1. */
#ifndef FIELDLINE_ANALYZE_SLAB_H
#define FIELDLINE_ANALYZE_SLAB_H

#include <stdint.h>

/* The kmalloc() bucket that holds size bytes: 8, 16, 32, 64, 96, ... 8192; 0 = none, pages. */
uint64_t slab_bucket(uint64_t size);

/* A kmem_cache of one struct. */
struct slab {
	uint64_t object_size; /* bytes, with what aligns the next one */
	uint64_t size;	      /* bytes; 0 = larger than the allocator's slabs */
	uint64_t nr_objects;
};

/* What slab_cache() takes for given, in words. */
#define SLAB_ASSUMPTION "SLUB of Linux 6.1 with 4 KiB pages, 8 CPUs, SLAB_HWCACHE_ALIGN"

struct slab slab_cache(uint64_t size, uint32_t align, uint32_t cacheline);

#endif
