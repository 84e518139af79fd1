/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel's tables of fast paths want of a layout. All findings are notes. */
#ifndef FIELDLINE_ANALYZE_RULES_PATHS_H
#define FIELDLINE_ANALYZE_RULES_PATHS_H

#include "model/finding.h"
#include "model/path_table.h"
#include "model/typeset.h"

extern const struct rule_info rule_path_field, rule_path_group, rule_path_lines, rule_path_shared;

/* Judges each table's struct in lines of cacheline bytes; one that is not in the set is a gap. */
void rules_judge_paths(const struct path_tables *tables, const struct typeset *set,
		       uint32_t cacheline, struct document *document);

#endif
