/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sub-command: its words, its options, its function. Commands hold no knowledge, only the order
 * of calls. To add one: a cmd/<name>.c with a `command_<name>`, a row in main.c's table and below,
 * a page analyzer/man/fieldline-<name>.1; tests/lint holds the three against each other.
 */
#ifndef FIELDLINE_CMD_COMMAND_H
#define FIELDLINE_CMD_COMMAND_H

#include "base/error.h"
#include "base/options.h"

/* Exit codes are bits, as abidiff's and stgdiff's are. */
enum exit_code {
	EXIT_CODE_ERROR = 1,
	EXIT_CODE_USAGE = 2, /* always with EXIT_CODE_ERROR */
	EXIT_CODE_DIFFERS = 4,
	EXIT_CODE_VIOLATION = 8,   /* always with EXIT_CODE_DIFFERS */
	EXIT_CODE_INCOMPLETE = 16, /* some of the evidence could not be read */
};

struct command {
	const char *name;
	const char *synopsis; /* what follows "fieldline NAME" in the usage line */
	const char *summary;  /* one line, no full stop */
	const struct option_spec *options;
	size_t options_size; /* bytes of the struct the options fill; starts zeroed */
	/* options is that struct. *ret_status is the exit code when no error is returned. */
	struct error *(*run)(void *options, const struct string_vec *operands, int *ret_status);
};

/* Parses argv (argv[0] = the command's name), prints help when asked, else runs the command. */
struct error *command_run(const struct command *command, int argc, char **argv, int *ret_status);
/* What this build can do that another can't: a line for --version. */
const char *command_build(void);

extern const struct command command_c2c;
extern const struct command command_check;
extern const struct command command_convert;
extern const struct command command_diff;
extern const struct command command_emulate;
extern const struct command command_layout;
extern const struct command command_list;
extern const struct command command_patch;
extern const struct command command_propose;
extern const struct command command_resolve;
extern const struct command command_snapshot;

#endif
