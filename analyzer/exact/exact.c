/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/exact.h"

#include <string.h>

#include "exact/cache_types.h"
#include "exact/cuts.h"
#include "exact/fields.h"
#include "exact/inferred.h"
#include "exact/owners.h"
#include "exact/touched.h"

/* What no report may leave unsaid. */
static const char *const limits[] = {
	"stores take effect at once: there are no store buffers, and no prefetch",
	"a transfer takes no time, not even a HITM: waiting does not change what the guest does "
	"next",
	"modelled cycles are latencies of machines at rest, added up: nothing overlaps, nothing "
	"queues",
	"virtual time is one nanosecond an instruction of all CPUs together, so timer interrupts "
	"are more frequent for each operation than on hardware",
	"the guest's CPU is a Nehalem without the hypervisor bit, so that the kernel behaves as on "
	"hardware: with QEMU's largest model its clock would be the HPET, and all CPUs would fight "
	"over that one's lock; with the bit it would take other spinlocks",
	"code of user space is run but not modelled; what the kernel copies to and from it is",
	"page table walks and the frames that interrupts push are not seen",
	"counts can be held against other counts of such a run, not against a stopwatch",
};

static const char limit_of_caches[] = "a CPU's cache has no limit, so nothing is ever evicted";
static const char limit_of_hits[] =
	"accesses that hit are counted only on lines that CPUs fought over, and not in stacks and "
	"pages of data, whose events are told line by line";

static struct exact_counts counts_of(const struct counts_total *total)
{
	/* By enum coherence_kind, coherence_event_kind and coherence_cause. */
	return (struct exact_counts){
		.loads = total->accesses[0],
		.stores = total->accesses[1],
		.atomics = total->accesses[2],
		.upgrades = total->events[1],
		.memory = total->events[2],
		.clean_local = total->events[3],
		.clean_remote = total->events[4],
		.hitm_local = total->events[5],
		.hitm_remote = total->events[6],
		.write_backs = total->events[7],
		.nr_cold = total->causes[1],
		.nr_evicted = total->causes[2],
		.nr_taken = total->causes[3],
		.nr_true = total->nr_true,
		.nr_false = total->nr_false,
		.nr_invalidated = total->nr_invalidated,
	};
}

static void fill_run(const struct counts *counts, const struct string_vec *operations,
		     struct exact *exact)
{
	struct exact_run *run = &exact->run;

	run->nr_operations = counts_about(counts, "operations");
	run->first_operation = counts_about(counts, "first_operation");
	run->nr_instructions = counts_about(counts, "instructions");
	run->nr_cpus = (uint32_t)counts_about(counts, "cpus");
	run->nr_sockets = (uint32_t)counts_about(counts, "sockets");
	run->line_size = (uint32_t)counts_about(counts, "line_size");
	run->moesi = counts_about(counts, "moesi");
	run->nr_sets = (uint32_t)counts_about(counts, "sets");
	run->nr_ways = (uint32_t)counts_about(counts, "ways");
	run->seed = counts_about(counts, "seed");
	run->turn_shortest = (uint32_t)counts_about(counts, "turn_shortest");
	run->turn_longest = (uint32_t)counts_about(counts, "turn_longest");
	run->fast = counts_about(counts, "fast");
	run->every_access = counts_about(counts, "every_access");
	for (size_t i = 0; i < operations->nr; i++)
		*vec_add(&run->operations) = arena_strdup(&exact->arena, operations->items[i]);
	exact->total = counts_of(&counts->total);
	if (run->fast)
		*vec_add(&exact->limits) =
			"several threads ran the CPUs: another run gives other counts, and CPUs "
			"meet less often than they would";
	for (size_t i = 0; i < array_size(limits); i++)
		*vec_add(&exact->limits) = limits[i];
	if (!run->nr_sets)
		*vec_add(&exact->limits) = limit_of_caches;
	*vec_add(&exact->limits) =
		run->every_access ? "stacks are told by the frame, pages of data line by line" :
				    limit_of_hits;
}

/* A plugin says so; a damaged file may not. */
static struct error *check_run(const struct exact_request *request, const struct exact_run *run)
{
	const uint32_t size = run->line_size;

	if (!size || size & (size - 1))
		return error_create(ERROR_INPUT,
				    "'%s' tells of lines of %u bytes: run fieldline emulate again",
				    request->counts, size);
	return NULL;
}

static void add_rows(const struct counts *counts, struct owners *owners, struct names *names,
		     struct field_rows *rows)
{
	for (size_t i = 0; i < counts->rows.nr; i++) {
		const struct counts_row *row = &counts->rows.items[i];
		struct owner owner = owners_find(owners, row->source, row->offset, row->phase);

		field_rows_add(rows, owners->exact,
			       &(struct field_row){
				       .type = owner.type,
				       .phase = owner.phase,
				       .offset = owner.offset,
				       .size = row->size,
				       .function = names_function(
					       names, counts->places.items[row->place].ip),
				       .context = (enum exact_context)row->context,
				       .cpu = row->cpu,
				       .counts = counts_of(&row->total),
			       });
	}
}

static uint64_t touch_key(uint32_t source, uint32_t offset, uint32_t place)
{
	return hash_mix(hash_mix(source, offset), place);
}

/* How many bytes an instruction touches somewhere: rows say, pairs don't. */
static void collect_sizes(const struct counts *counts, struct map *ret)
{
	for (size_t i = 0; i < counts->rows.nr; i++) {
		const struct counts_row *row = &counts->rows.items[i];

		map_add(ret, touch_key(row->source, row->offset, row->place), NULL)->value =
			row->size;
	}
}

static const char *path_of(struct owners *owners, const struct owner *owner,
			   const struct map *sizes, uint64_t key)
{
	const struct exact_type *type = &owners->exact->types.items[owner->type];
	const struct map_slot *size = map_find(sizes, key);

	return field_name(&owners->exact->arena, type, owner->offset, size ? size->value : 1);
}

static void add_pairs(const struct counts *counts, struct owners *owners, struct names *names)
{
	auto_map struct map sizes = {};

	collect_sizes(counts, &sizes);
	for (size_t i = 0; i < counts->pairs.nr; i++) {
		const struct counts_pair *pair = &counts->pairs.items[i];
		struct owner writer =
			owners_find(owners, pair->writer_source, pair->writer_offset, 0);
		struct owner reader =
			owners_find(owners, pair->reader_source, pair->reader_offset, 0);
		const struct counts_place *places = counts->places.items;
		struct arena *arena = &owners->exact->arena;

		*vec_add(&owners->exact->pairs) = (struct exact_pair){
			.writer_type = writer.type,
			.reader_type = reader.type,
			.writer_path = path_of(owners, &writer, &sizes,
					       touch_key(pair->writer_source, pair->writer_offset,
							 pair->writer_place)),
			.reader_path = path_of(owners, &reader, &sizes,
					       touch_key(pair->reader_source, pair->reader_offset,
							 pair->reader_place)),
			.writer_function = arena_strdup(
				arena, names_function(names, places[pair->writer_place].ip)),
			.reader_function = arena_strdup(
				arena, names_function(names, places[pair->reader_place].ip)),
			.nr_true = pair->nr_true,
			.nr_false = pair->nr_false,
		};
	}
}

static void count_objects(const struct counts *counts, struct owners *owners)
{
	for (size_t i = 0; i < counts->objects.nr; i++) {
		const struct counts_object *object = &counts->objects.items[i];
		struct owner owner = owners_find(owners, object->source, 0, 0);

		owners->exact->types.items[owner.type].nr_objects++;
	}
}

static struct error *fill(const struct exact_request *request, const struct counts *counts,
			  struct names *names, struct exact *exact)
{
	struct owners owners = { .counts = counts, .names = names, .exact = exact };
	struct field_rows rows = {};
	auto_free const struct type **cache_types = NULL, **inferred = NULL;
	struct error *err = cache_types_read(request->vmlinux, counts, &exact->set, &cache_types);

	if (err)
		return err;
	owners.cache_types = cache_types;
	if (request->resolver) {
		inferred = inferred_types(counts, cache_types, request->resolver);
		owners.inferred = inferred;
		owners.code = resolver_code(request->resolver);
	}
	add_rows(counts, &owners, names, &rows);
	count_objects(counts, &owners);
	add_pairs(counts, &owners, names);
	field_rows_build(&rows, exact);
	touched_count(exact);
	for (size_t i = 0; i < exact->types.nr; i++) {
		if (!exact->types.items[i].is_unknown)
			exact_counts_add(&exact->typed, &exact->types.items[i].counts);
	}
	cuts_find(exact);
	vec_deinit(&rows);
	owners_deinit(&owners);
	return NULL;
}

struct error *exact_read(const struct exact_request *request, struct exact *ret)
{
	auto_counts struct counts counts = {};
	auto_names struct names names = {};
	auto_exact struct exact exact = {};
	struct error *err = counts_read(request->counts, &counts);

	if (!err)
		err = names_read(request->vmlinux, request->modules, &counts, &names);
	if (err)
		return err;
	fill_run(&counts, request->operations, &exact);
	err = check_run(request, &exact.run);
	if (!err)
		err = fill(request, &counts, &names, &exact);
	if (err)
		return err;
	for (size_t i = 0; i < names.gaps.nr; i++)
		*vec_add(&exact.limits) = arena_strdup(&exact.arena, names.gaps.items[i]);
	*ret = exact;
	exact = (struct exact){};
	return NULL;
}
