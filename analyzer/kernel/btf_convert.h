/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A BTF struct and all it is made of, as types of the model.
 *
 * The file may be hostile: what comes out has no cycles, is not deep and does not unfold to more
 * than time and memory can bear, or there is an error.
 */
#ifndef FIELDLINE_KERNEL_BTF_CONVERT_H
#define FIELDLINE_KERNEL_BTF_CONVERT_H

#include "base/arena.h"
#include "base/map.h"
#include "kernel/btf.h"
#include "model/type.h"

struct btf_converter {
	const struct btf *btf;
	struct arena *arena; /* gets types and names */
	uint32_t pointer_size;
	const struct arch *arch; /* may be NULL */
	/* By 2 * id, + 1 for what stands behind a pointer; NULL while being read. */
	struct map nodes;
	unsigned int depth;
	/*
	 * Names are copied one by one while they are few, and then all strings at once. Both
	 * bound what names that overlap can cost.
	 */
	size_t name_bytes;
	const char *strings; /* NULL = not yet */
};

/*
 * Type id, which is not void. *ret_nr_unfolded is how many types it takes to spell it out,
 * members of members and so on: what walking it costs.
 */
struct error *btf_convert(struct btf_converter *converter, uint32_t id, const struct type **ret,
			  uint64_t *ret_nr_unfolded);
void btf_converter_deinit(struct btf_converter *converter);

#endif
