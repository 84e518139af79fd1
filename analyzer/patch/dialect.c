/* SPDX-License-Identifier: GPL-2.0-only */
#include "patch/dialect.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"

static bool defines(const struct file *file, const char *what)
{
	return memmem(file->data, file->size, what, strlen(what)) != NULL;
}

struct dialect dialect_of(const char *tree, uint32_t cacheline)
{
	struct dialect dialect = { .cacheline = cacheline };
	auto_arena struct arena arena = {};
	auto_file struct file file = {};
	auto_error struct error *err =
		file_read(arena_printf(&arena, "%s/include/linux/cache.h", tree), &file);

	if (err)
		return dialect;
	dialect.kernel = defines(&file, "define ____cacheline_aligned_in_smp");
	dialect.group_macros = defines(&file, "define __cacheline_group_begin(");
	dialect.group_aligned_macros = defines(&file, "define __cacheline_group_begin_aligned(");
	return dialect;
}

const char *dialect_line(const struct dialect *dialect, uint64_t bytes, struct arena *arena)
{
	if (dialect->kernel && bytes == dialect->cacheline)
		return "L1_CACHE_BYTES";
	return arena_printf(arena, "%" PRIu64, bytes);
}

const char *dialect_aligned(const struct dialect *dialect, uint32_t align, struct arena *arena)
{
	if (dialect->kernel && align == dialect->cacheline)
		return "____cacheline_aligned_in_smp";
	return arena_printf(arena,
			    dialect->kernel ? "__aligned(%" PRIu32 ")" :
					      "__attribute__((aligned(%" PRIu32 ")))",
			    align);
}

const char *dialect_rounded_pad(const struct dialect *dialect, const char *name, const char *type,
				uint64_t round_to, struct arena *arena)
{
	if (dialect->kernel)
		return arena_printf(arena, "char %s[ALIGN(sizeof(%s), %s)]", name, type,
				    dialect_line(dialect, round_to, arena));
	return arena_printf(arena,
			    "char %s[(sizeof(%s) + %" PRIu64 ") / %" PRIu64 " * %" PRIu64 "]", name,
			    type, round_to - 1, round_to, round_to);
}

const char *dialect_group(const struct dialect *dialect, const char *which, const char *name,
			  uint32_t align, struct arena *arena)
{
	if (dialect->group_aligned_macros && align)
		return arena_printf(arena, "__cacheline_group_%s_aligned(%s, %" PRIu32 ");\n",
				    which, name, align);
	if (dialect->group_macros)
		return arena_printf(arena, "__cacheline_group_%s(%s)%s%s;\n", which, name,
				    align ? " " : "",
				    align ? dialect_aligned(dialect, align, arena) : "");
	return arena_printf(arena, "%s __cacheline_group_%s__%s[0]%s%s;\n",
			    dialect->kernel ? "__u8" : "unsigned char", which, name,
			    align ? " " : "", align ? dialect_aligned(dialect, align, arena) : "");
}
