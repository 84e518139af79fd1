/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line of memory and who touched which of its bytes when: enough to say of an access that
 * followed another CPU's write whether it used what was written (true sharing) or had to fetch
 * the line for other bytes (false sharing).
 *
 * The rule is that of Dubois and others (ISCA 1993), as coherence/ has it: an access by a CPU that
 * lost the line to another CPU's write is true sharing if, before the CPU loses the line again, it
 * touches bytes that were written meanwhile; else false sharing. On a recording of every access
 * with no window the counts equal coherence/'s; a test holds them against each other. On samples
 * they are evidence, not counts of misses: then the write must lie inside the window, and a CPU's
 * first access counts too, for it was hardly its first.
 *
 * Memory grows with the number of footprints and CPUs on the line, never with accesses. All is
 * small, for a recording may have lines by the hundred thousand; what is counted in 32 bits are
 * accesses of one line.
 */
#ifndef FIELDLINE_ANALYZE_LINE_HISTORY_H
#define FIELDLINE_ANALYZE_LINE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* What the rule needs to know of the recording. */
struct history_rule {
	uint64_t window_ns; /* UINT64_MAX = none */
	bool every_access;  /* nothing was sampled away */
};

/* An access to the bytes [start, end) of the line. */
struct line_touch {
	uint64_t time_ns;
	/* The caller's number for who touches these bytes: those of one number are the same. */
	uint32_t footprint;
	uint32_t cpu;
	uint16_t start, end;
	bool reads, writes;
	bool contended; /* the machine says that another cache had it */
};

struct line_write {
	uint64_t time_ns;
	uint32_t serial; /* of the line's accesses, from 1; 0 = never */
	uint32_t cpu;
};

/* The latest write, and the latest one by any other CPU than that. */
struct latest_writes {
	struct line_write last, other;
};

#define LINE_NONE UINT32_MAX

/* A footprint on this line. */
struct line_spot {
	uint64_t readers; /* CPU modulo 64: if two sets differ in a bit, the CPUs do for certain */
	uint32_t footprint;
	uint32_t nr_samples, nr_contended;
	uint32_t writes; /* index of its line_writes; LINE_NONE = it was only read */
};

/* Who wrote to a spot when. Most spots are only read. */
struct line_writes {
	struct latest_writes latest;
	uint64_t writers; /* as readers */
	uint32_t nr_stores;
	uint32_t footprint;
	/* The writes of what was written before and behind it; LINE_NONE at both ends. */
	uint32_t earlier, later;
	uint16_t start, end;
};

/* An access that fetched the line and has not yet used anything that was written meanwhile. */
struct line_holder {
	uint32_t last;	/* serial of the CPU's last access */
	uint32_t since; /* of the one before it lost the line */
	uint32_t cpu;
	uint32_t pending;	    /* who wrote what took the line; LINE_NONE = nothing is open */
	uint32_t pending_footprint; /* of the access that fetched it again */
};

/* As base/vec.h has it, but half as large. */
#define DEFINE_SMALL_VEC(name, type) \
	struct name {                \
		type *items;         \
		uint32_t nr;         \
		uint32_t capacity;   \
	}

DEFINE_SMALL_VEC(line_spot_vec, struct line_spot);
DEFINE_SMALL_VEC(line_writes_vec, struct line_writes);
DEFINE_SMALL_VEC(line_holder_vec, struct line_holder);

struct line_slot {
	uint32_t footprint;
	uint32_t number; /* of the spot, + 1; 0 = free */
};

struct line_history {
	struct line_spot_vec spots;
	struct line_writes_vec writes;
	struct line_holder_vec holders;
	struct line_slot *slots; /* where spots are many, by their footprints */
	uint32_t nr_slots;	 /* a power of two, spots fill at most 3/4; or 0 */
	uint32_t nr;		 /* accesses */
	/* Of all spots: who wrote what last, and the last one's writes. Where there are any. */
	struct latest_writes latest;
	uint32_t last_footprint, other_footprint;
	uint32_t last_written;
};

/* A CPU's access that followed another's write. */
struct line_event {
	bool is_true;
	uint32_t writer; /* footprint */
	uint32_t other;	 /* that of the access behind it */
};

/*
 * Fetch from memory what adding an access of this footprint will look at, with other work between
 * them: where it is, then the spot itself, then, if it writes, the spot's writes.
 */
void line_history_prefetch(const struct line_history *history, uint32_t footprint);
void line_history_prefetch_spot(const struct line_history *history, uint32_t footprint);
void line_history_prefetch_writes(const struct line_history *history, uint32_t footprint);
/* Adds an access; tells of what is decided by it: *ret_nr events, at most 2. */
void line_history_add(struct line_history *history, const struct history_rule *rule,
		      const struct line_touch *touch, struct line_event ret[2],
		      unsigned int *ret_nr);
/* The end: decides what the CPU of holders.items[at] left open. */
bool line_history_flush(struct line_history *history, size_t at, struct line_event *ret);
void line_history_deinit(struct line_history *history);

#endif
