/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/line_history.h"

#include "base/map.h"

/* Few enough to be looked through. */
#define FEW_SPOTS 24
#define FIRST_SLOTS 64
/* What the processor fetches at once. */
#define FETCHED_BYTES 64

/* vec_add() for lines by the hundred thousand, most of which have few of anything. */
#define add_tight(vec)                                                              \
	({                                                                          \
		if ((vec)->nr == (vec)->capacity) {                                 \
			(vec)->capacity += (vec)->capacity / 2 + 2;                 \
			(vec)->items = memory_resize((vec)->items, (vec)->capacity, \
						     sizeof(*(vec)->items));        \
		}                                                                   \
		&(vec)->items[(vec)->nr++];                                         \
	})

static uint32_t hash_spot(const struct line_touch *touch)
{
	return (uint32_t)hash_mix(hash_mix(touch->object, touch->place),
				  (uint32_t)touch->start << 16 | touch->end);
}

static struct line_slot *first_slot(const struct line_history *history, uint32_t hash)
{
	return &history->slots[hash & (history->nr_slots - 1)];
}

static struct line_slot *next_slot(const struct line_history *history, struct line_slot *slot)
{
	return slot + 1 == history->slots + history->nr_slots ? history->slots : slot + 1;
}

/* Hashes are looked at before spots: those of a busy line fill the cache. */
static struct line_slot *find_slot(const struct line_history *history, uint32_t hash)
{
	struct line_slot *slot = first_slot(history, hash);

	while (slot->number && slot->hash != hash)
		slot = next_slot(history, slot);
	return slot;
}

static void place_slot(struct line_history *history, struct line_slot placed)
{
	struct line_slot *slot = first_slot(history, placed.hash);

	while (slot->number)
		slot = next_slot(history, slot);
	*slot = placed;
}

static void grow_slots(struct line_history *history)
{
	struct line_slot *old = history->slots;
	uint32_t nr_old = history->nr_slots;

	history->nr_slots = 2 * nr_old;
	history->slots = memory_alloc(history->nr_slots, sizeof(*history->slots));
	for (uint32_t i = 0; i < nr_old; i++) {
		if (old[i].number)
			place_slot(history, old[i]);
	}
	free(old);
}

/* There are no longer few: all get slots. */
static void begin_slots(struct line_history *history)
{
	history->nr_slots = FIRST_SLOTS;
	history->slots = memory_alloc(history->nr_slots, sizeof(*history->slots));
	for (uint32_t i = 0; i < history->spots.nr; i++) {
		const struct line_spot *spot = &history->spots.items[i];
		const struct line_touch same = { .object = spot->object,
						 .place = spot->place,
						 .start = spot->start,
						 .end = spot->end };

		place_slot(history, (struct line_slot){ hash_spot(&same), i + 1 });
	}
}

/* After a spot was added. */
static void index_spot(struct line_history *history, uint32_t hash)
{
	uint32_t nr = (uint32_t)history->spots.nr;

	if (nr <= FEW_SPOTS)
		return;
	if (!history->nr_slots) {
		begin_slots(history);
		return;
	}
	if (4 * nr > 3 * history->nr_slots)
		grow_slots(history);
	place_slot(history, (struct line_slot){ hash, nr });
}

static bool is_spot(const struct line_spot *spot, const struct line_touch *touch)
{
	return spot->place == touch->place && spot->start == touch->start &&
	       spot->end == touch->end && spot->object == touch->object;
}

/* NULL = there is none yet. */
static const struct line_spot *known_spot(const struct line_history *history,
					  const struct line_touch *touch, uint32_t hash)
{
	struct line_slot *slot;

	for (size_t i = 0; !history->nr_slots && i < history->spots.nr; i++) {
		if (is_spot(&history->spots.items[i], touch))
			return &history->spots.items[i];
	}
	if (!history->nr_slots)
		return NULL;
	for (slot = first_slot(history, hash); slot->number; slot = next_slot(history, slot)) {
		if (slot->hash == hash && is_spot(&history->spots.items[slot->number - 1], touch))
			return &history->spots.items[slot->number - 1];
	}
	return NULL;
}

static void prefetch(const void *bytes, size_t nr)
{
	for (size_t at = 0; at < nr; at += FETCHED_BYTES)
		__builtin_prefetch((const char *)bytes + at, 1);
}

void line_history_prefetch(const struct line_history *history, const struct line_touch *touch,
			   bool again)
{
	if (again && history->nr_slots) {
		const struct line_slot *slot = find_slot(history, hash_spot(touch));

		if (slot->number)
			__builtin_prefetch(&history->spots.items[slot->number - 1], 1);
	} else if (!again) {
		prefetch(history->holders.items,
			 history->holders.nr * sizeof(*history->holders.items));
		if (history->writes.nr)
			prefetch(&history->writes.items[history->latest],
				 sizeof(*history->writes.items));
		if (history->nr_slots)
			__builtin_prefetch(first_slot(history, hash_spot(touch)));
		else
			prefetch(history->spots.items,
				 history->spots.nr * sizeof(*history->spots.items));
	}
}

static uint32_t find_spot(struct line_history *history, const struct line_touch *touch)
{
	uint32_t hash = history->spots.nr >= FEW_SPOTS ? hash_spot(touch) : 0;
	const struct line_spot *spot = known_spot(history, touch, hash);

	if (spot)
		return (uint32_t)(spot - history->spots.items);
	*add_tight(&history->spots) = (struct line_spot){
		.object = touch->object,
		.place = touch->place,
		.where = touch->where,
		.writes = LINE_NONE,
		.start = touch->start,
		.end = touch->end,
	};
	index_spot(history, hash);
	return (uint32_t)history->spots.nr - 1;
}

static struct line_holder *find_holder(struct line_history *history, uint32_t cpu, bool *ret_is_new)
{
	*ret_is_new = false;
	for (size_t i = 0; i < history->holders.nr; i++) {
		if (history->holders.items[i].cpu == cpu)
			return &history->holders.items[i];
	}
	*ret_is_new = true;
	*add_tight(&history->holders) = (struct line_holder){ .cpu = cpu, .pending = LINE_NONE };
	return &history->holders.items[history->holders.nr - 1];
}

/* The spot's latest write that was not by this CPU. */
static const struct last_write *foreign_write(const struct line_writes *writes, uint32_t cpu)
{
	return writes->last.cpu != cpu ? &writes->last : &writes->other;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/*
 * The latest write by another CPU after `since` and inside the window; with overlap only where it
 * is to bytes of the touch. *ret_lost tells whether there was any, inside the window or not. Only
 * what was written since needs to be looked at, and of accesses by time only the window.
 */
static uint32_t find_write(const struct line_history *history, const struct history_rule *rule,
			   const struct line_touch *touch, uint64_t since, bool overlap,
			   bool *ret_lost)
{
	uint32_t i = history->writes.nr ? history->latest : LINE_NONE, found = LINE_NONE;
	uint64_t latest = since;

	while (i != LINE_NONE && history->writes.items[i].last.serial > latest) {
		const struct line_writes *writes = &history->writes.items[i];
		const struct last_write *write = foreign_write(writes, touch->cpu);
		bool passed = touch->time_ns > writes->last.time_ns &&
			      touch->time_ns - writes->last.time_ns > rule->window_ns;

		if (passed && (overlap || *ret_lost))
			break;
		if (write->serial > since &&
		    (!overlap || (writes->end > touch->start && touch->end > writes->start))) {
			*ret_lost = true;
			if (distance(write->time_ns, touch->time_ns) <= rule->window_ns &&
			    write->serial > latest) {
				latest = write->serial;
				found = writes->spot;
			}
		}
		i = writes->earlier;
	}
	return found;
}

static struct line_event decide_pending(const struct line_history *history,
					struct line_holder *holder)
{
	const struct line_spot *other = &history->spots.items[holder->pending_spot];
	const struct line_event event = {
		.spot = holder->pending,
		.other = other->place,
		.where = holder->pending_where,
		.object = other->object,
	};

	holder->pending = LINE_NONE;
	return event;
}

/* Makes it the one that was written last. */
static void move_to_front(struct line_history *history, uint32_t at)
{
	struct line_writes *all = history->writes.items, *writes = &all[at];

	if (history->latest == at)
		return;
	if (writes->earlier != LINE_NONE)
		all[writes->earlier].later = writes->later;
	if (writes->later != LINE_NONE)
		all[writes->later].earlier = writes->earlier;
	writes->later = LINE_NONE;
	writes->earlier = history->latest;
	all[history->latest].later = at;
	history->latest = at;
}

/* The first write to a spot. */
static uint32_t add_writes(struct line_history *history, uint32_t spot,
			   const struct line_touch *touch)
{
	uint32_t at = (uint32_t)history->writes.nr;

	*add_tight(&history->writes) = (struct line_writes){
		.spot = spot,
		.earlier = LINE_NONE,
		.later = LINE_NONE,
		.start = touch->start,
		.end = touch->end,
	};
	/* The only one is the latest already. */
	if (!at)
		history->latest = at;
	return at;
}

static void record(struct line_history *history, const struct line_touch *touch, uint32_t at)
{
	struct line_spot *spot = &history->spots.items[at];
	uint64_t bit = 1ull << touch->cpu % 64;
	struct line_writes *writes;

	spot->nr_samples++;
	spot->nr_contended += touch->contended;
	if (touch->reads)
		spot->readers |= bit;
	if (!touch->writes)
		return;
	if (spot->writes == LINE_NONE)
		spot->writes = add_writes(history, at, touch);
	writes = &history->writes.items[spot->writes];
	writes->nr_stores++;
	writes->writers |= bit;
	if (writes->last.serial && writes->last.cpu != touch->cpu)
		writes->other = writes->last;
	writes->last = (struct last_write){ touch->serial, touch->time_ns, touch->cpu };
	move_to_front(history, spot->writes);
}

/* The line was there, or is being fetched: has the CPU used what others wrote meanwhile? */
static bool uses_written(const struct line_history *history, const struct history_rule *rule,
			 const struct line_touch *touch, const struct line_holder *holder,
			 struct line_event *ret)
{
	bool unused;
	uint32_t spot = find_write(history, rule, touch, holder->since, true, &unused);

	if (spot == LINE_NONE)
		return false;
	*ret = (struct line_event){ .is_true = true,
				    .spot = spot,
				    .other = touch->place,
				    .where = touch->where,
				    .object = touch->object };
	return true;
}

void line_history_add(struct line_history *history, const struct history_rule *rule,
		      const struct line_touch *touch, struct line_event ret[2],
		      unsigned int *ret_nr)
{
	bool is_new, lost = false;
	struct line_holder *holder = find_holder(history, touch->cpu, &is_new);
	uint32_t taker = LINE_NONE, spot = find_spot(history, touch);

	*ret_nr = 0;
	if (!is_new || !rule->every_access)
		taker = find_write(history, rule, touch, holder->last, false, &lost);
	if (lost && holder->pending != LINE_NONE)
		ret[(*ret_nr)++] = decide_pending(history, holder);
	if (lost)
		holder->since = holder->last;
	if (taker != LINE_NONE) {
		holder->pending = taker;
		holder->pending_spot = spot;
		holder->pending_where = touch->where;
	}
	if (holder->pending != LINE_NONE &&
	    uses_written(history, rule, touch, holder, &ret[*ret_nr])) {
		holder->pending = LINE_NONE;
		(*ret_nr)++;
	}
	holder->last = touch->serial;
	record(history, touch, spot);
}

bool line_history_flush(struct line_history *history, size_t at, struct line_event *ret)
{
	struct line_holder *holder = &history->holders.items[at];

	if (holder->pending == LINE_NONE)
		return false;
	*ret = decide_pending(history, holder);
	return true;
}

void line_history_deinit(struct line_history *history)
{
	vec_deinit(&history->spots);
	vec_deinit(&history->writes);
	free(history->slots);
	vec_deinit(&history->holders);
}
