/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes what the region gave, as trace/counts_format.h has it. */
#ifndef FIELDLINE_EMULATE_OUTPUT_H
#define FIELDLINE_EMULATE_OUTPUT_H

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

#endif
