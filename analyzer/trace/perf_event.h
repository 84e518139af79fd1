/* SPDX-License-Identifier: GPL-2.0-only */
/* One event of a perf.data: how its samples and the trailers of other records are laid out. */
#ifndef FIELDLINE_TRACE_PERF_EVENT_H
#define FIELDLINE_TRACE_PERF_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/sample.h"
#include "trace/about.h"

struct perf_event {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint32_t nr_user_registers;
	uint32_t nr_interrupt_registers;
	uint64_t period;
	bool sample_id_all;
	uint16_t has;	   /* enum sample_has */
	uint32_t nr_fixed; /* bytes of a sample's members up to its period */
};

DEFINE_VEC(perf_event_vec, struct perf_event);

struct perf_events {
	struct perf_event_vec items;
	struct map ids; /* of a counter -> index of its event */
};

/* Reads a perf_event_attr of any age; bytes ends where it does. */
void perf_event_parse(struct bytes *bytes, struct perf_event *ret,
		      struct recorded_event *ret_about);
/* The size field of the attr at bytes, which stays in place. */
uint32_t perf_event_attr_size(struct bytes bytes);
/* Adds the counter ids that fill bytes. */
void perf_events_add_ids(struct perf_events *events, uint32_t event, struct bytes *bytes);
void perf_events_deinit(struct perf_events *events);

struct perf_raw {
	const uint8_t *bytes;
	uint32_t nr;
};

/*
 * Which event a sample is of, from its body; false when its id belongs to none. As in perf, the
 * first event says where samples have their id, and id 0 is that event's.
 */
bool perf_events_of_sample(const struct perf_events *events, struct bytes body, uint32_t *ret);
/* Reads a sample's body; false when it is too short for what its event promises. */
bool perf_sample_parse(const struct perf_event *event, struct bytes *body, struct sample *ret,
		       struct perf_raw *ret_raw);

struct perf_trailer {
	uint64_t time_ns; /* 0 = not told */
	uint64_t size;	  /* bytes at the record's end that are not its own */
};

/* What the kernel puts behind a record that is no sample. */
struct perf_trailer perf_events_trailer(const struct perf_events *events, struct bytes body);

#endif
