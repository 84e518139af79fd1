/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/recorded_kernel.h"

#include <string.h>

#define TRACEPOINT 2 /* PERF_TYPE_TRACEPOINT */

void recorded_kernel_deinit(struct recorded_kernel *kernel)
{
	vec_deinit(&kernel->modules_missing);
	map_deinit(&kernel->modules_seen);
	arena_deinit(&kernel->arena);
}

static void print_build_id(struct text *text, const uint8_t *bytes, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		text_printf(text, "%02x", bytes[i]);
}

/* perf pads a build-id with zeros to 20 bytes. */
static struct error *check_build_id(const struct recorded_kernel *kernel, const uint8_t *bytes,
				    size_t nr)
{
	const struct source *source = resolver_source(kernel->resolver);
	auto_text struct text recorded = {};
	size_t length = source->build_id ? strlen(source->build_id) : 0;

	print_build_id(&recorded, bytes, nr);
	if (!nr || !length || kernel->force ||
	    (recorded.length >= length &&
	     !strncmp(text_chars(&recorded), source->build_id, length)))
		return NULL;
	return error_create(
		ERROR_INPUT,
		"'%s' has build-id %s, but the kernel of the recording has %s: give its "
		"vmlinux with --kernel, or --force to go on and get wrong names",
		source->path, source->build_id, text_chars(&recorded));
}

struct error *recorded_kernel_check(const struct recorded_kernel *kernel,
				    const struct recording_about *about)
{
	struct error *err = NULL;

	for (size_t i = 0; i < about->build_ids.nr && !err; i++) {
		const struct recorded_build_id *id = &about->build_ids.items[i];

		if (!strncmp(id->name, "[kernel.kallsyms]", 17) || !strcmp(id->name, "vmlinux"))
			err = check_build_id(kernel, id->bytes, id->size);
	}
	return err;
}

static struct error *use_kernel(struct recorded_kernel *kernel, const struct recorded_map *map)
{
	struct error *err = check_build_id(kernel, map->build_id, map->build_id_size);
	uint64_t linked;

	if (err || !map->symbol || !map->symbol_addr)
		return err;
	linked = code_symbol_address(resolver_code(kernel->resolver), map->symbol);
	kernel->is_place_unknown = !linked;
	if (!linked)
		return NULL;
	kernel->slide = map->symbol_addr - linked;
	resolver_set_slide(kernel->resolver, kernel->slide);
	return NULL;
}

/* A module that is not there is a limit of the report, told once. */
static void use_module(struct recorded_kernel *kernel, const struct recorded_map *map)
{
	auto_error struct error *err = NULL;
	bool is_new;

	map_add(&kernel->modules_seen, hash_string(map->start, map->name), &is_new);
	if (!is_new)
		return;
	err = resolver_add_module(kernel->resolver, map->name, map->start, map->size);
	if (err)
		*vec_add(&kernel->modules_missing) = arena_strdup(&kernel->arena, map->name);
}

struct error *recorded_kernel_use(struct recorded_kernel *kernel, const struct recorded_map *map)
{
	if (map->kind == MAP_KERNEL)
		return use_kernel(kernel, map);
	if (map->kind == MAP_MODULE)
		use_module(kernel, map);
	return NULL;
}

bool recorded_may_allocate(const struct recording_about *about)
{
	/* Only perf.data names all of its events before the first item. */
	bool may = about->format != RECORDING_PERF_DATA;

	for (size_t i = 0; i < about->events.nr; i++)
		may |= about->events.items[i].type == TRACEPOINT;
	return may;
}

bool recorded_memory_sample(const struct recording_about *about, const struct item *item)
{
	const struct sample *sample = &item->sample;

	if (item->kind != ITEM_SAMPLE || !(sample->has & SAMPLE_HAS_IP) ||
	    !(sample->has & (SAMPLE_HAS_ADDR | SAMPLE_HAS_DATA_SRC)))
		return false;
	return sample->event >= about->events.nr ||
	       about->events.items[sample->event].type != TRACEPOINT;
}
