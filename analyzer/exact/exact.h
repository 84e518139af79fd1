/* SPDX-License-Identifier: GPL-2.0-only */
/* From an emulated run's counts by address to counts by type, field and function. */
#ifndef FIELDLINE_EXACT_EXACT_H
#define FIELDLINE_EXACT_EXACT_H

#include "base/error.h"
#include "model/exact.h"

struct exact_request {
	const char *counts; /* file that the plugin wrote */
	const char *vmlinux;
	const char *modules; /* a directory to look for .ko files in; NULL = none */
	const struct string_vec *operations;
};

struct error *exact_read(const struct exact_request *request, struct exact *ret);

#endif
