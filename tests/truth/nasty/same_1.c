/* SPDX-License-Identifier: GPL-2.0-only */
/* Two structs of one name in one program, and a third inside a function: see same_2.c. */
#include "../truth.h"

struct same {
	int a;
	long b;
};
SIZE(struct same) FIELD(struct same, a) FIELD(struct same, b)

union shared {
	long word;
	char bytes[sizeof(long)];
};
SIZE(union shared) FIELD(union shared, word) FIELD(union shared, bytes)

/* Alike outside: pahole 1.24 shows only one of the two. */
struct alike {
	union {
		struct {
			unsigned distance : 16, presence : 4, report : 12;
		} bits;
		unsigned value;
	};
};
SIZE(struct alike) FIELD(struct alike, bits) FIELD(struct alike, value)
BITS(struct alike, bits.distance) BITS(struct alike, bits.presence)
BITS(struct alike, bits.report)

int other(void);

int main(void)
{
	return other();
}
