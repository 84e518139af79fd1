/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growing array: plain fields `items` and `nr` to read, a few macros to change it.
 *
 *	DEFINE_VEC(holes, struct hole);
 *
 *	struct holes holes = {};
 *	*vec_add(&holes) = (struct hole){ .offset = 8 };
 *	for (size_t i = 0; i < holes.nr; i++)
 *		use(&holes.items[i]);
 *	vec_deinit(&holes);
 *
 * Adding may move the items: keep indexes, not pointers.
 */
#ifndef FIELDLINE_BASE_VEC_H
#define FIELDLINE_BASE_VEC_H

#include "base/memory.h"

#define DEFINE_VEC(name, type)   \
	struct name {            \
		type *items;     \
		size_t nr;       \
		size_t capacity; \
	}

DEFINE_VEC(string_vec, const char *);

/* Adds one item, not cleared, and yields its address. */
#define vec_add(vec)                                                                 \
	({                                                                           \
		if ((vec)->nr == (vec)->capacity) {                                  \
			(vec)->capacity = (vec)->capacity ? 2 * (vec)->capacity : 8; \
			(vec)->items = memory_resize((vec)->items, (vec)->capacity,  \
						     sizeof(*(vec)->items));         \
		}                                                                    \
		&(vec)->items[(vec)->nr++];                                          \
	})

#define vec_sort(vec, compare) \
	((vec)->nr ? qsort((vec)->items, (vec)->nr, sizeof(*(vec)->items), compare) : (void)0)

/*
 * Of items sorted by a member: the index of the first one whose member is at least value
 * (vec_first_from) or larger than value (vec_first_behind); nr if there is none.
 */
#define vec_first_from(vec, member, value) vec_first_where(vec, member, >=, value)
#define vec_first_behind(vec, member, value) vec_first_where(vec, member, >, value)

#define vec_first_where(vec, member, holds, value)                              \
	({                                                                      \
		size_t vec_low = 0, vec_high = (vec)->nr;                       \
		while (vec_low < vec_high) {                                    \
			size_t vec_middle = vec_low + (vec_high - vec_low) / 2; \
			if ((vec)->items[vec_middle].member holds(value))       \
				vec_high = vec_middle;                          \
			else                                                    \
				vec_low = vec_middle + 1;                       \
		}                                                               \
		vec_low;                                                        \
	})

#define vec_deinit(vec)              \
	do {                         \
		free((vec)->items);  \
		(vec)->items = NULL; \
		(vec)->nr = 0;       \
		(vec)->capacity = 0; \
	} while (0)

/*
 * Frees the items when the variable goes out of scope: auto_vec struct holes holes = {};
 * `items` is the first field, so the guard for pointers serves.
 */
#define auto_vec __attribute__((cleanup(memory_free_pointer)))

#endif
