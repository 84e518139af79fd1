/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/recorder.h"

#include <string.h>

#define NO_ROW UINT32_MAX

enum { PHASES = 128 };

struct recorder {
	struct recorder_config config;
	struct coherence *coherence;
	struct coherence_counts before; /* the region */
	uint64_t started;		/* accesses before the region */
	bool counting;
	struct allocations allocations;
	struct sources sources;
	struct frames frames;
	struct page_arrays page_arrays;
	uint32_t event_row; /* of the access that is being modelled; NO_ROW */
	struct tally row_numbers;
	struct recorder_row_vec rows;
	struct tally pair_numbers;
	struct recorder_pair_vec pairs;
	struct tally object_numbers;
	struct recorder_object_vec objects;
};

static uint64_t accesses_of(const struct coherence_counts *counts)
{
	return counts->accesses[COHERENCE_LOAD] + counts->accesses[COHERENCE_STORE] +
	       counts->accesses[COHERENCE_ATOMIC];
}

uint64_t recorder_now(const struct recorder *recorder)
{
	return accesses_of(coherence_counts(recorder->coherence));
}

static struct memory_spot spot_in(struct recorder *recorder, enum counts_form form, uint64_t start,
				  uint64_t address, uint64_t site)
{
	struct source source = { .form = form, .site = site };

	return (struct memory_spot){
		.source = sources_number(&recorder->sources, &source),
		.phase = start % PHASES,
		.offset = address - start,
		.start = start,
	};
}

/* What memory that was, at the time when. */
static struct memory_spot find_spot(struct recorder *recorder, uint64_t address, uint64_t when)
{
	const struct allocation *allocation;
	uint64_t start, frame;

	if (address >= COUNTS_IMAGE_START)
		return spot_in(recorder, COUNTS_FORM_IMAGE, COUNTS_IMAGE_START, address, 0);
	if (page_arrays_find(&recorder->page_arrays, address, &start, &frame))
		return spot_in(recorder, COUNTS_FORM_PAGE, start, address, 0);
	allocation = allocations_find(&recorder->allocations, address);
	if (!allocation || allocation_source_at(allocation, when) == ALLOCATIONS_NO_SOURCE) {
		start = address >> 32 << 32;
		return spot_in(recorder, COUNTS_FORM_UNKNOWN, start, address, start);
	}
	return (struct memory_spot){
		.source = allocation_source_at(allocation, when),
		.phase = allocation->start % PHASES,
		.offset = address - allocation->start,
		.start = allocation->start,
	};
}

/*
 * Pages hold what files and disks hold, vmalloc's areas are stacks for the most part: each of their
 * words would be a row, and no field.
 */
static bool is_contents(const struct recorder *recorder, const struct memory_spot *spot)
{
	enum counts_form form = recorder->sources.all.items[spot->source].form;

	return form == COUNTS_FORM_PAGES ||
	       (form == COUNTS_FORM_VMALLOC && !recorder->config.every_access);
}

static struct recorder_row *get_row(struct recorder *recorder, const struct memory_spot *spot,
				    const struct coherence_touch *touch)
{
	uint32_t line_size = recorder->config.coherence.line_size;
	uint32_t offset = (uint32_t)spot->offset;
	struct tally_key key;
	uint32_t number;
	bool is_new;

	if (is_contents(recorder, spot))
		offset = offset / line_size * line_size;
	key = (struct tally_key){ {
		(uint64_t)spot->source << 32 | offset,
		(uint64_t)touch->place << 32 | touch->cpu << 8 | spot->phase,
		touch->size,
	} };
	number = tally_number(&recorder->row_numbers, &key, &is_new);

	if (is_new)
		*vec_add(&recorder->rows) = (struct recorder_row){
			.source = spot->source,
			.offset = offset,
			.size = touch->size,
			.place = touch->place >> 2,
			.context = touch->place & 3,
			.cpu = touch->cpu,
			.phase = (uint8_t)spot->phase,
		};
	return &recorder->rows.items[number];
}

static struct recorder_object *get_object(struct recorder *recorder, const struct memory_spot *spot)
{
	struct tally_key key = { { spot->source, spot->start } };
	bool is_new;
	uint32_t number = tally_number(&recorder->object_numbers, &key, &is_new);

	if (is_new)
		*vec_add(&recorder->objects) = (struct recorder_object){
			.source = spot->source,
			.start = spot->start,
		};
	return &recorder->objects.items[number];
}

static void add_event(struct counts_total *total, const struct coherence_event *event)
{
	total->events[event->kind]++;
	if (event->cause != COHERENCE_NO_MISS)
		total->causes[event->cause]++;
	total->nr_invalidated += event->nr_invalidated;
}

/* More than reading what others read, too. */
static bool is_fight(const struct coherence_event *event)
{
	return event->kind == COHERENCE_UPGRADE || event->kind == COHERENCE_HITM_LOCAL ||
	       event->kind == COHERENCE_HITM_REMOTE || event->cause == COHERENCE_TAKEN;
}

static void note_event(void *context, const struct coherence_event *event)
{
	struct recorder *recorder = context;
	struct memory_spot spot;
	struct recorder_row *row;

	if (recorder->counting && recorder->config.on_event)
		recorder->config.on_event(recorder->config.context, event);
	if (event->kind == COHERENCE_MEMORY && event->cause == COHERENCE_COLD)
		return;
	spot = find_spot(recorder, event->line + event->touch.offset, event->serial);
	/* The line's hits are counted from now on. */
	if (is_fight(event) && !is_contents(recorder, &spot))
		*event->mark = true;
	if (!recorder->counting)
		return;
	row = get_row(recorder, &spot, &event->touch);
	add_event(&row->total, event);
	recorder->event_row = (uint32_t)(row - recorder->rows.items);
	if (spot.start)
		add_event(&get_object(recorder, &spot)->total, event);
}

static void count_pair(struct recorder *recorder, const struct coherence_verdict *verdict)
{
	const struct coherence_touch *by = &verdict->writer;
	const struct coherence_touch *to = verdict->is_true ? &verdict->reader : &verdict->missed;
	struct memory_spot writer =
		find_spot(recorder, verdict->line + by->offset, verdict->serial);
	struct memory_spot reader =
		find_spot(recorder, verdict->line + to->offset, verdict->serial);
	struct tally_key key = { {
		(uint64_t)writer.source << 32 | (uint32_t)writer.offset,
		(uint64_t)reader.source << 32 | (uint32_t)reader.offset,
		(uint64_t)(by->place >> 2) << 32 | to->place >> 2,
	} };
	bool is_new;
	uint32_t number = tally_number(&recorder->pair_numbers, &key, &is_new);

	if (is_new)
		*vec_add(&recorder->pairs) = (struct recorder_pair){
			.writer = writer,
			.reader = reader,
			.writer_place = by->place >> 2,
			.reader_place = to->place >> 2,
		};
	if (verdict->is_true)
		recorder->pairs.items[number].nr_true++;
	else
		recorder->pairs.items[number].nr_false++;
}

static void note_verdict(void *context, const struct coherence_verdict *verdict)
{
	struct recorder *recorder = context;
	struct memory_spot spot;
	struct counts_total *row, *object;

	if (!recorder->counting || verdict->serial < recorder->started)
		return;
	spot = find_spot(recorder, verdict->line + verdict->missed.offset, verdict->serial);
	row = &get_row(recorder, &spot, &verdict->missed)->total;
	object = &get_object(recorder, &spot)->total;
	if (verdict->is_true) {
		row->nr_true++;
		object->nr_true++;
	} else {
		row->nr_false++;
		object->nr_false++;
	}
	count_pair(recorder, verdict);
}

struct error *recorder_create(const struct recorder_config *config, struct recorder **ret)
{
	struct recorder *recorder = memory_alloc(1, sizeof(*recorder));
	struct coherence_config coherence = config->coherence;
	struct error *err;

	coherence.on_event = note_event;
	coherence.on_verdict = note_verdict;
	coherence.context = recorder;
	recorder->config = *config;
	err = coherence_create(&coherence, &recorder->coherence);
	if (err) {
		free(recorder);
		return err;
	}
	page_arrays_init(&recorder->page_arrays, config->page_struct);
	*ret = recorder;
	return NULL;
}

void recorder_destroy(struct recorder *recorder)
{
	if (!recorder)
		return;
	coherence_destroy(recorder->coherence);
	allocations_deinit(&recorder->allocations);
	sources_deinit(&recorder->sources);
	frames_deinit(&recorder->frames);
	page_arrays_deinit(&recorder->page_arrays);
	tally_deinit(&recorder->row_numbers);
	tally_deinit(&recorder->pair_numbers);
	tally_deinit(&recorder->object_numbers);
	vec_deinit(&recorder->rows);
	vec_deinit(&recorder->pairs);
	vec_deinit(&recorder->objects);
	free(recorder);
}

static void count_access(struct recorder *recorder, const struct coherence_access *access)
{
	struct coherence_touch touch = {
		.place = access->place,
		.size = (uint16_t)access->size,
		.cpu = access->cpu,
	};
	struct memory_spot spot = find_spot(recorder, access->address, recorder_now(recorder));

	get_row(recorder, &spot, &touch)->total.accesses[access->kind]++;
}

static struct memory_spot spot_on_stack(struct recorder *recorder, const struct frame *frame)
{
	struct source source = {
		.form = COUNTS_FORM_FRAME,
		.site = frame->ip,
		.size = frame->size,
	};

	return (struct memory_spot){
		.source = sources_number(&recorder->sources, &source),
		.offset = frame->distance,
	};
}

/* What lies on a stack is told by the function that has it there. */
static void count_by_owner(struct recorder *recorder, const struct coherence_access *access)
{
	struct coherence_touch touch = {
		.place = access->place,
		.size = (uint16_t)access->size,
		.cpu = access->cpu,
	};
	struct memory_spot spot = find_spot(recorder, access->address, recorder_now(recorder));
	struct frame frame;

	if (recorder->sources.all.items[spot.source].form == COUNTS_FORM_VMALLOC &&
	    frames_find(&recorder->frames, access->address, &frame))
		spot = spot_on_stack(recorder, &frame);
	get_row(recorder, &spot, &touch)->total.accesses[access->kind]++;
}

void recorder_access(struct recorder *recorder, const struct coherence_access *access)
{
	bool is_marked;

	recorder->event_row = NO_ROW;
	is_marked = coherence_access(recorder->coherence, access);
	if (!recorder->counting)
		return;
	if (recorder->config.every_access)
		count_by_owner(recorder, access);
	else if (recorder->event_row != NO_ROW)
		recorder->rows.items[recorder->event_row].total.accesses[access->kind]++;
	else if (is_marked)
		count_access(recorder, access);
}

bool recorder_access_quietly(struct recorder *recorder, uint64_t address, uint32_t size,
			     unsigned int cpu, enum coherence_kind kind)
{
	return coherence_access_quietly(recorder->coherence, address, size, cpu, kind);
}

void recorder_start(struct recorder *recorder)
{
	recorder->counting = true;
	recorder->before = *coherence_counts(recorder->coherence);
	recorder->started = recorder_now(recorder);
}

void recorder_stop(struct recorder *recorder)
{
	coherence_flush(recorder->coherence);
	recorder->counting = false;
}

struct coherence_memory recorder_memory(const struct recorder *recorder)
{
	return coherence_memory(recorder->coherence);
}

struct counts_total recorder_total(const struct recorder *recorder)
{
	const struct coherence_counts *now = coherence_counts(recorder->coherence);
	const struct coherence_counts *before = &recorder->before;
	struct counts_total total = {
		.nr_invalidated = now->nr_invalidated - before->nr_invalidated,
	};

	for (size_t i = 0; i < COUNTS_NR_KINDS; i++)
		total.accesses[i] = now->accesses[i] - before->accesses[i];
	for (size_t i = 0; i < COUNTS_NR_EVENTS; i++)
		total.events[i] = now->events[i] - before->events[i];
	for (size_t i = 0; i < COUNTS_NR_CAUSES; i++)
		total.causes[i] = now->misses[i] - before->misses[i];
	for (size_t i = 0; i < recorder->rows.nr; i++) {
		total.nr_true += recorder->rows.items[i].total.nr_true;
		total.nr_false += recorder->rows.items[i].total.nr_false;
	}
	return total;
}

const struct recorder_row_vec *recorder_rows(const struct recorder *recorder)
{
	return &recorder->rows;
}

const struct recorder_pair_vec *recorder_pairs(const struct recorder *recorder)
{
	return &recorder->pairs;
}

const struct recorder_object_vec *recorder_objects(const struct recorder *recorder)
{
	return &recorder->objects;
}

struct allocations *recorder_allocations(struct recorder *recorder)
{
	return &recorder->allocations;
}

struct sources *recorder_sources(struct recorder *recorder)
{
	return &recorder->sources;
}

struct frames *recorder_frames(struct recorder *recorder)
{
	return &recorder->frames;
}

struct page_arrays *recorder_page_arrays(struct recorder *recorder)
{
	return &recorder->page_arrays;
}
