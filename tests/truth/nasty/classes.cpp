/* SPDX-License-Identifier: GPL-2.0-only */
/* C++: bases that are empty, virtual or lend their padding, static members, scoped names. */
#include "../truth.h"

struct empty {};

struct with_empty_base : empty {
	int x;
};
SIZE(with_empty_base) FIELD(with_empty_base, x)

struct no_address {
	[[no_unique_address]] empty e;
	int y;
	char z;
};
SIZE(no_address) FIELD(no_address, y) FIELD(no_address, z)

struct padded {
	int i;
	char c;
	padded() {}
};
struct in_padding : padded {
	char d;
};
SIZE(padded) FIELD(padded, i) FIELD(padded, c)
SIZE(in_padding) FIELD(in_padding, i) FIELD(in_padding, c) FIELD(in_padding, d)

struct root {
	int a;
	virtual ~root() {}
};
struct left : virtual root {
	char b;
};
struct right : virtual root {
	char c;
};
struct diamond : left, right {
	short d;
	static int shared;
	static const int constant = 3;
};
int diamond::shared;
SIZE(root) FIELD(root, a) SIZE(left) SIZE(right) SIZE(diamond)

struct second {
	char s;
	virtual void method() {}
};
struct two_bases : root, second {
	long own;
};
SIZE(second) FIELD(second, s)
SIZE(two_bases) FIELD(two_bases, a) FIELD(two_bases, s) FIELD(two_bases, own)

class alignas(64) on_a_line {
public:
	int v;
};
SIZE(on_a_line) FIELD(on_a_line, v)

template <class T, int N> struct holder {
	T items[N];
	char last;
};
enum class narrow : unsigned char { X, Y };

struct users {
	narrow e;
	holder<long, 3> held;
	on_a_line line;
	bool flag : 1;
	unsigned rest : 31;
	int &reference;
	int users::*to_member;
	void (users::*to_method)();
	int &&moved;
};
SIZE(users) FIELD(users, e) FIELD(users, held) FIELD(users, held.items)
FIELD(users, held.last) FIELD(users, line) FIELD(users, line.v) FIELD(users, to_member)
FIELD(users, to_method)

#ifndef HIDING
#define HIDING
#endif
namespace outer {
inline namespace HIDING {
struct hidden {
	char a;
	long b;
};
}
struct scoped {
	struct nested {
		short x;
		int y;
	} n;
	hidden h;
	char last;
};
}
SIZE(outer::scoped) FIELD(outer::scoped, n) FIELD(outer::scoped, n.x) FIELD(outer::scoped, n.y)
FIELD(outer::scoped, h) FIELD(outer::scoped, h.a) FIELD(outer::scoped, h.b)
FIELD(outer::scoped, last)
SIZE(outer::scoped::nested) FIELD(outer::scoped::nested, x) FIELD(outer::scoped::nested, y)

struct bits {
	bool flag : 1;
	unsigned rest : 30;
	narrow n : 3;
	unsigned char wider : 8;
};
SIZE(bits) BITS(bits, flag) BITS(bits, rest) BITS(bits, wider)

/* Without an object of them compilers leave out what has virtual parts. */
diamond diamond_object;
two_bases two_bases_object;
