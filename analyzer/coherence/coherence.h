/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache coherence, as a model: who holds which line, what each access costs the others, and
 * whether a transfer carried anything that was wanted (true sharing) or not (false sharing).
 *
 *	struct coherence_config config = {
 *		.topology = { .nr_sockets = 2, .nr_cpus_per_socket = 4 },
 *		.line_size = 64,
 *		.on_event = count_by_field,
 *		.on_verdict = note_the_pair,
 *	};
 *	auto_coherence struct coherence *coherence = NULL;
 *
 *	err = coherence_create(&config, &coherence);
 *	for (each access, in the order of the machine)
 *		coherence_access(coherence, &access);
 *	coherence_flush(coherence);
 *
 * What is modelled: every CPU has one private cache, unlimited unless sets and ways are given;
 * MESI or MOESI keeps them coherent; CPU n sits in socket n / nr_cpus_per_socket, and a socket is
 * a NUMA node. Accesses take effect one after the other, as they are given.
 *
 * What is left out: store buffers (a store is seen at once, so no access waits in one and none is
 * merged there), prefetch, shared caches (what no private cache holds comes from memory), time.
 *
 * Two questions are asked of a miss, and answered apart:
 *
 *	event: where did the line come from?	memory, a clean copy, a modified one (HITM)
 *	cause: why was it not there?		cold, evicted, or taken away (coherence)
 *
 * A copy in state Owned counts as clean: an earlier HITM fetched what was written to it, and that
 * is how a MESI machine would have it. So the protocols differ in write-backs, and in which of the
 * clean copies is supplied: the owner's, or the nearest.
 *
 * The cause does not depend on the size of the caches: it is a coherence miss if an unlimited
 * cache would have missed too, having held the line once; an eviction miss if that would have hit.
 *
 * Each coherence miss gets a verdict, later. Dubois, Skeppstedt, Ricciulli, Ramamurthy and
 * Stenström ("The detection and elimination of useless misses in multiprocessors", ISCA 1993):
 * it is true sharing if the CPU, before it loses the line again, touches a word that another CPU
 * wrote meanwhile; false sharing if it does not. A "word" here is a byte: that splits what no
 * program can. "Loses" is to a write by another CPU; an eviction ends nothing. "Meanwhile" is
 * since the CPU last had the line; Dubois' own reading is since its last essential (cold or true
 * sharing) miss, which differs after a run of false sharing: see since_essential. Upgrades
 * transfer no data and get no verdict.
 *
 * The line size is any power of two. 128 on a machine of 64-byte lines is the pair view: what the
 * adjacent-line prefetcher can make fight. coherence_only_as_pair() tells the verdicts whose two
 * sides share no line of 64.
 *
 * Memory for a touched line is under 54 bytes; for one that a CPU has ever lost to another's
 * write 40 + 48 per CPU + 16 per byte of the line more, 1.4 KiB at 8 CPUs and 64 bytes.
 */
#ifndef FIELDLINE_COHERENCE_COHERENCE_H
#define FIELDLINE_COHERENCE_COHERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
	COHERENCE_MAX_CPUS = 64,	/* bits of a line's word of sharers */
	COHERENCE_MAX_LINE_SIZE = 4096, /* a page: physical neighbours end there */
	COHERENCE_MAX_SETS = 1 << 16,
	COHERENCE_MAX_WAYS = 64,
	COHERENCE_NO_CPU = 255,
};

enum coherence_protocol {
	COHERENCE_MESI, /* a modified line that is read goes back to memory */
	COHERENCE_MOESI /* its owner keeps it, dirty (AMD) */
};

struct coherence_topology {
	unsigned int nr_sockets;
	unsigned int nr_cpus_per_socket;
};

enum coherence_kind {
	COHERENCE_LOAD,
	COHERENCE_STORE,
	COHERENCE_ATOMIC, /* reads and writes, as one read-for-ownership: give it once */
	COHERENCE_NR_KINDS
};

struct coherence_access {
	uint64_t address;
	uint32_t size;
	uint32_t place; /* the caller's: what made the access. Comes back in events and verdicts */
	uint8_t cpu;	/* below the number of CPUs */
	uint8_t kind;	/* enum coherence_kind */
};

/* The bytes of one line that one access touched. */
struct coherence_touch {
	uint32_t place;
	uint16_t offset; /* into the line */
	uint16_t size;
	uint8_t cpu;
};

enum coherence_event_kind {
	COHERENCE_HIT,		/* only counted, never told */
	COHERENCE_UPGRADE,	/* written while Shared or Owned: the others' copies go, no data */
	COHERENCE_MEMORY,	/* no cache held it */
	COHERENCE_CLEAN_LOCAL,	/* a cache of the same socket had it, not Modified */
	COHERENCE_CLEAN_REMOTE, /* a cache of another socket did */
	COHERENCE_HITM_LOCAL,	/* a cache of the same socket had it Modified */
	COHERENCE_HITM_REMOTE,	/* a cache of another socket did */
	COHERENCE_WRITE_BACK,	/* dirty data went to memory; told after the event that caused it */
	COHERENCE_NR_EVENTS
};

enum coherence_cause {
	COHERENCE_NO_MISS, /* HIT, UPGRADE, WRITE_BACK */
	COHERENCE_COLD,	   /* the CPU never had the line */
	COHERENCE_EVICTED, /* it would still have it in a cache without limits */
	COHERENCE_TAKEN,   /* another CPU wrote to it: true or false sharing */
	COHERENCE_NR_CAUSES
};

/* What one access did to one line; an access that crosses lines makes several. */
struct coherence_event {
	enum coherence_event_kind kind;
	enum coherence_cause cause;
	enum coherence_kind access;
	uint64_t line;		      /* its address */
	uint64_t serial;	      /* accesses before this one */
	struct coherence_touch touch; /* of WRITE_BACK: the access that caused it */
	uint8_t supplier;	      /* the CPU whose copy it was, or COHERENCE_NO_CPU */
	uint8_t nr_invalidated;	      /* copies that a write took away */
	bool *mark;		      /* the line's, for the caller to set; of WRITE_BACK: NULL */
};

/*
 * A coherence miss, decided. True sharing: `writer` wrote, last, the first fresh byte that
 * `reader` touched. False sharing: `writer` took the line away from `reader`, which missed it
 * and touched nothing fresh. `missed` is the access that missed; true sharing may come later.
 */
struct coherence_verdict {
	bool is_true;
	enum coherence_event_kind kind; /* of the miss, as its event told */
	enum coherence_kind access;	/* that missed */
	uint64_t line;
	uint64_t serial; /* of the miss */
	struct coherence_touch writer;
	struct coherence_touch reader;
	struct coherence_touch missed;
};

struct coherence_config {
	struct coherence_topology topology;
	unsigned int line_size;
	enum coherence_protocol protocol;
	unsigned int nr_sets; /* of each CPU's cache, a power of two; 0 = no limit */
	unsigned int nr_ways;
	bool since_essential; /* count as fresh what was written since the last essential miss */
	/*
	 * May be NULL. Called from coherence_access() and coherence_flush(), which they may not
	 * call in turn. One access tells, for each line: its event, verdicts on those that it takes
	 * the line from (by CPU), the verdict on itself, the write-backs.
	 */
	void (*on_event)(void *context, const struct coherence_event *event);
	void (*on_verdict)(void *context, const struct coherence_verdict *verdict);
	void *context;
};

/* These only grow; for a region, subtract two copies. */
struct coherence_counts {
	uint64_t accesses[COHERENCE_NR_KINDS];
	uint64_t nr_split; /* lines touched beyond an access' first */
	uint64_t events[COHERENCE_NR_EVENTS];
	uint64_t misses[COHERENCE_NR_CAUSES];
	uint64_t nr_invalidated;
	uint64_t nr_true; /* verdicts: together misses[COHERENCE_TAKEN] once flushed */
	uint64_t nr_false;
};

struct coherence_memory {
	size_t nr_lines;	/* touched */
	size_t lines_bytes;	/* the core table */
	size_t nr_contended;	/* ever lost by a CPU to another's write */
	size_t contended_bytes; /* what the classifier needs for those */
};

struct coherence;

/* "2x4": two sockets of four CPUs; "8": one socket of eight. */
struct error *coherence_parse_topology(const char *text, struct coherence_topology *ret);

/* ERROR_USAGE when the configuration makes no sense. */
struct error *coherence_check(const struct coherence_config *config);
/* Errors as coherence_check(). */
struct error *coherence_create(const struct coherence_config *config, struct coherence **ret);
void coherence_destroy(struct coherence *coherence);

/* Of size 0: nothing happens. Yields whether a line that it touched is marked. */
bool coherence_access(struct coherence *coherence, const struct coherence_access *access);
/*
 * The same for most accesses, in few steps: yields true when it is a hit of which nothing is to
 * be told, on no marked line. Else nothing has happened.
 */
bool coherence_access_quietly(struct coherence *coherence, uint64_t address, uint32_t size,
			      unsigned int cpu, enum coherence_kind kind);
/* The end: misses that still wait for their verdict are false sharing. */
void coherence_flush(struct coherence *coherence);

const struct coherence_counts *coherence_counts(const struct coherence *coherence);
struct coherence_memory coherence_memory(const struct coherence *coherence);

/* Whether writer and reader have no line of line_size bytes in common. */
static inline bool coherence_only_as_pair(const struct coherence_verdict *verdict,
					  unsigned int line_size)
{
	const struct coherence_touch *writer = &verdict->writer;
	const struct coherence_touch *reader = &verdict->reader;

	return (writer->offset + writer->size - 1) / line_size < reader->offset / line_size ||
	       (reader->offset + reader->size - 1) / line_size < writer->offset / line_size;
}

static inline void coherence_destroy_pointer(struct coherence **coherence)
{
	coherence_destroy(*coherence);
}

#define auto_coherence __attribute__((cleanup(coherence_destroy_pointer)))

#endif
