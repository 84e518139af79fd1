/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model once more, slow and plain: each cache has its own letter for each line, each byte the
 * whole list of its writes. Nothing is shared with the model but the words it tells.
 */
#ifndef FIELDLINE_TESTS_COHERENCE_REFERENCE_H
#define FIELDLINE_TESTS_COHERENCE_REFERENCE_H

#include "unit/coherence/recorder.h"

struct reference_write {
	uint64_t time;
	struct coherence_touch touch;
};

DEFINE_VEC(reference_writes, struct reference_write);

/* One CPU's view of one line. */
struct reference_copy {
	char letter; /* M, O, E, S, or I: the cache does not hold it */
	bool in_endless_cache;
	bool had;
	bool waits;
	uint64_t used;
	uint64_t news_since;
	struct coherence_touch taker;
	struct coherence_event miss; /* if it waits */
};

struct reference {
	struct coherence_config config;
	unsigned int nr_cpus;
	unsigned int nr_lines;
	uint64_t base; /* address of the first line */
	uint64_t time;
	uint64_t nr_accesses;
	uint64_t nr_touches;
	struct reference_copy *copies;	/* by line and CPU */
	struct reference_writes *bytes; /* by byte from base */
	struct told_vec told;
};

static inline void reference_start(struct reference *reference, struct coherence_config config,
				   uint64_t base, unsigned int nr_lines)
{
	unsigned int nr_cpus = config.topology.nr_sockets * config.topology.nr_cpus_per_socket;

	*reference = (struct reference){
		.config = config, .nr_cpus = nr_cpus, .nr_lines = nr_lines, .base = base
	};
	reference->copies = memory_alloc((size_t)nr_lines * nr_cpus, sizeof(*reference->copies));
	reference->bytes =
		memory_alloc((size_t)nr_lines * config.line_size, sizeof(*reference->bytes));
	for (unsigned int i = 0; i < nr_lines * nr_cpus; i++)
		reference->copies[i].letter = 'I';
}

static inline void reference_deinit(struct reference *reference)
{
	for (unsigned int i = 0; i < reference->nr_lines * reference->config.line_size; i++)
		vec_deinit(&reference->bytes[i]);
	free(reference->bytes);
	free(reference->copies);
	vec_deinit(&reference->told);
}

#define auto_reference __attribute__((cleanup(reference_deinit)))

static inline struct reference_copy *reference_copy(const struct reference *reference,
						    unsigned int line, unsigned int cpu)
{
	return &reference->copies[line * reference->nr_cpus + cpu];
}

static inline bool reference_same_socket(const struct reference *reference, unsigned int a,
					 unsigned int b)
{
	return a / reference->config.topology.nr_cpus_per_socket ==
	       b / reference->config.topology.nr_cpus_per_socket;
}

static inline void reference_tell(struct reference *reference, struct coherence_event event)
{
	*vec_add(&reference->told) = (struct told){ .event = event };
}

static inline void reference_tell_write_back(struct reference *reference,
					     struct coherence_event event, unsigned int line,
					     unsigned int cpu)
{
	event.kind = COHERENCE_WRITE_BACK;
	event.cause = COHERENCE_NO_MISS;
	event.line = reference->base + (uint64_t)line * reference->config.line_size;
	event.supplier = cpu;
	event.nr_invalidated = 0;
	reference_tell(reference, event);
}

static inline void reference_decide(struct reference *reference, struct reference_copy *copy,
				    bool is_true, struct coherence_touch writer,
				    struct coherence_touch reader)
{
	copy->waits = false;
	*vec_add(&reference->told) = (struct told){
		.is_verdict = true,
		.verdict = {
			.is_true = is_true,
			.kind = copy->miss.kind,
			.access = copy->miss.access,
			.line = copy->miss.line,
			.serial = copy->miss.serial,
			.writer = writer,
			.reader = reader,
			.missed = copy->miss.touch,
		},
	};
}

/* The CPU whose copy answers, or COHERENCE_NO_CPU: dirty ones first, then near ones. */
static inline unsigned int reference_supplier(const struct reference *reference, unsigned int line,
					      unsigned int cpu)
{
	unsigned int best = COHERENCE_NO_CPU, best_rank = 0;

	for (unsigned int other = 0; other < reference->nr_cpus; other++) {
		char letter = reference_copy(reference, line, other)->letter;
		unsigned int rank = 0;

		if (letter == 'M' || letter == 'O')
			rank = 3;
		else if (letter != 'I')
			rank = reference_same_socket(reference, cpu, other) ? 2 : 1;
		if (rank > best_rank) {
			best_rank = rank;
			best = other;
		}
	}
	return best;
}

static inline void reference_judge(const struct reference *reference, unsigned int line,
				   struct coherence_event *event)
{
	unsigned int cpu = event->touch.cpu;
	const struct reference_copy *mine = reference_copy(reference, line, cpu);
	bool writes = event->access != COHERENCE_LOAD;
	bool local;

	event->supplier = COHERENCE_NO_CPU;
	if (writes)
		for (unsigned int other = 0; other < reference->nr_cpus; other++)
			event->nr_invalidated +=
				other != cpu &&
				reference_copy(reference, line, other)->letter != 'I';
	if (mine->letter != 'I') {
		if (writes && (mine->letter == 'S' || mine->letter == 'O'))
			event->kind = COHERENCE_UPGRADE;
		return;
	}
	if (mine->in_endless_cache)
		event->cause = COHERENCE_EVICTED;
	else
		event->cause = mine->had ? COHERENCE_TAKEN : COHERENCE_COLD;
	event->supplier = reference_supplier(reference, line, cpu);
	if (event->supplier == COHERENCE_NO_CPU) {
		event->kind = COHERENCE_MEMORY;
		return;
	}
	local = reference_same_socket(reference, cpu, event->supplier);
	if (reference_copy(reference, line, event->supplier)->letter == 'M')
		event->kind = local ? COHERENCE_HITM_LOCAL : COHERENCE_HITM_REMOTE;
	else
		event->kind = local ? COHERENCE_CLEAN_LOCAL : COHERENCE_CLEAN_REMOTE;
}

/* The write of event takes the line from everyone else. */
static inline void reference_take(struct reference *reference, unsigned int line,
				  const struct coherence_event *event)
{
	for (unsigned int other = 0; other < reference->nr_cpus; other++) {
		struct reference_copy *copy = reference_copy(reference, line, other);
		bool useless = copy->waits;

		if (other == event->touch.cpu || !copy->in_endless_cache)
			continue;
		if (useless)
			reference_decide(reference, copy, false, copy->taker, copy->miss.touch);
		if (!(useless && reference->config.since_essential))
			copy->news_since = reference->time;
		copy->taker = event->touch;
		copy->in_endless_cache = false;
		copy->letter = 'I';
	}
}

/* Yields the CPU that writes back, or COHERENCE_NO_CPU. */
static inline unsigned int reference_share(struct reference *reference, unsigned int line,
					   unsigned int cpu)
{
	unsigned int writes_back = COHERENCE_NO_CPU;
	char mine = 'E';

	for (unsigned int other = 0; other < reference->nr_cpus; other++) {
		struct reference_copy *copy = reference_copy(reference, line, other);

		if (other == cpu || copy->letter == 'I')
			continue;
		mine = 'S';
		if (copy->letter == 'M' && reference->config.protocol == COHERENCE_MESI)
			writes_back = other;
		if (copy->letter == 'M')
			copy->letter = reference->config.protocol == COHERENCE_MESI ? 'S' : 'O';
		if (copy->letter == 'E')
			copy->letter = 'S';
	}
	reference_copy(reference, line, cpu)->letter = mine;
	return writes_back;
}

static inline void reference_look_for_news(struct reference *reference, unsigned int line,
					   struct coherence_touch touch)
{
	struct reference_copy *mine = reference_copy(reference, line, touch.cpu);

	for (unsigned int i = touch.offset; mine->waits && i < touch.offset + touch.size; i++) {
		struct reference_writes *writes =
			&reference->bytes[line * reference->config.line_size + i];

		for (size_t w = writes->nr; w-- && writes->items[w].time >= mine->news_since;) {
			if (writes->items[w].touch.cpu == touch.cpu)
				continue;
			reference_decide(reference, mine, true, writes->items[w].touch, touch);
			break;
		}
	}
}

static inline void reference_evict(struct reference *reference, unsigned int line,
				   const struct coherence_event *event)
{
	unsigned int cpu = event->touch.cpu, nr = 0, oldest = line;

	for (unsigned int other = 0; other < reference->nr_lines; other++) {
		const struct reference_copy *copy = reference_copy(reference, other, cpu);
		uint64_t first = reference->base / reference->config.line_size;

		if ((first + other) % reference->config.nr_sets !=
			    (first + line) % reference->config.nr_sets ||
		    copy->letter == 'I')
			continue;
		nr++;
		if (copy->used < reference_copy(reference, oldest, cpu)->used)
			oldest = other;
	}
	if (nr > reference->config.nr_ways) {
		struct reference_copy *copy = reference_copy(reference, oldest, cpu);

		if (copy->letter == 'M' || copy->letter == 'O')
			reference_tell_write_back(reference, *event, oldest, cpu);
		copy->letter = 'I';
	}
}

static inline void reference_touch(struct reference *reference, enum coherence_kind kind,
				   struct coherence_touch touch, unsigned int line)
{
	struct reference_copy *mine = reference_copy(reference, line, touch.cpu);
	unsigned int writes_back = COHERENCE_NO_CPU;
	struct coherence_event event = {
		.access = kind,
		.line = reference->base + (uint64_t)line * reference->config.line_size,
		.serial = reference->nr_accesses,
		.touch = touch,
	};

	reference->time++;
	reference->nr_touches++;
	mine->used = reference->time;
	reference_judge(reference, line, &event);
	if (event.kind != COHERENCE_HIT)
		reference_tell(reference, event);
	if (kind != COHERENCE_LOAD) {
		reference_take(reference, line, &event);
		mine->letter = 'M';
	} else if (mine->letter == 'I') {
		writes_back = reference_share(reference, line, touch.cpu);
	}
	mine->in_endless_cache = true;
	mine->had = true;
	if (event.cause == COHERENCE_TAKEN) {
		mine->waits = true;
		mine->miss = event;
	}
	reference_look_for_news(reference, line, touch);
	for (unsigned int i = 0; kind != COHERENCE_LOAD && i < touch.size; i++)
		*vec_add(&reference->bytes[line * reference->config.line_size + touch.offset + i]) =
			(struct reference_write){ reference->time, touch };
	if (writes_back != COHERENCE_NO_CPU)
		reference_tell_write_back(reference, event, line, writes_back);
	if (reference->config.nr_sets)
		reference_evict(reference, line, &event);
}

/* The access must lie within the reference's lines. */
static inline void reference_access(struct reference *reference,
				    const struct coherence_access *access)
{
	uint64_t from = access->address - reference->base, to = from + access->size;
	unsigned int line_size = reference->config.line_size;

	for (uint64_t line = from / line_size; line * line_size < to; line++) {
		uint64_t first = line * line_size > from ? line * line_size : from;
		uint64_t end = (line + 1) * line_size < to ? (line + 1) * line_size : to;

		reference_touch(reference, access->kind,
				(struct coherence_touch){
					.place = access->place,
					.offset = first - line * line_size,
					.size = end - first,
					.cpu = access->cpu,
				},
				line);
	}
	reference->nr_accesses++;
}

/* In no order: by line and CPU here, by age of the contention in the model. */
static inline void reference_flush(struct reference *reference)
{
	for (unsigned int i = 0; i < reference->nr_lines * reference->nr_cpus; i++) {
		struct reference_copy *copy = &reference->copies[i];

		if (copy->waits)
			reference_decide(reference, copy, false, copy->taker, copy->miss.touch);
	}
}

#endif
