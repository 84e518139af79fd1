/* SPDX-License-Identifier: GPL-2.0-only */
/* From an emulated run's counts by address to counts by type, field and function. */
#ifndef FIELDLINE_EXACT_EXACT_H
#define FIELDLINE_EXACT_EXACT_H

#include "base/error.h"
#include "model/exact.h"
#include "resolve/resolver.h"

struct exact_request {
	const char *counts; /* file that the plugin wrote */
	const char *vmlinux;
	const char *modules; /* a directory to look for .ko files in; NULL = none */
	const struct string_vec *operations;
	/*
	 * Tells the types of variables, and what kmalloc() was called for; NULL = nothing does.
	 * What comes back is good only as long as it.
	 */
	struct resolver *resolver;
};

struct error *exact_read(const struct exact_request *request, struct exact *ret);

#endif
