/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/decode.h"

#include <string.h>

enum { LOCK = 0xf0, REX_W = 0x48 };

static bool is_prefix(uint8_t byte)
{
	/* Segments, operand and address size, repetition, lock (Intel SDM 2A, 2.1.1). */
	return byte && strchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", byte);
}

static uint8_t decode_mark(const uint8_t *bytes, size_t nr)
{
	static const uint8_t start[] = { 0x0f, 0x1f, 0x80 };
	static const uint8_t end[] = { 0x2c, 0x0c, 0xc2 };

	if (nr != 7 || memcmp(bytes, start, 3) || memcmp(bytes + 4, end, 3))
		return 0;
	return bytes[3];
}

/* Moves of a whole SSE register, and cmpxchg16b; the opcodes after 0f. */
static bool is_wide(uint8_t opcode, uint8_t modrm, uint8_t rex)
{
	switch (opcode) {
	case 0x10 ... 0x11: /* movups, movupd */
	case 0x28 ... 0x29: /* movaps, movapd */
	case 0x2b:	    /* movntps */
	case 0x6f:	    /* movdqa, movdqu */
	case 0x7f:
	case 0xe7: /* movntdq */
		return true;
	case 0xc7:
		return (modrm >> 3 & 7) == 1 && (rex & REX_W) == REX_W;
	default:
		return false;
	}
}

struct decoded decode(const uint8_t *bytes, size_t nr)
{
	struct decoded decoded = { .mark = decode_mark(bytes, nr) };
	uint8_t rex = 0;
	size_t i = 0;

	for (; i < nr && is_prefix(bytes[i]); i++)
		decoded.is_atomic |= bytes[i] == LOCK;
	if (i < nr && (bytes[i] & 0xf0) == 0x40)
		rex = bytes[i++];
	if (i + 1 < nr && (bytes[i] == 0x86 || bytes[i] == 0x87) && bytes[i + 1] >> 6 != 3)
		decoded.is_atomic = true;
	decoded.is_call = i < nr && (bytes[i] == 0xe8 || (bytes[i] == 0xff && i + 1 < nr &&
							  (bytes[i + 1] >> 3 & 7) == 2));
	decoded.is_return = i < nr && (bytes[i] == 0xc2 || bytes[i] == 0xc3);
	if (i + 2 < nr && bytes[i] == 0x0f && bytes[i + 2] >> 6 != 3)
		decoded.is_wide = is_wide(bytes[i + 1], bytes[i + 2], rex);
	return decoded;
}
