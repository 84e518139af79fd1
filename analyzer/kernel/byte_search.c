/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/byte_search.h"

#include <string.h>

/* 32 bytes as lanes; the compiler splits them where the machine has narrower registers. */
typedef uint32_t lanes __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint64_t wide_lanes __attribute__((vector_size(32)));

#define BLOCK_BYTES 128

/* One block at its four alignments; 3 bytes behind it are read too. */
static inline __attribute__((always_inline)) bool block_holds(const uint8_t *at, uint32_t value)
{
	const lanes wanted = value - (lanes){};
	lanes found = {};
	wide_lanes any;

	for (int i = 0; i < BLOCK_BYTES; i += (int)sizeof(lanes)) {
		for (int shift = 0; shift < 4; shift++) {
			lanes here;

			memcpy(&here, at + i + shift, sizeof(here));
			found |= (lanes)(here == wanted);
		}
	}
	memcpy(&any, &found, sizeof(any));
	return any[0] | any[1] | any[2] | any[3];
}

static inline __attribute__((always_inline)) bool holds(const uint8_t *at, const uint8_t *end,
							uint32_t value)
{
	uint32_t here;

	for (; end - at >= BLOCK_BYTES + 3; at += BLOCK_BYTES) {
		if (block_holds(at, value))
			return true;
	}
	for (; end - at >= (long)sizeof(here); at++) {
		memcpy(&here, at, sizeof(here));
		if (here == value)
			return true;
	}
	return false;
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) bool holds_avx2(const uint8_t *at, const uint8_t *end,
						       uint32_t value)
{
	return holds(at, end, value);
}
#endif

bool bytes_hold_u32(const uint8_t *at, const uint8_t *end, uint32_t value)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return holds_avx2(at, end, value);
#endif
	return holds(at, end, value);
}
