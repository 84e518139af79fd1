/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From accesses, one by one, to a profile:
 *
 *	auto_aggregate struct aggregate *aggregate = aggregate_create(&options);
 *
 *	for (each sample)
 *		aggregate_add(aggregate, &sample, &access, function);
 *	aggregate_finish(aggregate, &profile);
 *
 * Accesses should come by time; some disorder costs some evidence. Memory grows with the lines,
 * objects, places and functions seen, never with the number of accesses.
 */
#ifndef FIELDLINE_ANALYZE_AGGREGATE_H
#define FIELDLINE_ANALYZE_AGGREGATE_H

#include "model/access.h"
#include "model/profile.h"
#include "model/sample.h"

#define AGGREGATE_WINDOW_NS 10000

struct aggregate_options {
	uint32_t cacheline; /* bytes, a power of two, at most 4096 */
	/* Two accesses of a line meet if they are no further apart. */
	uint64_t window_ns;
	bool every_access; /* the recording holds each access, not samples */
};

struct aggregate;

struct aggregate *aggregate_create(const struct aggregate_options *options);
void aggregate_destroy(struct aggregate *aggregate);

/*
 * The access' types must outlive the profile. function may be NULL; it is copied, and must stay as
 * it is until aggregate_finish(). What is no load and no store, and what user space did, is only
 * counted.
 */
void aggregate_add(struct aggregate *aggregate, const struct sample *sample,
		   const struct access *access, const char *function);
/*
 * The same for an access that was not sampled but must have happened; sample is what it would have
 * been. It is told apart, counts nowhere, and is told once however often it is given.
 */
void aggregate_infer(struct aggregate *aggregate, const struct sample *sample,
		     const struct access *access, const char *function);
/* Call once, last. Totals that only the recording knows (lost, limits) are the caller's to add. */
void aggregate_finish(struct aggregate *aggregate, struct profile *ret);

static inline void aggregate_destroy_pointer(struct aggregate **aggregate)
{
	aggregate_destroy(*aggregate);
}

#define auto_aggregate __attribute__((cleanup(aggregate_destroy_pointer)))

#endif
