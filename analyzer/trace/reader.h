/* SPDX-License-Identifier: GPL-2.0-only */
/* What the readers of all formats share: the inside of a struct recording. */
#ifndef FIELDLINE_TRACE_READER_H
#define FIELDLINE_TRACE_READER_H

#include "base/arena.h"
#include "base/map.h"
#include "base/text.h"
#include "trace/recording.h"
#include "trace/source.h"

struct order;

/* What a call of next() found. */
enum reader_found {
	FOUND_ITEM,  /* in recording->item */
	FOUND_ROUND, /* nothing before the end of the last round follows */
	FOUND_END,
};

struct reader_ops {
	struct error *(*next)(struct recording *recording, enum reader_found *ret);
	/* Frees what the reader has beyond struct recording, and itself. */
	void (*close)(struct recording *recording);
};

DEFINE_VEC(recording_note_vec, struct recording_note);

/* The first member of each reader. */
struct recording {
	const struct reader_ops *ops;
	char *path;
	struct source source;
	struct recording_about about;
	struct recording_counts counts;
	struct recording_note_vec notes;
	struct arena arena;  /* strings of about and notes */
	struct map names;    /* hash -> a name in the arena */
	struct order *order; /* NULL: items go in the order of the file */
	struct item item;
	bool is_ahead; /* the next thing is found already: */
	enum reader_found ahead;
};

/*
 * Each makes a reader around a source that is open and at its start; *source is theirs, whether
 * they succeed or not.
 */
struct error *perf_reader_create(const char *path, struct source *source, struct recording **ret);
struct error *script_reader_create(const char *path, struct source *source, struct recording **ret);
struct error *log_reader_create(const char *path, struct source *source, struct recording **ret);

/* A reader of `bytes` bytes, whose ops its maker sets. */
void *recording_create(size_t bytes, const char *path, struct source *source);
/* Adds a note, or counts once more the one that says the same. */
void recording_note(struct recording *recording, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* A note that the recording breaks off, and the flag. */
void recording_note_truncated(struct recording *recording, uint64_t offset);
/* nr bytes of a string in the file, up to a NUL, kept as long as the recording. */
const char *recording_keep(struct recording *recording, const void *chars, size_t nr);
/* The same for names that come again and again: each is kept once. */
const char *recording_keep_name(struct recording *recording, const char *chars, size_t nr);

#endif
