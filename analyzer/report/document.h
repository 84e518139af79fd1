/* SPDX-License-Identifier: GPL-2.0-only */
/* A document of findings in the formats people and machines read. */
#ifndef FIELDLINE_REPORT_DOCUMENT_H
#define FIELDLINE_REPORT_DOCUMENT_H

#include "base/text.h"
#include "model/finding.h"

enum document_format {
	DOCUMENT_TEXT,
	DOCUMENT_JSON,	   /* schema fieldline.findings/1 */
	DOCUMENT_MARKDOWN, /* a comment on a pull request */
	DOCUMENT_GITHUB,   /* workflow commands: ::error file=...,line=...:: */
	DOCUMENT_SARIF,	   /* SARIF 2.1.0 (OASIS) */
	DOCUMENT_JUNIT,	   /* one test case per examined struct */
};

/* The names a user gives, in the order of the enum; NULL-terminated. */
extern const char *const document_formats[];

void document_print(struct text *text, const struct document *document,
		    enum document_format format);

#endif
