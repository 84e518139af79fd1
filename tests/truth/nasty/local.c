/* SPDX-License-Identifier: GPL-2.0-only */
/* Types that only a function or a block inside it knows. */
#include "../truth.h"

int outer(int value);

int outer(int value)
{
	struct in_function {
		char a;
		short b;
	};
	SIZE(struct in_function) FIELD(struct in_function, a) FIELD(struct in_function, b)

	if (value) {
		struct in_block {
			char a;
			long b : 5;
		};
		SIZE(struct in_block) FIELD(struct in_block, a) BITS(struct in_block, b)
		struct in_block object = { .b = value };

		return object.b;
	}
	return 0;
}
