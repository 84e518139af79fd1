/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_tracepoints.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	bool is_free;
} wanted[] = {
	{ "kmalloc", false },
	{ "kmalloc_node", false },
	{ "kmem_cache_alloc", false },
	{ "kmem_cache_alloc_node", false },
	{ "kfree", true },
	{ "kmem_cache_free", true },
};

/* "offset:8;" in the line of a field. */
static uint32_t attribute(const char *line, const char *end, const char *name)
{
	const char *at = memmem(line, (size_t)(end - line), name, strlen(name));

	return at ? (uint32_t)strtoul(at + strlen(name), NULL, 10) : 0;
}

static struct tracepoint_field *field_named(struct tracepoint *tracepoint, const char *name,
					    size_t length)
{
	const struct {
		const char *name;
		struct tracepoint_field *field;
	} fields[] = {
		{ "call_site", &tracepoint->site }, { "ptr", &tracepoint->addr },
		{ "bytes_req", &tracepoint->size }, { "bytes_alloc", &tracepoint->allocated },
		{ "name", &tracepoint->name },
	};

	for (size_t i = 0; i < array_size(fields); i++) {
		if (strlen(fields[i].name) == length && !memcmp(fields[i].name, name, length))
			return fields[i].field;
	}
	return NULL;
}

/* "\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;" */
static void parse_field(struct tracepoint *tracepoint, const char *line, const char *end)
{
	const char *semicolon = memchr(line, ';', (size_t)(end - line));
	struct tracepoint_field *field;
	const char *name;

	if (!memmem(line, (size_t)(end - line), "field:", 6) || !semicolon)
		return;
	for (name = semicolon; name > line && name[-1] != ' ' && name[-1] != ':';)
		name--;
	field = field_named(tracepoint, name, (size_t)(semicolon - name));
	if (field)
		*field = (struct tracepoint_field){ attribute(line, end, "offset:"),
						    attribute(line, end, "size:") };
}

/* One event's format file, NUL-terminated; what is not wanted is skipped. */
static void parse_format(struct tracepoint_vec *tracepoints, const char *text)
{
	struct tracepoint tracepoint = {};
	const char *name = strstr(text, "name: ");
	const char *id = strstr(text, "ID: ");
	const char *end;
	size_t i, length;

	if (!name || !id)
		return;
	name += strlen("name: ");
	length = strcspn(name, "\n");
	for (i = 0; i < array_size(wanted); i++) {
		if (strlen(wanted[i].name) == length && !memcmp(wanted[i].name, name, length))
			break;
	}
	if (i == array_size(wanted))
		return;
	tracepoint.is_free = wanted[i].is_free;
	tracepoint.id = strtoull(id + strlen("ID: "), NULL, 10);
	for (const char *line = text; *line; line = end) {
		end = line + strcspn(line, "\n");
		parse_field(&tracepoint, line, end);
		end += *end == '\n';
	}
	if (tracepoint.addr.size)
		*vec_add(tracepoints) = tracepoint;
}

static bool parse_system(struct tracepoint_vec *tracepoints, struct bytes *bytes)
{
	const char *system = bytes_string(bytes);
	uint32_t nr = bytes_u32(bytes);
	const uint8_t *format;
	uint64_t size;

	for (uint32_t i = 0; i < nr && !bytes->failed; i++) {
		size = bytes_u64(bytes);
		format = bytes_take(bytes, size);
		if (format && system && !strcmp(system, "kmem")) {
			auto_text struct text text = {};

			text_add_bytes(&text, (const char *)format, size);
			parse_format(tracepoints, text_chars(&text));
		}
	}
	return !bytes->failed;
}

static void skip_section(struct bytes *bytes)
{
	bytes_string(bytes); /* "header_page", "header_event" */
	bytes_take(bytes, bytes_u64(bytes));
}

/*
 * magic, "tracing", version, byte order, size of a long, page size; two headers; formats of
 * ftrace's own; systems and the formats of their events (trace-cmd's trace.dat(5), version 6).
 */
bool tracepoints_parse(struct tracepoint_vec *tracepoints, struct bytes bytes)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	const uint8_t *start = bytes_take(&bytes, sizeof(magic));
	uint32_t nr;

	if (!start || memcmp(start, magic, sizeof(magic)))
		return false;
	bytes_string(&bytes); /* version */
	bytes.big_endian = bytes_u8(&bytes);
	bytes_u8(&bytes);
	bytes_u32(&bytes);
	skip_section(&bytes);
	skip_section(&bytes);
	nr = bytes_u32(&bytes);
	for (uint32_t i = 0; i < nr && !bytes.failed; i++)
		bytes_take(&bytes, bytes_u64(&bytes));
	nr = bytes_u32(&bytes);
	for (uint32_t i = 0; i < nr && !bytes.failed; i++)
		parse_system(tracepoints, &bytes);
	return !bytes.failed;
}

const struct tracepoint *tracepoint_find(const struct tracepoint_vec *tracepoints, uint64_t id)
{
	for (size_t i = 0; i < tracepoints->nr; i++) {
		if (tracepoints->items[i].id == id)
			return &tracepoints->items[i];
	}
	return NULL;
}

static uint64_t read_field(struct bytes bytes, struct tracepoint_field field)
{
	bytes_seek(&bytes, field.offset);
	switch (field.size) {
	case 4:
		return bytes_u32(&bytes);
	case 8:
		return bytes_u64(&bytes);
	default:
		return 0;
	}
}

/* A __data_loc: where the string is and, in the upper half, how long. */
static const char *read_name(struct recording *recording, struct bytes bytes,
			     struct tracepoint_field field)
{
	uint32_t where = (uint32_t)read_field(bytes, field);
	const uint8_t *chars;

	if (field.size != 4)
		return NULL;
	bytes_seek(&bytes, where & 0xffff);
	chars = bytes_take(&bytes, where >> 16);
	return chars ? recording_keep_name(recording, (const char *)chars, where >> 16) : NULL;
}

bool tracepoint_parse(const struct tracepoint *tracepoint, struct recording *recording,
		      const struct sample *sample, struct perf_raw raw, struct item *ret)
{
	struct bytes bytes = bytes_over(raw.bytes, raw.nr, recording->about.big_endian);
	struct recorded_allocation allocation = {
		.addr = read_field(bytes, tracepoint->addr),
		.size = read_field(bytes, tracepoint->size),
		.allocated = read_field(bytes, tracepoint->allocated),
		.site = read_field(bytes, tracepoint->site),
		.cache = read_name(recording, bytes, tracepoint->name),
		.cpu = sample->cpu,
		.pid = sample->pid,
	};

	if (!allocation.addr) /* kfree(NULL) is traced, too */
		return false;
	ret->kind = tracepoint->is_free ? ITEM_FREE : ITEM_ALLOCATION;
	ret->time_ns = sample->time_ns;
	ret->allocation = allocation;
	return true;
}
