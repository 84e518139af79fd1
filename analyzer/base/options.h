/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command lines as tables. A command describes its options once; parsing, --help and the tests
 * that hold the manual against the program all read the same rows.
 *
 *	struct layout_options { struct option_number phase; bool hex; };
 *	static const struct option_spec specs[] = {
 *		{ 0, "phase", OPTION_NUMBER, offsetof(struct layout_options, phase), "N",
 *		  .help = "the object starts N bytes into a line" },
 *		{ 'x', "hex", OPTION_FLAG, offsetof(struct layout_options, hex),
 *		  .help = "print offsets in hexadecimal" },
 *		{},
 *	};
 *
 * Accepted: --long VALUE, --long=VALUE, -x VALUE, -xVALUE, -xyz for flags, -- to end options.
 */
#ifndef FIELDLINE_BASE_OPTIONS_H
#define FIELDLINE_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

enum option_kind {
	OPTION_FLAG,	/* bool */
	OPTION_STRING,	/* const char * */
	OPTION_STRINGS, /* struct string_vec: may be given again and again */
	OPTION_NUMBER,	/* struct option_number: decimal, 0x hexadecimal */
	OPTION_CHOICE,	/* unsigned int: index into choices */
};

struct option_number {
	uint64_t value;
	bool given;
};

struct option_spec {
	char short_name;       /* 0 = none */
	const char *long_name; /* NULL ends the table */
	enum option_kind kind;
	size_t offset;		    /* of the value in the command's struct of options */
	const char *argument;	    /* what --help calls the value */
	const char *const *choices; /* OPTION_CHOICE: NULL-terminated */
	bool optional; /* OPTION_NUMBER, OPTION_CHOICE: without =VALUE it means `implied` */
	uint64_t implied;
	const char *help;
};

/*
 * Reads argv[1..argc) into the struct at values; what is no option goes to ret_operands. Values
 * are borrowed from argv. *ret_help is set when -h or --help was there; the rest is then unread.
 */
struct error *options_parse(const struct option_spec *specs, void *values, int argc, char **argv,
			    struct string_vec *ret_operands, bool *ret_help);
/* Frees what options_parse() allocated in the struct at values: the OPTION_STRINGS. */
void options_deinit(const struct option_spec *specs, void *values);
/* One line an option: two spaces, the names, the help. */
void options_print_help(struct text *text, const struct option_spec *specs);
struct error *options_parse_number(const char *what, const char *text, uint64_t *ret);

#endif
