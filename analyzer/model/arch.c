/* SPDX-License-Identifier: GPL-2.0-only */
#include "model/arch.h"

#include <string.h>

#include "base/memory.h"

#define ANY 65536

static const struct arch arches[] = {
	{ "unknown", 64, 16, ANY }, { "x86_64", 64, 16, ANY },
	{ "i386", 64, 4, ANY },	    { "aarch64", 64, 16, 16, true },
	{ "arm", 64, 8, 8, true },  { "s390x", 256, 8, 8 },
	{ "s390", 256, 8, 8 },	    { "powerpc64", 128, 16, 16 },
	{ "powerpc", 32, 16, 16 },  { "riscv64", 64, 16, ANY },
	{ "riscv32", 64, 16, ANY }, { "loongarch64", 64, 16, ANY },
	{ "mips64", 32, 16, ANY },  { "mips", 32, 8, ANY },
	{ "sparc64", 64, 16, ANY }, { "sparc", 32, 8, 8 },
	{ "alpha", 64, 16, ANY },   { "ia64", 128, 16, ANY },
	{ "hppa", 64, 8, 8 },	    { "m68k", 16, 2, 2 },
	{ "arc", 64, 4, 8 },	    { "sh", 32, 4, 8 },
	{ "xtensa", 32, 8, 8 },
};

const struct arch *arch_by_name(const char *name)
{
	for (size_t i = 0; i < array_size(arches); i++) {
		if (!strcmp(arches[i].name, name))
			return &arches[i];
	}
	return &arches[0];
}
