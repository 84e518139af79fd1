/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose memory each access of an emulated run really was: by slab cache, symbol, frame on a stack
 * or call site, and never by the instruction.
 */
#ifndef FIELDLINE_EXACT_TRUTH_H
#define FIELDLINE_EXACT_TRUTH_H

#include "kernel/code.h"
#include "model/accuracy.h"
#include "resolve/resolver.h"
#include "trace/counts.h"

struct truth_image {
	struct code *code;
	const struct counts_module *module; /* NULL = vmlinux, which comes first */
};

DEFINE_VEC(truth_image_vec, struct truth_image);

struct truths {
	struct arena arena;
	struct truth_vec all; /* by instruction */
};

/*
 * Types live as long as the images. resolver: infers what call sites allocate; what it says of that
 * is marked.
 */
void truths_find(const struct counts *counts, const struct truth_image_vec *images,
		 struct resolver *resolver, struct truths *ret);
void truths_deinit(struct truths *truths);
#define auto_truths __attribute__((cleanup(truths_deinit)))

#endif
