/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "report/layout_printer.h"

#define MAX_COLUMNS 100

void layout_list_add(struct layout_list *list, const char *item)
{
	size_t indent = strspn(list->title, " ") + 2;

	if (!list->begun) {
		list->line_start = list->text->length;
		text_add(list->text, list->title);
	} else {
		text_add_char(list->text, ',');
	}
	if (list->text->length - list->line_start + strlen(item) + 2 > MAX_COLUMNS) {
		text_add_char(list->text, '\n');
		list->line_start = list->text->length;
		text_pad(list->text, ' ', list->line_start + indent);
	} else {
		text_add_char(list->text, ' ');
	}
	text_add(list->text, item);
	list->begun = true;
}

bool layout_list_end(struct layout_list *list)
{
	if (list->begun)
		text_add_char(list->text, '\n');
	return list->begun;
}
