/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does random things to a file and compares it with a copy in memory: reads, writes, truncations,
 * reads and writes through a mapping, syncs, closing and opening again. What a seed does can be
 * repeated; when the file is not what it should be, the last operations are told.
 */
#include "stress.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum op { OP_READ, OP_WRITE, OP_TRUNCATE, OP_MAP_READ, OP_MAP_WRITE, OP_SYNC, OP_REOPEN, NR_OPS };

static const char *const op_names[NR_OPS] = {
	"read", "write", "truncate", "map read", "map write", "sync", "reopen",
};

#define NR_LOGGED 20

struct step {
	enum op op;
	size_t offset, length;
};

struct exercise {
	const char *path;
	int file;
	size_t size, max_size;
	unsigned char *expected, *buffer;
	struct rng rng;
	unsigned long nr_done, seed;
	struct step log[NR_LOGGED];
};

static void print_log(const struct exercise *ex)
{
	unsigned long first = ex->nr_done >= NR_LOGGED ? ex->nr_done - NR_LOGGED + 1 : 0;

	fprintf(stderr, "the last operations of seed %lu:\n", ex->seed);
	for (unsigned long nr = first; nr <= ex->nr_done; nr++) {
		const struct step *step = &ex->log[nr % NR_LOGGED];

		fprintf(stderr, "  %6lu %-9s 0x%05zx..0x%05zx\n", nr, op_names[step->op],
			step->offset, step->offset + step->length);
	}
}

static void verify(const struct exercise *ex, const unsigned char *found, size_t offset,
		   size_t length)
{
	const unsigned char *expected = ex->expected + offset;
	size_t first = 0, nr_wrong = 0;

	if (!memcmp(found, expected, length))
		return;
	for (size_t i = length; i-- > 0;) {
		if (found[i] != expected[i]) {
			first = i;
			nr_wrong++;
		}
	}
	fprintf(stderr,
		"%s: operation %lu: %zu bytes differ, the first at 0x%zx: 0x%02x, not 0x%02x\n",
		ex->path, ex->nr_done, nr_wrong, offset + first, found[first], expected[first]);
	print_log(ex);
	exit(EXIT_CORRUPT);
}

static void check_size(const struct exercise *ex)
{
	struct stat st;

	if (fstat(ex->file, &st))
		err(EXIT_FAILURE, "stat %s", ex->path);
	if ((size_t)st.st_size == ex->size)
		return;
	fprintf(stderr, "%s: operation %lu: %lld bytes long, not %zu\n", ex->path, ex->nr_done,
		(long long)st.st_size, ex->size);
	print_log(ex);
	exit(EXIT_CORRUPT);
}

/* The bytes between the old and the new end of a file that grows are zero. */
static void grow(struct exercise *ex, size_t size)
{
	if (size > ex->size) {
		memset(ex->expected + ex->size, 0, size - ex->size);
		ex->size = size;
	}
}

static void read_back(struct exercise *ex, size_t offset, size_t length)
{
	ssize_t got = pread(ex->file, ex->buffer, length, (off_t)offset);

	if (got < 0)
		err(EXIT_FAILURE, "read %s", ex->path);
	if ((size_t)got != length) {
		fprintf(stderr, "%s: operation %lu: %zd bytes read, not %zu\n", ex->path,
			ex->nr_done, got, length);
		print_log(ex);
		exit(EXIT_CORRUPT);
	}
	verify(ex, ex->buffer, offset, length);
}

static void write_new(struct exercise *ex, size_t offset, size_t length)
{
	rng_fill(&ex->rng, ex->buffer, length);
	if (pwrite(ex->file, ex->buffer, length, (off_t)offset) != (ssize_t)length)
		err(EXIT_FAILURE, "write %zu bytes to %s", length, ex->path);
	grow(ex, offset + length);
	memcpy(ex->expected + offset, ex->buffer, length);
}

static void truncate_to(struct exercise *ex, size_t size)
{
	if (ftruncate(ex->file, (off_t)size))
		err(EXIT_FAILURE, "truncate %s", ex->path);
	grow(ex, size);
	ex->size = size;
}

static void use_mapping(struct exercise *ex, size_t offset, size_t length, bool writes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), start = offset / page * page;
	int protection = PROT_READ | (writes ? PROT_WRITE : 0);
	unsigned char *map;

	if (writes && offset + length > ex->size)
		truncate_to(ex, offset + length);
	map = mmap(NULL, offset - start + length, protection, MAP_SHARED, ex->file, (off_t)start);
	if (map == MAP_FAILED)
		err(EXIT_FAILURE, "map %s", ex->path);
	if (writes) {
		rng_fill(&ex->rng, ex->expected + offset, length);
		memcpy(map + (offset - start), ex->expected + offset, length);
	} else {
		verify(ex, map + (offset - start), offset, length);
	}
	munmap(map, offset - start + length);
}

static void open_file(struct exercise *ex, int flags)
{
	ex->file = open(ex->path, O_RDWR | flags, 0600);
	if (ex->file < 0)
		err(EXIT_FAILURE, "open %s", ex->path);
}

/* Reads stay within the file; what is written may make it longer. */
static struct step choose_step(struct exercise *ex)
{
	struct step step = { (enum op)rng_below(&ex->rng, NR_OPS), 0, 0 };
	bool reads = step.op == OP_READ || step.op == OP_MAP_READ;
	size_t end = reads ? ex->size : ex->max_size;

	if (step.op == OP_SYNC || step.op == OP_REOPEN || !end)
		return step;
	step.offset = rng_below(&ex->rng, end);
	if (step.op != OP_TRUNCATE)
		step.length = 1 + rng_below(&ex->rng, end - step.offset);
	return step;
}

static void do_step(struct exercise *ex, const struct step *step)
{
	switch (step->op) {
	case OP_READ:
		read_back(ex, step->offset, step->length);
		break;
	case OP_WRITE:
		write_new(ex, step->offset, step->length);
		break;
	case OP_TRUNCATE:
		truncate_to(ex, step->offset);
		break;
	case OP_MAP_READ:
	case OP_MAP_WRITE:
		if (step->length)
			use_mapping(ex, step->offset, step->length, step->op == OP_MAP_WRITE);
		break;
	case OP_SYNC:
		if (fsync(ex->file))
			err(EXIT_FAILURE, "sync %s", ex->path);
		break;
	default:
		close(ex->file);
		open_file(ex, 0);
	}
}

/* Behind the back of the exercise: this is how it is seen to notice. */
static void corrupt(const struct exercise *ex)
{
	unsigned char wrong = (unsigned char)~ex->expected[ex->size / 2];

	if (pwrite(ex->file, &wrong, 1, (off_t)(ex->size / 2)) != 1)
		err(EXIT_FAILURE, "write %s", ex->path);
}

static int usage(void)
{
	fputs("usage: stress-fsx [-n OPERATIONS] [-s SEED] [-l MAX_SIZE] [-c OPERATION] FILE\n"
	      "  -c  spoil a byte of the file before this operation: exit 2 is to follow\n",
	      stderr);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct exercise ex = { .seed = 1, .max_size = 256 << 10 };
	unsigned long nr_ops = 1000, spoiled = ~0UL;
	int option;

	while ((option = getopt(argc, argv, "n:s:l:c:")) != -1) {
		switch (option) {
		case 'n':
			nr_ops = parse_number(optarg);
			break;
		case 's':
			ex.seed = parse_number(optarg);
			break;
		case 'l':
			ex.max_size = parse_number(optarg);
			break;
		case 'c':
			spoiled = parse_number(optarg);
			break;
		default:
			return usage();
		}
	}
	if (optind != argc - 1 || !ex.max_size)
		return usage();

	ex.path = argv[optind];
	ex.rng = rng_seeded(ex.seed);
	ex.expected = allocate(ex.max_size);
	ex.buffer = allocate(ex.max_size);
	open_file(&ex, O_CREAT | O_TRUNC);
	for (bool last = false; !last; ex.nr_done++) {
		struct step step;

		last = ex.nr_done == nr_ops;
		step = last ? (struct step){ OP_READ, 0, ex.size } : choose_step(&ex);
		if (ex.nr_done >= spoiled && ex.size) {
			corrupt(&ex);
			spoiled = ~0UL;
		}
		ex.log[ex.nr_done % NR_LOGGED] = step;
		do_step(&ex, &step);
		check_size(&ex);
	}
	printf("stress-fsx: %s: %lu operations of seed %lu, all as expected\n", ex.path, nr_ops,
	       ex.seed);
	return 0;
}
