/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_scan.h"

#include <dwarf.h>
#include <pthread.h>

#include "base/map.h"
#include "kernel/dwarf_die.h"
#include "kernel/dwarf_hash.h"
#include "kernel/dwarf_names.h"

#define MAX_THREADS 8
/* DIEs within DIEs: real ones stay below 50. Damage that goes on would cost the square of it. */
#define MAX_NESTING 256

/* What the threads share. The lock guards the cursor and damaged_at. */
struct scan {
	const struct dwarf_sections *sections;
	const struct dwarf_scan_request *request;
	struct dwarf_names names;
	pthread_mutex_t lock;
	const uint8_t *cursor;
	uint64_t damaged_at;
};

struct worker {
	struct scan *scan;
	pthread_t thread;
	bool started;
	struct abbrev_table abbrevs;
	struct dwarf_hasher *hasher;
	struct map seen; /* hash -> index into hits */
	struct dwarf_hit_vec hits;
	struct offset_vec for_libdw;
};

static uint64_t section_offset(const struct dwarf_unit *unit, const uint8_t *at)
{
	return (uint64_t)(at - unit->sections->info.data);
}

static bool next_unit(struct scan *scan, struct dwarf_unit *ret)
{
	const struct span *info = &scan->sections->info;
	const uint8_t *end = info->data + info->size;
	bool found;

	pthread_mutex_lock(&scan->lock);
	found = dwarf_unit_next(scan->sections, &scan->cursor, ret);
	if (!found && scan->cursor != end) {
		scan->damaged_at = (uint64_t)(scan->cursor - info->data);
		scan->cursor = end;
	}
	pthread_mutex_unlock(&scan->lock);
	return found;
}

static void add_hit(struct dwarf_hit_vec *hits, struct map *seen, struct dwarf_hit hit)
{
	bool is_new;
	struct map_slot *slot = map_add(seen, hit.hash, &is_new);
	struct dwarf_hit *known;

	if (is_new) {
		slot->value = hits->nr;
		*vec_add(hits) = hit;
		return;
	}
	known = &hits->items[slot->value];
	known->nr_units += hit.nr_units;
	if (hit.offset < known->offset)
		known->offset = hit.offset;
}

/*
 * A scan for everything wants the typedefs that are the only name of a struct. What a reference
 * out of the unit leads to is for libdw to say.
 */
static bool may_name_anonymous(const struct dwarf_unit *unit, const uint8_t *die)
{
	const uint8_t *target;
	struct die type;

	if (!die_read(unit, die, &type) || !type.abbrev || !die_has(&type, ROLE_TYPE))
		return false;
	target = die_reference(unit, type.step[ROLE_TYPE]->form, type.at[ROLE_TYPE]);
	if (!target)
		return true;
	if (!die_read(unit, target, &type) || !type.abbrev)
		return false;
	return (type.abbrev->tag == DW_TAG_structure_type ||
		type.abbrev->tag == DW_TAG_union_type) &&
	       !type.abbrev->name_form;
}

static void consider(struct worker *worker, const struct dwarf_unit *unit,
		     const struct abbrev *abbrev, const uint8_t *die, const uint8_t *name)
{
	const struct dwarf_scan_request *request = worker->scan->request;
	struct dwarf_hit hit = { .offset = section_offset(unit, die), .nr_units = 1 };

	if (!name || abbrev->declaration ||
	    !dwarf_names_match(&worker->scan->names, unit, abbrev->tag, abbrev->name_form, name))
		return;
	if (request->names_only) {
		hit.hash = dwarf_hash_name(worker->hasher, unit, abbrev->name_form, name);
	} else {
		if (!request->nr_queries && abbrev->tag == DW_TAG_typedef &&
		    !may_name_anonymous(unit, die))
			return;
		hit.hash = dwarf_hash_type(worker->hasher, unit, die);
	}
	add_hit(&worker->hits, &worker->seen, hit);
}

static bool is_satisfied(const struct worker *worker)
{
	return worker->hits.nr && worker->scan->request->first_only;
}

static bool is_candidate(uint16_t tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_typedef;
}

/* Whether no type can be defined among the children. */
static bool holds_no_types(const struct dwarf_unit *unit, uint16_t tag)
{
	switch (tag) {
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
		return true;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return unit->c;
	default:
		return false;
	}
}

static void set_damaged(struct scan *scan, uint64_t offset)
{
	pthread_mutex_lock(&scan->lock);
	scan->damaged_at = offset < scan->damaged_at ? offset : scan->damaged_at;
	pthread_mutex_unlock(&scan->lock);
}

/*
 * Every DIE of the unit, those inside functions too: the kernel has structs there. False = the
 * unit is not understood.
 */
static bool walk_unit(struct worker *worker, const struct dwarf_unit *unit)
{
	const uint8_t *at = unit->first;
	unsigned int depth = 0;

	while (at < unit->end) {
		const uint8_t *die = at, *name, *sibling;
		bool end;
		const struct abbrev *abbrev = die_abbrev(unit, &at, &end);

		if (!abbrev) {
			if (!end)
				return false;
			depth -= depth > 0;
			continue;
		}
		at = die_skip(unit, abbrev, at, &name, &sibling);
		if (!at)
			return false;
		if (is_candidate(abbrev->tag))
			consider(worker, unit, abbrev, die, name);
		if (is_satisfied(worker))
			return true;
		if (!abbrev->children)
			continue;
		if (sibling && sibling > at && holds_no_types(unit, abbrev->tag)) {
			at = sibling;
		} else if (++depth > MAX_NESTING) {
			set_damaged(worker->scan, section_offset(unit, unit->start));
			return true;
		}
	}
	return true;
}

static void *work(void *context)
{
	struct worker *worker = context;
	struct dwarf_unit unit;

	worker->hasher = dwarf_hasher_create();
	while (!is_satisfied(worker) && next_unit(worker->scan, &unit)) {
		if (!dwarf_names_may_match(&worker->scan->names, &unit))
			continue;
		if (!dwarf_unit_prepare(&unit, &worker->abbrevs) || unit.split ||
		    !walk_unit(worker, &unit))
			*vec_add(&worker->for_libdw) = section_offset(&unit, unit.first);
	}
	dwarf_hasher_destroy(worker->hasher);
	abbrev_table_deinit(&worker->abbrevs);
	return NULL;
}

static int compare_hits(const void *a, const void *b)
{
	const struct dwarf_hit *left = a, *right = b;

	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static int compare_offsets(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void merge(struct worker *worker, struct map *seen, struct dwarf_hits *ret)
{
	for (size_t i = 0; i < worker->hits.nr; i++)
		add_hit(&ret->hits, seen, worker->hits.items[i]);
	for (size_t i = 0; i < worker->for_libdw.nr; i++)
		*vec_add(&ret->for_libdw) = worker->for_libdw.items[i];
	map_deinit(&worker->seen);
	vec_deinit(&worker->hits);
	vec_deinit(&worker->for_libdw);
}

void dwarf_scan(const struct dwarf_sections *sections, const struct dwarf_scan_request *request,
		struct dwarf_hits *ret)
{
	unsigned int nr_threads = request->nr_threads ? request->nr_threads : 1;
	struct worker workers[MAX_THREADS] = {};
	struct scan scan = { .sections = sections,
			     .request = request,
			     .cursor = sections->info.data,
			     .damaged_at = UINT64_MAX };
	auto_map struct map seen = {};

	ret->damaged_at = UINT64_MAX;
	if (!sections->info.data)
		return;
	if (nr_threads > MAX_THREADS)
		nr_threads = MAX_THREADS;
	if (request->first_only)
		nr_threads = 1;
	dwarf_names_init(&scan.names, sections, request->queries, request->nr_queries);
	pthread_mutex_init(&scan.lock, NULL);
	for (unsigned int i = 0; i < nr_threads; i++)
		workers[i].scan = &scan;
	/* A thread that can't be started leaves its share to the others. */
	for (unsigned int i = 1; i < nr_threads; i++)
		workers[i].started = !pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	work(&workers[0]);
	for (unsigned int i = 0; i < nr_threads; i++) {
		if (workers[i].started)
			pthread_join(workers[i].thread, NULL);
		merge(&workers[i], &seen, ret);
	}
	vec_sort(&ret->hits, compare_hits);
	vec_sort(&ret->for_libdw, compare_offsets);
	ret->damaged_at = scan.damaged_at;
	pthread_mutex_destroy(&scan.lock);
	dwarf_names_deinit(&scan.names);
}

void dwarf_hits_deinit(struct dwarf_hits *hits)
{
	vec_deinit(&hits->hits);
	vec_deinit(&hits->for_libdw);
}
