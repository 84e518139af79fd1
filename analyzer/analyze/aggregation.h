/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An aggregate on the inside: aggregate.c tells what an access is, aggregate_count.c counts it,
 * aggregate_finish.c makes the profile of it.
 *
 * What an access does to a line of memory is its footprint, and of those there are few: whatever
 * can be told of a place or of a type's line is counted by footprint, and added up at the end.
 */
#ifndef FIELDLINE_ANALYZE_AGGREGATION_H
#define FIELDLINE_ANALYZE_AGGREGATION_H

#include "analyze/aggregate.h"
#include "analyze/line_history.h"
#include "base/map.h"

/* As qsort() wants it. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* struct profile_counts for the many, of fewer than 2^32 samples. */
struct small_counts {
	uint64_t latency;
	uint32_t samples, loads, stores, locked;
	uint32_t hitm_local, hitm_remote, peer;
	uint32_t nr_latency;
};

/* The bytes of a line that a place touches, and where its object lies. */
struct footprint {
	uint32_t place;
	uint32_t where; /* line of the type; PROFILE_NONE = it is a guess, or has no object */
	uint16_t start, end;
	bool is_rest;	 /* the access began on the line before */
	bool has_object; /* its start is known: */
	int64_t object;	 /* from the line's start */
	struct small_counts counts;
	struct cpu_set readers, writers;
};

DEFINE_VEC(footprint_vec, struct footprint);

/* A line of memory. */
struct memory_line {
	uint64_t address;
	struct line_history history;
	struct small_counts counts;
	struct cpu_set cpus;
	uint32_t nr_true, nr_false;
};

DEFINE_VEC(memory_line_vec, struct memory_line);

struct seen_object {
	uint64_t base;
	struct small_counts counts;
	struct cpu_set cpus;
	uint32_t type;
};

DEFINE_VEC(seen_object_vec, struct seen_object);

/* What the lines of a type are judged by, beside what the profile shows. */
struct line_evidence {
	uint64_t nr_sure;    /* events whose two places are known well */
	uint64_t fits_true;  /* contended samples to bytes that another CPU writes */
	uint64_t fits_false; /* to bytes that none does, on a line where one does */
	size_t last_memory;  /* the last line of memory counted as its, + 1 */
};

DEFINE_VEC(line_evidence_vec, struct line_evidence);

struct meeting {
	uint32_t line;
	struct profile_pair pair;
};

DEFINE_VEC(meeting_vec, struct meeting);

/* An access that waits while what counting it will look at is fetched. */
struct waiting_access {
	uint64_t addr;
	uint64_t time_ns;
	uint64_t object;     /* 0 = unknown */
	uint64_t object_key; /* of the map of objects; 0 = it is not counted */
	struct small_counts counts;
	uint32_t footprint; /* of the first line */
	uint32_t memory;    /* index of that line; PROFILE_NONE = not known */
	uint32_t cpu;
	uint32_t size; /* bytes on lines; 0 = nothing can be said of lines */
	uint8_t basis;
	uint8_t confidence;
	bool has_cpu;
	bool is_timed;
};

enum { AGGREGATE_WAITING = 40 };

struct aggregate {
	struct aggregate_options options;
	struct history_rule rule;
	struct profile profile;		 /* being made; its arrays are in the order of arrival */
	struct map types_by_pointer;	 /* of a struct type -> index */
	struct map types_by_identity;	 /* hash of label and layout -> index */
	struct map functions;		 /* hash -> copy in the arena */
	struct map places;		 /* hash of what makes a place -> index */
	struct map footprints_by_access; /* hash of what the resolver says -> index */
	struct map footprints_by_key;	 /* hash of what makes a footprint -> index */
	struct map objects_by_key;	 /* hash of type and base -> index */
	struct map lines;		 /* hash of type, phase, line -> index */
	struct map addresses;		 /* address / cacheline -> index into memory */
	struct map meetings_by_key;
	struct map cpus; /* number -> index */
	struct footprint_vec footprints;
	struct seen_object_vec objects;
	struct line_evidence_vec evidence; /* of each of profile.lines */
	struct memory_line_vec memory;
	struct meeting_vec meetings;
	bool tells_contention; /* some sample said where it found its data */
	struct waiting_access waiting[AGGREGATE_WAITING]; /* a ring */
	uint64_t nr_waited;				  /* that went into the ring, ever */
	uint64_t nr_added;				  /* that came out of it */
};

/* Inline: it runs several times for each sample. */
static inline void small_counts_add(struct small_counts *counts, const struct small_counts *other)
{
	COUNTS_ADD(counts, other);
}

static inline void small_counts_add_to(struct profile_counts *counts,
				       const struct small_counts *other)
{
	COUNTS_ADD(counts, other);
}

static inline struct profile_counts small_counts_widen(const struct small_counts *counts)
{
	struct profile_counts wide = {};

	small_counts_add_to(&wide, counts);
	return wide;
}

/* Small numbers are spread first: else (1, 3) and (2, 0) would be one key. */
static inline uint64_t start_key(uint32_t number)
{
	return hash_mix(0, number + 1ull);
}

/* The part of [start, end) that lies on the start's line. */
static inline void line_bytes(uint64_t start, uint64_t end, uint32_t cacheline, uint16_t *ret_start,
			      uint16_t *ret_end)
{
	uint64_t line = start - start % cacheline;

	*ret_start = (uint16_t)(start - line);
	*ret_end = (uint16_t)(end - line < cacheline ? end - line : cacheline);
}

/* The number of the footprint of these members, made if need be; is_sure: it has a `where`. */
uint32_t aggregate_find_footprint(struct aggregate *aggregate, const struct footprint *footprint,
				  bool is_sure);
/* The pair of that line, made with nr 0 if there is none. */
struct profile_pair *aggregate_meet(struct aggregate *aggregate, uint32_t line,
				    const struct profile_pair *pair);
/* What a line history's event means: counted on the memory line and the type's. */
void aggregate_count_event(struct aggregate *aggregate, struct memory_line *memory,
			   const struct line_event *event);
/* An access whose footprint is known. */
void aggregate_count(struct aggregate *aggregate, const struct waiting_access *added);
/*
 * Where the next one is to be put; counts that in a while, in the order they come; then all that
 * still wait.
 */
struct waiting_access *aggregate_next(struct aggregate *aggregate);
void aggregate_wait(struct aggregate *aggregate);
void aggregate_add_waiting(struct aggregate *aggregate);
/* Once all is added: what was left open, and what fits by CPUs and bytes alone. */
void aggregate_settle(struct aggregate *aggregate);
/* Fills the profile's objects and addresses, once types are in their order. */
void aggregate_keep_objects(struct aggregate *aggregate);
void aggregate_keep_addresses(struct aggregate *aggregate);

#endif
