/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/memory.h"

#include <string.h>
#include <unistd.h>

static _Noreturn void memory_exhausted(void)
{
	static const char message[] = "fieldline: out of memory\n";
	ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);

	(void)written;
	_exit(1);
}

void *memory_alloc(size_t nr, size_t size)
{
	void *memory = calloc(nr ? nr : 1, size ? size : 1);

	if (!memory)
		memory_exhausted();
	return memory;
}

void *memory_resize(void *old, size_t nr, size_t size)
{
	size_t bytes;
	void *memory;

	if (__builtin_mul_overflow(nr, size, &bytes))
		memory_exhausted();
	memory = realloc(old, bytes ? bytes : 1);
	if (!memory)
		memory_exhausted();
	return memory;
}

char *memory_strdup(const char *text)
{
	size_t bytes = strlen(text) + 1;

	return memcpy(memory_alloc(bytes, 1), text, bytes);
}
