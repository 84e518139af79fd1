/* SPDX-License-Identifier: GPL-2.0-only */
/* What the model tells, kept in order, and short words to feed it with. */
#ifndef FIELDLINE_TESTS_COHERENCE_RECORDER_H
#define FIELDLINE_TESTS_COHERENCE_RECORDER_H

#include "base/vec.h"
#include "coherence/coherence.h"

struct told {
	bool is_verdict;
	struct coherence_event event;
	struct coherence_verdict verdict;
};

DEFINE_VEC(told_vec, struct told);

struct recorder {
	struct told_vec told;
	struct coherence *coherence;
};

static inline void recorder_add_event(void *context, const struct coherence_event *event)
{
	struct told_vec *told = context;

	*vec_add(told) = (struct told){ .event = *event };
}

static inline void recorder_add_verdict(void *context, const struct coherence_verdict *verdict)
{
	struct told_vec *told = context;

	*vec_add(told) = (struct told){ .is_verdict = true, .verdict = *verdict };
}

/* Starts a model whose words go to `recorder`, which must not move. */
static inline void recorder_start(struct recorder *recorder, struct coherence_config config)
{
	config.on_event = recorder_add_event;
	config.on_verdict = recorder_add_verdict;
	config.context = &recorder->told;
	*recorder = (struct recorder){};
	assert_null(coherence_create(&config, &recorder->coherence));
}

static inline void recorder_deinit(struct recorder *recorder)
{
	coherence_destroy(recorder->coherence);
	vec_deinit(&recorder->told);
}

#define auto_recorder __attribute__((cleanup(recorder_deinit)))

/* One access; what it told is then alone in recorder->told. */
static inline void touch(struct recorder *recorder, enum coherence_kind kind, unsigned int cpu,
			 uint64_t address, uint32_t size, uint32_t place)
{
	recorder->told.nr = 0;
	coherence_access(recorder->coherence, &(struct coherence_access){
						      .address = address,
						      .size = size,
						      .place = place,
						      .cpu = cpu,
						      .kind = kind,
					      });
}

/* Eight bytes, by CPU and address; the place is not looked at. */
static inline void load(struct recorder *recorder, unsigned int cpu, uint64_t address)
{
	touch(recorder, COHERENCE_LOAD, cpu, address, 8, 0);
}

static inline void store(struct recorder *recorder, unsigned int cpu, uint64_t address)
{
	touch(recorder, COHERENCE_STORE, cpu, address, 8, 0);
}

/* The events that the last access told, whose number is asserted; verdicts are passed over. */
static inline const struct coherence_event *nth_event(const struct recorder *recorder,
						      unsigned int nth, unsigned int of)
{
	const struct coherence_event *event = NULL;
	unsigned int nr = 0;

	for (size_t i = 0; i < recorder->told.nr; i++)
		if (!recorder->told.items[i].is_verdict && nr++ == nth)
			event = &recorder->told.items[i].event;
	assert_int_equal(nr, of);
	return event;
}

static inline const struct coherence_verdict *nth_verdict(const struct recorder *recorder,
							  unsigned int nth, unsigned int of)
{
	const struct coherence_verdict *verdict = NULL;
	unsigned int nr = 0;

	for (size_t i = 0; i < recorder->told.nr; i++)
		if (recorder->told.items[i].is_verdict && nr++ == nth)
			verdict = &recorder->told.items[i].verdict;
	assert_int_equal(nr, of);
	return verdict;
}

#define assert_hit(recorder) ((void)nth_event(recorder, 0, 0))

/* The last access told one event, of this kind and cause. */
#define assert_event(recorder, the_kind, the_cause)                               \
	do {                                                                      \
		const struct coherence_event *_event = nth_event(recorder, 0, 1); \
                                                                                  \
		assert_int_equal(_event->kind, the_kind);                         \
		assert_int_equal(_event->cause, the_cause);                       \
	} while (0)

#endif
