/* SPDX-License-Identifier: GPL-2.0-only */
/* Arrays of no elements, without a bound, of many dimensions, of functions; a huge struct. */
#include "../truth.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct grouped {
	u64 read_only;
	u8 __cacheline_group_begin__hot[0];
	u32 drops;
	u32 peeks;
	u8 __cacheline_group_end__hot[0];
	u64 separate __attribute__((aligned(64)));
	u8 __cacheline_group_begin__cold[0] __attribute__((aligned(64)));
	u32 last;
	u8 __cacheline_group_end__cold[0];
};
SIZE(struct grouped) FIELD(struct grouped, read_only)
FIELD(struct grouped, __cacheline_group_begin__hot) FIELD(struct grouped, drops)
FIELD(struct grouped, peeks) FIELD(struct grouped, __cacheline_group_end__hot)
FIELD(struct grouped, separate) FIELD(struct grouped, __cacheline_group_begin__cold)
FIELD(struct grouped, last) FIELD(struct grouped, __cacheline_group_end__cold)

struct flexible {
	u32 count;
	u64 items[];
};
SIZE(struct flexible) FIELD(struct flexible, count) FLEX(struct flexible, items)

struct flexible_inside {
	u32 before;
	struct flexible middle;
	u32 after;
};
SIZE(struct flexible_inside) FIELD(struct flexible_inside, before)
FIELD(struct flexible_inside, middle) FIELD(struct flexible_inside, middle.count)
FLEX(struct flexible_inside, middle.items) FIELD(struct flexible_inside, after)

struct flexible_union {
	u32 count;
	union {
		struct {
			struct {} empty;
			u8 bytes[];
		};
		u32 words[0];
	};
};
SIZE(struct flexible_union) FIELD(struct flexible_union, count)
FIELD(struct flexible_union, empty) FLEX(struct flexible_union, bytes)
FIELD(struct flexible_union, words)

struct aligned_tail {
	u32 count;
	u8 tail[] __attribute__((aligned(64)));
};
SIZE(struct aligned_tail) FIELD(struct aligned_tail, count) FLEX(struct aligned_tail, tail)

struct many {
	u16 matrix[3][5];
	int (*functions[4])(int);
	u8 none[0][6];
	u8 none_of_six[6][0];
	void (*(*getters[2][3])(void))(const char *, ...);
	int (*to_array)[7];
	char *strings[2];
	u8 last;
};
SIZE(struct many) FIELD(struct many, matrix) FIELD(struct many, functions)
FIELD(struct many, none) FIELD(struct many, none_of_six) FIELD(struct many, getters)
FIELD(struct many, to_array) FIELD(struct many, strings) FIELD(struct many, last)

struct huge {
	u8 first;
	char big[70000];
	u64 after;
	u8 byte;
	u32 tail;
};
SIZE(struct huge) FIELD(struct huge, first) FIELD(struct huge, big) FIELD(struct huge, after)
FIELD(struct huge, byte) FIELD(struct huge, tail)

#if defined(__LP64__) && !defined(NO_HUGE)
struct over_4_gib {
	u8 first;
	u64 pages[1UL << 30];
	u32 tail;
};
SIZE(struct over_4_gib) FIELD(struct over_4_gib, first) FIELD(struct over_4_gib, pages)
FIELD(struct over_4_gib, tail)
#endif
