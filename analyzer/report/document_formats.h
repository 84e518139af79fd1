/* SPDX-License-Identifier: GPL-2.0-only */
/* The printers behind document_print(), one a file, and what they share. Only for this folder. */
#ifndef FIELDLINE_REPORT_DOCUMENT_FORMATS_H
#define FIELDLINE_REPORT_DOCUMENT_FORMATS_H

#include "report/document.h"

void document_print_text(struct text *text, const struct document *document);
void document_print_json(struct text *text, const struct document *document);
void document_print_markdown(struct text *text, const struct document *document);
void document_print_github(struct text *text, const struct document *document);
void document_print_sarif(struct text *text, const struct document *document);
void document_print_junit(struct text *text, const struct document *document);

/* "error", "warning", "note", or "excepted" where an exception covers the finding. */
const char *finding_word(const struct finding *finding);
/* "2 errors, 1 warning, 3 excepted; 14 structs examined, 1 gap" */
void document_add_summary(struct text *text, const struct document *document);

#endif
