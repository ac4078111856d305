/* SPDX-License-Identifier: MIT
 *
 * Shaders in logs: which lines are theirs, where diagnostics say they are, and
 * how a log behaves at its limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../sweep.h"
#include "tungsten/tgsi.h"

enum { MAX_SHADERS = 3 };

#define MAIN "  0: MOV OUT[0], IN[0]\n  1: END\n"
#define BARE "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n" MAIN

/* ---- what is found ------------------------------------------------------- */

struct example {
   const char *name;
   const char *text;
   struct {
      uint32_t line;
      const char *text; /* NULL after the last */
   } shaders[MAX_SHADERS];
   bool is_pure; /* it has nothing else, or every line counts */
};

static const struct example examples[] = {
   {"nothing", "", {{0}}, .is_pure = true},
   {"no shader", "glxgears: 301 frames\nvertex: VERT\nfoo\n", {{0}}},
   {"a shader alone", BARE, {{1, BARE}}, .is_pure = true},
   {"blank lines and line ends of DOS",
    "\r\n\nFRAG\r\n\n  0: END\r\n\n",
    {{3, "FRAG\n  0: END\n"}},
    .is_pure = true},
   {"no line end",
    "FRAG\n  0: END",
    {{1, "FRAG\n  0: END\n"}},
    .is_pure = true},
   {"two in a row",
    BARE "FRAG\n  0: END\n",
    {{1, BARE}, {6, "FRAG\n  0: END\n"}},
    .is_pure = true},
   {"without an END",
    "FRAG\nDCL OUT[0], COLOR\nVERT\n  0: END\n",
    {{1, "FRAG\nDCL OUT[0], COLOR\n"}, {3, "VERT\n  0: END\n"}},
    .is_pure = true},
   {"subroutines follow the END",
    "VERT\n  0: CAL :2\n  1: END\n  2: BGNSUB\n\n  3: ADD_SAT TEMP[0], IN[0], "
    "IN[0]\n  4: ENDSUB\nshader: 3\n  5: NOP\n",
    {{1, "VERT\n  0: CAL :2\n  1: END\n  2: BGNSUB\n  3: ADD_SAT TEMP[0], "
         "IN[0], IN[0]\n  4: ENDSUB\n"}},
    .is_pure = true},
   {"other lines before, between and after",
    "NIR before handing off to driver:\n\tblock block_0:\n" BARE
    "301 frames in 5.0 seconds = 60.1 FPS\n" BARE "ERROR: done\n",
    {{3, BARE}, {9, BARE}}},
   {"other lines within",
    "VERT\nDCL IN[0]\n300 frames in 5.0 seconds\nDCL OUT[0], POSITION\n"
    "libGL error: failed\n" MAIN,
    {{1, BARE}},
    .is_pure = true},
   {"a mistake is within, and after the END it is without",
    "VERT\nMVO OUT[0], IN[0]\n  1: END\nMVO OUT[0], IN[0]\n",
    {{1, "VERT\nMVO OUT[0], IN[0]\n  1: END\n"}},
    .is_pure = true},
   {"small letters, within",
    "x\nVERT\nmov OUT[0],\nIN[0]\n 1: mvo\nend\nmov OUT[0], IN[0]\n",
    {{2, "VERT\nmov OUT[0],\nIN[0]\n 1: mvo\nend\n"}}},
   {"values of an immediate array on lines of their own",
    "x\nVERT\nDCL IMMX[0..2] { {1.0, 2.0, 3.0, 4.0}\n{ -5.0}\n{7}, }\n"
    "{ok: true}\n  0: END\n{8}\n",
    {{2, "VERT\nDCL IMMX[0..2] { {1.0, 2.0, 3.0, 4.0}\n{ -5.0}\n{7}, }\n"
         "  0: END\n"}}},
   {"a predicate",
    "x\nVERT\n  0: END\n  1: (!PRED[0].x) MOV OUT[0], IN[0]\n",
    {{2, "VERT\n  0: END\n  1: (!PRED[0].x) MOV OUT[0], IN[0]\n"}}},
   {"a prefix",
    "mesa: VERT\nmesa: DCL IN[0]\nmesa: \nmesa: DCL OUT[0], POSITION\n"
    "mesa:   0: MOV OUT[0], IN[0]\nmesa:   1: END\nmesa: VERT\nmesa:   0: "
    "END\n",
    {{1, BARE}, {7, "VERT\n  0: END\n"}}},
   {"a prefix with numbers",
    "[    9.998000] drm 12: VERT\n[   10.002001] drm 9: DCL IN[0]\n"
    "[  110.0] drm 2: DCL OUT[0], POSITION\n"
    "[10.01] drm 1000:   0: MOV OUT[0], IN[0]\n"
    "[   10.1] drm: not the same\n[   10.2] drm 3:   1: END\n",
    {{1, BARE}}},
   {"numbers of lines",
    "     9\tVERT\n    10\tDCL IN[0]\n    11\tDCL OUT[0], POSITION\n"
    "    12\t  0: MOV OUT[0], IN[0]\n    13\t  1: END\n",
    {{1, BARE}}},
   {"numbers of lines, as grep has them",
    "9:VERT\n10:DCL IN[0]\n11:DCL OUT[0], POSITION\n"
    "12:  0: MOV OUT[0], IN[0]\n13:  1: END\n",
    {{1, BARE}}},
   {"before the stage alone",
    "vertex shader: VERT\n\nDCL IN[0]\nDCL OUT[0], POSITION\n" MAIN,
    {{1, BARE}}},
   {"a word that ends as a stage does",
    "MY_VERT\nGL.VERTEX\n" BARE,
    {{3, BARE}}},
   {"a word that ends as a stage does, before statements",
    "myVERT\n  0: NOP\n  1: END\n",
    {{0}}},
   {"indented",
    "  VERT\n    DCL IN[0]\n    0: END\n",
    {{1, "VERT\n    DCL IN[0]\n    0: END\n"}},
    .is_pure = true},
};

static void
check_example(const struct example *example)
{
   struct tg_log *log = NULL;
   uint32_t count = 0;

   assert_int_equal(tg_log_read(NULL, "log", example->text,
                                strlen(example->text), NULL, &log),
                    TG_OK);
   for (; count < tg_log_num_shaders(log); count++) {
      char *text = tg_log_text(log, count);

      assert_true(count < MAX_SHADERS && example->shaders[count].text);
      assert_string_equal(text, example->shaders[count].text);
      assert_int_equal(tg_log_line(log, count), example->shaders[count].line);
      tg_string_free(text);
   }
   assert_true(count == MAX_SHADERS || !example->shaders[count].text);
   assert_int_equal(tg_log_has_others(log), !example->is_pure);
   tg_log_destroy(log);
}

static void
test_examples(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
      print_message("   %s\n", examples[i].name);
      check_example(&examples[i]);
   }
}

static void
test_stages(void **state)
{
   static const char *const stages[] = {
      "VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP",
   };
   static const char text[] =
      "VERT\nFRAG\nGEOM\nTESS_CTRL\nTESS_EVAL\nCOMP\nTASK\n";
   struct tg_log *log = NULL;

   (void)state;
   assert_int_equal(tg_log_read(NULL, "log", text, strlen(text), NULL, &log),
                    TG_OK);
   assert_int_equal(tg_log_num_shaders(log), 6);
   for (uint32_t i = 0; i < 6; i++)
      assert_string_equal(tg_log_processor_name(log, i), stages[i]);
   tg_log_destroy(log);
}

/* ---- diagnostics --------------------------------------------------------- */

/* What reading a log and parsing all shaders in it complains of. */
static char *
complaints(const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_log *log = NULL;

   assert_int_equal(
      tg_log_read(NULL, "log", text, strlen(text), diagnostics, &log), TG_OK);
   for (uint32_t i = 0; i < tg_log_num_shaders(log); i++) {
      struct tg_shader *shader = NULL;

      if (tg_log_parse(log, i, TG_DIALECT_2019, diagnostics, &shader) == TG_OK)
         tg_shader_validate(shader, diagnostics);
      tg_shader_destroy(shader);
   }
   tg_log_destroy(log);

   char *said = tg_diagnostics_text(diagnostics);
   tg_diagnostics_destroy(diagnostics);
   return said;
}

static void
test_places(void **state)
{
   char *said = complaints("start\n"
                           "vs 1: VERT\n"
                           "vs 2: DCL OUT[0], POSITION\n"
                           "\n"
                           "vs 12:   0: MVO OUT[0], IN[0]\n"
                           "vs 13:   1: END\n"
                           "GEOM\n"
                           "  0: END\n"
                           "FRAG\n"
                           "DCL OUT[0], COLOR\n"
                           "  0: MOV OUT[0], TEMP[0]\n"
                           "  1: END\n");

   (void)state;
   assert_non_null(strstr(said,
                          "log:5:13: error: unknown opcode 'MVO'\n"
                          "         0: MVO OUT[0], IN[0]\n            ^\n"));
   assert_non_null(strstr(said, "log:11:6: error: TEMP[0] is not declared\n"));
   assert_non_null(strstr(said, "log:7:1: error: GEOM without GS_INPUT_PRIM"));
   tg_string_free(said);
}

static void
test_other_lines(void **state)
{
   char *said = complaints("FRAG\n"
                           "one\n"
                           "two\n"
                           "\n"
                           "three\n"
                           "DCL OUT[0], COLOR\n"
                           "four\n"
                           "  0: END\n"
                           "five\n"
                           "FRAG\n"
                           "  0: END\n");
   const char *first = strstr(said, "log:2:1: warning: this line within a "
                                    "shader is no part of it and is passed "
                                    "over\none\n^\n");
   const char *second = strstr(said, "log:7:1: warning: this line within");

   (void)state;
   assert_true(first && second);
   assert_null(strstr(first + 1, "log:3:"));
   assert_null(strstr(said, "log:5:"));
   assert_null(strstr(said, "log:9:"));
   tg_string_free(said);
}

static void
test_orphans(void **state)
{
   char *said = complaints("VERT\n"
                           "  0: END\n"
                           "FRGA\n"
                           "DCL IN[0], COLOR\n"
                           "DCL OUT[0], COLOR\n"
                           "  0: END\n"
                           "VERT\n"
                           "  0: END\n");
   const char *first = strstr(said, "log:4:1: warning: this declaration "
                                    "belongs to no shader and is passed over\n"
                                    "DCL IN[0], COLOR\n^\n"
                                    "note: a shader begins with its stage, as "
                                    "FRAG, on a line of its own\n");

   (void)state;
   assert_non_null(first);
   assert_null(strstr(said, "log:5:"));
   tg_string_free(said);
}

/* A prefix has at most 256 bytes. Before a stage there may be more, which is
 * then before the stage alone. */
static void
test_long_prefix(void **state)
{
   enum { MOST = 256 };
   char before[MOST + 2], text[4 * MOST];

   (void)state;
   for (size_t length = MOST; length <= MOST + 1; length++) {
      struct tg_log *log = NULL;

      memset(before, ':', length);
      before[length] = '\0';
      snprintf(text, sizeof(text), "%sVERT\n%s  0: END\n", before, before);
      assert_int_equal(tg_log_read(NULL, "log", text, strlen(text), NULL, &log),
                       TG_OK);
      assert_int_equal(tg_log_num_shaders(log), length == MOST);
      tg_log_destroy(log);
   }
   snprintf(text, sizeof(text), "%sVERT\n  0: END\n", before);
   check_example(&(struct example){
      .text = text,
      .shaders = {{1, "VERT\n  0: END\n"}},
   });
}

/* A shader of more bytes than a shader may have is refused, wherever it is. */
static void
test_long_shader(void **state)
{
   enum { MOST = 64 << 20 };
   static const char start[] = "log\nVERT\n", end[] = "\n0: END\n";
   const size_t length = MOST + sizeof(start) + sizeof(end);
   char *text = malloc(length + 1);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   struct tg_log *log = NULL;

   (void)state;
   memset(text, ' ', length);
   memcpy(text, start, sizeof(start) - 1);
   memcpy(text + length - sizeof(end) + 1, end, sizeof(end));
   assert_int_equal(tg_log_read(NULL, "log", text, length, NULL, &log), TG_OK);
   assert_int_equal(tg_log_parse(log, 0, TG_DIALECT_2019, diagnostics, &shader),
                    TG_ERROR_INPUT);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->code, "too-long");
   tg_log_destroy(log);
   tg_diagnostics_destroy(diagnostics);
   free(text);
}

/* What has no shader at all is for the parser to complain of. */
static void
test_no_shader(void **state)
{
   char *said = complaints("DCL IN[0], COLOR\n  0: END\n");

   (void)state;
   assert_string_equal(said, "");
   tg_string_free(said);
}

/* A text that begins with a shader and has no other is no log: nothing is
 * passed over. */
static void
test_one_shader(void **state)
{
   char *said = complaints("FRAG\nDCL OUT[0], COLOR\n  0: END\nhello\n");

   (void)state;
   assert_non_null(strstr(said, "log:4:1: error: unknown opcode 'hello'\n"));
   tg_string_free(said);
   said = complaints("hello\nFRAG\nDCL OUT[0], COLOR\n  0: END\nhello\n");
   assert_null(strstr(said, "error"));
   tg_string_free(said);
}

/* ---- limits -------------------------------------------------------------- */

static void
test_too_many(void **state)
{
   enum { LENGTH = 5, COUNT = TG_LOG_MAX_SHADERS + 1 };
   char *text = malloc((size_t)COUNT * LENGTH);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_log *log = NULL;

   (void)state;
   for (size_t i = 0; i < COUNT; i++)
      memcpy(text + i * LENGTH, "VERT\n", LENGTH);
   assert_int_equal(
      tg_log_read(NULL, "log", text, (size_t)COUNT * LENGTH, diagnostics, &log),
      TG_ERROR_INPUT);
   assert_null(log);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message,
                       "a log has at most 65536 shaders");
   assert_int_equal(tg_log_read(NULL, "log", text,
                                (size_t)TG_LOG_MAX_SHADERS * LENGTH,
                                diagnostics, &log),
                    TG_OK);
   assert_int_equal(tg_log_num_shaders(log), TG_LOG_MAX_SHADERS);
   tg_log_destroy(log);
   tg_diagnostics_destroy(diagnostics);
   free(text);
}

/* One byte more than there may be, of which none is looked at. */
static void
test_too_long(void **state)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_log *log = NULL;

   (void)state;
   assert_int_equal(
      tg_log_read(NULL, "log", "", ((size_t)1 << 30) + 1, diagnostics, &log),
      TG_ERROR_INPUT);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message,
                       "a log has at most 1073741824 bytes, not 1073741825");
   tg_diagnostics_destroy(diagnostics);
}

/* The text is in a block of its exact size, so that a sanitizer sees a byte too
 * many that is read. */
static enum tg_result
read_all(const struct tg_allocator *allocator)
{
   static const char text[] = "x\nlog: VERT\nlog:   0: END\nx\nx: FRAG";
   const size_t length = sizeof(text) - 1;
   char *copy = memcpy(malloc(length), text, length);
   struct tg_log *log = NULL;
   struct tg_shader *shader = NULL;
   char *own_text = NULL;
   enum tg_result result =
      tg_log_read(allocator, "log", copy, length, NULL, &log);

   if (result == TG_OK)
      result = tg_log_parse(log, 0, TG_DIALECT_2019, NULL, &shader);
   if (result == TG_OK) {
      own_text = tg_log_text(log, 0);
      result = own_text ? TG_OK : TG_ERROR_MEMORY;
   }
   tg_string_free(own_text);
   tg_shader_destroy(shader);
   tg_log_destroy(log);
   free(copy);
   return result;
}

static void
test_memory(void **state)
{
   (void)state;
   sweep(read_all);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_examples),    cmocka_unit_test(test_stages),
      cmocka_unit_test(test_places),      cmocka_unit_test(test_other_lines),
      cmocka_unit_test(test_orphans),     cmocka_unit_test(test_no_shader),
      cmocka_unit_test(test_long_prefix), cmocka_unit_test(test_long_shader),
      cmocka_unit_test(test_one_shader),  cmocka_unit_test(test_too_many),
      cmocka_unit_test(test_too_long),    cmocka_unit_test(test_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
