/* SPDX-License-Identifier: GPL-2.0-only */
#include "coherence/history.h"

static unsigned int histories_nr_cpus(const struct histories *histories)
{
	const struct coherence_topology *topology = &histories->config->topology;

	return topology->nr_sockets * topology->nr_cpus_per_socket;
}

static size_t history_readers_bytes(const struct histories *histories)
{
	return sizeof(struct history) +
	       histories_nr_cpus(histories) * sizeof(struct history_reader);
}

static size_t history_writes_bytes(const struct histories *histories)
{
	return histories->config->line_size * sizeof(struct history_write);
}

void histories_deinit(struct histories *histories)
{
	vec_deinit(&histories->all);
	arena_deinit(&histories->arena);
}

size_t histories_bytes(const struct histories *histories)
{
	return histories->all.nr * (sizeof(struct history *) + history_readers_bytes(histories) +
				    history_writes_bytes(histories));
}

uint32_t histories_add(struct histories *histories, uint64_t line)
{
	struct history *history =
		arena_alloc(&histories->arena, 1, history_readers_bytes(histories));

	history->line = line;
	history->writes = arena_alloc(&histories->arena, 1, history_writes_bytes(histories));
	*vec_add(&histories->all) = history;
	return (uint32_t)histories->all.nr;
}

static void history_decide(struct histories *histories, struct history *history, unsigned int cpu,
			   const struct coherence_touch *writer,
			   const struct coherence_touch *reader, bool is_true)
{
	const struct history_reader *waiting = &history->readers[cpu];
	const struct coherence_config *config = histories->config;

	history->waiting &= ~(1ull << cpu);
	if (is_true)
		histories->counts->nr_true++;
	else
		histories->counts->nr_false++;
	if (config->on_verdict)
		config->on_verdict(config->context, &(struct coherence_verdict){
							    .is_true = is_true,
							    .kind = waiting->kind,
							    .access = waiting->access,
							    .line = history->line,
							    .serial = waiting->serial,
							    .writer = *writer,
							    .reader = *reader,
							    .missed = waiting->missed,
						    });
}

static void history_decide_false(struct histories *histories, struct history *history,
				 unsigned int cpu)
{
	struct history_reader *waiting = &history->readers[cpu];

	history_decide(histories, history, cpu, &waiting->taker, &waiting->missed, false);
}

void histories_flush(struct histories *histories)
{
	for (size_t i = 0; i < histories->all.nr; i++) {
		struct history *history = histories->all.items[i];

		while (history->waiting)
			history_decide_false(histories, history, __builtin_ctzll(history->waiting));
	}
}

void history_take(struct histories *histories, struct history *history, uint64_t cpus,
		  const struct coherence_touch *taker)
{
	history->epoch++;
	for (; cpus; cpus &= cpus - 1) {
		unsigned int cpu = __builtin_ctzll(cpus);
		struct history_reader *reader = &history->readers[cpu];
		bool useless = history_waits(history, cpu);

		if (useless)
			history_decide_false(histories, history, cpu);
		if (!useless || !histories->config->since_essential)
			reader->news_since = history->epoch;
		reader->taker = *taker;
	}
}

void history_miss(struct history *history, const struct coherence_event *event)
{
	struct history_reader *reader = &history->readers[event->touch.cpu];

	history->waiting |= 1ull << event->touch.cpu;
	reader->missed = event->touch;
	reader->serial = event->serial;
	reader->kind = event->kind;
	reader->access = event->access;
}

void history_touch(struct histories *histories, struct history *history,
		   const struct coherence_touch *touch)
{
	uint64_t news_since = history->readers[touch->cpu].news_since;

	if (!history_waits(history, touch->cpu))
		return;
	for (unsigned int i = touch->offset; i < touch->offset + touch->size; i++) {
		const struct history_write *write = &history->writes[i];
		uint8_t writer = write->epoch_and_cpu % COHERENCE_MAX_CPUS;

		if (write->epoch_and_cpu / COHERENCE_MAX_CPUS < news_since || writer == touch->cpu)
			continue;
		history_decide(histories, history, touch->cpu,
			       &(struct coherence_touch){
				       .place = write->place,
				       .offset = write->offset,
				       .size = write->size,
				       .cpu = writer,
			       },
			       touch, true);
		return;
	}
}

void history_write(struct history *history, const struct coherence_touch *touch)
{
	struct history_write write = {
		.epoch_and_cpu = history->epoch * COHERENCE_MAX_CPUS + touch->cpu,
		.place = touch->place,
		.offset = touch->offset,
		.size = touch->size,
	};

	for (unsigned int i = 0; i < touch->size; i++)
		history->writes[touch->offset + i] = write;
}
