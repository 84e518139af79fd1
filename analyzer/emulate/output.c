/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "emulate/record.h"

static void put_total(struct record *record, const struct counts_total *total)
{
	const uint64_t *numbers = (const uint64_t *)total;

	for (size_t i = 0; i < COUNTS_TOTAL_NUMBERS; i++)
		record_number(record, numbers[i]);
}

static void end_record(struct text *text, struct record *record, enum counts_type type)
{
	size_t nr = record_end(record, type);

	text_add_bytes(text, (const char *)record->bytes, nr);
}

static void put_about(struct text *text, const char *name, uint64_t value)
{
	struct record record = {};
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, value);
	record_string(&record, name);
	record_string(&record, number);
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
	put_about(text, "moesi", numbers->moesi);
	put_about(text, "sets", numbers->nr_sets);
	put_about(text, "ways", numbers->nr_ways);
	put_about(text, "seed", numbers->seed);
	put_about(text, "turn_shortest", numbers->turn_shortest);
	put_about(text, "turn_longest", numbers->turn_longest);
	put_about(text, "fast", numbers->fast);
	put_about(text, "every_access", numbers->every_access);
	put_about(text, "lines", memory.nr_lines);
	put_about(text, "lines_bytes", memory.lines_bytes);
	put_about(text, "contended_lines", memory.nr_contended);
	put_about(text, "contended_bytes", memory.contended_bytes);
	record_string(&record, "region");
	put_total(&record, &total);
	end_record(text, &record, COUNTS_TOTAL);
}

static void put_sources(struct text *text, const struct sources *sources)
{
	struct record record = {};

	for (size_t i = 0; i < sources->caches.nr; i++) {
		const struct source_cache *cache = &sources->caches.items[i];

		record_number(&record, i);
		record_number(&record, cache->object_size);
		record_number(&record, cache->size);
		record_string(&record, cache->name);
		end_record(text, &record, COUNTS_CACHE);
	}
	for (size_t i = 0; i < sources->all.nr; i++) {
		const struct source *source = &sources->all.items[i];

		record_number(&record, i);
		record_number(&record, source->form);
		record_number(&record, source->cache);
		record_number(&record, source->site);
		record_number(&record, source->size);
		end_record(text, &record, COUNTS_SOURCE);
	}
}

static void put_code(struct text *text, const struct guest *guest, const struct output_run *run)
{
	struct record record = {};

	for (size_t i = 0; i < guest->modules.nr; i++) {
		const struct guest_module *module = &guest->modules.items[i];

		record_number(&record, module->start);
		record_number(&record, module->size);
		record_string(&record, module->name);
		end_record(text, &record, COUNTS_MODULE);
	}
	for (size_t i = 0; i < guest->sections.nr; i++) {
		const struct guest_section *section = &guest->sections.items[i];

		record_number(&record, section->address);
		record_string(&record, guest->modules.items[section->module].name);
		record_string(&record, section->name);
		end_record(text, &record, COUNTS_SECTION);
	}
	for (size_t i = 0; i < run->nr_places; i++) {
		record_number(&record, i);
		record_number(&record, run->places[i]->ip);
		record_number(&record, run->places[i]->is_atomic);
		end_record(text, &record, COUNTS_PLACE);
	}
}

static void put_rows(struct text *text, const struct recorder_row_vec *rows)
{
	struct record record = {};

	for (size_t i = 0; i < rows->nr; i++) {
		const struct recorder_row *row = &rows->items[i];

		record_number(&record, row->source);
		record_number(&record, row->offset);
		record_number(&record, row->size);
		record_number(&record, row->phase);
		record_number(&record, row->place);
		record_number(&record, row->context);
		record_number(&record, row->cpu);
		put_total(&record, &row->total);
		end_record(text, &record, COUNTS_ROW);
	}
}

static void put_pairs(struct text *text, const struct recorder_pair_vec *pairs)
{
	struct record record = {};

	for (size_t i = 0; i < pairs->nr; i++) {
		const struct recorder_pair *pair = &pairs->items[i];

		record_number(&record, pair->writer.source);
		record_number(&record, pair->writer.offset);
		record_number(&record, pair->writer_place);
		record_number(&record, pair->reader.source);
		record_number(&record, pair->reader.offset);
		record_number(&record, pair->reader_place);
		record_number(&record, pair->nr_true);
		record_number(&record, pair->nr_false);
		end_record(text, &record, COUNTS_PAIR);
	}
}

static void put_objects(struct text *text, const struct recorder_object_vec *objects)
{
	struct record record = {};

	for (size_t i = 0; i < objects->nr; i++) {
		record_number(&record, objects->items[i].source);
		record_number(&record, objects->items[i].start);
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
