/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/owners.h"

#include "exact/cache_types.h"
#include "exact/variables.h"

void owners_deinit(struct owners *owners)
{
	map_deinit(&owners->numbers);
	map_deinit(&owners->variables);
}

static uint32_t get_type(struct owners *owners, const struct exact_type *type)
{
	struct exact *exact = owners->exact;
	uint64_t hash = hash_string(hash_string(0, type->label), type->origin);
	bool is_new;
	/* Static variables of several files may have one name. */
	struct map_slot *slot =
		map_add(&owners->numbers, hash_mix(hash, (uintptr_t)type->type), &is_new);

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

/*
 * What a function asked kmalloc(), the page allocator, vmalloc() or the per-CPU allocator for: by
 * the type that its users tell, if they do.
 */
static uint32_t site_type(struct owners *owners, uint32_t number, const char *what,
			  const char *origin)
{
	const struct counts_source *source = &owners->counts->sources.items[number];
	const struct type *type = owners->inferred ? owners->inferred[number] : NULL;
	struct arena *arena = &owners->exact->arena;
	const char *site = arena_printf(arena, "%s of %s()", what, site_name(owners, source));
	auto_text struct text name = {};
	struct exact_type made = {
		.label = site,
		.origin = origin,
		.type = type,
		.is_inferred = type != NULL,
		.size = source->size,
	};

	if (type) {
		type_print(&name, type, NULL);
		made.label = arena_strdup(arena, text_chars(&name));
		made.origin = arena_printf(arena, "%s, type inferred", site);
		made.size = type_size(type);
	}
	return get_type(owners, &made);
}

static uint32_t slab_type(struct owners *owners, uint32_t number)
{
	const struct counts_source *source = &owners->counts->sources.items[number];
	const struct counts_cache *cache = &owners->counts->caches.items[source->cache - 1];
	const struct type *type = owners->cache_types[source->cache - 1];
	struct arena *arena = &owners->exact->arena;
	struct exact_type made = {
		.origin = arena_printf(arena, "slab cache %s", cache->name),
		.type = type,
		.size = cache->object_size,
	};

	if (!type)
		return site_type(owners, number, cache->name, made.origin);
	made.label = arena_printf(arena, "struct %s", type->name);
	return get_type(owners, &made);
}

static uint32_t variable_number(struct owners *owners, const struct symbol *symbol,
				const char *origin)
{
	bool is_new;
	struct map_slot *slot = map_add(&owners->variables, symbol->address, &is_new);

	if (is_new) {
		const struct exact_type type = {
			.label = arena_strdup(&owners->exact->arena, symbol->name),
			.origin = origin,
			.size = symbol->size,
			.type = owners->code ? variable_type(owners->code, symbol) : NULL,
		};

		slot->value = get_type(owners, &type);
	}
	return (uint32_t)slot->value;
}

static struct owner named(struct owners *owners, const struct symbol_address_vec *variables,
			  uint64_t address, const char *origin)
{
	const struct symbol *symbol = names_variable(variables, address);
	const struct exact_type unknown = {
		.label = "(no name)",
		.origin = origin,
		.is_unknown = true,
	};

	if (!symbol)
		return (struct owner){ .type = get_type(owners, &unknown), .offset = address };
	return (struct owner){
		.type = variable_number(owners, symbol, origin),
		.offset = address - symbol->address,
		.phase = symbol->address % owners->exact->run.line_size,
	};
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
		owner.type = slab_type(owners, number);
		return owner;
	case COUNTS_FORM_PAGES:
		owner.type = site_type(owners, number, "pages", "pages");
		return owner;
	case COUNTS_FORM_VMALLOC:
		owner.type = site_type(owners, number, "vmalloc", "vmalloc");
		return owner;
	case COUNTS_FORM_PERCPU:
		owner.type = site_type(owners, number, "per-CPU memory", "per-CPU memory");
		return owner;
	case COUNTS_FORM_FRAME:
		owner.type = site_type(owners, number, "a stack", "the frame of a function");
		return owner;
	case COUNTS_FORM_EARLY:
		owner.type = site_type(owners, number, "early memory", "early memory");
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
