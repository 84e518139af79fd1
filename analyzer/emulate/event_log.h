/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DIRECTORY/events.log: a recording in trace/log_format.h of what happened in the region, access by
 * access. Of chosen memory all accesses, of the rest those that were no plain hits and no first
 * touches; or, with a period, every so many of all accesses. Before them the machine, the code, and
 * the objects that were there.
 */
#ifndef FIELDLINE_EMULATE_EVENT_LOG_H
#define FIELDLINE_EMULATE_EVENT_LOG_H

#include <stdio.h>

#include "emulate/guest.h"

/* Events of a recording, by their index: what a PMU calls them. */
enum { EVENT_LOG_LOADS, EVENT_LOG_STORES };

struct event_log {
	FILE *file; /* NULL = none is kept */
	struct log_last last;
	size_t nr_caches; /* told so far */
	uint32_t cache;	  /* chosen: 1 + index; 0 = none, or not seen yet */
};

struct error *event_log_open(const char *directory, struct event_log *ret);
/* The region starts. */
void event_log_start(struct event_log *log, const struct guest *guest, uint64_t time_ns);
void event_log_close(struct event_log *log);

/* Whether all accesses to that memory are wanted. */
bool event_log_chooses(struct event_log *log, const struct guest *guest, uint64_t address);
void event_log_access(struct event_log *log, const struct guest *guest,
		      const struct coherence_access *access, enum log_outcome outcome, uint64_t ip,
		      uint64_t time_ns);
void event_log_comm(struct event_log *log, const struct guest *guest, uint32_t cpu,
		    const char *name);
/* The object or the pages that start there were handed out, or freed. */
void event_log_allocation(struct event_log *log, const struct guest *guest, uint32_t cpu,
			  const struct allocation *allocation, uint64_t time_ns);

#endif
