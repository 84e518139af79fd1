/* SPDX-License-Identifier: GPL-2.0-only */
/* The fuzzer's bytes as a file that has a path. */
#ifndef FIELDLINE_TESTS_FUZZ_INPUT_H
#define FIELDLINE_TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	int fd;
	char path[64];
};

static inline void input_close(struct input *input)
{
	close(input->fd);
}

static inline bool input_open(struct input *input, const uint8_t *data, size_t size)
{
	input->fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (input->fd < 0)
		return false;
	if (write(input->fd, data, size) != (ssize_t)size) {
		input_close(input);
		return false;
	}
	snprintf(input->path, sizeof(input->path), "/proc/self/fd/%d", input->fd);
	return true;
}

#endif
