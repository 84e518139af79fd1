/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "trace/log_format.h"
#include "trace/output.h"

struct log_writer {
	struct output output;
	const struct recording_about *about;
	size_t nr_events; /* written so far */
	struct log_last last;
	struct map caches; /* the name's address -> id + 1 */
	uint8_t record[LOG_PAYLOAD_MAX + LOG_RECORD_MAX];
	size_t nr; /* of the payload begun in it, from record + 2 on */
};

static void put_number(struct log_writer *writer, uint64_t value)
{
	writer->nr += log_put_number(writer->record + 2 + writer->nr, value);
}

static void put_bytes(struct log_writer *writer, const void *bytes, size_t nr)
{
	writer->nr += log_put_string(writer->record + 2 + writer->nr, bytes, nr,
				     LOG_PAYLOAD_MAX - writer->nr);
}

static void put_string(struct log_writer *writer, const char *text)
{
	put_bytes(writer, text, strlen(text));
}

static void end_record(struct log_writer *writer, enum log_type type)
{
	output_put(&writer->output, writer->record,
		   log_end_record(writer->record, type, writer->nr));
	writer->nr = 0;
}

static void put_about(struct log_writer *writer, const char *name, const char *value)
{
	if (!value)
		return;
	put_string(writer, name);
	put_string(writer, value);
	end_record(writer, LOG_ABOUT);
}

static void put_about_number(struct log_writer *writer, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	put_about(writer, name, value ? text : NULL);
}

/* Events that a reader found since the last time. */
static void put_events(struct log_writer *writer)
{
	for (; writer->nr_events < writer->about->events.nr; writer->nr_events++) {
		const struct recorded_event *event =
			&writer->about->events.items[writer->nr_events];

		put_number(writer, writer->nr_events);
		put_number(writer, event->type);
		put_number(writer, event->config);
		put_number(writer, event->config1);
		put_number(writer, event->config2);
		put_number(writer, event->period);
		put_number(writer, event->sample_type);
		put_string(writer, event->name);
		end_record(writer, LOG_EVENT);
	}
}

static void put_machine(struct log_writer *writer)
{
	const struct recording_about *about = writer->about;

	for (size_t i = 0; i < about->cpus.nr; i++) {
		const struct recorded_cpu *cpu = &about->cpus.items[i];

		put_number(writer, i);
		put_number(writer, (uint32_t)(cpu->core + 1));
		put_number(writer, (uint32_t)(cpu->socket + 1));
		put_number(writer, (uint32_t)(cpu->die + 1));
		end_record(writer, LOG_CPU);
	}
	for (size_t i = 0; i < about->nodes.nr; i++) {
		const struct recorded_node *node = &about->nodes.items[i];

		put_number(writer, node->id);
		put_number(writer, node->total_kb);
		put_number(writer, node->free_kb);
		put_string(writer, node->cpus);
		end_record(writer, LOG_NODE);
	}
	for (size_t i = 0; i < about->build_ids.nr; i++) {
		const struct recorded_build_id *build_id = &about->build_ids.items[i];

		put_number(writer, build_id->is_kernel);
		put_bytes(writer, build_id->bytes, build_id->size);
		put_string(writer, build_id->name);
		end_record(writer, LOG_BUILD_ID);
	}
}

struct error *log_writer_create(const char *path, const struct recording_about *about,
				struct log_writer **ret)
{
	uint8_t header[LOG_HEADER_BYTES];
	struct output output = {};
	struct log_writer *writer;
	struct error *err;

	err = output_create(path, &output);
	if (err)
		return err;
	writer = memory_alloc(1, sizeof(*writer));
	writer->output = output;
	writer->about = about;
	log_put_header(header);
	output_put(&writer->output, header, sizeof(header));
	put_about(writer, LOG_ABOUT_HOSTNAME, about->hostname);
	put_about(writer, LOG_ABOUT_OS_RELEASE, about->os_release);
	put_about(writer, LOG_ABOUT_VERSION, about->version);
	put_about(writer, LOG_ABOUT_ARCH, about->arch);
	put_about(writer, LOG_ABOUT_CPU_DESC, about->cpu_desc);
	put_about(writer, LOG_ABOUT_CPUID, about->cpuid);
	for (size_t i = 0; i < about->cmdline.nr; i++)
		put_about(writer, LOG_ABOUT_ARGUMENT, about->cmdline.items[i]);
	put_about_number(writer, LOG_ABOUT_NR_CPUS, about->nr_cpus);
	put_about_number(writer, LOG_ABOUT_NR_CPUS_ONLINE, about->nr_cpus_online);
	put_about_number(writer, LOG_ABOUT_TOTAL_MEMORY_KB, about->total_memory_kb);
	put_machine(writer);
	*ret = writer;
	return NULL;
}

static uint32_t has_of(const struct sample *sample)
{
	static const struct {
		uint16_t sample;
		uint16_t log;
	} members[] = {
		{ SAMPLE_HAS_IP, LOG_HAS_IP },
		{ SAMPLE_HAS_ADDR, LOG_HAS_ADDR },
		{ SAMPLE_HAS_TIME, LOG_HAS_TIME },
		{ SAMPLE_HAS_TID, LOG_HAS_TID },
		{ SAMPLE_HAS_CPU, LOG_HAS_CPU },
		{ SAMPLE_HAS_WEIGHT, LOG_HAS_WEIGHT },
		{ SAMPLE_HAS_DATA_SRC, LOG_HAS_DATA_SRC },
		{ SAMPLE_HAS_PHYS_ADDR, LOG_HAS_PHYS_ADDR },
	};
	uint32_t has = LOG_HAS_MISC;

	for (size_t i = 0; i < array_size(members); i++)
		has |= sample->has & members[i].sample ? members[i].log : 0;
	return has | (sample->event ? LOG_HAS_EVENT : 0) |
	       (sample->period != 1 ? LOG_HAS_PERIOD : 0) | (sample->size ? LOG_HAS_SIZE : 0);
}

static void add_sample(struct log_writer *writer, const struct sample *sample)
{
	const struct log_access access = {
		.has = has_of(sample),
		.event = sample->event,
		.cpu = sample->cpu,
		.time_ns = sample->time_ns,
		.ip = sample->ip,
		.addr = sample->addr,
		.size = sample->size,
		.pid = sample->pid,
		.tid = sample->tid,
		.weight = sample->weight,
		.period = sample->period,
		.data_src = sample->data_src,
		.phys_addr = sample->phys_addr,
		.misc = sample->misc,
	};
	uint8_t *at = output_reserve(&writer->output, LOG_RECORD_MAX);

	output_commit(&writer->output, log_put_access(at, &writer->last, &access));
}

static uint32_t cache_id(struct log_writer *writer, const char *name)
{
	struct map_slot *slot;
	bool is_new;

	if (!name)
		return 0;
	slot = map_add(&writer->caches, (uintptr_t)name, &is_new);
	if (is_new) {
		slot->value = writer->caches.nr;
		put_number(writer, slot->value - 1);
		put_number(writer, 0); /* the size of its objects: allocations tell */
		put_string(writer, name);
		end_record(writer, LOG_CACHE);
	}
	return (uint32_t)slot->value;
}

static void add_allocation(struct log_writer *writer, const struct item *item)
{
	const struct recorded_allocation *from = &item->allocation;
	const struct log_allocation allocation = {
		.time_ns = item->time_ns,
		.cpu = from->cpu,
		.pid = from->pid,
		.cache = cache_id(writer, from->cache),
		.addr = from->addr,
		.size = from->size,
		.size_taken = from->allocated,
		.site = from->site,
	};
	uint8_t *at = output_reserve(&writer->output, LOG_RECORD_MAX);

	output_commit(&writer->output,
		      log_put_allocation(at, &writer->last,
					 item->kind == ITEM_FREE ? LOG_FREE : LOG_ALLOCATION,
					 &allocation));
}

static void add_map(struct log_writer *writer, const struct recorded_map *map)
{
	put_number(writer, map->kind);
	put_number(writer, map->pid);
	put_number(writer, map->tid);
	put_number(writer, map->start);
	put_number(writer, map->size);
	put_number(writer, map->file_offset);
	put_number(writer, map->executable | map->shared << 1);
	put_number(writer, map->file_id);
	put_number(writer, map->symbol_addr);
	put_bytes(writer, map->build_id, map->build_id_size);
	put_string(writer, map->name);
	end_record(writer, LOG_MAP);
}

static void add_task(struct log_writer *writer, const struct item *item)
{
	put_number(writer, item->task.pid);
	put_number(writer, item->task.tid);
	put_number(writer, item->task.parent_pid);
	put_number(writer, item->task.parent_tid);
	put_number(writer, item->task.exec);
	end_record(writer, item->kind == ITEM_FORK ? LOG_FORK : LOG_EXIT);
}

static void put_time(struct log_writer *writer, uint64_t time_ns)
{
	if (!time_ns)
		return;
	writer->nr += log_put_delta(writer->record + 2, &writer->last.time_ns, time_ns);
	end_record(writer, LOG_TIME);
}

void log_writer_add(struct log_writer *writer, const struct item *item)
{
	put_events(writer);
	if (item->kind != ITEM_SAMPLE && item->kind != ITEM_ALLOCATION && item->kind != ITEM_FREE)
		put_time(writer, item->time_ns);
	switch (item->kind) {
	case ITEM_SAMPLE:
		add_sample(writer, &item->sample);
		break;
	case ITEM_MAP:
		add_map(writer, &item->map);
		break;
	case ITEM_COMM:
		put_number(writer, item->comm.pid);
		put_number(writer, item->comm.tid);
		put_number(writer, item->comm.exec);
		put_string(writer, item->comm.name);
		end_record(writer, LOG_COMM);
		break;
	case ITEM_FORK:
	case ITEM_EXIT:
		add_task(writer, item);
		break;
	case ITEM_LOST:
		put_number(writer, item->nr_lost);
		end_record(writer, LOG_LOST);
		break;
	case ITEM_TEXT_POKE:
		put_number(writer, item->poke.addr);
		put_bytes(writer, item->poke.old_bytes, item->poke.nr_old);
		put_bytes(writer, item->poke.new_bytes, item->poke.nr_new);
		end_record(writer, LOG_POKE);
		break;
	case ITEM_ALLOCATION:
	case ITEM_FREE:
		add_allocation(writer, item);
		break;
	}
}

static void release(struct log_writer *writer)
{
	map_deinit(&writer->caches);
	free(writer);
}

struct error *log_writer_finish(struct log_writer *writer)
{
	struct error *err;

	put_events(writer);
	err = output_finish(&writer->output);
	release(writer);
	return err;
}

void log_writer_abandon(struct log_writer *writer)
{
	if (!writer)
		return;
	output_abandon(&writer->output);
	release(writer);
}
