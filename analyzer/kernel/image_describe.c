/* SPDX-License-Identifier: GPL-2.0-only */
/* What the ELF headers say about an image. */
#include <elfutils/libdwelf.h>
#include <stdio.h>

#include "kernel/image.h"

static const struct {
	uint16_t machine;
	const char *name;
	const char *name_32bit; /* where one machine number serves both sizes */
} machines[] = {
	{ EM_X86_64, "x86_64", NULL },
	{ EM_386, "i386", NULL },
	{ EM_AARCH64, "aarch64", NULL },
	{ EM_ARM, "arm", NULL },
	{ EM_S390, "s390x", "s390" },
	{ EM_PPC64, "powerpc64", NULL },
	{ EM_PPC, "powerpc", NULL },
	{ EM_RISCV, "riscv64", "riscv32" },
	{ EM_LOONGARCH, "loongarch64", NULL },
	{ EM_MIPS, "mips64", "mips" },
	{ EM_SPARCV9, "sparc64", NULL },
	{ EM_SPARC, "sparc", NULL },
	{ EM_ALPHA, "alpha", NULL },
	{ EM_IA_64, "ia64", NULL },
	{ EM_PARISC, "hppa", NULL },
	{ EM_68K, "m68k", NULL },
	{ EM_ARCV2, "arc", NULL },
	{ EM_SH, "sh", NULL },
	{ EM_XTENSA, "xtensa", NULL },
};

static const struct arch *find_arch(uint16_t machine, bool is_64bit)
{
	for (size_t i = 0; i < array_size(machines); i++) {
		if (machines[i].machine == machine)
			return arch_by_name(!is_64bit && machines[i].name_32bit ?
						    machines[i].name_32bit :
						    machines[i].name);
	}
	return arch_by_name("unknown");
}

static const char *find_kind(const struct image *image)
{
	switch (image->header.e_type) {
	case ET_REL:
		return image_nr_sections(image->elf, ".modinfo") ? "module" : "object";
	case ET_CORE:
		return "core";
	default:
		if (image_nr_sections(image->elf, "__ksymtab") ||
		    image_nr_sections(image->elf, ".init.text"))
			return "vmlinux";
		return image->header.e_type == ET_EXEC || image_nr_sections(image->elf, ".interp") ?
			       "executable" :
			       "library";
	}
}

static const char *find_build_id(const struct image *image, struct arena *arena)
{
	const void *bytes;
	ssize_t nr = dwelf_elf_gnu_build_id(image->elf, &bytes);
	char *text;

	if (nr <= 0)
		return NULL;
	text = arena_alloc(arena, (size_t)nr, 2 + 1);
	for (ssize_t i = 0; i < nr; i++)
		snprintf(text + 2 * i, 3, "%02x", ((const uint8_t *)bytes)[i]);
	return text;
}

void image_describe(struct image *image, struct typeset *set)
{
	struct source *source = &set->source;

	source->path = arena_strdup(&set->arena, image->path);
	if (!image_is_elf(image)) {
		source->kind = "btf";
		source->arch = arch_by_name("unknown");
		return;
	}
	source->kind = find_kind(image);
	source->build_id = find_build_id(image, &set->arena);
	source->big_endian = image->header.e_ident[EI_DATA] == ELFDATA2MSB;
	source->pointer_size = image->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	source->arch = find_arch(image->header.e_machine, source->pointer_size == 8);
}
