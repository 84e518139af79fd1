/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An opened file: what it is, its sections, its DWARF. Only for this folder, since it shows
 * libelf's and libdw's types.
 */
#ifndef FIELDLINE_KERNEL_IMAGE_H
#define FIELDLINE_KERNEL_IMAGE_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "base/error.h"
#include "kernel/dwarf_units.h"
#include "model/typeset.h"

struct image {
	const char *path;
	int fd;
	Elf *elf; /* NULL for raw BTF */
	GElf_Ehdr header;
	Dwarf *dwarf; /* NULL until image_load_dwarf() found some */
	Dwfl *dwfl;   /* behind dwarf where it had to be relocated or looked for elsewhere */
	Elf *merged;  /* behind dwarf where sections had to be joined; over merged_fd */
	int merged_fd;
};

#define IMAGE_CLOSED                      \
	{                                 \
		.fd = -1, .merged_fd = -1 \
	}

/* Opens an ELF file, or one that starts with BTF's magic. path is borrowed. */
struct error *image_open(const char *path, struct image *ret);
void image_close(struct image *image);
#define auto_image __attribute__((cleanup(image_close)))

bool image_is_elf(const struct image *image);
/* Fills what the ELF headers tell: kind, build_id, arch, endian, pointer size. */
void image_describe(struct image *image, struct typeset *set);
/* The contents of a section of the file itself; data NULL if there is none. Decompressed. */
struct error *image_section(const struct image *image, const char *name, struct span *ret);
/*
 * Opens the DWARF: of the file, or of its separate debug file (build-id, debuglink); relocated
 * in objects and modules. image->dwarf stays NULL if there is none anywhere.
 */
struct error *image_load_dwarf(struct image *image);
/* The debug sections of an opened Dwarf, as libdw sees them; types_section chooses .debug_types. */
struct error *image_dwarf_sections(Dwarf *dwarf, bool types_section, struct dwarf_sections *ret);
/* How often a section of that name occurs: objects hold type units in groups of sections. */
size_t image_nr_sections(Elf *elf, const char *name);

#endif
