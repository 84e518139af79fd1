/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the guest keeps its struct pages, one for each frame of memory, in the order of frames:
 * with CONFIG_SPARSEMEM_VMEMMAP in one array at a fixed address, else in one for each section of
 * memory, anywhere.
 */
#ifndef FIELDLINE_EMULATE_PAGE_ARRAYS_H
#define FIELDLINE_EMULATE_PAGE_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct page_array {
	uint64_t start;
	uint64_t end;
	uint64_t first_frame;
};

DEFINE_VEC(page_array_vec, struct page_array);

struct page_arrays {
	struct page_array_vec all;
	uint32_t page_struct; /* bytes of a struct page */
};

/* With the array at the fixed address. */
void page_arrays_init(struct page_arrays *arrays, uint32_t page_struct);
void page_arrays_deinit(struct page_arrays *arrays);
void page_arrays_add(struct page_arrays *arrays, const struct page_array *array);
/* The struct page that the address lies in, and its frame; false = in none. */
bool page_arrays_find(const struct page_arrays *arrays, uint64_t address, uint64_t *ret_page,
		      uint64_t *ret_frame);

#endif
