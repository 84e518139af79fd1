/* SPDX-License-Identifier: GPL-2.0-only */
#include "../truth.h"

struct same {
	char z;
	short y;
	int w;
};
SIZE(struct same) FIELD(struct same, z) FIELD(struct same, y) FIELD(struct same, w)

union shared {
	long word;
	char bytes[sizeof(long)];
};
SIZE(union shared) FIELD(union shared, word) FIELD(union shared, bytes)

struct alike {
	union {
		struct {
			unsigned distance : 16, presence : 2, : 9, state : 5;
		} bits;
		unsigned value;
	};
};
SIZE(struct alike) FIELD(struct alike, bits) FIELD(struct alike, value)
BITS(struct alike, bits.distance) BITS(struct alike, bits.presence)
BITS(struct alike, bits.state)

int other(void);

int other(void)
{
	return 0;
}
