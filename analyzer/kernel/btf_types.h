/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types from BTF (Documentation/bpf/btf.rst).
 *
 * What BTF does not know: alignment (every `align` is 0), places in the source, how many units
 * hold a layout (every nr_units is 0), an enum's underlying type, vectors, _Atomic, and whether
 * an array of no elements was written [0] or []: the last member of a struct is taken for [].
 * The kernel's own BTF, made by pahole, has multi-dimensional arrays as flat ones.
 */
#ifndef FIELDLINE_KERNEL_BTF_TYPES_H
#define FIELDLINE_KERNEL_BTF_TYPES_H

#include "kernel/types.h"

/*
 * A .BTF section or a raw file. Split BTF (a module's) continues the ids and strings of base;
 * base is left alone when the BTF is not split.
 */
struct btf_input {
	const uint8_t *data;
	size_t size;
	const uint8_t *base; /* NULL = none */
	size_t base_size;
};

/*
 * Adds to ret the definitions that answer the request, in the order of the file. Names are looked
 * for in base too; "every struct" is every one the BTF itself adds. Fills ret->source.format,
 * big_endian and pointer_size (by the BTF's long; without one the caller's, else 8). Adding
 * nothing is no error here.
 */
struct error *btf_types_read(const struct btf_input *input, const struct types_request *request,
			     struct typeset *ret);
/*
 * Calls add for the name of each struct, each union and each typedef of one, base included: what
 * a query could have meant. A name lasts until add returns.
 */
struct error *btf_types_names(const struct btf_input *input,
			      void (*add)(void *context, const char *name), void *context);

#endif
