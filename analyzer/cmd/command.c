/* SPDX-License-Identifier: GPL-2.0-only */
#include "cmd/command.h"

#include "base/file.h"
#include "insn/insn.h"

static struct error *print_help(const struct command *command)
{
	auto_text struct text text = {};

	text_printf(&text, "Usage: fieldline %s %s\n\n%s.\n\nOptions:\n", command->name,
		    command->synopsis, command->summary);
	options_print_help(&text, command->options);
	return file_write("-", text_chars(&text), text.length);
}

const char *command_build(void)
{
	return insn_decoder_name() ? "decodes instructions by Capstone" :
				     "built without Capstone: can't resolve instructions";
}

struct error *command_run(const struct command *command, int argc, char **argv, int *ret_status)
{
	auto_free void *options = memory_alloc(1, command->options_size);
	auto_vec struct string_vec operands = {};
	bool help = false;
	struct error *err;

	err = options_parse(command->options, options, argc, argv, &operands, &help);
	if (err)
		err = error_wrap(err, "%s", command->name);
	else
		err = help ? print_help(command) : command->run(options, &operands, ret_status);
	options_deinit(command->options, options);
	return err;
}
