/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/options.h"

#include <errno.h>
#include <string.h>

#define HELP_COLUMN 30

/* What is being read, and what goes with it. */
struct parser {
	const struct option_spec *specs;
	char *values;
	int argc;
	char **argv;
	int next; /* index of the next argument to read */
};

struct error *options_parse_number(const char *what, const char *text, uint64_t *ret)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (end == text || *end || errno || *text == '-')
		return error_create(ERROR_USAGE, "%s wants a number, not '%s'", what, text);
	*ret = value;
	return NULL;
}

static struct error *set_choice(const struct option_spec *spec, const char *value,
				unsigned int *ret)
{
	auto_text struct text known = {};

	for (unsigned int i = 0; spec->choices[i]; i++) {
		if (!strcmp(spec->choices[i], value)) {
			*ret = i;
			return NULL;
		}
		text_printf(&known, "%s%s", i ? ", " : "", spec->choices[i]);
	}
	return error_create(ERROR_USAGE, "--%s wants one of %s, not '%s'", spec->long_name,
			    text_chars(&known), value);
}

static struct error *set_value(const struct parser *parser, const struct option_spec *spec,
			       const char *value)
{
	void *field = parser->values + spec->offset;
	struct option_number *number = field;
	auto_text struct text what = {};

	switch (spec->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return NULL;
	case OPTION_STRING:
		*(const char **)field = value;
		return NULL;
	case OPTION_STRINGS:
		*vec_add((struct string_vec *)field) = value;
		return NULL;
	case OPTION_CHOICE:
		if (value)
			return set_choice(spec, value, field);
		*(unsigned int *)field = (unsigned int)spec->implied;
		return NULL;
	case OPTION_NUMBER:
		break;
	}
	*number = (struct option_number){ spec->implied, true };
	if (!value)
		return NULL;
	text_printf(&what, "--%s", spec->long_name);
	return options_parse_number(text_chars(&what), value, &number->value);
}

/* Takes the value from the same argument (rest) or the next one. */
static struct error *read_value(struct parser *parser, const struct option_spec *spec,
				const char *rest)
{
	if (!rest && spec->kind != OPTION_FLAG && !spec->optional) {
		if (parser->next == parser->argc)
			return error_create(ERROR_USAGE, "--%s wants a value (%s)", spec->long_name,
					    spec->argument);
		rest = parser->argv[parser->next++];
	}
	return set_value(parser, spec, rest);
}

static struct error *unknown_option(const struct parser *parser, const char *name, size_t length)
{
	auto_text struct text given = {};
	const struct option_spec *spec, *nearest = NULL;
	unsigned int least = 4;

	text_add_bytes(&given, name, length);
	for (spec = parser->specs; spec->long_name; spec++) {
		unsigned int distance = text_distance(text_chars(&given), spec->long_name, 3);

		if (distance < least) {
			least = distance;
			nearest = spec;
		}
	}
	if (nearest)
		return error_create(ERROR_USAGE, "unknown option --%s; did you mean --%s?",
				    text_chars(&given), nearest->long_name);
	return error_create(ERROR_USAGE, "unknown option --%s; --help lists those there are",
			    text_chars(&given));
}

static struct error *read_long(struct parser *parser, const char *name)
{
	size_t length = strcspn(name, "=");
	const char *rest = name[length] ? name + length + 1 : NULL;
	const struct option_spec *spec;

	for (spec = parser->specs; spec->long_name; spec++) {
		if (strlen(spec->long_name) != length || memcmp(spec->long_name, name, length))
			continue;
		if (rest && spec->kind == OPTION_FLAG)
			return error_create(ERROR_USAGE, "--%s takes no value", spec->long_name);
		return read_value(parser, spec, rest);
	}
	return unknown_option(parser, name, length);
}

static struct error *read_short(struct parser *parser, const char *letters)
{
	const struct option_spec *spec;
	struct error *err;

	for (; *letters; letters++) {
		for (spec = parser->specs; spec->long_name; spec++) {
			if (spec->short_name == *letters)
				break;
		}
		if (!spec->long_name)
			return error_create(ERROR_USAGE,
					    "unknown option -%c; --help lists those there are",
					    *letters);
		if (spec->kind != OPTION_FLAG)
			return read_value(parser, spec, letters[1] ? letters + 1 : NULL);
		err = read_value(parser, spec, NULL);
		if (err)
			return err;
	}
	return NULL;
}

struct error *options_parse(const struct option_spec *specs, void *values, int argc, char **argv,
			    struct string_vec *ret_operands, bool *ret_help)
{
	struct parser parser = { specs, values, argc, argv, 1 };
	struct error *err = NULL;
	bool ended = false;

	while (!err && parser.next < argc) {
		const char *argument = argv[parser.next++];

		if (ended || argument[0] != '-' || !argument[1]) {
			*vec_add(ret_operands) = argument;
		} else if (!strcmp(argument, "--")) {
			ended = true;
		} else if (!strcmp(argument, "--help") || !strcmp(argument, "-h")) {
			*ret_help = true;
			return NULL;
		} else if (argument[1] == '-') {
			err = read_long(&parser, argument + 2);
		} else {
			err = read_short(&parser, argument + 1);
		}
	}
	return err;
}

void options_deinit(const struct option_spec *specs, void *values)
{
	for (; specs->long_name; specs++) {
		if (specs->kind == OPTION_STRINGS)
			vec_deinit((struct string_vec *)((char *)values + specs->offset));
	}
}

static void print_row(struct text *text, const struct option_spec *spec)
{
	size_t start = text->length;

	if (spec->short_name)
		text_printf(text, "  -%c, --%s", spec->short_name, spec->long_name);
	else
		text_printf(text, "      --%s", spec->long_name);
	if (spec->argument)
		text_printf(text, spec->optional ? "[=%s]" : "=%s", spec->argument);
	text_pad(text, ' ', start + HELP_COLUMN - 1);
	text_printf(text, " %s", spec->help);
	for (unsigned int i = 0; spec->choices && spec->choices[i]; i++)
		text_printf(text, "%s%s", i ? ", " : ": ", spec->choices[i]);
	text_add_char(text, '\n');
}

void options_print_help(struct text *text, const struct option_spec *specs)
{
	static const struct option_spec help = { 'h', "help", .help = "print this and exit" };

	for (; specs->long_name; specs++)
		print_row(text, specs);
	print_row(text, &help);
}
