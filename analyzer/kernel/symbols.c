/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/symbols.h"

#include "base/text.h"
#include "kernel/image.h"

static Elf_Scn *find_symtab(Elf *elf, GElf_Shdr *ret)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, ret) && ret->sh_type == SHT_SYMTAB)
			return section;
	}
	return NULL;
}

/* What an address in a linked image shows: the largest power of two that divides it. */
static uint64_t align_of(const struct symbol_table *table, const GElf_Shdr *header)
{
	uint64_t align = header->sh_addralign;

	if (table->linked)
		align = header->sh_addr & -header->sh_addr;
	else if (align & (align - 1)) /* damaged */
		align = 0;
	return align ? align : 1;
}

/* Indexes of ours by the file's; UINT32_MAX for sections that hold nothing that is wanted. */
static struct error *read_sections(const struct image *image, bool functions, size_t nr,
				   uint32_t *numbers, struct symbol_table *table)
{
	size_t strings;

	if (elf_getshdrstrndx(image->elf, &strings))
		return error_create(ERROR_INPUT, "'%s': %s", image->path, elf_errmsg(-1));
	for (size_t i = 0; i < nr; i++) {
		Elf_Scn *section = elf_getscn(image->elf, i);
		GElf_Shdr header;
		const char *name;

		numbers[i] = UINT32_MAX;
		if (!section || !gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    !!(header.sh_flags & SHF_EXECINSTR) != functions)
			continue;
		name = elf_strptr(image->elf, strings, header.sh_name);
		numbers[i] = (uint32_t)table->sections.nr;
		*vec_add(&table->sections) = (struct symbol_section){
			.name = arena_strdup(&table->arena, name ? name : ""),
			.align = align_of(table, &header),
		};
	}
	return NULL;
}

/* Assembly leaves the type of its entry points away. */
static bool is_wanted(const GElf_Sym *symbol, bool functions)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	return functions ? type == STT_FUNC || type == STT_NOTYPE : type == STT_OBJECT;
}

static void add_symbol(const struct image *image, const GElf_Sym *symbol, uint32_t section,
		       size_t strings, struct symbol_table *table)
{
	const char *name = elf_strptr(image->elf, strings, symbol->st_name);

	if (!name || !*name || symbol->st_value + symbol->st_size < symbol->st_value)
		return;
	*vec_add(&table->symbols) = (struct symbol){
		.name = arena_strdup(&table->arena, name),
		.address = symbol->st_value,
		.size = symbol->st_size,
		.section = section,
	};
}

/* More sections than 16 bits can count have their symbols' numbers in a table beside it. */
static Elf_Data *find_wide_indexes(Elf *elf, Elf_Scn *symtab)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB_SHNDX &&
		    header.sh_link == elf_ndxscn(symtab))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

static struct error *read_symbols(const struct image *image, bool functions,
				  const uint32_t *numbers, size_t nr, struct symbol_table *table)
{
	GElf_Shdr header = {};
	Elf_Scn *section = find_symtab(image->elf, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	Elf_Data *wide = section ? find_wide_indexes(image->elf, section) : NULL;
	size_t entry = gelf_fsize(image->elf, ELF_T_SYM, 1, EV_CURRENT);

	if (!data || !entry)
		return error_create(ERROR_INPUT,
				    "'%s' has no symbol table: take the vmlinux of the build or of "
				    "the debug package",
				    image->path);
	for (size_t i = 0; i < data->d_size / entry && i <= INT32_MAX; i++) {
		Elf32_Word wide_index = 0;
		GElf_Sym symbol;
		size_t index;

		if (!gelf_getsymshndx(data, wide, (int)i, &symbol, &wide_index))
			continue;
		index = symbol.st_shndx == SHN_XINDEX ? wide_index : symbol.st_shndx;
		if (index < nr && numbers[index] != UINT32_MAX && is_wanted(&symbol, functions))
			add_symbol(image, &symbol, numbers[index], header.sh_link, table);
	}
	return NULL;
}

static struct error *read_image(struct image *image, bool functions, struct symbol_table *table)
{
	auto_typeset struct typeset described = {};
	auto_free uint32_t *numbers = NULL;
	struct error *err;
	size_t nr;

	if (!image_is_elf(image))
		return error_create(ERROR_INPUT, "'%s' is raw BTF, which has no symbols",
				    image->path);
	image_describe(image, &described);
	table->arch = described.source.arch;
	table->linked = image->header.e_type != ET_REL;
	if (elf_getshdrnum(image->elf, &nr))
		return error_create(ERROR_INPUT, "'%s': %s", image->path, elf_errmsg(-1));
	numbers = memory_alloc(nr, sizeof(*numbers));
	err = read_sections(image, functions, nr, numbers, table);
	return err ? err : read_symbols(image, functions, numbers, nr, table);
}

/*
 * A symbol of no size is a second name (x86 defines jiffies as jiffies_64 in its linker script): it
 * is as large as the other one there. In the sorted table it stands right before that.
 */
static void resolve_aliases(struct symbol_table *table)
{
	struct symbol *symbols = table->symbols.items;
	size_t nr = 0;

	for (size_t i = table->symbols.nr; i-- > 1;) {
		if (!symbols[i - 1].size && symbols[i - 1].address == symbols[i].address &&
		    symbols[i - 1].section == symbols[i].section)
			symbols[i - 1].size = symbols[i].size;
	}
	for (size_t i = 0; i < table->symbols.nr; i++) {
		if (symbols[i].size)
			symbols[nr++] = symbols[i];
	}
	table->symbols.nr = nr;
	symbol_table_sort(table);
}

static struct error *read_table(const char *path, bool functions, struct symbol_table *ret)
{
	auto_image struct image image = IMAGE_CLOSED;
	auto_symbol_table struct symbol_table table = {};
	struct error *err = image_open(path, &image);

	if (!err)
		err = read_image(&image, functions, &table);
	if (err)
		return err;
	symbol_table_sort(&table);
	if (!functions)
		resolve_aliases(&table);
	if (!table.symbols.nr)
		return error_create(ERROR_NOT_FOUND, "'%s': its symbol table names no %s", path,
				    functions ? "function" : "variable");
	table.path = arena_strdup(&table.arena, path);
	*ret = table;
	table = (struct symbol_table){};
	return NULL;
}

struct error *symbols_read(const char *path, struct symbol_table *ret)
{
	return read_table(path, false, ret);
}

struct error *symbols_read_functions(const char *path, struct symbol_table *ret)
{
	return read_table(path, true, ret);
}
