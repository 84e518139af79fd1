/* SPDX-License-Identifier: GPL-2.0-only */
/* Running another program: waiting for it, with its output read, or beside us. */
#ifndef FIELDLINE_BASE_PROCESS_H
#define FIELDLINE_BASE_PROCESS_H

#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

struct process {
	const char *const *argv; /* NULL-terminated; the program is looked for in PATH */
	/*
	 * Called in the child before it becomes the program, its output redirected; only system
	 * calls are safe there. Returns what failed, with errno set, or NULL.
	 */
	const char *(*prepare)(void *context);
	void *context;
	struct text *output; /* gets what it prints; NULL = nobody reads it */
	struct text *errors; /* the same of its errors; equal to output = both in their order */
	int status;	     /* the exit code when it is done */
};

/*
 * Waits for the end. Ctrl-C and what else asks us to end ends the program alone: the caller has
 * things to put in order. That it was ended by a signal is an error; an exit code is none. Its
 * standard input is empty.
 */
struct error *process_run(struct process *process);

/*
 * Does not wait: *ret is the caller's to wait for. What it prints is lost, but for what prepare()
 * redirects. Should we end first, however that happens, it is asked to end (SIGTERM). No such
 * program: ERROR_NOT_FOUND.
 */
struct error *process_start(struct process *process, pid_t *ret);

#endif
