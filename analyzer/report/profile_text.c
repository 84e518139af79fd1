/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/profile_printer.h"

static void print_types(struct profile_printer *printer)
{
	const struct profile *profile = printer->profile;
	uint32_t nr = 0, nr_left_out = 0;

	for (uint32_t i = 0; i < profile->types.nr; i++) {
		if (!profile_wants_type(printer, &profile->types.items[i]))
			continue;
		if (nr++ < printer->options->nr_shown)
			profile_print_type(printer, i);
		else
			nr_left_out++;
	}
	if (!nr)
		text_add(printer->text, "\nNo line of a known type is fought over.\n");
	if (nr_left_out)
		text_printf(printer->text, "\n... and %u more types\n", nr_left_out);
}

void profile_text_print(struct text *text, const struct profile *profile,
			const struct profile_text_options *options)
{
	static void (*const printers[])(struct profile_printer *) = {
		[PROFILE_BY_TYPE] = print_types,
		[PROFILE_BY_OBJECT] = profile_print_objects,
		[PROFILE_BY_LINE] = profile_print_addresses,
		[PROFILE_BY_FUNCTION] = profile_print_functions,
		[PROFILE_BY_CPU] = profile_print_cpus,
		[PROFILE_BY_NODE] = profile_print_nodes,
		[PROFILE_BY_TIME] = profile_print_times,
	};
	struct profile_printer printer = { text, profile, options };

	profile_print_honesty(text, profile, "");
	if (options->by != PROFILE_BY_TYPE)
		text_add_char(text, '\n');
	printers[options->by](&printer);
}
