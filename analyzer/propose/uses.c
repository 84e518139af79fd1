/* SPDX-License-Identifier: GPL-2.0-only */
#include "propose/uses.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/locks.h"
#include "analyze/members.h"
#include "base/map.h"

/* Of all touches of the struct, in percent: less is noise, more is what counts. */
#define NOISE 1
#define HOT 5
/* Of a field's own touches, in percent. */
#define WRITTEN 10
#define READ_MOSTLY 1
#define WORD_BITS 64
#define MAX_NAMED 5

/* A field, with all that touched it. */
struct use {
	const char *path;
	uint64_t nr;
	uint64_t nr_writes;
	struct cpu_set cpus;
};

DEFINE_VEC(use_vec, struct use);

static bool holds(const struct member *member, const struct profile_place *place)
{
	uint64_t start = place->offset * 8;
	uint64_t end = start + 8ull * (place->size ? place->size : 1);

	return !member->repeated && member->width_bits &&
	       member->offset_bits != FIELD_OFFSET_UNKNOWN && member->offset_bits <= start &&
	       end <= member->offset_bits + member->width_bits;
}

/*
 * The innermost field that holds the bytes; an atomic_t is one, its counter is not. -1 = none. Of
 * a union's alternatives the first.
 */
static int64_t find_field(const struct member_vec *members, const struct profile_place *place)
{
	size_t end = members->nr;
	int64_t found = -1;

	for (size_t i = 0; i < end; i++) {
		const struct member *member = &members->items[i];

		if (!holds(member, place))
			continue;
		end = i + 1 + member->nr_inside;
		if (member->anonymous)
			continue;
		found = (int64_t)i;
		if (member->width_bits <= WORD_BITS && type_is_lock(member->field->type))
			break;
	}
	return found;
}

static struct use *find_use(struct use_vec *uses, const char *path, struct arena *arena)
{
	for (size_t i = 0; i < uses->nr; i++) {
		if (!strcmp(uses->items[i].path, path))
			return &uses->items[i];
	}
	*vec_add(uses) = (struct use){ .path = arena_strdup(arena, path) };
	return &uses->items[uses->nr - 1];
}

static void add_place(const struct profile_place *place, const char *path, struct arena *arena,
		      struct use_vec *uses, struct touches *ret)
{
	const uint64_t nr = place->counts.samples, nr_writes = place->counts.stores;
	struct use *use = find_use(uses, path, arena);

	use->nr += nr;
	use->nr_writes += nr_writes < nr ? nr_writes : nr;
	cpu_set_add_all(&use->cpus, &place->readers, arena);
	cpu_set_add_all(&use->cpus, &place->writers, arena);
	ret->nr += nr;
	*vec_add(&ret->items) = (struct touch){
		.path = use->path,
		.function = place->function ? arena_strdup(arena, place->function) : NULL,
		.nr = nr,
		.nr_writes = nr_writes < nr ? nr_writes : nr,
	};
}

static unsigned int judge(const struct use *use, uint64_t all)
{
	unsigned int uses = 0;

	if (use->nr * 100 < all * NOISE)
		return 0;
	if (use->nr * 100 >= all * HOT)
		uses |= USE_HOT;
	if (use->nr_writes * 100 >= use->nr * WRITTEN)
		uses |= USE_WRITTEN;
	else if (use->nr_writes * 100 <= use->nr * READ_MOSTLY && cpu_set_count(&use->cpus) > 1)
		uses |= USE_READ_MOSTLY;
	return uses;
}

static void add_used(const struct use_vec *uses, uint64_t all, struct used_field_vec *ret)
{
	const size_t nr_told = ret->nr;

	for (size_t i = 0; i < uses->nr; i++) {
		const struct use *use = &uses->items[i];
		unsigned int found = judge(use, all);
		bool told = false;

		for (size_t j = 0; j < nr_told && !told; j++)
			told = !strcmp(ret->items[j].path, use->path);
		if (found && !told)
			*vec_add(ret) = (struct used_field){ use->path, found };
	}
}

static struct error *find_type(const struct profile *profile, const struct definition *definition,
			       struct arena *arena, const struct profile_type **ret)
{
	const char *label = definition_label(definition, arena);
	uint32_t at = profile_find_type(profile, label);
	const struct profile_type *type = at == PROFILE_NONE ? NULL : &profile->types.items[at];
	auto_text struct text others = {};

	for (size_t i = 0; !type && i < profile->types.nr && i < MAX_NAMED; i++)
		text_printf(&others, "%s%s", i ? ", " : "; it has ", profile->types.items[i].label);
	if (!type)
		return error_create(ERROR_NOT_FOUND, "the profile has nothing on '%s'%s", label,
				    text_chars(&others));
	if (!type->type || type_hash(type->type) != type_hash(definition->type))
		return error_create(ERROR_INPUT,
				    "the profile has another layout of '%s', of %" PRIu64
				    " bytes: it is another kernel's",
				    label, type->size);
	*ret = type;
	return NULL;
}

struct error *uses_find(const struct profile *profile, const struct definition *definition,
			struct arena *arena, struct used_field_vec *ret_used,
			struct touches *ret_touches)
{
	auto_vec struct member_vec members = {};
	auto_vec struct use_vec uses = {};
	const struct profile_type *type;
	struct cpu_set cpus = {};
	struct error *err = find_type(profile, definition, arena, &type);

	if (err)
		return err;
	members_open(definition->type, &members);
	for (uint32_t i = type->first_place; i < type->first_place + type->nr_places; i++) {
		const struct profile_place *place = &profile->places.items[i];
		int64_t at = find_field(&members, place);
		auto_text struct text path = {};

		if (at < 0 || place->inferred)
			continue;
		member_print_path(&path, &members, (size_t)at);
		add_place(place, text_chars(&path), arena, &uses, ret_touches);
	}
	for (size_t i = 0; i < uses.nr; i++)
		cpu_set_add_all(&cpus, &uses.items[i].cpus, arena);
	ret_touches->nr_cpus = cpu_set_count(&cpus);
	if (type->nr_phases)
		ret_touches->phase = profile->phases.items[type->first_phase].phase;
	add_used(&uses, ret_touches->nr, ret_used);
	return NULL;
}
