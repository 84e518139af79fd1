/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct error {
	enum error_kind kind;
	char *message;
};

static char *format_message(const char *format, va_list args)
{
	va_list again;
	char *message;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	message = memory_alloc((size_t)length + 1, 1);
	vsnprintf(message, (size_t)length + 1, format, args);
	return message;
}

static char *join_messages(const char *before, const char *after)
{
	size_t bytes = strlen(before) + strlen(after) + 3;
	char *joined = memory_alloc(bytes, 1);

	snprintf(joined, bytes, "%s: %s", before, after);
	return joined;
}

static struct error *create_from(enum error_kind kind, char *message)
{
	struct error *err = memory_alloc(1, sizeof(*err));

	err->kind = kind;
	err->message = message;
	return err;
}

struct error *error_create(enum error_kind kind, const char *format, ...)
{
	char *message;
	va_list args;

	va_start(args, format);
	message = format_message(format, args);
	va_end(args);
	return create_from(kind, message);
}

struct error *error_from_errno(int errno_value, const char *format, ...)
{
	auto_free char *message = NULL;
	va_list args;

	va_start(args, format);
	message = format_message(format, args);
	va_end(args);
	return create_from(ERROR_INPUT, join_messages(message, strerror(errno_value)));
}

struct error *error_wrap(struct error *err, const char *format, ...)
{
	auto_free char *inner = NULL, *prefix = NULL;
	va_list args;

	if (!err)
		return NULL;
	va_start(args, format);
	prefix = format_message(format, args);
	va_end(args);
	inner = err->message;
	err->message = join_messages(prefix, inner);
	return err;
}

void error_destroy(struct error *err)
{
	if (!err)
		return;
	free(err->message);
	free(err);
}

enum error_kind error_kind(const struct error *err)
{
	return err->kind;
}

const char *error_message(const struct error *err)
{
	return err->message;
}
