/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/image_merge.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "base/vec.h"
#include "kernel/image.h"

static const char *const merged_names[] = {
	".debug_info",
	".debug_types",
	".debug_abbrev",
	".debug_str",
	".debug_line_str",
	".debug_line",
	".debug_str_offsets",
	".debug_info.dwo",
	".debug_types.dwo",
	".debug_abbrev.dwo",
	".debug_str.dwo",
	".debug_line.dwo",
	".debug_str_offsets.dwo",
};

bool image_needs_merge(Elf *elf)
{
	return image_nr_sections(elf, ".debug_info") > 1 ||
	       image_nr_sections(elf, ".debug_types") > 1 ||
	       image_nr_sections(elf, ".debug_info.dwo") > 1;
}

/* One section of the new file: the data of all sections of this name, in their order. */
static bool add_section(Elf *from, Elf *to, const char *name, size_t name_at)
{
	Elf_Scn *section = NULL, *added = elf_newscn(to);
	GElf_Shdr header;
	size_t names;

	if (!added || elf_getshdrstrndx(from, &names))
		return false;
	while ((section = elf_nextscn(from, section))) {
		const char *here = gelf_getshdr(section, &header) ?
					   elf_strptr(from, names, header.sh_name) :
					   NULL;
		Elf_Data *data, *copy;

		if (!here || strcmp(here, name) || header.sh_type == SHT_NOBITS)
			continue;
		if (header.sh_flags & SHF_COMPRESSED && elf_compress(section, 0, 0) < 0)
			return false;
		data = elf_rawdata(section, NULL);
		copy = data ? elf_newdata(added) : NULL;
		if (!copy)
			return false;
		copy->d_buf = data->d_buf;
		copy->d_size = data->d_size;
		copy->d_type = ELF_T_BYTE;
		copy->d_align = 1;
	}
	if (!gelf_getshdr(added, &header))
		return false;
	header.sh_name = (GElf_Word)name_at;
	header.sh_type = SHT_PROGBITS;
	header.sh_addralign = 1;
	return gelf_update_shdr(added, &header);
}

static bool add_names(Elf *to, const struct text *names, size_t name_at)
{
	Elf_Scn *section = elf_newscn(to);
	Elf_Data *data = section ? elf_newdata(section) : NULL;
	GElf_Shdr shdr;
	GElf_Ehdr header;

	if (!data || !gelf_getshdr(section, &shdr) || !gelf_getehdr(to, &header))
		return false;
	data->d_buf = names->chars;
	data->d_size = names->length + 1;
	data->d_type = ELF_T_BYTE;
	data->d_align = 1;
	shdr.sh_name = (GElf_Word)name_at;
	shdr.sh_type = SHT_STRTAB;
	header.e_shstrndx = (GElf_Half)elf_ndxscn(section);
	return gelf_update_shdr(section, &shdr) && gelf_update_ehdr(to, &header);
}

static bool copy_header(Elf *from, Elf *to)
{
	GElf_Ehdr original, header;

	if (!gelf_getehdr(from, &original) || !gelf_newehdr(to, original.e_ident[EI_CLASS]) ||
	    !gelf_getehdr(to, &header))
		return false;
	header.e_ident[EI_DATA] = original.e_ident[EI_DATA];
	header.e_machine = original.e_machine;
	header.e_type = ET_EXEC; /* nothing is left to relocate */
	header.e_version = EV_CURRENT;
	return gelf_update_ehdr(to, &header);
}

static bool write_merged(Elf *from, Elf *to)
{
	auto_text struct text names = {};
	size_t name_at;

	text_add_bytes(&names, "", 1);
	if (!copy_header(from, to))
		return false;
	for (size_t i = 0; i < array_size(merged_names); i++) {
		name_at = names.length;
		text_add_bytes(&names, merged_names[i], strlen(merged_names[i]) + 1);
		if (image_nr_sections(from, merged_names[i]) &&
		    !add_section(from, to, merged_names[i], name_at))
			return false;
	}
	name_at = names.length;
	text_add(&names, ".shstrtab");
	return add_names(to, &names, name_at) && elf_update(to, ELF_C_WRITE) >= 0;
}

struct error *image_merge(Elf *elf, int *ret_fd)
{
	int fd = memfd_create("fieldline", MFD_CLOEXEC);
	Elf *to;
	bool written;

	if (fd < 0)
		return error_from_errno(errno, "cannot create a file in memory");
	to = elf_begin(fd, ELF_C_WRITE, NULL);
	written = to && write_merged(elf, to);
	if (to)
		elf_end(to);
	if (!written) {
		close(fd);
		return error_create(ERROR_INPUT, "cannot join the sections of type units: %s",
				    elf_errmsg(-1));
	}
	*ret_fd = fd;
	return NULL;
}
