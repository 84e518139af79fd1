/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"

void counts_deinit(struct counts *counts)
{
	vec_deinit(&counts->about);
	vec_deinit(&counts->caches);
	vec_deinit(&counts->sources);
	vec_deinit(&counts->places);
	vec_deinit(&counts->modules);
	vec_deinit(&counts->sections);
	vec_deinit(&counts->rows);
	vec_deinit(&counts->pairs);
	vec_deinit(&counts->objects);
	arena_deinit(&counts->arena);
}

static const char *read_string(struct counts *counts, struct bytes *bytes)
{
	uint64_t nr = bytes_uleb(bytes);
	const uint8_t *chars = bytes_take(bytes, nr);

	return chars ? arena_printf(&counts->arena, "%.*s", (int)nr, (const char *)chars) : "";
}

/* An index or a size; what does not fit into 32 bits is no such thing. */
static uint32_t read_u32(struct bytes *bytes)
{
	uint64_t value = bytes_uleb(bytes);

	if (value > UINT32_MAX)
		bytes->failed = true;
	return (uint32_t)value;
}

/* The index of something of which nr are known so far. */
static uint32_t read_index(struct bytes *bytes, size_t nr)
{
	uint32_t value = read_u32(bytes);

	if (value >= nr)
		bytes->failed = true;
	return value;
}

/* What is numbered comes in the order of its numbers. */
static void read_number(struct bytes *bytes, size_t nr)
{
	if (bytes_uleb(bytes) != nr)
		bytes->failed = true;
}

static void read_total(struct bytes *bytes, struct counts_total *ret)
{
	uint64_t *numbers = (uint64_t *)ret;

	for (size_t i = 0; i < COUNTS_TOTAL_NUMBERS; i++)
		numbers[i] = bytes_uleb(bytes);
}

static void read_source(struct counts *counts, struct bytes *bytes)
{
	struct counts_source source = {};

	read_number(bytes, counts->sources.nr);
	source.form = read_index(bytes, COUNTS_NR_FORMS);
	source.cache = read_index(bytes, counts->caches.nr + 1);
	if (source.form == COUNTS_FORM_SLAB && !source.cache)
		bytes->failed = true;
	source.site = bytes_uleb(bytes);
	source.size = bytes_uleb(bytes);
	*vec_add(&counts->sources) = source;
}

static void read_cache(struct counts *counts, struct bytes *bytes)
{
	struct counts_cache cache = {};

	read_number(bytes, counts->caches.nr);
	cache.object_size = read_u32(bytes);
	cache.size = read_u32(bytes);
	cache.name = read_string(counts, bytes);
	*vec_add(&counts->caches) = cache;
}

static void read_code(struct counts *counts, enum counts_type type, struct bytes *bytes)
{
	struct counts_place place = {};
	struct counts_module module = {};
	struct counts_section section = {};

	if (type == COUNTS_PLACE) {
		read_number(bytes, counts->places.nr);
		place.ip = bytes_uleb(bytes);
		place.is_atomic = bytes_uleb(bytes);
		*vec_add(&counts->places) = place;
	} else if (type == COUNTS_MODULE) {
		module.start = bytes_uleb(bytes);
		module.size = bytes_uleb(bytes);
		module.name = read_string(counts, bytes);
		*vec_add(&counts->modules) = module;
	} else {
		section.address = bytes_uleb(bytes);
		section.module = read_string(counts, bytes);
		section.name = read_string(counts, bytes);
		*vec_add(&counts->sections) = section;
	}
}

static void read_row(struct counts *counts, struct bytes *bytes)
{
	struct counts_row row = {};

	row.source = read_index(bytes, counts->sources.nr);
	row.offset = read_u32(bytes);
	row.size = read_u32(bytes);
	row.phase = read_u32(bytes);
	row.place = read_index(bytes, counts->places.nr);
	row.context = read_index(bytes, COUNTS_NR_CONTEXTS);
	row.cpu = read_u32(bytes);
	read_total(bytes, &row.total);
	*vec_add(&counts->rows) = row;
}

static void read_pair(struct counts *counts, struct bytes *bytes)
{
	struct counts_pair pair = {};

	pair.writer_source = read_index(bytes, counts->sources.nr);
	pair.writer_offset = read_u32(bytes);
	pair.writer_place = read_index(bytes, counts->places.nr);
	pair.reader_source = read_index(bytes, counts->sources.nr);
	pair.reader_offset = read_u32(bytes);
	pair.reader_place = read_index(bytes, counts->places.nr);
	pair.nr_true = bytes_uleb(bytes);
	pair.nr_false = bytes_uleb(bytes);
	*vec_add(&counts->pairs) = pair;
}

static void read_object(struct counts *counts, struct bytes *bytes)
{
	struct counts_object object = {};

	object.source = read_index(bytes, counts->sources.nr);
	object.start = bytes_uleb(bytes);
	read_total(bytes, &object.total);
	*vec_add(&counts->objects) = object;
}

static void read_about(struct counts *counts, struct bytes *bytes)
{
	struct counts_about about = {};

	about.name = read_string(counts, bytes);
	about.value = read_string(counts, bytes);
	*vec_add(&counts->about) = about;
}

static void read_payload(struct counts *counts, enum counts_type type, struct bytes *bytes)
{
	switch (type) {
	case COUNTS_ABOUT:
		read_about(counts, bytes);
		break;
	case COUNTS_TOTAL:
		read_string(counts, bytes);
		read_total(bytes, &counts->total);
		break;
	case COUNTS_CACHE:
		read_cache(counts, bytes);
		break;
	case COUNTS_SOURCE:
		read_source(counts, bytes);
		break;
	case COUNTS_PLACE:
	case COUNTS_MODULE:
	case COUNTS_SECTION:
		read_code(counts, type, bytes);
		break;
	case COUNTS_ROW:
		read_row(counts, bytes);
		break;
	case COUNTS_PAIR:
		read_pair(counts, bytes);
		break;
	case COUNTS_OBJECT:
		read_object(counts, bytes);
		break;
	case COUNTS_END:
		break;
	}
}

static struct error *read_records(struct counts *counts, struct bytes *bytes)
{
	while (bytes_left(bytes)) {
		size_t at = bytes_offset(bytes);
		uint64_t type = bytes_uleb(bytes);
		uint64_t nr = bytes_uleb(bytes);
		const uint8_t *payload = bytes_take(bytes, nr);
		struct bytes inner;

		if (!payload || bytes->failed)
			break;
		inner = bytes_over(payload, nr, false);
		read_payload(counts, (enum counts_type)type, &inner);
		if (inner.failed)
			return error_create(ERROR_INPUT, "record at 0x%zx: makes no sense", at);
		if (type == COUNTS_END)
			return NULL;
	}
	return error_create(ERROR_INPUT, "ends at 0x%zx, in the middle of the counts",
			    bytes_offset(bytes));
}

static struct error *read_file(const struct file *file, struct counts *counts)
{
	struct bytes bytes = bytes_over(file->data, file->size, false);
	const uint8_t *magic = bytes_take(&bytes, strlen(COUNTS_MAGIC));
	uint32_t version = bytes_u32(&bytes);
	uint32_t nr_header = bytes_u32(&bytes);

	if (!magic || memcmp(magic, COUNTS_MAGIC, strlen(COUNTS_MAGIC)))
		return error_create(ERROR_INPUT, "holds no counts of an emulated run");
	if (version != COUNTS_VERSION)
		return error_create(ERROR_INPUT, "version %u, only %d is known", version,
				    COUNTS_VERSION);
	bytes_seek(&bytes, nr_header);
	return read_records(counts, &bytes);
}

struct error *counts_read(const char *path, struct counts *ret)
{
	auto_counts struct counts counts = {};
	auto_file struct file file = {};
	struct error *err = file_read(path, &file);

	if (!err)
		err = error_wrap(read_file(&file, &counts), "cannot read '%s'", path);
	if (err)
		return err;
	*ret = counts;
	counts = (struct counts){};
	return NULL;
}

uint64_t counts_about(const struct counts *counts, const char *name)
{
	for (size_t i = 0; i < counts->about.nr; i++) {
		if (!strcmp(counts->about.items[i].name, name))
			return strtoull(counts->about.items[i].value, NULL, 10);
	}
	return 0;
}
