/* SPDX-License-Identifier: GPL-2.0-only */
/* Judges what was added up, and puts it into the profile's order. */
#include <string.h>

#include "analyze/aggregation.h"
#include "analyze/cut_pairs.h"
#include "analyze/verdict.h"

/* An item's old and new place, and what decides the order. */
struct ranked {
	uint32_t at;
	bool last; /* behind all others */
	uint64_t contended;
	uint64_t met;
	uint64_t samples;
	const char *label;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;
	int order = COMPARE(left->last, right->last);

	order = order ? order : COMPARE(right->contended, left->contended);
	order = order ? order : COMPARE(right->met, left->met);
	order = order ? order : COMPARE(right->samples, left->samples);
	order = order ? order : strcmp(left->label, right->label);
	return order ? order : COMPARE(left->at, right->at);
}

/* What footprints were counted for. */
static void add_up(struct aggregate *aggregate)
{
	struct profile *profile = &aggregate->profile;

	for (size_t i = 0; i < aggregate->footprints.nr; i++) {
		const struct footprint *footprint = &aggregate->footprints.items[i];
		const struct profile_counts counts = small_counts_widen(&footprint->counts);
		struct profile_place *place = &profile->places.items[footprint->place];
		struct profile_line *line;

		if (!footprint->is_rest) {
			profile_counts_add(&profile->totals.counts, &counts);
			profile_counts_add(&profile->types.items[place->type].counts, &counts);
			profile_counts_add(&place->counts, &counts);
			cpu_set_add_all(&place->readers, &footprint->readers, &profile->arena);
			cpu_set_add_all(&place->writers, &footprint->writers, &profile->arena);
		}
		if (footprint->where == PROFILE_NONE)
			continue;
		line = &profile->lines.items[footprint->where];
		profile_counts_add(&line->counts, &counts);
		cpu_set_add_all(&line->readers, &footprint->readers, &profile->arena);
		cpu_set_add_all(&line->writers, &footprint->writers, &profile->arena);
	}
}

static void judge_lines(struct aggregate *aggregate)
{
	for (size_t i = 0; i < aggregate->profile.lines.nr; i++) {
		struct profile_line *line = &aggregate->profile.lines.items[i];
		const struct line_evidence *seen = &aggregate->evidence.items[i];
		const struct verdict_evidence evidence = {
			.nr_true = line->nr_true,
			.nr_false = line->nr_false,
			.nr_sure = seen->nr_sure,
			.fits_true = seen->fits_true,
			.fits_false = seen->fits_false,
			.nr_contended = profile_counts_contended(&line->counts),
		};

		verdict_judge(&evidence, &line->verdict, &line->certainty);
	}
}

/* ret_new[old index of a type] = its new index. */
static void order_types(struct profile *profile, uint32_t *ret_new)
{
	size_t nr = profile->types.nr;
	auto_free struct ranked *ranked = memory_alloc(nr, sizeof(*ranked));
	struct profile_type_vec types = {};

	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_type *type = &profile->types.items[i];

		ranked[i] = (struct ranked){
			.at = i,
			.last = *type->label == '(',
			.contended = profile_counts_contended(&type->counts),
			.samples = type->counts.samples,
			.label = type->label,
		};
	}
	for (size_t i = 0; i < profile->lines.nr; i++) {
		const struct profile_line *line = &profile->lines.items[i];

		ranked[line->type].met += line->nr_true + line->nr_false;
	}
	if (nr)
		qsort(ranked, nr, sizeof(*ranked), compare_ranked);
	for (uint32_t i = 0; i < nr; i++) {
		ret_new[ranked[i].at] = i;
		*vec_add(&types) = profile->types.items[ranked[i].at];
	}
	vec_deinit(&profile->types);
	profile->types = types;
}

static int compare_names(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

struct indexed_place {
	struct profile_place place;
	uint32_t at;
};

static int compare_places(const void *a, const void *b)
{
	const struct profile_place *left = &((const struct indexed_place *)a)->place;
	const struct profile_place *right = &((const struct indexed_place *)b)->place;
	int order = COMPARE(left->type, right->type);

	order = order ? order : COMPARE(left->offset, right->offset);
	order = order ? order : COMPARE(left->size, right->size);
	order = order ? order : compare_names(left->function, right->function);
	return order ? order : COMPARE(left->inferred, right->inferred);
}

static void order_places(struct profile *profile, uint32_t *ret_new)
{
	size_t nr = profile->places.nr;
	auto_free struct indexed_place *places = memory_alloc(nr, sizeof(*places));

	for (uint32_t i = 0; i < nr; i++)
		places[i] = (struct indexed_place){ profile->places.items[i], i };
	if (nr)
		qsort(places, nr, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < nr; i++) {
		struct profile_type *type = &profile->types.items[places[i].place.type];

		if (!type->nr_places++)
			type->first_place = i;
		ret_new[places[i].at] = i;
		profile->places.items[i] = places[i].place;
	}
}

struct indexed_line {
	struct profile_line line;
	uint32_t at;
};

static int compare_lines(const void *a, const void *b)
{
	const struct profile_line *left = &((const struct indexed_line *)a)->line;
	const struct profile_line *right = &((const struct indexed_line *)b)->line;
	int order = COMPARE(left->type, right->type);

	order = order ? order : COMPARE(left->phase, right->phase);
	return order ? order : COMPARE(left->line, right->line);
}

static void order_lines(struct profile *profile, const uint32_t *new_types, uint32_t *ret_new)
{
	size_t nr = profile->lines.nr;
	auto_free struct indexed_line *lines = memory_alloc(nr, sizeof(*lines));

	for (uint32_t i = 0; i < nr; i++) {
		lines[i] = (struct indexed_line){ profile->lines.items[i], i };
		lines[i].line.type = new_types[lines[i].line.type];
	}
	if (nr)
		qsort(lines, nr, sizeof(*lines), compare_lines);
	for (uint32_t i = 0; i < nr; i++) {
		struct profile_type *type = &profile->types.items[lines[i].line.type];

		if (!type->nr_lines++)
			type->first_line = i;
		ret_new[lines[i].at] = i;
		profile->lines.items[i] = lines[i].line;
	}
}

static int compare_meetings(const void *a, const void *b)
{
	const struct meeting *left = a, *right = b;
	int order = COMPARE(left->line, right->line);

	order = order ? order : COMPARE(right->pair.timed, left->pair.timed);
	order = order ? order : COMPARE(right->pair.nr, left->pair.nr);
	order = order ? order : COMPARE(left->pair.writer, right->pair.writer);
	order = order ? order : COMPARE(left->pair.other, right->pair.other);
	order = order ? order : COMPARE(left->pair.overlaps, right->pair.overlaps);
	return order ? order : COMPARE(left->pair.neighbour, right->pair.neighbour);
}

/* What only fits is not told where the window has decided. */
static void order_pairs(struct aggregate *aggregate, const uint32_t *new_places,
			const uint32_t *new_lines)
{
	struct profile *profile = &aggregate->profile;

	for (size_t i = 0; i < aggregate->meetings.nr; i++) {
		struct meeting *meeting = &aggregate->meetings.items[i];

		meeting->line = new_lines[meeting->line];
		meeting->pair.writer = new_places[meeting->pair.writer];
		meeting->pair.other = new_places[meeting->pair.other];
	}
	vec_sort(&aggregate->meetings, compare_meetings);
	for (size_t i = 0; i < aggregate->meetings.nr; i++) {
		const struct meeting *meeting = &aggregate->meetings.items[i];
		struct profile_line *line = &profile->lines.items[meeting->line];

		if (!meeting->pair.timed && line->nr_true + line->nr_false >= VERDICT_LEAST)
			continue;
		if (!line->nr_pairs++)
			line->first_pair = (uint32_t)profile->pairs.nr;
		*vec_add(&profile->pairs) = meeting->pair;
	}
}

struct phased {
	uint32_t type;
	struct profile_phase phase;
};

DEFINE_VEC(phased_vec, struct phased);

static int compare_phases(const void *a, const void *b)
{
	const struct phased *left = a, *right = b;
	int order = COMPARE(left->type, right->type);

	order = order ? order : COMPARE(right->phase.nr_objects, left->phase.nr_objects);
	return order ? order : COMPARE(left->phase.phase, right->phase.phase);
}

static void list_phases(struct aggregate *aggregate)
{
	struct profile *profile = &aggregate->profile;
	auto_vec struct phased_vec phases = {};
	auto_map struct map seen = {};

	for (size_t i = 0; i < aggregate->objects.nr; i++) {
		const struct seen_object *object = &aggregate->objects.items[i];
		uint32_t phase = (uint32_t)(object->base % profile->cacheline);
		bool is_new;
		struct map_slot *slot = map_add(
			&seen, (uint64_t)object->type * profile->cacheline + phase, &is_new);

		if (is_new) {
			slot->value = phases.nr;
			*vec_add(&phases) = (struct phased){ object->type, { .phase = phase } };
		}
		phases.items[slot->value].phase.nr_objects++;
		phases.items[slot->value].phase.nr_samples += object->counts.samples;
	}
	vec_sort(&phases, compare_phases);
	for (size_t i = 0; i < phases.nr; i++) {
		struct profile_type *type = &profile->types.items[phases.items[i].type];

		if (!type->nr_phases++)
			type->first_phase = (uint32_t)i;
		*vec_add(&profile->phases) = phases.items[i].phase;
	}
}

static int compare_cpus(const void *a, const void *b)
{
	return COMPARE(((const struct profile_cpu *)a)->cpu, ((const struct profile_cpu *)b)->cpu);
}

/* The layouts that are known, for whoever keeps the profile. A typedef's name is no struct's. */
static void list_definitions(struct profile *profile)
{
	for (size_t i = 0; i < profile->types.nr; i++) {
		const struct profile_type *type = &profile->types.items[i];

		if (type->type)
			*vec_add(&profile->set.definitions) = (struct definition){
				.type = type->type,
				.typedef_name = type->type->name ? NULL : type->label,
				.nr_units = 1,
			};
	}
}

void aggregate_finish(struct aggregate *aggregate, struct profile *ret)
{
	struct profile *profile = &aggregate->profile;
	auto_free uint32_t *new_types = NULL, *new_places = NULL, *new_lines = NULL;

	aggregate_add_waiting(aggregate);
	new_types = memory_alloc(profile->types.nr + 1, sizeof(*new_types));
	new_places = memory_alloc(profile->places.nr + 1, sizeof(*new_places));
	new_lines = memory_alloc(profile->lines.nr + 1, sizeof(*new_lines));
	aggregate_settle(aggregate);
	add_up(aggregate);
	judge_lines(aggregate);
	order_types(profile, new_types);
	for (size_t i = 0; i < profile->places.nr; i++)
		profile->places.items[i].type = new_types[profile->places.items[i].type];
	for (size_t i = 0; i < aggregate->objects.nr; i++)
		aggregate->objects.items[i].type = new_types[aggregate->objects.items[i].type];
	aggregate_keep_objects(aggregate);
	aggregate_keep_addresses(aggregate);
	order_places(profile, new_places);
	order_lines(profile, new_types, new_lines);
	order_pairs(aggregate, new_places, new_lines);
	list_phases(aggregate);
	vec_sort(&profile->cpus, compare_cpus);
	cut_pairs_find(profile);
	list_definitions(profile);
	*ret = aggregate->profile;
	aggregate->profile = (struct profile){};
}
