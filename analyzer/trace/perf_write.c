/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_write.h"

#include <string.h>
#include <sys/mman.h>

#include "model/data_src.h"
#include "trace/output.h"
#include "trace/pack.h"
#include "trace/perf_format.h"
#include "trace/perf_write_features.h"

enum {
	ROUND_SAMPLES = 16384,
	NAME_MAX_BYTES = 4096, /* PATH_MAX; of a longer name the end is cut off */
	LAST_FEATURE = 31,
};

#define SAMPLE_TYPE                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT | \
	 PERF_SAMPLE_DATA_SRC)

struct perf_writer {
	struct output output;
	const struct recording_about *about;
	struct perf_write_options options;
	uint64_t sample_type;
	struct pack record;
	size_t nr_events; /* of a pipe: whose attrs are written */
	uint32_t nr_cpus;
	uint64_t nr_in_round;
	uint64_t nr_left_out;
};

static void begin_record(struct perf_writer *writer, uint32_t type, uint16_t misc)
{
	writer->record.nr = 0;
	pack_u32(&writer->record, type);
	pack_u16(&writer->record, misc);
	pack_u16(&writer->record, 0);
}

static void end_record(struct perf_writer *writer)
{
	struct pack *record = &writer->record;
	uint16_t size = (uint16_t)record->nr;

	if (record->nr > PERF_RECORD_BYTES_MAX) {
		writer->nr_left_out++;
		return;
	}
	record->nr = PERF_RECORD_HEADER_BYTES - sizeof(size);
	pack_u16(record, size);
	record->nr = size;
	output_put(&writer->output, record->items, record->nr);
}

static void put_name(struct pack *record, const char *name)
{
	size_t nr = strnlen(name, NAME_MAX_BYTES - 1);

	pack_bytes(record, name, nr);
	pack_zeros(record, 8 - nr % 8);
}

/* What the kernel puts behind records that are no samples: whose they are and when. */
static void put_trailer(struct perf_writer *writer, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	struct pack *record = &writer->record;

	pack_u32(record, pid);
	pack_u32(record, tid);
	pack_u64(record, time_ns);
	pack_u64(record, 0); /* CPU */
	pack_u64(record, perf_write_event_id(0));
}

static void end_round(struct perf_writer *writer)
{
	begin_record(writer, PERF_USER_FINISHED_ROUND, 0);
	end_record(writer);
	writer->nr_in_round = 0;
}

static void add_sample(struct perf_writer *writer, const struct sample *sample)
{
	struct pack *record = &writer->record;
	bool has_cpu = sample->has & SAMPLE_HAS_CPU;
	bool has_tid = sample->has & SAMPLE_HAS_TID;

	begin_record(writer, PERF_RECORD_SAMPLE, sample->misc);
	pack_u64(record, perf_write_event_id(sample->event));
	pack_u64(record, sample->ip);
	pack_u32(record, has_tid ? sample->pid : UINT32_MAX);
	pack_u32(record, has_tid ? sample->tid : UINT32_MAX);
	pack_u64(record, sample->time_ns);
	pack_u64(record, sample->addr);
	pack_u32(record, has_cpu ? sample->cpu : UINT32_MAX);
	pack_u32(record, 0);
	pack_u64(record, sample->period);
	pack_u64(record, sample->weight);
	pack_u64(record, sample->has & SAMPLE_HAS_DATA_SRC ? sample->data_src : data_src_none());
	if (writer->options.phys_addr)
		pack_u64(record, sample->phys_addr);
	end_record(writer);
	if (has_cpu && sample->cpu >= writer->nr_cpus && sample->cpu < ABOUT_MAX_CPUS)
		writer->nr_cpus = sample->cpu + 1;
	if (++writer->nr_in_round == ROUND_SAMPLES)
		end_round(writer);
}

static void add_ksymbol(struct perf_writer *writer, const struct recorded_map *map,
			uint64_t time_ns)
{
	struct pack *record = &writer->record;

	begin_record(writer, PERF_RECORD_KSYMBOL, 0);
	pack_u64(record, map->start);
	pack_u32(record, (uint32_t)map->size);
	pack_u16(record, PERF_RECORD_KSYMBOL_TYPE_OOL);
	pack_u16(record, map->kind == MAP_UNMAPPED ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER : 0);
	put_name(record, map->name);
	put_trailer(writer, 0, 0, time_ns);
	end_record(writer);
}

static uint16_t map_misc(const struct recorded_map *map)
{
	return (map->kind == MAP_USER ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL) |
	       (map->build_id_size ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0) |
	       (map->executable ? 0 : PERF_RECORD_MISC_MMAP_DATA);
}

/* Device, inode and generation, of which only the identity is known here; or the build-id. */
static void put_file(struct pack *record, const struct recorded_map *map)
{
	const uint8_t size[4] = { map->build_id_size };

	if (map->build_id_size) {
		pack_bytes(record, size, sizeof(size));
		pack_bytes(record, map->build_id, BUILD_ID_MAX);
		return;
	}
	pack_u64(record, 0);
	pack_u64(record, map->file_id);
	pack_u64(record, 0);
}

static void add_map(struct perf_writer *writer, const struct recorded_map *map, uint64_t time_ns)
{
	struct pack *record = &writer->record;
	bool is_user = map->kind == MAP_USER;

	if (map->kind == MAP_KSYMBOL || map->kind == MAP_UNMAPPED) {
		add_ksymbol(writer, map, time_ns);
		return;
	}
	begin_record(writer, PERF_RECORD_MMAP2, map_misc(map));
	pack_u32(record, is_user ? map->pid : UINT32_MAX);
	pack_u32(record, is_user ? map->tid : 0);
	pack_u64(record, map->start);
	pack_u64(record, map->size);
	pack_u64(record, map->kind == MAP_KERNEL ? map->symbol_addr : map->file_offset);
	put_file(record, map);
	pack_u32(record, PROT_READ | (map->executable ? PROT_EXEC : PROT_WRITE));
	pack_u32(record, map->shared ? MAP_SHARED : MAP_PRIVATE);
	put_name(record, map->name);
	put_trailer(writer, map->pid, map->tid, time_ns);
	end_record(writer);
}

static void add_comm(struct perf_writer *writer, const struct recorded_comm *comm, uint64_t time_ns)
{
	begin_record(writer, PERF_RECORD_COMM, comm->exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	pack_u32(&writer->record, comm->pid);
	pack_u32(&writer->record, comm->tid);
	put_name(&writer->record, comm->name);
	put_trailer(writer, comm->pid, comm->tid, time_ns);
	end_record(writer);
}

static void add_task(struct perf_writer *writer, const struct item *item)
{
	const struct recorded_task *task = &item->task;
	struct pack *record = &writer->record;

	begin_record(writer, item->kind == ITEM_FORK ? PERF_RECORD_FORK : PERF_RECORD_EXIT,
		     task->exec ? PERF_RECORD_MISC_FORK_EXEC : 0);
	pack_u32(record, task->pid);
	pack_u32(record, task->parent_pid);
	pack_u32(record, task->tid);
	pack_u32(record, task->parent_tid);
	pack_u64(record, item->time_ns);
	put_trailer(writer, task->pid, task->tid, item->time_ns);
	end_record(writer);
}

static void add_lost(struct perf_writer *writer, const struct item *item)
{
	begin_record(writer, PERF_RECORD_LOST, 0);
	pack_u64(&writer->record, perf_write_event_id(0));
	pack_u64(&writer->record, item->nr_lost);
	put_trailer(writer, 0, 0, item->time_ns);
	end_record(writer);
}

static void add_poke(struct perf_writer *writer, const struct item *item)
{
	const struct recorded_poke *poke = &item->poke;
	struct pack *record = &writer->record;
	size_t nr = 8u + 2 + 2 + poke->nr_old + poke->nr_new;

	begin_record(writer, PERF_RECORD_TEXT_POKE, PERF_RECORD_MISC_KERNEL);
	pack_u64(record, poke->addr);
	pack_u16(record, poke->nr_old);
	pack_u16(record, poke->nr_new);
	pack_bytes(record, poke->old_bytes, poke->nr_old);
	pack_bytes(record, poke->new_bytes, poke->nr_new);
	pack_zeros(record, (8 - nr % 8) % 8);
	put_trailer(writer, 0, 0, item->time_ns);
	end_record(writer);
}

static void put_section(struct pack *pack, uint64_t offset, uint64_t size)
{
	pack_u64(pack, offset);
	pack_u64(pack, size);
}

/* Of a pipe: what describes an event precedes its first sample. */
static void announce_events(struct perf_writer *writer)
{
	struct pack *record = &writer->record;

	for (; writer->nr_events < writer->about->events.nr; writer->nr_events++) {
		const struct recorded_event *event =
			&writer->about->events.items[writer->nr_events];
		uint64_t id = perf_write_event_id(writer->nr_events);

		begin_record(writer, PERF_USER_ATTR, 0);
		perf_write_attr(record, event, writer->sample_type);
		pack_u64(record, id);
		end_record(writer);
		begin_record(writer, PERF_USER_EVENT_UPDATE, 0);
		pack_u64(record, PERF_EVENT_UPDATE_NAME);
		pack_u64(record, id);
		put_name(record, event->name);
		end_record(writer);
	}
}

static void announce_features(struct perf_writer *writer)
{
	struct pack *record = &writer->record;

	for (unsigned int i = 0; i <= LAST_FEATURE; i++) {
		begin_record(writer, PERF_USER_FEATURE, 0);
		pack_u64(record, i);
		/* These have records of their own in a pipe. */
		if (i != PERF_FEATURE_BUILD_ID && i != PERF_FEATURE_EVENT_DESC &&
		    perf_write_feature(record, i, writer->about, writer->nr_cpus,
				       writer->sample_type)) {
			pack_zeros(record, (8 - record->nr % 8) % 8);
			end_record(writer);
		}
	}
}

static void announce_build_ids(struct perf_writer *writer)
{
	const struct recorded_build_id_vec *build_ids = &writer->about->build_ids;
	struct pack *record = &writer->record;

	for (size_t i = 0; i < build_ids->nr; i++) {
		record->nr = 0;
		if (perf_write_build_id(record, PERF_USER_BUILD_ID, &build_ids->items[i]))
			output_put(&writer->output, record->items, record->nr);
	}
}

static void begin_pipe(struct perf_writer *writer)
{
	struct pack *pack = &writer->record;

	pack_u64(pack, PERF_MAGIC_NUMBER);
	pack_u64(pack, PERF_PIPE_HEADER_BYTES);
	output_put(&writer->output, pack->items, pack->nr);
	announce_events(writer);
	announce_features(writer);
	announce_build_ids(writer);
}

struct error *perf_writer_create(const char *path, const struct recording_about *about,
				 const struct perf_write_options *options, struct perf_writer **ret)
{
	struct perf_writer *writer;
	struct output output = {};
	struct error *err;
	static const uint8_t place_of_header[PERF_FILE_HEADER_BYTES];

	if (!strcmp(path, "-") && !options->pipe)
		return error_create(ERROR_USAGE, "a perf.data file can't go to standard output");
	err = output_create(path, &output);
	if (err)
		return err;
	writer = memory_alloc(1, sizeof(*writer));
	writer->output = output;
	writer->about = about;
	writer->options = *options;
	writer->sample_type = SAMPLE_TYPE | (options->phys_addr ? PERF_SAMPLE_PHYS_ADDR : 0);
	writer->record.big_endian = options->big_endian;
	writer->nr_cpus = about->nr_cpus < ABOUT_MAX_CPUS ? about->nr_cpus : ABOUT_MAX_CPUS;
	if (options->pipe)
		begin_pipe(writer);
	else
		output_put(&writer->output, place_of_header, sizeof(place_of_header));
	*ret = writer;
	return NULL;
}

void perf_writer_add(struct perf_writer *writer, const struct item *item)
{
	if (writer->options.pipe)
		announce_events(writer);
	switch (item->kind) {
	case ITEM_SAMPLE:
		add_sample(writer, &item->sample);
		break;
	case ITEM_MAP:
		add_map(writer, &item->map, item->time_ns);
		break;
	case ITEM_COMM:
		add_comm(writer, &item->comm, item->time_ns);
		break;
	case ITEM_FORK:
	case ITEM_EXIT:
		add_task(writer, item);
		break;
	case ITEM_LOST:
		add_lost(writer, item);
		break;
	case ITEM_TEXT_POKE:
		add_poke(writer, item);
		break;
	case ITEM_ALLOCATION:
	case ITEM_FREE:
		writer->nr_left_out++;
		break;
	}
}

uint64_t perf_writer_nr_left_out(const struct perf_writer *writer)
{
	return writer->nr_left_out;
}

/* The list of features' places, right behind the data, then the features; which, in ret_bits. */
static void put_features(struct perf_writer *writer, uint64_t *ret_bits)
{
	struct pack contents = { .big_endian = writer->options.big_endian };
	struct pack list = contents;
	struct {
		uint64_t offset, size;
	} places[LAST_FEATURE + 1] = {};
	uint64_t start;

	*ret_bits = 0;
	for (unsigned int i = 0; i <= LAST_FEATURE; i++) {
		places[i].offset = contents.nr;
		if (perf_write_feature(&contents, i, writer->about, writer->nr_cpus,
				       writer->sample_type))
			*ret_bits |= 1ull << i;
		places[i].size = contents.nr - places[i].offset;
	}
	start = writer->output.offset +
		PERF_SECTION_BYTES * (unsigned int)__builtin_popcountll(*ret_bits);
	for (unsigned int i = 0; i <= LAST_FEATURE; i++) {
		if (*ret_bits >> i & 1)
			put_section(&list, start + places[i].offset, places[i].size);
	}
	output_put(&writer->output, list.items, list.nr);
	output_put(&writer->output, contents.items, contents.nr);
	vec_deinit(&list);
	vec_deinit(&contents);
}

/* Each attr with the place of its one id; both may lie anywhere. */
static void put_attrs(struct perf_writer *writer, uint64_t *ret_offset, uint64_t *ret_size)
{
	struct pack *pack = &writer->record;
	uint64_t ids = writer->output.offset;
	size_t nr = writer->about->events.nr;

	pack->nr = 0;
	for (size_t i = 0; i < nr; i++)
		pack_u64(pack, perf_write_event_id(i));
	for (size_t i = 0; i < nr; i++) {
		perf_write_attr(pack, &writer->about->events.items[i], writer->sample_type);
		put_section(pack, ids + 8 * i, 8);
	}
	output_put(&writer->output, pack->items, pack->nr);
	*ret_offset = ids + 8 * nr;
	*ret_size = nr * (PERF_WRITE_ATTR_BYTES + PERF_SECTION_BYTES);
}

static void finish_file(struct perf_writer *writer)
{
	struct pack *pack = &writer->record;
	uint64_t data_end = writer->output.offset;
	uint64_t attrs, attrs_size, features;

	put_features(writer, &features);
	put_attrs(writer, &attrs, &attrs_size);
	pack->nr = 0;
	pack_u64(pack, PERF_MAGIC_NUMBER);
	pack_u64(pack, PERF_FILE_HEADER_BYTES);
	pack_u64(pack, PERF_WRITE_ATTR_BYTES + PERF_SECTION_BYTES);
	put_section(pack, attrs, attrs_size);
	put_section(pack, PERF_FILE_HEADER_BYTES, data_end - PERF_FILE_HEADER_BYTES);
	put_section(pack, 0, 0);
	pack_u64(pack, features);
	pack_zeros(pack, PERF_FILE_HEADER_BYTES - pack->nr);
	output_patch(&writer->output, 0, pack->items, pack->nr);
}

struct error *perf_writer_finish(struct perf_writer *writer)
{
	struct error *err;

	end_round(writer);
	if (!writer->options.pipe)
		finish_file(writer);
	err = output_finish(&writer->output);
	vec_deinit(&writer->record);
	free(writer);
	return err;
}

void perf_writer_abandon(struct perf_writer *writer)
{
	if (!writer)
		return;
	output_abandon(&writer->output);
	vec_deinit(&writer->record);
	free(writer);
}
