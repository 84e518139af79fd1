/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the exact counts of an emulated run: counts_format.h says how they lie in the file. */
#ifndef FIELDLINE_TRACE_COUNTS_H
#define FIELDLINE_TRACE_COUNTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "trace/counts_format.h"

struct counts_about {
	const char *name;
	const char *value;
};

struct counts_cache {
	uint32_t object_size;
	uint32_t size;
	const char *name;
};

struct counts_source {
	enum counts_form form;
	uint32_t cache; /* 1 + index; 0 = none, which a slab's never is */
	uint64_t site;
	uint64_t size; /* asked for; 0 = the cache's */
};

struct counts_place {
	uint64_t ip;
	bool is_atomic;
};

struct counts_module {
	uint64_t start;
	uint64_t size;
	const char *name;
};

struct counts_section {
	uint64_t address;
	const char *module;
	const char *name;
};

struct counts_row {
	uint32_t source;
	uint32_t offset;
	uint32_t size;
	uint32_t phase; /* of what the offset counts from, modulo 128 */
	uint32_t place;
	uint32_t context; /* enum counts_context */
	uint32_t cpu;
	struct counts_total total;
};

/* Misses on what the reader touched, for what the writer had written to the line. */
struct counts_pair {
	uint32_t writer_source;
	uint32_t writer_offset;
	uint32_t writer_place;
	uint32_t reader_source;
	uint32_t reader_offset;
	uint32_t reader_place;
	uint64_t nr_true;
	uint64_t nr_false;
};

struct counts_object {
	uint32_t source;
	uint64_t start;
	struct counts_total total;
};

DEFINE_VEC(counts_about_vec, struct counts_about);
DEFINE_VEC(counts_cache_vec, struct counts_cache);
DEFINE_VEC(counts_source_vec, struct counts_source);
DEFINE_VEC(counts_place_vec, struct counts_place);
DEFINE_VEC(counts_module_vec, struct counts_module);
DEFINE_VEC(counts_section_vec, struct counts_section);
DEFINE_VEC(counts_row_vec, struct counts_row);
DEFINE_VEC(counts_pair_vec, struct counts_pair);
DEFINE_VEC(counts_object_vec, struct counts_object);

/* All numbers of sources, places and caches in it are good indexes. */
struct counts {
	struct arena arena;
	struct counts_total total; /* of the region */
	struct counts_about_vec about;
	struct counts_cache_vec caches;
	struct counts_source_vec sources;
	struct counts_place_vec places;
	struct counts_module_vec modules;
	struct counts_section_vec sections;
	struct counts_row_vec rows;
	struct counts_pair_vec pairs;
	struct counts_object_vec objects;
};

/* ERROR_INPUT when path is no such file, is damaged or was cut. */
struct error *counts_read(const char *path, struct counts *ret);
void counts_deinit(struct counts *counts);
#define auto_counts __attribute__((cleanup(counts_deinit)))

/* What the run tells of itself; 0 = it does not. */
uint64_t counts_about(const struct counts *counts, const char *name);

#endif
