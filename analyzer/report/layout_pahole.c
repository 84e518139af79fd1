/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/layout_pahole.h"

#include "report/pahole.h"

#define TYPE_COLUMN 26
#define NAME_COLUMN 23
#define NAME_COLUMN_UNION 21

void layout_pahole_print(struct text *text, const struct typeset *set,
			 const struct definition *definition,
			 const struct layout_pahole_options *options)
{
	const struct type *type = definition->type;
	struct pahole_printer printer = {
		.text = text,
		.options = options,
		.pointer_size = set->source.pointer_size,
		.name_column = type->kind == TYPE_UNION && !definition->typedef_name ?
				       NAME_COLUMN_UNION :
				       NAME_COLUMN,
	};
	struct pahole_scope scope = {
		.type_column = TYPE_COLUMN,
		.stats = true,
		.suffix = definition->typedef_name,
	};

	if (definition->typedef_name)
		text_add(text, "typedef ");
	if (definition->typedef_name && type->name)
		text_printf(text, "%s %s %s", type_keyword(type->kind), type->name,
			    definition->typedef_name);
	else if (type->kind == TYPE_UNION)
		pahole_print_union(&printer, type, scope);
	else
		pahole_print_struct(&printer, type, scope);
	text_add(text, ";\n");
}
