/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes a file for a test and reads it as a recording, items and all that is told of them. */
#ifndef FIELDLINE_TESTS_UNIT_TRACE_READ_BACK_H
#define FIELDLINE_TESTS_UNIT_TRACE_READ_BACK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/recording.h"

enum { READ_BACK_MAX = 64 };

struct read_back {
	struct recording *recording;
	struct item items[READ_BACK_MAX]; /* the first ones; strings are copies */
	size_t nr;
	char error[256]; /* "" = none */
};

static inline void write_file(char path[64], const void *bytes, size_t nr)
{
	int fd;

	strcpy(path, "/tmp/fieldline-test-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, nr), (ssize_t)nr);
	close(fd);
}

static inline void take_error(struct read_back *back, struct error *err)
{
	snprintf(back->error, sizeof(back->error), "%s", error_message(err));
	error_destroy(err);
}

static inline void read_back_path(struct read_back *back, const char *path, bool by_time)
{
	const struct recording_options options = { .by_time = by_time };
	const struct item *item;
	struct error *err;

	*back = (struct read_back){};
	err = recording_open(path, &options, &back->recording);
	while (!err && !(err = recording_next(back->recording, &item)) && item) {
		assert_true(back->nr < READ_BACK_MAX);
		back->items[back->nr] = *item;
		if (item->kind == ITEM_MAP)
			back->items[back->nr].map.name = strdup(item->map.name);
		if (item->kind == ITEM_COMM)
			back->items[back->nr].comm.name = strdup(item->comm.name);
		back->nr++;
	}
	if (err)
		take_error(back, err);
}

static inline void read_back_bytes(struct read_back *back, const void *bytes, size_t nr)
{
	char path[64];

	write_file(path, bytes, nr);
	read_back_path(back, path, false);
	unlink(path);
}

static inline void read_back_deinit(struct read_back *back)
{
	for (size_t i = 0; i < back->nr; i++) {
		if (back->items[i].kind == ITEM_MAP)
			free((void *)back->items[i].map.name);
		if (back->items[i].kind == ITEM_COMM)
			free((void *)back->items[i].comm.name);
	}
	recording_close(back->recording);
}

#define auto_read_back __attribute__((cleanup(read_back_deinit)))

/* The note that has these words in it; NULL = none. */
static inline const struct recording_note *find_note(const struct read_back *back,
						     const char *words)
{
	size_t nr;
	const struct recording_note *notes = recording_notes(back->recording, &nr);

	for (size_t i = 0; i < nr; i++) {
		if (strstr(notes[i].text, words))
			return &notes[i];
	}
	return NULL;
}

#endif
