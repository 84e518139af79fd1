/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/perf_stream.h"

#include <zstd.h>

#include "base/bytes.h"
#include "trace/perf_format.h"

/* Room for the longest record and what of the next one zstd hands out with it. */
enum { PLAIN_BYTES = 4 * (PERF_RECORD_BYTES_MAX + 1) };

/* perf compresses with windows of at most 128 MB (zstd level 22); more is not perf's. */
enum { WINDOW_LOG_MAX = 27 };

void perf_stream_deinit(struct perf_stream *stream)
{
	ZSTD_freeDCtx(stream->zstd);
	free(stream->packed);
	free(stream->plain);
	*stream = (struct perf_stream){};
}

struct framing {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
};

static struct framing read_framing(const uint8_t *bytes, bool big_endian)
{
	struct bytes header = bytes_over(bytes, PERF_RECORD_HEADER_BYTES, big_endian);
	struct framing framing;

	framing.type = bytes_u32(&header);
	framing.misc = bytes_u16(&header);
	framing.size = bytes_u16(&header);
	return framing;
}

static struct perf_record record_at(const struct perf_stream *stream, const uint8_t *bytes,
				    struct framing framing, uint64_t offset)
{
	return (struct perf_record){
		.type = framing.type,
		.misc = framing.misc,
		.offset = offset,
		.body = bytes_over(bytes + PERF_RECORD_HEADER_BYTES,
				   framing.size - PERF_RECORD_HEADER_BYTES, stream->big_endian),
	};
}

static void begin_packed(struct perf_stream *stream, struct perf_record *record)
{
	uint64_t nr = bytes_left(&record->body);
	const uint8_t *payload;

	if (record->type == PERF_USER_COMPRESSED2) {
		uint64_t told = bytes_u64(&record->body);

		nr = told < bytes_left(&record->body) ? told : bytes_left(&record->body);
	}
	if (!stream->packed) {
		stream->packed = memory_alloc(PERF_RECORD_BYTES_MAX, 1);
		stream->plain = memory_alloc(PLAIN_BYTES, 1);
		stream->zstd = ZSTD_createDCtx();
		ZSTD_DCtx_setParameter(stream->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	}
	payload = bytes_take(&record->body, nr);
	memcpy(stream->packed, payload, nr);
	stream->packed_at = 0;
	stream->packed_end = nr;
	stream->packed_offset = record->offset;
}

static void give_up_packed(struct perf_stream *stream, struct recording *recording, const char *why)
{
	recording->counts.nr_damaged++;
	recording_note(recording, stream->packed_offset, "compressed records: %s", why);
	stream->packed_at = stream->packed_end = 0;
	stream->plain_at = stream->plain_end = 0;
	stream->is_plain_full = false;
	ZSTD_DCtx_reset(stream->zstd, ZSTD_reset_session_only);
}

/* Unpacks more of what is packed; false when there is nothing more to be had from it. */
static bool unpack(struct perf_stream *stream, struct recording *recording)
{
	ZSTD_inBuffer in = { stream->packed, stream->packed_end, stream->packed_at };
	ZSTD_outBuffer out = { stream->plain, PLAIN_BYTES, 0 };
	size_t before, result;

	/* Without input only where the last time there was no room for all that came of it. */
	if (stream->packed_at == stream->packed_end && !stream->is_plain_full)
		return false;
	memmove(stream->plain, stream->plain + stream->plain_at,
		stream->plain_end - stream->plain_at);
	stream->plain_end -= stream->plain_at;
	stream->plain_at = 0;
	before = out.pos = stream->plain_end;
	result = ZSTD_decompressStream(stream->zstd, &out, &in);
	stream->packed_at = in.pos;
	stream->plain_end = out.pos;
	stream->is_plain_full = out.pos == out.size;
	if (ZSTD_isError(result)) {
		give_up_packed(stream, recording, ZSTD_getErrorName(result));
		return false;
	}
	return out.pos > before || in.pos < in.size;
}

/* A whole record of what is unpacked; false when more is needed. */
static bool take_plain(struct perf_stream *stream, struct recording *recording,
		       struct perf_record *ret)
{
	const uint8_t *bytes = stream->plain + stream->plain_at;
	size_t left = stream->plain_end - stream->plain_at;
	struct framing framing;

	if (left < PERF_RECORD_HEADER_BYTES)
		return false;
	framing = read_framing(bytes, stream->big_endian);
	if (framing.size < PERF_RECORD_HEADER_BYTES) {
		give_up_packed(stream, recording, "a record shorter than its header");
		return false;
	}
	if (left < framing.size)
		return false;
	*ret = record_at(stream, bytes, framing, stream->packed_offset);
	stream->plain_at += framing.size;
	return true;
}

/* What a record is followed by that is not in its size. */
static uint64_t trailing_bytes(const struct perf_record *record)
{
	struct bytes body = record->body;

	if (record->type == PERF_USER_AUXTRACE)
		return bytes_u64(&body);
	if (record->type == PERF_USER_TRACING_DATA)
		return bytes_u32(&body);
	return 0;
}

/* The next record as it lies in the file. */
static struct error *take_record(struct perf_stream *stream, struct recording *recording,
				 struct perf_record *ret, bool *ret_more)
{
	struct source *source = stream->source;
	uint64_t offset = source->offset;
	struct framing framing;
	const uint8_t *bytes;
	struct error *err;
	size_t left;

	*ret_more = false;
	if (offset >= stream->end)
		return NULL;
	err = source_peek(source, PERF_RECORD_HEADER_BYTES, &bytes, &left);
	if (err)
		return err;
	if (left < PERF_RECORD_HEADER_BYTES) {
		if (left || stream->end != UINT64_MAX)
			recording_note_truncated(recording, offset);
		return NULL;
	}
	framing = read_framing(bytes, stream->big_endian);
	if (framing.size < PERF_RECORD_HEADER_BYTES) {
		/* Without a size nothing that follows can be found. */
		recording->counts.nr_damaged++;
		recording_note(recording, offset,
			       "a record shorter than its header: nothing after it can be read");
		return NULL;
	}
	err = source_peek(source, framing.size, &bytes, &left);
	if (err)
		return err;
	if (left < framing.size || stream->end - offset < framing.size) {
		recording_note_truncated(recording, offset);
		return NULL;
	}
	*ret = record_at(stream, bytes, framing, offset);
	source_take(source, framing.size);
	*ret_more = true;
	return NULL;
}

struct error *perf_stream_next(struct perf_stream *stream, struct recording *recording,
			       struct perf_record *ret, bool *ret_more)
{
	struct error *err;

	for (;;) {
		*ret_more = true;
		if (stream->plain && take_plain(stream, recording, ret))
			return NULL;
		if (unpack(stream, recording))
			continue;
		if (stream->trailing) {
			err = source_skip(stream->source, stream->trailing);
			stream->trailing = 0;
			if (err)
				return err;
		}
		err = take_record(stream, recording, ret, ret_more);
		if (err || !*ret_more)
			return err;
		stream->trailing = trailing_bytes(ret);
		if (ret->type != PERF_USER_COMPRESSED && ret->type != PERF_USER_COMPRESSED2)
			return NULL;
		begin_packed(stream, ret);
	}
}
