/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/recording.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/log_format.h"
#include "trace/order.h"
#include "trace/perf_directory.h"
#include "trace/perf_format.h"
#include "trace/reader.h"

enum {
	SNIFF_BYTES = 4096,
	MAX_NOTES = 100, /* distinct ones: a damaged file must not fill the memory with them */
};

void *recording_create(size_t bytes, const char *path, struct source *source)
{
	struct recording *recording = memory_alloc(1, bytes);

	recording->path = memory_strdup(path);
	recording->source = *source;
	recording->source.path = recording->path;
	*source = (struct source){};
	return recording;
}

void recording_note(struct recording *recording, uint64_t offset, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (size_t i = 0; i < recording->notes.nr; i++) {
		if (!strcmp(recording->notes.items[i].text, text)) {
			recording->notes.items[i].nr++;
			return;
		}
	}
	if (recording->notes.nr == MAX_NOTES)
		return;
	*vec_add(&recording->notes) = (struct recording_note){
		.offset = offset,
		.nr = 1,
		.text = arena_strdup(&recording->arena, text),
	};
}

void recording_note_truncated(struct recording *recording, uint64_t offset)
{
	recording->counts.is_truncated = true;
	recording_note(recording, offset,
		       "the recording ends in the middle of a record: what follows is lost");
}

const char *recording_keep(struct recording *recording, const void *chars, size_t nr)
{
	return arena_printf(&recording->arena, "%.*s", (int)(nr < INT32_MAX ? nr : INT32_MAX),
			    (const char *)chars);
}

const char *recording_keep_name(struct recording *recording, const char *chars, size_t nr)
{
	size_t length = strnlen(chars, nr);
	uint64_t hash = hash_bytes(0, chars, length);
	struct map_slot *slot;
	bool is_new;

	/* Another name of the same hash takes the next key. */
	for (;; hash++) {
		slot = map_add(&recording->names, hash, &is_new);
		if (is_new)
			slot->pointer = (void *)recording_keep(recording, chars, length);
		else if (strncmp(slot->pointer, chars, length) ||
			 ((const char *)slot->pointer)[length])
			continue;
		return slot->pointer;
	}
}

/* Whether this is text: the first line holds no control characters. */
static bool looks_like_text(const uint8_t *bytes, size_t nr)
{
	for (size_t i = 0; i < nr && bytes[i] != '\n'; i++) {
		if (bytes[i] < ' ' && bytes[i] != '\t' && bytes[i] != '\r')
			return false;
	}
	return nr > 0;
}

static struct error *create_reader(const char *path, struct source *source, struct recording **ret)
{
	const uint8_t *bytes;
	struct error *err;
	size_t nr;

	err = source_peek(source, SNIFF_BYTES, &bytes, &nr);
	if (err)
		return err;
	if (nr >= 8 && (!memcmp(bytes, PERF_MAGIC, 8) || !memcmp(bytes, PERF_MAGIC_SWAPPED, 8)))
		return perf_reader_create(path, source, ret);
	if (nr >= 8 && !memcmp(bytes, LOG_MAGIC, 8))
		return log_reader_create(path, source, ret);
	if (nr >= 8 && !memcmp(bytes, PERF_MAGIC_V1, 8))
		return error_create(ERROR_INPUT,
				    "'%s' is of perf before Linux 2.6.32, which wrote another "
				    "format; record anew",
				    path);
	if (looks_like_text(bytes, nr))
		return script_reader_create(path, source, ret);
	return error_create(ERROR_INPUT,
			    nr ? "'%s' is no recording: neither perf.data, nor the text of "
				 "perf script, nor a log of the emulator" :
				 "'%s' is empty",
			    path);
}

/* Reads up to the first item: what the machine was and what was recorded comes before it. */
struct error *recording_open(const char *path, const struct recording_options *options,
			     struct recording **ret)
{
	auto_free char *inside = NULL;
	struct recording *recording = NULL;
	struct source source = {};
	struct error *err;

	/* `perf record --threads` writes a directory; its file "data" has the header. */
	err = perf_directory_find(path, &inside);
	if (!err)
		err = source_open(inside ? inside : path, &source);
	if (!err)
		err = create_reader(inside ? inside : path, &source, &recording);
	source_close(&source);
	if (err)
		return err;
	err = recording->ops->next(recording, &recording->ahead);
	if (err) {
		recording_close(recording);
		return err;
	}
	recording->is_ahead = true;
	if (options->by_time)
		recording->order = order_create();
	*ret = recording;
	return NULL;
}

static struct error *find_next(struct recording *recording, enum reader_found *ret)
{
	if (!recording->is_ahead)
		return recording->ops->next(recording, ret);
	recording->is_ahead = false;
	*ret = recording->ahead;
	return NULL;
}

void recording_close(struct recording *recording)
{
	if (!recording)
		return;
	order_destroy(recording->order);
	source_close(&recording->source);
	about_deinit(&recording->about);
	vec_deinit(&recording->notes);
	map_deinit(&recording->names);
	arena_deinit(&recording->arena);
	free(recording->path);
	recording->ops->close(recording);
}

static struct error *next_by_time(struct recording *recording, const struct item **ret)
{
	enum reader_found found;
	struct error *err;

	while (!order_take(recording->order, ret)) {
		err = find_next(recording, &found);
		if (err)
			return err;
		if (found == FOUND_ITEM)
			order_add(recording->order, &recording->item);
		else if (found == FOUND_ROUND)
			order_end_round(recording->order);
		else if (order_is_empty(recording->order))
			break;
		else
			order_end(recording->order);
	}
	return NULL;
}

struct error *recording_next(struct recording *recording, const struct item **ret)
{
	enum reader_found found;
	struct error *err;

	*ret = NULL;
	if (recording->order)
		return next_by_time(recording, ret);
	do {
		err = find_next(recording, &found);
		if (err)
			return err;
	} while (found == FOUND_ROUND);
	if (found == FOUND_ITEM)
		*ret = &recording->item;
	return NULL;
}

const struct recording_about *recording_about(const struct recording *recording)
{
	return &recording->about;
}

const struct recording_counts *recording_counts(const struct recording *recording)
{
	return &recording->counts;
}

const struct recording_note *recording_notes(const struct recording *recording, size_t *ret_nr)
{
	*ret_nr = recording->notes.nr;
	return recording->notes.items;
}
