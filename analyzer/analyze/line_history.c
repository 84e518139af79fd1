/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/line_history.h"

/* Few enough to be looked through. */
#define FEW_SPOTS 24
#define FIRST_SLOTS 64

/* vec_add() for lines by the hundred thousand, most of which have few of anything. */
#define add_tight(vec)                                                              \
	({                                                                          \
		if ((vec)->nr == (vec)->capacity) {                                 \
			(vec)->capacity += (vec)->capacity / 4 + 1;                 \
			(vec)->items = memory_resize((vec)->items, (vec)->capacity, \
						     sizeof(*(vec)->items));        \
		}                                                                   \
		&(vec)->items[(vec)->nr++];                                         \
	})

static uint32_t hash_of(uint32_t footprint)
{
	return footprint * 0x9e3779b1u >> 8; /* 2^32 / golden ratio; the low bits mix least */
}

static struct line_slot *first_slot(const struct line_history *history, uint32_t footprint)
{
	return &history->slots[hash_of(footprint) & (history->nr_slots - 1)];
}

/* The footprint's slot, or the free one where it belongs. */
static struct line_slot *find_slot(const struct line_history *history, uint32_t footprint)
{
	struct line_slot *slot = first_slot(history, footprint);

	while (slot->number && slot->footprint != footprint)
		slot = slot + 1 == history->slots + history->nr_slots ? history->slots : slot + 1;
	return slot;
}

/* Slots for all spots, twice as many as there were. */
static void grow_slots(struct line_history *history)
{
	history->nr_slots = history->nr_slots ? 2 * history->nr_slots : FIRST_SLOTS;
	free(history->slots);
	history->slots = memory_alloc(history->nr_slots, sizeof(*history->slots));
	for (uint32_t i = 0; i < history->spots.nr; i++) {
		uint32_t footprint = history->spots.items[i].footprint;

		*find_slot(history, footprint) = (struct line_slot){ footprint, i + 1 };
	}
}

/* NULL = there is none yet. */
static struct line_spot *known_spot(const struct line_history *history, uint32_t footprint)
{
	const struct line_slot *slot;

	if (history->nr_slots) {
		slot = find_slot(history, footprint);
		return slot->number ? &history->spots.items[slot->number - 1] : NULL;
	}
	for (uint32_t i = 0; i < history->spots.nr; i++) {
		if (history->spots.items[i].footprint == footprint)
			return &history->spots.items[i];
	}
	return NULL;
}

void line_history_prefetch(const struct line_history *history, uint32_t footprint)
{
	memory_prefetch(history->holders.items,
			history->holders.nr * sizeof(*history->holders.items));
	if (history->nr_slots)
		__builtin_prefetch(first_slot(history, footprint));
	else
		memory_prefetch(history->spots.items,
				history->spots.nr * sizeof(*history->spots.items));
}

void line_history_prefetch_spot(const struct line_history *history, uint32_t footprint)
{
	if (history->nr_slots)
		__builtin_prefetch(known_spot(history, footprint), 1);
}

void line_history_prefetch_writes(const struct line_history *history, uint32_t footprint)
{
	const struct line_spot *spot = known_spot(history, footprint);

	if (spot && spot->writes != LINE_NONE)
		memory_prefetch(&history->writes.items[spot->writes],
				sizeof(*history->writes.items));
}

static struct line_spot *find_spot(struct line_history *history, uint32_t footprint)
{
	struct line_spot *spot = known_spot(history, footprint);

	if (spot)
		return spot;
	spot = add_tight(&history->spots);
	*spot = (struct line_spot){ .footprint = footprint, .writes = LINE_NONE };
	if (history->spots.nr > FEW_SPOTS && 4 * history->spots.nr > 3 * history->nr_slots)
		grow_slots(history);
	else if (history->nr_slots)
		*find_slot(history, footprint) = (struct line_slot){ footprint, history->spots.nr };
	return spot;
}

static struct line_holder *find_holder(struct line_history *history, uint32_t cpu, bool *ret_is_new)
{
	*ret_is_new = false;
	for (uint32_t i = 0; i < history->holders.nr; i++) {
		if (history->holders.items[i].cpu == cpu)
			return &history->holders.items[i];
	}
	*ret_is_new = true;
	*add_tight(&history->holders) = (struct line_holder){ .cpu = cpu, .pending = LINE_NONE };
	return &history->holders.items[history->holders.nr - 1];
}

/* The latest write that was not by this CPU. */
static const struct line_write *foreign_write(const struct latest_writes *latest, uint32_t cpu)
{
	return latest->last.cpu != cpu ? &latest->last : &latest->other;
}

static bool is_inside(const struct history_rule *rule, uint64_t a, uint64_t b)
{
	return (a < b ? b - a : a - b) <= rule->window_ns;
}

/* Who took the line from the CPU after its access `since`; LINE_NONE = outside the window. */
static uint32_t find_taker(const struct line_history *history, const struct history_rule *rule,
			   const struct line_touch *touch, uint32_t since, bool *ret_lost)
{
	const struct line_write *write = foreign_write(&history->latest, touch->cpu);

	*ret_lost = write->serial > since;
	if (!*ret_lost || !is_inside(rule, write->time_ns, touch->time_ns))
		return LINE_NONE;
	return write == &history->latest.last ? history->last_footprint : history->other_footprint;
}

/*
 * The line was there, or is being fetched: has the CPU used what others wrote meanwhile? Only what
 * was written since needs to be looked at, and of accesses by time only the window.
 */
static bool uses_written(const struct line_history *history, const struct history_rule *rule,
			 const struct line_touch *touch, const struct line_holder *holder,
			 struct line_event *ret)
{
	uint32_t found = LINE_NONE, newest = holder->since;
	const struct line_writes *writes;

	for (uint32_t i = history->last_written; i != LINE_NONE; i = writes->earlier) {
		const struct line_write *write;

		writes = &history->writes.items[i];
		write = &writes->latest.last;
		if (write->serial <= newest || (touch->time_ns > write->time_ns &&
						!is_inside(rule, write->time_ns, touch->time_ns)))
			break;
		write = foreign_write(&writes->latest, touch->cpu);
		if (write->serial > newest && writes->end > touch->start &&
		    touch->end > writes->start && is_inside(rule, write->time_ns, touch->time_ns)) {
			newest = write->serial;
			found = writes->footprint;
		}
	}
	if (found == LINE_NONE)
		return false;
	*ret = (struct line_event){ true, found, touch->footprint };
	return true;
}

static struct line_event decide_pending(struct line_holder *holder)
{
	const struct line_event event = { .writer = holder->pending,
					  .other = holder->pending_footprint };

	holder->pending = LINE_NONE;
	return event;
}

/* Makes it the one that was written last. */
static void move_to_front(struct line_history *history, uint32_t at)
{
	struct line_writes *all = history->writes.items, *writes = &all[at];

	if (history->last_written == at)
		return;
	if (writes->earlier != LINE_NONE)
		all[writes->earlier].later = writes->later;
	if (writes->later != LINE_NONE)
		all[writes->later].earlier = writes->earlier;
	writes->later = LINE_NONE;
	writes->earlier = history->last_written;
	all[history->last_written].later = at;
	history->last_written = at;
}

/* The first write to a spot. */
static uint32_t add_writes(struct line_history *history, const struct line_touch *touch)
{
	uint32_t at = history->writes.nr;

	*add_tight(&history->writes) = (struct line_writes){
		.footprint = touch->footprint,
		.earlier = LINE_NONE,
		.later = LINE_NONE,
		.start = touch->start,
		.end = touch->end,
	};
	/* The only one is the latest already. */
	if (!at)
		history->last_written = at;
	return at;
}

/* Whether there is another CPU's write to be kept now. */
static bool note_write(struct latest_writes *latest, const struct line_write *write)
{
	bool is_foreign = latest->last.serial && latest->last.cpu != write->cpu;

	if (is_foreign)
		latest->other = latest->last;
	latest->last = *write;
	return is_foreign;
}

static void record_write(struct line_history *history, const struct line_touch *touch,
			 struct line_spot *spot)
{
	const struct line_write write = { touch->time_ns, history->nr, touch->cpu };
	struct line_writes *writes;

	if (spot->writes == LINE_NONE)
		spot->writes = add_writes(history, touch);
	writes = &history->writes.items[spot->writes];
	writes->nr_stores++;
	writes->writers |= 1ull << touch->cpu % 64;
	note_write(&writes->latest, &write);
	move_to_front(history, spot->writes);
	if (note_write(&history->latest, &write))
		history->other_footprint = history->last_footprint;
	history->last_footprint = touch->footprint;
}

static void record(struct line_history *history, const struct line_touch *touch)
{
	struct line_spot *spot = find_spot(history, touch->footprint);

	spot->nr_samples++;
	spot->nr_contended += touch->contended;
	if (touch->reads)
		spot->readers |= 1ull << touch->cpu % 64;
	if (touch->writes)
		record_write(history, touch, spot);
}

void line_history_add(struct line_history *history, const struct history_rule *rule,
		      const struct line_touch *touch, struct line_event ret[2],
		      unsigned int *ret_nr)
{
	bool is_new, lost = false;
	struct line_holder *holder = find_holder(history, touch->cpu, &is_new);
	uint32_t taker = LINE_NONE;

	*ret_nr = 0;
	history->nr++;
	if (!is_new || !rule->every_access)
		taker = find_taker(history, rule, touch, holder->last, &lost);
	if (lost && holder->pending != LINE_NONE)
		ret[(*ret_nr)++] = decide_pending(holder);
	if (lost)
		holder->since = holder->last;
	if (taker != LINE_NONE) {
		holder->pending = taker;
		holder->pending_footprint = touch->footprint;
	}
	if (holder->pending != LINE_NONE &&
	    uses_written(history, rule, touch, holder, &ret[*ret_nr])) {
		holder->pending = LINE_NONE;
		(*ret_nr)++;
	}
	holder->last = history->nr;
	record(history, touch);
}

bool line_history_flush(struct line_history *history, size_t at, struct line_event *ret)
{
	struct line_holder *holder = &history->holders.items[at];

	if (holder->pending == LINE_NONE)
		return false;
	*ret = decide_pending(holder);
	return true;
}

void line_history_deinit(struct line_history *history)
{
	vec_deinit(&history->spots);
	vec_deinit(&history->writes);
	free(history->slots);
	vec_deinit(&history->holders);
}
