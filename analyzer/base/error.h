/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Errors as objects: a function that can fail returns `struct error *`, NULL meaning success.
 *
 * The caller owns an error it receives: it returns it (wrapped, if it knows more) or destroys it.
 * Layers add only what they alone know, outermost first when printed:
 *
 *	cannot read 'vmlinux': unit at 0x1f0: abbreviation 7 is not defined
 *
 * main.c is the only place that prints one, and the kind chooses the exit code.
 */
#ifndef FIELDLINE_BASE_ERROR_H
#define FIELDLINE_BASE_ERROR_H

#include "base/memory.h"

enum error_kind {
	ERROR_INPUT,	 /* a file is unreadable, damaged or not what was asked for */
	ERROR_USAGE,	 /* the command line makes no sense */
	ERROR_NOT_FOUND, /* all was read and the thing asked for is not there */
};

struct error;

struct error *error_create(enum error_kind kind, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));
/* An ERROR_INPUT that ends in strerror(errno_value). */
struct error *error_from_errno(int errno_value, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));
/* Puts "<format>: " before the message. Takes err over; NULL stays NULL. */
struct error *error_wrap(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void error_destroy(struct error *err);

enum error_kind error_kind(const struct error *err);
const char *error_message(const struct error *err);

static inline void error_destroy_pointer(struct error **err)
{
	error_destroy(*err);
}

#define auto_error __attribute__((cleanup(error_destroy_pointer)))

#endif
