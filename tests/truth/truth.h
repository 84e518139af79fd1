/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The compiler's own answers about layouts, as constants in the data of an object file: nothing
 * has to run, so every target the compiler knows can be asked.
 *
 * A source states what to ask: SIZE(T) for a type, FIELD(T, m) for a member, FLEX(T, m) for one
 * whose size the language cannot ask for, ATOMIC(T, m, I) for an _Atomic member of struct type I,
 * and BITS(T, m) for a bit-field: an object in which it alone is all ones. Compiled with -DTRUTH
 * the source becomes answers; without, only the types and a use of each.
 */
#ifndef FIELDLINE_TESTS_TRUTH_H
#define FIELDLINE_TESTS_TRUTH_H

#ifdef __cplusplus
#define TRUTH_ALIGN(T) alignof(T)
#define TRUTH_SIZEOF(T, m) sizeof(T::m)
#else
#define TRUTH_ALIGN(T) _Alignof(T)
#define TRUTH_SIZEOF(T, m) sizeof(((T *)0)->m)
#endif

#ifdef TRUTH
struct truth_record {
	char what[128];
	unsigned long long first, second;
};

#define TRUTH_RECORD(id, what, first, second) TRUTH_NAMED(id, what, first, second)
#define TRUTH_NAMED(id, what, first, second) \
	static const struct truth_record truth_##id __attribute__((used)) = { what, first, second };

#define SIZE(T) TRUTH_RECORD(__COUNTER__, "size|" #T, sizeof(T), TRUTH_ALIGN(T))
#define FIELD(T, m) \
	TRUTH_RECORD(__COUNTER__, "field|" #T "|" #m, __builtin_offsetof(T, m), TRUTH_SIZEOF(T, m))
#define FLEX(T, m) TRUTH_RECORD(__COUNTER__, "field|" #T "|" #m, __builtin_offsetof(T, m), 0)
#define ATOMIC(T, m, I) \
	FIELD(T, m) TRUTH_RECORD(__COUNTER__, "inner|" #T "|" #m "|" #I, 0, 0)
#define BITS(T, m) TRUTH_BITS(__COUNTER__, T, m)
#define TRUTH_BITS(id, T, m) TRUTH_BITS_NAMED(id, T, m)
#define TRUTH_BITS_NAMED(id, T, m) \
	struct truth_probe_##id { \
		struct truth_record record; \
		T object; \
	}; \
	static const struct truth_probe_##id truth_##id __attribute__((used)) = { \
		{ "bits|" #T "|" #m, sizeof(T), __builtin_offsetof(struct truth_probe_##id, object) }, \
		{ .m = (__typeof__(((T *)0)->m + 0))-1 } \
	};
#else
/* A pointer that steps over one object makes clang describe the type in full. */
#define SIZE(T) TRUTH_KEEP(__COUNTER__, T)
#define TRUTH_KEEP(id, T) TRUTH_KEEP_NAMED(id, T)
#define TRUTH_KEEP_NAMED(id, T) \
	static T *truth_keep_##id __attribute__((used)) = (T *)0 + 1;
#define FIELD(T, m)
#define FLEX(T, m)
#define ATOMIC(T, m, I)
#define BITS(T, m)
#endif

#endif
