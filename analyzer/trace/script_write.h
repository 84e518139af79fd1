/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the samples of a recording as `perf script` of Linux 6.1 prints them, asked with --ns for
 * comm,pid,tid,cpu,time,period,event,addr,data_src,weight,ip: the same shape as perf_write.h.
 * Only samples and the names of commands are kept. perf cuts the words of a data_src at 100
 * columns; here they are whole.
 */
#ifndef FIELDLINE_TRACE_SCRIPT_WRITE_H
#define FIELDLINE_TRACE_SCRIPT_WRITE_H

#include "base/error.h"
#include "trace/recording.h"

struct script_writer;

/* Begins `path`, which appears when the writer finishes; "-" is standard output. */
struct error *script_writer_create(const char *path, const struct recording_about *about,
				   struct script_writer **ret);
void script_writer_add(struct script_writer *writer, const struct item *item);
/* Maps, allocations and other things that this text has no lines for. */
uint64_t script_writer_nr_left_out(const struct script_writer *writer);
/* Puts the file in place; failures while adding come to light here. Frees the writer, always. */
struct error *script_writer_finish(struct script_writer *writer);
/* Gives up: nothing appears at the path. NULL is fine. */
void script_writer_abandon(struct script_writer *writer);

#endif
