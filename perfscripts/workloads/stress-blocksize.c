/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changes the block size of a device without end while others read and write it, direct and through
 * the page cache, each a part of its own that it verifies. On a file the size is left alone.
 */
#include "stress.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <linux/fs.h>

/* Parts are whole pages, read without readahead: no worker has a page of another's part cached. */
#define PART (256 << 10)
#define SECTOR 512
#define MAX_LENGTH (16 << 10)

struct run {
	const char *path;
	double deadline;
	bool spoil;
	atomic_int result;
};

struct worker {
	pthread_t thread;
	struct run *run;
	int direct, buffered;
	off_t start;
	struct rng rng;
	unsigned char *expected, *buffer;
	unsigned long nr_done;
};

static bool is_over(const struct run *run)
{
	return seconds_now() > run->deadline || atomic_load(&run->result);
}

static int open_device(const char *path, int flags)
{
	int file = open(path, O_RDWR | flags);

	if (file < 0)
		err(EXIT_FAILURE, "open %s", path);
	return file;
}

static void write_part(struct worker *worker, int file, size_t offset, size_t length)
{
	rng_fill(&worker->rng, worker->buffer, length);
	memcpy(worker->expected + offset, worker->buffer, length);
	if (pwrite(file, worker->buffer, length, worker->start + (off_t)offset) != (ssize_t)length)
		err(EXIT_FAILURE, "write %s", worker->run->path);
}

static void read_part(struct worker *worker, int file, size_t offset, size_t length)
{
	ssize_t got = pread(file, worker->buffer, length, worker->start + (off_t)offset);

	if (got != (ssize_t)length)
		err(EXIT_FAILURE, "read %s: %zd of %zu bytes", worker->run->path, got, length);
	for (size_t i = 0; i < length; i++) {
		if (worker->buffer[i] == worker->expected[offset + i])
			continue;
		fprintf(stderr, "%s: byte %lld is 0x%02x, not 0x%02x, read %s\n", worker->run->path,
			(long long)worker->start + (long long)(offset + i), worker->buffer[i],
			worker->expected[offset + i],
			file == worker->direct ? "directly" : "through the cache");
		atomic_store(&worker->run->result, EXIT_CORRUPT);
		return;
	}
}

static void *work(void *argument)
{
	struct worker *worker = argument;

	while (!is_over(worker->run)) {
		size_t length = SECTOR * (1 + rng_below(&worker->rng, MAX_LENGTH / SECTOR));
		size_t offset = SECTOR * rng_below(&worker->rng, (PART - length) / SECTOR + 1);
		int file = rng_below(&worker->rng, 2) ? worker->direct : worker->buffered;

		if (rng_below(&worker->rng, 3))
			read_part(worker, file, offset, length);
		else
			write_part(worker, file, offset, length);
		if (worker->run->spoil && worker->nr_done % 50 == 49)
			worker->expected[rng_below(&worker->rng, PART)] ^= 1;
		worker->nr_done++;
	}
	return NULL;
}

static void start_worker(struct worker *worker, struct run *run, unsigned long nr,
			 unsigned long seed)
{
	worker->run = run;
	worker->rng = rng_seeded(seed * 1000 + nr);
	worker->start = (off_t)nr * PART;
	worker->expected = allocate(PART);
	worker->buffer = allocate(PART);
	worker->direct = open_device(run->path, O_DIRECT);
	worker->buffered = open_device(run->path, 0);
	posix_fadvise(worker->buffered, 0, 0, POSIX_FADV_RANDOM);
	write_part(worker, worker->buffered, 0, PART);
	if (pthread_create(&worker->thread, NULL, work, worker))
		errx(EXIT_FAILURE, "cannot start a thread");
}

/* Returns how often the size was set. */
static unsigned long change_sizes(const struct run *run)
{
	int device = open_device(run->path, O_EXCL);
	unsigned long nr = 0;
	struct stat st;

	if (fstat(device, &st))
		err(EXIT_FAILURE, "stat %s", run->path);
	while (!is_over(run)) {
		int size = SECTOR << nr % 4;

		if (!S_ISBLK(st.st_mode))
			usleep(1000);
		else if (ioctl(device, BLKBSZSET, &size))
			err(EXIT_FAILURE, "set the block size of %s to %d", run->path, size);
		else
			nr++;
	}
	close(device);
	return nr;
}

static int usage(void)
{
	fputs("usage: stress-blocksize [-t SECONDS] [-j JOBS] [-s SEED] [-c] DEVICE\n"
	      "All that is on the device is lost; it needs 256 KiB for each job.\n"
	      "  -c  be wrong about a byte: exit 2 is to follow\n",
	      stderr);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	unsigned long nr_jobs = 4, seed = 1, nr_sizes, nr_done = 0;
	struct run run = { 0 };
	struct worker *workers;
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
			run.spoil = true;
			break;
		default:
			return usage();
		}
	}
	if (optind != argc - 1 || !nr_jobs)
		return usage();

	run.path = argv[optind];
	run.deadline = seconds_now() + seconds;
	workers = allocate(nr_jobs * sizeof(*workers));
	for (unsigned long nr = 0; nr < nr_jobs; nr++)
		start_worker(&workers[nr], &run, nr, seed);
	nr_sizes = change_sizes(&run);
	for (unsigned long nr = 0; nr < nr_jobs; nr++) {
		pthread_join(workers[nr].thread, NULL);
		nr_done += workers[nr].nr_done;
	}
	printf("stress-blocksize: %lu reads and writes, the block size set %lu times\n", nr_done,
	       nr_sizes);
	return run.result;
}
