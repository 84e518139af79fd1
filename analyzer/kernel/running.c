/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/running.h"

#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "kernel/types.h"

/* Best first: debug packages of Debian, Fedora and SUSE, own builds, then BTF. */
static const struct {
	const char *before;
	const char *after; /* the release; NULL = it is not in the path */
} candidates[] = {
	{ "/usr/lib/debug/boot/vmlinux-", "" },
	{ "/usr/lib/debug/lib/modules/", "/vmlinux" },
	{ "/usr/lib/debug/boot/vmlinux-", ".debug" },
	{ "/lib/modules/", "/build/vmlinux" },
	{ "/boot/vmlinux-", "" },
	{ "/sys/kernel/btf/vmlinux", NULL },
};

struct error *running_kernel_find(const char *root, const char *release, char **ret)
{
	for (size_t i = 0; i < array_size(candidates); i++) {
		auto_text struct text path = {};

		text_printf(&path, "%s%s", root, candidates[i].before);
		if (candidates[i].after)
			text_printf(&path, "%s%s", release, candidates[i].after);
		if (!access(text_chars(&path), R_OK)) {
			*ret = memory_strdup(text_chars(&path));
			return NULL;
		}
	}
	return error_create(ERROR_NOT_FOUND,
			    "the running kernel %s has no debug vmlinux installed and no "
			    "/sys/kernel/btf/vmlinux: install its debug package (Debian: "
			    "linux-image-%s-dbg), boot a kernel with CONFIG_DEBUG_INFO_BTF, or "
			    "name a FILE",
			    release, release);
}

struct error *types_running_kernel(char **ret)
{
	struct utsname name;

	if (uname(&name))
		return error_from_errno(errno, "cannot ask for the running kernel's release");
	return running_kernel_find("", name.release, ret);
}
