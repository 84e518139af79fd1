/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every command that makes a document asks on its command line: in which formats it goes
 * where, and which findings make the exit code. Parse before the slow work starts, so that a
 * mistake in the command line is told at once.
 */
#ifndef FIELDLINE_CMD_OUTPUTS_H
#define FIELDLINE_CMD_OUTPUTS_H

#include "base/options.h"
#include "report/document.h"

/* Part of a command's struct of options, filled by the rows of OUTPUTS_OPTIONS. */
struct outputs_options {
	struct string_vec reports; /* FORMAT[=FILE] */
	struct string_vec fail_on; /* WHAT[,WHAT...] */
	bool exit_zero;
};

#define OUTPUTS_OPTIONS(type, member)                                                       \
	{ 'f',                                                                              \
	  "report",                                                                         \
	  OPTION_STRINGS,                                                                   \
	  offsetof(type, member.reports),                                                   \
	  "FORMAT[=FILE]",                                                                  \
	  .help = "text, json, markdown, github, sarif or junit; again for another one" },  \
		{ 0,                                                                        \
		  "fail-on",                                                                \
		  OPTION_STRINGS,                                                           \
		  offsetof(type, member.fail_on),                                           \
		  "WHAT,...",                                                               \
		  .help = "only these make the exit code: differs, violation, incomplete, " \
			  "RULE" },                                                         \
	{                                                                                   \
		0, "exit-zero", OPTION_FLAG, offsetof(type, member.exit_zero),              \
			.help = "exit 0 whatever was found; errors still count"             \
	}

/* A format and where it goes. */
struct output {
	enum document_format format;
	const char *path; /* "-" = standard output */
};

DEFINE_VEC(output_vec, struct output);

struct outputs {
	struct arena arena;
	struct output_vec outputs;
	struct string_vec fail_on; /* one word each; none = everything counts */
	bool exit_zero;
};

/*
 * rules: all ids that --fail-on may name (as patterns too, "LAYOUT-*"); NULL-terminated. Strings
 * are borrowed from options. An ERROR_USAGE names the word that makes no sense.
 */
struct error *outputs_parse(const struct outputs_options *options,
			    const struct rule_info *const *rules, struct outputs *ret);
void outputs_deinit(struct outputs *outputs);
#define auto_outputs __attribute__((cleanup(outputs_deinit)))

/* A command's own way to print some formats: print() returns false for those that it has not. */
struct outputs_printer {
	bool (*print)(struct text *text, const void *context, enum document_format format);
	const void *context;
};

/*
 * Prints the document everywhere it should go; nothing is written before all is printed. What
 * own, where not NULL, does not print is left to document_print().
 */
struct error *outputs_write(const struct outputs *outputs, const struct document *document,
			    const struct outputs_printer *own);
/*
 * The bits of enum exit_code. A warning differs, an error violates (and differs), a gap leaves the
 * evidence incomplete; a note counts only where --fail-on names its rule, a finding covered by an
 * exception never does.
 */
int outputs_status(const struct outputs *outputs, const struct document *document);

#endif
