/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Boots a kernel under QEMU with the emulator's plugin, watches it and ends it when the region is
 * recorded.
 */
#ifndef FIELDLINE_BOOT_GUEST_H
#define FIELDLINE_BOOT_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct guest_request {
	const char *kernel;  /* a bzImage */
	const char *archive; /* the initramfs */
	const char *words;   /* for the command line, beside our own; "" = none */
	const char *plugin;
	const char *settings; /* for the plugin; "status_fd N" is added */
	const char *output;   /* directory: console, settings, and what the plugin writes */
	uint32_t nr_cpus;
	uint32_t memory_mib;
	uint32_t seconds; /* it may take */
	bool fast;
	/* May be NULL: a line for a person, NULL = the guest is gone. */
	void (*progress)(void *context, const char *line);
	void *context;
	uint64_t nr_operations; /* until the region's end, for the progress; 0 = unknown */
};

/* Success means that the plugin has written its counts. Errors name the console's file. */
struct error *guest_run(const struct guest_request *request);

#endif
