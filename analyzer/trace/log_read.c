/* SPDX-License-Identifier: GPL-2.0-only */
/* The reader of our own log. */
#include <string.h>

#include "base/bytes.h"
#include "model/data_src.h"
#include "trace/log_format.h"
#include "trace/reader.h"

DEFINE_VEC(cache_vec, const char *);

struct log_reader {
	struct recording recording;
	struct log_last last;
	struct cache_vec caches;
	uint64_t time_ns; /* of the next record that has none of its own */
	struct text name; /* of the item, with the NUL that it lacks in the file */
};

static struct log_reader *log_reader_of(struct recording *recording)
{
	return (struct log_reader *)recording; /* its first member */
}

static void close_reader(struct recording *recording)
{
	vec_deinit(&log_reader_of(recording)->caches);
	text_deinit(&log_reader_of(recording)->name);
	free(recording);
}

static uint64_t get_delta(struct bytes *bytes, uint64_t *last)
{
	uint64_t zigzag = bytes_uleb(bytes);

	*last += (zigzag >> 1) ^ (0 - (zigzag & 1));
	return *last;
}

static const uint8_t *get_bytes(struct bytes *bytes, size_t *ret_nr)
{
	uint64_t nr = bytes_uleb(bytes);
	const uint8_t *at = bytes_take(bytes, nr);

	*ret_nr = at ? nr : 0;
	return at;
}

static const char *get_string(struct recording *recording, struct bytes *bytes)
{
	size_t nr;
	const uint8_t *chars = get_bytes(bytes, &nr);

	return recording_keep_name(recording, chars ? (const char *)chars : "", nr);
}

static const char *get_item_name(struct recording *recording, struct bytes *bytes)
{
	struct text *name = &log_reader_of(recording)->name;
	size_t nr;
	const uint8_t *chars = get_bytes(bytes, &nr);

	text_clear(name);
	text_add_bytes(name, chars ? (const char *)chars : "", nr);
	return text_chars(name);
}

/* A number in an about record, 0 if it is none. */
static uint64_t number_of(const char *text)
{
	return strtoull(text, NULL, 10);
}

static void parse_about(struct recording *recording, struct bytes *bytes)
{
	struct recording_about *about = &recording->about;
	const char *name = get_string(recording, bytes);
	const char *value = get_string(recording, bytes);
	const struct {
		const char *name;
		const char **value;
	} texts[] = {
		{ LOG_ABOUT_HOSTNAME, &about->hostname },
		{ LOG_ABOUT_OS_RELEASE, &about->os_release },
		{ LOG_ABOUT_VERSION, &about->version },
		{ LOG_ABOUT_ARCH, &about->arch },
		{ LOG_ABOUT_CPU_DESC, &about->cpu_desc },
		{ LOG_ABOUT_CPUID, &about->cpuid },
	};

	for (size_t i = 0; i < array_size(texts); i++) {
		if (!strcmp(name, texts[i].name))
			*texts[i].value = value;
	}
	if (!strcmp(name, LOG_ABOUT_ARGUMENT))
		*vec_add(&about->cmdline) = value;
	if (!strcmp(name, LOG_ABOUT_NR_CPUS))
		about->nr_cpus = (uint32_t)number_of(value);
	if (!strcmp(name, LOG_ABOUT_NR_CPUS_ONLINE))
		about->nr_cpus_online = (uint32_t)number_of(value);
	if (!strcmp(name, LOG_ABOUT_TOTAL_MEMORY_KB))
		about->total_memory_kb = number_of(value);
}

static void parse_node(struct recording *recording, struct bytes *bytes)
{
	struct recorded_node node = { .id = (uint32_t)bytes_uleb(bytes) };

	node.total_kb = bytes_uleb(bytes);
	node.free_kb = bytes_uleb(bytes);
	node.cpus = get_string(recording, bytes);
	about_add_node(&recording->about, node);
}

static void parse_cpu(struct recording *recording, struct bytes *bytes)
{
	uint64_t index = bytes_uleb(bytes);
	struct recorded_cpu *cpu = about_cpu(&recording->about, index);

	if (!cpu)
		return;
	cpu->core = (int32_t)bytes_uleb(bytes) - 1;
	cpu->socket = (int32_t)bytes_uleb(bytes) - 1;
	cpu->die = (int32_t)bytes_uleb(bytes) - 1;
}

/* Events come in the order of their indexes. */
static void parse_event(struct recording *recording, struct bytes *bytes)
{
	struct recorded_event event = {};

	bytes_uleb(bytes); /* index */
	event.type = (uint32_t)bytes_uleb(bytes);
	event.config = bytes_uleb(bytes);
	event.config1 = bytes_uleb(bytes);
	event.config2 = bytes_uleb(bytes);
	event.period = bytes_uleb(bytes);
	event.sample_type = bytes_uleb(bytes);
	event.name = get_string(recording, bytes);
	*vec_add(&recording->about.events) = event;
}

static void parse_build_id(struct recording *recording, struct bytes *bytes)
{
	struct recorded_build_id build_id = { .is_kernel = bytes_uleb(bytes) & 1 };
	const uint8_t *id;
	size_t nr;

	id = get_bytes(bytes, &nr);
	build_id.size = (uint8_t)(nr < sizeof(build_id.bytes) ? nr : sizeof(build_id.bytes));
	if (id)
		memcpy(build_id.bytes, id, build_id.size);
	build_id.name = get_string(recording, bytes);
	*vec_add(&recording->about.build_ids) = build_id;
}

static void parse_map(struct recording *recording, struct bytes *bytes, struct item *item)
{
	struct recorded_map *map = &item->map;
	const uint8_t *build_id;
	uint64_t kind = bytes_uleb(bytes);
	uint64_t flags;
	size_t nr;

	*map = (struct recorded_map){ .kind = kind <= MAP_UNMAPPED ? (enum map_kind)kind :
								     MAP_USER };
	map->pid = (uint32_t)bytes_uleb(bytes);
	map->tid = (uint32_t)bytes_uleb(bytes);
	map->start = bytes_uleb(bytes);
	map->size = bytes_uleb(bytes);
	map->file_offset = bytes_uleb(bytes);
	flags = bytes_uleb(bytes);
	map->executable = flags & 1;
	map->shared = flags & 2;
	map->file_id = bytes_uleb(bytes);
	map->symbol_addr = bytes_uleb(bytes);
	build_id = get_bytes(bytes, &nr);
	map->build_id_size = (uint8_t)(nr < BUILD_ID_MAX ? nr : BUILD_ID_MAX);
	if (build_id)
		memcpy(map->build_id, build_id, map->build_id_size);
	map->name = get_item_name(recording, bytes);
	map->symbol = strchr(map->name, ']');
	map->symbol = map->kind == MAP_KERNEL && map->symbol ? map->symbol + 1 : NULL;
	item->kind = ITEM_MAP;
}

static void parse_task(struct bytes *bytes, struct item *item, enum item_kind kind)
{
	item->kind = kind;
	item->task.pid = (uint32_t)bytes_uleb(bytes);
	item->task.tid = (uint32_t)bytes_uleb(bytes);
	item->task.parent_pid = (uint32_t)bytes_uleb(bytes);
	item->task.parent_tid = (uint32_t)bytes_uleb(bytes);
	item->task.exec = bytes_uleb(bytes) & 1;
}

static void parse_poke(struct bytes *bytes, struct item *item)
{
	struct recorded_poke *poke = &item->poke;
	size_t nr_old, nr_new;

	item->kind = ITEM_TEXT_POKE;
	poke->addr = bytes_uleb(bytes);
	poke->old_bytes = get_bytes(bytes, &nr_old);
	poke->new_bytes = get_bytes(bytes, &nr_new);
	poke->nr_old = (uint16_t)nr_old;
	poke->nr_new = (uint16_t)nr_new;
}

static void parse_cache(struct log_reader *reader, struct bytes *bytes)
{
	bytes_uleb(bytes); /* id: they come in order */
	bytes_uleb(bytes); /* size of an object */
	*vec_add(&reader->caches) = get_string(&reader->recording, bytes);
}

static void parse_allocation(struct log_reader *reader, struct bytes *bytes, struct item *item,
			     enum log_type type)
{
	struct recorded_allocation *allocation = &item->allocation;
	uint64_t cache;

	*allocation = (struct recorded_allocation){};
	item->kind = type == LOG_FREE ? ITEM_FREE : ITEM_ALLOCATION;
	item->time_ns = get_delta(bytes, &reader->last.time_ns);
	allocation->cpu = (uint32_t)bytes_uleb(bytes);
	allocation->pid = (uint32_t)bytes_uleb(bytes);
	cache = bytes_uleb(bytes);
	if (cache && cache <= reader->caches.nr)
		allocation->cache = reader->caches.items[cache - 1];
	allocation->addr = bytes_uleb(bytes);
	if (type == LOG_ALLOCATION) {
		allocation->size = bytes_uleb(bytes);
		allocation->allocated = bytes_uleb(bytes);
	}
	allocation->site = bytes_uleb(bytes);
}

/* What a PMU would tell of an access with this outcome, and of stores what none does. */
static uint64_t data_src_of(uint32_t kind, uint32_t outcome)
{
	static const struct data_src_parts outcomes[] = {
		[LOG_HIT] = { .level = LEVEL_HIT | LEVEL_L1, .snoop = SNOOP_NONE },
		[LOG_UPGRADE] = { .level = LEVEL_HIT | LEVEL_L1, .snoop = SNOOP_HIT },
		[LOG_MEMORY] = { .level = LEVEL_HIT | LEVEL_LOCAL_RAM, .snoop = SNOOP_MISS },
		[LOG_MEMORY_REMOTE] = { .level = LEVEL_HIT | LEVEL_REMOTE_RAM1,
					.snoop = SNOOP_MISS },
		[LOG_CLEAN_LOCAL] = { .level = LEVEL_HIT | LEVEL_L3, .snoop = SNOOP_HIT },
		[LOG_CLEAN_REMOTE] = { .level = LEVEL_HIT | LEVEL_REMOTE_CACHE1,
				       .snoop = SNOOP_HIT },
		[LOG_HITM_LOCAL] = { .level = LEVEL_HIT | LEVEL_L3, .snoop = SNOOP_HITM },
		[LOG_HITM_REMOTE] = { .level = LEVEL_HIT | LEVEL_REMOTE_CACHE1,
				      .snoop = SNOOP_HITM },
	};
	struct data_src_parts parts = { .level = LEVEL_NA, .snoop = SNOOP_NA };

	if (outcome && outcome < array_size(outcomes))
		parts = outcomes[outcome];
	parts.op = kind & LOG_LOAD ? OP_LOAD : kind & LOG_STORE ? OP_STORE : OP_NA;
	/* PMUs tell of a store only whether the line was in L1; the snoop tells the rest here. */
	if (parts.op == OP_STORE && outcome > LOG_UPGRADE)
		parts.level = LEVEL_MISS | LEVEL_L1;
	parts.lock = kind & LOG_LOCKED ? LOCK_LOCKED : 0;
	parts.tlb = TLB_NA;
	return data_src_make(&parts);
}

static uint16_t members_of(uint32_t has)
{
	static const struct {
		uint16_t log;
		uint16_t sample;
	} members[] = {
		{ LOG_HAS_IP, SAMPLE_HAS_IP },
		{ LOG_HAS_ADDR, SAMPLE_HAS_ADDR },
		{ LOG_HAS_TIME, SAMPLE_HAS_TIME },
		{ LOG_HAS_TID, SAMPLE_HAS_TID },
		{ LOG_HAS_CPU, SAMPLE_HAS_CPU },
		{ LOG_HAS_WEIGHT, SAMPLE_HAS_WEIGHT },
		{ LOG_HAS_DATA_SRC | LOG_HAS_OUTCOME, SAMPLE_HAS_DATA_SRC },
		{ LOG_HAS_PHYS_ADDR, SAMPLE_HAS_PHYS_ADDR },
	};
	uint16_t result = 0;

	for (size_t i = 0; i < array_size(members); i++)
		result |= has & members[i].log ? members[i].sample : 0;
	return result;
}

static void parse_access(struct log_reader *reader, struct bytes *bytes, struct item *item)
{
	struct sample sample = { .period = 1, .misc = 1 /* PERF_RECORD_MISC_KERNEL */ };
	uint32_t has = (uint32_t)bytes_uleb(bytes);
	uint32_t kind = (uint32_t)bytes_uleb(bytes);

	if (has & LOG_HAS_EVENT)
		sample.event = (uint32_t)bytes_uleb(bytes);
	if (has & LOG_HAS_CPU)
		sample.cpu = (uint32_t)bytes_uleb(bytes);
	if (has & LOG_HAS_TIME)
		sample.time_ns = get_delta(bytes, &reader->last.time_ns);
	if (has & LOG_HAS_IP)
		sample.ip = get_delta(bytes, &reader->last.ip);
	if (has & LOG_HAS_ADDR)
		sample.addr = get_delta(bytes, &reader->last.addr);
	if (has & LOG_HAS_SIZE)
		sample.size = (uint32_t)bytes_uleb(bytes);
	if (has & LOG_HAS_TID) {
		sample.pid = (uint32_t)bytes_uleb(bytes);
		sample.tid = (uint32_t)bytes_uleb(bytes);
	}
	sample.data_src =
		data_src_of(kind, has & LOG_HAS_OUTCOME ? (uint32_t)bytes_uleb(bytes) : 0);
	if (has & LOG_HAS_WEIGHT)
		sample.weight = (uint32_t)bytes_uleb(bytes);
	if (has & LOG_HAS_PERIOD)
		sample.period = bytes_uleb(bytes);
	if (has & LOG_HAS_DATA_SRC)
		sample.data_src = bytes_uleb(bytes);
	if (has & LOG_HAS_PHYS_ADDR)
		sample.phys_addr = bytes_uleb(bytes);
	if (has & LOG_HAS_MISC)
		sample.misc = (uint16_t)bytes_uleb(bytes);
	sample.has = members_of(has);
	item->kind = ITEM_SAMPLE;
	item->time_ns = sample.time_ns;
	item->sample = sample;
	reader->recording.counts.nr_samples++;
}

/* What is no item itself but describes what follows; false for types that are not known. */
static bool parse_description(struct log_reader *reader, uint64_t type, struct bytes *bytes)
{
	struct recording *recording = &reader->recording;

	switch (type) {
	case LOG_ABOUT:
		parse_about(recording, bytes);
		return true;
	case LOG_NODE:
		parse_node(recording, bytes);
		return true;
	case LOG_CPU:
		parse_cpu(recording, bytes);
		return true;
	case LOG_EVENT:
		parse_event(recording, bytes);
		return true;
	case LOG_BUILD_ID:
		parse_build_id(recording, bytes);
		return true;
	case LOG_CACHE:
		parse_cache(reader, bytes);
		return true;
	case LOG_TIME:
		reader->time_ns = get_delta(bytes, &reader->last.time_ns);
		return true;
	default:
		return false;
	}
}

/* Whether the record is an item, then in recording->item. */
static bool parse_record(struct log_reader *reader, uint64_t type, struct bytes *bytes)
{
	struct recording *recording = &reader->recording;
	struct item *item = &recording->item;

	if (parse_description(reader, type, bytes))
		return false;
	item->time_ns = reader->time_ns;
	reader->time_ns = 0;
	switch (type) {
	case LOG_ACCESS:
		parse_access(reader, bytes, item);
		return true;
	case LOG_MAP:
		parse_map(recording, bytes, item);
		return true;
	case LOG_COMM:
		item->kind = ITEM_COMM;
		item->comm.pid = (uint32_t)bytes_uleb(bytes);
		item->comm.tid = (uint32_t)bytes_uleb(bytes);
		item->comm.exec = bytes_uleb(bytes) & 1;
		item->comm.name = get_item_name(recording, bytes);
		return true;
	case LOG_FORK:
	case LOG_EXIT:
		parse_task(bytes, item, type == LOG_FORK ? ITEM_FORK : ITEM_EXIT);
		return true;
	case LOG_LOST:
		item->kind = ITEM_LOST;
		item->nr_lost = bytes_uleb(bytes);
		recording->counts.nr_lost += item->nr_lost;
		return true;
	case LOG_POKE:
		parse_poke(bytes, item);
		return true;
	case LOG_ALLOCATION:
	case LOG_FREE:
		parse_allocation(reader, bytes, item, (enum log_type)type);
		return true;
	default:
		recording->counts.nr_skipped++;
		recording_note(recording, item->offset, "records of type %llu, which is not known",
			       (unsigned long long)type);
		return false;
	}
}

/* The payload of the next record; false at the end. */
static struct error *take_payload(struct recording *recording, uint64_t *ret_type,
				  struct bytes *ret, bool *ret_more)
{
	struct source *source = &recording->source;
	uint64_t offset = source->offset;
	struct bytes header;
	const uint8_t *at;
	struct error *err;
	uint64_t size;
	size_t left, start;

	*ret_more = false;
	err = source_peek(source, 2 * LOG_NUMBER_MAX, &at, &left);
	if (err || !left)
		return err;
	header = bytes_over(at, left < 2 * LOG_NUMBER_MAX ? left : 2 * LOG_NUMBER_MAX, false);
	*ret_type = bytes_uleb(&header);
	size = bytes_uleb(&header);
	start = bytes_offset(&header);
	if (!header.failed && size > LOG_PAYLOAD_MAX) {
		recording->counts.nr_damaged++;
		recording_note(recording, offset,
			       "a record of %llu bytes, at most %u can be: nothing after it can "
			       "be read",
			       (unsigned long long)size, LOG_PAYLOAD_MAX);
		return NULL;
	}
	if (!header.failed) {
		err = source_peek(source, start + size, &at, &left);
		if (err)
			return err;
	}
	if (header.failed || left < start + size) {
		recording_note_truncated(recording, offset);
		return NULL;
	}
	*ret = bytes_over(at + start, size, false);
	source_take(source, start + size);
	*ret_more = true;
	return NULL;
}

static struct error *next(struct recording *recording, enum reader_found *ret)
{
	struct log_reader *reader = log_reader_of(recording);
	struct error *err;
	uint64_t type;
	struct bytes payload;
	bool more, is_item;

	for (;;) {
		recording->item.offset = recording->source.offset;
		err = take_payload(recording, &type, &payload, &more);
		if (err)
			return err;
		if (!more)
			break;
		recording->counts.nr_records++;
		is_item = parse_record(reader, type, &payload);
		if (payload.failed) {
			recording->counts.nr_damaged++;
			recording_note(recording, recording->item.offset,
				       "records of type %llu too short for what is in them",
				       (unsigned long long)type);
		} else if (is_item) {
			*ret = FOUND_ITEM;
			return NULL;
		}
	}
	*ret = FOUND_END;
	return NULL;
}

static const struct reader_ops ops = { next, close_reader };

struct error *log_reader_create(const char *path, struct source *source, struct recording **ret)
{
	struct log_reader *reader = recording_create(sizeof(*reader), path, source);
	struct source *own = &reader->recording.source;
	struct bytes header;
	const uint8_t *at;
	struct error *err;
	uint32_t version, size;
	size_t nr;

	reader->recording.ops = &ops;
	reader->recording.about.format = RECORDING_LOG;
	err = source_peek(own, LOG_HEADER_BYTES, &at, &nr);
	header = bytes_over(at, err ? 0 : nr, false);
	bytes_take(&header, 8);
	version = bytes_u32(&header);
	size = bytes_u32(&header);
	if (!err && (header.failed || size < LOG_HEADER_BYTES))
		err = error_create(ERROR_INPUT, "the header is cut off");
	if (!err && version != LOG_VERSION)
		err = error_create(ERROR_INPUT,
				   "it is of version %u of the log; this program "
				   "reads version %u",
				   version, LOG_VERSION);
	if (!err)
		err = source_skip(own, size);
	if (err) {
		recording_close(&reader->recording);
		return error_wrap(err, "cannot read '%s'", path);
	}
	*ret = &reader->recording;
	return NULL;
}
