/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A QEMU plugin that costs next to nothing: told the settings of fieldline-emulate.so, it says on
 * the same file descriptor when the region starts and ends. It sees only the blocks that start an
 * operation.
 */
#include <stdio.h>
#include <string.h>

#include "emulate/machine.h"
#include "emulate/qemu_plugin.h"
#include "emulate/region.h"
#include "emulate/settings.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);

struct plain {
	struct settings settings;
	struct region region;
};

/* QEMU hands its callbacks no context of ours. */
static struct plain *plain;

static void run_operation(unsigned int cpu, void *userdata)
{
	(void)cpu;
	(void)userdata;
	if (region_operation(&plain->region))
		dprintf((int)plain->settings.numbers.status_fd, "%s\n",
			plain->region.state == REGION_DONE ? "done" : "counting");
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < plain->settings.functions.nr; i++) {
		const struct settings_function *function = &plain->settings.functions.items[i];

		if (function->role == ROLE_OPERATION &&
		    function->address == qemu_plugin_tb_vaddr(tb))
			qemu_plugin_register_vcpu_tb_exec_cb(tb, run_operation,
							     QEMU_PLUGIN_CB_NO_REGS, NULL);
	}
}

/* QEMU reads the version when it has loaded us. */
static __attribute__((constructor)) void ask_for_version(void)
{
	qemu_plugin_version = machine_plugin_version();
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	static const char argument[] = "settings=";
	auto_error struct error *err = NULL;

	(void)info;
	plain = memory_alloc(1, sizeof(*plain));
	if (argc != 1 || strncmp(argv[0], argument, strlen(argument)))
		err = error_create(ERROR_USAGE, "wants one argument, settings=FILE");
	else
		err = settings_read(argv[0] + strlen(argument), &plain->settings);
	if (err) {
		fprintf(stderr, "plain_region: %s\n", error_message(err));
		return 1;
	}
	plain->region = (struct region){
		.start = plain->settings.numbers.start,
		.count = plain->settings.numbers.count,
	};
	region_arm(&plain->region);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	return 0;
}
