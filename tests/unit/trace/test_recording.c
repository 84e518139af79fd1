/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/made_perf.h"
#include "support/made_recording.h"
#include "unit/trace/read_back.h"

#define SAMPLE_TYPE (PERF_SAMPLE_IP | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC)

static const struct made_attr attrs[] = {
	{ .type = PERF_TYPE_RAW, .config = 0x1cd, .sample_type = SAMPLE_TYPE },
};

static struct made_perf made(void)
{
	return (struct made_perf){ .attrs = attrs, .nr_attrs = 1 };
}

static void pack_sample(struct pack *records, uint64_t time_ns, uint64_t addr)
{
	size_t start = made_record(records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);

	pack_u64(records, MADE_TEXT);
	pack_u64(records, time_ns);
	pack_u64(records, addr);
	pack_u64(records, data_src_none());
	made_record_end(records, start);
}

static void read_made(struct read_back *back, const struct made_perf *perf)
{
	struct pack file = made_perf_file(perf);

	read_back_bytes(back, file.items, file.nr);
	vec_deinit(&file);
}

static void a_truncated_file_is_read_up_to_the_break_and_says_where(void **state)
{
	auto_made_perf struct made_perf perf = made();
	struct pack file;
	size_t records;

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		pack_sample(&perf.records, i, 0x1000 + i);
	file = made_perf_file(&perf);
	records = file.nr - perf.records.nr;
	for (size_t nr = records; nr < file.nr; nr++) {
		auto_read_back struct read_back back;
		const struct recording_note *note;

		read_back_bytes(&back, file.items, nr);
		assert_string_equal(back.error, "");
		assert_int_equal(back.nr, (nr - records) / 40);
		assert_true(recording_counts(back.recording)->is_truncated);
		note = find_note(&back, "ends in the middle");
		assert_non_null(note);
		assert_int_equal(note->offset, records + back.nr * 40);
	}
	vec_deinit(&file);
}

static void a_file_that_perf_did_not_finish_is_read_to_its_end(void **state)
{
	auto_made_perf struct made_perf perf = made();
	auto_read_back struct read_back back;

	(void)state;
	perf.unfinished = true;
	pack_sample(&perf.records, 1, 0x1000);
	pack_sample(&perf.records, 2, 0x2000);
	read_made(&back, &perf);
	assert_int_equal(back.nr, 2);
	assert_true(recording_counts(back.recording)->is_truncated);
	assert_non_null(find_note(&back, "did not finish"));
}

static void records_that_nothing_reads_are_counted_and_passed_over(void **state)
{
	auto_made_perf struct made_perf perf = made();
	auto_read_back struct read_back back;
	const struct recording_note *note;
	size_t start;

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		start = made_record(&perf.records, 200, 0);
		made_record_end(&perf.records, start);
	}
	start = made_record(&perf.records, PERF_RECORD_SWITCH, 0); /* known, and of no use */
	made_record_end(&perf.records, start);
	pack_sample(&perf.records, 1, 0x1000);
	read_made(&back, &perf);
	assert_int_equal(back.nr, 1);
	assert_int_equal(recording_counts(back.recording)->nr_skipped, 2);
	note = find_note(&back, "type 200");
	assert_non_null(note);
	assert_int_equal(note->nr, 2);
}

static void a_record_shorter_than_its_header_ends_the_reading(void **state)
{
	auto_made_perf struct made_perf perf = made();
	auto_read_back struct read_back back;

	(void)state;
	pack_sample(&perf.records, 1, 0x1000);
	pack_u64(&perf.records, 9); /* type 9, size 0 */
	pack_sample(&perf.records, 2, 0x2000);
	read_made(&back, &perf);
	assert_int_equal(back.nr, 1);
	assert_int_equal(recording_counts(back.recording)->nr_damaged, 1);
	assert_non_null(find_note(&back, "shorter than its header"));
}

static void a_sample_shorter_than_its_event_says_is_left_out(void **state)
{
	auto_made_perf struct made_perf perf = made();
	auto_read_back struct read_back back;
	size_t start;

	(void)state;
	start = made_record(&perf.records, PERF_RECORD_SAMPLE, 1);
	pack_zeros(&perf.records, 24);
	made_record_end(&perf.records, start);
	pack_sample(&perf.records, 2, 0x2000);
	read_made(&back, &perf);
	assert_int_equal(back.nr, 1);
	assert_int_equal(back.items[0].sample.addr, 0x2000);
	assert_int_equal(recording_counts(back.recording)->nr_damaged, 1);
}

/* Both kinds, and records that begin in one compressed piece and end in another. */
static void compressed_records_are_unpacked_across_their_pieces(void **state)
{
	const uint32_t types[] = { PERF_USER_COMPRESSED, PERF_USER_COMPRESSED2 };

	(void)state;
	for (size_t t = 0; t < array_size(types); t++) {
		auto_made_perf struct made_perf perf = made();
		auto_read_back struct read_back back;
		ZSTD_CCtx *zstd = ZSTD_createCCtx();
		struct pack plain = {};
		size_t nr;

		for (unsigned int i = 0; i < 40; i++)
			pack_sample(&plain, i, 0x1000 + i);
		for (size_t at = 0; at < plain.nr; at += nr) {
			struct pack piece = { .items = plain.items + at };

			nr = plain.nr - at < 57 ? plain.nr - at : 57;
			piece.nr = nr;
			made_compressed(&perf.records, zstd, &piece, types[t]);
		}
		pack_sample(&perf.records, 99, 0x9999);
		read_made(&back, &perf);
		assert_int_equal(back.nr, 41);
		for (unsigned int i = 0; i < 40; i++)
			assert_int_equal(back.items[i].sample.addr, 0x1000 + i);
		assert_int_equal(back.items[40].sample.addr, 0x9999);
		assert_int_equal(recording_counts(back.recording)->nr_damaged, 0);
		vec_deinit(&plain);
		ZSTD_freeCCtx(zstd);
	}
}

static void damaged_compression_is_told_and_what_follows_is_read(void **state)
{
	auto_made_perf struct made_perf perf = made();
	auto_read_back struct read_back back;
	size_t start;

	(void)state;
	start = made_record(&perf.records, PERF_USER_COMPRESSED, 0);
	pack_zeros(&perf.records, 64);
	made_record_end(&perf.records, start);
	pack_sample(&perf.records, 1, 0x1000);
	read_made(&back, &perf);
	assert_int_equal(back.nr, 1);
	assert_non_null(find_note(&back, "compressed records"));
}

/* A few bytes that unpack to gigabytes must not be unpacked all at once. */
static void a_bomb_is_unpacked_bit_by_bit(void **state)
{
	auto_made_perf struct made_perf perf = made();
	auto_read_back struct read_back back;
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	struct pack plain = {};

	(void)state;
	/* 256 MB of records of type 0 and size 32 KiB: not known, so nothing is kept. */
	for (unsigned int i = 0; i < 8192; i++) {
		size_t start = made_record(&plain, 0, 0);

		pack_zeros(&plain, 32760);
		made_record_end(&plain, start);
	}
	made_compressed(&perf.records, zstd, &plain, PERF_USER_COMPRESSED);
	ZSTD_freeCCtx(zstd);
	vec_deinit(&plain);
	read_made(&back, &perf);
	assert_int_equal(recording_counts(back.recording)->nr_records, 8192);
}

static void the_payload_of_aux_data_is_stepped_over(void **state)
{
	auto_made_perf struct made_perf perf = made();
	auto_read_back struct read_back back;
	size_t start;

	(void)state;
	start = made_record(&perf.records, PERF_USER_AUXTRACE, 0);
	pack_u64(&perf.records, 24);
	pack_zeros(&perf.records, 32);
	made_record_end(&perf.records, start);
	pack_bytes(&perf.records, "payload that is no record", 24);
	pack_sample(&perf.records, 1, 0x1000);
	read_made(&back, &perf);
	assert_int_equal(back.nr, 1);
	assert_non_null(find_note(&back, "AUX data"));
}

static void a_kmem_tracepoint_tells_of_an_allocation(void **state)
{
	const struct made_attr tracepoint = { .type = PERF_TYPE_TRACEPOINT,
					      .config = 441,
					      .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW };

	(void)state;
	for (unsigned int big = 0; big < 2; big++) {
		auto_made_perf struct made_perf perf = { .attrs = &tracepoint,
							 .nr_attrs = 1,
							 .records.big_endian = big };
		auto_read_back struct read_back back;
		size_t start = made_record(&perf.records, PERF_RECORD_SAMPLE, 1);

		pack_u64(&perf.records, 77);
		pack_u32(&perf.records, 52);
		pack_u16(&perf.records, 441);
		pack_zeros(&perf.records, 6);
		pack_u64(&perf.records, MADE_TEXT + 8);
		pack_u64(&perf.records, 0xffff888000001000);
		pack_u64(&perf.records, 100);
		pack_u64(&perf.records, 128);
		pack_zeros(&perf.records, 12);
		made_record_end(&perf.records, start);
		made_tracing_data(made_feature(&perf, PERF_FEATURE_TRACING_DATA), "kmem",
				  MADE_KMALLOC);
		read_made(&back, &perf);
		assert_int_equal(back.nr, 2);
		assert_int_equal(back.items[0].kind, ITEM_SAMPLE);
		assert_int_equal(back.items[1].kind, ITEM_ALLOCATION);
		assert_int_equal(back.items[1].time_ns, 77);
		assert_int_equal(back.items[1].allocation.addr, 0xffff888000001000);
		assert_int_equal(back.items[1].allocation.size, 100);
		assert_int_equal(back.items[1].allocation.allocated, 128);
		assert_int_equal(back.items[1].allocation.site, MADE_TEXT + 8);
	}
}

#define MADE_CACHE_FREE                                                     \
	"name: kmem_cache_free\nID: 442\nformat:\n"                         \
	"\tfield:unsigned long call_site;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:const void * ptr;\toffset:16;\tsize:8;\tsigned:0;\n"       \
	"\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:0;\n"

/* The cache's name lies behind the fields, and a field says where. */
static void a_free_tells_of_its_cache_unless_the_name_lies_outside(void **state)
{
	const struct made_attr tracepoint = { .type = PERF_TYPE_TRACEPOINT,
					      .config = 442,
					      .sample_type = PERF_SAMPLE_RAW };

	(void)state;
	for (uint32_t at = 28; at < 40; at += 8) {
		auto_made_perf struct made_perf perf = { .attrs = &tracepoint, .nr_attrs = 1 };
		auto_read_back struct read_back back;
		size_t start = made_record(&perf.records, PERF_RECORD_SAMPLE, 1);

		pack_u32(&perf.records, 36);
		pack_u64(&perf.records, 442);
		pack_u64(&perf.records, MADE_TEXT);
		pack_u64(&perf.records, 0xffff888000001000);
		pack_u32(&perf.records, 6u << 16 | at);
		pack_bytes(&perf.records, "inode\0\0\0", 8);
		made_record_end(&perf.records, start);
		made_tracing_data(made_feature(&perf, PERF_FEATURE_TRACING_DATA), "kmem",
				  MADE_CACHE_FREE);
		read_made(&back, &perf);
		assert_int_equal(back.nr, 2);
		assert_int_equal(back.items[1].kind, ITEM_FREE);
		if (at == 28)
			assert_string_equal(back.items[1].allocation.cache, "inode");
		else
			assert_null(back.items[1].allocation.cache);
	}
}

/* As `perf record --threads` leaves it: the header in one file, records in others. */
static void a_directory_is_read_with_the_files_beside_its_header(void **state)
{
	auto_made_perf struct made_perf perf = made();
	auto_read_back struct read_back back;
	char folder[] = "/tmp/fieldline-test-XXXXXX";
	char path[64];
	struct pack file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	pack_sample(&perf.records, 5, 0x1000);
	pack_u64(made_feature(&perf, PERF_FEATURE_DIR_FORMAT), 1);
	file = made_perf_file(&perf);
	for (int i = -1; i < 2; i++) {
		FILE *out;

		snprintf(path, sizeof(path), i < 0 ? "%s/data" : "%s/data.%d", folder, i);
		out = fopen(path, "wb");
		assert_non_null(out);
		if (i >= 0) {
			perf.records.nr = 0;
			pack_sample(&perf.records, 10 - 3u * (unsigned int)i, 0x2000 + i);
			file.nr = 0;
			pack_bytes(&file, perf.records.items, perf.records.nr);
		}
		fwrite(file.items, 1, file.nr, out);
		fclose(out);
	}
	read_back_path(&back, folder, true);
	assert_string_equal(back.error, "");
	assert_int_equal(back.nr, 3);
	assert_int_equal(back.items[0].sample.addr, 0x1000);
	assert_int_equal(back.items[1].sample.addr, 0x2001);
	assert_int_equal(back.items[2].sample.addr, 0x2000);
	for (int i = -1; i < 2; i++) {
		snprintf(path, sizeof(path), i < 0 ? "%s/data" : "%s/data.%d", folder, i);
		unlink(path);
	}
	rmdir(folder);
	vec_deinit(&file);
}

static void what_is_no_recording_is_an_error_that_says_so(void **state)
{
	const struct {
		const char *bytes;
		size_t nr;
		const char *error;
	} cases[] = {
		{ "", 0, "is empty" },
		{ "\177ELF\1\1\1\0", 8, "no recording" },
		{ "PERFFILE........", 16, "before Linux 2.6.32" },
		{ "PERFILE2", 8, "cut off" },
		{ "FIELDLOG\1\0\0\0", 12, "cut off" },
		{ "FIELDLOG\2\0\0\0\20\0\0\0", 16, "version 2" },
	};

	(void)state;
	for (size_t i = 0; i < array_size(cases); i++) {
		auto_read_back struct read_back back;

		read_back_bytes(&back, cases[i].bytes, cases[i].nr);
		assert_non_null(strstr(back.error, cases[i].error));
	}
}

static void a_file_of_events_without_attributes_is_an_error(void **state)
{
	struct made_perf perf = { .attrs = attrs };
	auto_read_back struct read_back back;

	(void)state;
	read_made(&back, &perf);
	assert_non_null(strstr(back.error, "no event"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_truncated_file_is_read_up_to_the_break_and_says_where),
		cmocka_unit_test(a_file_that_perf_did_not_finish_is_read_to_its_end),
		cmocka_unit_test(records_that_nothing_reads_are_counted_and_passed_over),
		cmocka_unit_test(a_record_shorter_than_its_header_ends_the_reading),
		cmocka_unit_test(a_sample_shorter_than_its_event_says_is_left_out),
		cmocka_unit_test(compressed_records_are_unpacked_across_their_pieces),
		cmocka_unit_test(damaged_compression_is_told_and_what_follows_is_read),
		cmocka_unit_test(a_bomb_is_unpacked_bit_by_bit),
		cmocka_unit_test(the_payload_of_aux_data_is_stepped_over),
		cmocka_unit_test(a_kmem_tracepoint_tells_of_an_allocation),
		cmocka_unit_test(a_free_tells_of_its_cache_unless_the_name_lies_outside),
		cmocka_unit_test(a_directory_is_read_with_the_files_beside_its_header),
		cmocka_unit_test(what_is_no_recording_is_an_error_that_says_so),
		cmocka_unit_test(a_file_of_events_without_attributes_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
