/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Globals whose line a neighbour in the symbol table shares. __cacheline_aligned and its kin align
 * the start only: what the linker puts behind the variable may still lie on its last line.
 */
#ifndef FIELDLINE_ANALYZE_RULES_SYMBOLS_H
#define FIELDLINE_ANALYZE_RULES_SYMBOLS_H

#include "model/finding.h"
#include "model/policy.h"
#include "model/symbol.h"

extern const struct rule_info rule_symbol_shared;

/*
 * What a guard names must not share a line (an error); a guard that names nothing is a gap. With
 * `all`, variables that were aligned to a line and don't fill their last one are notes too: those
 * in sections for aligned data, and those that start on a line behind a gap that no smaller
 * alignment explains.
 */
void rules_judge_symbols(const struct symbol_guard *guards, size_t nr,
			 const struct symbol_table *table, uint32_t cacheline, bool all,
			 struct document *document);

#endif
