/* SPDX-License-Identifier: GPL-2.0-only */
#include "kernel/randstruct.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

/* A configuration has a few hundred kilobytes; what inflates to more than this is none. */
#define MAX_CONFIG_BYTES ((size_t)4 * 1024 * 1024)
#define SEED_DIGITS 64 /* of the seed's SHA-256, scripts/gen-randstruct-seed.sh */

static const uint8_t *find(const uint8_t *data, size_t size, const char *text)
{
	return memmem(data, size, text, strlen(text));
}

static size_t skip_text(const uint8_t *data, size_t size, const char *text)
{
	size_t length = strlen(text);

	return size >= length && !memcmp(data, text, length) ? length : 0;
}

static size_t nr_hex_digits(const uint8_t *data, size_t size)
{
	size_t nr = 0;

	while (nr < size && data[nr] && strchr("0123456789abcdef", data[nr]))
		nr++;
	return nr;
}

/* "... SMP mod_unload RANDSTRUCT_<hash>"; before Linux 5.19 RANDSTRUCT_PLUGIN_<hash>. */
static bool in_vermagic(const uint8_t *data, size_t size)
{
	static const char mark[] = "RANDSTRUCT_";
	const uint8_t *end = data + size, *at = data;

	while ((at = find(at, end - at, mark))) {
		at += strlen(mark);
		at += skip_text(at, end - at, "PLUGIN_");
		if (nr_hex_digits(at, end - at) >= SEED_DIGITS)
			return true;
	}
	return false;
}

/* The configuration lies gzipped behind a mark (kernel/configs.c); a damaged one says nothing. */
static bool in_config(const uint8_t *data, size_t size)
{
	static const char mark[] = "IKCFG_ST";
	const uint8_t *start = find(data, size, mark);
	auto_free uint8_t *config = NULL;
	z_stream stream = {};

	if (!start || inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
		return false;
	start += strlen(mark);
	size -= start - data;
	config = memory_alloc(1, MAX_CONFIG_BYTES);
	stream.next_in = (uint8_t *)start;
	stream.avail_in = size < UINT_MAX ? (unsigned int)size : UINT_MAX;
	stream.next_out = config;
	stream.avail_out = MAX_CONFIG_BYTES;
	inflate(&stream, Z_FINISH);
	size = MAX_CONFIG_BYTES - stream.avail_out;
	inflateEnd(&stream);
	return find(config, size, "\nCONFIG_RANDSTRUCT=y\n") ||
	       find(config, size, "\nCONFIG_GCC_PLUGIN_RANDSTRUCT=y\n");
}

bool randstruct_in_bytes(const uint8_t *data, size_t size)
{
	return in_vermagic(data, size) || in_config(data, size);
}
