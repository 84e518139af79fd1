/* SPDX-License-Identifier: GPL-2.0-only */
/* The words that start QEMU. */
#ifndef FIELDLINE_BOOT_COMMAND_LINE_H
#define FIELDLINE_BOOT_COMMAND_LINE_H

#include "base/arena.h"
#include "base/vec.h"
#include "boot/guest.h"

struct command_line {
	struct string_vec words; /* a NULL is behind the last */
	struct arena arena;
};

void command_line_fill(struct command_line *line, const struct guest_request *request);
void command_line_deinit(struct command_line *line);
#define auto_command_line __attribute__((cleanup(command_line_deinit)))

#endif
