/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the emulator's plugin must know of a kernel, out of its vmlinux: where the functions are
 * that tell of memory and of contexts, and where members of some structs lie. The plugin's own
 * emulate/settings.h says what each word means.
 */
#ifndef FIELDLINE_BOOT_FACTS_H
#define FIELDLINE_BOOT_FACTS_H

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

/*
 * Adds lines of settings. operations: the functions whose entries count as operations; one that
 * the kernel does not have is an ERROR_NOT_FOUND.
 */
struct error *facts_read(const char *vmlinux, const struct string_vec *operations,
			 struct text *settings);

#endif
