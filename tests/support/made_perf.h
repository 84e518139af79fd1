/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of perf's put together byte by byte, with what our writer does not write: any sample type,
 * compressed records, tracing data, damage.
 */
#ifndef FIELDLINE_TESTS_SUPPORT_MADE_PERF_H
#define FIELDLINE_TESTS_SUPPORT_MADE_PERF_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "trace/pack.h"
#include "trace/perf_format.h"

enum { MADE_ATTR_BYTES = 128, MADE_MAX_FEATURES = 8 };

struct made_attr {
	uint32_t type;
	uint64_t config;
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t user_registers;
	uint64_t interrupt_registers;
	uint64_t id; /* 0 = it has none */
	bool sample_id_all;
};

struct made_feature {
	unsigned int bit;
	struct pack contents;
};

struct made_perf {
	const struct made_attr *attrs;
	size_t nr_attrs;
	struct pack records; /* its byte order is that of the file */
	struct made_feature features[MADE_MAX_FEATURES];
	size_t nr_features; /* by bit, ascending */
	bool unfinished;    /* as perf leaves it when it is killed */
};

static inline void made_perf_deinit(struct made_perf *perf)
{
	vec_deinit(&perf->records);
	for (size_t i = 0; i < perf->nr_features; i++)
		vec_deinit(&perf->features[i].contents);
}

#define auto_made_perf __attribute__((cleanup(made_perf_deinit)))

/* Begins a record; what is packed after it is its body, up to made_record_end(). */
static inline size_t made_record(struct pack *records, uint32_t type, uint16_t misc)
{
	size_t start = records->nr;

	pack_u32(records, type);
	pack_u16(records, misc);
	pack_u16(records, 0);
	return start;
}

static inline void made_record_end(struct pack *records, size_t start)
{
	size_t end = records->nr;

	records->nr = start + 6;
	pack_u16(records, (uint16_t)(end - start));
	records->nr = end;
}

static inline void made_name(struct pack *records, const char *name)
{
	pack_bytes(records, name, strlen(name));
	pack_zeros(records, 8 - strlen(name) % 8);
}

/* The string of a feature. */
static inline void made_string(struct pack *pack, const char *chars)
{
	pack_u32(pack, (uint32_t)strlen(chars) + 1);
	pack_bytes(pack, chars, strlen(chars) + 1);
}

static inline struct pack *made_feature(struct made_perf *perf, unsigned int bit)
{
	struct made_feature *feature = &perf->features[perf->nr_features++];

	*feature = (struct made_feature){ bit, { .big_endian = perf->records.big_endian } };
	return &feature->contents;
}

static inline void made_attr(struct pack *pack, const struct made_attr *attr)
{
	size_t end = pack->nr + MADE_ATTR_BYTES;
	uint64_t sample_id_all = 1ull << (pack->big_endian ? 63 - 18 : 18);

	pack_u32(pack, attr->type);
	pack_u32(pack, MADE_ATTR_BYTES);
	pack_u64(pack, attr->config);
	pack_u64(pack, 1); /* period */
	pack_u64(pack, attr->sample_type);
	pack_u64(pack, attr->read_format);
	pack_u64(pack, attr->sample_id_all ? sample_id_all : 0);
	pack_u64(pack, 0); /* wakeup, bp_type */
	pack_u64(pack, 0); /* config1 */
	pack_u64(pack, 0); /* config2 */
	pack_u64(pack, attr->branch_sample_type);
	pack_u64(pack, attr->user_registers);
	pack_u64(pack, 0); /* sample_stack_user, clockid */
	pack_u64(pack, attr->interrupt_registers);
	pack_zeros(pack, end - pack->nr);
}

/* Packs records of another pack as one that holds them compressed. */
static inline void made_compressed(struct pack *records, ZSTD_CCtx *zstd, const struct pack *plain,
				   uint32_t type)
{
	size_t bound = ZSTD_compressBound(plain->nr) + 64;
	auto_free uint8_t *packed = memory_alloc(bound, 1);
	ZSTD_inBuffer in = { plain->items, plain->nr, 0 };
	ZSTD_outBuffer out = { packed, bound, 0 };
	size_t start;

	ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush);
	start = made_record(records, type, 0);
	if (type == PERF_USER_COMPRESSED2)
		pack_u64(records, out.pos);
	pack_bytes(records, packed, out.pos);
	if (type == PERF_USER_COMPRESSED2)
		pack_zeros(records, (8 - out.pos % 8) % 8);
	made_record_end(records, start);
}

/* The file: header, ids, attrs, records, features. To be freed. */
static inline struct pack made_perf_file(const struct made_perf *perf)
{
	struct pack file = { .big_endian = perf->records.big_endian };
	uint64_t ids = PERF_FILE_HEADER_BYTES;
	uint64_t attrs = ids + 8 * perf->nr_attrs;
	uint64_t data = attrs + perf->nr_attrs * (MADE_ATTR_BYTES + PERF_SECTION_BYTES);
	uint64_t at = data + perf->records.nr + perf->nr_features * PERF_SECTION_BYTES;
	uint64_t bits = 0;

	for (size_t i = 0; i < perf->nr_features; i++)
		bits |= 1ull << perf->features[i].bit;
	pack_u64(&file, PERF_MAGIC_NUMBER);
	pack_u64(&file, PERF_FILE_HEADER_BYTES);
	pack_u64(&file, MADE_ATTR_BYTES + PERF_SECTION_BYTES);
	pack_u64(&file, attrs);
	pack_u64(&file, data - attrs);
	pack_u64(&file, data);
	pack_u64(&file, perf->unfinished ? 0 : perf->records.nr);
	pack_zeros(&file, PERF_SECTION_BYTES);
	pack_u64(&file, perf->unfinished ? 0 : bits);
	pack_zeros(&file, 24);
	for (size_t i = 0; i < perf->nr_attrs; i++)
		pack_u64(&file, perf->attrs[i].id);
	for (size_t i = 0; i < perf->nr_attrs; i++) {
		made_attr(&file, &perf->attrs[i]);
		pack_u64(&file, ids + 8 * i);
		pack_u64(&file, perf->attrs[i].id ? 8 : 0);
	}
	pack_bytes(&file, perf->records.items, perf->records.nr);
	for (size_t i = 0; i < perf->nr_features && !perf->unfinished; i++) {
		pack_u64(&file, at);
		pack_u64(&file, perf->features[i].contents.nr);
		at += perf->features[i].contents.nr;
	}
	for (size_t i = 0; i < perf->nr_features && !perf->unfinished; i++)
		pack_bytes(&file, perf->features[i].contents.items, perf->features[i].contents.nr);
	return file;
}

/* The tracing data of one tracepoint, as trace-cmd and perf write it. */
static inline void made_tracing_data(struct pack *pack, const char *system, const char *format)
{
	pack_bytes(pack, "\x17\x08\x44tracing", 10);
	pack_bytes(pack, "0.6", 4);
	pack_bytes(pack, pack->big_endian ? "\1\10" : "\0\10", 2);
	pack_u32(pack, 4096);
	pack_bytes(pack, "header_page", 12);
	pack_u64(pack, 0);
	pack_bytes(pack, "header_event", 13);
	pack_u64(pack, 0);
	pack_u32(pack, 0); /* formats of ftrace's own */
	pack_u32(pack, 1);
	pack_bytes(pack, system, strlen(system) + 1);
	pack_u32(pack, 1);
	pack_u64(pack, strlen(format));
	pack_bytes(pack, format, strlen(format));
}

#define MADE_KMALLOC                                                             \
	"name: kmalloc\nID: 441\nformat:\n"                                      \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n" \
	"\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n"      \
	"\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n"            \
	"\tfield:size_t bytes_req;\toffset:24;\tsize:8;\tsigned:0;\n"            \
	"\tfield:size_t bytes_alloc;\toffset:32;\tsize:8;\tsigned:0;\n"          \
	"\tfield:unsigned long gfp_flags;\toffset:40;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n"

#endif
