/* SPDX-License-Identifier: GPL-2.0-only */
#include "report/layout_pahole.h"

void layout_pahole_print(struct text *text, const struct typeset *set,
			 const struct definition *definition,
			 const struct layout_pahole_options *options)
{
	(void)set;
	(void)options;
	type_print(text, definition->type, NULL);
}
