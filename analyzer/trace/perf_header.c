/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_header.h"

#include <string.h>

#include "trace/perf_features.h"
#include "trace/perf_format.h"

enum {
	/* perf of any age has less, and a file can't ask for more than its size. */
	MAX_EVENTS = 1 << 16,
	NR_FEATURE_WORDS = PERF_NR_FEATURES / 64,
};

struct section {
	uint64_t offset;
	uint64_t size;
};

struct file_header {
	uint64_t attr_size; /* an attr and the section of its ids */
	struct section attrs;
	struct section data;
	uint64_t features[NR_FEATURE_WORDS];
};

static struct section read_section(struct bytes *bytes)
{
	struct section section = { .offset = bytes_u64(bytes) };

	section.size = bytes_u64(bytes);
	return section;
}

/* The name of an event that has none: "raw 0x1cd". */
static const char *name_event(struct recording *recording, const struct recorded_event *event)
{
	static const char *const types[] = { "hardware", "software", "tracepoint",
					     "cache",	 "raw",	     "breakpoint" };

	if (event->type < array_size(types))
		return arena_printf(&recording->arena, "%s 0x%llx", types[event->type],
				    (unsigned long long)event->config);
	return arena_printf(&recording->arena, "event %u:0x%llx", event->type,
			    (unsigned long long)event->config);
}

void perf_header_add_event(struct recording *recording, struct perf_events *events,
			   struct bytes *bytes)
{
	uint32_t told = perf_event_attr_size(*bytes);
	size_t size = told < bytes_left(bytes) ? told : bytes_left(bytes);
	struct bytes attr = bytes_over(bytes_take(bytes, size), size, bytes->big_endian);
	struct recorded_event about = {};
	struct perf_event event;

	if (events->items.nr == MAX_EVENTS)
		return;
	perf_event_parse(&attr, &event, &about);
	about.name = name_event(recording, &about);
	*vec_add(&events->items) = event;
	*vec_add(&recording->about.events) = about;
}

/* The bytes of a section as a cursor over *ret_memory, to be freed. */
static struct error *load_section(const struct recording *recording, struct section section,
				  uint8_t **ret_memory, struct bytes *ret)
{
	struct error *err;
	size_t nr;

	err = source_read_at(&recording->source, section.offset, section.size, ret_memory, &nr);
	if (!err)
		*ret = bytes_over(*ret_memory, nr, recording->about.big_endian);
	return err;
}

static struct error *read_ids(const struct recording *recording, struct perf_events *events,
			      struct section section)
{
	auto_free uint8_t *memory = NULL;
	struct bytes bytes;
	struct error *err = load_section(recording, section, &memory, &bytes);

	if (!err)
		perf_events_add_ids(events, (uint32_t)events->items.nr - 1, &bytes);
	return err;
}

static struct error *read_attrs(struct recording *recording, struct perf_events *events,
				const struct file_header *header)
{
	auto_free uint8_t *memory = NULL;
	struct bytes bytes, entry;
	const uint8_t *at;
	struct error *err;

	if (header->attr_size < PERF_ATTR_SIZE_VER0 + PERF_SECTION_BYTES)
		return error_create(ERROR_INPUT,
				    "event attributes of %llu bytes, at least %u wanted",
				    (unsigned long long)header->attr_size,
				    PERF_ATTR_SIZE_VER0 + PERF_SECTION_BYTES);
	err = load_section(recording, header->attrs, &memory, &bytes);
	while (!err && events->items.nr < MAX_EVENTS) {
		at = bytes_take(&bytes, header->attr_size);
		if (!at)
			break;
		entry = bytes_over(at, header->attr_size - PERF_SECTION_BYTES, bytes.big_endian);
		perf_header_add_event(recording, events, &entry);
		entry = bytes_over(at + header->attr_size - PERF_SECTION_BYTES, PERF_SECTION_BYTES,
				   bytes.big_endian);
		err = read_ids(recording, events, read_section(&entry));
	}
	if (!err && !events->items.nr)
		err = error_create(ERROR_INPUT, "no event is described in it");
	return err;
}

static struct error *read_feature(struct recording *recording, struct tracepoint_vec *tracepoints,
				  unsigned int feature, struct section section)
{
	auto_free uint8_t *memory = NULL;
	struct bytes bytes;
	struct error *err = load_section(recording, section, &memory, &bytes);
	bool ok;

	if (err)
		return err;
	if (feature == PERF_FEATURE_TRACING_DATA)
		ok = tracepoints_parse(tracepoints, bytes);
	else
		ok = perf_feature_parse(recording, feature, &bytes);
	if (!ok)
		recording_note(recording, section.offset,
			       "feature %u of the header could not be read to its end", feature);
	return NULL;
}

/* The sections of features are listed behind the data, one for each bit that is set. */
static struct error *read_features(struct recording *recording, struct tracepoint_vec *tracepoints,
				   const struct file_header *header, bool *ret_is_directory)
{
	const struct section list = { header->data.offset + header->data.size,
				      PERF_NR_FEATURES * PERF_SECTION_BYTES };
	auto_free uint8_t *memory = NULL;
	struct section section;
	struct bytes bytes;
	struct error *err;

	if (list.offset < header->data.offset)
		return NULL;
	err = load_section(recording, list, &memory, &bytes);
	for (unsigned int i = 0; !err && i < PERF_NR_FEATURES; i++) {
		if (!(header->features[i / 64] >> (i % 64) & 1))
			continue;
		section = read_section(&bytes);
		if (bytes.failed) {
			recording_note(recording, list.offset,
				       "the header's list of features is cut off");
			break;
		}
		if (i == PERF_FEATURE_DIR_FORMAT)
			*ret_is_directory = true;
		err = read_feature(recording, tracepoints, i, section);
	}
	return err;
}

static struct file_header parse_file_header(struct bytes *bytes)
{
	struct file_header header = { .attr_size = bytes_u64(bytes) };

	header.attrs = read_section(bytes);
	header.data = read_section(bytes);
	read_section(bytes); /* event types: unused since Linux 3.13 */
	for (unsigned int i = 0; i < NR_FEATURE_WORDS; i++)
		header.features[i] = bytes_u64(bytes);
	return header;
}

static struct error *read_file(struct recording *recording, struct perf_events *events,
			       struct tracepoint_vec *tracepoints, struct bytes *bytes,
			       struct perf_header *ret)
{
	struct file_header header = parse_file_header(bytes);
	struct error *err;

	if (bytes->failed)
		return error_create(ERROR_INPUT, "the header is cut off");
	if (!recording->source.seekable)
		return error_create(ERROR_INPUT,
				    "a perf.data file can't be read through a pipe; give its "
				    "path, or record with `perf record -o -`");
	err = read_attrs(recording, events, &header);
	if (err)
		return error_wrap(err, "event attributes");
	ret->data_offset = header.data.offset;
	ret->data_end = header.data.offset + header.data.size;
	if (!header.data.size || ret->data_end < header.data.offset) {
		/* perf writes the size last. */
		ret->data_end = UINT64_MAX;
		recording->counts.is_truncated = true;
		recording_note(recording, 0,
			       "perf did not finish this file: it may end early, and what it "
			       "tells of the machine is missing");
	} else {
		err = read_features(recording, tracepoints, &header, &ret->is_directory);
	}
	source_seek(&recording->source, ret->data_offset);
	return err;
}

struct error *perf_header_read(struct recording *recording, struct perf_events *events,
			       struct tracepoint_vec *tracepoints, struct perf_header *ret)
{
	struct perf_header header = { .data_end = UINT64_MAX };
	struct error *err;
	const uint8_t *at;
	struct bytes bytes;
	uint64_t size;
	size_t nr;

	err = source_peek(&recording->source, PERF_FILE_HEADER_BYTES, &at, &nr);
	if (err)
		return err;
	recording->about.big_endian = !memcmp(at, PERF_MAGIC_SWAPPED, 8);
	bytes = bytes_over(at, nr < PERF_FILE_HEADER_BYTES ? nr : PERF_FILE_HEADER_BYTES,
			   recording->about.big_endian);
	bytes_take(&bytes, 8); /* magic */
	size = bytes_u64(&bytes);
	if (bytes.failed || size < PERF_PIPE_HEADER_BYTES)
		return error_create(ERROR_INPUT, "the header is cut off");
	header.is_pipe = size == PERF_PIPE_HEADER_BYTES;
	recording->about.format = header.is_pipe ? RECORDING_PERF_PIPE : RECORDING_PERF_DATA;
	if (header.is_pipe)
		source_take(&recording->source, PERF_PIPE_HEADER_BYTES);
	else
		err = read_file(recording, events, tracepoints, &bytes, &header);
	*ret = header;
	return err;
}
