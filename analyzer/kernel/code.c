/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening: sections, symbols, DWARF. code_index.c does what takes time. */
#include <string.h>

#include "kernel/code_image.h"

static int compare_sections(const void *a, const void *b)
{
	const struct code_section *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static struct error *read_sections(struct code *code, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return error_create(ERROR_INPUT, "'%s' has no names of sections", code->image.path);
	while ((section = elf_nextscn(elf, section))) {
		struct code_section *added;
		GElf_Shdr header;
		Elf_Data *data = NULL;
		const char *name;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    header.sh_addr + header.sh_size < header.sh_addr)
			continue;
		if (header.sh_type != SHT_NOBITS)
			data = elf_rawdata(section, NULL);
		name = elf_strptr(elf, names, header.sh_name);
		added = vec_add(&code->sections);
		*added = (struct code_section){
			.name = name ? name : "",
			.address = header.sh_addr,
			.size = header.sh_size,
			.executable = header.sh_flags & SHF_EXECINSTR,
		};
		if (data && data->d_buf && data->d_size >= header.sh_size)
			added->bytes = data->d_buf;
	}
	vec_sort(&code->sections, compare_sections);
	return NULL;
}

static int compare_symbols(const void *a, const void *b)
{
	const struct code_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->typed != y->typed)
		return x->typed ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_symbols(struct code *code, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	bool linked = code->image.header.e_type != ET_REL;
	Elf_Data *data = elf_getdata(section, NULL);
	size_t nr = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	for (size_t i = 0; i < nr && i < INT32_MAX; i++) {
		GElf_Shdr holder = {};
		GElf_Sym symbol;
		const char *name;
		int type;

		if (!gelf_getsym(data, (int)i, &symbol))
			return;
		type = GELF_ST_TYPE(symbol.st_info);
		if (type == STT_SECTION || type == STT_FILE || symbol.st_shndx == SHN_UNDEF ||
		    symbol.st_shndx == SHN_ABS)
			continue;
		if (!linked && !gelf_getshdr(elf_getscn(elf, symbol.st_shndx), &holder))
			continue;
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && *name)
			*vec_add(&code->symbols) = (struct code_symbol){
				.name = name,
				.address = (linked ? 0 : holder.sh_addr) + symbol.st_value,
				.size = symbol.st_size,
				.typed = type != STT_NOTYPE,
			};
	}
}

static void read_symbols(struct code *code, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			add_symbols(code, elf, section, &header);
	}
	if (code->image.header.e_type == ET_REL)
		code_relocate(code, elf);
	vec_sort(&code->symbols, compare_symbols);
}

static struct error *open_image(const char *path, struct code *code)
{
	struct error *err = image_open(path, &code->image);

	if (err)
		return err;
	if (!image_is_elf(&code->image) || code->image.header.e_machine != EM_X86_64)
		return error_create(ERROR_INPUT,
				    "'%s' is not x86-64 code: instructions of other machines "
				    "can't be resolved",
				    path);
	image_describe(&code->image, &code->set);
	err = image_load_dwarf(&code->image);
	if (err)
		return err;
	if (!code->image.dwarf)
		return error_create(ERROR_INPUT,
				    "'%s' has no DWARF: name a vmlinux with debug information "
				    "(Debian: linux-image-...-dbg)",
				    path);
	code->set.source.format = "dwarf";
	return image_dwarf_sections(code->image.dwarf, false, &code->dwarf_sections);
}

struct error *code_open(const char *path, struct code **ret)
{
	struct code *code = memory_alloc(1, sizeof(*code));
	struct error *err;
	Elf *elf = NULL;

	code->image = (struct image)IMAGE_CLOSED;
	shapes_init(&code->shapes);
	err = open_image(path, code);
	/* In a module libdwfl's view is the one with addresses. */
	if (!err)
		elf = code->image.header.e_type == ET_REL ? dwarf_getelf(code->image.dwarf) :
							    code->image.elf;
	if (!err)
		err = read_sections(code, elf);
	if (err) {
		code_close(code);
		return err;
	}
	read_symbols(code, elf);
	dwarf_files_init(&code->files, &code->dwarf_sections, &code->set.arena);
	dwarf_reader_init(&code->reader, &code->set.arena, &code->set.source);
	code->reader.files = &code->files;
	*ret = code;
	return NULL;
}

void code_close(struct code *code)
{
	if (!code)
		return;
	for (size_t i = 0; i < code->own_variables.capacity; i++) {
		struct placed_variable_vec *own = code->own_variables.slots[i].pointer;

		if (code->own_variables.slots[i].used)
			vec_deinit(own);
	}
	map_deinit(&code->own_variables);
	dwarf_reader_deinit(&code->reader);
	dwarf_files_deinit(&code->files);
	map_deinit(&code->entries);
	map_deinit(&code->declared);
	map_deinit(&code->unit_structs);
	vec_deinit(&code->sections);
	vec_deinit(&code->symbols);
	vec_deinit(&code->subprograms);
	vec_deinit(&code->functions);
	vec_deinit(&code->function_dies);
	vec_deinit(&code->ranges);
	vec_deinit(&code->variables);
	vec_deinit(&code->declarations);
	map_deinit(&code->declared_functions);
	vec_deinit(&code->function_declarations);
	shapes_deinit(&code->shapes);
	typeset_deinit(&code->set);
	image_close(&code->image);
	free(code);
}

const struct source *code_source(const struct code *code)
{
	return &code->set.source;
}

const struct code_section *code_section(const struct code *code, size_t i)
{
	return i < code->sections.nr ? &code->sections.items[i] : NULL;
}

const struct code_section *code_section_at(const struct code *code, uint64_t address)
{
	for (size_t i = 0; i < code->sections.nr; i++) {
		const struct code_section *section = &code->sections.items[i];

		if (address >= section->address && address - section->address < section->size)
			return section;
	}
	return NULL;
}

const uint8_t *code_bytes(const struct code *code, uint64_t address, uint64_t *ret_left)
{
	const struct code_section *section = code_section_at(code, address);

	if (!section || !section->bytes)
		return NULL;
	*ret_left = section->address + section->size - address;
	return section->bytes + (address - section->address);
}

size_t code_nr_symbols(const struct code *code)
{
	return code->symbols.nr;
}

const struct code_symbol *code_symbol(const struct code *code, size_t i)
{
	return i < code->symbols.nr ? &code->symbols.items[i] : NULL;
}

/* The first symbol at or behind address. */
static size_t first_symbol(const struct code *code, uint64_t address)
{
	return vec_first_from(&code->symbols, address, address);
}

const struct code_symbol *code_symbol_at(const struct code *code, uint64_t address)
{
	const struct code_symbol *symbol = code_symbol(code, first_symbol(code, address));

	return symbol && symbol->address == address ? symbol : NULL;
}

const struct code_symbol *code_symbol_covering(const struct code *code, uint64_t address)
{
	/* Symbols nest a few deep at most: sections' starts, aliases. */
	const size_t max_back = 40;
	size_t behind = first_symbol(code, address + 1);

	for (size_t i = behind; i > 0 && behind - i < max_back; i--) {
		const struct code_symbol *symbol = &code->symbols.items[i - 1];

		if (symbol->typed && address - symbol->address < symbol->size)
			return symbol;
	}
	return behind ? &code->symbols.items[behind - 1] : NULL;
}

/* A few are asked for of a hundred thousand: a table of all names would take longer to make. */
uint64_t code_symbol_address(const struct code *code, const char *name)
{
	for (size_t i = 0; i < code->symbols.nr; i++) {
		if (!strcmp(code->symbols.items[i].name, name))
			return code->symbols.items[i].address;
	}
	return 0;
}

const struct type *code_type_at(struct code *code, uint64_t place)
{
	Dwarf_Die die;

	if (!place || !dwarf_offdie(code->image.dwarf, place, &die))
		return NULL;
	return dwarf_reader_type(&code->reader, &die);
}

uint64_t code_shape_place(const struct shape *shape)
{
	Dwarf_Die die;

	return shape_die(shape, &die) ? dwarf_dieoffset(&die) : 0;
}

const struct type *code_type(struct code *code, const struct shape *shape)
{
	Dwarf_Die die;

	if (shape_die(shape, &die))
		return dwarf_reader_type(&code->reader, &die);
	return shape->target ? code_type(code, shape->target) : NULL;
}
