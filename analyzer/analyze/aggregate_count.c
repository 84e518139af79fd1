/* SPDX-License-Identifier: GPL-2.0-only */
/* An access that is known, counted: on its footprint, its object and its lines of memory. */
#include "analyze/aggregation.h"

static struct memory_line *find_memory(struct aggregate *aggregate, uint64_t address)
{
	uint64_t number = address / aggregate->options.cacheline;
	bool is_new;
	struct map_slot *slot = map_add(&aggregate->addresses, number, &is_new);

	if (is_new) {
		slot->value = aggregate->memory.nr;
		*vec_add(&aggregate->memory) = (struct memory_line){
			.address = number * aggregate->options.cacheline,
		};
	}
	return &aggregate->memory.items[slot->value];
}

struct profile_pair *aggregate_meet(struct aggregate *aggregate, uint32_t line,
				    const struct profile_pair *pair)
{
	uint64_t flags = pair->overlaps + 2ull * pair->neighbour + 4ull * pair->timed;
	uint64_t key =
		hash_mix(hash_mix(hash_mix(start_key(line), pair->writer), pair->other), flags);
	bool is_new;
	struct map_slot *slot = map_add(&aggregate->meetings_by_key, key, &is_new);

	if (is_new) {
		slot->value = aggregate->meetings.nr;
		*vec_add(&aggregate->meetings) = (struct meeting){ line, *pair };
	}
	return &aggregate->meetings.items[slot->value].pair;
}

/* Whether the writer's bytes lie outside the object that the other one accessed. */
static bool is_neighbour(const struct aggregate *aggregate, const struct footprint *writer,
			 const struct footprint *other)
{
	uint32_t type = aggregate->profile.places.items[other->place].type;
	uint64_t size = aggregate->profile.types.items[type].size;

	return size &&
	       (writer->end <= other->object || (int64_t)(writer->start - size) >= other->object);
}

void aggregate_count_event(struct aggregate *aggregate, struct memory_line *memory,
			   const struct line_event *event)
{
	const struct footprint *writer = &aggregate->footprints.items[event->writer];
	const struct footprint *other = &aggregate->footprints.items[event->other];
	const struct profile_place *places = aggregate->profile.places.items;
	struct profile_pair pair = { .writer = writer->place,
				     .other = other->place,
				     .overlaps = event->is_true,
				     .timed = true };
	struct profile_line *line;

	memory->nr_true += event->is_true;
	memory->nr_false += !event->is_true;
	if (other->where == PROFILE_NONE)
		return;
	line = &aggregate->profile.lines.items[other->where];
	pair.neighbour = !event->is_true && is_neighbour(aggregate, writer, other);
	line->nr_true += event->is_true;
	line->nr_false += !event->is_true;
	line->nr_neighbour += pair.neighbour;
	if (places[pair.writer].confidence >= CONFIDENCE_MEDIUM &&
	    places[pair.other].confidence >= CONFIDENCE_MEDIUM)
		aggregate->evidence.items[other->where].nr_sure++;
	aggregate_meet(aggregate, other->where, &pair)->nr++;
}

/* The part of an access that lies on one line of memory. */
static void touch_line(struct aggregate *aggregate, const struct waiting_access *added,
		       uint32_t number, struct memory_line *memory)
{
	struct footprint *footprint = &aggregate->footprints.items[number];
	const struct line_touch touch = {
		.time_ns = added->time_ns,
		.footprint = number,
		.cpu = added->cpu,
		.start = footprint->start,
		.end = footprint->end,
		.reads = added->counts.loads,
		.writes = added->counts.stores,
		.contended =
			added->counts.hitm_local || added->counts.hitm_remote || added->counts.peer,
	};
	struct line_event events[2];
	unsigned int nr_events;

	small_counts_add(&memory->counts, &added->counts);
	cpu_set_add(&memory->cpus, added->cpu, &aggregate->profile.arena);
	line_history_add(&memory->history, &aggregate->rule, &touch, events, &nr_events);
	for (unsigned int i = 0; i < nr_events && added->is_timed; i++)
		aggregate_count_event(aggregate, memory, &events[i]);
}

static void count_footprint(struct aggregate *aggregate, const struct waiting_access *added,
			    uint32_t number)
{
	struct footprint *footprint = &aggregate->footprints.items[number];

	small_counts_add(&footprint->counts, &added->counts);
	if (!added->has_cpu)
		return;
	if (added->counts.loads)
		cpu_set_add(&footprint->readers, added->cpu, &aggregate->profile.arena);
	if (added->counts.stores)
		cpu_set_add(&footprint->writers, added->cpu, &aggregate->profile.arena);
}

/* What is left of an access behind the line where it began. */
static void touch_rest(struct aggregate *aggregate, const struct waiting_access *added, uint64_t at)
{
	const struct footprint *first = &aggregate->footprints.items[added->footprint];
	struct footprint rest = {
		.place = first->place,
		.is_rest = true,
		.has_object = added->object,
		.object = added->object ? (int64_t)(added->object - at) : 0,
	};
	uint32_t number;

	line_bytes(at, added->addr + added->size, aggregate->options.cacheline, &rest.start,
		   &rest.end);
	number = aggregate_find_footprint(aggregate, &rest, first->where != PROFILE_NONE);
	count_footprint(aggregate, added, number);
	touch_line(aggregate, added, number, find_memory(aggregate, at));
}

static void add_object(struct aggregate *aggregate, const struct waiting_access *added,
		       uint32_t type)
{
	struct seen_object *object;
	bool is_new;
	struct map_slot *slot = map_add(&aggregate->objects_by_key, added->object_key, &is_new);

	if (is_new) {
		slot->value = aggregate->objects.nr;
		*vec_add(&aggregate->objects) =
			(struct seen_object){ .type = type, .base = added->object };
		aggregate->profile.types.items[type].nr_objects++;
	}
	object = &aggregate->objects.items[slot->value];
	small_counts_add(&object->counts, &added->counts);
	if (added->has_cpu)
		cpu_set_add(&object->cpus, added->cpu, &aggregate->profile.arena);
}

void aggregate_count(struct aggregate *aggregate, const struct waiting_access *added)
{
	const struct footprint *footprint = &aggregate->footprints.items[added->footprint];
	struct profile_place *place = &aggregate->profile.places.items[footprint->place];
	uint64_t behind = added->addr + footprint->end - footprint->start;
	struct memory_line *memory;

	place->basis |= added->basis;
	if (added->confidence < place->confidence)
		place->confidence = added->confidence;
	count_footprint(aggregate, added, added->footprint);
	if (added->object_key)
		add_object(aggregate, added, place->type);
	if (!added->size)
		return;
	memory = added->memory == PROFILE_NONE ? find_memory(aggregate, added->addr) :
						 &aggregate->memory.items[added->memory];
	touch_line(aggregate, added, added->footprint, memory);
	if (behind < added->addr + added->size)
		touch_rest(aggregate, added, behind);
}
