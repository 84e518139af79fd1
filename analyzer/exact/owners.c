/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/owners.h"

#include "exact/cache_types.h"

void owners_deinit(struct owners *owners)
{
	map_deinit(&owners->numbers);
}

static uint32_t get_type(struct owners *owners, const struct exact_type *type)
{
	struct exact *exact = owners->exact;
	bool is_new;
	struct map_slot *slot = map_add(
		&owners->numbers, hash_string(hash_string(0, type->label), type->origin), &is_new);

	if (is_new) {
		*vec_add(&exact->types) = *type;
		slot->value = exact->types.nr - 1;
	}
	return (uint32_t)slot->value;
}

/* The instruction behind the call may already be another function's. */
static const char *site_name(const struct owners *owners, const struct counts_source *source)
{
	return names_function(owners->names, source->site - 1);
}

static uint32_t slab_type(struct owners *owners, const struct counts_source *source)
{
	const struct counts_cache *cache = &owners->counts->caches.items[source->cache - 1];
	const struct type *type = owners->cache_types[source->cache - 1];
	struct arena *arena = &owners->exact->arena;
	struct exact_type made = {
		.origin = arena_printf(arena, "slab cache %s", cache->name),
		.type = type,
		.size = cache->object_size,
	};

	if (type)
		made.label = arena_printf(arena, "struct %s", type->name);
	else
		made.label =
			arena_printf(arena, "%s of %s()", cache->name, site_name(owners, source));
	return get_type(owners, &made);
}

static struct owner named(struct owners *owners, const struct symbol_address_vec *variables,
			  uint64_t address, const char *origin)
{
	const struct symbol *symbol = names_variable(variables, address);
	uint32_t line_size = owners->exact->run.line_size;
	struct exact_type type = { .label = "(no name)", .origin = origin, .is_unknown = !symbol };

	if (symbol) {
		type.label = arena_strdup(&owners->exact->arena, symbol->name);
		type.size = symbol->size;
	}
	return (struct owner){
		.type = get_type(owners, &type),
		.offset = address - (symbol ? symbol->address : 0),
		.phase = symbol ? symbol->address % line_size : 0,
	};
}

/* What a function asked the page allocator, vmalloc() or the per-CPU allocator for. */
static uint32_t site_type(struct owners *owners, const struct counts_source *source,
			  const char *what)
{
	struct arena *arena = &owners->exact->arena;
	struct exact_type type = {
		.label = arena_printf(arena, "%s of %s()", what, site_name(owners, source)),
		.origin = what,
		.size = source->size,
	};

	return get_type(owners, &type);
}

struct owner owners_find(struct owners *owners, uint32_t number, uint64_t offset, uint32_t phase)
{
	const struct counts_source *source = &owners->counts->sources.items[number];
	struct owner owner = { .offset = offset, .phase = phase % owners->exact->run.line_size };
	struct exact_type type = {};

	switch (source->form) {
	case COUNTS_FORM_IMAGE:
		return named(owners, &owners->names->variables, COUNTS_IMAGE_START + offset,
			     "the kernel's data");
	case COUNTS_FORM_PERCPU_STATIC:
		return named(owners, &owners->names->percpu, offset, "per-CPU data");
	case COUNTS_FORM_PAGE:
		type = (struct exact_type){
			.label = "struct page",
			.origin = "the array of pages",
			.type = cache_types_find(&owners->exact->set, "page"),
		};
		type.size = type.type ? type.type->size : 0;
		owner.type = get_type(owners, &type);
		return owner;
	case COUNTS_FORM_SLAB:
		owner.type = slab_type(owners, source);
		return owner;
	case COUNTS_FORM_PAGES:
		owner.type = site_type(owners, source, "pages");
		return owner;
	case COUNTS_FORM_VMALLOC:
		owner.type = site_type(owners, source, "vmalloc");
		return owner;
	case COUNTS_FORM_PERCPU:
		owner.type = site_type(owners, source, "per-CPU memory");
		return owner;
	case COUNTS_FORM_UNKNOWN:
	case COUNTS_NR_FORMS:
		break;
	}
	type = (struct exact_type){
		.label = "(unknown memory)",
		.origin = "no allocation seen",
		.is_unknown = true,
	};
	owner.type = get_type(owners, &type);
	owner.offset = 0;
	return owner;
}
