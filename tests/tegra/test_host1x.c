/* SPDX-License-Identifier: MIT
 *
 * Command streams of host1x: what each command writes, which programs and
 * constants a stream uploads, what is refused, and streams in logs. Commands
 * are composed by hand: the number in bits 28 to 31, the first register in bits
 * 16 to 27, below them a count, a mask or a value.
 */
#include "../sweep.h"

#include <stdio.h>
#include <string.h>

#include "tungsten/tegra.h"

#define WORDS(...)                                                             \
   (const uint32_t[]){__VA_ARGS__},                                            \
      sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* Two instructions, as the driver of NVIDIA uploads them. */
#define MOVE_0 0x401f9c6c, 0x0040000d, 0x8106c083, 0x6041ff80
#define MOVE_1 0x401f9c6c, 0x0040010d, 0x8106c083, 0x6041ff9d
#define NOTHING 0x001f9c6c, 0x0000000d, 0x8106c083, 0x60401ffd

/* ---- what is uploaded ---------------------------------------------------- */

struct stream {
   const char *name;
   const uint32_t *words;
   size_t num_words;
   uint32_t number;
   const uint32_t *expected;
   size_t num_expected;
};

static const struct stream streams[] = {
   {"the driver's", WORDS(0x42050000, 0x22060008, MOVE_0, MOVE_1), 0,
    WORDS(MOVE_0, MOVE_1)},
   {"an index as data", WORDS(0x12050001, 0, 0x22060004, MOVE_1), 0,
    WORDS(MOVE_1)},
   {"registers in a row",
    WORDS(0x12050002, 0, 0x401f9c6c, 0x22060003, 0x0040010d, 0x8106c083,
          0x6041ff9d),
    0, WORDS(MOVE_1)},
   {"without an index", WORDS(0x22060004, MOVE_1), 0, WORDS(MOVE_1)},
   {"in parts",
    WORDS(0x42050000, 0x22060003, 0x401f9c6c, 0x0040010d, 0x8106c083,
          0x12060001, 0x6041ff9d),
    0, WORDS(MOVE_1)},
   {"bits of IMM",
    WORDS(0x42050000, 0x22060002, 0x001f9c6c, 0x0000000d, 0x4206c083,
          0x42061ffd),
    0, WORDS(0x001f9c6c, 0x0000000d, 0x0000c083, 0x00001ffd)},
   /* 0x204 and 0x206, 0x206 and 0x208. */
   {"masks",
    WORDS(0x32040005, 0xaaaaaaaa, 0x401f9c6c, 0x22060002, 0x0040010d,
          0x8106c083, 0x32060005, 0x6041ff9d, 0xbbbbbbbb),
    0, WORDS(MOVE_1)},
   {"empty commands",
    WORDS(0x12060000, 0x22060000, 0x32060000, 0x22060004, MOVE_1), 0,
    WORDS(MOVE_1)},
   /* The 2D unit, class 0x51, has such a register too. */
   {"another class",
    WORDS(0x00001440, 0x22060001, 0xcccccccc, 0x00001800, 0x22060004, MOVE_1),
    0, WORDS(MOVE_1)},
   {"data of SETCL",
    WORDS(0x0205180b, 0, 0x401f9c6c, 0xdddddddd, 0x22060003, 0x0040010d,
          0x8106c083, 0x6041ff9d),
    0, WORDS(MOVE_1)},
   {"commands that write nothing",
    WORDS(0x50000123, 0x62068004, 0x00001000, 0xe0000007, 0xf0000000,
          0x22060004, MOVE_1),
    0, WORDS(MOVE_1)},
   {"the last",
    WORDS(0x42050000, 0x22060008, MOVE_0, MOVE_1, 0x42050000, 0x22060004,
          NOTHING),
    0, WORDS(NOTHING)},
   {"the second",
    WORDS(0x42050000, 0x22060008, MOVE_0, MOVE_1, 0x42050000, 0x22060004,
          NOTHING),
    2, WORDS(NOTHING)},
   {"the first of two",
    WORDS(0x42050000, 0x22060008, MOVE_0, MOVE_1, 0x42050000, 0x22060004,
          NOTHING),
    1, WORDS(MOVE_0, MOVE_1)},
   {"an index that nothing follows",
    WORDS(0x42050000, 0x22060004, MOVE_1, 0x42050000), 0, WORDS(MOVE_1)},
   {"an instruction replaced",
    WORDS(0x42050000, 0x22060008, MOVE_0, MOVE_1, 0x42050000, 0x42050001,
          0x22060004, NOTHING),
    0, WORDS(MOVE_0, NOTHING)},
   {"the first replaced",
    WORDS(0x42050000, 0x2206000c, MOVE_0, MOVE_1, NOTHING, 0x42050001,
          0x22060004, NOTHING),
    0, WORDS(MOVE_0, NOTHING, NOTHING)},
   {"instructions appended",
    WORDS(0x42050000, 0x22060004, MOVE_0, 0x42050001, 0x22060004, MOVE_1), 0,
    WORDS(MOVE_0, MOVE_1)},
};

static struct tg_tegra_program *
decode(const uint32_t *words, size_t num_words, uint32_t number,
       struct tg_diagnostics *diagnostics)
{
   struct tg_tegra_program *program = NULL;
   enum tg_result result = tg_tegra_decode_host1x(
      NULL, "stream", words, num_words, number, diagnostics, &program);

   assert_int_equal(result == TG_OK, program != NULL);
   return program;
}

static void
expect_words(const char *name, const struct tg_tegra_program *program,
             const uint32_t *expected, size_t num_expected)
{
   if (!program ||
       tg_tegra_num_instructions(program) * TG_TEGRA_WORDS != num_expected ||
       memcmp(tg_tegra_words(program), expected,
              num_expected * sizeof(uint32_t)) != 0)
      fail_msg("%s", name);
}

static void
streams_upload_programs(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
      const struct stream *stream = &streams[i];
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      struct tg_tegra_program *program =
         decode(stream->words, stream->num_words, stream->number, diagnostics);

      expect_words(stream->name, program, stream->expected,
                   stream->num_expected);
      assert_int_equal(tg_diagnostics_num_errors(diagnostics), 0);
      assert_true(tg_tegra_is_host1x(stream->words, stream->num_words));
      tg_tegra_program_destroy(program);
      tg_diagnostics_destroy(diagnostics);
   }
}

/* c[7] becomes 0 before the second program comes, c[5].y 2 after it. */
static void
streams_upload_constants(void **state)
{
   static const uint32_t words[] = {
      0x42070005, 0x22080009, 1,          0,          3,          4,
      5,          6,          7,          8,          9,          0x22060004,
      MOVE_1,     0x42070007, 0x42080000, 0x42070009, 0x42080001, 0x42050000,
      0x22060004, NOTHING,    0x42070005, 0x22080002, 1,          2,
   };
   static const uint32_t fives[] = {1, 0, 3, 4}, late[] = {1, 2, 3, 4};
   const size_t count = sizeof(words) / sizeof(words[0]);
   uint32_t values[4];

   (void)state;
   struct tg_tegra_program *first = decode(words, count, 1, NULL);
   assert_int_equal(tg_tegra_constant(first, 5, values), 0xf);
   assert_memory_equal(values, fives, sizeof(fives));
   assert_int_equal(tg_tegra_constant(first, 6, values), 0xf);
   assert_int_equal(values[3], 8);
   assert_int_equal(tg_tegra_constant(first, 7, values), 0);
   assert_int_equal(tg_tegra_constant(first, 8, values), 0);
   assert_int_equal(tg_tegra_constant(first, 9, values), 1);
   tg_tegra_program_destroy(first);
   struct tg_tegra_program *second = decode(words, count, 2, NULL);
   assert_int_equal(tg_tegra_constant(second, 5, values), 0xf);
   assert_memory_equal(values, late, sizeof(late));
   tg_tegra_program_destroy(second);
}

static void
others_are_told_of(void **state)
{
   static const uint32_t words[] = {0x22060004, MOVE_1, 0x42050000, 0x22060004,
                                    NOTHING};
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   (void)state;
   tg_tegra_program_destroy(
      decode(words, sizeof(words) / sizeof(words[0]), 0, diagnostics));
   char *said = tg_diagnostics_text(diagnostics);
   assert_string_equal(said, "stream: warning: the stream uploads 2 programs, "
                             "of which this is the last\n");
   tg_string_free(said);
   tg_diagnostics_destroy(diagnostics);
}

/* ---- what is refused ----------------------------------------------------- */

/* Is the stream refused, and so? */
static void
expect_refusal(const uint32_t *words, size_t num_words, uint32_t number,
               const char *expected)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   assert_null(decode(words, num_words, number, diagnostics));
   char *said = tg_diagnostics_text(diagnostics);
   assert_memory_equal(said, "stream: error: ", 15);
   assert_memory_equal(said + 15, expected, strlen(expected));
   assert_int_equal(said[15 + strlen(expected)], '\n');
   tg_string_free(said);
   tg_diagnostics_destroy(diagnostics);
}

static void
what_is_no_stream_is_refused(void **state)
{
   const struct {
      const uint32_t *words;
      size_t num_words;
      uint32_t number;
      const char *expected;
   } refused[] = {
      {NULL, 0, 0, "the stream uploads no program"},
      {WORDS(0x42050000), 0, "the stream uploads no program"},
      {WORDS(0x42050000, 0x70000000), 0,
       "word 1, 0x70000000, is no command of host1x"},
      {WORDS(0x22060008, MOVE_0), 0,
       "the data of the command in word 0 is cut: 4 of 8 words are there"},
      {WORDS(0x2206ffff), 0,
       "the data of the command in word 0 is cut: 0 of 65535 words are there"},
      {WORDS(0x62060004), 0,
       "the data of the command in word 0 is cut: 0 of 1 words are there"},
      {WORDS(0x22060003, 1, 2, 3), 0,
       "the stream leaves out word 3 of instruction 0"},
      {WORDS(0x42050001, 0x22060004, MOVE_1), 0,
       "the stream leaves out word 0 of instruction 0"},
      {WORDS(0x42050002, 0x22060004, MOVE_1, 0x42050000, 0x22060004, MOVE_0,
             0x42050003, 0x22060004, MOVE_1),
       0, "the stream leaves out word 0 of instruction 1"},
      {WORDS(0x420500ff, 0x22060005, MOVE_1, 1), 0,
       "the command in word 1 writes instruction 256, and the last is 255"},
      {WORDS(0x42050100, 0x22060004, MOVE_1), 0,
       "the command in word 1 writes instruction 256, and the last is 255"},
      {WORDS(0x12050001, 0xffffffff, 0x22060004, MOVE_1), 0,
       "the command in word 2 writes instruction 256, and the last is 255"},
      {WORDS(0x22060004, MOVE_1, 0x42070100, 0x42080000), 0,
       "the command in word 6 writes c[256], and the last is c[255]"},
      {WORDS(0x22060004, MOVE_1), 2,
       "the stream uploads 1 program, and no number 2"},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
      expect_refusal(refused[i].words, refused[i].num_words, refused[i].number,
                     refused[i].expected);
      if (!refused[i].number)
         assert_false(
            tg_tegra_is_host1x(refused[i].words, refused[i].num_words));
   }
}

/* All 256 slots, as the driver fills them when it starts. */
static void
a_program_may_have_all_slots(void **state)
{
   static const uint32_t nothing[TG_TEGRA_WORDS] = {NOTHING};
   static uint32_t words[2 + TG_TEGRA_MAX_INSTRUCTIONS * TG_TEGRA_WORDS] = {
      0x42050000, 0x22060400};

   (void)state;
   for (size_t i = 0; i < TG_TEGRA_MAX_INSTRUCTIONS; i++)
      memcpy(words + 2 + i * TG_TEGRA_WORDS, nothing, sizeof(nothing));
   struct tg_tegra_program *program =
      decode(words, sizeof(words) / sizeof(words[0]), 0, NULL);
   assert_int_equal(tg_tegra_num_instructions(program), 256);
   tg_tegra_program_destroy(program);
}

/* ---- there and back ------------------------------------------------------ */

static struct tg_tegra_program *
assemble(const char *text)
{
   struct tg_tegra_program *program = NULL;

   assert_int_equal(
      tg_tegra_assemble(NULL, "t", text, strlen(text), 0, NULL, &program),
      TG_OK);
   return program;
}

/* Constants 3 and 4 together, 255 alone. */
static const char with_constants[] =
   ".constants [3].y = 0x11; [4].x = 0x22; [4].w = 0x33; [255].z = 0x44;\n"
   ".defaults nvidia\n"
   ".asm EXEC(export[0]) MOVv r63, a[0]; EXEC_END(export[7]) MOVv r63, a[1];";

static void
the_shortest_stream_is_written(void **state)
{
   static const uint32_t expected[] = {
      0x42050000, 0x22060008, MOVE_0, MOVE_1, 0x42070003, 0x22080008, 0,
      0x11,       0,          0,      0x22,   0,          0,          0x33,
      0x420700ff, 0x22080004, 0,      0,      0x44,       0,
   };
   const size_t count = sizeof(expected) / sizeof(expected[0]);
   struct tg_tegra_program *program = assemble(with_constants);
   uint32_t words[sizeof(expected) / sizeof(expected[0]) + 1] = {0};

   (void)state;
   assert_int_equal(tg_tegra_encode_host1x(program, NULL, 0), count);
   assert_int_equal(tg_tegra_encode_host1x(program, words, 5), count);
   assert_memory_equal(words, expected, 5 * sizeof(uint32_t));
   assert_int_equal(words[5], 0);
   assert_int_equal(tg_tegra_encode_host1x(program, words, count + 1), count);
   assert_memory_equal(words, expected, sizeof(expected));
   tg_tegra_program_destroy(program);
}

/* 2 + 4 * 256 words of instructions, and as many of constants. */
static void
the_longest_stream_goes_round(void **state)
{
   enum { SIZE = 1 << 16 };
   static char text[SIZE];
   static uint32_t words[TG_TEGRA_MAX_HOST1X_WORDS];
   size_t length = 0;

   (void)state;
   length += (size_t)sprintf(text, ".constants\n");
   for (int i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++)
      length += (size_t)sprintf(text + length, "[%d].x = 0x%x;\n", i, i + 1);
   length += (size_t)sprintf(text + length, ".asm\n");
   for (int i = 0; i < TG_TEGRA_MAX_INSTRUCTIONS; i++)
      length += (size_t)sprintf(text + length, "EXEC MOVv r1, c[%d];\n", i);
   struct tg_tegra_program *program = assemble(text);
   assert_int_equal(
      tg_tegra_encode_host1x(program, words, TG_TEGRA_MAX_HOST1X_WORDS), 2052);
   assert_int_equal(TG_TEGRA_MAX_HOST1X_WORDS, 2052);
   struct tg_tegra_program *again = decode(words, 2052, 0, NULL);
   expect_words("the longest", again, tg_tegra_words(program), 1024);
   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++) {
      uint32_t values[4];

      assert_int_equal(tg_tegra_constant(again, i, values), 0xf);
      assert_int_equal(values[0], i + 1);
   }
   tg_tegra_program_destroy(again);
   tg_tegra_program_destroy(program);
}

/* Words that programs consist of do not look like a stream. */
static void
programs_are_no_streams(void **state)
{
   static const uint32_t programs[][TG_TEGRA_WORDS] = {
      {MOVE_0}, {MOVE_1}, {NOTHING}, {0, 0, 0, 0}};

   (void)state;
   for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
      assert_false(tg_tegra_is_host1x(programs[i], TG_TEGRA_WORDS));
   assert_false(tg_tegra_is_host1x(programs[0], 3 * TG_TEGRA_WORDS));
}

/* ---- logs ---------------------------------------------------------------- */

static const char kernel_log[] =
   "---- channels ----\n"
   "\n"
   "1-54180000.gr3d: active class 60, offset 0000, val 00000000\n"
   "    GATHER at 0x02d42000+0x40, 16 words\n"
   "    02d42040: 00001800: SETCL(class=060)\n"
   "    02d42044: 12000002: INCR(offset=200, [00000011, 0000ffff])\n"
   "[   61.250000] 0x02d42050: 42050000: IMM(offset=205, data=000)\n"
   "    02d42054: 22060004:NONINCR(offset=206, [401f9c6c, 0040010d, 8106c083, "
   "6041ff9d])\n"
   "    02d42068: 42070002: IMM(offset=207, data=002)\n"
   "    02d4206c: 32080001: MASK(offset=208, mask=001, [3f800000])\n"
   "    e0000004: ACQUIRE_MLOCK(index=4)\n";

static const char grate_log[] =
   "  SUBMIT:\r\n"
   "    commands: 16\r\n"
   "      HOST1X_OPCODE_SETCL: offset:0 classid:60 mask:0\r\n"
   "      HOST1X_OPCODE_INCR: offset:200 count:2\r\n"
   "        200 <= 0x00000011\r\n"
   "        VP_ATTRIB_IN_OUT_SELECT <= 0x0000ffff\r\n"
   "      HOST1X_OPCODE_IMM: offset:205 value:0\r\n"
   "        205 <= 0x00000000\r\n"
   "      HOST1X_OPCODE_NONINCR: offset:206 count:4\r\n"
   "        206 <= 0x401f9c6c\r\n"
   "        VP_UPLOAD_INST <= 0x0040010d\r\n"
   "        206 <= 0x8106c083\r\n"
   "        206 <= 0x6041ff9d\r\n"
   "      HOST1X_OPCODE_IMM: offset:207 value:2\r\n"
   "        207 <= 0x00000002\r\n"
   "      HOST1X_OPCODE_MASK: offset:208 mask:1\r\n"
   "        208 <= 0x3f800000\r\n"
   "      HOST1X_OPCODE_GATHER: offset:0 count:8 base:2d42000\r\n"
   "      HOST1X_OPCODE_EXTEND: subop:1 value:4\r\n";

/* As older kernels print data, a call each. */
static const char split_log[] = "22060004:NONINCR(offset=206, [\n"
                                "401f9c6c, \n"
                                "0040010d, 8106c083, \n"
                                "a line between\n"
                                "6041ff9d])\n"
                                "42070002:IMM(offset=207, data=002)\n"
                                "42080000:IMM(offset=208, data=000)\n"
                                "42070002:IMM(offset=207, data=002)\n"
                                "22080001:NONINCR(offset=208, [3f800000";

static enum tg_result
decode_log(const struct tg_allocator *allocator, const char *log,
           struct tg_diagnostics *diagnostics,
           struct tg_tegra_program **program_out)
{
   return tg_tegra_decode_host1x_log(allocator, "log", log, strlen(log), 0,
                                     diagnostics, program_out);
}

static void
logs_are_read(void **state)
{
   static const char *const logs[] = {kernel_log, grate_log, split_log};
   static const uint32_t expected[] = {MOVE_1};

   (void)state;
   for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
      struct tg_tegra_program *program = NULL;
      uint32_t values[4];

      assert_true(tg_tegra_is_host1x_log(logs[i], strlen(logs[i])));
      assert_int_equal(decode_log(NULL, logs[i], NULL, &program), TG_OK);
      expect_words(logs[i], program, expected, TG_TEGRA_WORDS);
      assert_int_not_equal(tg_tegra_constant(program, 2, values), 0);
      assert_int_equal(values[0], 0x3f800000);
      tg_tegra_program_destroy(program);
   }
}

static void
what_is_no_log_is_refused(void **state)
{
   static const struct {
      const char *log, *expected;
   } refused[] = {
      {"22060004: NONINCR(offset=206, [401f9c6c, 0040010d])\n"
       "42070002: IMM(offset=207, data=002)\n",
       "log:1:1: error: the data of this command is cut: 2 of 4 words are "
       "there\n"},
      {"\n   HOST1X_OPCODE_NONINCR: offset:206 count:2\n  206 <= 0x1\n",
       "log:2:1: error: the data of this command is cut: 1 of 2 words are "
       "there\n"},
      {"22060004: INCR(offset=206, [1, 2, 3, 4])\n",
       "log: error: the stream uploads no program\n"},
      {"HOST1X_OPCODE_NONSENSE: offset:206 count:4\n",
       "log: error: the stream uploads no program\n"},
      {"", "log: error: the stream uploads no program\n"},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      struct tg_tegra_program *program = NULL;

      assert_int_equal(decode_log(NULL, refused[i].log, diagnostics, &program),
                       TG_ERROR_INPUT);
      char *said = tg_diagnostics_text(diagnostics);
      assert_memory_equal(said, refused[i].expected,
                          strlen(refused[i].expected));
      tg_string_free(said);
      tg_diagnostics_destroy(diagnostics);
      assert_int_equal(
         tg_tegra_is_host1x_log(refused[i].log, strlen(refused[i].log)), i < 2);
   }
}

static enum tg_result
read_log(const struct tg_allocator *allocator)
{
   struct tg_tegra_program *program = NULL;
   enum tg_result result = decode_log(allocator, grate_log, NULL, &program);

   tg_tegra_program_destroy(program);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(read_log);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams_upload_programs),
      cmocka_unit_test(streams_upload_constants),
      cmocka_unit_test(others_are_told_of),
      cmocka_unit_test(what_is_no_stream_is_refused),
      cmocka_unit_test(a_program_may_have_all_slots),
      cmocka_unit_test(the_shortest_stream_is_written),
      cmocka_unit_test(the_longest_stream_goes_round),
      cmocka_unit_test(programs_are_no_streams),
      cmocka_unit_test(logs_are_read),
      cmocka_unit_test(what_is_no_log_is_refused),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
