/* SPDX-License-Identifier: GPL-2.0-only */
#include "coherence/coherence.h"

#include "coherence/caches.h"
#include "coherence/history.h"
#include "coherence/lines.h"
#include "coherence/quiet.h"

/* Numbers of smaller lines leave struct quiet no room for what it says of them. */
enum { QUIET_MIN_LINE_SIZE = 8 };

struct coherence {
	struct coherence_config config;
	unsigned int line_size_log2;
	uint64_t socket_of_first; /* the CPUs of socket 0 */
	struct lines lines;
	struct caches caches;
	struct histories histories;
	struct quiet *quiet; /* by CPU; NULL where every hit matters: to caches with a limit */
	struct coherence_counts counts;
};

static bool is_power_of_two(unsigned int number)
{
	return number && !(number & (number - 1));
}

struct error *coherence_check(const struct coherence_config *config)
{
	uint64_t nr_sockets = config->topology.nr_sockets;
	uint64_t nr_cpus = nr_sockets * config->topology.nr_cpus_per_socket;

	if (!nr_cpus || nr_cpus > COHERENCE_MAX_CPUS)
		return error_create(ERROR_USAGE, "%ux%u CPUs: the model takes 1 to %d",
				    config->topology.nr_sockets,
				    config->topology.nr_cpus_per_socket, COHERENCE_MAX_CPUS);
	if (!is_power_of_two(config->line_size) || config->line_size > COHERENCE_MAX_LINE_SIZE)
		return error_create(ERROR_USAGE, "lines of %u bytes: give a power of two up to %d",
				    config->line_size, COHERENCE_MAX_LINE_SIZE);
	if (!config->nr_sets && !config->nr_ways)
		return NULL;
	if (!is_power_of_two(config->nr_sets) || config->nr_sets > COHERENCE_MAX_SETS)
		return error_create(ERROR_USAGE, "a cache of %u sets: give a power of two up to %d",
				    config->nr_sets, COHERENCE_MAX_SETS);
	if (!config->nr_ways || config->nr_ways > COHERENCE_MAX_WAYS)
		return error_create(ERROR_USAGE, "a cache of %u ways: give 1 to %d",
				    config->nr_ways, COHERENCE_MAX_WAYS);
	return NULL;
}

struct error *coherence_create(const struct coherence_config *config, struct coherence **ret)
{
	unsigned int nr_cpus = config->topology.nr_sockets * config->topology.nr_cpus_per_socket;
	struct error *err = coherence_check(config);
	struct coherence *coherence;

	if (err)
		return err;
	coherence = memory_alloc(1, sizeof(*coherence));
	coherence->config = *config;
	coherence->line_size_log2 = __builtin_ctz(config->line_size);
	coherence->socket_of_first = ~0ull >> (64 - config->topology.nr_cpus_per_socket);
	coherence->histories.config = &coherence->config;
	coherence->histories.counts = &coherence->counts;
	lines_init(&coherence->lines);
	caches_init(&coherence->caches, nr_cpus, config->nr_sets, config->nr_ways);
	if (!config->nr_sets && config->line_size >= QUIET_MIN_LINE_SIZE)
		coherence->quiet = memory_alloc(nr_cpus, sizeof(*coherence->quiet));
	for (unsigned int i = 0; coherence->quiet && i < nr_cpus; i++)
		quiet_init(&coherence->quiet[i]);
	*ret = coherence;
	return NULL;
}

void coherence_destroy(struct coherence *coherence)
{
	if (!coherence)
		return;
	histories_deinit(&coherence->histories);
	caches_deinit(&coherence->caches);
	free(coherence->quiet);
	lines_deinit(&coherence->lines);
	free(coherence);
}

static void coherence_tell(struct coherence *coherence, const struct coherence_event *event)
{
	coherence->counts.events[event->kind]++;
	if (coherence->config.on_event)
		coherence->config.on_event(coherence->config.context, event);
}

static uint64_t coherence_socket(const struct coherence *coherence, unsigned int cpu)
{
	unsigned int nr = coherence->config.topology.nr_cpus_per_socket;

	return coherence->socket_of_first << cpu / nr * nr;
}

/* Where a miss finds the line: with a dirty owner, else the nearest clean copy, else memory. */
static void event_find_source(const struct coherence *coherence, const struct line *line,
			      struct coherence_event *event)
{
	uint64_t socket = coherence_socket(coherence, event->touch.cpu);
	uint64_t near = line->sharers & socket;
	bool local;

	if (!line->sharers) {
		event->kind = COHERENCE_MEMORY;
		return;
	}
	if (line->state == LINE_SHARED)
		event->supplier = __builtin_ctzll(near ? near : line->sharers);
	else
		event->supplier = line->owner;
	local = socket >> event->supplier & 1;
	if (line->state == LINE_MODIFIED)
		event->kind = local ? COHERENCE_HITM_LOCAL : COHERENCE_HITM_REMOTE;
	else
		event->kind = local ? COHERENCE_CLEAN_LOCAL : COHERENCE_CLEAN_REMOTE;
}

static enum coherence_cause line_miss_cause(const struct coherence *coherence,
					    const struct line *line, unsigned int cpu)
{
	if (line->unlimited >> cpu & 1)
		return COHERENCE_EVICTED;
	if (line->history &&
	    history_was_taken(histories_get(&coherence->histories, line->history), cpu))
		return COHERENCE_TAKEN;
	return COHERENCE_COLD;
}

/* Fills in what the access meets, before it changes anything. */
static void event_judge(const struct coherence *coherence, const struct line *line,
			struct coherence_event *event)
{
	unsigned int cpu = event->touch.cpu;
	bool writes = event->access != COHERENCE_LOAD;

	if (!(line->sharers >> cpu & 1)) {
		event_find_source(coherence, line, event);
		event->cause = line_miss_cause(coherence, line, cpu);
	} else if (writes && line->state != LINE_MODIFIED && line->state != LINE_EXCLUSIVE) {
		event->kind = COHERENCE_UPGRADE;
	}
	if (writes)
		event->nr_invalidated = __builtin_popcountll(line->sharers & ~(1ull << cpu));
}

/* Yields whether the line's dirty data goes to memory. */
static bool line_add_reader(const struct coherence *coherence, struct line *line, unsigned int cpu)
{
	bool moesi = coherence->config.protocol == COHERENCE_MOESI;
	bool writes_back = false;

	if (line->state == LINE_INVALID) {
		line->state = LINE_EXCLUSIVE;
		line->owner = cpu;
	} else if (line->state == LINE_EXCLUSIVE) {
		line->state = LINE_SHARED;
	} else if (line->state == LINE_MODIFIED) {
		line->state = moesi ? LINE_OWNED : LINE_SHARED;
		writes_back = !moesi;
	}
	line->sharers |= 1ull << cpu;
	line->unlimited |= 1ull << cpu;
	return writes_back;
}

static void line_set_writer(struct coherence *coherence, struct line *line,
			    const struct coherence_event *event)
{
	uint64_t self = 1ull << event->touch.cpu;
	uint64_t losers = line->unlimited & ~self;

	if (losers && !line->history)
		line->history = histories_add(&coherence->histories, event->line);
	if (losers)
		history_take(&coherence->histories,
			     histories_get(&coherence->histories, line->history), losers,
			     &event->touch);
	if (coherence->caches.nr_sets)
		for (uint64_t left = line->sharers & ~self; left; left &= left - 1)
			caches_remove(&coherence->caches, __builtin_ctzll(left), line);
	line->sharers = self;
	line->unlimited = self;
	line->owner = event->touch.cpu;
	line->state = LINE_MODIFIED;
}

static void coherence_write_back(struct coherence *coherence, const struct coherence_event *event,
				 const struct line *line, unsigned int cpu)
{
	coherence_tell(coherence, &(struct coherence_event){
					  .kind = COHERENCE_WRITE_BACK,
					  .access = event->access,
					  .line = line->number << coherence->line_size_log2,
					  .serial = event->serial,
					  .touch = event->touch,
					  .supplier = cpu,
				  });
}

/* The cache of the event's CPU had no room left for the line. */
static void coherence_evict(struct coherence *coherence, const struct coherence_event *event,
			    struct line *line)
{
	unsigned int cpu = event->touch.cpu;
	bool dirty = line->state == LINE_MODIFIED || line->state == LINE_OWNED;

	line->sharers &= ~(1ull << cpu);
	if (dirty && line->owner == cpu) {
		coherence_write_back(coherence, event, line, cpu);
		line->state = LINE_SHARED;
	}
	if (!line->sharers)
		line->state = LINE_INVALID;
}

static void history_add_access(struct histories *histories, struct history *history,
			       const struct coherence_event *event)
{
	if (event->cause == COHERENCE_TAKEN)
		history_miss(history, event);
	history_touch(histories, history, &event->touch);
	if (event->access != COHERENCE_LOAD)
		history_write(history, &event->touch);
}

/* What was said of the line's hits holds no longer. */
static void coherence_forget_quiet(struct coherence *coherence, uint64_t number, uint64_t cpus)
{
	for (; coherence->quiet && cpus; cpus &= cpus - 1)
		quiet_forget(&coherence->quiet[__builtin_ctzll(cpus)], number);
}

static __attribute__((noinline)) void
coherence_change(struct coherence *coherence, struct line *line, struct coherence_event *event)
{
	unsigned int old_owner = line->owner;
	struct line *leaves = NULL;
	bool writes_back = false;

	event->line = line->number << coherence->line_size_log2;
	event->supplier = COHERENCE_NO_CPU;
	event->mark = &line->mark;
	event_judge(coherence, line, event);
	coherence->counts.nr_invalidated += event->nr_invalidated;
	if (event->kind == COHERENCE_HIT) {
		coherence->counts.events[COHERENCE_HIT]++;
	} else {
		coherence_forget_quiet(coherence, line->number, line->sharers);
		coherence_tell(coherence, event);
	}
	if (event->cause != COHERENCE_NO_MISS)
		coherence->counts.misses[event->cause]++;

	if (event->access != COHERENCE_LOAD)
		line_set_writer(coherence, line, event);
	else if (event->kind != COHERENCE_HIT)
		writes_back = line_add_reader(coherence, line, event->touch.cpu);
	if (line->history)
		history_add_access(&coherence->histories,
				   histories_get(&coherence->histories, line->history), event);
	if (writes_back)
		coherence_write_back(coherence, event, line, old_owner);
	if (coherence->caches.nr_sets)
		leaves = caches_use(&coherence->caches, event->touch.cpu, line);
	if (leaves)
		coherence_evict(coherence, event, leaves);
}

/* A hit that changes nothing, not even what the classifier knows. */
static bool line_is_quiet_hit(const struct coherence *coherence, const struct line *line,
			      unsigned int cpu, bool writes)
{
	if (writes)
		return line->state == LINE_MODIFIED && line->unlimited == 1ull << cpu &&
		       !line->history;
	if (!(line->sharers >> cpu & 1))
		return false;
	return !line->history ||
	       !history_waits(histories_get(&coherence->histories, line->history), cpu);
}

/* Yields the line's mark. */
static bool coherence_access_line(struct coherence *coherence,
				  const struct coherence_access *access, uint64_t address,
				  unsigned int size, uint64_t serial)
{
	struct line *line = lines_get(&coherence->lines, address >> coherence->line_size_log2);
	unsigned int cpu = access->cpu;

	if (line_is_quiet_hit(coherence, line, cpu, access->kind != COHERENCE_LOAD)) {
		coherence->counts.events[COHERENCE_HIT]++;
		if (coherence->caches.nr_sets)
			caches_use(&coherence->caches, cpu, line);
		else if (coherence->quiet && !line->mark)
			quiet_add(&coherence->quiet[cpu], line->number,
				  line_is_quiet_hit(coherence, line, cpu, true));
		return line->mark;
	}
	coherence_change(coherence, line,
			 &(struct coherence_event){
				 .access = access->kind,
				 .serial = serial,
				 .touch = {
					 .place = access->place,
					 .offset = address & (coherence->config.line_size - 1),
					 .size = size,
					 .cpu = cpu,
				 },
			 });
	return line->mark;
}

static uint64_t counts_nr_accesses(const struct coherence_counts *counts)
{
	return counts->accesses[COHERENCE_LOAD] + counts->accesses[COHERENCE_STORE] +
	       counts->accesses[COHERENCE_ATOMIC];
}

bool coherence_access_quietly(struct coherence *coherence, uint64_t address, uint32_t size,
			      unsigned int cpu, enum coherence_kind kind)
{
	uint64_t number = address >> coherence->line_size_log2;
	uint64_t last = (address + size - 1) >> coherence->line_size_log2;

	if (number != last || !coherence->quiet ||
	    !quiet_holds(&coherence->quiet[cpu], number, kind != COHERENCE_LOAD))
		return false;
	coherence->counts.accesses[kind]++;
	coherence->counts.events[COHERENCE_HIT]++;
	return true;
}

bool coherence_access(struct coherence *coherence, const struct coherence_access *access)
{
	unsigned int line_size = coherence->config.line_size;
	uint64_t serial = counts_nr_accesses(&coherence->counts);
	uint64_t address = access->address;
	uint32_t left = access->size;
	bool mark = false;

	if (!left || coherence_access_quietly(coherence, address, left, access->cpu, access->kind))
		return false;
	coherence->counts.accesses[access->kind]++;
	for (;;) {
		uint32_t here = line_size - (address & (line_size - 1));

		if (here >= left)
			break;
		mark |= coherence_access_line(coherence, access, address, here, serial);
		coherence->counts.nr_split++;
		address += here;
		left -= here;
	}
	return mark | coherence_access_line(coherence, access, address, left, serial);
}

void coherence_flush(struct coherence *coherence)
{
	histories_flush(&coherence->histories);
}

const struct coherence_counts *coherence_counts(const struct coherence *coherence)
{
	return &coherence->counts;
}

struct coherence_memory coherence_memory(const struct coherence *coherence)
{
	return (struct coherence_memory){
		.nr_lines = coherence->lines.nr,
		.lines_bytes = lines_bytes(&coherence->lines),
		.nr_contended = coherence->histories.all.nr,
		.contended_bytes = histories_bytes(&coherence->histories),
	};
}
