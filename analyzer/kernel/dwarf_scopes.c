/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/dwarf_scopes.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "kernel/dwarf_reader.h"

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || dwarf_is_aggregate(tag);
}

/* In a type unit the class around is a nameless declaration that states its own unit. */
static const char *scope_name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	Dwarf_Attribute attr;
	Dwarf_Die whole;

	if (!name && dwarf_attr(die, DW_AT_signature, &attr) && dwarf_formref_die(&attr, &whole))
		name = dwarf_diename(&whole);
	return name ? name : "(anonymous)";
}

bool dwarf_scope_matches(Dwarf_Die *die, const char *qualified_name)
{
	auto_free Dwarf_Die *scopes = NULL;
	Dwarf_Attribute attr;
	Dwarf_Die declared;
	/* g++ puts a definition at the top of its type unit and its declaration into the scope. */
	bool elsewhere =
		dwarf_attr(die, DW_AT_specification, &attr) && dwarf_formref_die(&attr, &declared);
	int nr = dwarf_getscopes_die(elsewhere ? &declared : die, &scopes);
	auto_text struct text full = {};
	size_t wanted = strlen(qualified_name);

	for (int i = nr - 1; i >= 0; i--) {
		if (!i || is_scope(dwarf_tag(&scopes[i])))
			text_printf(&full, "::%s", scope_name(&scopes[i]));
	}
	/* "::" stands before every component, so a match at the end is one of whole components. */
	return full.length >= wanted + 2 &&
	       !strcmp(full.chars + full.length - wanted, qualified_name) &&
	       !strncmp(full.chars + full.length - wanted - 2, "::", 2);
}

bool dwarf_typedef_of_anonymous(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die target;

	return dwarf_attr(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &target) &&
	       dwarf_is_aggregate(dwarf_tag(&target)) && !dwarf_hasattr(&target, DW_AT_name);
}
