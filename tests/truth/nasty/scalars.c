/* SPDX-License-Identifier: GPL-2.0-only */
/* Types wider or odder than a pointer: _Atomic, vectors, _Complex, long double, __int128. */
#include "../truth.h"

typedef float v4 __attribute__((vector_size(16)));
typedef char v8 __attribute__((vector_size(8)));
#ifndef __SIZEOF_INT128__
#define __int128 long long
#endif

struct three {
	char c[3];
};
struct two {
	int x, y;
};
SIZE(struct three) FIELD(struct three, c)
SIZE(struct two) FIELD(struct two, x) FIELD(struct two, y)

struct atomics {
	_Atomic int a;
	_Atomic(char) b;
	_Atomic(long) c;
	_Atomic(struct two) d;
	char e;
	_Atomic(struct three) f;
	_Atomic(char *) g;
	_Atomic(int) h[3];
	_Atomic long long i;
};
SIZE(struct atomics) FIELD(struct atomics, a) FIELD(struct atomics, b)
FIELD(struct atomics, c) ATOMIC(struct atomics, d, struct two) FIELD(struct atomics, e)
ATOMIC(struct atomics, f, struct three) FIELD(struct atomics, g) FIELD(struct atomics, h)
FIELD(struct atomics, i)

struct wide {
	char a;
	v4 v;
	long double l;
	_Complex float cf;
	v8 w;
	char b;
	_Complex double cd;
	__int128 i;
	_Complex long double cl;
	unsigned __int128 bits : 50;
};
SIZE(struct wide) FIELD(struct wide, a) FIELD(struct wide, v) FIELD(struct wide, l)
FIELD(struct wide, cf) FIELD(struct wide, w) FIELD(struct wide, b) FIELD(struct wide, cd)
FIELD(struct wide, i) FIELD(struct wide, cl) BITS(struct wide, bits)
