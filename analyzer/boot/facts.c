/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/facts.h"

#include <inttypes.h>
#include <string.h>

#include "kernel/symbols.h"
#include "kernel/types.h"

/*
 * Linux 6.1's allocators. What a configuration inlines or lacks is left out; without those that
 * are needed the report could not name any object.
 */
static const struct fact_function {
	const char *role;
	const char *name;
	bool needed;
} functions[] = {
	{ "switch", "__switch_to", true },
	{ "slab_alloc", "kmem_cache_alloc", true },
	{ "slab_alloc", "kmem_cache_alloc_lru", false },
	{ "slab_alloc", "kmem_cache_alloc_node", false },
	{ "slab_kmalloc", "__kmem_cache_alloc_node", true },
	{ "slab_bulk", "kmem_cache_alloc_bulk", false },
	{ "slab_free", "kmem_cache_free", true },
	{ "kfree", "kfree", true },
	{ "slab_free_bulk", "kmem_cache_free_bulk", false },
	{ "pages_alloc", "__alloc_pages", true },
	{ "pages_alloc", "alloc_pages", false },
	{ "vmalloc", "__vmalloc_node_range", false },
	{ "vmap", "vmap", false },
	{ "early_alloc", "memblock_alloc_range_nid", false },
	{ "early_alloc", "memblock_phys_alloc_range", false },
	{ "early_alloc", "memblock_phys_alloc_try_nid", false },
	{ "early_alloc", "memblock_alloc_try_nid", false },
	{ "early_alloc", "memblock_alloc_try_nid_raw", false },
	{ "early_alloc", "memblock_alloc_exact_nid_raw", false },
	{ "percpu_alloc", "__alloc_percpu", false },
	{ "percpu_alloc", "__alloc_percpu_gfp", false },
	{ "percpu_alloc", "__alloc_reserved_percpu", false },
	{ "module", "do_init_module", false },
	{ "irq_enter", "irq_enter_rcu", true },
	{ "irq_exit", "irq_exit_rcu", true },
	{ "softirq", "__do_softirq", true },
	{ "exception", "exc_page_fault", false },
	{ "device_mapping", "ioremap_page_range", true },
	{ "start", "start_kernel", false },
};

/* A word of the settings: the offset of a member, or with an empty path the size of the struct. */
static const struct fact_member {
	const char *word;
	const char *type;
	const char *path;
	bool needed;
} members[] = {
	{ "cache_name", "kmem_cache", "name", true },
	{ "cache_size", "kmem_cache", "size", true },
	{ "cache_object_size", "kmem_cache", "object_size", true },
	{ "page_struct", "page", "", true },
	{ "memory_section_size", "mem_section", "", false },
	{ "memory_section_map", "mem_section", "section_mem_map", false },
	{ "task_pid", "task_struct", "pid", true },
	{ "task_tgid", "task_struct", "tgid", true },
	{ "task_comm", "task_struct", "comm", true },
	{ "module_name", "module", "name", false },
	{ "module_base", "module", "core_layout.base", false },
	{ "module_size", "module", "core_layout.size", false },
	{ "module_sections", "module", "sect_attrs", false },
	{ "sections_nr", "module_sect_attrs", "nsections", false },
	{ "sections_first", "module_sect_attrs", "attrs", false },
	{ "section_size", "module_sect_attr", "", false },
	{ "section_name", "module_sect_attr", "battr.attr.name", false },
	{ "section_address", "module_sect_attr", "address", false },
};

/* A word of the settings: the address of a variable. Kernels without it go without. */
static const struct fact_variable {
	const char *word;
	const char *name;
} variables[] = {
	{ "banner", "linux_banner" },
	{ "percpu_offsets", "__per_cpu_offset" },
	{ "memory_sections", "mem_section" },
	{ "jiffies", "jiffies_64" },
	{ "lapic_timer_period", "lapic_timer_period" },
	{ "preset_lpj", "preset_lpj" },
};

static const struct symbol *find_symbol(const struct symbol_table *table, const char *name)
{
	for (size_t i = 0; i < table->symbols.nr; i++) {
		if (!strcmp(table->symbols.items[i].name, name))
			return &table->symbols.items[i];
	}
	return NULL;
}

static struct error *add_function(const struct symbol_table *table, const char *role,
				  const char *name, bool needed, struct text *settings)
{
	const struct symbol *symbol = find_symbol(table, name);

	if (!symbol && needed)
		return error_create(ERROR_NOT_FOUND,
				    "'%s' has no function %s(): only kernels of the 6.1 series are "
				    "known well enough to be emulated",
				    table->path, name);
	if (symbol)
		text_printf(settings, "function %s 0x%" PRIx64 "\n", role, symbol->address);
	return NULL;
}

static void add_text(const struct symbol_table *table, struct text *settings)
{
	const struct symbol *start = find_symbol(table, "_text");
	const struct symbol *end = find_symbol(table, "_etext");

	if (start && end)
		text_printf(settings, "text_start 0x%" PRIx64 "\ntext_end 0x%" PRIx64 "\n",
			    start->address, end->address);
}

static struct error *add_functions(const char *vmlinux, const struct string_vec *operations,
				   struct text *settings)
{
	auto_symbol_table struct symbol_table table = {};
	struct error *err = symbols_read_functions(vmlinux, &table);

	for (size_t i = 0; !err && i < array_size(functions); i++)
		err = add_function(&table, functions[i].role, functions[i].name,
				   functions[i].needed, settings);
	for (size_t i = 0; !err && i < operations->nr; i++) {
		if (!find_symbol(&table, operations->items[i]))
			err = error_create(ERROR_NOT_FOUND, "'%s' has no function %s()", vmlinux,
					   operations->items[i]);
		else
			err = add_function(&table, "operation", operations->items[i], true,
					   settings);
	}
	if (!err)
		add_text(&table, settings);
	return err;
}

static bool names_field(const struct field *field, const char *path, size_t nr)
{
	return field->name && strlen(field->name) == nr && !strncmp(field->name, path, nr);
}

/* The offset of path ("core_layout.base") in bytes; false if there is no such member. */
static bool find_offset(const struct type *type, const char *path, uint64_t *ret)
{
	size_t nr = strcspn(path, ".");

	for (uint32_t i = 0; i < type->nr_fields; i++) {
		const struct field *field = &type->fields[i];
		const char *rest = path + nr;
		bool found = names_field(field, path, nr);
		uint64_t inside = 0;

		if (!found && field_is_transparent(field)) {
			rest = path;
			found = find_offset(type_strip(field->type), rest, &inside);
		} else if (found && *rest) {
			found = find_offset(type_strip(field->type), rest + 1, &inside);
		}
		if (found) {
			*ret = field->offset_bits / 8 + inside;
			return true;
		}
	}
	return false;
}

static const struct type *find_type(const struct typeset *set, const char *name)
{
	for (size_t i = 0; i < set->definitions.nr; i++) {
		if (!strcmp(definition_name(&set->definitions.items[i]), name))
			return set->definitions.items[i].type;
	}
	return NULL;
}

static struct error *add_member(const struct typeset *set, const struct fact_member *member,
				struct text *settings)
{
	const struct type *type = find_type(set, member->type);
	uint64_t value = 0;
	bool found = type && (!*member->path || find_offset(type, member->path, &value));

	if (found && !*member->path)
		value = type_size(type);
	if (found)
		text_printf(settings, "%s %" PRIu64 "\n", member->word, value);
	else if (member->needed)
		return error_create(ERROR_NOT_FOUND, "'%s' has no struct %s with a member %s",
				    set->source.path, member->type, member->path);
	return NULL;
}

static struct error *add_members(const char *vmlinux, struct text *settings)
{
	static const char *const names[] = { "kmem_cache",	"page",	  "mem_section",
					     "task_struct",	"module", "module_sect_attrs",
					     "module_sect_attr" };
	struct type_query queries[array_size(names)];
	struct types_request request = {
		.queries = queries,
		.nr_queries = array_size(queries),
		.allow_missing = true,
	};
	auto_typeset struct typeset set = {};
	struct error *err;

	for (size_t i = 0; i < array_size(names); i++)
		queries[i] = type_query_parse(names[i]);
	err = types_read(vmlinux, &request, &set);
	for (size_t i = 0; !err && i < array_size(members); i++)
		err = add_member(&set, &members[i], settings);
	return err;
}

/* On x86-64 the section of static per-CPU variables is linked to address 0. */
static struct error *add_variables(const char *vmlinux, struct text *settings)
{
	auto_symbol_table struct symbol_table table = {};
	struct error *err = symbols_read(vmlinux, &table);
	uint64_t size = 0;

	if (err)
		return err;
	for (size_t i = 0; i < table.symbols.nr; i++) {
		const struct symbol *symbol = &table.symbols.items[i];
		const char *section = table.sections.items[symbol->section].name;

		if (!strcmp(section, ".data..percpu") && symbol->address + symbol->size > size)
			size = symbol->address + symbol->size;
	}
	text_printf(settings, "percpu_size %" PRIu64 "\n", size);
	for (size_t i = 0; i < array_size(variables); i++) {
		const struct symbol *symbol = find_symbol(&table, variables[i].name);

		if (symbol)
			text_printf(settings, "%s 0x%" PRIx64 "\n", variables[i].word,
				    symbol->address);
	}
	return NULL;
}

struct error *facts_read(const char *vmlinux, const struct string_vec *operations,
			 struct text *settings)
{
	struct error *err = add_functions(vmlinux, operations, settings);

	if (!err)
		err = add_members(vmlinux, settings);
	return err ? err : add_variables(vmlinux, settings);
}
