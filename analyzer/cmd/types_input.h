/* SPDX-License-Identifier: GPL-2.0-only */
/* What every command that reads types asks on its command line, and the reading itself. */
#ifndef FIELDLINE_CMD_TYPES_INPUT_H
#define FIELDLINE_CMD_TYPES_INPUT_H

#include "base/options.h"
#include "kernel/types.h"
#include "model/layout.h"

/* Part of a command's struct of options, filled by the rows of TYPES_INPUT_OPTIONS. */
struct types_input {
	unsigned int format; /* enum types_format */
	const char *btf_base;
	bool force;
	struct option_number cacheline;
	struct option_number phase;
};

extern const char *const types_input_formats[];

/* clang-format off */
#define TYPES_INPUT_READ_OPTIONS(type, member)                                                     \
	{ 0, "format", OPTION_CHOICE, offsetof(type, member.format), "WHAT",                       \
	  .choices = types_input_formats, .help = "debug information to read" },                   \
	{ 0, "btf-base", OPTION_STRING, offsetof(type, member.btf_base), "FILE",                   \
	  .help = "what a module's split BTF builds on" },                                         \
	{ 0, "force", OPTION_FLAG, offsetof(type, member.force),                                   \
	  .help = "read a kernel that shuffles its structs (RANDSTRUCT)" }
#define TYPES_INPUT_PHASE_OPTION(type, member)                                                     \
	{ 0, "phase", OPTION_NUMBER, offsetof(type, member.phase), "BYTES",                        \
	  .help = "how far behind a line boundary the object starts" }
#define TYPES_INPUT_OPTIONS(type, member)                                                          \
	TYPES_INPUT_READ_OPTIONS(type, member),                                                    \
	{ 0, "cacheline", OPTION_NUMBER, offsetof(type, member.cacheline), "BYTES",                \
	  .help = "size of a line, if not the machine's own" },                                    \
	TYPES_INPUT_PHASE_OPTION(type, member)
/* clang-format on */

/*
 * Whether an operand names a file, not a struct: one with a slash does, for no struct has that in
 * its name, and so does that of a regular file.
 */
bool types_input_is_file(const char *operand);

/*
 * Reads what the request names from path, NULL meaning the running kernel; the options complete
 * the request. An ERROR_USAGE if they contradict each other.
 */
struct error *types_input_read(const struct types_input *input, const char *path,
			       struct types_request request, struct typeset *ret);
/* The view asked for: by default lines of the machine's own size. A phase is taken modulo it. */
struct view types_input_view(const struct types_input *input, const struct source *source);

#endif
