/* SPDX-License-Identifier: GPL-2.0-only */
#include "emulate/page_arrays.h"

#include "emulate/address_space.h"

void page_arrays_init(struct page_arrays *arrays, uint32_t page_struct)
{
	*arrays = (struct page_arrays){ .page_struct = page_struct };
	page_arrays_add(arrays, &(struct page_array){ GUEST_PAGE_ARRAY, GUEST_PAGE_ARRAY_END, 0 });
}

void page_arrays_deinit(struct page_arrays *arrays)
{
	vec_deinit(&arrays->all);
}

void page_arrays_add(struct page_arrays *arrays, const struct page_array *array)
{
	*vec_add(&arrays->all) = *array;
}

bool page_arrays_find(const struct page_arrays *arrays, uint64_t address, uint64_t *ret_page,
		      uint64_t *ret_frame)
{
	for (size_t i = 0; i < arrays->all.nr; i++) {
		const struct page_array *array = &arrays->all.items[i];
		uint64_t number = (address - array->start) / arrays->page_struct;

		if (address < array->start || address >= array->end)
			continue;
		*ret_page = array->start + number * arrays->page_struct;
		*ret_frame = array->first_frame + number;
		return true;
	}
	return false;
}
