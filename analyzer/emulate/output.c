/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/output.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

/* A record that is being put together; its payload starts two bytes in, see log_end_record(). */
struct record {
	uint8_t bytes[COUNTS_RECORD_MAX];
	size_t nr;
};

static void put_number(struct record *record, uint64_t value)
{
	record->nr += log_put_number(record->bytes + 2 + record->nr, value);
}

static void put_string(struct record *record, const char *string)
{
	size_t room = sizeof(record->bytes) - 2 - record->nr;

	record->nr += log_put_string(record->bytes + 2 + record->nr, string, strlen(string), room);
}

static void put_total(struct record *record, const struct counts_total *total)
{
	const uint64_t *numbers = (const uint64_t *)total;

	for (size_t i = 0; i < COUNTS_TOTAL_NUMBERS; i++)
		put_number(record, numbers[i]);
}

static void end_record(struct text *text, struct record *record, enum counts_type type)
{
	size_t nr = log_end_record(record->bytes, (enum log_type)type, record->nr);

	text_add_bytes(text, (const char *)record->bytes, nr);
	record->nr = 0;
}

static void put_about(struct text *text, const char *name, uint64_t value)
{
	struct record record = {};
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, value);
	put_string(&record, name);
	put_string(&record, number);
	end_record(text, &record, COUNTS_ABOUT);
}

static void put_run(struct text *text, const struct guest *guest, const struct output_run *run)
{
	const struct settings_numbers *numbers = &guest->settings->numbers;
	struct coherence_memory memory = recorder_memory(guest->recorder);
	struct counts_total total = recorder_total(guest->recorder);
	struct record record = {};

	put_about(text, "operations", run->region->nr - run->region->start);
	put_about(text, "first_operation", run->region->start);
	put_about(text, "cut_short", run->region->cut_short);
	put_about(text, "instructions", run->nr_instructions);
	put_about(text, "device_accesses", run->nr_io);
	put_about(text, "cpus", guest->nr_cpus);
	put_about(text, "sockets", guest->settings->topology.nr_sockets);
	put_about(text, "line_size", numbers->line_size);
	put_about(text, "seed", numbers->seed);
	put_about(text, "turn_shortest", numbers->turn_shortest);
	put_about(text, "turn_longest", numbers->turn_longest);
	put_about(text, "fast", numbers->fast);
	put_about(text, "lines", memory.nr_lines);
	put_about(text, "lines_bytes", memory.lines_bytes);
	put_about(text, "contended_lines", memory.nr_contended);
	put_about(text, "contended_bytes", memory.contended_bytes);
	put_string(&record, "region");
	put_total(&record, &total);
	end_record(text, &record, COUNTS_TOTAL);
}

static void put_sources(struct text *text, const struct sources *sources)
{
	struct record record = {};

	for (size_t i = 0; i < sources->caches.nr; i++) {
		const struct source_cache *cache = &sources->caches.items[i];

		put_number(&record, i);
		put_number(&record, cache->object_size);
		put_number(&record, cache->size);
		put_string(&record, cache->name);
		end_record(text, &record, COUNTS_CACHE);
	}
	for (size_t i = 0; i < sources->all.nr; i++) {
		const struct source *source = &sources->all.items[i];

		put_number(&record, i);
		put_number(&record, source->form);
		put_number(&record, source->cache);
		put_number(&record, source->site);
		put_number(&record, source->size);
		end_record(text, &record, COUNTS_SOURCE);
	}
}

static void put_code(struct text *text, const struct guest *guest, const struct output_run *run)
{
	struct record record = {};

	for (size_t i = 0; i < guest->modules.nr; i++) {
		const struct guest_module *module = &guest->modules.items[i];

		put_number(&record, module->start);
		put_number(&record, module->size);
		put_string(&record, module->name);
		end_record(text, &record, COUNTS_MODULE);
	}
	for (size_t i = 0; i < guest->sections.nr; i++) {
		const struct guest_section *section = &guest->sections.items[i];

		put_number(&record, section->address);
		put_string(&record, guest->modules.items[section->module].name);
		put_string(&record, section->name);
		end_record(text, &record, COUNTS_SECTION);
	}
	for (size_t i = 0; i < run->nr_places; i++) {
		put_number(&record, i);
		put_number(&record, run->places[i]->ip);
		put_number(&record, run->places[i]->is_atomic);
		end_record(text, &record, COUNTS_PLACE);
	}
}

static void put_rows(struct text *text, const struct recorder_row_vec *rows)
{
	struct record record = {};

	for (size_t i = 0; i < rows->nr; i++) {
		const struct recorder_row *row = &rows->items[i];

		put_number(&record, row->source);
		put_number(&record, row->offset);
		put_number(&record, row->size);
		put_number(&record, row->phase);
		put_number(&record, row->place);
		put_number(&record, row->context);
		put_number(&record, row->cpu);
		put_total(&record, &row->total);
		end_record(text, &record, COUNTS_ROW);
	}
}

static void put_pairs(struct text *text, const struct recorder_pair_vec *pairs)
{
	struct record record = {};

	for (size_t i = 0; i < pairs->nr; i++) {
		const struct recorder_pair *pair = &pairs->items[i];

		put_number(&record, pair->writer.source);
		put_number(&record, pair->writer.offset);
		put_number(&record, pair->writer_place);
		put_number(&record, pair->reader.source);
		put_number(&record, pair->reader.offset);
		put_number(&record, pair->reader_place);
		put_number(&record, pair->nr_true);
		put_number(&record, pair->nr_false);
		end_record(text, &record, COUNTS_PAIR);
	}
}

static void put_objects(struct text *text, const struct recorder_object_vec *objects)
{
	struct record record = {};

	for (size_t i = 0; i < objects->nr; i++) {
		put_number(&record, objects->items[i].source);
		put_number(&record, objects->items[i].start);
		put_total(&record, &objects->items[i].total);
		end_record(text, &record, COUNTS_OBJECT);
	}
}

static void put_header(uint8_t header[LOG_HEADER_BYTES])
{
	log_put_header(header);
	memcpy(header, COUNTS_MAGIC, strlen(COUNTS_MAGIC));
	header[8] = COUNTS_VERSION;
}

struct error *output_write_counts(const char *directory, const struct guest *guest,
				  const struct output_run *run)
{
	auto_text struct text text = {};
	auto_text struct text path = {};
	uint8_t header[LOG_HEADER_BYTES];

	put_header(header);
	text_add_bytes(&text, (const char *)header, sizeof(header));
	put_run(&text, guest, run);
	put_sources(&text, recorder_sources(guest->recorder));
	put_code(&text, guest, run);
	put_rows(&text, recorder_rows(guest->recorder));
	put_pairs(&text, recorder_pairs(guest->recorder));
	put_objects(&text, recorder_objects(guest->recorder));
	end_record(&text, &(struct record){}, COUNTS_END);
	text_printf(&path, "%s/counts", directory);
	return file_write(text_chars(&path), text_chars(&text), text.length);
}

struct error *output_open_log(const char *directory, struct output_log *ret)
{
	auto_text struct text path = {};
	uint8_t header[LOG_HEADER_BYTES];
	FILE *file;

	text_printf(&path, "%s/events.log", directory);
	file = fopen(text_chars(&path), "we");
	if (!file)
		return error_from_errno(errno, "cannot write '%s'", text_chars(&path));
	log_put_header(header);
	fwrite(header, 1, sizeof(header), file);
	*ret = (struct output_log){ .file = file };
	return NULL;
}

void output_log_comm(struct output_log *log, uint32_t pid, uint32_t tid, const char *name)
{
	struct record record = {};

	put_number(&record, pid);
	put_number(&record, tid);
	put_number(&record, 0);
	put_string(&record, name);
	fwrite(record.bytes, 1, log_end_record(record.bytes, LOG_COMM, record.nr), log->file);
}

static enum log_outcome outcome_of(enum coherence_event_kind kind)
{
	static const enum log_outcome outcomes[COHERENCE_NR_EVENTS] = {
		[COHERENCE_HIT] = LOG_HIT,
		[COHERENCE_UPGRADE] = LOG_UPGRADE,
		[COHERENCE_MEMORY] = LOG_MEMORY,
		[COHERENCE_CLEAN_LOCAL] = LOG_CLEAN_LOCAL,
		[COHERENCE_CLEAN_REMOTE] = LOG_CLEAN_REMOTE,
		[COHERENCE_HITM_LOCAL] = LOG_HITM_LOCAL,
		[COHERENCE_HITM_REMOTE] = LOG_HITM_REMOTE,
	};

	return outcomes[kind];
}

static uint32_t kind_of(enum coherence_kind access)
{
	if (access == COHERENCE_ATOMIC)
		return LOG_LOAD | LOG_STORE | LOG_LOCKED;
	return access == COHERENCE_LOAD ? LOG_LOAD : LOG_STORE;
}

void output_log_event(struct output_log *log, const struct coherence_event *event, uint64_t ip,
		      uint64_t time_ns, uint32_t pid, uint32_t tid)
{
	struct log_access access = {
		.has = LOG_HAS_CPU | LOG_HAS_TIME | LOG_HAS_IP | LOG_HAS_ADDR | LOG_HAS_SIZE |
		       LOG_HAS_TID | LOG_HAS_OUTCOME,
		.kind = kind_of(event->access),
		.cpu = event->touch.cpu,
		.time_ns = time_ns,
		.ip = ip,
		.addr = event->line + event->touch.offset,
		.size = event->touch.size,
		.pid = pid,
		.tid = tid,
		.outcome = outcome_of(event->kind),
	};
	uint8_t bytes[LOG_RECORD_MAX];

	fwrite(bytes, 1, log_put_access(bytes, &log->last, &access), log->file);
}

void output_close_log(struct output_log *log)
{
	if (log->file)
		fclose(log->file);
	log->file = NULL;
}
