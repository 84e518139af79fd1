/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a recording as our own log (log_format.h): the same shape as perf_write.h. Nothing that
 * recording.h reads is lost in it.
 */
#ifndef FIELDLINE_TRACE_LOG_H
#define FIELDLINE_TRACE_LOG_H

#include "base/error.h"
#include "trace/recording.h"

struct log_writer;

/* Begins `path`, which appears when the writer finishes; "-" is standard output. */
struct error *log_writer_create(const char *path, const struct recording_about *about,
				struct log_writer **ret);
void log_writer_add(struct log_writer *writer, const struct item *item);
/* Puts the file in place; failures while adding come to light here. Frees the writer, always. */
struct error *log_writer_finish(struct log_writer *writer);
/* Gives up: nothing appears at the path. NULL is fine. */
void log_writer_abandon(struct log_writer *writer);

#endif
