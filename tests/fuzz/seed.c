/* SPDX-License-Identifier: GPL-2.0-only */
/* A little of everything that describes a layout: compiled in many ways, it seeds the fuzzer. */
#include <stdbool.h>

typedef struct {
	int counter;
} atomic;
typedef unsigned int lanes __attribute__((vector_size(16)));
enum state { IDLE, BUSY };

struct inner {
	char tag;
	int low : 3, high : 29;
	union {
		long whole;
		struct {
			short left, right;
		};
	};
} __attribute__((packed));

struct outer {
	struct inner inner;
	struct outer *next;
	int (*call[2])(struct outer *, const char *, ...);
	atomic references;
	enum state state;
	_Atomic long total;
	lanes vector __attribute__((aligned(64)));
	bool flag : 1;
	char marker[0];
	short grid[3][5];
	long tail[];
};

int use(struct outer *outer);
int use(struct outer *outer)
{
	struct local {
		struct inner copy;
		int more;
	} local = { .copy = outer->inner };

	return local.copy.tag + outer->references.counter;
}
