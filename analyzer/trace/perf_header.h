/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands before the records of a perf.data: the header, the events, the features. */
#ifndef FIELDLINE_TRACE_PERF_HEADER_H
#define FIELDLINE_TRACE_PERF_HEADER_H

#include "trace/perf_event.h"
#include "trace/perf_tracepoints.h"
#include "trace/reader.h"

struct perf_header {
	bool is_pipe;
	bool is_directory; /* records lie in files beside this one, too */
	uint64_t data_offset;
	uint64_t data_end; /* UINT64_MAX = where the file ends */
};

/*
 * Reads the header and, of a file, the events and all features into recording->about; the source
 * then stands at the first record.
 */
struct error *perf_header_read(struct recording *recording, struct perf_events *events,
			       struct tracepoint_vec *tracepoints, struct perf_header *ret);
/* Adds an event whose attr is at bytes, and takes that; what is left of bytes are its ids. */
void perf_header_add_event(struct recording *recording, struct perf_events *events,
			   struct bytes *bytes);

#endif
