/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/truth.h"

#include <string.h>

#include "base/map.h"
#include "exact/cache_types.h"
#include "exact/inferred.h"
#include "model/field_path.h"

struct frame_variables {
	struct location_vec all;
};

struct finder {
	const struct counts *counts;
	const struct truth_image_vec *images;
	const struct type **cache_types;
	const struct type **inferred; /* by source */
	const struct type *page;
	const struct type *entry_area;
	const struct type *registers; /* struct pt_regs */
	struct map variables;	      /* by a function's code and number: struct frame_variables */
	struct truths *ret;
};

void truths_deinit(struct truths *truths)
{
	vec_deinit(&truths->all);
	arena_deinit(&truths->arena);
}

/* The image that the guest had at address, and where the file has it; NULL = none known. */
static struct code *find_image(const struct finder *finder, uint64_t address, uint64_t *ret)
{
	const struct counts_section_vec *sections = &finder->counts->sections;

	*ret = address;
	for (size_t i = 1; i < finder->images->nr; i++) {
		const struct truth_image *image = &finder->images->items[i];
		const struct counts_section *best = NULL;
		const struct code_section *linked;

		if (address - image->module->start >= image->module->size)
			continue;
		for (size_t k = 0; k < sections->nr; k++) {
			const struct counts_section *section = &sections->items[k];

			if (!strcmp(section->module, image->module->name) &&
			    section->address <= address &&
			    (!best || section->address > best->address))
				best = section;
		}
		for (size_t k = 0; best && (linked = code_section(image->code, k)); k++) {
			*ret = address - best->address + linked->address;
			if (!strcmp(linked->name, best->name))
				return image->code;
		}
		return NULL;
	}
	return finder->images->items[0].code;
}

/* The instruction behind the call may already be another function's. */
static const char *site_name(const struct finder *finder, uint64_t site)
{
	const struct code_symbol *symbol;
	struct code *code;
	uint64_t address;

	code = find_image(finder, site - 1, &address);
	symbol =
		code && code_section_at(code, address) ? code_symbol_covering(code, address) : NULL;
	return symbol ? symbol->name : "unknown code";
}

/* An object of an array is one by itself. */
static void step_into_array(struct truth *truth)
{
	uint64_t offset = truth->offset;
	const struct type *element = type_element(truth->type, &offset);

	if (element == type_strip(truth->type) || !type_is_aggregate(element))
		return;
	truth->type = element;
	truth->offset = offset;
}

/*
 * A variable at an address of code's file, seen from the instruction's unit: debug information
 * gives the type, the symbol table has to know the same start.
 */
static void find_variable(const struct finder *finder, struct code *code, uint64_t address,
			  struct truth *truth)
{
	const struct code_symbol *symbol;
	struct code_variable variable;
	uint64_t ip;
	struct code *from = find_image(finder, truth->ip, &ip);
	uint32_t function = from == code ? code_function_at(code, ip) : CODE_NO_FUNCTION;

	if (!code_find_variable(code, function, address, &variable))
		return;
	symbol = code_symbol_at(code, address - variable.offset);
	if (!symbol)
		return;
	truth->owner = arena_strdup(&finder->ret->arena, symbol->name);
	truth->type = code_type(code, variable.shape);
	truth->offset = variable.offset;
	step_into_array(truth);
}

static void find_in_image(const struct finder *finder, uint64_t address, struct truth *truth)
{
	const struct code_symbol *symbol;
	struct code *code;

	truth->kind = TRUTH_IMAGE;
	truth->owner = "no symbol";
	code = find_image(finder, address, &address);
	if (!code)
		return;
	symbol = code_section_at(code, address) ? code_symbol_covering(code, address) : NULL;
	if (symbol)
		truth->owner = symbol->name;
	find_variable(finder, code, address, truth);
	if (truth->type)
		truth->kind = TRUTH_VARIABLE;
	if (!strcmp(truth->owner, "init_stack") || !strcmp(truth->owner, "init_thread_union"))
		truth->kind = TRUTH_STACK;
}

/* By the function that asked for it. */
static const struct {
	const char *function;
	enum truth_kind kind;
} sites[] = {
	{ "copy_process", TRUTH_STACK }, { "create_io_thread", TRUTH_STACK },
	{ "fork_idle", TRUTH_STACK },	 { "irq_init_percpu_irqstack", TRUTH_STACK },
	{ "kernel_clone", TRUTH_STACK }, { "vma_alloc_folio", TRUTH_USER },
};

static enum truth_kind kind_of_site(const char *function, enum truth_kind otherwise)
{
	for (size_t i = 0; i < array_size(sites); i++) {
		if (!strcmp(sites[i].function, function))
			return sites[i].kind;
	}
	return otherwise;
}

static void find_in_slab(const struct finder *finder, const struct counts_source *source,
			 struct truth *truth)
{
	const struct counts_cache *cache = &finder->counts->caches.items[source->cache - 1];

	truth->kind = TRUTH_OBJECT;
	truth->owner = cache->name;
	truth->type = finder->cache_types[source->cache - 1];
	if (truth->type)
		return;
	truth->kind = TRUTH_ALLOCATED;
	truth->owner = arena_printf(&finder->ret->arena, "%s of %s()", cache->name,
				    site_name(finder, source->site));
}

/* Documentation/x86/x86_64/mm.rst, without KASLR. */
#define CPU_ENTRY_AREAS 0xfffffe0000001000ull /* struct cpu_entry_area of each CPU */
#define CPU_ENTRY_AREAS_END 0xfffffe8000000000ull

/* What no allocator gives away: the entry areas of CPUs, which are stacks for the most part. */
static void find_by_map(const struct finder *finder, uint64_t address, struct truth *truth)
{
	uint64_t size = finder->entry_area ? type_size(finder->entry_area) : 0;
	struct field_place place;

	truth->kind = TRUTH_UNKNOWN;
	truth->owner = arena_printf(&finder->ret->arena, "0x%llx", (unsigned long long)address);
	/* The page allocator clears pages before it hands them out for the first time. */
	if (!strncmp(site_name(finder, truth->ip + 1), "clear_page", 10)) {
		truth->kind = TRUTH_CONTENTS;
		truth->owner = "a page of nobody yet";
	}
	if (!size || address < CPU_ENTRY_AREAS || address >= CPU_ENTRY_AREAS_END)
		return;
	truth->owner = "cpu_entry_area";
	truth->offset = (address - CPU_ENTRY_AREAS) % size;
	place = field_place_at(finder->entry_area, truth->offset, truth->size);
	truth->kind = TRUTH_STACK;
	if (!place.field || place.is_hole || !place.field->type ||
	    type_strip(place.field->type)->kind == TYPE_ARRAY)
		return;
	truth->kind = TRUTH_VARIABLE;
	truth->type = finder->entry_area;
}

/* Of the function there; NULL = none is known. */
static const struct frame_variables *find_variables(struct finder *finder, struct code *code,
						    uint64_t address)
{
	uint32_t function = code_function_at(code, address);
	struct frame_variables *variables;
	struct map_slot *slot;

	if (function == CODE_NO_FUNCTION)
		return NULL;
	slot = map_add(&finder->variables, hash_mix((uintptr_t)code, function), NULL);
	if (!slot->pointer) {
		variables = arena_alloc(&finder->ret->arena, 1, sizeof(*variables));
		code_locations(code, function, &variables->all);
		slot->pointer = variables;
	}
	return slot->pointer;
}

/* Where a variable starts, from the CFA. gcc tells it by the stack pointer in realigned frames. */
static bool find_start(const struct location *location, const struct counts_source *source,
		       int64_t *ret)
{
	const uint8_t rsp = 7; /* System V psABI x86-64, figure 3.36 */

	*ret = location->offset;
	if (location->kind == LOCATION_FRAME)
		return true;
	*ret -= (int64_t)source->size;
	return location->kind == LOCATION_MEMORY && location->reg == rsp && source->size;
}

/*
 * The variable that the function at ip has so far below its CFA, the largest, for parts of it can
 * be variables of what is inlined; none for what it has spilled.
 */
static void find_in_frame(struct finder *finder, const struct counts_source *source,
			  struct truth *truth)
{
	const struct location *best = NULL;
	const struct frame_variables *variables;
	int64_t start, best_start = 0;
	int64_t offset = -(int64_t)truth->offset;
	uint64_t ip = source->site, at;
	struct code *code = find_image(finder, ip, &at);

	truth->kind = TRUTH_STACK;
	truth->owner = arena_printf(&finder->ret->arena, "%s()", site_name(finder, ip + 1));
	variables = code ? find_variables(finder, code, at) : NULL;
	for (size_t i = 0; variables && i < variables->all.nr; i++) {
		const struct location *location = &variables->all.items[i];

		if (at < location->start || at >= location->end ||
		    !find_start(location, source, &start) || offset < start ||
		    offset >= start + location->shape->size ||
		    (best && location->shape->size <= best->shape->size))
			continue;
		best = location;
		best_start = start;
	}
	if (!best)
		return;
	truth->type = code_type(code, best->shape);
	truth->offset = (uint64_t)(offset - best_start);
	step_into_array(truth);
}

/* System calls and interrupts of user space leave the registers at the stack's end. */
static void find_registers(const struct finder *finder, const struct counts_source *source,
			   struct truth *truth)
{
	uint64_t size = finder->registers ? type_size(finder->registers) : 0;

	if (truth->kind != TRUTH_STACK || !size || truth->offset < source->size - size)
		return;
	truth->type = finder->registers;
	truth->offset -= source->size - size;
}

static void find_owner(struct finder *finder, struct truth *truth)
{
	const struct counts_source *source = &finder->counts->sources.items[truth->group];
	const char *function;

	switch (source->form) {
	case COUNTS_FORM_IMAGE:
		find_in_image(finder, COUNTS_IMAGE_START + truth->offset, truth);
		return;
	case COUNTS_FORM_PERCPU_STATIC:
		truth->kind = TRUTH_PERCPU;
		truth->owner = "no symbol";
		find_variable(finder, finder->images->items[0].code, truth->offset, truth);
		return;
	case COUNTS_FORM_PAGE:
		truth->kind = TRUTH_PAGE;
		truth->owner = "struct page";
		truth->type = finder->page;
		return;
	case COUNTS_FORM_SLAB:
		find_in_slab(finder, source, truth);
		return;
	case COUNTS_FORM_PAGES:
		truth->kind = TRUTH_CONTENTS;
		break;
	case COUNTS_FORM_VMALLOC:
		truth->kind = TRUTH_VMALLOC;
		break;
	case COUNTS_FORM_PERCPU:
		truth->kind = TRUTH_PERCPU_ALLOCATED;
		break;
	case COUNTS_FORM_FRAME:
		find_in_frame(finder, source, truth);
		return;
	case COUNTS_FORM_EARLY:
		truth->kind = TRUTH_ALLOCATED;
		break;
	case COUNTS_FORM_UNKNOWN:
	case COUNTS_NR_FORMS:
		find_by_map(finder, source->site + truth->offset, truth);
		return;
	}
	function = site_name(finder, source->site);
	truth->kind = kind_of_site(function, truth->kind);
	truth->owner = arena_printf(&finder->ret->arena, "%s()", function);
	find_registers(finder, source, truth);
}

/* What follows a header is no part of the struct. */
static void infer(const struct finder *finder, struct truth *truth)
{
	const struct type *type = finder->inferred[truth->group];

	if (truth->type || !type || truth->offset >= type_size(type))
		return;
	truth->type = type;
	truth->is_inferred = true;
}

static const struct type *find_struct(void *context, const char *name)
{
	struct code *code = context;
	const struct shape *shape = code_find_struct(code, name);

	return shape ? code_type(code, shape) : NULL;
}

static void find_cache_types(struct finder *finder)
{
	const struct counts_cache_vec *caches = &finder->counts->caches;

	for (size_t i = 0; i < caches->nr; i++) {
		for (size_t k = 0; k < finder->images->nr && !finder->cache_types[i]; k++)
			finder->cache_types[i] = cache_type_choose(&caches->items[i], find_struct,
								   finder->images->items[k].code);
	}
}

static int compare(const void *a, const void *b)
{
	const struct truth *left = a, *right = b;

	if (left->ip != right->ip)
		return left->ip < right->ip ? -1 : 1;
	if (left->group != right->group)
		return left->group < right->group ? -1 : 1;
	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	if (left->size != right->size)
		return left->size < right->size ? -1 : 1;
	return (left->is_load | left->is_store << 1) - (right->is_load | right->is_store << 1);
}

/* Rows tell CPUs and contexts apart; here each place of an instruction is one. */
static void add_rows(const struct counts *counts, struct truth_vec *ret)
{
	size_t nr = 0;

	for (size_t i = 0; i < counts->rows.nr; i++) {
		const struct counts_row *row = &counts->rows.items[i];

		for (int kind = 0; kind < COUNTS_NR_KINDS; kind++) {
			if (!row->total.accesses[kind])
				continue;
			*vec_add(ret) = (struct truth){
				.ip = counts->places.items[row->place].ip,
				.group = row->source,
				.offset = row->offset,
				.size = row->size,
				.is_load = kind != 1,
				.is_store = kind != 0,
				.nr = row->total.accesses[kind],
			};
		}
	}
	vec_sort(ret, compare);
	for (size_t i = 0; i < ret->nr; i++) {
		if (nr && !compare(&ret->items[nr - 1], &ret->items[i]))
			ret->items[nr - 1].nr += ret->items[i].nr;
		else
			ret->items[nr++] = ret->items[i];
	}
	ret->nr = nr;
}

void truths_find(const struct counts *counts, const struct truth_image_vec *images,
		 struct resolver *resolver, struct truths *ret)
{
	auto_free const struct type **cache_types =
		memory_alloc(counts->caches.nr + 1, sizeof(*cache_types));
	struct finder finder = {
		.counts = counts,
		.images = images,
		.cache_types = cache_types,
		.ret = ret,
	};

	*ret = (struct truths){};
	for (size_t i = 0; i < images->nr; i++)
		code_index_functions(images->items[i].code);
	finder.page = find_struct(images->items[0].code, "page");
	finder.registers = find_struct(images->items[0].code, "pt_regs");
	finder.entry_area = find_struct(images->items[0].code, "cpu_entry_area");
	find_cache_types(&finder);
	finder.inferred = inferred_types(counts, cache_types, resolver);
	add_rows(counts, &ret->all);
	for (size_t i = 0; i < ret->all.nr; i++) {
		find_owner(&finder, &ret->all.items[i]);
		infer(&finder, &ret->all.items[i]);
	}
	for (size_t i = 0; i < finder.variables.capacity; i++) {
		if (finder.variables.slots[i].used)
			vec_deinit(&((struct frame_variables *)finder.variables.slots[i].pointer)
					    ->all);
	}
	map_deinit(&finder.variables);
	free(finder.inferred);
}
