/* SPDX-License-Identifier: GPL-2.0-only */
#include "exact/names.h"

#include <string.h>

#include "base/text.h"
#include "kernel/module_file.h"
#include "kernel/symbols.h"

void names_deinit(struct names *names)
{
	vec_deinit(&names->functions);
	vec_deinit(&names->variables);
	vec_deinit(&names->percpu);
	vec_deinit(&names->gaps);
	arena_deinit(&names->arena);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct symbol *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	/* Of two names for one place the one that knows its size. */
	if (left->size != right->size)
		return left->size < right->size ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* The last one at or below address. */
static const struct symbol *find_below(const struct symbol_address_vec *symbols, uint64_t address)
{
	size_t behind = vec_first_behind(symbols, address, address);

	return behind ? &symbols->items[behind - 1] : NULL;
}

const struct symbol *names_variable(const struct symbol_address_vec *variables, uint64_t address)
{
	const struct symbol *symbol = find_below(variables, address);

	return symbol && address - symbol->address < symbol->size ? symbol : NULL;
}

enum { LONGEST_FUNCTION = 1 << 20 };

const char *names_function(const struct names *names, uint64_t address)
{
	const struct symbol *symbol = find_below(&names->functions, address);

	if (!symbol || address - symbol->address >= (symbol->size ?: LONGEST_FUNCTION))
		return "unknown code";
	return symbol->name;
}

static void add_symbol(struct names *names, struct symbol_address_vec *symbols,
		       const struct symbol *symbol, uint64_t base)
{
	*vec_add(symbols) = (struct symbol){
		.name = arena_strdup(&names->arena, symbol->name),
		.address = base + symbol->address,
		.size = symbol->size,
	};
}

static void add_image(struct names *names, const struct symbol_table *functions,
		      const struct symbol_table *variables)
{
	for (size_t i = 0; i < functions->symbols.nr; i++)
		add_symbol(names, &names->functions, &functions->symbols.items[i], 0);
	for (size_t i = 0; i < variables->symbols.nr; i++) {
		const struct symbol *symbol = &variables->symbols.items[i];
		const char *section = variables->sections.items[symbol->section].name;
		bool percpu = !strcmp(section, ".data..percpu");

		add_symbol(names, percpu ? &names->percpu : &names->variables, symbol, 0);
	}
}

static const struct counts_section *find_section(const struct counts *counts, const char *module,
						 const char *name)
{
	for (size_t i = 0; i < counts->sections.nr; i++) {
		const struct counts_section *section = &counts->sections.items[i];

		if (!strcmp(section->module, module) && !strcmp(section->name, name))
			return section;
	}
	return NULL;
}

/* Sections that the kernel threw away after loading are not in its list. */
static void add_module_table(struct names *names, struct symbol_address_vec *symbols,
			     const struct symbol_table *table, const struct counts *counts,
			     const char *module)
{
	for (size_t i = 0; i < table->symbols.nr; i++) {
		const struct symbol *symbol = &table->symbols.items[i];
		const char *name = table->sections.items[symbol->section].name;
		const struct counts_section *section = find_section(counts, module, name);

		if (section && section->address && !strstr(name, ".init."))
			add_symbol(names, symbols, symbol, section->address);
	}
}

static void add_module(struct names *names, const char *directory, const struct counts *counts,
		       const char *module)
{
	auto_symbol_table struct symbol_table functions = {}, variables = {};
	auto_free char *path = directory ? module_file_find(directory, module) : NULL;
	auto_error struct error *err = NULL;

	if (!path) {
		*vec_add(&names->gaps) =
			arena_printf(&names->arena,
				     "module %s: no file of it, so its code has no names", module);
		return;
	}
	err = symbols_read_functions(path, &functions);
	if (err)
		*vec_add(&names->gaps) =
			arena_printf(&names->arena, "module %s: %s", module, error_message(err));
	else
		add_module_table(names, &names->functions, &functions, counts, module);
	error_destroy(err);
	/* A module without variables is no gap. */
	err = symbols_read(path, &variables);
	if (!err)
		add_module_table(names, &names->variables, &variables, counts, module);
}

struct error *names_read(const char *vmlinux, const char *modules, const struct counts *counts,
			 struct names *ret)
{
	auto_symbol_table struct symbol_table functions = {}, variables = {};
	auto_names struct names names = {};
	struct error *err = symbols_read_functions(vmlinux, &functions);

	if (!err)
		err = symbols_read(vmlinux, &variables);
	if (err)
		return err;
	add_image(&names, &functions, &variables);
	for (size_t i = 0; i < counts->modules.nr; i++)
		add_module(&names, modules, counts, counts->modules.items[i].name);
	vec_sort(&names.functions, compare_addresses);
	vec_sort(&names.variables, compare_addresses);
	vec_sort(&names.percpu, compare_addresses);
	*ret = names;
	names = (struct names){};
	return NULL;
}
