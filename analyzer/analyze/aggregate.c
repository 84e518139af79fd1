/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/aggregation.h"

#include "model/data_src.h"
#include "model/layout.h"

struct aggregate *aggregate_create(const struct aggregate_options *options)
{
	struct aggregate *aggregate = memory_alloc(1, sizeof(*aggregate));
	struct profile_totals *totals = &aggregate->profile.totals;

	aggregate->options = *options;
	aggregate->rule = (struct history_rule){ .window_ns = options->window_ns,
						 .every_access = options->every_access };
	aggregate->profile.cacheline = options->cacheline;
	totals->window_ns = options->window_ns;
	totals->is_complete = options->every_access;
	return aggregate;
}

void aggregate_destroy(struct aggregate *aggregate)
{
	if (!aggregate)
		return;
	for (size_t i = 0; i < aggregate->memory.nr; i++)
		line_history_deinit(&aggregate->memory.items[i].history);
	vec_deinit(&aggregate->memory);
	vec_deinit(&aggregate->evidence);
	vec_deinit(&aggregate->meetings);
	map_deinit(&aggregate->types_by_pointer);
	map_deinit(&aggregate->types_by_identity);
	map_deinit(&aggregate->functions);
	map_deinit(&aggregate->places);
	map_deinit(&aggregate->objects);
	map_deinit(&aggregate->lines);
	map_deinit(&aggregate->addresses);
	map_deinit(&aggregate->meetings_by_key);
	map_deinit(&aggregate->cpus);
	profile_deinit(&aggregate->profile);
	free(aggregate);
}

/*
 * Direction: what the recording says, and where that is silent what the instruction does. An
 * instruction that does both counts as both, whichever half was sampled.
 */
static struct profile_counts count_sample(const struct sample *sample, const struct access *access)
{
	uint64_t data_src = sample->has & SAMPLE_HAS_DATA_SRC ? sample->data_src : data_src_none();
	unsigned int op = data_src_op(data_src), level = data_src_level(data_src);
	bool told = op & (OP_LOAD | OP_STORE), both = access->is_load && access->is_store;
	bool is_hitm = data_src_snoop(data_src) & SNOOP_HITM;
	bool is_remote = level & (LEVEL_REMOTE_CACHE1 | LEVEL_REMOTE_CACHE2) ||
			 (data_src_remote(data_src) && !data_src_hops(data_src));
	bool has_latency = sample->has & SAMPLE_HAS_WEIGHT && sample->weight;

	return (struct profile_counts){
		.samples = 1,
		.loads = both || (told ? op & OP_LOAD : access->is_load) ? 1 : 0,
		.stores = both || (told ? op & OP_STORE : access->is_store) ? 1 : 0,
		.locked = access->is_locked || data_src_lock(data_src) & LOCK_LOCKED ? 1 : 0,
		.hitm_local = is_hitm && !is_remote,
		.hitm_remote = is_hitm && is_remote,
		.peer = data_src_snoopx(data_src) & SNOOPX_PEER ? 1 : 0,
		.latency = has_latency ? sample->weight : 0,
		.nr_latency = has_latency,
	};
}

static uint32_t add_type(struct aggregate *aggregate, const struct type *type)
{
	struct profile *profile = &aggregate->profile;
	auto_text struct text label = {};
	struct map_slot *slot;
	bool is_new;

	if (type_strip(type) && type_strip(type)->name)
		type_print(&label, type_strip(type), NULL);
	else if (type)
		type_print(&label, type, NULL);
	else
		text_add(&label, "(unresolved)");
	slot = map_add(
		&aggregate->types_by_identity,
		hash_string(type_is_aggregate(type) ? type_hash(type) : 0, text_chars(&label)),
		&is_new);
	if (!is_new)
		return (uint32_t)slot->value;
	slot->value = profile->types.nr;
	*vec_add(&profile->types) = (struct profile_type){
		.label = arena_strdup(&profile->arena, text_chars(&label)),
		.type = type_is_aggregate(type) ? type_strip(type) : NULL,
		.size = type && type_size(type) != TYPE_SIZE_UNKNOWN ? type_size(type) : 0,
	};
	return (uint32_t)slot->value;
}

static uint32_t find_type(struct aggregate *aggregate, const struct type *type)
{
	bool is_new;
	struct map_slot *slot = map_add(&aggregate->types_by_pointer, (uintptr_t)type, &is_new);

	if (is_new)
		slot->value = add_type(aggregate, type);
	return (uint32_t)slot->value;
}

static const char *copy_function(struct aggregate *aggregate, const char *function)
{
	struct map_slot *slot;
	bool is_new;

	if (!function)
		return NULL;
	slot = map_add(&aggregate->functions, hash_string(0, function), &is_new);
	if (is_new)
		slot->pointer = arena_strdup(&aggregate->profile.arena, function);
	return slot->pointer;
}

/* Small numbers are spread first: else (1, 3) and (2, 0) would be one key. */
static uint64_t start_key(uint32_t number)
{
	return hash_mix(0, number + 1ull);
}

/* Of the unresolved a place is bytes of the line. */
static uint64_t place_offset(const struct aggregate *aggregate, const struct sample *sample,
			     const struct access *access)
{
	return access->type ? access->offset : sample->addr % aggregate->options.cacheline;
}

static uint32_t find_place(struct aggregate *aggregate, uint32_t type, const struct sample *sample,
			   const struct access *access, const char *function, bool inferred)
{
	struct profile *profile = &aggregate->profile;
	uint64_t offset = place_offset(aggregate, sample, access);
	const char *copy = copy_function(aggregate, function);
	uint64_t key =
		hash_mix(hash_mix(hash_mix(start_key(2 * type + inferred), offset), access->size),
			 (uintptr_t)copy);
	bool is_new;
	struct map_slot *slot = map_add(&aggregate->places, key, &is_new);

	if (is_new) {
		slot->value = profile->places.nr;
		*vec_add(&profile->places) = (struct profile_place){
			.type = type,
			.size = access->size,
			.offset = offset,
			.function = copy,
			.inferred = inferred,
			.confidence = access->confidence,
		};
	}
	return (uint32_t)slot->value;
}

/* Most accesses are of a few thousand places: those are found again without their names. */
static uint32_t sampled_place(struct aggregate *aggregate, const struct sample *sample,
			      const struct access *access, const char *function)
{
	uint64_t offset = place_offset(aggregate, sample, access);
	uint64_t hash = hash_mix(hash_mix(hash_mix(offset, access->size), (uintptr_t)function),
				 (uintptr_t)access->type);
	struct recent_place *recent = &aggregate->recent[hash % AGGREGATE_RECENT];

	if (!recent->number || recent->type != access->type || recent->function != function ||
	    recent->offset != offset || recent->size != access->size) {
		uint32_t type = find_type(aggregate, access->type);

		*recent = (struct recent_place){ access->type, function, offset, access->size };
		recent->number = find_place(aggregate, type, sample, access, function, false) + 1;
	}
	return recent->number - 1;
}

static void add_cpu(struct aggregate *aggregate, const struct sample *sample,
		    const struct profile_counts *counts)
{
	struct profile_cpu_vec *cpus = &aggregate->profile.cpus;
	struct map_slot *slot;
	bool is_new;

	if (!(sample->has & SAMPLE_HAS_CPU))
		return;
	slot = map_add(&aggregate->cpus, sample->cpu, &is_new);
	if (is_new) {
		slot->value = cpus->nr;
		*vec_add(cpus) = (struct profile_cpu){ .cpu = sample->cpu, .node = PROFILE_NONE };
	}
	profile_counts_add(&cpus->items[slot->value].counts, counts);
}

/* Slices double in length until the last sample is inside. */
static void add_time(struct profile *profile, uint64_t time_ns, const struct profile_counts *counts)
{
	struct profile_totals *totals = &profile->totals;

	if (!totals->has_times) {
		totals->first_ns = totals->last_ns = time_ns;
		totals->slice_ns = 1;
		totals->has_times = true;
	}
	/* A late one counts with the first. */
	if (time_ns < totals->first_ns)
		time_ns = totals->first_ns;
	if (time_ns > totals->last_ns)
		totals->last_ns = time_ns;
	while ((time_ns - totals->first_ns) / totals->slice_ns >= PROFILE_NR_SLICES) {
		for (unsigned int i = 0; i < PROFILE_NR_SLICES; i++) {
			struct profile_counts moved = profile->slices[i];

			profile->slices[i] = (struct profile_counts){};
			profile_counts_add(&profile->slices[i / 2], &moved);
		}
		totals->slice_ns *= 2;
	}
	profile_counts_add(&profile->slices[(time_ns - totals->first_ns) / totals->slice_ns],
			   counts);
}

static void add_object(struct aggregate *aggregate, uint32_t type, const struct access *access,
		       const struct sample *sample, const struct profile_counts *counts)
{
	struct profile *profile = &aggregate->profile;
	struct profile_object *object;
	struct map_slot *slot;
	bool is_new;

	slot = map_add(&aggregate->objects, hash_mix(start_key(type), access->object), &is_new);
	if (is_new) {
		slot->value = profile->objects.nr;
		*vec_add(&profile->objects) =
			(struct profile_object){ .type = type, .base = access->object };
		profile->types.items[type].nr_objects++;
	}
	object = &profile->objects.items[slot->value];
	profile_counts_add(&object->counts, counts);
	if (sample->has & SAMPLE_HAS_CPU)
		cpu_set_add(&object->cpus, sample->cpu, &profile->arena);
}

static uint32_t find_line(struct aggregate *aggregate, uint32_t type, uint64_t object,
			  uint64_t address)
{
	struct profile *profile = &aggregate->profile;
	uint32_t cacheline = aggregate->options.cacheline;
	struct view view = { cacheline, (uint32_t)(object % cacheline) };
	uint64_t line = view_line(view, address - object);
	bool is_new;
	struct map_slot *slot = map_add(
		&aggregate->lines, hash_mix(hash_mix(start_key(type), view.phase), line), &is_new);

	if (is_new) {
		slot->value = profile->lines.nr;
		*vec_add(&profile->lines) =
			(struct profile_line){ .type = type, .phase = view.phase, .line = line };
		*vec_add(&aggregate->evidence) = (struct line_evidence){};
	}
	return (uint32_t)slot->value;
}

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
static bool is_neighbour(const struct aggregate *aggregate, const struct memory_line *memory,
			 const struct line_spot *writer, uint32_t line, uint64_t object)
{
	uint32_t type = aggregate->profile.lines.items[line].type;
	uint64_t size = aggregate->profile.types.items[type].size;
	uint64_t start = memory->address + writer->start, end = memory->address + writer->end;

	return size && (end <= object || start >= object + size);
}

void aggregate_count_event(struct aggregate *aggregate, struct memory_line *memory,
			   const struct line_event *event)
{
	const struct line_spot *writer = &memory->history.spots.items[event->spot];
	struct profile_pair pair = { .writer = writer->place,
				     .other = event->other,
				     .overlaps = event->is_true,
				     .timed = true };
	const struct profile_place *places = aggregate->profile.places.items;
	struct profile_line *line;

	memory->nr_true += event->is_true;
	memory->nr_false += !event->is_true;
	if (event->where == PROFILE_NONE)
		return;
	line = &aggregate->profile.lines.items[event->where];
	pair.neighbour = !event->is_true &&
			 is_neighbour(aggregate, memory, writer, event->where, event->object);
	line->nr_true += event->is_true;
	line->nr_false += !event->is_true;
	line->nr_neighbour += pair.neighbour;
	if (places[pair.writer].confidence >= CONFIDENCE_MEDIUM &&
	    places[pair.other].confidence >= CONFIDENCE_MEDIUM)
		aggregate->evidence.items[event->where].nr_sure++;
	aggregate_meet(aggregate, event->where, &pair)->nr++;
}

/* Of a guess where the object starts is one, too: it makes no object, and no line of the type. */
static bool has_object(const struct access *access)
{
	return access->type && access->object && access->confidence > CONFIDENCE_LOW;
}

/* The part of an access that lies on one line of memory. */
static void touch_line(struct aggregate *aggregate, const struct sample *sample,
		       const struct access *access, struct line_touch *touch, uint64_t address,
		       const struct profile_counts *counts)
{
	struct profile *profile = &aggregate->profile;
	struct memory_line *memory = find_memory(aggregate, address);
	bool is_timed = sample->has & SAMPLE_HAS_TIME || aggregate->options.every_access;
	uint32_t type = profile->places.items[touch->place].type;
	struct line_event events[2];
	unsigned int nr_events;

	touch->where = PROFILE_NONE;
	if (has_object(access)) {
		struct profile_line *line;

		touch->where = find_line(aggregate, type, access->object, address);
		line = &profile->lines.items[touch->where];
		profile_counts_add(&line->counts, counts);
		if (touch->reads)
			cpu_set_add(&line->readers, touch->cpu, &profile->arena);
		if (touch->writes)
			cpu_set_add(&line->writers, touch->cpu, &profile->arena);
	}
	profile_counts_add(&memory->counts, counts);
	cpu_set_add(&memory->cpus, touch->cpu, &profile->arena);
	line_history_add(&memory->history, &aggregate->rule, touch, events, &nr_events);
	for (unsigned int i = 0; i < nr_events && is_timed; i++)
		aggregate_count_event(aggregate, memory, &events[i]);
}

/* The part of [start, end) that lies on the start's line. */
static void set_bytes(struct line_touch *touch, uint64_t start, uint64_t end, uint32_t cacheline)
{
	uint64_t line = start - start % cacheline;

	touch->start = (uint16_t)(start - line);
	touch->end = (uint16_t)(end - line < cacheline ? end - line : cacheline);
}

/* Without a CPU nothing can be said of who shares what. */
static void touch_lines(struct aggregate *aggregate, const struct waiting_access *added)
{
	const struct sample *sample = &added->sample;
	uint32_t cacheline = aggregate->options.cacheline;
	uint64_t size = added->access.size ? added->access.size : 1, at = sample->addr;
	struct line_touch touch = added->touch;

	if (!(sample->has & SAMPLE_HAS_ADDR) || !(sample->has & SAMPLE_HAS_CPU) ||
	    size > cacheline || sample->addr > UINT64_MAX - size)
		return;
	touch.serial = aggregate->profile.totals.counts.samples;
	while (at < sample->addr + size) {
		set_bytes(&touch, at, sample->addr + size, cacheline);
		touch_line(aggregate, sample, &added->access, &touch, at, &added->counts);
		at += touch.end - touch.start;
	}
}

static void add_place(struct aggregate *aggregate, const struct sample *sample,
		      const struct access *access, uint32_t at, const struct profile_counts *counts)
{
	struct profile_place *place = &aggregate->profile.places.items[at];

	place->basis |= access->basis;
	if (access->confidence < place->confidence)
		place->confidence = access->confidence;
	profile_counts_add(&place->counts, counts);
	if (!(sample->has & SAMPLE_HAS_CPU))
		return;
	if (counts->loads)
		cpu_set_add(&place->readers, sample->cpu, &aggregate->profile.arena);
	if (counts->stores)
		cpu_set_add(&place->writers, sample->cpu, &aggregate->profile.arena);
}

static void count_resolution(struct profile_totals *totals, const struct access *access)
{
	if (!access->type) {
		totals->nr_unresolved[access->unresolved]++;
		return;
	}
	totals->nr_resolved++;
	totals->nr_by_basis[access->basis]++;
	totals->nr_by_confidence[access->confidence]++;
}

/* Whether this kind of sample would have told of a line that another cache had. */
static bool tells_contention(const struct sample *sample)
{
	unsigned int snoop = data_src_snoop(sample->data_src);

	return sample->has & SAMPLE_HAS_DATA_SRC && data_src_op(sample->data_src) & OP_LOAD &&
	       ((snoop && !(snoop & SNOOP_NA)) || data_src_snoopx(sample->data_src));
}

void aggregate_count(struct aggregate *aggregate, const struct waiting_access *added)
{
	struct profile *profile = &aggregate->profile;
	const struct sample *sample = &added->sample;
	const struct access *access = &added->access;
	uint32_t type = profile->places.items[added->place].type;

	if (tells_contention(sample))
		aggregate->tells_contention = true;
	profile_counts_add(&profile->totals.counts, &added->counts);
	count_resolution(&profile->totals, access);
	add_cpu(aggregate, sample, &added->counts);
	if (sample->has & SAMPLE_HAS_TIME)
		add_time(profile, sample->time_ns, &added->counts);
	profile_counts_add(&profile->types.items[type].counts, &added->counts);
	add_place(aggregate, sample, access, added->place, &added->counts);
	if (has_object(access))
		add_object(aggregate, type, access, sample, &added->counts);
	touch_lines(aggregate, added);
}

void aggregate_add(struct aggregate *aggregate, const struct sample *sample,
		   const struct access *access, const char *function)
{
	const struct profile_counts counts = count_sample(sample, access);
	struct waiting_access added = {
		.sample = *sample, .access = *access, .counts = counts, .memory = PROFILE_NONE
	};

	if (access->unresolved == ACCESS_USER) {
		aggregate->profile.totals.nr_user++;
		return;
	}
	if (!counts.loads && !counts.stores) {
		aggregate->profile.totals.nr_other++;
		return;
	}
	added.place = sampled_place(aggregate, sample, access, function);
	added.touch = (struct line_touch){
		.time_ns = sample->time_ns,
		.object = access->object,
		.place = added.place,
		.cpu = sample->cpu,
		.reads = counts.loads,
		.writes = counts.stores,
		.contended = profile_counts_contended(&counts),
	};
	set_bytes(&added.touch, sample->addr, sample->addr + (access->size ? access->size : 1),
		  aggregate->options.cacheline);
	aggregate_wait(aggregate, &added);
}

void aggregate_infer(struct aggregate *aggregate, const struct sample *sample,
		     const struct access *access, const char *function)
{
	struct profile_place *place;
	uint32_t type, at;

	if (!access->type)
		return;
	type = find_type(aggregate, access->type);
	at = find_place(aggregate, type, sample, access, function, true);
	place = &aggregate->profile.places.items[at];
	place->basis |= access->basis;
	if (access->confidence < place->confidence)
		place->confidence = access->confidence;
	place->counts.loads |= access->is_load;
	place->counts.stores |= access->is_store;
}
