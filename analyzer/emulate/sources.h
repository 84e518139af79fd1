/* SPDX-License-Identifier: GPL-2.0-only */
/* Where memory comes from: slab caches by their address in the guest, and what uses them. */
#ifndef FIELDLINE_EMULATE_SOURCES_H
#define FIELDLINE_EMULATE_SOURCES_H

#include "base/map.h"
#include "emulate/tally.h"
#include "trace/counts_format.h"

enum { SOURCES_NO_CACHE = 0 };

struct source_cache {
	uint64_t address;
	uint32_t size;
	uint32_t object_size;
	char name[48];
};

DEFINE_VEC(source_cache_vec, struct source_cache);

struct source {
	enum counts_form form;
	uint32_t cache; /* 1 + index; SOURCES_NO_CACHE */
	uint64_t site;	/* the instruction behind the call */
	uint64_t size;	/* asked for; 0 = the cache's */
};

DEFINE_VEC(source_vec, struct source);

/* A zeroed one is empty. */
struct sources {
	struct source_vec all;
	struct source_cache_vec caches;
	struct tally numbers;
	struct map cache_numbers; /* by address: 1 + index */
};

void sources_deinit(struct sources *sources);
uint32_t sources_number(struct sources *sources, const struct source *source);
/* 1 + index of the cache, SOURCES_NO_CACHE where none is known at that address. */
uint32_t sources_find_cache(const struct sources *sources, uint64_t address);
uint32_t sources_add_cache(struct sources *sources, const struct source_cache *cache);

#endif
