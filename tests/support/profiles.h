/* SPDX-License-Identifier: GPL-2.0-only */
/* A small profile typed into a test: an inode whose rw-lock a line boundary cuts. */
#ifndef FIELDLINE_TESTS_PROFILES_H
#define FIELDLINE_TESTS_PROFILES_H

#include "analyze/aggregate.h"
#include "model/data_src.h"
#include "support/types.h"

static const struct type profiled_counter = STRUCT(NULL, 8, FIELD("counter", &type_long, 0));
static const struct type profiled_atomic = { .kind = TYPE_TYPEDEF,
					     .name = "atomic_long_t",
					     .target = &profiled_counter };
static const struct type profiled_sem =
	STRUCT("rw_semaphore", 16, FIELD("count", &profiled_atomic, 0),
	       FIELD("owner", &profiled_atomic, 8));
static const struct type profiled_inode =
	STRUCT("inode", 160, FIELD("i_mode", &type_long, 0), FIELD("i_state", &type_long, 40),
	       FIELD("i_rwsem", &profiled_sem, 48), FIELD("i_size", &type_long, 128));

#define PROFILED_OBJECT 0xffff888000010008ull /* the count ends a line */

static inline void profile_one(struct aggregate *aggregate, uint32_t cpu, bool writes,
			       uint64_t offset, uint64_t time_ns, const char *function)
{
	const struct data_src_parts parts = { .op = writes ? OP_STORE : OP_LOAD,
					      .level = LEVEL_HIT | LEVEL_L3,
					      .snoop = writes ? SNOOP_NA : SNOOP_HITM };
	const struct sample sample = { .addr = PROFILED_OBJECT + offset,
				       .time_ns = time_ns,
				       .data_src = data_src_make(&parts),
				       .weight = 200,
				       .cpu = cpu,
				       .has = SAMPLE_HAS_ADDR | SAMPLE_HAS_CPU | SAMPLE_HAS_TIME |
					      SAMPLE_HAS_DATA_SRC | SAMPLE_HAS_WEIGHT };
	const struct access access = { .type = &profiled_inode,
				       .offset = offset,
				       .object = PROFILED_OBJECT,
				       .size = 8,
				       .basis = BASIS_INSTRUCTION,
				       .confidence = CONFIDENCE_HIGH };

	aggregate_add(aggregate, &sample, &access, function);
}

static inline void profile_of_test(struct profile *ret)
{
	const struct aggregate_options options = { 64, AGGREGATE_WINDOW_NS, false };
	auto_aggregate struct aggregate *aggregate = aggregate_create(&options);
	const struct access unknown = { .unresolved = ACCESS_LOST_TRACK, .is_load = true };
	const struct sample somewhere = { .addr = 0xffff888000020000ull,
					  .cpu = 3,
					  .has = SAMPLE_HAS_ADDR | SAMPLE_HAS_CPU };

	for (uint32_t i = 0; i < 8; i++) {
		profile_one(aggregate, i % 2, true, 48, 1000 * i, "down_read");
		profile_one(aggregate, i % 2, true, 56, 1000 * i + 10, "down_read");
		profile_one(aggregate, (i + 1) % 2, false, 48, 1000 * i + 100, "up_read");
		profile_one(aggregate, 2, false, 40, 1000 * i + 200, "sync");
	}
	aggregate_add(aggregate, &somewhere, &unknown, NULL);
	aggregate_finish(aggregate, ret);
	ret->set.source = typeset_of_test().source;
	ret->totals.nr_lost = 2;
	ret->cpus.items[0].node = 1;
	*vec_add(&ret->limits) = "nothing is known of \"peers\"";
}

#endif
