/* SPDX-License-Identifier: GPL-2.0-only */
/* An item of every kind, and what of them must survive being written and read. */
#ifndef FIELDLINE_TESTS_UNIT_TRACE_EVERY_ITEM_H
#define FIELDLINE_TESTS_UNIT_TRACE_EVERY_ITEM_H

#include "support/made_recording.h"

enum { EVERY_ITEM_MAX = 24 };

static inline size_t every_item(struct item *items)
{
	static const uint8_t old_bytes[] = { 0x0f, 0x1f, 0x44, 0, 0 };
	static const uint8_t new_bytes[] = { 0xe8, 1, 2 };
	const struct item ksymbol = {
		.kind = ITEM_MAP,
		.map = { .kind = MAP_KSYMBOL,
			 .start = 0xffffffffc0300000,
			 .size = 200,
			 .name = "bpf_prog_x",
			 .executable = true },
	};
	size_t nr = 0;

	items[nr++] = made_kernel_map();
	items[nr++] = (struct item){
		.kind = ITEM_MAP,
		.time_ns = 5,
		.map = { .kind = MAP_MODULE,
			 .start = 0xffffffffc0000000,
			 .size = 0x4000,
			 .name = "[ext4]",
			 .executable = true },
	};
	items[nr++] = made_user_map(100, 0x400000, 0x1000, "/bin/program", 77);
	items[nr - 1].map.executable = true;
	items[nr++] = made_user_map(100, 0x7f0000000000, 0x2000, "//anon", 0);
	items[nr - 1].map.shared = true;
	items[nr++] = ksymbol;
	items[nr++] = ksymbol;
	items[nr - 1].map.kind = MAP_UNMAPPED;
	items[nr++] = made_comm(100, 101, "a command");
	items[nr - 1].comm.exec = true;
	items[nr++] = (struct item){ .kind = ITEM_FORK,
				     .time_ns = 9,
				     .task = { 200, 201, 100, 101, true } };
	items[nr++] = (struct item){ .kind = ITEM_EXIT,
				     .time_ns = 10,
				     .task = { 200, 201, 100, 101, false } };
	items[nr++] = (struct item){ .kind = ITEM_LOST, .nr_lost = 12345678901 };
	items[nr++] = (struct item){
		.kind = ITEM_TEXT_POKE,
		.time_ns = 11,
		.poke = { MADE_TEXT + 4, old_bytes, new_bytes, sizeof(old_bytes),
			  sizeof(new_bytes) },
	};
	items[nr++] = (struct item){
		.kind = ITEM_ALLOCATION,
		.time_ns = 12,
		.allocation = { 0xffff888000001000, 100, 128, MADE_TEXT + 8, 3, 100,
				"kmalloc-128" },
	};
	items[nr++] = (struct item){
		.kind = ITEM_FREE,
		.time_ns = 13,
		.allocation = { .addr = 0xffff888000001000,
				.site = MADE_TEXT + 16,
				.cpu = 3,
				.pid = 100 },
	};
	items[nr++] = made_sample(14, 0xffff888000001008, 0x5080142);
	items[nr - 1].sample.cpu = 6;
	items[nr - 1].sample.tid = 102;
	items[nr - 1].sample.period = 1000003;
	items[nr - 1].sample.phys_addr = 0x1000;
	items[nr - 1].sample.has |= SAMPLE_HAS_PHYS_ADDR;
	items[nr++] =
		made_sample(9, 0, 0xfffffffffffffffb); /* earlier; all bits but that of LOAD */
	items[nr - 1].sample.weight = UINT32_MAX;
	items[nr - 1].sample.misc = 2;
	items[nr - 1].sample.has |= SAMPLE_HAS_PHYS_ADDR;
	return nr;
}

/* All that a recording tells of itself. */
static inline void every_about(struct recording_about *about)
{
	made_about(about);
	*vec_add(&about->build_ids) = (struct recorded_build_id){
		.name = "[kernel.kallsyms]",
		.is_kernel = true,
		.bytes = "twenty bytes, always",
		.size = 20,
	};
	/* Of a linker that was told --build-id=md5. */
	*vec_add(&about->build_ids) = (struct recorded_build_id){
		.name = "/usr/lib/library.so",
		.bytes = "sixteen of them.",
		.size = 16,
	};
}

static inline void assert_same_map(const struct recorded_map *a, const struct recorded_map *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->size, b->size);
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->executable, b->executable);
	assert_int_equal(a->shared, b->shared);
	/* Which number stands for a file is the writer's choice. */
	assert_int_equal(a->file_id != 0, b->file_id != 0 && !b->build_id_size);
	assert_int_equal(a->symbol_addr, b->symbol_addr);
	assert_int_equal(a->build_id_size, b->build_id_size);
	assert_memory_equal(a->build_id, b->build_id, BUILD_ID_MAX);
	if (a->kind != MAP_KERNEL)
		assert_int_equal(a->file_offset, b->file_offset);
}

static inline void assert_same_sample(const struct sample *a, const struct sample *b)
{
	assert_int_equal(a->ip, b->ip);
	assert_int_equal(a->addr, b->addr);
	assert_int_equal(a->phys_addr, b->phys_addr);
	assert_int_equal(a->time_ns, b->time_ns);
	assert_int_equal(a->period, b->period);
	assert_int_equal(a->data_src, b->data_src);
	assert_int_equal(a->weight, b->weight);
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->event, b->event);
	assert_int_equal(a->misc, b->misc);
}

static inline void assert_same_item(const struct item *a, const struct item *b)
{
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->time_ns, b->time_ns);
	switch (a->kind) {
	case ITEM_SAMPLE:
		assert_same_sample(&a->sample, &b->sample);
		break;
	case ITEM_MAP:
		assert_same_map(&a->map, &b->map);
		break;
	case ITEM_COMM:
		assert_int_equal(a->comm.pid, b->comm.pid);
		assert_int_equal(a->comm.tid, b->comm.tid);
		assert_int_equal(a->comm.exec, b->comm.exec);
		assert_string_equal(a->comm.name, b->comm.name);
		break;
	case ITEM_FORK:
	case ITEM_EXIT:
		assert_int_equal(a->task.pid, b->task.pid);
		assert_int_equal(a->task.tid, b->task.tid);
		assert_int_equal(a->task.parent_pid, b->task.parent_pid);
		assert_int_equal(a->task.parent_tid, b->task.parent_tid);
		assert_int_equal(a->task.exec, b->task.exec);
		break;
	case ITEM_LOST:
		assert_int_equal(a->nr_lost, b->nr_lost);
		break;
	case ITEM_TEXT_POKE:
		assert_int_equal(a->poke.addr, b->poke.addr);
		assert_int_equal(a->poke.nr_old, b->poke.nr_old);
		assert_int_equal(a->poke.nr_new, b->poke.nr_new);
		break;
	case ITEM_ALLOCATION:
	case ITEM_FREE:
		assert_int_equal(a->allocation.addr, b->allocation.addr);
		assert_int_equal(a->allocation.size, b->allocation.size);
		assert_int_equal(a->allocation.allocated, b->allocation.allocated);
		assert_int_equal(a->allocation.site, b->allocation.site);
		assert_int_equal(a->allocation.cpu, b->allocation.cpu);
		assert_int_equal(a->allocation.pid, b->allocation.pid);
		if (a->allocation.cache)
			assert_string_equal(a->allocation.cache, b->allocation.cache);
		else
			assert_null(b->allocation.cache);
		break;
	}
}

static inline void assert_same_about(const struct recording_about *a,
				     const struct recording_about *b)
{
	assert_string_equal(a->hostname, b->hostname);
	assert_string_equal(a->os_release, b->os_release);
	assert_string_equal(a->version, b->version);
	assert_string_equal(a->arch, b->arch);
	assert_string_equal(a->cpu_desc, b->cpu_desc);
	assert_string_equal(a->cpuid, b->cpuid);
	assert_int_equal(a->nr_cpus, b->nr_cpus);
	assert_int_equal(a->nr_cpus_online, b->nr_cpus_online);
	assert_int_equal(a->total_memory_kb, b->total_memory_kb);
	assert_int_equal(a->cmdline.nr, b->cmdline.nr);
	for (size_t i = 0; i < a->cmdline.nr; i++)
		assert_string_equal(a->cmdline.items[i], b->cmdline.items[i]);
	assert_int_equal(a->events.nr, b->events.nr);
	for (size_t i = 0; i < a->events.nr; i++) {
		assert_string_equal(a->events.items[i].name, b->events.items[i].name);
		assert_int_equal(a->events.items[i].type, b->events.items[i].type);
		assert_int_equal(a->events.items[i].config, b->events.items[i].config);
		assert_int_equal(a->events.items[i].config1, b->events.items[i].config1);
		assert_int_equal(a->events.items[i].period, b->events.items[i].period);
	}
	assert_int_equal(a->nodes.nr, b->nodes.nr);
	for (size_t i = 0; i < a->nodes.nr; i++) {
		assert_int_equal(a->nodes.items[i].id, b->nodes.items[i].id);
		assert_int_equal(a->nodes.items[i].total_kb, b->nodes.items[i].total_kb);
		assert_string_equal(a->nodes.items[i].cpus, b->nodes.items[i].cpus);
	}
	assert_int_equal(a->cpus.nr, b->cpus.nr);
	for (size_t i = 0; i < a->cpus.nr; i++) {
		assert_int_equal(a->cpus.items[i].core, b->cpus.items[i].core);
		assert_int_equal(a->cpus.items[i].socket, b->cpus.items[i].socket);
		assert_int_equal(a->cpus.items[i].die, b->cpus.items[i].die);
		assert_int_equal(a->cpus.items[i].node, b->cpus.items[i].node);
	}
	assert_int_equal(a->build_ids.nr, b->build_ids.nr);
	for (size_t i = 0; i < a->build_ids.nr; i++) {
		assert_string_equal(a->build_ids.items[i].name, b->build_ids.items[i].name);
		assert_int_equal(a->build_ids.items[i].size, b->build_ids.items[i].size);
		assert_memory_equal(a->build_ids.items[i].bytes, b->build_ids.items[i].bytes, 20);
		assert_int_equal(a->build_ids.items[i].is_kernel, b->build_ids.items[i].is_kernel);
		assert_int_equal(a->build_ids.items[i].is_kernel, b->build_ids.items[i].is_kernel);
	}
}

#endif
