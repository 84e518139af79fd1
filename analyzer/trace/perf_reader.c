/* SPDX-License-Identifier: GPL-2.0-only */
/* The reader of perf.data: takes record by record and makes items of them. */
#include <string.h>

#include "trace/perf_directory.h"
#include "trace/perf_features.h"
#include "trace/perf_format.h"
#include "trace/perf_header.h"
#include "trace/perf_records.h"
#include "trace/perf_stream.h"

struct stream_file {
	struct perf_stream stream;
	struct source source; /* not of the first: that is the recording's */
	uint64_t time_ns;     /* the last one seen in it */
	bool ended;
};

DEFINE_VEC(stream_file_vec, struct stream_file);

struct perf_reader {
	struct recording recording;
	struct perf_header header;
	struct perf_events events;
	struct tracepoint_vec tracepoints;
	struct path_vec paths; /* of the other files of a directory */
	struct stream_file_vec files;
	struct item pending; /* told by the same record as the item before it */
	bool has_pending;
};

static struct perf_reader *perf_reader_of(struct recording *recording)
{
	return (struct perf_reader *)recording; /* its first member */
}

static void close_reader(struct recording *recording)
{
	struct perf_reader *reader = perf_reader_of(recording);

	for (size_t i = 0; i < reader->files.nr; i++) {
		perf_stream_deinit(&reader->files.items[i].stream);
		source_close(&reader->files.items[i].source);
	}
	for (size_t i = 0; i < reader->paths.nr; i++)
		free(reader->paths.items[i]);
	vec_deinit(&reader->files);
	vec_deinit(&reader->paths);
	vec_deinit(&reader->tracepoints);
	perf_events_deinit(&reader->events);
	free(reader);
}

/* A kmem tracepoint's sample tells of an allocation, too. */
static void look_into_raw(struct perf_reader *reader, const struct sample *sample,
			  struct perf_raw raw)
{
	const struct recorded_event *event = &reader->recording.about.events.items[sample->event];
	const struct tracepoint *tracepoint;

	if (event->type != PERF_TYPE_TRACEPOINT || !raw.nr)
		return;
	tracepoint = tracepoint_find(&reader->tracepoints, event->config);
	if (!tracepoint)
		return;
	reader->pending.offset = reader->recording.item.offset;
	reader->has_pending =
		tracepoint_parse(tracepoint, &reader->recording, sample, raw, &reader->pending);
}

static bool take_sample(struct perf_reader *reader, struct perf_record *record)
{
	struct recording *recording = &reader->recording;
	struct item *item = &recording->item;
	struct perf_raw raw;
	uint32_t event;

	if (!reader->events.items.nr ||
	    !perf_events_of_sample(&reader->events, record->body, &event)) {
		recording->counts.nr_damaged++;
		recording_note(recording, record->offset,
			       "samples of events that nothing describes");
		return false;
	}
	if (!perf_sample_parse(&reader->events.items.items[event], &record->body, &item->sample,
			       &raw)) {
		recording->counts.nr_damaged++;
		recording_note(recording, record->offset, "samples shorter than their event says");
		return false;
	}
	item->kind = ITEM_SAMPLE;
	item->time_ns = item->sample.time_ns;
	item->sample.event = event;
	item->sample.misc = record->misc;
	recording->counts.nr_samples++;
	if (raw.nr)
		look_into_raw(reader, &item->sample, raw);
	return true;
}

static bool take_kernel_record(struct perf_reader *reader, struct perf_record *record)
{
	struct recording *recording = &reader->recording;
	struct perf_trailer trailer = perf_events_trailer(&reader->events, record->body);
	struct item *item = &recording->item;
	enum perf_record_use use;

	record->body.end -= trailer.size;
	use = perf_record_parse(record, &record->body, item);
	if (use == PERF_RECORD_DAMAGED) {
		recording->counts.nr_damaged++;
		recording_note(recording, record->offset,
			       "records of type %u too short for what is in them", record->type);
	}
	if (use != PERF_RECORD_IS_ITEM)
		return false;
	item->time_ns = trailer.time_ns == UINT64_MAX ? 0 : trailer.time_ns;
	if (item->kind == ITEM_LOST)
		recording->counts.nr_lost += item->nr_lost;
	return true;
}

/* In a pipe the name of an event follows its attr. */
static void update_event(struct perf_reader *reader, struct bytes *body)
{
	uint64_t type = bytes_u64(body);
	struct map_slot *slot = map_find(&reader->events.ids, bytes_u64(body));
	const char *name = bytes_string(body);

	if (type == PERF_EVENT_UPDATE_NAME && name && slot)
		reader->recording.about.events.items[slot->value].name =
			recording_keep(&reader->recording, name, strlen(name));
}

static void take_user_record(struct perf_reader *reader, struct perf_record *record)
{
	struct recording *recording = &reader->recording;
	uint64_t feature;

	switch (record->type) {
	case PERF_USER_ATTR:
		perf_header_add_event(recording, &reader->events, &record->body);
		perf_events_add_ids(&reader->events, (uint32_t)reader->events.items.nr - 1,
				    &record->body);
		break;
	case PERF_USER_FEATURE:
		feature = bytes_u64(&record->body);
		if (feature < PERF_NR_FEATURES && feature != PERF_FEATURE_BUILD_ID)
			perf_feature_parse(recording, (unsigned int)feature, &record->body);
		break;
	case PERF_USER_BUILD_ID:
		perf_build_id_parse(recording, record->misc, &record->body);
		break;
	case PERF_USER_EVENT_UPDATE:
		update_event(reader, &record->body);
		break;
	case PERF_USER_AUXTRACE:
		recording_note(recording, record->offset,
			       "AUX data (Arm SPE, Intel PT) is not decoded here; "
			       "`perf inject --itrace=M` makes samples of it");
		break;
	default:
		if (record->type <= PERF_USER_MAX)
			break;
		recording->counts.nr_skipped++;
		recording_note(recording, record->offset, "records of type %u, which is not known",
			       record->type);
	}
}

/* Makes the item of a record; false when there is none in it. */
static bool take_record(struct perf_reader *reader, struct perf_record *record)
{
	struct recording *recording = &reader->recording;

	recording->counts.nr_records++;
	recording->item.offset = record->offset;
	if (record->type == PERF_RECORD_SAMPLE)
		return take_sample(reader, record);
	if (record->type < PERF_USER_ATTR)
		return take_kernel_record(reader, record);
	take_user_record(reader, record);
	return false;
}

/* Of a directory's files the one that is furthest behind, so that they go on together. */
static struct stream_file *choose_file(struct perf_reader *reader)
{
	struct stream_file *chosen = NULL;

	for (size_t i = 0; i < reader->files.nr; i++) {
		struct stream_file *file = &reader->files.items[i];

		if (!file->ended && (!chosen || file->time_ns < chosen->time_ns))
			chosen = file;
	}
	return chosen;
}

static struct error *next(struct recording *recording, enum reader_found *ret)
{
	struct perf_reader *reader = perf_reader_of(recording);
	struct stream_file *file;
	struct perf_record record;
	struct error *err;
	bool more;

	*ret = FOUND_ITEM;
	if (reader->has_pending) {
		reader->has_pending = false;
		recording->item = reader->pending;
		return NULL;
	}
	while ((file = choose_file(reader))) {
		err = perf_stream_next(&file->stream, recording, &record, &more);
		if (err)
			return err;
		file->ended = !more;
		if (!more)
			continue;
		/* Rounds of one file of a directory say nothing of the others. */
		if (record.type == PERF_USER_FINISHED_ROUND && reader->files.nr == 1) {
			recording->counts.nr_records++;
			*ret = FOUND_ROUND;
			return NULL;
		}
		if (!take_record(reader, &record))
			continue;
		if (recording->item.time_ns > file->time_ns)
			file->time_ns = recording->item.time_ns;
		return NULL;
	}
	*ret = FOUND_END;
	return NULL;
}

static const struct reader_ops ops = { next, close_reader };

static struct error *open_directory_files(struct perf_reader *reader)
{
	struct error *err;

	perf_directory_list(reader->recording.path, &reader->paths);
	for (size_t i = 0; i < reader->paths.nr; i++) {
		struct stream_file *file = vec_add(&reader->files);

		*file = (struct stream_file){};
		err = source_open(reader->paths.items[i], &file->source);
		if (err)
			return err;
	}
	return NULL;
}

/* Once all files are there: the vector no longer moves. */
static void start_streams(struct perf_reader *reader)
{
	for (size_t i = 0; i < reader->files.nr; i++) {
		struct stream_file *file = &reader->files.items[i];

		file->stream.source = i ? &file->source : &reader->recording.source;
		file->stream.end = i ? UINT64_MAX : reader->header.data_end;
		file->stream.big_endian = reader->recording.about.big_endian;
	}
}

struct error *perf_reader_create(const char *path, struct source *source, struct recording **ret)
{
	struct perf_reader *reader = recording_create(sizeof(*reader), path, source);
	struct error *err;

	reader->recording.ops = &ops;
	err = perf_header_read(&reader->recording, &reader->events, &reader->tracepoints,
			       &reader->header);
	*vec_add(&reader->files) = (struct stream_file){};
	if (!err && reader->header.is_directory)
		err = open_directory_files(reader);
	start_streams(reader);
	if (err) {
		recording_close(&reader->recording);
		return error_wrap(err, "cannot read '%s'", path);
	}
	*ret = &reader->recording;
	return NULL;
}
