/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a guest did not do what it should, by what it and QEMU said. */
#ifndef FIELDLINE_BOOT_CONSOLE_H
#define FIELDLINE_BOOT_CONSOLE_H

#include "base/text.h"

/* directory holds console and qemu.log. Adds a sentence; nothing when they say nothing of it. */
void console_explain(const char *directory, struct text *why);

#endif
