/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/profile.h"

#include <string.h>

void profile_deinit(struct profile *profile)
{
	vec_deinit(&profile->types);
	vec_deinit(&profile->places);
	vec_deinit(&profile->lines);
	vec_deinit(&profile->pairs);
	vec_deinit(&profile->phases);
	vec_deinit(&profile->cuts);
	vec_deinit(&profile->objects);
	vec_deinit(&profile->addresses);
	vec_deinit(&profile->cpus);
	vec_deinit(&profile->limits);
	typeset_deinit(&profile->set);
	arena_deinit(&profile->arena);
}

uint64_t profile_counts_latency(const struct profile_counts *counts)
{
	return counts->nr_latency ? counts->latency / counts->nr_latency : 0;
}

const char *verdict_word(enum verdict verdict)
{
	static const char *const words[VERDICT_NR] = {
		[VERDICT_NONE] = "none",   [VERDICT_UNDECIDED] = "undecided",
		[VERDICT_TRUE] = "true",   [VERDICT_FALSE] = "false",
		[VERDICT_MIXED] = "mixed",
	};

	return words[verdict];
}

const char *certainty_word(enum certainty certainty)
{
	static const char *const words[CERTAINTY_NR] = {
		[CERTAINTY_NONE] = "none",
		[CERTAINTY_SUSPECTED] = "suspected",
		[CERTAINTY_CONFIRMED] = "confirmed",
	};

	return words[certainty];
}

static bool is_labelled(const struct profile_type *type, const char *label)
{
	const char *space = strrchr(type->label, ' ');

	return !strcmp(type->label, label) || (space && !strcmp(space + 1, label));
}

uint32_t profile_find_type(const struct profile *profile, const char *label)
{
	for (size_t i = 0; i < profile->types.nr; i++) {
		if (is_labelled(&profile->types.items[i], label))
			return (uint32_t)i;
	}
	return PROFILE_NONE;
}

static bool place_meets(const struct profile_place *place, uint64_t offset, uint64_t size)
{
	uint64_t end = place->offset + (place->size ? place->size : 1);

	return place->offset < offset + size && offset < end;
}

struct profile_counts profile_sum(const struct profile *profile, uint32_t type, uint64_t offset,
				  uint64_t size)
{
	const struct profile_type *of = &profile->types.items[type];
	struct profile_counts sum = {};

	for (uint32_t i = 0; i < of->nr_places; i++) {
		const struct profile_place *place = &profile->places.items[of->first_place + i];

		if (!place->inferred && place_meets(place, offset, size))
			profile_counts_add(&sum, &place->counts);
	}
	return sum;
}
