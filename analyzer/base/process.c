/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { END_READ, END_WRITE };

/* What the child says before it is another program: where it failed, and errno. */
struct failure {
	int errno_value;
	char what[120];
};

struct pipes {
	int output[2];
	int errors[2];
	int failure[2];
	int signals;   /* those that would end us come here */
	sigset_t mask; /* that was before */
};

static void close_pair(int *pair)
{
	for (unsigned int i = 0; i < 2; i++) {
		if (pair[i] >= 0)
			close(pair[i]);
		pair[i] = -1;
	}
}

static void pipes_deinit(struct pipes *pipes)
{
	close_pair(pipes->output);
	close_pair(pipes->errors);
	close_pair(pipes->failure);
	if (pipes->signals < 0)
		return;
	close(pipes->signals);
	sigprocmask(SIG_SETMASK, &pipes->mask, NULL);
}

static struct error *pipes_open(struct pipes *pipes)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	sigset_t mask;

	*pipes = (struct pipes){ { -1, -1 }, { -1, -1 }, { -1, -1 }, .signals = -1 };
	if (pipe2(pipes->output, O_CLOEXEC) < 0 || pipe2(pipes->errors, O_CLOEXEC) < 0 ||
	    pipe2(pipes->failure, O_CLOEXEC) < 0)
		return error_from_errno(errno, "cannot make a pipe");
	sigemptyset(&mask);
	for (size_t i = 0; i < array_size(ends); i++)
		sigaddset(&mask, ends[i]);
	pipes->signals = signalfd(-1, &mask, SFD_CLOEXEC);
	if (pipes->signals < 0)
		return error_from_errno(errno, "cannot wait for signals");
	sigprocmask(SIG_BLOCK, &mask, &pipes->mask);
	return NULL;
}

/* Never returns. Between fork() and exec() only system calls. */
static void run_child(const struct process *process, struct pipes *pipes, pid_t parent)
{
	const bool together = process->errors == process->output;
	const char *failed = NULL;
	struct failure failure = {};
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	sigprocmask(SIG_SETMASK, &pipes->mask, NULL);
	setpgid(0, 0);
	/* Whatever ends us without a chance to wait ends it, too. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	if (dup2(nothing, STDIN_FILENO) < 0 ||
	    dup2(process->output ? pipes->output[END_WRITE] : nothing, STDOUT_FILENO) < 0 ||
	    dup2(!process->errors ? nothing :
		 together	  ? pipes->output[END_WRITE] :
				    pipes->errors[END_WRITE],
		 STDERR_FILENO) < 0)
		failed = "cannot redirect its output";
	else if (process->prepare)
		failed = process->prepare(process->context);
	if (!failed) {
		execvp(process->argv[0], (char *const *)process->argv);
		failed = "cannot run it";
	}
	failure.errno_value = errno;
	strncpy(failure.what, failed, sizeof(failure.what) - 1);
	_exit(write(pipes->failure[END_WRITE], &failure, sizeof(failure)) < 0 ? 126 : 127);
}

/* False at the end of the pipe. */
static bool read_some(int fd, struct text *text)
{
	char chars[4096];
	ssize_t nr = read(fd, chars, sizeof(chars));

	if (nr > 0 && text)
		text_add_bytes(text, chars, (size_t)nr);
	return nr > 0 || (nr < 0 && errno == EINTR);
}

/* What would have ended us ends the child and all that it has started. */
static void pass_signal(int fd, pid_t child)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		kill(-child, (int)info.ssi_signo);
}

static void read_both(const struct process *process, const struct pipes *pipes, pid_t child)
{
	struct pollfd ends[] = { { .fd = pipes->output[END_READ], .events = POLLIN },
				 { .fd = pipes->errors[END_READ], .events = POLLIN },
				 { .fd = pipes->signals, .events = POLLIN } };
	struct text *texts[] = { process->output, process->errors };

	while (ends[0].fd >= 0 || ends[1].fd >= 0) {
		if (poll(ends, array_size(ends), -1) < 0 && errno != EINTR)
			return;
		for (unsigned int i = 0; i < array_size(texts); i++) {
			if (ends[i].fd >= 0 && ends[i].revents && !read_some(ends[i].fd, texts[i]))
				ends[i].fd = -1;
		}
		if (ends[2].revents)
			pass_signal(pipes->signals, child);
	}
}

static void close_child_ends(struct pipes *pipes)
{
	close(pipes->output[END_WRITE]);
	close(pipes->errors[END_WRITE]);
	close(pipes->failure[END_WRITE]);
	pipes->output[END_WRITE] = pipes->errors[END_WRITE] = pipes->failure[END_WRITE] = -1;
}

/* Waits until the child is the program, or can't be. */
static struct error *read_failure(const struct process *process, const struct pipes *pipes)
{
	struct failure failure;

	if (read(pipes->failure[END_READ], &failure, sizeof(failure)) != (ssize_t)sizeof(failure))
		return NULL;
	return error_create(failure.errno_value == ENOENT ? ERROR_NOT_FOUND : ERROR_INPUT,
			    "%s: %s: %s", process->argv[0], failure.what,
			    strerror(failure.errno_value));
}

static int wait_for_end(pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static struct error *launch(const struct process *process, struct pipes *pipes, pid_t *ret)
{
	const pid_t parent = getpid();
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child)
		run_child(process, pipes, parent);
	if (child < 0)
		return error_from_errno(errno, "cannot run %s", process->argv[0]);
	/* Both do it: who comes first is not known. */
	setpgid(child, child);
	close_child_ends(pipes);
	*ret = child;
	return NULL;
}

struct error *process_run(struct process *process)
{
	struct pipes pipes __attribute__((cleanup(pipes_deinit)));
	struct error *err = pipes_open(&pipes);
	pid_t child;
	int status;

	if (!err)
		err = launch(process, &pipes, &child);
	if (err)
		return err;
	read_both(process, &pipes, child);
	err = read_failure(process, &pipes);
	status = wait_for_end(child);
	if (err)
		return err;
	if (WIFSIGNALED(status))
		return error_create(ERROR_INPUT, "%s was ended by a signal: %s", process->argv[0],
				    strsignal(WTERMSIG(status)));
	process->status = WEXITSTATUS(status);
	return NULL;
}

struct error *process_start(struct process *process, pid_t *ret)
{
	struct pipes pipes __attribute__((cleanup(pipes_deinit)));
	struct error *err = pipes_open(&pipes);
	pid_t child;

	if (!err)
		err = launch(process, &pipes, &child);
	if (err)
		return err;
	err = read_failure(process, &pipes);
	if (err)
		wait_for_end(child);
	else
		*ret = child;
	return err;
}
