/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of one file or pipe of perf's, one after the other, with those that lie compressed
 * in others (zstd) unpacked. Holds one record of each kind, not more, whatever they unpack to.
 */
#ifndef FIELDLINE_TRACE_PERF_STREAM_H
#define FIELDLINE_TRACE_PERF_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "trace/reader.h"

struct ZSTD_DCtx_s;

struct perf_stream {
	struct source *source; /* at the first record */
	uint64_t end;	       /* where the records end, UINT64_MAX = where the file does */
	bool big_endian;
	uint64_t trailing; /* bytes that follow the last record outside its size */
	struct ZSTD_DCtx_s *zstd;
	uint64_t packed_offset; /* of the compressed record being unpacked */
	uint8_t *packed;	/* its payload, a copy; NULL before the first */
	size_t packed_at;
	size_t packed_end;
	uint8_t *plain; /* unpacked and not yet taken */
	size_t plain_at;
	size_t plain_end;
	bool is_plain_full;
};

struct perf_record {
	uint32_t type;
	uint16_t misc;
	uint64_t offset;
	struct bytes body; /* after the header */
};

void perf_stream_deinit(struct perf_stream *stream);
/*
 * The next record, valid until the next call; false at the end. What can't be read is noted in
 * recording; where the framing itself is lost that is the end.
 */
struct error *perf_stream_next(struct perf_stream *stream, struct recording *recording,
			       struct perf_record *ret, bool *ret_more);

#endif
