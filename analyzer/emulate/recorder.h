/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts exactly what the coherence model says of each access: by what memory it was and where in
 * it, by instruction, context and CPU. What memory it was is asked at the moment of the event.
 *
 * Events are counted on all lines (first touches only in the total); accesses that hit only on
 * lines that CPUs have fought over so far, the warm-up included: that were written and moved. Of
 * pages, which hold contents of files and disks, and of stacks hits are not counted, and events by
 * line. With every_access all accesses are counted, those of stacks by the frame that they lie in.
 */
#ifndef FIELDLINE_EMULATE_RECORDER_H
#define FIELDLINE_EMULATE_RECORDER_H

#include "coherence/coherence.h"
#include "emulate/allocations.h"
#include "emulate/frames.h"
#include "emulate/page_arrays.h"
#include "emulate/sources.h"

/* An instruction; its number goes through the model with the context beside it. */
struct place {
	uint64_t ip;
	uint32_t number;
	bool is_atomic;
	bool is_wide;
	bool is_call;
	bool is_return;
};

/* Memory, at a moment. */
struct memory_spot {
	uint32_t source;
	uint32_t phase;	 /* of what the offset counts from, modulo 128 */
	uint64_t offset; /* below 2^32 */
	uint64_t start;
};

struct recorder_row {
	uint32_t source;
	uint32_t offset;
	uint32_t size;
	uint32_t place;
	uint8_t context;
	uint8_t cpu;
	uint8_t phase;
	struct counts_total total;
};

struct recorder_pair {
	struct memory_spot writer;
	struct memory_spot reader;
	uint32_t writer_place;
	uint32_t reader_place;
	uint64_t nr_true;
	uint64_t nr_false;
};

struct recorder_object {
	uint32_t source;
	uint64_t start;
	struct counts_total total;
};

DEFINE_VEC(recorder_row_vec, struct recorder_row);
DEFINE_VEC(recorder_pair_vec, struct recorder_pair);
DEFINE_VEC(recorder_object_vec, struct recorder_object);

struct recorder;

struct recorder_config {
	struct coherence_config coherence; /* its callbacks are the recorder's */
	uint32_t page_struct;		   /* bytes of a struct page */
	bool every_access;		   /* count hits on all lines */
	/* May be NULL. Each event but first touches, in the region. */
	void (*on_event)(void *context, const struct coherence_event *event);
	void *context;
};

struct error *recorder_create(const struct recorder_config *config, struct recorder **ret);
void recorder_destroy(struct recorder *recorder);

struct allocations *recorder_allocations(struct recorder *recorder);
struct sources *recorder_sources(struct recorder *recorder);
/* Of stacks, with every_access; whoever tells of accesses keeps them up to date. */
struct frames *recorder_frames(struct recorder *recorder);
struct page_arrays *recorder_page_arrays(struct recorder *recorder);
/* Accesses so far: the clock of allocations. */
uint64_t recorder_now(const struct recorder *recorder);

/* place: its number << 2 | enum counts_context. */
void recorder_access(struct recorder *recorder, const struct coherence_access *access);
/* Most accesses, in few steps: see coherence_access_quietly(). Not with every_access. */
bool recorder_access_quietly(struct recorder *recorder, uint64_t address, uint32_t size,
			     unsigned int cpu, enum coherence_kind kind);
/* The region starts: the caches stay warm, what was counted is forgotten. */
void recorder_start(struct recorder *recorder);
/* The region ends: misses that wait for their verdict get it. */
void recorder_stop(struct recorder *recorder);

struct coherence_memory recorder_memory(const struct recorder *recorder);
/* The sum of the region; all rows, pairs, objects in the order in which they came up. */
struct counts_total recorder_total(const struct recorder *recorder);
const struct recorder_row_vec *recorder_rows(const struct recorder *recorder);
const struct recorder_pair_vec *recorder_pairs(const struct recorder *recorder);
const struct recorder_object_vec *recorder_objects(const struct recorder *recorder);

static inline uint32_t recorder_place(uint32_t number, enum counts_context context)
{
	return number << 2 | context;
}

#endif
