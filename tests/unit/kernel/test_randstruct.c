/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "kernel/randstruct.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static bool is_randomized(const char *chars, size_t nr)
{
	/* A buffer of just this length: a sanitizer sees every byte read beyond it. */
	auto_free uint8_t *exact = memory_alloc(nr, 1);

	memcpy(exact, chars, nr);
	return randstruct_in_bytes(exact, nr);
}

static bool is_randomized_text(const char *chars)
{
	return is_randomized(chars, strlen(chars));
}

static void vermagic_with_a_seed_is_randomized(void **state)
{
	(void)state;
	assert_true(is_randomized_text("vermagic=6.1.0 SMP mod_unload RANDSTRUCT_" HASH));
	assert_true(is_randomized_text("vermagic=5.15.0 SMP RANDSTRUCT_PLUGIN_" HASH));
	assert_true(is_randomized_text("RANDSTRUCT_FULL RANDSTRUCT_NONE RANDSTRUCT_" HASH " "));
}

static void vermagic_without_a_seed_is_not(void **state)
{
	(void)state;
	assert_false(is_randomized_text("vermagic=6.1.0 SMP mod_unload modversions "));
	assert_false(is_randomized_text("a message about RANDSTRUCT_FULL"));
	assert_false(is_randomized_text("RANDSTRUCT_0123456789abcdef"));
	assert_false(is_randomized_text("RANDSTRUCT_"));
	assert_false(is_randomized_text("RANDSTRUCT_PLUGIN"));
	assert_false(is_randomized_text(""));
}

/* As kernel/configs.c embeds it. */
static struct text embed(const char *config, size_t length)
{
	size_t room = length + 1000;
	auto_free char *packed = memory_alloc(room, 1);
	z_stream stream = { .next_in = (uint8_t *)config,
			    .avail_in = (unsigned int)length,
			    .next_out = (uint8_t *)packed,
			    .avail_out = (unsigned int)room };
	struct text bytes = {};

	assert_int_equal(
		deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	text_add(&bytes, "other constants");
	text_add(&bytes, "IKCFG_ST");
	text_add_bytes(&bytes, packed, stream.total_out);
	text_add(&bytes, "IKCFG_ED and more");
	deflateEnd(&stream);
	return bytes;
}

static bool is_config_randomized(const char *config)
{
	auto_text struct text bytes = embed(config, strlen(config));

	return is_randomized(bytes.chars, bytes.length);
}

static void embedded_configuration_tells(void **state)
{
	(void)state;
	assert_true(is_config_randomized("#\n# Automatic\n#\nCONFIG_RANDSTRUCT_FULL=y\n"
					 "CONFIG_RANDSTRUCT=y\nCONFIG_X=y\n"));
	assert_true(is_config_randomized("#\nCONFIG_GCC_PLUGIN_RANDSTRUCT=y\n"));
	assert_false(is_config_randomized("#\nCONFIG_RANDSTRUCT_NONE=y\n"));
	assert_false(is_config_randomized("#\n# CONFIG_RANDSTRUCT=y\n# is not set\n"));
	assert_false(is_config_randomized("#\nCONFIG_NO_RANDSTRUCT=y\n"));
}

static void damaged_configuration_says_nothing(void **state)
{
	static const char config[] = "#\nCONFIG_RANDSTRUCT=y\n";
	auto_text struct text bytes = embed(config, strlen(config));

	(void)state;
	assert_true(is_randomized(bytes.chars, bytes.length));
	for (size_t nr = 0; nr < strlen("other constantsIKCFG_ST") + 12; nr++)
		assert_false(is_randomized(bytes.chars, nr));
	bytes.chars[strlen("other constantsIKCFG_ST")] = 'x';
	assert_false(is_randomized(bytes.chars, bytes.length));
}

static void configuration_is_inflated_to_a_limit(void **state)
{
	auto_text struct text config = {}, bytes = {};

	(void)state;
	text_pad(&config, '\n', 5 * 1024 * 1024);
	text_add(&config, "CONFIG_RANDSTRUCT=y\n");
	bytes = embed(config.chars, config.length);
	assert_false(is_randomized(bytes.chars, bytes.length));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vermagic_with_a_seed_is_randomized),
		cmocka_unit_test(vermagic_without_a_seed_is_not),
		cmocka_unit_test(embedded_configuration_tells),
		cmocka_unit_test(damaged_configuration_says_nothing),
		cmocka_unit_test(configuration_is_inflated_to_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
