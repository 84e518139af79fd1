/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a definition stands: namespaces and classes around it, what a typedef names. */
#ifndef FIELDLINE_KERNEL_DWARF_SCOPES_H
#define FIELDLINE_KERNEL_DWARF_SCOPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* Whether the qualified name ("a::b::C") fits the end of die's own qualified name. */
bool dwarf_scope_matches(Dwarf_Die *die, const char *qualified_name);
/* Whether a typedef directly names a struct or union that has no name of its own. */
bool dwarf_typedef_of_anonymous(Dwarf_Die *die);

#endif
