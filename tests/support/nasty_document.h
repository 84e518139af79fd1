/* SPDX-License-Identifier: GPL-2.0-only */
/* A document that holds what each format must take care of. Literals and the caller's arena only. */
#ifndef FIELDLINE_TESTS_SUPPORT_NASTY_DOCUMENT_H
#define FIELDLINE_TESTS_SUPPORT_NASTY_DOCUMENT_H

#include "model/finding.h"

/* Markup, separators, line ends, a control character and a byte that is no UTF-8. */
#define NASTY "50% <b>&amp;</b> | `x` \"q\" a_b*c* [l](u), e:f\r\ng\x01\xff end"

static const struct rule_info nasty_rule = { "TEST-NASTY", "nasty, title: 100%",
					     "what <it> means" };
static const struct rule_info plain_rule = { "TEST-PLAIN", "plain title", "plain meaning" };
static const struct rule_info quiet_rule = { "TEST-QUIET", "never fires", "no meaning" };
static const struct rule_info *const nasty_rules[] = { &nasty_rule, &plain_rule, &quiet_rule,
						       NULL };

/*
 * struct plain: an error and a note; struct excepted: an error under an exception; struct nasty:
 * a warning made of NASTY; struct clean: nothing; variable lost: an error, not among the examined.
 */
static inline void nasty_document(struct document *document)
{
	static const struct finding findings[] = {
		{ .rule = &plain_rule,
		  .severity = SEVERITY_ERROR,
		  .type = "struct plain",
		  .field = "a.b",
		  .file = "include/linux/plain.h",
		  .line = 12,
		  .message = "'a.b' lies on lines 0 and 1",
		  .evidence = "the evidence",
		  .cause = "the cause" },
		{ .rule = &plain_rule,
		  .severity = SEVERITY_NOTE,
		  .type = "struct plain",
		  .file = "include/linux/plain.h",
		  .message = "just so you know" },
		{ .rule = &plain_rule,
		  .severity = SEVERITY_ERROR,
		  .type = "struct excepted",
		  .field = "c",
		  .file = "/usr/include/a b%.h",
		  .line = 3,
		  .message = "is covered",
		  .excepted_for = "the reason" },
		{ .rule = &nasty_rule,
		  .severity = SEVERITY_WARNING,
		  .type = "struct " NASTY,
		  .field = NASTY,
		  .file = "./dir,x/50%:y.c",
		  .line = 7,
		  .message = NASTY,
		  .evidence = NASTY,
		  .cause = NASTY },
		{ .rule = &plain_rule,
		  .severity = SEVERITY_ERROR,
		  .type = "variable lost",
		  .message = "is on no list" },
	};
	static const struct examined examined[] = {
		{ "struct clean", "clean.h", 1 },
		{ "struct plain", "include/linux/plain.h", 10 },
		{ "struct excepted", NULL, 0 },
		{ "struct " NASTY, "./dir,x/50%:y.c", 7 },
	};

	*document = (struct document){ .command = "check", .title = NASTY, .rules = nasty_rules };
	for (size_t i = 0; i < array_size(findings); i++)
		*vec_add(&document->findings) = findings[i];
	for (size_t i = 0; i < array_size(examined); i++)
		*vec_add(&document->examined) = examined[i];
	*vec_add(&document->gaps) = "one gap: " NASTY;
	*vec_add(&document->gaps) = "another gap";
}

#endif
