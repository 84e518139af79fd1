/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asynchronous direct reads and writes of files, many in flight, some of which fail half way: their
 * buffer ends before they do, or the file does. Each request has to complete exactly once.
 */
#include "stress.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <linux/aio_abi.h>

#define SECTOR 1024
#define FILE_SIZE (1 << 20)
#define MAX_LENGTH (64 << 10)
#define NR_REQUESTS 16

struct request {
	struct iocb iocb;
	unsigned char *buffer; /* MAX_LENGTH bytes, and behind them none */
	size_t offset, length;
	size_t usable; /* bytes of the buffer that exist */
	bool reads, in_flight;
};

struct job {
	char path[256];
	int file;
	aio_context_t context;
	struct rng rng;
	struct request requests[NR_REQUESTS];
	unsigned long nr_done, nr_cut;
	bool spoil;
};

/* What the file holds at an offset: it is only ever written with that. */
static unsigned char content_at(size_t offset)
{
	return (unsigned char)(offset * 7 + (offset >> 9));
}

static void fill_content(unsigned char *buffer, size_t offset, size_t length)
{
	for (size_t i = 0; i < length; i++)
		buffer[i] = content_at(offset + i);
}

static unsigned char *map_before_nothing(void)
{
	unsigned char *map = mmap(NULL, MAX_LENGTH * 2, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		err(EXIT_FAILURE, "map a buffer");
	if (mprotect(map + MAX_LENGTH, MAX_LENGTH, PROT_NONE))
		err(EXIT_FAILURE, "protect a buffer");
	return map;
}

static void submit(struct job *job, struct request *request)
{
	struct iocb *iocb = &request->iocb;
	unsigned char *start = request->buffer;

	request->reads = rng_below(&job->rng, 4) != 0;
	request->length = SECTOR * (1 + rng_below(&job->rng, MAX_LENGTH / SECTOR));
	request->offset = SECTOR * rng_below(&job->rng, FILE_SIZE / SECTOR);
	request->usable = request->length;
	if (!request->reads) {
		if (request->length > FILE_SIZE - request->offset)
			request->length = FILE_SIZE - request->offset;
		fill_content(start, request->offset, request->length);
	} else if (!rng_below(&job->rng, 3)) {
		/* The rest of the buffer is where there is none. */
		request->usable = SECTOR * rng_below(&job->rng, request->length / SECTOR);
		start = request->buffer + MAX_LENGTH - request->usable;
	}
	*iocb = (struct iocb){
		.aio_data = (uintptr_t)request,
		.aio_lio_opcode = request->reads ? IOCB_CMD_PREAD : IOCB_CMD_PWRITE,
		.aio_fildes = (uint32_t)job->file,
		.aio_buf = (uintptr_t)start,
		.aio_nbytes = request->length,
		.aio_offset = (int64_t)request->offset,
	};
	request->in_flight = true;
	if (syscall(SYS_io_submit, job->context, 1L, &iocb) != 1)
		err(EXIT_FAILURE, "submit to %s", job->path);
}

static void corrupt(const struct job *job, const struct request *request, const char *what,
		    long long result)
{
	fprintf(stderr, "%s: %s of %zu bytes at %zu (buffer of %zu): %s, result %lld\n", job->path,
		request->reads ? "read" : "write", request->length, request->offset,
		request->usable, what, result);
	exit(EXIT_CORRUPT);
}

static void check(struct job *job, const struct io_event *event)
{
	struct request *request = (struct request *)(uintptr_t)event->data;
	const unsigned char *found = (const unsigned char *)(uintptr_t)request->iocb.aio_buf;
	size_t wanted = request->length, left = FILE_SIZE - request->offset;
	long long result = event->res;

	if (!request->in_flight)
		corrupt(job, request, "completed twice", result);
	request->in_flight = false;
	job->nr_done++;
	if (wanted > left)
		wanted = left;
	if (request->usable < request->length) {
		job->nr_cut++;
		if (result == -EFAULT)
			return;
		/* Whole pages are read: none that is there only in part. */
		if (result < 0 || (size_t)result > request->usable || (size_t)result > wanted)
			corrupt(job, request, "more than there is room for", result);
		wanted = (size_t)result;
	}
	if (result < 0 || (size_t)result != wanted)
		corrupt(job, request, "wrong count", result);
	for (size_t i = 0; request->reads && i < wanted; i++) {
		unsigned char expected = content_at(request->offset + i);

		if (job->spoil && job->nr_done > 100)
			expected++;
		if (found[i] != expected)
			corrupt(job, request, "wrong data", result);
	}
}

static void reap(struct job *job, long at_least)
{
	struct io_event events[NR_REQUESTS];
	long nr =
		syscall(SYS_io_getevents, job->context, at_least, (long)NR_REQUESTS, events, NULL);

	if (nr < at_least)
		err(EXIT_FAILURE, "wait for %s", job->path);
	for (long i = 0; i < nr; i++)
		check(job, &events[i]);
}

static bool any_in_flight(const struct job *job)
{
	for (size_t i = 0; i < NR_REQUESTS; i++)
		if (job->requests[i].in_flight)
			return true;
	return false;
}

static void open_job(struct job *job)
{
	unsigned char *content = allocate(FILE_SIZE);

	job->file = open(job->path, O_RDWR | O_CREAT | O_TRUNC | O_DIRECT, 0600);
	if (job->file < 0)
		err(EXIT_FAILURE, "open %s", job->path);
	fill_content(content, 0, FILE_SIZE);
	if (pwrite(job->file, content, FILE_SIZE, 0) != FILE_SIZE)
		err(EXIT_FAILURE, "write %s", job->path);
	free(content);
	if (syscall(SYS_io_setup, NR_REQUESTS, &job->context))
		err(EXIT_FAILURE, "set up asynchronous I/O");
	for (size_t i = 0; i < NR_REQUESTS; i++)
		job->requests[i].buffer = map_before_nothing();
}

static int exercise(struct job *job, double seconds)
{
	double deadline = seconds_now() + seconds;

	open_job(job);
	while (seconds_now() < deadline) {
		for (size_t i = 0; i < NR_REQUESTS; i++)
			if (!job->requests[i].in_flight)
				submit(job, &job->requests[i]);
		reap(job, 1);
	}
	while (any_in_flight(job))
		reap(job, 1);
	printf("stress-dio: %s: %lu requests, %lu cut short, each completed once\n", job->path,
	       job->nr_done, job->nr_cut);
	return 0;
}

static int usage(void)
{
	fputs("usage: stress-dio [-t SECONDS] [-j JOBS] [-s SEED] [-c] DIRECTORY\n"
	      "  -c  expect other data than was written: exit 2 is to follow\n",
	      stderr);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	unsigned long nr_jobs = 4, seed = 1;
	struct job job = { 0 };
	double seconds = 10;
	int option;

	while ((option = getopt(argc, argv, "t:j:s:c")) != -1) {
		switch (option) {
		case 't':
			seconds = (double)parse_number(optarg);
			break;
		case 'j':
			nr_jobs = parse_number(optarg);
			break;
		case 's':
			seed = parse_number(optarg);
			break;
		case 'c':
			job.spoil = true;
			break;
		default:
			return usage();
		}
	}
	if (optind != argc - 1)
		return usage();

	for (unsigned long nr = 0; nr < nr_jobs; nr++) {
		pid_t pid = fork();

		if (pid < 0)
			err(EXIT_FAILURE, "fork");
		if (pid)
			continue;
		job.rng = rng_seeded(seed * 1000 + nr);
		snprintf(job.path, sizeof(job.path), "%s/dio-%lu", argv[optind], nr);
		exit(exercise(&job, seconds));
	}
	return wait_for_all();
}
