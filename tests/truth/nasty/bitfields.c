/* SPDX-License-Identifier: GPL-2.0-only */
/* Bit-fields across storage units, without a name, of no width, of every type, packed. */
#include "../truth.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct crossing {
	u8 first;
	u32 seven : 7;
	u32 rest : 25;
	u32 one : 1;
	u64 wide : 33;
	u64 tail : 31;
};
SIZE(struct crossing) FIELD(struct crossing, first)
BITS(struct crossing, seven) BITS(struct crossing, rest) BITS(struct crossing, one)
BITS(struct crossing, wide) BITS(struct crossing, tail)

struct nameless {
	u32 three : 3;
	u32 : 0;
	u32 five : 5;
	u8 byte;
	u32 : 4;
	u32 two : 2;
	u64 : 0;
	u8 last : 1;
	u16 : 15;
};
SIZE(struct nameless) BITS(struct nameless, three) BITS(struct nameless, five)
FIELD(struct nameless, byte) BITS(struct nameless, two) BITS(struct nameless, last)

struct mixed {
	u8 byte;
	int sign : 1;
	u16 half;
	int twenty : 20;
	_Bool flag : 1;
	u8 eight : 8;
};
SIZE(struct mixed) FIELD(struct mixed, byte) BITS(struct mixed, sign) FIELD(struct mixed, half)
BITS(struct mixed, twenty) BITS(struct mixed, flag) BITS(struct mixed, eight)

/* A wide unit over bytes that other members have already filled. */
struct overlaid {
	u8 low : 3;
	struct {
		u32 whole;
		u32 y : 3;
		u32 z : 3;
	} __attribute__((packed)) inner;
	u64 big : 40;
	u64 all : 64;
} __attribute__((packed));
SIZE(struct overlaid) BITS(struct overlaid, low) FIELD(struct overlaid, inner)
FIELD(struct overlaid, inner.whole) BITS(struct overlaid, inner.y)
BITS(struct overlaid, inner.z) BITS(struct overlaid, big) BITS(struct overlaid, all)

struct whole_units {
	u64 one : 1;
	u64 rest : 63;
	u64 all : 64;
	u32 word : 32;
	u16 half : 16;
	_Bool flag : 1;
};
SIZE(struct whole_units) BITS(struct whole_units, one) BITS(struct whole_units, rest)
BITS(struct whole_units, all) BITS(struct whole_units, word) BITS(struct whole_units, half)
BITS(struct whole_units, flag)

/* More than 64 KiB in front: old DWARF's offsets inside the unit are negative here. */
struct far {
	char front[70001];
	u64 a : 40;
	u64 b : 40;
} __attribute__((packed));
SIZE(struct far) FIELD(struct far, front) BITS(struct far, a) BITS(struct far, b)

union views {
	u32 word;
	struct {
		u32 low : 4, : 3, high : 9;
	};
	u32 top : 30;
};
SIZE(union views) FIELD(union views, word) BITS(union views, low) BITS(union views, high)
BITS(union views, top)
