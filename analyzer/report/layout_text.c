/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/layout_text.h"

void layout_text_print(struct text *text, const struct typeset *set,
		       const struct definition *definition,
		       const struct layout_text_options *options)
{
	auto_vec struct placed_vec fields = {};

	(void)set;
	layout_flatten(definition->type, options->expand, &fields);
	for (size_t i = 0; i < fields.nr; i++) {
		text_printf(text, "%8llu %6llu %*s",
			    (unsigned long long)fields.items[i].offset_bits / 8,
			    (unsigned long long)fields.items[i].width_bits / 8,
			    2 * fields.items[i].depth, "");
		type_print(text, fields.items[i].field->type, fields.items[i].field->name);
		text_add(text, "\n");
	}
}
