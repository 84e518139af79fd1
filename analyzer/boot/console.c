/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/console.h"

#include <string.h>

#include "base/file.h"

enum { SHOWN_CHARS = 200 };

/* The line with the first place of words in the file, without what stands before them. */
static bool find_line(const struct file *file, const char *words, struct text *ret)
{
	const char *data = (const char *)file->data;
	const char *found = memmem(data, file->size, words, strlen(words));
	size_t nr = 0;

	if (!found)
		return false;
	while (found + nr < data + file->size && nr < SHOWN_CHARS && (uint8_t)found[nr] >= ' ')
		nr++;
	text_clear(ret);
	text_add_bytes(ret, found, nr);
	return true;
}

static bool read_part(const char *directory, const char *name, struct file *ret)
{
	auto_text struct text path = {};
	auto_error struct error *err = NULL;

	text_printf(&path, "%s/%s", directory, name);
	err = file_read(text_chars(&path), ret);
	return !err;
}

void console_explain(const char *directory, struct text *why)
{
	auto_file struct file console = {}, qemu = {};
	auto_text struct text line = {};

	if (read_part(directory, "qemu.log", &qemu)) {
		if (find_line(&qemu, "fieldline-emulate: ", &line))
			text_printf(why, "%s", text_chars(&line) + strlen("fieldline-emulate: "));
		else if (find_line(&qemu, "qemu-system-x86_64: ", &line) &&
			 !strstr(text_chars(&line), "terminating on signal"))
			text_printf(why, "QEMU failed: %s", text_chars(&line));
	}
	if (why->length || !read_part(directory, "console", &console))
		return;
	if (find_line(&console, "Kernel panic - ", &line))
		text_printf(why, "the guest panicked: %s; its console is '%s/console'",
			    text_chars(&line) + strlen("Kernel panic - "), directory);
	else if (find_line(&console, "fieldline: cannot load", &line))
		text_printf(why, "the guest %s; its console is '%s/console'",
			    text_chars(&line) + strlen("fieldline: "), directory);
	else if (find_line(&console, "fieldline: workload exit ", &line) &&
		 strcmp(text_chars(&line), "fieldline: workload exit 0"))
		text_printf(why, "the workload failed with status %s; its console is '%s/console'",
			    text_chars(&line) + strlen("fieldline: workload exit "), directory);
}
