/* SPDX-License-Identifier: GPL-2.0-only */
/* fieldline convert: a recording in another format. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "cmd/command.h"
#include "trace/log.h"
#include "trace/perf_write.h"
#include "trace/script_write.h"

enum format { FORMAT_BY_NAME, FORMAT_PERF_DATA, FORMAT_PIPE, FORMAT_SCRIPT, FORMAT_LOG };

static const char *const formats[] = { "auto", "perf.data", "pipe", "script", "log", NULL };

struct convert_options {
	unsigned int to;
	bool phys_addr;
};

static const struct option_spec specs[] = {
	{ 't', "to", OPTION_CHOICE, offsetof(struct convert_options, to), "FORMAT",
	  .choices = formats, .help = "what to write; by the name of OUT, if not given" },
	{ 0, "phys-addr", OPTION_FLAG, offsetof(struct convert_options, phys_addr),
	  .help = "keep physical addresses in a perf.data" },
	{},
};

/* One of the three is there. */
struct writers {
	struct perf_writer *perf;
	struct log_writer *log;
	struct script_writer *script;
};

static bool ends_in(const char *name, const char *end)
{
	size_t length = strlen(name);

	return length >= strlen(end) && !strcmp(name + length - strlen(end), end);
}

static enum format format_of(const char *out)
{
	if (!strcmp(out, "-"))
		return FORMAT_PIPE;
	if (ends_in(out, ".log"))
		return FORMAT_LOG;
	return ends_in(out, ".txt") ? FORMAT_SCRIPT : FORMAT_PERF_DATA;
}

static struct error *create(struct writers *writers, const char *out, enum format format,
			    const struct recording_about *about, bool phys_addr)
{
	const struct perf_write_options options = { .pipe = format == FORMAT_PIPE,
						    .phys_addr = phys_addr };

	switch (format) {
	case FORMAT_LOG:
		return log_writer_create(out, about, &writers->log);
	case FORMAT_SCRIPT:
		return script_writer_create(out, about, &writers->script);
	default:
		return perf_writer_create(out, about, &options, &writers->perf);
	}
}

static void add(const struct writers *writers, const struct item *item)
{
	if (writers->perf)
		perf_writer_add(writers->perf, item);
	else if (writers->log)
		log_writer_add(writers->log, item);
	else
		script_writer_add(writers->script, item);
}

static struct error *finish(struct writers *writers, uint64_t *ret_nr_left_out)
{
	*ret_nr_left_out = 0;
	if (writers->log)
		return log_writer_finish(writers->log);
	if (writers->script) {
		*ret_nr_left_out = script_writer_nr_left_out(writers->script);
		return script_writer_finish(writers->script);
	}
	*ret_nr_left_out = perf_writer_nr_left_out(writers->perf);
	return perf_writer_finish(writers->perf);
}

static void abandon(struct writers *writers)
{
	perf_writer_abandon(writers->perf);
	log_writer_abandon(writers->log);
	script_writer_abandon(writers->script);
}

/* What was converted, and what of it could not be read or has no place in the new format. */
static struct error *summarize(const struct recording *recording, uint64_t nr_items,
			       uint64_t nr_left_out)
{
	const struct recording_counts *counts = recording_counts(recording);
	auto_text struct text text = {};
	const struct recording_note *notes;
	size_t nr;

	notes = recording_notes(recording, &nr);
	text_printf(&text, "%" PRIu64 " samples, %" PRIu64 " other records\n", counts->nr_samples,
		    nr_items - counts->nr_samples);
	if (counts->nr_lost)
		text_printf(&text, "lost while recording: %" PRIu64 "\n", counts->nr_lost);
	if (nr_left_out)
		text_printf(&text, "left out, the format has no place for them: %" PRIu64 "\n",
			    nr_left_out);
	for (size_t i = 0; i < nr; i++)
		text_printf(&text, "at 0x%" PRIx64 ", %" PRIu64 " time%s: %s\n", notes[i].offset,
			    notes[i].nr, notes[i].nr == 1 ? "" : "s", notes[i].text);
	return file_write("-", text_chars(&text), text.length);
}

static struct error *convert(struct recording *recording, const char *out,
			     const struct convert_options *options, int *ret_status)
{
	enum format format = options->to == FORMAT_BY_NAME ? format_of(out) : options->to;
	const struct recording_counts *counts = recording_counts(recording);
	uint64_t nr_items = 0, nr_left_out;
	const struct recording_note *notes;
	struct writers writers = {};
	const struct item *item;
	struct error *err;
	size_t nr_notes;

	err = create(&writers, out, format, recording_about(recording), options->phys_addr);
	if (err)
		return err;
	for (;; nr_items++) {
		err = recording_next(recording, &item);
		if (err || !item)
			break;
		add(&writers, item);
	}
	notes = recording_notes(recording, &nr_notes);
	if (!err && !nr_items)
		err = error_create(ERROR_NOT_FOUND, "nothing was recorded in it%s%s",
				   nr_notes ? ": " : "", nr_notes ? notes[0].text : "");
	if (err) {
		abandon(&writers);
		return err;
	}
	err = finish(&writers, &nr_left_out);
	if (!err && strcmp(out, "-"))
		err = summarize(recording, nr_items, nr_left_out);
	if (counts->is_truncated || counts->nr_damaged)
		*ret_status = EXIT_CODE_INCOMPLETE;
	return err;
}

static struct error *run(void *values, const struct string_vec *operands, int *ret_status)
{
	const struct recording_options reading = { .by_time = true };
	const struct convert_options *options = values;
	auto_recording struct recording *recording = NULL;
	struct error *err;

	if (operands->nr != 2)
		return error_create(ERROR_USAGE, "convert wants IN and OUT; '-' is a pipe");
	err = recording_open(operands->items[0], &reading, &recording);
	if (err)
		return err;
	err = convert(recording, operands->items[1], options, ret_status);
	return error_wrap(err, "cannot convert '%s'", operands->items[0]);
}

const struct command command_convert = {
	.name = "convert",
	.synopsis = "[OPTION...] IN OUT",
	.summary = "Write a recording in another format",
	.options = specs,
	.options_size = sizeof(struct convert_options),
	.run = run,
};
