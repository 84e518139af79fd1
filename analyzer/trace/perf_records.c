/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_records.h"

#include <string.h>
#include <sys/mman.h>

#include "base/map.h"
#include "trace/perf_format.h"

/* In the kernel's words; newer than 6.1's header are none of these. */
static bool is_kernel_mode(uint16_t misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static bool is_guest(uint16_t misc)
{
	uint16_t mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;
}

/* perf itself decides by the name what a map of the kernel is. */
static void tell_kernel_map(struct recorded_map *map)
{
	const size_t prefix = sizeof(PERF_KERNEL_MAP_NAME) - 1;

	map->pid = map->tid = 0; /* they say -1, no process */
	if (!strncmp(map->name, PERF_KERNEL_MAP_NAME, prefix)) {
		map->kind = MAP_KERNEL;
		map->symbol = map->name + prefix;
		map->symbol_addr = map->file_offset;
	} else if (map->name[0] == '[' || map->name[0] == '/') {
		map->kind = MAP_MODULE;
	} else {
		map->kind = MAP_KSYMBOL; /* "__entry_SYSCALL_64_trampoline" and such */
	}
}

/*
 * Of 24 bytes: device, inode and its generation, or a build-id. The generation does not count
 * beside the others, as it is 0 in the maps that perf itself writes. An inode without a device is
 * what our writer makes of the id that a map had.
 */
static uint64_t file_id_of(const uint8_t *id, bool big_endian)
{
	struct bytes bytes = bytes_over(id, 24, big_endian);
	uint64_t device = bytes_u64(&bytes);
	uint64_t inode = bytes_u64(&bytes);
	uint64_t generation = bytes_u64(&bytes);

	if (device)
		return hash_bytes(0, id, 16) | 1;
	return inode ? inode : generation;
}

static void parse_mmap2(const struct perf_record *record, struct bytes *body,
			struct recorded_map *map)
{
	const uint8_t *id = bytes_take(body, 24);

	map->executable = bytes_u32(body) & PROT_EXEC;
	map->shared = bytes_u32(body) & MAP_SHARED;
	if (!id)
		return;
	if (record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		map->build_id_size = id[0] < BUILD_ID_MAX ? id[0] : BUILD_ID_MAX;
		memcpy(map->build_id, id + 4, map->build_id_size);
	}
	map->file_id = file_id_of(id, body->big_endian);
}

static enum perf_record_use parse_map(const struct perf_record *record, struct bytes *body,
				      struct item *ret)
{
	struct recorded_map *map = &ret->map;

	if (is_guest(record->misc))
		return PERF_RECORD_NOT_WANTED;
	*map = (struct recorded_map){ .kind = MAP_USER, .pid = bytes_u32(body) };
	map->tid = bytes_u32(body);
	map->start = bytes_u64(body);
	map->size = bytes_u64(body);
	map->file_offset = bytes_u64(body);
	if (record->type == PERF_RECORD_MMAP2)
		parse_mmap2(record, body, map);
	else
		map->executable = !(record->misc & PERF_RECORD_MISC_MMAP_DATA);
	map->name = bytes_string(body);
	if (!map->name)
		return PERF_RECORD_DAMAGED;
	if (is_kernel_mode(record->misc))
		tell_kernel_map(map);
	ret->kind = ITEM_MAP;
	return PERF_RECORD_IS_ITEM;
}

static enum perf_record_use parse_ksymbol(struct bytes *body, struct item *ret)
{
	struct recorded_map *map = &ret->map;
	uint16_t flags;

	*map = (struct recorded_map){ .start = bytes_u64(body), .executable = true };
	map->size = bytes_u32(body);
	bytes_u16(body); /* type */
	flags = bytes_u16(body);
	map->name = bytes_string(body);
	if (!map->name)
		return PERF_RECORD_DAMAGED;
	map->kind = flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER ? MAP_UNMAPPED : MAP_KSYMBOL;
	ret->kind = ITEM_MAP;
	return PERF_RECORD_IS_ITEM;
}

static enum perf_record_use parse_comm(const struct perf_record *record, struct bytes *body,
				       struct item *ret)
{
	ret->kind = ITEM_COMM;
	ret->comm = (struct recorded_comm){ .pid = bytes_u32(body) };
	ret->comm.tid = bytes_u32(body);
	ret->comm.name = bytes_string(body);
	ret->comm.exec = record->misc & PERF_RECORD_MISC_COMM_EXEC;
	return ret->comm.name ? PERF_RECORD_IS_ITEM : PERF_RECORD_DAMAGED;
}

static enum perf_record_use parse_task(const struct perf_record *record, struct bytes *body,
				       struct item *ret)
{
	ret->kind = record->type == PERF_RECORD_FORK ? ITEM_FORK : ITEM_EXIT;
	ret->task = (struct recorded_task){ .pid = bytes_u32(body) };
	ret->task.parent_pid = bytes_u32(body);
	ret->task.tid = bytes_u32(body);
	ret->task.parent_tid = bytes_u32(body);
	/* perf's own, of processes that ran before, have this bit: no memory was handed on. */
	ret->task.exec = record->misc & PERF_RECORD_MISC_FORK_EXEC;
	return body->failed ? PERF_RECORD_DAMAGED : PERF_RECORD_IS_ITEM;
}

static enum perf_record_use parse_lost(const struct perf_record *record, struct bytes *body,
				       struct item *ret)
{
	if (record->type == PERF_RECORD_LOST)
		bytes_u64(body); /* id */
	ret->kind = ITEM_LOST;
	ret->nr_lost = bytes_u64(body);
	return body->failed ? PERF_RECORD_DAMAGED : PERF_RECORD_IS_ITEM;
}

static enum perf_record_use parse_text_poke(struct bytes *body, struct item *ret)
{
	struct recorded_poke poke = { .addr = bytes_u64(body) };

	poke.nr_old = bytes_u16(body);
	poke.nr_new = bytes_u16(body);
	poke.old_bytes = bytes_take(body, poke.nr_old);
	poke.new_bytes = bytes_take(body, poke.nr_new);
	ret->kind = ITEM_TEXT_POKE;
	ret->poke = poke;
	return body->failed ? PERF_RECORD_DAMAGED : PERF_RECORD_IS_ITEM;
}

enum perf_record_use perf_record_parse(const struct perf_record *record, struct bytes *body,
				       struct item *ret)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return parse_map(record, body, ret);
	case PERF_RECORD_KSYMBOL:
		return parse_ksymbol(body, ret);
	case PERF_RECORD_COMM:
		return parse_comm(record, body, ret);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return parse_task(record, body, ret);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return parse_lost(record, body, ret);
	case PERF_RECORD_TEXT_POKE:
		return parse_text_poke(body, ret);
	default:
		return PERF_RECORD_NOT_WANTED;
	}
}
