/* SPDX-License-Identifier: GPL-2.0-only */
#include "resolve/objects.h"

#include "insn/insn.h"
#include "resolve/allocations.h"
#include "resolve/by_address.h"
#include "resolve/lifter.h"
#include "resolve/embedding.h"

struct objects {
	struct code *code;
	struct insn_decoder *decoder;
	uint64_t slide;
	struct by_address *by_address;
	struct allocations *allocations;
	struct lifter *lifter;
};

struct error *objects_create(struct code *code, struct objects **ret)
{
	struct insn_decoder *decoder;
	struct error *err = insn_decoder_create(&decoder);

	if (err)
		return err;
	*ret = memory_alloc(1, sizeof(**ret));
	**ret = (struct objects){
		.code = code,
		.decoder = decoder,
		.by_address = by_address_create(code, decoder),
		.allocations = allocations_create(),
		.lifter = lifter_create(),
	};
	return NULL;
}

void objects_destroy(struct objects *objects)
{
	if (!objects)
		return;
	by_address_destroy(objects->by_address);
	allocations_destroy(objects->allocations);
	lifter_destroy(objects->lifter);
	insn_decoder_destroy(objects->decoder);
	free(objects);
}

void objects_set_slide(struct objects *objects, uint64_t slide)
{
	objects->slide = slide;
	by_address_set_slide(objects->by_address, slide);
}

void objects_add_section(struct objects *objects, const struct placed_section *section)
{
	by_address_add_section(objects->by_address, section);
}

void objects_allocated(struct objects *objects, uint64_t start, uint64_t size, const char *cache,
		       uint64_t site)
{
	allocations_add(objects->allocations, start, size, cache, site);
}

void objects_freed(struct objects *objects, uint64_t start)
{
	allocations_remove(objects->allocations, start);
}

void objects_learn(struct objects *objects, const struct sample *sample,
		   const struct access *access)
{
	struct allocated object;

	by_address_learn(objects->by_address, sample);
	if (!access->type || !access->object || access->confidence < CONFIDENCE_MEDIUM)
		return;
	lifter_observe(objects->lifter, access->type, access->object);
	if (allocations_find(objects->allocations, sample->addr, &object) &&
	    object.start == access->object)
		allocations_vote(objects->allocations, object.kind, access->type);
}

void objects_settle(struct objects *objects)
{
	struct containers *containers = containers_create(objects->code);

	lifter_settle(objects->lifter, objects->code, containers);
	containers_destroy(containers);
	allocations_restart(objects->allocations);
}

/*
 * Two answers for one address. A struct inside the other's is the same answer, told less far. What
 * only knows a scalar, raw bytes, does not contradict. Else the address is believed, with less
 * confidence: it was measured, the instruction's type was inferred.
 */
static void merge(struct access *access, const struct access *by_address)
{
	const struct access by_instruction = *access;

	*access = *by_address;
	access->size = by_instruction.size;
	access->is_load = by_instruction.is_load;
	access->is_store = by_instruction.is_store;
	access->is_locked = by_instruction.is_locked;
	if (!by_instruction.type)
		return;
	if (by_instruction.object >= by_address->object &&
	    type_holds(by_address->type, by_instruction.object - by_address->object,
		       by_instruction.type)) {
		access->basis |= by_instruction.basis;
		access->confidence = CONFIDENCE_HIGH;
	} else if (access->confidence > CONFIDENCE_MEDIUM &&
		   type_is_aggregate(type_strip(by_instruction.type))) {
		access->confidence = CONFIDENCE_MEDIUM;
	}
}

static bool find_variable(struct objects *objects, const struct sample *sample,
			  const struct access *access, struct access *ret)
{
	*ret = *access;
	ret->basis = 0;
	return by_address_resolve(objects->by_address, sample->addr, ret);
}

/* What of an object nobody has named is outside of it was not typed rightly. */
static bool fits(const struct allocated *object, const struct access *access)
{
	uint64_t size = type_size(access->type);

	return access->object >= object->start && size <= object->size &&
	       access->object - object->start <= object->size - size;
}

static void use_allocation(struct objects *objects, const struct sample *sample,
			   const struct allocated *object, struct access *access)
{
	const struct type *type = allocations_type(objects->allocations, object->kind);
	struct access found = *access;

	if (!type) {
		if (access->type && access->object && !fits(object, access))
			access->confidence = CONFIDENCE_LOW;
		return;
	}
	if (sample->addr - object->start >= type_size(type))
		return;
	found.type = type;
	found.offset = sample->addr - object->start;
	found.object = object->start;
	found.basis = BASIS_ALLOCATION;
	found.confidence = CONFIDENCE_MEDIUM;
	found.unresolved = ACCESS_RESOLVED;
	merge(access, &found);
}

void objects_resolve(struct objects *objects, const struct sample *sample, struct access *access)
{
	struct allocated object;
	struct access found;

	if (!(sample->has & SAMPLE_HAS_ADDR) || access->unresolved == ACCESS_USER)
		return;
	if (find_variable(objects, sample, access, &found))
		merge(access, &found);
	else if (allocations_find(objects->allocations, sample->addr, &object))
		use_allocation(objects, sample, &object, access);
	lifter_lift(objects->lifter, access);
}

const char *objects_name(struct objects *objects, uint64_t address, struct arena *arena)
{
	auto_text struct text text = {};

	by_address_print_name(objects->by_address, address, &text);
	return text.length ? arena_strdup(arena, text_chars(&text)) : NULL;
}

unsigned int objects_neighbours(struct objects *objects, uint64_t ip,
				struct neighbour ret[NEIGHBOURS_MAX])
{
	unsigned int nr =
		neighbours_find(objects->code, objects->decoder, ip - objects->slide, ret);

	for (unsigned int i = 0; i < nr; i++)
		ret[i].ip += objects->slide;
	return nr;
}
