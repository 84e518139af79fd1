/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that each make a tree of small files, list it, read it back and delete it, in a loop,
 * all in one directory. What a file holds follows from its number, so that any process can tell.
 */
#include "stress.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define NR_FILES 60
#define NR_DIRECTORIES 6
/* From tails that reiserfs packs together to files of several blocks. */
#define MAX_SIZE (20 << 10)

struct tree {
	char path[256];
	unsigned long seed;
	unsigned char *expected, *buffer;
};

static void name_directory(const struct tree *tree, unsigned int nr, char *path, size_t size)
{
	snprintf(path, size, "%s/d%u", tree->path, nr);
}

static void name_file(const struct tree *tree, unsigned int nr, char *path, size_t size)
{
	snprintf(path, size, "%s/d%u/a-file-%u", tree->path, nr % NR_DIRECTORIES, nr);
}

/* Into expected; returns the size. */
static size_t make_content(const struct tree *tree, unsigned int nr)
{
	struct rng rng = rng_seeded(tree->seed * NR_FILES + nr);
	size_t size = nr % 3 ? rng_below(&rng, 1500) : rng_below(&rng, MAX_SIZE);

	rng_fill(&rng, tree->expected, size);
	return size;
}

static void make_tree(const struct tree *tree)
{
	char path[300];

	if (mkdir(tree->path, 0700))
		err(EXIT_FAILURE, "make %s", tree->path);
	for (unsigned int nr = 0; nr < NR_DIRECTORIES; nr++) {
		name_directory(tree, nr, path, sizeof(path));
		if (mkdir(path, 0700))
			err(EXIT_FAILURE, "make %s", path);
	}
	for (unsigned int nr = 0; nr < NR_FILES; nr++) {
		size_t size = make_content(tree, nr);
		int file;

		name_file(tree, nr, path, sizeof(path));
		file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
		if (file < 0 || write(file, tree->expected, size) != (ssize_t)size || close(file))
			err(EXIT_FAILURE, "write %s", path);
	}
}

/* Lists while it deletes, if it is to: the hard case of readdir. */
static unsigned int list_directory(const char *path, bool deletes)
{
	DIR *directory = opendir(path);
	unsigned int nr = 0;
	struct dirent *entry;

	if (!directory)
		err(EXIT_FAILURE, "list %s", path);
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		if (deletes && unlinkat(dirfd(directory), entry->d_name, 0))
			err(EXIT_FAILURE, "delete %s/%s", path, entry->d_name);
		nr++;
	}
	closedir(directory);
	return nr;
}

static void list_tree(const struct tree *tree, bool deletes)
{
	unsigned int nr_files = 0;
	char path[300];

	for (unsigned int nr = 0; nr < NR_DIRECTORIES; nr++) {
		name_directory(tree, nr, path, sizeof(path));
		nr_files += list_directory(path, deletes);
		if (deletes && rmdir(path))
			err(EXIT_FAILURE, "delete %s", path);
	}
	if (nr_files != NR_FILES) {
		fprintf(stderr, "%s: %u files are listed, not %u\n", tree->path, nr_files,
			NR_FILES);
		exit(EXIT_CORRUPT);
	}
	if (deletes && rmdir(tree->path))
		err(EXIT_FAILURE, "delete %s", tree->path);
}

static void read_tree(const struct tree *tree)
{
	char path[300];

	for (unsigned int nr = 0; nr < NR_FILES; nr++) {
		size_t size = make_content(tree, nr);
		ssize_t got;
		int file;

		name_file(tree, nr, path, sizeof(path));
		file = open(path, O_RDONLY);
		if (file < 0)
			err(EXIT_FAILURE, "open %s", path);
		got = read(file, tree->buffer, MAX_SIZE);
		close(file);
		if (got < 0)
			err(EXIT_FAILURE, "read %s", path);
		if ((size_t)got == size && !memcmp(tree->buffer, tree->expected, size))
			continue;
		fprintf(stderr, "%s: its %zd bytes are not the %zu that were written\n", path, got,
			size);
		exit(EXIT_CORRUPT);
	}
}

static void spoil_tree(const struct tree *tree)
{
	char path[300];

	name_file(tree, NR_FILES - 1, path, sizeof(path));
	if (truncate(path, MAX_SIZE - 1))
		err(EXIT_FAILURE, "truncate %s", path);
}

static int exercise(const char *directory, unsigned int job, unsigned long nr_loops, bool spoil)
{
	struct tree tree = {
		.expected = allocate(MAX_SIZE),
		.buffer = allocate(MAX_SIZE),
	};

	for (unsigned long loop = 0; loop < nr_loops; loop++) {
		tree.seed = job * 100000 + loop;
		snprintf(tree.path, sizeof(tree.path), "%s/tree-%u-%lu", directory, job, loop);
		make_tree(&tree);
		list_tree(&tree, false);
		if (spoil && loop == nr_loops - 1)
			spoil_tree(&tree);
		read_tree(&tree);
		list_tree(&tree, true);
	}
	return 0;
}

static int usage(void)
{
	fputs("usage: stress-tree [-j JOBS] [-n LOOPS] [-c] DIRECTORY\n"
	      "  -c  spoil a file of the last tree: exit 2 is to follow\n",
	      stderr);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	unsigned long nr_jobs = 8, nr_loops = 10;
	bool spoil = false;
	int option, worst;

	while ((option = getopt(argc, argv, "j:n:c")) != -1) {
		switch (option) {
		case 'j':
			nr_jobs = parse_number(optarg);
			break;
		case 'n':
			nr_loops = parse_number(optarg);
			break;
		case 'c':
			spoil = true;
			break;
		default:
			return usage();
		}
	}
	if (optind != argc - 1)
		return usage();

	for (unsigned int job = 0; job < nr_jobs; job++) {
		pid_t pid = fork();

		if (pid < 0)
			err(EXIT_FAILURE, "fork");
		if (!pid)
			exit(exercise(argv[optind], job, nr_loops, spoil && !job));
	}
	worst = wait_for_all();
	if (!worst)
		printf("stress-tree: %lu times %lu trees made, listed, read and deleted\n", nr_jobs,
		       nr_loops);
	return worst;
}
