/* SPDX-License-Identifier: GPL-2.0-only */
/* Packed and aligned at once, in types and in members, and alignments beyond a member's own. */
#include "../truth.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef u64 u64_on_4 __attribute__((aligned(4)));

struct packed_aligned {
	u8 a;
	u64 b;
	u16 c;
} __attribute__((packed, aligned(8)));
SIZE(struct packed_aligned) FIELD(struct packed_aligned, a) FIELD(struct packed_aligned, b)
FIELD(struct packed_aligned, c)

struct packed_member {
	u8 a;
	u64 b __attribute__((packed));
	u32 c;
};
SIZE(struct packed_member) FIELD(struct packed_member, a) FIELD(struct packed_member, b)
FIELD(struct packed_member, c)

struct packed_to_2 {
	u8 a;
	u64 b __attribute__((packed, aligned(2)));
	u32 c;
};
SIZE(struct packed_to_2) FIELD(struct packed_to_2, a) FIELD(struct packed_to_2, b)
FIELD(struct packed_to_2, c)

#pragma pack(push, 2)
struct pragma_2 {
	u8 a;
	u64 b;
	u8 c;
};
#pragma pack(pop)
SIZE(struct pragma_2) FIELD(struct pragma_2, a) FIELD(struct pragma_2, b)
FIELD(struct pragma_2, c)

struct loose_type {
	u32 a;
	u64_on_4 b;
	u8 c;
};
SIZE(struct loose_type) FIELD(struct loose_type, a) FIELD(struct loose_type, b)
FIELD(struct loose_type, c)

struct line {
	u32 value;
} __attribute__((aligned(64)));
SIZE(struct line) FIELD(struct line, value)

struct over_aligned {
	u8 a;
	u32 b __attribute__((aligned(32)));
	struct line line;
	u8 c;
};
SIZE(struct over_aligned) FIELD(struct over_aligned, a) FIELD(struct over_aligned, b)
FIELD(struct over_aligned, line) FIELD(struct over_aligned, line.value)
FIELD(struct over_aligned, c)

/* As ____cacheline_aligned_in_smp leaves it: the last member alone on its line. */
struct two_lines {
	u64 read_mostly;
	u32 written __attribute__((aligned(64)));
};
SIZE(struct two_lines) FIELD(struct two_lines, read_mostly) FIELD(struct two_lines, written)

struct packed_line {
	u8 a;
	struct line line;
	u8 b;
} __attribute__((packed));
SIZE(struct packed_line) FIELD(struct packed_line, a) FIELD(struct packed_line, line)
FIELD(struct packed_line, line.value) FIELD(struct packed_line, b)
