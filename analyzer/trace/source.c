/* SPDX-License-Identifier: GPL-2.0-only */
#include "trace/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 18 };

struct error *source_open(const char *path, struct source *ret)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return error_from_errno(errno, "cannot open '%s'", path);
	if (fstat(fd, &status) < 0 || S_ISDIR(status.st_mode)) {
		struct error *err = S_ISDIR(status.st_mode) ?
					    error_create(ERROR_INPUT, "'%s' is a directory", path) :
					    error_from_errno(errno, "cannot examine '%s'", path);

		close(fd);
		return err;
	}
	*ret = (struct source){
		.fd = fd,
		.seekable = S_ISREG(status.st_mode),
		.path = path,
		.size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0,
	};
	if (ret->seekable && is_stdin)
		lseek(fd, 0, SEEK_SET);
	return NULL;
}

void source_close(struct source *source)
{
	if (source->path)
		close(source->fd);
	free(source->buffer);
	*source = (struct source){};
}

static struct error *read_more(struct source *source)
{
	ssize_t nr;

	do {
		nr = read(source->fd, source->buffer + source->end, source->capacity - source->end);
	} while (nr < 0 && errno == EINTR);
	if (nr < 0)
		return error_from_errno(errno, "cannot read '%s'", source->path);
	source->end += (size_t)nr;
	source->ended = !nr;
	return NULL;
}

struct error *source_fill(struct source *source, size_t nr, const uint8_t **ret, size_t *ret_nr)
{
	struct error *err;

	if (source->start) {
		memmove(source->buffer, source->buffer + source->start,
			source->end - source->start);
		source->end -= source->start;
		source->start = 0;
	}
	if (source->capacity < nr || !source->capacity) {
		source->capacity = nr > BUFFER_BYTES ? nr : BUFFER_BYTES;
		source->buffer = memory_resize(source->buffer, source->capacity, 1);
	}
	while (source->end < nr && !source->ended) {
		err = read_more(source);
		if (err)
			return err;
	}
	*ret = source->buffer;
	*ret_nr = source->end;
	return NULL;
}

void source_seek(struct source *source, uint64_t offset)
{
	source->start = source->end = 0;
	source->offset = offset;
	/* An offset that lseek() refuses is past any end. */
	source->ended = offset > INT64_MAX || lseek(source->fd, (off_t)offset, SEEK_SET) < 0;
}

struct error *source_skip(struct source *source, uint64_t nr)
{
	const uint8_t *bytes;
	struct error *err;
	size_t left;

	if (source->seekable && nr > source->end - source->start) {
		nr = nr > UINT64_MAX - source->offset ? UINT64_MAX : source->offset + nr;
		source_seek(source, nr < source->size ? nr : source->size);
		return NULL;
	}
	do {
		err = source_peek(source, 1, &bytes, &left);
		if (err || !left)
			return err;
		if (left > nr)
			left = (size_t)nr;
		source_take(source, left);
		nr -= left;
	} while (nr);
	return NULL;
}

struct error *source_read_at(const struct source *source, uint64_t offset, uint64_t nr,
			     uint8_t **ret, size_t *ret_nr)
{
	auto_free uint8_t *bytes = NULL;
	size_t done = 0;
	ssize_t got;

	if (offset >= source->size)
		nr = 0;
	else if (nr > source->size - offset)
		nr = source->size - offset;
	bytes = memory_alloc(nr ? nr : 1, 1);
	while (done < nr) {
		got = pread(source->fd, bytes + done, nr - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_from_errno(errno, "cannot read '%s'", source->path);
		if (!got)
			break;
		done += (size_t)got;
	}
	*ret = take_pointer(bytes);
	*ret_nr = done;
	return NULL;
}
