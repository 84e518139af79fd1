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

int other(void);

int main(void)
{
	return other();
}
