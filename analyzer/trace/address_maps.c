/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/address_maps.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"

/*
 * All processes together: a forked process copies its parent's maps, and a hostile recording may
 * fork as often as it has records.
 */
enum { MAX_MAPPED = 1 << 22 };

struct mapped {
	uint64_t start;
	uint64_t end;
	uint64_t file_id; /* 0 = no file */
	uint64_t to_file; /* added to an address in it: the one in the file */
	bool is_shared;
};

DEFINE_VEC(mapped_vec, struct mapped);

/* Sorted by start, none overlapping. */
struct space {
	struct mapped_vec mapped;
	size_t last; /* found last: samples of one place come together */
};

struct address_maps {
	struct space kernel;
	struct map spaces;    /* pid -> struct space */
	struct map processes; /* tid -> pid: perf keeps what it learned first of a thread */
	/* Of the last sample; a fork may change them. */
	uint32_t last_pid;
	uint32_t last_tid;
	struct space *last_space; /* NULL = none */
	uint32_t last_process;
	size_t nr_mapped;
};

struct address_maps *address_maps_create(void)
{
	return memory_alloc(1, sizeof(struct address_maps));
}

void address_maps_destroy(struct address_maps *maps)
{
	struct space *space;

	if (!maps)
		return;
	for (size_t i = 0; i < maps->spaces.capacity; i++) {
		if (!maps->spaces.slots[i].used)
			continue;
		space = maps->spaces.slots[i].pointer;
		vec_deinit(&space->mapped);
		free(space);
	}
	vec_deinit(&maps->kernel.mapped);
	map_deinit(&maps->spaces);
	map_deinit(&maps->processes);
	free(maps);
}

/* The first that ends behind addr; their number if none does. */
static size_t first_behind(const struct mapped_vec *mapped, uint64_t addr)
{
	return vec_first_behind(mapped, end, addr);
}

static const struct mapped *space_find(struct space *space, uint64_t addr)
{
	const struct mapped_vec *mapped = &space->mapped;
	size_t i = space->last;

	if (i >= mapped->nr || addr < mapped->items[i].start || addr >= mapped->items[i].end)
		i = first_behind(mapped, addr);
	if (i == mapped->nr || addr < mapped->items[i].start)
		return NULL;
	space->last = i;
	return &mapped->items[i];
}

static void insert_at(struct address_maps *maps, struct space *space, size_t i,
		      const struct mapped *new)
{
	struct mapped_vec *mapped = &space->mapped;

	vec_add(mapped);
	memmove(&mapped->items[i + 1], &mapped->items[i],
		(mapped->nr - 1 - i) * sizeof(*mapped->items));
	mapped->items[i] = *new;
	maps->nr_mapped++;
}

/* Maps over what was there: of that stays what the new one leaves free at both sides. */
static void space_add(struct address_maps *maps, struct space *space, const struct mapped *new)
{
	struct mapped_vec *mapped = &space->mapped;
	size_t first = first_behind(mapped, new->start);
	size_t end = first;
	struct mapped after = {};

	if (maps->nr_mapped >= MAX_MAPPED || new->end <= new->start)
		return;
	if (first < mapped->nr && mapped->items[first].start < new->start) {
		if (mapped->items[first].end > new->end) {
			after = mapped->items[first];
			after.start = new->end;
		}
		mapped->items[first].end = new->start;
		end = ++first;
	}
	while (end < mapped->nr && mapped->items[end].end <= new->end)
		end++;
	if (end < mapped->nr && mapped->items[end].start < new->end)
		mapped->items[end].start = new->end;
	if (end > first)
		memmove(&mapped->items[first], &mapped->items[end],
			(mapped->nr - end) * sizeof(*mapped->items));
	mapped->nr -= end - first;
	maps->nr_mapped -= end - first;
	if (after.end)
		insert_at(maps, space, first, &after);
	insert_at(maps, space, first, new);
}

static struct space *space_of(struct address_maps *maps, uint32_t pid)
{
	struct map_slot *slot;
	bool is_new;

	slot = map_add(&maps->spaces, pid, &is_new);
	if (is_new)
		slot->pointer = memory_alloc(1, sizeof(struct space));
	return slot->pointer;
}

/* A thread belongs to the process that it was first seen in. */
static uint32_t process_of(struct address_maps *maps, uint32_t pid, uint32_t tid)
{
	struct map_slot *slot;
	bool is_new;

	slot = map_add(&maps->processes, tid, &is_new);
	if (is_new || (uint32_t)slot->value == UINT32_MAX)
		slot->value = pid;
	return (uint32_t)slot->value;
}

/* Memory without a file behind it; perf goes by these names. */
static bool is_fileless(const char *name)
{
	static const char *const prefixes[] = { "//anon", "/dev/zero", "/anon_hugepage",
						"[stack", "/SYSV",     "[heap]" };

	for (size_t i = 0; i < array_size(prefixes); i++) {
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	}
	return false;
}

static void add_map(struct address_maps *maps, const struct recorded_map *map)
{
	struct mapped mapped = { .start = map->start, .end = map->start + map->size };

	if (mapped.end < mapped.start)
		mapped.end = UINT64_MAX;
	switch (map->kind) {
	case MAP_KERNEL:
		/* Some recordings have an empty map of the kernel. */
		if (!mapped.start && !mapped.end)
			mapped.end = UINT64_MAX;
		space_add(maps, &maps->kernel, &mapped);
		break;
	case MAP_MODULE:
		mapped.to_file = 0 - map->start;
		space_add(maps, &maps->kernel, &mapped);
		break;
	case MAP_USER:
		mapped.file_id = map->file_id;
		mapped.is_shared = map->shared;
		if (!strcmp(map->name, "[vdso]"))
			mapped.to_file = 0 - map->start;
		else if (!is_fileless(map->name))
			mapped.to_file = map->file_offset - map->start;
		space_add(maps, space_of(maps, process_of(maps, map->pid, map->tid)), &mapped);
		break;
	case MAP_KSYMBOL: /* perf c2c does not look at them */
	case MAP_UNMAPPED:
		break;
	}
}

static void add_fork(struct address_maps *maps, const struct recorded_task *task)
{
	uint32_t parent = process_of(maps, task->parent_pid, task->parent_tid);
	struct space *from, *to;

	map_add(&maps->processes, task->tid, NULL)->value = task->pid;
	if (task->pid == parent || task->exec)
		return;
	to = space_of(maps, task->pid);
	from = space_of(maps, parent);
	for (size_t i = 0; i < from->mapped.nr; i++)
		space_add(maps, to, &from->mapped.items[i]);
}

void address_maps_add(struct address_maps *maps, const struct item *item)
{
	maps->last_space = NULL;
	if (item->kind == ITEM_MAP)
		add_map(maps, &item->map);
	else if (item->kind == ITEM_FORK)
		add_fork(maps, &item->task);
}

static struct space *space_of_sample(struct address_maps *maps, const struct sample *sample,
				     uint32_t *ret_process)
{
	bool has_tid = sample->has & SAMPLE_HAS_TID;
	uint32_t pid = has_tid ? sample->pid : UINT32_MAX;
	uint32_t tid = has_tid ? sample->tid : UINT32_MAX;

	if (!maps->last_space || maps->last_pid != pid || maps->last_tid != tid) {
		maps->last_pid = pid;
		maps->last_tid = tid;
		maps->last_process = process_of(maps, pid, tid);
		maps->last_space = space_of(maps, maps->last_process);
	}
	*ret_process = maps->last_process;
	return maps->last_space;
}

struct c2c_place address_maps_place(struct address_maps *maps, const struct sample *sample)
{
	uint16_t mode = sample->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	uint32_t pid;
	struct space *process = space_of_sample(maps, sample, &pid);
	struct c2c_place place = { .addr = sample->addr };
	const struct mapped *data = NULL;

	/* perf looks for code in the process first, whatever the mode, but for data by the mode. */
	place.is_ip_mapped =
		space_find(process, sample->ip) || space_find(&maps->kernel, sample->ip);
	if (mode == PERF_RECORD_MISC_KERNEL)
		data = space_find(&maps->kernel, sample->addr);
	else if (mode == PERF_RECORD_MISC_USER)
		data = space_find(process, sample->addr);
	if (!data)
		return place;
	place.is_addr_mapped = true;
	place.file_id = data->file_id;
	place.addr += data->to_file;
	if (mode != PERF_RECORD_MISC_KERNEL && !data->is_shared && !data->file_id)
		place.pid = pid;
	return place;
}
