/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Modules are not linked: libdwfl has given their sections addresses and relocated the debug
 * information; here the code and data follow. What the kernel itself would have to supply gets an
 * address behind all sections, one for each name.
 */
#include <string.h>

#include "kernel/code_image.h"

/* Room between two symbols that are not there: none can be indexed into the next. */
#define MISSING_STEP 0x1000

struct relocation {
	struct code *code;
	Elf *elf;
	Elf_Data *symbols;
	size_t names;	    /* section of the symbols' names */
	struct map missing; /* hash of name -> address */
	uint64_t next_missing;
};

/* The address of symbol i; false = none. */
static bool symbol_address(struct relocation *relocation, size_t i, uint64_t *ret)
{
	struct map_slot *slot;
	GElf_Shdr header;
	GElf_Sym symbol;
	const char *name;
	bool is_new;

	if (i > INT32_MAX || !gelf_getsym(relocation->symbols, (int)i, &symbol))
		return false;
	if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE) {
		if (!gelf_getshdr(elf_getscn(relocation->elf, symbol.st_shndx), &header))
			return false;
		*ret = header.sh_addr + symbol.st_value;
		return true;
	}
	name = elf_strptr(relocation->elf, relocation->names, symbol.st_name);
	if (symbol.st_shndx != SHN_UNDEF || !name || !*name)
		return false;
	slot = map_add(&relocation->missing, hash_string(0, name), &is_new);
	if (is_new) {
		slot->value = relocation->next_missing;
		relocation->next_missing += MISSING_STEP;
		*vec_add(&relocation->code->symbols) =
			(struct code_symbol){ .name = name, .address = slot->value };
	}
	*ret = slot->value;
	return true;
}

static void put(uint8_t *to, uint64_t value, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

/* System V psABI x86-64, 4.4: those that the kernel's module loader knows. */
static void apply(struct relocation *relocation, uint8_t *bytes, uint64_t size, uint64_t address,
		  const GElf_Rela *rela)
{
	uint64_t value;
	size_t width = 4;

	if (!symbol_address(relocation, GELF_R_SYM(rela->r_info), &value))
		return;
	value += (uint64_t)rela->r_addend;
	switch (GELF_R_TYPE(rela->r_info)) {
	case R_X86_64_64:
		width = 8;
		break;
	case R_X86_64_PC64:
		width = 8;
		value -= address + rela->r_offset;
		break;
	case R_X86_64_PC32:
	case R_X86_64_PLT32:
		value -= address + rela->r_offset;
		break;
	case R_X86_64_32:
	case R_X86_64_32S:
		break;
	default:
		return;
	}
	if (rela->r_offset <= size && size - rela->r_offset >= width)
		put(bytes + rela->r_offset, value, width);
}

static struct code_section *find_section(struct code *code, uint64_t address)
{
	for (size_t i = 0; i < code->sections.nr; i++) {
		if (code->sections.items[i].address == address && code->sections.items[i].bytes)
			return &code->sections.items[i];
	}
	return NULL;
}

static void relocate_section(struct relocation *relocation, Elf_Scn *from, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(from, NULL);
	struct code_section *section;
	GElf_Shdr target;
	uint8_t *bytes;

	if (!data || !header->sh_entsize ||
	    !gelf_getshdr(elf_getscn(relocation->elf, header->sh_info), &target) ||
	    !(target.sh_flags & SHF_ALLOC))
		return;
	section = find_section(relocation->code, target.sh_addr);
	if (!section)
		return;
	bytes = arena_copy(&relocation->code->set.arena, section->bytes, section->size);
	section->bytes = bytes;
	for (size_t i = 0; i < header->sh_size / header->sh_entsize && i < INT32_MAX; i++) {
		GElf_Rela rela;

		if (gelf_getrela(data, (int)i, &rela))
			apply(relocation, bytes, section->size, section->address, &rela);
	}
}

void code_relocate(struct code *code, Elf *elf)
{
	struct relocation relocation = { .code = code, .elf = elf };
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB) {
			relocation.symbols = elf_getdata(section, NULL);
			relocation.names = header.sh_link;
		}
	}
	for (size_t i = 0; i < code->sections.nr; i++) {
		const struct code_section *last = &code->sections.items[i];

		if (relocation.next_missing < last->address + last->size + MISSING_STEP)
			relocation.next_missing = last->address + last->size + MISSING_STEP;
	}
	while (relocation.symbols && (section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
			relocate_section(&relocation, section, &header);
	}
	map_deinit(&relocation.missing);
}
