/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile: what a recording's accesses add up to. Per struct, which of its bytes were read and
 * written by which functions on which CPUs, which of its lines were fought over, and why; and
 * beside it what could not be seen. Plain data: analyze/ makes it, store/ keeps it.
 *
 * The atom is the place: bytes of a type as one function touches them. Whatever is told of a
 * field, a line or a function is a sum of places.
 *
 * All counts are of samples. One access that reads and writes counts as a load and as a store.
 */
#ifndef FIELDLINE_MODEL_PROFILE_H
#define FIELDLINE_MODEL_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/access.h"
#include "model/cpu_set.h"
#include "model/typeset.h"

/* Where no type, place or line is meant. */
#define PROFILE_NONE UINT32_MAX
#define PROFILE_NR_SLICES 64

struct profile_counts {
	uint64_t samples;
	uint64_t loads;
	uint64_t stores;
	uint64_t locked;
	/* Found the line modified in another cache. Only an emulator tells this of stores. */
	uint64_t hitm_local;
	uint64_t hitm_remote;
	uint64_t peer;	     /* Arm: loads that another core's cache answered */
	uint64_t latency;    /* cycles, summed */
	uint64_t nr_latency; /* samples that told a latency */
};

/* What a line's accesses are to each other. */
enum verdict {
	VERDICT_NONE,	   /* one CPU, or nobody writes */
	VERDICT_UNDECIDED, /* CPUs fight over it, but what was seen does not say over which bytes */
	VERDICT_TRUE,	   /* over bytes that one writes and the other uses */
	VERDICT_FALSE,	   /* over the line alone: their bytes are disjoint */
	VERDICT_MIXED,
	VERDICT_NR,
};

enum certainty {
	CERTAINTY_NONE,
	CERTAINTY_SUSPECTED, /* the bytes and the CPUs fit; no time tells that they met */
	CERTAINTY_CONFIRMED, /* same object, other CPU, a writer, inside the window */
	CERTAINTY_NR,
};

struct profile_type {
	const char *label; /* "struct inode"; "(unresolved)" */
	/* The layout; NULL for what is no struct or union, and for the unresolved. */
	const struct type *type;
	uint64_t size; /* bytes; 0 = unknown */
	struct profile_counts counts;
	uint64_t nr_objects; /* distinct ones seen */
	uint32_t first_place, nr_places;
	uint32_t first_line, nr_lines;
	uint32_t first_phase, nr_phases;
	uint32_t first_cut, nr_cuts;
};

/* Bytes of a type as one function touches them. Of the unresolved: bytes of their line. */
struct profile_place {
	uint32_t type;
	uint32_t size; /* bytes; 0 = unknown */
	uint64_t offset;
	const char *function; /* NULL = unknown */
	/*
	 * Not sampled: it runs behind a sampled instruction for certain. Counts tell only whether
	 * it loads and stores, 1 or 0.
	 */
	bool inferred;
	uint8_t basis;			   /* enum access_basis of all its samples, or-ed */
	enum access_confidence confidence; /* the least of its samples */
	struct profile_counts counts;
	struct cpu_set readers;
	struct cpu_set writers;
};

/* How many objects of a type start how far behind a line boundary. */
struct profile_phase {
	uint32_t phase;
	uint64_t nr_objects;
	uint64_t nr_samples;
};

/* A line of a type's objects that start at this phase. */
struct profile_line {
	uint32_t type;
	uint32_t phase;
	uint64_t line;	     /* number inside the object, as view_line() counts */
	uint64_t nr_objects; /* whose line this was */
	struct profile_counts counts;
	struct cpu_set readers;
	struct cpu_set writers;
	/*
	 * Accesses that followed another CPU's write to the line inside the window: nr_true used
	 * bytes that had been written, nr_false did not.
	 */
	uint64_t nr_true;
	uint64_t nr_false;
	uint64_t nr_neighbour; /* of nr_false: the writer wrote to another object on the line */
	enum verdict verdict;
	enum certainty certainty;
	uint32_t first_pair, nr_pairs;
};

/* Who met whom on a line, the most frequent first. */
struct profile_pair {
	uint32_t writer; /* place */
	uint32_t other;	 /* place that read or wrote after it, on another CPU */
	bool overlaps;	 /* they have bytes in common, of the same object */
	bool neighbour;	 /* of different objects */
	bool timed; /* counted inside the window; else the CPUs allow it, nr is what they did */
	uint64_t nr;
};

/* Words that one operation writes together, parted by a line boundary. */
struct profile_cut {
	uint32_t type;
	uint32_t phase;
	uint64_t first_offset, first_size;
	uint64_t second_offset, second_size; /* on the line behind the first's */
	const char *function;		     /* that writes both */
	const char *lock;		     /* the lock both belong to, a path; NULL = none */
	enum certainty certainty;
	struct profile_counts first_counts, second_counts;
};

struct profile_object {
	uint32_t type;
	uint64_t base;	  /* address */
	const char *name; /* of the variable; NULL = none */
	struct profile_counts counts;
	struct cpu_set cpus;
};

/* A line of memory. */
struct profile_address {
	uint64_t address;
	uint32_t type;	 /* the one with most samples on it */
	uint64_t object; /* that one's start; 0 = unknown */
	struct profile_counts counts;
	struct cpu_set cpus;
	uint64_t nr_true;
	uint64_t nr_false;
};

struct profile_cpu {
	uint32_t cpu;
	uint32_t node; /* PROFILE_NONE = unknown */
	struct profile_counts counts;
};

DEFINE_VEC(profile_type_vec, struct profile_type);
DEFINE_VEC(profile_place_vec, struct profile_place);
DEFINE_VEC(profile_phase_vec, struct profile_phase);
DEFINE_VEC(profile_line_vec, struct profile_line);
DEFINE_VEC(profile_pair_vec, struct profile_pair);
DEFINE_VEC(profile_cut_vec, struct profile_cut);
DEFINE_VEC(profile_object_vec, struct profile_object);
DEFINE_VEC(profile_address_vec, struct profile_address);
DEFINE_VEC(profile_cpu_vec, struct profile_cpu);

/* What was read and what could not be seen. */
struct profile_totals {
	struct profile_counts counts; /* of the memory samples: resolved and unresolved */
	uint64_t nr_other;	      /* samples that are no load and no store */
	uint64_t nr_user;	      /* in user space: left out */
	uint64_t nr_resolved;
	uint64_t nr_by_basis[BASIS_CONTAINER << 1]; /* resolved, by the set of ways */
	uint64_t nr_by_confidence[CONFIDENCE_HIGH + 1];
	uint64_t nr_unresolved[ACCESS_NR_REASONS];
	uint64_t nr_lost; /* samples the kernel says it dropped */
	uint64_t first_ns, last_ns;
	uint64_t slice_ns; /* length of each of the slices below */
	uint64_t window_ns;
	bool has_times;
	bool is_complete;	      /* every access was recorded, none was sampled away */
	bool truncated;		      /* the recording ends in the middle of a record */
	uint64_t nr_objects_left_out; /* by a bound on what is kept */
	uint64_t nr_addresses_left_out;
};

struct profile {
	struct arena arena;
	/* The layouts. What was made here borrows their types, what was read back owns them. */
	struct typeset set;
	uint32_t cacheline; /* bytes */
	struct profile_totals totals;
	struct profile_type_vec types;	      /* most contended first; then label */
	struct profile_place_vec places;      /* by type, offset, size, function */
	struct profile_line_vec lines;	      /* by type, phase, line */
	struct profile_pair_vec pairs;	      /* by line, most frequent first */
	struct profile_phase_vec phases;      /* by type, most objects first */
	struct profile_cut_vec cuts;	      /* by type, phase, offset */
	struct profile_object_vec objects;    /* most contended first; at most so many are kept */
	struct profile_address_vec addresses; /* the same */
	struct profile_cpu_vec cpus;	      /* by number */
	/* The time from first_ns on in equal parts; all 0 without times. */
	struct profile_counts slices[PROFILE_NR_SLICES];
	struct string_vec limits; /* sentences: what this machine's events cannot tell */
};

void profile_deinit(struct profile *profile);
#define auto_profile __attribute__((cleanup(profile_deinit)))

/* Of any two structs that have these members, of whatever width. */
#define COUNTS_ADD(counts, other)                              \
	({                                                     \
		(counts)->samples += (other)->samples;         \
		(counts)->loads += (other)->loads;             \
		(counts)->stores += (other)->stores;           \
		(counts)->locked += (other)->locked;           \
		(counts)->hitm_local += (other)->hitm_local;   \
		(counts)->hitm_remote += (other)->hitm_remote; \
		(counts)->peer += (other)->peer;               \
		(counts)->latency += (other)->latency;         \
		(counts)->nr_latency += (other)->nr_latency;   \
	})

/* Both inline: they run several times for each sample. */
static inline void profile_counts_add(struct profile_counts *counts,
				      const struct profile_counts *other)
{
	COUNTS_ADD(counts, other);
}

/* HITM of both kinds and peer answers. */
static inline uint64_t profile_counts_contended(const struct profile_counts *counts)
{
	return counts->hitm_local + counts->hitm_remote + counts->peer;
}

/* Mean cycles; 0 = none told. */
uint64_t profile_counts_latency(const struct profile_counts *counts);

/* Stable words for JSON: "none", "undecided", "true", "false", "mixed". */
const char *verdict_word(enum verdict verdict);
/* "none", "suspected", "confirmed". */
const char *certainty_word(enum certainty certainty);

/* The type of that label ("struct inode", or "inode"); PROFILE_NONE. */
uint32_t profile_find_type(const struct profile *profile, const char *label);
/* What all places of a type's bytes [offset, offset + size) add up to, inferred ones not. */
struct profile_counts profile_sum(const struct profile *profile, uint32_t type, uint64_t offset,
				  uint64_t size);

#endif
