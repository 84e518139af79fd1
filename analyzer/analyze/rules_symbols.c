/* SPDX-License-Identifier: GPL-2.0-only */
#include "analyze/rules_symbols.h"

#include <string.h>

#include "base/text.h"

#define MAX_NAMES 5
/* Compilers align variables this far of their own accord (gcc's DATA_ALIGNMENT on x86). */
#define ALIGN_BY_COMPILER 32

const struct rule_info rule_symbol_shared = {
	"SYMBOL-SHARED",
	"global shares its line",
	"aligning a variable aligns its start only; give it a type whose size is a multiple of the "
	"line, or put it into a struct with what is used along with it",
};

struct judging {
	const struct symbol_table *table;
	uint32_t cacheline;
	/* By symbol: the end of whatever reaches furthest among it and those before it. */
	const uint64_t *reach;
	struct document *document;
};

static uint64_t first_line(const struct judging *judging, const struct symbol *symbol)
{
	return symbol->address / judging->cacheline;
}

static uint64_t last_line(const struct judging *judging, const struct symbol *symbol)
{
	return (symbol->address + symbol->size - 1) / judging->cacheline;
}

/* Names for the same bytes, jiffies and jiffies_64, are no neighbours. */
static bool overlap(const struct symbol *a, const struct symbol *b)
{
	return a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool same_place(const struct symbol *a, const struct symbol *b)
{
	return a->address == b->address && a->size == b->size;
}

static void add_name(struct text *text, size_t nr, const struct symbol *symbol)
{
	if (nr < MAX_NAMES)
		text_printf(text, "%s'%s' (0x%llx, %llu bytes)", nr ? ", " : "", symbol->name,
			    (unsigned long long)symbol->address, (unsigned long long)symbol->size);
	else if (nr == MAX_NAMES)
		text_add(text, ", ...");
}

/* Adds the others that lie on its first or last line; yields how many. */
static size_t add_neighbours(const struct judging *judging, size_t at, struct text *text)
{
	const struct symbol *symbols = judging->table->symbols.items;
	const struct symbol *symbol = &symbols[at];
	uint64_t first = first_line(judging, symbol), last = last_line(judging, symbol);
	size_t start = at, nr = 0;

	while (start && symbols[start - 1].section == symbol->section &&
	       (judging->reach[start - 1] - 1) / judging->cacheline >= first)
		start--;
	for (size_t i = start; i < judging->table->symbols.nr; i++) {
		const struct symbol *other = &symbols[i];

		if (other->section != symbol->section || first_line(judging, other) > last)
			break;
		if (i > start && same_place(other, other - 1))
			continue;
		if (!overlap(symbol, other) && last_line(judging, other) >= first)
			add_name(text, nr++, other);
	}
	return nr;
}

static void judge(const struct judging *judging, size_t at, const char *why, bool wanted)
{
	const struct symbol *symbol = &judging->table->symbols.items[at];
	const struct symbol_section *section = &judging->table->sections.items[symbol->section];
	struct arena *arena = &judging->document->arena;
	auto_text struct text names = {};
	size_t nr = add_neighbours(judging, at, &names);

	if (wanted)
		*vec_add(&judging->document->examined) =
			(struct examined){ .type = arena_printf(arena, "variable %s",
								symbol->name) };
	if (!nr)
		return;
	*vec_add(&judging->document->findings) = (struct finding){
		.rule = &rule_symbol_shared,
		.severity = wanted ? SEVERITY_ERROR : SEVERITY_NOTE,
		.type = arena_printf(arena, "variable %s", symbol->name),
		.message = arena_printf(arena,
					"at 0x%llx in %s, %llu bytes, shares a line of %u bytes "
					"with %s",
					(unsigned long long)symbol->address, section->name,
					(unsigned long long)symbol->size, judging->cacheline,
					text_chars(&names)),
		.evidence = why ? arena_strdup(arena, why) : NULL,
	};
}

static bool lines_are_known(const struct judging *judging, const struct symbol *symbol)
{
	return judging->table->linked ||
	       judging->table->sections.items[symbol->section].align >= judging->cacheline;
}

static void judge_guard(const struct judging *judging, const struct symbol_guard *guard, bool *seen)
{
	const struct symbol_table *table = judging->table;
	struct arena *arena = &judging->document->arena;
	bool found = false;

	for (size_t i = 0; i < table->symbols.nr; i++) {
		const struct symbol *symbol = &table->symbols.items[i];

		if (!text_matches(guard->pattern, symbol->name))
			continue;
		found = true;
		if (seen[i])
			continue;
		seen[i] = true;
		if (lines_are_known(judging, symbol))
			judge(judging, i, guard->why, true);
		else
			*vec_add(&judging->document->gaps) = arena_printf(
				arena,
				"variable %s: %s is only aligned to %llu bytes here; which lines "
				"it lies on shows in the linked vmlinux or the loaded module",
				symbol->name, table->sections.items[symbol->section].name,
				(unsigned long long)table->sections.items[symbol->section].align);
	}
	if (!found)
		*vec_add(&judging->document->gaps) = arena_printf(
			arena, "'%s' has no variable '%s'", table->path, guard->pattern);
}

/* As Linux names them: .data..cacheline_aligned, .data..percpu..shared_aligned. */
static bool is_for_aligned(const char *section)
{
	return strstr(section, "cacheline_aligned") || strstr(section, "shared_aligned");
}

/* What is only read, only used while booting, or each CPU's own is not fought over. */
static bool is_written(const char *section)
{
	return (strstr(section, ".data") || strstr(section, ".bss")) &&
	       !strstr(section, "ro_after_init") && !strstr(section, "init.data") &&
	       !strstr(section, "percpu");
}

static bool is_aligned_by_purpose(const struct judging *judging, size_t at)
{
	const struct symbol *symbols = judging->table->symbols.items;
	const struct symbol *symbol = &symbols[at];
	uint64_t end, natural;

	if (symbol->address % judging->cacheline ||
	    !is_written(judging->table->sections.items[symbol->section].name))
		return false;
	if (is_for_aligned(judging->table->sections.items[symbol->section].name))
		return true;
	if (!judging->table->linked || !at || symbols[at - 1].section != symbol->section)
		return false;
	end = symbols[at - 1].address + symbols[at - 1].size;
	natural = (end + ALIGN_BY_COMPILER - 1) / ALIGN_BY_COMPILER * ALIGN_BY_COMPILER;
	/* A gap of more than a line is other data, without a name. */
	return natural < symbol->address && symbol->address - natural < judging->cacheline;
}

void rules_judge_symbols(const struct symbol_guard *guards, size_t nr,
			 const struct symbol_table *table, uint32_t cacheline, bool all,
			 struct document *document)
{
	auto_free uint64_t *reach = memory_alloc(table->symbols.nr, sizeof(*reach));
	auto_free bool *seen = memory_alloc(table->symbols.nr, sizeof(*seen));
	const struct judging judging = { table, cacheline, reach, document };

	for (size_t i = 0; i < table->symbols.nr; i++) {
		const struct symbol *symbol = &table->symbols.items[i];

		reach[i] = symbol->address + symbol->size;
		if (i && symbol[-1].section == symbol->section && reach[i - 1] > reach[i])
			reach[i] = reach[i - 1];
	}
	for (size_t i = 0; i < nr; i++)
		judge_guard(&judging, &guards[i], seen);
	for (size_t i = 0; i < table->symbols.nr && all; i++) {
		const struct symbol *symbol = &table->symbols.items[i];

		if (!seen[i] && symbol->size % cacheline && lines_are_known(&judging, symbol) &&
		    is_aligned_by_purpose(&judging, i))
			judge(&judging, i, "it starts on a line and does not fill its last one",
			      false);
	}
}
