/* SPDX-License-Identifier: GPL-2.0-only */
#include "boot/workload.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/options.h"
#include "base/text.h"

enum { MAX_MEMORY_MIB = 16384 };

extern char **environ;

/* Where this program's own files may be, from where it lies itself; then where it was built. */
static const char *const own_directories[] = {
	".",
	"../" FIELDLINE_LIBDIR "/fieldline",
	"../" FIELDLINE_DATADIR "/fieldline",
};

static bool readable(const char *path)
{
	return access(path, R_OK) == 0;
}

struct error *workload_own_file(const char *name, char **ret)
{
	char program[PATH_MAX];
	ssize_t nr = readlink("/proc/self/exe", program, sizeof(program) - 1);
	auto_text struct text path = {};

	program[nr > 0 ? nr : 0] = '\0';
	*(strrchr(program, '/') ?: program) = '\0';
	for (size_t i = 0; i < array_size(own_directories); i++) {
		text_clear(&path);
		text_printf(&path, "%s/%s/%s", program, own_directories[i], name);
		if (readable(text_chars(&path))) {
			*ret = memory_strdup(text_chars(&path));
			return NULL;
		}
	}
	text_clear(&path);
	text_printf(&path, "%s/%s", FIELDLINE_SOURCE, name);
	if (!readable(text_chars(&path)))
		return error_create(ERROR_NOT_FOUND,
				    "'%s' is neither beside the program '%s' nor in '%s': install "
				    "it with cmake --install",
				    name, program, FIELDLINE_SOURCE);
	*ret = memory_strdup(text_chars(&path));
	return NULL;
}

/* What "# NAME: ..." among the comments that open the script says; "" = nothing. */
static const char *find_header(struct arena *arena, const struct file *file, const char *name)
{
	const char *at = (const char *)file->data, *end = at + file->size;
	auto_text struct text words = {};
	size_t nr_name = strlen(name);

	while (at < end && *at == '#') {
		const char *newline = memchr(at, '\n', (size_t)(end - at)) ?: end;

		if ((size_t)(newline - at) > nr_name + 3 && !memcmp(at, "# ", 2) &&
		    !memcmp(at + 2, name, nr_name) && at[2 + nr_name] == ':')
			text_add_bytes(&words, at + 3 + nr_name,
				       (size_t)(newline - at) - 3 - nr_name);
		at = newline < end ? newline + 1 : end;
	}
	at = text_chars(&words);
	return arena_strdup(arena, at + strspn(at, " "));
}

/* What a header says, from 1 to most; `otherwise` if it is not there. */
static struct error *read_number(struct workload *workload, const struct file *file,
				 const char *name, uint64_t otherwise, uint64_t most, uint64_t *ret)
{
	const char *stated = find_header(&workload->arena, file, name);
	struct error *err;

	*ret = otherwise;
	if (!*stated)
		return NULL;
	err = options_parse_number(name, stated, ret);
	if (!err && (!*ret || *ret > most))
		err = error_create(ERROR_INPUT, "%s: from 1 to %" PRIu64 ", not %s", name, most,
				   stated);
	return err;
}

static struct error *read_headers(struct workload *workload)
{
	auto_file struct file file = {};
	struct error *err = file_read(workload->path, &file);
	uint64_t memory;
	const struct {
		const char *name;
		uint64_t otherwise, most;
		uint64_t *ret;
	} numbers[] = {
		{ "memory", 512, MAX_MEMORY_MIB, &memory },
		{ "start", 8000, UINT32_MAX, &workload->start },
		{ "count", 16000, UINT32_MAX, &workload->count },
		{ "warm-up", 2000, UINT32_MAX, &workload->warm_up },
	};
	char *rest, *word;

	for (size_t i = 0; !err && i < array_size(numbers); i++)
		err = read_number(workload, &file, numbers[i].name, numbers[i].otherwise,
				  numbers[i].most, numbers[i].ret);
	if (err)
		return error_wrap(err, "'%s'", workload->path);
	workload->memory_mib = (uint32_t)memory;
	workload->boot = find_header(&workload->arena, &file, "boot");
	rest = (char *)find_header(&workload->arena, &file, "operations");
	while ((word = strsep(&rest, " "))) {
		if (*word)
			*vec_add(&workload->operations) = word;
	}
	return NULL;
}

static struct error *find_path(const char *name, struct arena *arena, const char **ret)
{
	static const char *const suffixes[] = { "", ".sh" };

	if (readable(name)) {
		*ret = arena_strdup(arena, name);
		return NULL;
	}
	for (size_t i = 0; i < array_size(suffixes); i++) {
		auto_error struct error *err = NULL;
		auto_free char *path = NULL;

		err = workload_own_file(
			arena_printf(arena, "perfscripts/workloads/%s%s", name, suffixes[i]),
			&path);
		if (!err) {
			*ret = arena_strdup(arena, path);
			return NULL;
		}
	}
	return error_create(ERROR_NOT_FOUND,
			    "no workload '%s': neither a file nor one of perfscripts/workloads",
			    name);
}

struct error *workload_find(const char *name, struct workload *ret)
{
	auto_workload struct workload workload = {};
	struct error *err = find_path(name, &workload.arena, &workload.path);

	if (!err)
		err = read_headers(&workload);
	if (err)
		return err;
	*ret = workload;
	workload = (struct workload){};
	return NULL;
}

void workload_deinit(struct workload *workload)
{
	vec_deinit(&workload->operations);
	arena_deinit(&workload->arena);
}

static struct error *run(const char *const *arguments)
{
	int failure, status;
	pid_t child;

	failure = posix_spawn(&child, arguments[0], NULL, NULL, (char *const *)arguments, environ);
	if (failure)
		return error_from_errno(failure, "cannot run '%s'", arguments[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return error_create(ERROR_INPUT, "'%s' failed; what it said stands above",
				    arguments[0]);
	return NULL;
}

struct error *workload_pack(const struct workload *workload, const char *modules, const char *mark,
			    const char *archive)
{
	auto_free char *script = NULL;
	auto_text struct text file = {};
	struct error *err = workload_own_file("perfscripts/initramfs", &script);
	const char *arguments[10] = {};
	size_t nr = 1;

	if (err)
		return err;
	arguments[0] = script;
	text_printf(&file, "%s:/usr/bin/mark", mark);
	arguments[nr++] = workload->path;
	arguments[nr++] = "-o";
	arguments[nr++] = archive;
	arguments[nr++] = "--file";
	arguments[nr++] = text_chars(&file);
	if (modules) {
		arguments[nr++] = "--modules";
		arguments[nr++] = modules;
	}
	return run(arguments);
}
