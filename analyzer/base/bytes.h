/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bounds-checked cursor over bytes of a file. Nothing is ever cast onto file memory.
 *
 * Reading past the end returns 0, moves the cursor to the end and sets `failed`, which stays
 * set: a parser may read a whole record and ask once. Loops must ask each time round, or be
 * bounded by bytes_left().
 */
#ifndef FIELDLINE_BASE_BYTES_H
#define FIELDLINE_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *start;
	const uint8_t *at;
	const uint8_t *end;
	bool big_endian;
	bool failed;
};

static inline struct bytes bytes_over(const void *start, size_t nr, bool big_endian)
{
	const uint8_t *first = start;

	return (struct bytes){ first, first, first + nr, big_endian, false };
}

static inline size_t bytes_left(const struct bytes *bytes)
{
	return (size_t)(bytes->end - bytes->at);
}

static inline size_t bytes_offset(const struct bytes *bytes)
{
	return (size_t)(bytes->at - bytes->start);
}

/* The next nr bytes, or NULL when fewer are left. */
static inline const uint8_t *bytes_take(struct bytes *bytes, uint64_t nr)
{
	const uint8_t *taken = bytes->at;

	if (nr > bytes_left(bytes)) {
		bytes->failed = true;
		bytes->at = bytes->end;
		return NULL;
	}
	bytes->at += nr;
	return taken;
}

static inline void bytes_seek(struct bytes *bytes, uint64_t offset)
{
	bytes->at = bytes->start;
	bytes_take(bytes, offset);
}

static inline uint8_t bytes_u8(struct bytes *bytes)
{
	const uint8_t *p = bytes_take(bytes, 1);

	return p ? *p : 0;
}

#define DEFINE_BYTES_READ(bits)                                                                \
	static inline uint##bits##_t bytes_load_u##bits(const uint8_t *taken, bool big_endian) \
	{                                                                                      \
		uint##bits##_t value;                                                          \
                                                                                               \
		memcpy(&value, taken, sizeof(value));                                          \
		return big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ?                \
			       value :                                                         \
			       __builtin_bswap##bits(value);                                   \
	}                                                                                      \
	static inline uint##bits##_t bytes_u##bits(struct bytes *bytes)                        \
	{                                                                                      \
		const uint8_t *p = bytes_take(bytes, bits / 8);                                \
                                                                                               \
		return p ? bytes_load_u##bits(p, bytes->big_endian) : 0;                       \
	}

/*
 * bytes_u16(), bytes_u32(), bytes_u64(), in the cursor's byte order; bytes_load_u64() and so on of
 * what bytes_take() yielded, which was checked then.
 */
DEFINE_BYTES_READ(16)
DEFINE_BYTES_READ(32)
DEFINE_BYTES_READ(64)

/* The groups of seven bits of a LEB128 (DWARF 5, 7.6); bits above 64 are dropped. */
static inline uint64_t bytes_leb(struct bytes *bytes, unsigned int *ret_nr_bits, uint8_t *ret_last)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = bytes_u8(bytes);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	*ret_nr_bits = shift;
	*ret_last = byte;
	return value;
}

static inline uint64_t bytes_uleb(struct bytes *bytes)
{
	unsigned int nr_bits;
	uint8_t last;

	return bytes_leb(bytes, &nr_bits, &last);
}

static inline int64_t bytes_sleb(struct bytes *bytes)
{
	unsigned int nr_bits;
	uint8_t last;
	uint64_t value = bytes_leb(bytes, &nr_bits, &last);

	if (last & 0x40 && nr_bits < 64)
		value |= ~0ull << nr_bits;
	return (int64_t)value;
}

/* The NUL-terminated string here, or NULL when no NUL follows. */
static inline const char *bytes_string(struct bytes *bytes)
{
	const uint8_t *nul = memchr(bytes->at, 0, bytes_left(bytes));

	return (const char *)bytes_take(bytes, nul ? (uint64_t)(nul - bytes->at) + 1 : UINT64_MAX);
}

#endif
