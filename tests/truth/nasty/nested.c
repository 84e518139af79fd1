/* SPDX-License-Identifier: GPL-2.0-only */
/* Anonymous and empty members, nested in every way, and enums of every size. */
#include "../truth.h"

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

struct anonymous {
	union {
		struct {
			u32 low, high;
		};
		u64 both;
		u8 bytes[8];
		struct {
			u8 tag;
			union {
				u32 deep;
				struct {
					u8 pad, deeper;
				};
			};
		};
	};
	struct {
		u8 alone;
	};
	enum { LITTLE, LARGE = 300 } e;
};
SIZE(struct anonymous) FIELD(struct anonymous, low) FIELD(struct anonymous, high)
FIELD(struct anonymous, both) FIELD(struct anonymous, bytes) FIELD(struct anonymous, tag)
FIELD(struct anonymous, deep) FIELD(struct anonymous, pad) FIELD(struct anonymous, deeper)
FIELD(struct anonymous, alone) FIELD(struct anonymous, e)

struct named_inside {
	u8 first;
	struct {
		u8 a;
		struct {
			u64 b;
			u8 c;
		} second;
	} one;
	union {
		u32 x;
		u8 y;
	} either;
	const struct {
		u8 z;
	} constant;
};
SIZE(struct named_inside) FIELD(struct named_inside, first) FIELD(struct named_inside, one)
FIELD(struct named_inside, one.a) FIELD(struct named_inside, one.second)
FIELD(struct named_inside, one.second.b) FIELD(struct named_inside, one.second.c)
FIELD(struct named_inside, either) FIELD(struct named_inside, either.x)
FIELD(struct named_inside, either.y) FIELD(struct named_inside, constant)
FIELD(struct named_inside, constant.z)

/* container_of is undone by hand all over the kernel: where does each level start? */
struct level_0 {
	u8 a;
	u64 b;
};
struct level_1 {
	u32 c;
	struct level_0 zero;
	u8 d;
};
struct level_2 {
	u8 e;
	struct level_1 one;
	struct level_0 zero;
	u8 f;
};
SIZE(struct level_0) FIELD(struct level_0, a) FIELD(struct level_0, b)
SIZE(struct level_1) FIELD(struct level_1, c) FIELD(struct level_1, zero)
FIELD(struct level_1, zero.a) FIELD(struct level_1, zero.b) FIELD(struct level_1, d)
SIZE(struct level_2) FIELD(struct level_2, e) FIELD(struct level_2, one)
FIELD(struct level_2, one.c) FIELD(struct level_2, one.zero) FIELD(struct level_2, one.zero.a)
FIELD(struct level_2, one.zero.b) FIELD(struct level_2, one.d) FIELD(struct level_2, zero)
FIELD(struct level_2, zero.a) FIELD(struct level_2, zero.b) FIELD(struct level_2, f)

struct empty {};
struct around_empty {
	u32 a;
	struct empty e;
	u64 b;
	struct empty last;
};
struct only_empty {
	struct empty a;
	struct empty b[4];
};
SIZE(struct empty)
SIZE(struct around_empty) FIELD(struct around_empty, a) FIELD(struct around_empty, e)
FIELD(struct around_empty, b) FIELD(struct around_empty, last)
SIZE(struct only_empty) FIELD(struct only_empty, a) FIELD(struct only_empty, b)

enum small { SMALL };
enum wide { WIDE = 0x1ffffffffULL };
enum __attribute__((packed)) tight { TIGHT = 255 };
struct enums {
	enum small a;
	enum wide b;
	enum small c;
	enum tight d;
	enum tight bits : 7;
};
SIZE(struct enums) FIELD(struct enums, a) FIELD(struct enums, b) FIELD(struct enums, c)
FIELD(struct enums, d) BITS(struct enums, bits)

/* A struct that points to itself and to one that nobody defines. */
struct undefined;
struct self {
	struct self *next, **last;
	struct undefined *unknown;
	u8 byte;
};
SIZE(struct self) FIELD(struct self, next) FIELD(struct self, last)
FIELD(struct self, unknown) FIELD(struct self, byte)
