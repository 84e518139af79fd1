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
	vec_deinit(&aggregate->footprints);
	vec_deinit(&aggregate->objects);
	vec_deinit(&aggregate->evidence);
	vec_deinit(&aggregate->meetings);
	map_deinit(&aggregate->types_by_pointer);
	map_deinit(&aggregate->types_by_identity);
	map_deinit(&aggregate->functions);
	map_deinit(&aggregate->places);
	map_deinit(&aggregate->footprints_by_access);
	map_deinit(&aggregate->footprints_by_key);
	map_deinit(&aggregate->objects_by_key);
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
static struct small_counts count_sample(const struct sample *sample, const struct access *access)
{
	uint64_t data_src = sample->has & SAMPLE_HAS_DATA_SRC ? sample->data_src : data_src_none();
	unsigned int op = data_src_op(data_src), level = data_src_level(data_src);
	bool told = op & (OP_LOAD | OP_STORE), both = access->is_load && access->is_store;
	bool is_hitm = data_src_snoop(data_src) & SNOOP_HITM;
	bool is_remote = level & (LEVEL_REMOTE_CACHE1 | LEVEL_REMOTE_CACHE2) ||
			 (data_src_remote(data_src) && !data_src_hops(data_src));
	bool has_latency = sample->has & SAMPLE_HAS_WEIGHT && sample->weight;

	return (struct small_counts){
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

static uint32_t find_line(struct aggregate *aggregate, uint32_t type,
			  const struct footprint *footprint)
{
	struct profile *profile = &aggregate->profile;
	uint32_t cacheline = aggregate->options.cacheline;
	uint64_t object = (uint64_t)footprint->object;
	struct view view = { cacheline, (uint32_t)(object % cacheline) };
	uint64_t line = view_line(view, footprint->start - object);
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

uint32_t aggregate_find_footprint(struct aggregate *aggregate, const struct footprint *footprint,
				  bool is_sure)
{
	uint64_t flags = is_sure + 2ull * footprint->is_rest + 4ull * footprint->has_object;
	uint64_t bytes = (uint64_t)footprint->start << 16 | footprint->end;
	uint64_t key = hash_mix(hash_mix(hash_mix(start_key(footprint->place), flags), bytes),
				(uint64_t)footprint->object);
	bool is_new;
	struct map_slot *slot = map_add(&aggregate->footprints_by_key, key, &is_new);

	if (is_new) {
		uint32_t type = aggregate->profile.places.items[footprint->place].type;
		struct footprint *added = vec_add(&aggregate->footprints);

		slot->value = aggregate->footprints.nr - 1;
		*added = *footprint;
		added->where = is_sure ? find_line(aggregate, type, footprint) : PROFILE_NONE;
	}
	return (uint32_t)slot->value;
}

/* By what the resolver says: most accesses need none of the names that make a place. */
static uint32_t sampled_footprint(struct aggregate *aggregate, const struct sample *sample,
				  const struct access *access, const char *function, bool is_sure)
{
	uint64_t offset = place_offset(aggregate, sample, access), size = access->size;
	uint64_t start = sample->addr % aggregate->options.cacheline;
	uint64_t object = access->object ? access->object - (sample->addr - start) : 0;
	uint64_t knows = (access->object != 0) + is_sure;
	uint64_t key = hash_mix(
		hash_mix(hash_mix(hash_mix(start << 48 | size << 8 | knows, offset), object),
			 (uintptr_t)function),
		(uintptr_t)access->type);
	struct footprint footprint = { .has_object = access->object, .object = (int64_t)object };
	bool is_new;
	struct map_slot *slot = map_add(&aggregate->footprints_by_access, key, &is_new);

	if (!is_new)
		return (uint32_t)slot->value;
	line_bytes(sample->addr, sample->addr + (size ? size : 1), aggregate->options.cacheline,
		   &footprint.start, &footprint.end);
	footprint.place = find_place(aggregate, find_type(aggregate, access->type), sample, access,
				     function, false);
	slot->value = aggregate_find_footprint(aggregate, &footprint, is_sure);
	return (uint32_t)slot->value;
}

static void add_cpu(struct aggregate *aggregate, uint32_t cpu, const struct small_counts *counts)
{
	struct profile_cpu_vec *cpus = &aggregate->profile.cpus;
	bool is_new;
	struct map_slot *slot = map_add(&aggregate->cpus, cpu, &is_new);

	if (is_new) {
		slot->value = cpus->nr;
		*vec_add(cpus) = (struct profile_cpu){ .cpu = cpu, .node = PROFILE_NONE };
	}
	small_counts_add_to(&cpus->items[slot->value].counts, counts);
}

/* Slices double in length until the last sample is inside. */
static void add_time(struct profile *profile, uint64_t time_ns, const struct small_counts *counts)
{
	struct profile_totals *totals = &profile->totals;
	uint64_t slice;

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
	slice = (time_ns - totals->first_ns) / totals->slice_ns;
	for (; slice >= PROFILE_NR_SLICES; slice /= 2) {
		for (unsigned int i = 0; i < PROFILE_NR_SLICES; i++) {
			struct profile_counts moved = profile->slices[i];

			profile->slices[i] = (struct profile_counts){};
			profile_counts_add(&profile->slices[i / 2], &moved);
		}
		totals->slice_ns *= 2;
	}
	small_counts_add_to(&profile->slices[slice], counts);
}

/* Of a guess where the object starts is one, too: it makes no object, and no line of the type. */
static bool has_object(const struct access *access)
{
	return access->type && access->object && access->confidence > CONFIDENCE_LOW;
}

static uint64_t object_key(const struct aggregate *aggregate, uint32_t footprint, uint64_t object)
{
	uint32_t place = aggregate->footprints.items[footprint].place;
	uint64_t key = hash_mix(start_key(aggregate->profile.places.items[place].type), object);

	return key ? key : 1;
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

void aggregate_add(struct aggregate *aggregate, const struct sample *sample,
		   const struct access *access, const char *function)
{
	const uint16_t needed = SAMPLE_HAS_ADDR | SAMPLE_HAS_CPU;
	const struct small_counts counts = count_sample(sample, access);
	struct waiting_access *added = aggregate_next(aggregate);
	uint32_t size = access->size ? access->size : 1;
	bool is_object = has_object(access);

	if (access->unresolved == ACCESS_USER) {
		aggregate->profile.totals.nr_user++;
		return;
	}
	if (!counts.loads && !counts.stores) {
		aggregate->profile.totals.nr_other++;
		return;
	}
	/* Without a CPU nothing can be said of who shares what. */
	if ((sample->has & needed) != needed || size > aggregate->options.cacheline ||
	    sample->addr > UINT64_MAX - size)
		size = 0;
	*added = (struct waiting_access){
		.addr = sample->addr,
		.time_ns = sample->time_ns,
		.object = access->object,
		.counts = counts,
		.footprint =
			sampled_footprint(aggregate, sample, access, function, size && is_object),
		.memory = PROFILE_NONE,
		.cpu = sample->cpu,
		.size = size,
		.basis = access->basis,
		.confidence = (uint8_t)access->confidence,
		.has_cpu = sample->has & SAMPLE_HAS_CPU,
		.is_timed = sample->has & SAMPLE_HAS_TIME || aggregate->options.every_access,
	};
	if (is_object)
		added->object_key = object_key(aggregate, added->footprint, access->object);
	if (tells_contention(sample))
		aggregate->tells_contention = true;
	count_resolution(&aggregate->profile.totals, access);
	if (sample->has & SAMPLE_HAS_CPU)
		add_cpu(aggregate, sample->cpu, &counts);
	if (sample->has & SAMPLE_HAS_TIME)
		add_time(&aggregate->profile, sample->time_ns, &counts);
	aggregate_wait(aggregate);
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
