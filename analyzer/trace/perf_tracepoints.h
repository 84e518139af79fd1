/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's kmem:* tracepoints: who allocated what. The layout of each is told in the
 * recording's tracing data, as text, and differs between kernels.
 */
#ifndef FIELDLINE_TRACE_PERF_TRACEPOINTS_H
#define FIELDLINE_TRACE_PERF_TRACEPOINTS_H

#include "base/bytes.h"
#include "trace/perf_event.h"
#include "trace/reader.h"

struct tracepoint_field {
	uint32_t offset;
	uint32_t size; /* 0 = this kernel has none */
};

struct tracepoint {
	uint64_t id; /* the config of its event */
	bool is_free;
	struct tracepoint_field site;
	struct tracepoint_field addr;
	struct tracepoint_field size;
	struct tracepoint_field allocated;
	struct tracepoint_field name; /* of the cache, on a free since Linux 5.18 */
};

DEFINE_VEC(tracepoint_vec, struct tracepoint);

/* Finds the tracepoints in the tracing data; false when that makes no sense. */
bool tracepoints_parse(struct tracepoint_vec *tracepoints, struct bytes bytes);
/* The tracepoint with the event's config, or NULL. */
const struct tracepoint *tracepoint_find(const struct tracepoint_vec *tracepoints, uint64_t id);
/*
 * What a sample's raw data tells: an ITEM_ALLOCATION or ITEM_FREE of that sample's time, CPU and
 * process. False when it holds less than the tracepoint's format says, or tells of nothing.
 */
bool tracepoint_parse(const struct tracepoint *tracepoint, struct recording *recording,
		      const struct sample *sample, struct perf_raw raw, struct item *ret);

#endif
