/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#define auto_fd __attribute__((cleanup(close_fd)))

DEFINE_VEC(byte_vec, uint8_t);

static const char *mode_name(mode_t mode)
{
	if (S_ISDIR(mode))
		return "is a directory";
	if (S_ISFIFO(mode))
		return "is a FIFO";
	if (S_ISSOCK(mode))
		return "is a socket";
	return "is a device";
}

struct error *file_open(const char *path, int *ret)
{
	/* O_NONBLOCK: opening a FIFO without a writer would wait for one. */
	auto_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0)
		return error_from_errno(errno, "cannot open '%s'", path);
	if (fstat(fd, &status) < 0)
		return error_from_errno(errno, "cannot examine '%s'", path);
	if (!S_ISREG(status.st_mode))
		return error_create(ERROR_INPUT, "'%s' %s, not a regular file", path,
				    mode_name(status.st_mode));
	*ret = fd;
	fd = -1;
	return NULL;
}

static struct error *read_all(int fd, const char *path, struct file *ret)
{
	struct byte_vec data = {};
	ssize_t nr;

	do {
		if (data.capacity - data.nr < 65536) {
			data.capacity = data.capacity ? 2 * data.capacity : 1 << 20;
			data.items = memory_resize(data.items, data.capacity, 1);
		}
		nr = read(fd, data.items + data.nr, data.capacity - data.nr);
		data.nr += nr > 0 ? (size_t)nr : 0;
	} while (nr > 0 || (nr < 0 && errno == EINTR));
	if (nr < 0) {
		int saved = errno;

		vec_deinit(&data);
		return error_from_errno(saved, "cannot read '%s'", path);
	}
	*ret = (struct file){ data.items, data.nr, false };
	return NULL;
}

struct error *file_read(const char *path, struct file *ret)
{
	auto_fd int fd = -1;
	struct error *err = file_open(path, &fd);
	struct stat status;
	void *map;

	if (err)
		return err;
	if (fstat(fd, &status) < 0)
		return error_from_errno(errno, "cannot examine '%s'", path);
	if (status.st_size > 0) {
		map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED) {
			*ret = (struct file){ map, (size_t)status.st_size, true };
			return NULL;
		}
	}
	return read_all(fd, path, ret);
}

void file_deinit(struct file *file)
{
	if (file->mapped)
		munmap((void *)file->data, file->size);
	else
		free((void *)file->data);
	*file = (struct file){};
}

static struct error *write_all(int fd, const char *path, const char *data, size_t size)
{
	while (size) {
		ssize_t nr = write(fd, data, size);

		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0)
			return error_from_errno(errno, "cannot write '%s'", path);
		data += nr;
		size -= (size_t)nr;
	}
	return NULL;
}

/* mkostemp() makes files 0600; what replaces an ordinary file should look like one. */
static void set_default_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	fchmod(fd, 0666 & ~mask);
}

struct error *file_create(const char *path, int *ret, char **ret_temporary)
{
	size_t bytes = strlen(path) + sizeof(".XXXXXX");
	auto_free char *temporary = NULL;
	struct stat there;
	int fd;

	if (!stat(path, &there) && !S_ISREG(there.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			return error_from_errno(errno, "cannot write '%s'", path);
	} else {
		temporary = memory_alloc(bytes, 1);
		snprintf(temporary, bytes, "%s.XXXXXX", path);
		fd = mkostemp(temporary, O_CLOEXEC);
		if (fd < 0)
			return error_from_errno(errno, "cannot create a file beside '%s'", path);
		set_default_mode(fd);
	}
	*ret = fd;
	*ret_temporary = take_pointer(temporary);
	return NULL;
}

struct error *file_write(const char *path, const char *data, size_t size)
{
	auto_free char *temporary = NULL;
	auto_fd int fd = -1;
	struct error *err;

	if (!strcmp(path, "-"))
		return write_all(STDOUT_FILENO, "standard output", data, size);
	err = file_create(path, &fd, &temporary);
	if (err)
		return err;
	err = write_all(fd, path, data, size);
	if (!temporary)
		return err;
	if (!err && fsync(fd) < 0 && errno != EINVAL)
		err = error_from_errno(errno, "cannot write '%s'", path);
	if (!err && rename(temporary, path) < 0)
		err = error_from_errno(errno, "cannot replace '%s'", path);
	if (err)
		unlink(temporary);
	return err;
}
