/* SPDX-License-Identifier: GPL-2.0-only */
/* An aggregate on the inside: aggregate.c fills it, aggregate_finish.c makes the profile of it. */
#ifndef FIELDLINE_ANALYZE_AGGREGATION_H
#define FIELDLINE_ANALYZE_AGGREGATION_H

#include "analyze/aggregate.h"
#include "analyze/line_history.h"
#include "base/map.h"

/* A line of memory. */
struct memory_line {
	uint64_t address;
	struct line_history history;
	struct profile_counts counts;
	struct cpu_set cpus;
	uint64_t nr_true, nr_false;
};

DEFINE_VEC(memory_line_vec, struct memory_line);

/* What the lines of a type are judged by, beside what the profile shows. */
struct line_evidence {
	uint64_t nr_sure;    /* events whose two places are known well */
	uint64_t fits_true;  /* contended samples to bytes that another CPU writes */
	uint64_t fits_false; /* to bytes that none does, on a line where one does */
};

DEFINE_VEC(line_evidence_vec, struct line_evidence);

struct meeting {
	uint32_t line;
	struct profile_pair pair;
};

DEFINE_VEC(meeting_vec, struct meeting);

/* The place that was found for these the last time. */
struct recent_place {
	const struct type *type;
	const char *function;
	uint64_t offset;
	uint32_t size;
	uint32_t number; /* + 1; 0 = nothing is here */
};

/* An access that waits while what adding it will look at is fetched. */
struct waiting_access {
	struct sample sample;
	struct access access;
	struct profile_counts counts;
	struct line_touch touch; /* of the first line; the serial is not there yet */
	uint32_t place;
	uint32_t memory; /* index of that line; PROFILE_NONE = not known */
};

enum { AGGREGATE_RECENT = 4096, AGGREGATE_WAITING = 32 };

struct aggregate {
	struct aggregate_options options;
	struct history_rule rule;
	struct profile profile;	      /* being made; its arrays are in the order of arrival */
	struct map types_by_pointer;  /* of a struct type -> index */
	struct map types_by_identity; /* hash of label and layout -> index */
	struct map functions;	      /* hash -> copy in the arena */
	struct map places;	      /* hash of what makes a place -> index */
	struct map objects;	      /* hash of type and base -> index */
	struct map lines;	      /* hash of type, phase, line -> index */
	struct map addresses;	      /* address / cacheline -> index into memory */
	struct map meetings_by_key;
	struct map cpus;		   /* number -> index */
	struct line_evidence_vec evidence; /* of each of profile.lines */
	struct memory_line_vec memory;
	struct meeting_vec meetings;
	bool tells_contention; /* some sample said where it found its data */
	struct recent_place recent[AGGREGATE_RECENT];
	struct waiting_access waiting[AGGREGATE_WAITING]; /* a ring */
	uint64_t nr_waited;				  /* that went into the ring, ever */
	uint64_t nr_added;				  /* that came out of it */
};

/* The pair of that line, made with nr 0 if there is none. */
struct profile_pair *aggregate_meet(struct aggregate *aggregate, uint32_t line,
				    const struct profile_pair *pair);
/* What a line history's event means: counted on the memory line and the type's. */
void aggregate_count_event(struct aggregate *aggregate, struct memory_line *memory,
			   const struct line_event *event);
/* An access whose place is known. */
void aggregate_count(struct aggregate *aggregate, const struct waiting_access *added);
/* Adds it in a while, in the order they come; then all that still wait. */
void aggregate_wait(struct aggregate *aggregate, const struct waiting_access *added);
void aggregate_add_waiting(struct aggregate *aggregate);
/* Once all is added: what was left open, and what fits by CPUs and bytes alone. */
void aggregate_settle(struct aggregate *aggregate);

#endif
