/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints the nasty document in the format named: what other programs' parsers are tried on. */
#include <stdio.h>
#include <string.h>

#include "report/document.h"
#include "support/nasty_document.h"

int main(int argc, char **argv)
{
	auto_document struct document document = {};
	auto_text struct text text = {};
	unsigned int format = 0;

	while (argc == 2 && document_formats[format] && strcmp(document_formats[format], argv[1]))
		format++;
	if (argc != 2 || !document_formats[format])
		return 2;
	nasty_document(&document);
	document_print(&text, &document, format);
	return fwrite(text_chars(&text), 1, text.length, stdout) != text.length;
}
