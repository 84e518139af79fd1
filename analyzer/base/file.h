/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole files: read into memory, and written so that a failure leaves the old one in place. */
#ifndef FIELDLINE_BASE_FILE_H
#define FIELDLINE_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct file {
	const uint8_t *data;
	size_t size;
	bool mapped;
};

/*
 * Opens path for reading: a regular file (sysfs files included), never a directory, FIFO or
 * device, which would block or have no end. Yields a file descriptor.
 */
struct error *file_open(const char *path, int *ret);
/* The whole of path: mapped, or read where it can't be mapped (sysfs). */
struct error *file_read(const char *path, struct file *ret);
void file_deinit(struct file *file);

/*
 * Opens what is to become path: a temporary beside it, to be renamed once it is whole, whose name
 * the caller frees. What is there and no regular file (a device, a FIFO) is opened itself, for it
 * must not be replaced; *ret_temporary is NULL then.
 */
struct error *file_create(const char *path, int *ret, char **ret_temporary);
/* Writes the whole of path, that is, by a temporary. "-" is standard output. */
struct error *file_write(const char *path, const char *data, size_t size);

#define auto_file __attribute__((cleanup(file_deinit)))

#endif
