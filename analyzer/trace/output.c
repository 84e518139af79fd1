/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { BUFFER_BYTES = 1 << 18 };

struct error *output_create(const char *path, struct output *ret)
{
	struct output output = { .fd = STDOUT_FILENO };
	struct error *err;

	if (strcmp(path, "-")) {
		err = file_create(path, &output.fd, &output.temporary);
		if (err)
			return err;
		output.path = memory_strdup(path);
	}
	output.buffer = memory_alloc(BUFFER_BYTES, 1);
	*ret = output;
	return NULL;
}

static const char *name(const struct output *output)
{
	return output->path ? output->path : "standard output";
}

static void flush(struct output *output)
{
	const uint8_t *bytes = output->buffer;
	size_t left = output->nr_buffered;
	ssize_t nr;

	while (left && !output->err) {
		nr = write(output->fd, bytes, left);
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0) {
			output->err = error_from_errno(errno, "cannot write '%s'", name(output));
			break;
		}
		bytes += nr;
		left -= (size_t)nr;
	}
	output->nr_buffered = 0;
}

uint8_t *output_reserve(struct output *output, size_t nr)
{
	if (BUFFER_BYTES - output->nr_buffered < nr)
		flush(output);
	return output->buffer + output->nr_buffered;
}

void output_commit(struct output *output, size_t nr)
{
	output->nr_buffered += nr;
	output->offset += nr;
}

void output_put(struct output *output, const void *bytes, size_t nr)
{
	const uint8_t *from = bytes;
	size_t part;

	while (nr) {
		part = nr < BUFFER_BYTES / 4 ? nr : BUFFER_BYTES / 4;
		memcpy(output_reserve(output, part), from, part);
		output_commit(output, part);
		from += part;
		nr -= part;
	}
}

void output_patch(struct output *output, uint64_t offset, const void *bytes, size_t nr)
{
	flush(output);
	if (!output->err && pwrite(output->fd, bytes, nr, (off_t)offset) != (ssize_t)nr)
		output->err = error_from_errno(errno, "cannot write '%s'", name(output));
}

static void release(struct output *output)
{
	if (output->path)
		close(output->fd);
	free(output->path);
	free(output->temporary);
	free(output->buffer);
	*output = (struct output){ .fd = -1 };
}

struct error *output_finish(struct output *output)
{
	struct error *err;

	flush(output);
	if (output->temporary && !output->err && rename(output->temporary, output->path) < 0)
		output->err = error_from_errno(errno, "cannot replace '%s'", output->path);
	if (output->temporary && output->err)
		unlink(output->temporary);
	err = output->err;
	release(output);
	return err;
}

void output_abandon(struct output *output)
{
	if (output->temporary)
		unlink(output->temporary);
	error_destroy(output->err);
	release(output);
}
