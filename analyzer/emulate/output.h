/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes what the region gave: trace/counts_format.h and trace/log_format.h say how. */
#ifndef FIELDLINE_EMULATE_OUTPUT_H
#define FIELDLINE_EMULATE_OUTPUT_H

#include <stdio.h>

#include "emulate/guest.h"
#include "emulate/region.h"

/* What the counts are of, beside what recorder and guest know. */
struct output_run {
	const struct region *region;
	uint64_t nr_instructions; /* in the region, of all code on all CPUs */
	uint64_t nr_io;		  /* accesses to devices, left out */
	uint64_t nr_places;
	const struct place *const *places; /* by number */
};

/* DIRECTORY/counts, written whole or not at all. */
struct error *output_write_counts(const char *directory, const struct guest *guest,
				  const struct output_run *run);

/* DIRECTORY/events.log, as they come. */
struct output_log {
	FILE *file;
	struct log_last last;
};

struct error *output_open_log(const char *directory, struct output_log *ret);
void output_log_comm(struct output_log *log, uint32_t pid, uint32_t tid, const char *name);
void output_log_event(struct output_log *log, const struct coherence_event *event, uint64_t ip,
		      uint64_t time_ns, uint32_t pid, uint32_t tid);
void output_close_log(struct output_log *log);

#endif
