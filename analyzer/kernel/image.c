/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/image.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "kernel/image_merge.h"

#define BTF_MAGIC 0xeb9f
/* elfutils before 0.189 inflates zlib only. */
#define UNPACK "unpack the sections first: objcopy --decompress-debug-sections FILE"

static const struct {
	const char *magic;
	size_t length;
	const char *what;
	const char *next_step;
} other_formats[] = {
	{ "\xfd"
	  "7zXZ",
	  5, "is compressed by xz", "unpack it first: xz -dk FILE" },
	{ "\x1f\x8b", 2, "is compressed by gzip", "unpack it first: gzip -dk FILE" },
	{ "\x28\xb5\x2f\xfd", 4, "is compressed by zstd", "unpack it first: zstd -dk FILE" },
	{ "!<arch>", 7, "is an archive", "take out a member first: ar x FILE" },
	{ "MZ", 2, "is a bootable kernel image", "name the vmlinux it was made from" },
};

static struct error *explain_format(const char *path, const char *magic, size_t nr)
{
	if (!nr)
		return error_create(ERROR_INPUT, "'%s' is empty", path);
	for (size_t i = 0; i < array_size(other_formats); i++) {
		if (nr >= other_formats[i].length &&
		    !memcmp(magic, other_formats[i].magic, other_formats[i].length))
			return error_create(ERROR_INPUT, "'%s' %s: %s", path, other_formats[i].what,
					    other_formats[i].next_step);
	}
	return error_create(ERROR_INPUT,
			    "'%s' is neither ELF nor BTF: name a vmlinux, a module (.ko), an "
			    "object, a program or a BTF file",
			    path);
}

static struct error *open_elf(struct image *image)
{
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->fd, ELF_C_READ_MMAP, NULL);
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
	    !gelf_getehdr(image->elf, &image->header))
		return error_create(ERROR_INPUT, "'%s' has a damaged ELF header: %s", image->path,
				    elf_errmsg(-1));
	return NULL;
}

struct error *image_open(const char *path, struct image *ret)
{
	auto_image struct image image = IMAGE_CLOSED;
	char magic[8] = {};
	struct error *err;
	ssize_t nr;

	image.path = path;
	err = file_open(path, &image.fd);
	if (err)
		return err;
	nr = pread(image.fd, magic, sizeof(magic), 0);
	if (nr < 0)
		return error_from_errno(errno, "cannot read '%s'", path);
	if (nr >= 4 && !memcmp(magic, ELFMAG, SELFMAG)) {
		err = open_elf(&image);
	} else if (nr < 2 || ((uint8_t)magic[0] << 8 | (uint8_t)magic[1]) != BTF_MAGIC) {
		uint16_t swapped = (uint16_t)((uint8_t)magic[1] << 8 | (uint8_t)magic[0]);

		if (nr < 2 || swapped != BTF_MAGIC)
			err = explain_format(path, magic, (size_t)nr);
	}
	if (err)
		return err;
	*ret = image;
	image = (struct image)IMAGE_CLOSED;
	return NULL;
}

void image_close(struct image *image)
{
	if (image->dwarf && (image->merged || !image->dwfl))
		dwarf_end(image->dwarf);
	if (image->merged)
		elf_end(image->merged);
	if (image->merged_fd >= 0)
		close(image->merged_fd);
	if (image->dwfl)
		dwfl_end(image->dwfl);
	if (image->elf)
		elf_end(image->elf);
	if (image->fd >= 0)
		close(image->fd);
	*image = (struct image)IMAGE_CLOSED;
}

bool image_is_elf(const struct image *image)
{
	return image->elf != NULL;
}

static const char *section_name(Elf *elf, size_t names, Elf_Scn *section)
{
	GElf_Shdr header;
	const char *name = NULL;

	if (gelf_getshdr(section, &header))
		name = elf_strptr(elf, names, header.sh_name);
	return name ? name : "";
}

/* The section of that name, and how many there are. */
static Elf_Scn *find_section(Elf *elf, const char *name, size_t *ret_nr)
{
	Elf_Scn *section = NULL, *found = NULL;
	size_t names;

	*ret_nr = 0;
	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		if (strcmp(section_name(elf, names, section), name))
			continue;
		++*ret_nr;
		found = found ? found : section;
	}
	return found;
}

size_t image_nr_sections(Elf *elf, const char *name)
{
	size_t nr;

	find_section(elf, name, &nr);
	return nr;
}

static struct error *section_data(Elf *elf, const char *name, struct span *ret)
{
	size_t nr;
	Elf_Scn *section = find_section(elf, name, &nr);
	GElf_Shdr header;
	Elf_Data *data;

	*ret = (struct span){};
	if (!section || !gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
		return NULL;
	/* Already inflated sections have lost the flag: this is for those libdw does not use. */
	if (header.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
		return error_create(ERROR_INPUT, "cannot decompress section %s: %s; " UNPACK, name,
				    elf_errmsg(-1));
	data = elf_rawdata(section, NULL);
	if (!data)
		return error_create(ERROR_INPUT, "cannot read section %s: %s", name,
				    elf_errmsg(-1));
	if (data->d_buf && data->d_size)
		*ret = (struct span){ data->d_buf, data->d_size };
	return NULL;
}

struct error *image_section(const struct image *image, const char *name, struct span *ret)
{
	struct error *err = section_data(image->elf, name, ret);

	return error_wrap(err, "'%s'", image->path);
}

static struct error *debug_section(Elf *elf, const char *name, struct span *ret)
{
	char other_name[32];
	struct error *err = section_data(elf, name, ret);

	/* GNU's first way of compression renamed the section; libdw has inflated it by now. */
	if (!err && !ret->data) {
		snprintf(other_name, sizeof(other_name), ".z%s", name + 1);
		err = section_data(elf, other_name, ret);
	}
	if (!err && !ret->data) {
		snprintf(other_name, sizeof(other_name), "%s.dwo", name);
		err = section_data(elf, other_name, ret);
	}
	return err;
}

struct error *image_dwarf_sections(Dwarf *dwarf, bool types_section, struct dwarf_sections *ret)
{
	struct dwarf_sections sections = { .types_section = types_section };
	const struct {
		const char *name;
		struct span *span;
	} wanted[] = {
		{ types_section ? ".debug_types" : ".debug_info", &sections.info },
		{ ".debug_abbrev", &sections.abbrev },
		{ ".debug_str", &sections.str },
		{ ".debug_line_str", &sections.line_str },
		{ ".debug_line", &sections.line },
		{ ".debug_str_offsets", &sections.str_offsets },
		{ ".debug_loc", &sections.loc },
		{ ".debug_loclists", &sections.loclists },
		{ ".debug_addr", &sections.addr },
	};
	Elf *elf = dwarf_getelf(dwarf);
	GElf_Ehdr header;
	struct error *err = NULL;
	Dwarf *alternate = dwarf_getalt(dwarf);

	if (!gelf_getehdr(elf, &header))
		return error_create(ERROR_INPUT, "damaged ELF header: %s", elf_errmsg(-1));
	sections.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	sections.merged_strings = header.e_type != ET_REL;
	for (size_t i = 0; !err && i < array_size(wanted); i++)
		err = debug_section(elf, wanted[i].name, wanted[i].span);
	if (!err && alternate)
		err = debug_section(dwarf_getelf(alternate), ".debug_str", &sections.alternate_str);
	if (!err)
		*ret = sections;
	return err;
}

static bool has_debug_info(Elf *elf)
{
	static const char *const names[] = { ".debug_info", ".zdebug_info", ".debug_types",
					     ".debug_info.dwo" };
	GElf_Shdr header;
	size_t nr;

	for (size_t i = 0; i < array_size(names); i++) {
		Elf_Scn *section = find_section(elf, names[i], &nr);

		if (section && gelf_getshdr(section, &header) && header.sh_type != SHT_NOBITS)
			return true;
	}
	return false;
}

static const Dwfl_Callbacks offline = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/*
 * Where an object's sections are laid, if it is of 64 bits: modules go there or near it, and an
 * address is told from an index or an offset by its size.
 */
#define OBJECT_START 0xffffffffc0000000ull

static Dwfl_Module *report(struct image *image, int fd)
{
	if (image->header.e_type == ET_REL && image->header.e_ident[EI_CLASS] == ELFCLASS64)
		return dwfl_report_elf(image->dwfl, image->path, image->path, fd, OBJECT_START,
				       false);
	return dwfl_report_offline(image->dwfl, image->path, image->path, fd);
}

/* libdwfl relocates the debug sections of objects and knows where separate debug files lie. */
static Dwarf *load_by_dwfl(struct image *image)
{
	Dwfl_Module *module;
	Dwarf_Addr bias;
	int fd = dup(image->fd);

	image->dwfl = dwfl_begin(&offline);
	module = image->dwfl && fd >= 0 ? report(image, fd) : NULL;
	if (!module) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	dwfl_report_end(image->dwfl, NULL, NULL);
	return dwfl_module_getdwarf(module, &bias);
}

/* libdw passes over sections that it can't inflate, and then finds none. */
static bool is_compressed_otherwise(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Chdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getchdr(section, &header) && header.ch_type != ELFCOMPRESS_ZLIB)
			return true;
	}
	return false;
}

static struct error *damaged(const struct image *image, const char *reason)
{
	if (is_compressed_otherwise(image->elf))
		return error_create(ERROR_INPUT,
				    "'%s': unknown kind of compression (zstd?); " UNPACK,
				    image->path);
	return error_create(ERROR_INPUT, "'%s' has damaged debug information: %s", image->path,
			    reason);
}

/* Puts a file with joined sections in the place of what libdwfl has relocated. */
static struct error *load_merged(struct image *image)
{
	struct error *err = image_merge(dwarf_getelf(image->dwarf), &image->merged_fd);

	if (err)
		return error_wrap(err, "'%s'", image->path);
	if (!image->dwfl)
		dwarf_end(image->dwarf);
	image->merged = elf_begin(image->merged_fd, ELF_C_READ_MMAP, NULL);
	image->dwarf = image->merged ? dwarf_begin_elf(image->merged, DWARF_C_READ, NULL) : NULL;
	return image->dwarf ? NULL : damaged(image, dwarf_errmsg(-1));
}

struct error *image_load_dwarf(struct image *image)
{
	bool has_own = has_debug_info(image->elf);
	Dwarf *dwarf;

	if (has_own && image->header.e_type != ET_REL) {
		image->dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
		return image->dwarf ? NULL : damaged(image, dwarf_errmsg(-1));
	}
	dwarf = load_by_dwfl(image);
	if (dwarf) {
		image->dwarf = dwarf;
		return image_needs_merge(dwarf_getelf(dwarf)) ? load_merged(image) : NULL;
	}
	if (image->dwfl)
		dwfl_end(image->dwfl);
	image->dwfl = NULL;
	if (!has_own)
		return NULL;
	/* An object without a symbol table (dwz's alternate file) needs no relocation. */
	image->dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	if (!image->dwarf)
		return damaged(image, dwfl_errmsg(-1));
	return image_needs_merge(image->elf) ? load_merged(image) : NULL;
}
