/* SPDX-License-Identifier: GPL-2.0-only */
/* What a perf.data tells of the machine and the events, as bytes: the mirror of perf_features.h. */
#ifndef FIELDLINE_TRACE_PERF_WRITE_FEATURES_H
#define FIELDLINE_TRACE_PERF_WRITE_FEATURES_H

#include "trace/about.h"
#include "trace/pack.h"

/* The id of the event with this index, as samples have it. */
static inline uint64_t perf_write_event_id(size_t index)
{
	return index + 1;
}

/* A perf_event_attr, of PERF_WRITE_ATTR_BYTES, for samples with these PERF_SAMPLE_* bits. */
enum { PERF_WRITE_ATTR_BYTES = 128 };
void perf_write_attr(struct pack *pack, const struct recorded_event *event, uint64_t sample_type);

/*
 * A whole record: of a pipe, with its type, or of the list that a file has for a feature, with
 * none. False, and nothing is added, when the name is too long for one.
 */
bool perf_write_build_id(struct pack *pack, uint32_t type,
			 const struct recorded_build_id *build_id);

/*
 * Adds one feature (enum perf_feature) to pack; false when there is nothing to tell. CPUs up to
 * nr_cpus were seen.
 */
bool perf_write_feature(struct pack *pack, unsigned int feature,
			const struct recording_about *about, uint32_t nr_cpus,
			uint64_t sample_type);

#endif
