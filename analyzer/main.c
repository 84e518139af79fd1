/* SPDX-License-Identifier: GPL-2.0-only */
/* The command table and dispatch: the only place that prints an error and picks the exit code. */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"

static const struct command *const commands[] = {
	&command_c2c,	  &command_check,   &command_convert,  &command_diff,
	&command_emulate, &command_layout,  &command_list,     &command_patch,
	&command_propose, &command_resolve, &command_snapshot, NULL,
};

static const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}

static void print_help(void)
{
	printf("Usage: fieldline COMMAND [OPTION...]\n\n"
	       "Cache-line layout and false-sharing analyzer for Linux kernel structs.\n\n"
	       "Commands:\n");
	for (size_t i = 0; commands[i]; i++)
		printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	printf("\nfieldline COMMAND --help describes one; fieldline --version says which it "
	       "is.\n");
}

static int fail(struct error *err)
{
	bool usage = error_kind(err) == ERROR_USAGE;

	fprintf(stderr, "fieldline: %s\n", error_message(err));
	error_destroy(err);
	return usage ? EXIT_CODE_ERROR | EXIT_CODE_USAGE : EXIT_CODE_ERROR;
}

int main(int argc, char **argv)
{
	const struct command *command;
	struct error *err;
	int status = 0;

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_help();
		return argc < 2 ? EXIT_CODE_ERROR | EXIT_CODE_USAGE : 0;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("fieldline " FIELDLINE_VERSION "\n%s\n", command_build());
		return 0;
	}
	command = command_find(argv[1]);
	if (!command)
		return fail(error_create(ERROR_USAGE,
					 "no command '%s'; fieldline --help lists them", argv[1]));
	err = command_run(command, argc - 1, argv + 1, &status);
	return err ? fail(err) : status;
}
