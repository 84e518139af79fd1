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

int other(void);

int other(void)
{
	return 0;
}
