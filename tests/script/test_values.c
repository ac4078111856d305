/* SPDX-License-Identifier: MIT
 *
 * Values, registers, tolerances and values files. The bits of floats are those
 * of IEEE 754, worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "script/text/compare.h"
#include "script/text/settings.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A cursor in the only line of a text. */
struct line {
   struct tg_source source;
   struct tg_diagnostics *diagnostics;
   struct script_cursor cursor;
};

static void
line_start(struct line *line, const char *text)
{
   line->source = (struct tg_source){"line", text, strlen(text)};
   line->diagnostics = tg_diagnostics_create(NULL);
   line->cursor = cursor_at_start(&line->source, line->diagnostics);
   assert_true(cursor_next_line(&line->cursor));
}

static void
line_finish(struct line *line)
{
   tg_diagnostics_destroy(line->diagnostics);
}

/* ---- values -------------------------------------------------------------- */

static void
test_words(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      enum script_plain plain;
      uint32_t word;
   } rows[] = {
      {"0x3f800000", SCRIPT_PLAIN_INTEGER, 0x3f800000},
      {"0XfF", SCRIPT_PLAIN_FLOAT, 0xff},
      {"5", SCRIPT_PLAIN_INTEGER, 5},
      {"-5", SCRIPT_PLAIN_INTEGER, 0xfffffffb},
      {"-2147483648", SCRIPT_PLAIN_INTEGER, 0x80000000},
      {"4294967295", SCRIPT_PLAIN_INTEGER, 0xffffffff},
      {"5", SCRIPT_PLAIN_FLOAT, 0x40a00000},
      {"-5", SCRIPT_PLAIN_FLOAT, 0xc0a00000},
      {"1.0", SCRIPT_PLAIN_INTEGER, 0x3f800000},
      {"1.", SCRIPT_PLAIN_INTEGER, 0x3f800000},
      {".5", SCRIPT_PLAIN_INTEGER, 0x3f000000},
      {"+2e0", SCRIPT_PLAIN_INTEGER, 0x40000000},
      {"-0.0", SCRIPT_PLAIN_INTEGER, 0x80000000},
      {"inf", SCRIPT_PLAIN_INTEGER, 0x7f800000},
      {"-inf", SCRIPT_PLAIN_FLOAT, 0xff800000},
      {"nan", SCRIPT_PLAIN_INTEGER, 0x7fc00000},
      /* 2^-149 is the least denormal; these are around its half. */
      {"1.4e-45", SCRIPT_PLAIN_INTEGER, 1},
      {"7.0064923216240853e-46", SCRIPT_PLAIN_INTEGER, 0},
      {"7.0064923216240854e-46", SCRIPT_PLAIN_INTEGER, 1},
      /* Between 2^24 and 2^24+2: the tie is even; by way of a double the
       * second would be a tie too. */
      {"16777217.0", SCRIPT_PLAIN_INTEGER, 0x4b800000},
      {"16777217.00000000000001", SCRIPT_PLAIN_INTEGER, 0x4b800001},
      {"i:-1", SCRIPT_PLAIN_FLOAT, 0xffffffff},
      {"i:7", SCRIPT_PLAIN_FLOAT, 7},
      {"u:4000000000", SCRIPT_PLAIN_FLOAT, 4000000000u},
      {"f:2", SCRIPT_PLAIN_INTEGER, 0x40000000},
      {"0x1p-3", SCRIPT_PLAIN_INTEGER, 0x3e000000},
      {"-0X.8P+1", SCRIPT_PLAIN_FLOAT, 0xbf800000},
      {"0x1.8p0", SCRIPT_PLAIN_INTEGER, 0x3fc00000},
      {"f:0x1p-149", SCRIPT_PLAIN_INTEGER, 1},
      {"0x1e5", SCRIPT_PLAIN_FLOAT, 0x1e5},
      {"0x1.fffffep127", SCRIPT_PLAIN_INTEGER, 0x7f7fffff},
      {"0x1.fffffefp127", SCRIPT_PLAIN_INTEGER, 0x7f7fffff},
      {"1e-400", SCRIPT_PLAIN_INTEGER, 0},
   };

   for (size_t i = 0; i < COUNT(rows); i++) {
      struct script_values values = {0};
      struct line line;

      line_start(&line, rows[i].text);
      assert_true(script_read_value(&line.cursor, rows[i].plain, &values));
      assert_int_equal(values.count, 1);
      assert_int_equal(values.words[0], rows[i].word);
      assert_true(cursor_at_end(&line.cursor));
      line_finish(&line);
   }
}

static void
test_pairs(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      uint32_t low, high;
   } rows[] = {
      {"d:1.5", 0, 0x3ff80000},
      {"d:-0.0", 0, 0x80000000},
      {"d:nan", 0, 0x7ff80000},
      {"d:5e-324", 1, 0},
      {"d:0x1.8p1023", 0, 0x7fe80000},
      {"d:-1e-400", 0, 0x80000000},
      {"l:-5", 0xfffffffb, 0xffffffff},
      {"l:-9223372036854775808", 0, 0x80000000},
      {"ul:18446744073709551615", 0xffffffff, 0xffffffff},
      {"ul:0x123456789", 0x23456789, 1},
   };

   for (size_t i = 0; i < COUNT(rows); i++) {
      struct script_values values = {0};
      struct line line;

      line_start(&line, rows[i].text);
      assert_true(
         script_read_value(&line.cursor, SCRIPT_PLAIN_INTEGER, &values));
      assert_int_equal(values.count, 2);
      assert_int_equal(values.words[0], rows[i].low);
      assert_int_equal(values.words[1], rows[i].high);
      line_finish(&line);
   }
}

static void
test_bad_values(void **state)
{
   (void)state;
   static const struct {
      const char *text;
      const char *message;
   } rows[] = {
      {"one", "'one' is not a float"},
      {"1.0f", "'1.0f' is not a float"},
      {"0x", "'0x' is not a float"},
      {"0x1p", "'0x1p' is not a float"},
      {"0x1.8", "'0x1.8' is not a float"},
      {"0x.p1", "'0x.p1' is not a float"},
      {"0xp1", "'0xp1' is not a float"},
      {"0x1e5p", "'0x1e5p' is not a float"},
      {"0x1p+-1", "'0x1p+-1' is not a float"},
      {"1p3", "'1p3' is not a float"},
      {".", "'.' is not a float"},
      {"1e400", "'1e400' is too large for a float"},
      {"f:-1e39", "'f:-1e39' is too large for a float"},
      /* (2^25 - 1) * 2^103 is halfway to 2^128. */
      {"0x1.ffffffp127", "'0x1.ffffffp127' is too large for a float"},
      {"d:1e309", "'d:1e309' is too large for a double"},
      {"d:-0x1p1024", "'d:-0x1p1024' is too large for a double"},
      {"0x123456789", "'0x123456789' is not the bits of a word"},
      {"4294967296", "'4294967296' is not an integer of 32 bits"},
      {"-2147483649", "'-2147483649' is not an integer of 32 bits"},
      {"u:-1", "'u:-1' is not an unsigned integer of 32 bits"},
      {"i:2147483648", "'i:2147483648' is not an integer of 32 bits"},
      {"l:9223372036854775808",
       "'l:9223372036854775808' is not an integer of 64 bits"},
      {"d:", "'d:' is not a double"},
      {"e5", "'e5' is not a float"},
      {"infinity", "'infinity' is not a float"},
      {"", "expected a value"},
      {", 1", "expected a value"},
      {"1, 2, 3", "expected 4 words, found 3"},
      {"1, 2, 3, d:1.0", "this value is beyond the fourth word"},
      {"1, 2, 3, 4, 5", "this value is beyond the fourth word"},
      {"1, 2, 3,", "expected a value"},
   };

   for (size_t i = 0; i < COUNT(rows); i++) {
      struct script_values values;
      struct line line;

      line_start(&line, *rows[i].text ? rows[i].text : " ");
      assert_false(
         script_read_values(&line.cursor, SCRIPT_PLAIN_INTEGER, 4, &values));
      assert_int_equal(tg_diagnostics_count(line.diagnostics), 1);
      assert_string_equal(tg_diagnostics_get(line.diagnostics, 0)->message,
                          rows[i].message);
      line_finish(&line);
   }
}

/* What is printed reads back as the same word. */
static void
test_float_text(void **state)
{
   (void)state;
   static const struct {
      uint32_t word;
      const char *text;
   } rows[] = {
      {0x3f800000, "1.0"},         {0x80000000, "-0.0"},
      {0x3dcccccd, "0.1"},         {0x7f800000, "inf"},
      {0xff800000, "-inf"},        {0x7fc00000, "nan"},
      {0xffc00000, "0xffc00000"},  {0x00000001, "0x00000001"},
      {0x7f7fffff, "3.40282e+38"}, {0x3eaaaaab, "0.333333"},
      {0x4b800001, "16777218.0"},
   };

   for (size_t i = 0; i < COUNT(rows); i++) {
      struct script_values values = {0};
      struct tg_strbuf text = {0};
      struct line line;

      script_format_float_value(&text, rows[i].word);
      line_start(&line, text.data);
      assert_true(
         script_read_value(&line.cursor, SCRIPT_PLAIN_INTEGER, &values));
      assert_int_equal(values.words[0], rows[i].word);
      /* The digits are checked where they are exact or the shortest. */
      if (i < 8)
         assert_string_equal(text.data, rows[i].text);
      line_finish(&line);
      tg_strbuf_finish(&text);
   }
}

/* ---- comparison ---------------------------------------------------------- */

static bool
matches(const char *expectation, const uint32_t words[4])
{
   struct script_tolerance tolerance;
   struct script_values values = {0};
   struct line line;

   line_start(&line, expectation);
   do {
      assert_true(
         script_read_value(&line.cursor, SCRIPT_PLAIN_INTEGER, &values));
   } while (cursor_accept_char(&line.cursor, ','));
   assert_true(script_read_compare_tolerance(&line.cursor, &tolerance));
   assert_true(cursor_at_end(&line.cursor));
   line_finish(&line);
   return script_compare_values(&values, words, &tolerance);
}

static void
test_comparison(void **state)
{
   (void)state;
   static const struct {
      const char *expectation;
      uint32_t words[4];
      bool matches;
   } rows[] = {
      {"1.0", {0x3f800000}, true},
      {"1.0", {0x3f800001}, false},
      {"0.0", {0x80000000}, false},
      {"nan", {0xffc12345}, true},
      {"nan", {0x7f800000}, false},
      {"0x7fc00000", {0xffc00000}, false},
      {"0xffffffff", {0xffffffff}, true},
      {"-1", {0x7fc00000}, false},
      {"1.0 within 1 ulp", {0x3f800001}, true},
      {"1.0 within 1 ulp", {0x3f7fffff}, true},
      {"1.0 within 1 ulp", {0x3f800002}, false},
      /* 2^-149 and -2^-149 are two steps apart */
      {"0x00000001 within 2 ulp", {0x80000001}, true},
      {"0x00000001 within 1 ulp", {0x80000001}, false},
      {"0.0 within 0 ulp", {0x80000000}, true},
      {"inf within 2 ulp", {0x7f7fffff}, false},
      {"nan within 2 ulp", {0xffc00000}, true},
      {"1.0 within 0.25", {0x3fa00000}, true},
      {"1.0 within 0.25", {0x3fa00001}, false},
      {"inf within 1e30", {0x7f800000}, true},
      {"inf within 1e30", {0xff800000}, false},
      {"d:1.0", {0, 0x3ff00000}, true},
      {"d:1.0", {1, 0x3ff00000}, false},
      {"d:1.0 within 1 ulp", {1, 0x3ff00000}, true},
      {"d:1.0 within 1 ulp", {0xffffffff, 0x3fefffff}, true},
      {"d:nan", {1, 0xfff00000}, true},
      {"l:-1", {0xffffffff, 0xffffffff}, true},
      {"l:-1", {0xffffffff, 0x7fffffff}, false},
      {"1, d:2.0, 3", {1, 0, 0x40000000, 3}, true},
      {"1, d:2.0, 3", {1, 0, 0x40000000, 4}, false},
   };

   for (size_t i = 0; i < COUNT(rows); i++) {
      if (matches(rows[i].expectation, rows[i].words) != rows[i].matches)
         fail_msg("row %zu: %s", i, rows[i].expectation);
   }
}

/* ---- settings ------------------------------------------------------------ */

static void
test_values_file(void **state)
{
   (void)state;
   static const char text[] = "# what a vertex shader wrote\r\n"
                              "\n"
                              "IN[0] lane2: 3f800000 00000000 40490fdb 1\n"
                              "SV[3] lane 15: 0 1 2 ffffffff # behind\n"
                              "CONST[1][2]: 5 6 7 8\n"
                              "OUT[2][1]: 9 a B c\n"
                              "KILLED: 5";
   const struct tg_source source = {"values", text, sizeof(text) - 1};
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct script_settings settings = {0};
   struct tg_arena arena;
   tg_arena_init(&arena, NULL);

   assert_int_equal(
      script_parse_settings(&source, diagnostics, &arena, &settings), TG_OK);
   assert_int_equal(settings.count, 4);
   assert_int_equal(script_lanes_of_settings(&settings), 16);

   const struct script_setting *items = settings.items;
   assert_int_equal(items[0].reg.file, SCRIPT_IN);
   assert_int_equal(items[0].lane, 2);
   assert_int_equal(items[0].words[2], 0x40490fdb);
   assert_int_equal(items[1].reg.file, SCRIPT_SV);
   assert_int_equal(items[1].reg.index, 3);
   assert_int_equal(items[1].words[3], 0xffffffff);
   assert_int_equal(items[2].reg.dimension, 1);
   assert_int_equal(items[2].reg.index, 2);
   assert_int_equal(items[2].lane, SCRIPT_ALL_LANES);
   assert_int_equal(items[3].reg.file, SCRIPT_IN);
   assert_int_equal(items[3].reg.dimension, 2);
   assert_int_equal(items[3].words[2], 0xb);

   tg_arena_finish(&arena);
   tg_diagnostics_destroy(diagnostics);
}

static void
test_bad_values_file(void **state)
{
   (void)state;
   static const char text[] = "IN[0] lane16: 0 0 0 0\n"
                              "TEMP[0]: 0 0 0 0\n"
                              "IN[0]: 0 0 0\n"
                              "IN[0]: 0 0 0 0 0\n"
                              "IN[0]: 123456789 0 0 0\n"
                              "IN[99999]: 0 0 0 0\n"
                              "IN[0] 0 0 0 0\n";
   static const char *const messages[] = {
      "expected a lane's number, from 0 to 15",
      "expected IN, SV, CONST or OUT",
      "expected four words",
      "expected the end of the line",
      "expected eight hexadecimal digits",
      "expected a register's number, from 0 to 65535",
      "expected ':'",
   };
   const struct tg_source source = {"values", text, sizeof(text) - 1};
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct script_settings settings = {0};
   struct tg_arena arena;
   tg_arena_init(&arena, NULL);

   assert_int_equal(
      script_parse_settings(&source, diagnostics, &arena, &settings),
      TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_count(diagnostics), COUNT(messages));
   for (size_t i = 0; i < COUNT(messages); i++) {
      const struct tg_diagnostic *diagnostic =
         tg_diagnostics_get(diagnostics, i);

      assert_string_equal(diagnostic->message, messages[i]);
      assert_int_equal(diagnostic->line, i + 1);
   }
   tg_arena_finish(&arena);
   tg_diagnostics_destroy(diagnostics);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_bad_values),
      cmocka_unit_test(test_float_text),
      cmocka_unit_test(test_comparison),
      cmocka_unit_test(test_values_file),
      cmocka_unit_test(test_bad_values_file),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
