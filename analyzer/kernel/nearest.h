/* SPDX-License-Identifier: GPL-2.0-only */
/* The few names most like one that was not found. */
#ifndef FIELDLINE_KERNEL_NEAREST_H
#define FIELDLINE_KERNEL_NEAREST_H

#include "base/text.h"

#define NEAREST_MAX 3

struct nearest {
	const char *wanted;	  /* borrowed */
	unsigned int limit;	  /* edits beyond which a name is not alike */
	char *names[NEAREST_MAX]; /* nearest first */
	unsigned int distances[NEAREST_MAX];
};

void nearest_init(struct nearest *nearest, const char *wanted);
/* context is the struct nearest; name is copied if it is kept. */
void nearest_add(void *context, const char *name);
/* Adds ": did you mean 'a', 'b' or 'c'?", or nothing. */
void nearest_print(const struct nearest *nearest, struct text *text);
void nearest_deinit(struct nearest *nearest);

#endif
