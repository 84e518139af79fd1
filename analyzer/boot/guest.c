/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "boot/command_line.h"
#include "boot/console.h"

enum { STATUS_FD = 3, POLL_MS = 200, GRACE_MS = 5000 };

struct watch {
	const struct guest_request *request;
	pid_t child;
	int status_fd;
	int exit_status;
	bool exited;
	bool done;	 /* the plugin has written its counts */
	bool complained; /* it can't */
	struct text line;
	struct text message; /* why */
	uint64_t nr_operations;
	double start;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void reap(struct watch *watch)
{
	if (!watch->exited && waitpid(watch->child, &watch->exit_status, WNOHANG) == watch->child)
		watch->exited = true;
}

/* First asks, then ends. */
static void stop(struct watch *watch)
{
	double deadline = now() + GRACE_MS / 1000.0;

	if (watch->child <= 0)
		return;
	reap(watch);
	if (!watch->exited)
		kill(watch->child, SIGTERM);
	while (!watch->exited && now() < deadline) {
		poll(NULL, 0, POLL_MS / 10);
		reap(watch);
	}
	if (!watch->exited) {
		kill(watch->child, SIGKILL);
		waitpid(watch->child, &watch->exit_status, 0);
		watch->exited = true;
	}
}

static void watch_end(struct watch *watch)
{
	stop(watch);
	if (watch->status_fd >= 0)
		close(watch->status_fd);
	text_deinit(&watch->line);
	text_deinit(&watch->message);
	if (watch->request->progress)
		watch->request->progress(watch->request->context, NULL);
}

static __attribute__((format(printf, 2, 3))) void tell(const struct watch *watch,
						       const char *format, ...)
{
	char line[160];
	va_list arguments;

	if (!watch->request->progress)
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	watch->request->progress(watch->request->context, line);
}

static void tell_operations(const struct watch *watch, const char *what)
{
	uint64_t of = watch->request->nr_operations;

	if (of)
		tell(watch, "%s: operation %" PRIu64 " of %" PRIu64, what, watch->nr_operations,
		     of);
	else
		tell(watch, "%s: operation %" PRIu64, what, watch->nr_operations);
}

/* A line of the plugin: a word, and a number or a text behind it. */
static void take_line(struct watch *watch, char *line)
{
	char *word = strsep(&line, " ");

	if (!strcmp(word, "error")) {
		watch->complained = true;
		text_clear(&watch->message);
		text_add(&watch->message, line ?: "");
		return;
	}
	watch->nr_operations = line ? strtoull(line, NULL, 10) : 0;
	if (!strcmp(word, "done"))
		watch->done = true;
	else if (!strcmp(word, "warming"))
		tell_operations(watch, "warming up the model's caches");
	else if (!strcmp(word, "counting"))
		tell_operations(watch, "recording");
	else if (!strcmp(word, "operations"))
		tell_operations(watch, "running");
}

static void read_status(struct watch *watch)
{
	char buffer[512];
	ssize_t nr = read(watch->status_fd, buffer, sizeof(buffer));

	for (ssize_t i = 0; i < nr; i++) {
		if (buffer[i] != '\n') {
			text_add_char(&watch->line, buffer[i]);
			continue;
		}
		if (watch->line.length)
			take_line(watch, watch->line.chars);
		text_clear(&watch->line);
	}
	if (nr == 0) {
		close(watch->status_fd);
		watch->status_fd = -1;
	}
}

struct redirection {
	const char *messages; /* the file that QEMU's own words go to */
	int status_fd;
};

/* In the child. */
static const char *redirect(void *context)
{
	const struct redirection *to = context;
	int messages = open(to->messages, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (messages < 0 || dup2(messages, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0)
		return "cannot write its messages";
	/* Of the same number there would be no copy, and it would close when QEMU starts. */
	if (to->status_fd == STATUS_FD ? fcntl(STATUS_FD, F_SETFD, 0) < 0 :
					 dup2(to->status_fd, STATUS_FD) < 0)
		return "cannot hand it a pipe";
	return NULL;
}

static struct error *start_qemu(const struct guest_request *request, int status_fd, pid_t *ret)
{
	auto_command_line struct command_line line = {};
	auto_text struct text messages = {};
	struct redirection to = { .status_fd = status_fd };
	struct process process = { .prepare = redirect, .context = &to };
	struct error *err;

	command_line_fill(&line, request);
	text_printf(&messages, "%s/qemu.log", request->output);
	to.messages = text_chars(&messages);
	process.argv = line.words.items;
	err = process_start(&process, ret);
	if (!err || error_kind(err) != ERROR_NOT_FOUND)
		return err;
	error_destroy(err);
	return error_create(ERROR_NOT_FOUND,
			    "there is no %s here; run perfscripts/setup --lab, or install "
			    "Debian's qemu-system-x86",
			    line.words.items[0]);
}

static struct error *write_settings(const struct guest_request *request)
{
	auto_text struct text path = {};
	auto_text struct text settings = {};

	text_printf(&path, "%s/settings", request->output);
	text_printf(&settings, "%soutput %s\nfast %d\nstatus_fd %d\n", request->settings,
		    request->output, request->fast, STATUS_FD);
	return file_write(text_chars(&path), text_chars(&settings), settings.length);
}

static struct error *judge(struct watch *watch)
{
	const struct guest_request *request = watch->request;
	auto_text struct text why = {};

	if (watch->done)
		return NULL;
	if (watch->complained)
		return error_create(ERROR_INPUT, "%s", text_chars(&watch->message));
	console_explain(request->output, &why);
	if (why.length)
		return error_create(ERROR_INPUT, "%s", text_chars(&why));
	if (!watch->exited)
		return error_create(ERROR_INPUT,
				    "the guest was not done after %u s, at operation %" PRIu64
				    " of %" PRIu64 ": give it more with --seconds, or look at "
				    "'%s/console' for where it hangs",
				    request->seconds, watch->nr_operations, request->nr_operations,
				    request->output);
	return error_create(ERROR_INPUT,
			    "the workload ended after %" PRIu64 " operations, before the region's "
			    "end at %" PRIu64 ": ask for less with --start and --count, or make it "
			    "longer with --set; its console is '%s/console'",
			    watch->nr_operations, request->nr_operations, request->output);
}

static void watch_until_end(struct watch *watch)
{
	double deadline = watch->start + watch->request->seconds;
	double last = 0;

	while (!watch->done && !watch->complained && !watch->exited && now() < deadline) {
		struct pollfd poll_fd = { .fd = watch->status_fd, .events = POLLIN };

		if (poll(&poll_fd, 1, POLL_MS) > 0)
			read_status(watch);
		reap(watch);
		if (!watch->nr_operations && now() - last > 1) {
			last = now();
			tell(watch, "booting, %.0f s", last - watch->start);
		}
	}
	/* What it said last may still lie in the pipe. */
	while (watch->exited && watch->status_fd >= 0)
		read_status(watch);
}

static void watch_end_pointer(struct watch *watch)
{
	watch_end(watch);
}

struct error *guest_run(const struct guest_request *request)
{
	__attribute__((cleanup(watch_end_pointer))) struct watch watch = {
		.request = request,
		.status_fd = -1,
		.start = now(),
	};
	struct error *err = write_settings(request);
	int ends[2];

	if (err)
		return err;
	if (pipe2(ends, O_CLOEXEC))
		return error_from_errno(errno, "cannot make a pipe");
	watch.status_fd = ends[0];
	err = start_qemu(request, ends[1], &watch.child);
	close(ends[1]);
	if (err)
		return err;
	watch_until_end(&watch);
	return judge(&watch);
}
