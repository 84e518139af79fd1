/* SPDX-License-Identifier: GPL-2.0-only */
/* Types from BTF (Documentation/bpf/btf.rst), read with libbpf. */
#ifndef FIELDLINE_KERNEL_BTF_TYPES_H
#define FIELDLINE_KERNEL_BTF_TYPES_H

#include "kernel/types.h"

/* A .BTF section or a raw file; split BTF (a module's) continues the ids and strings of base. */
struct btf_input {
	const uint8_t *data;
	size_t size;
	const uint8_t *base; /* NULL = not split */
	size_t base_size;
};

/*
 * Adds to ret the definitions that answer the request. Fills ret->source.big_endian,
 * pointer_size and format; the caller has set the rest. Adding nothing is no error here.
 */
struct error *btf_types_read(const struct btf_input *input, const struct types_request *request,
			     struct typeset *ret);
/* Calls add for each struct, union and typedef name, for the list of nearest names. */
struct error *btf_types_names(const struct btf_input *input,
			      void (*add)(void *context, const char *name), void *context);

#endif
