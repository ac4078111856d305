/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out: everything that takes an allocator is run with the
 * first allocation failing, the second, ... until none does. Each time it says
 * so, makes nothing, and gives all memory back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../sweep.h"
#include "tungsten/run.h"

/* Something of everything: flow, calls, arrays, 64 bits, many instructions. */
static const char text[] =
   "VERT\n"
   "DCL IN[0]\n"
   "DCL OUT[0], GENERIC[0]\n"
   "DCL CONST[0][0..3]\n"
   "DCL TEMP[0..7], ARRAY(1), LOCAL\n"
   "DCL TEMP[8..9]\n"
   "DCL ADDR[0]\n"
   "IMM[0] FLT32 {    1.0000,     2.0000,     3.0000,     4.0000}\n"
   "IMM[1] INT32 {0, 1, 2, 3}\n"
   "  0: MOV TEMP[8], IN[0]\n"
   "  1: BGNLOOP\n"
   "  2:   ISGE TEMP[9].x, TEMP[8].xxxx, IMM[1].wwww\n"
   "  3:   UIF TEMP[9].xxxx\n"
   "  4:     BRK\n"
   "  5:   ENDIF\n"
   "  6:   UADD TEMP[8].x, TEMP[8].xxxx, IMM[1].yyyy\n"
   "  7:   CAL :18\n"
   "  8: ENDLOOP\n"
   "  9: SWITCH TEMP[8].xxxx\n"
   " 10: CASE IMM[1].wwww\n"
   " 11: POW TEMP[9].y, IMM[0].xxxx, IMM[0].yyyy\n"
   " 12: BRK\n"
   " 13: DEFAULT\n"
   " 14: DADD TEMP[9], TEMP[9], CONST[0][1]\n"
   " 15: ENDSWITCH\n"
   " 16: ADD OUT[0], TEMP[ADDR[0].x+1](1), TEMP[9]\n"
   " 17: END\n"
   " 18: BGNSUB\n"
   " 19:   UARL ADDR[0].x, TEMP[8].xxxx\n"
   " 20:   SIN TEMP[ADDR[0].x](1), IMM[0].zzzz\n"
   " 21: ENDSUB\n";

/* Files that have no tokens. */
static const char array_text[] =
   "VERT\n"
   "DCL IN[0]\n"
   "DCL OUT[0], GENERIC[0]\n"
   "DCL IMMX[0..2] {{1, 2, 3, 4}, {5, 6, 7, 8}, {9}}\n"
   "DCL TEMPX[0][0..1]\n"
   "DCL TEMPX[1][0..1]\n"
   "DCL ADDR[0]\n"
   "  0: UARL ADDR[0].x, IN[0].xxxx\n"
   "  1: MOV TEMPX[1][ADDR[0].x], IMMX[ADDR[0].x]\n"
   "  2: ADD OUT[0], TEMPX[1][0], TEMPX[0][1]\n"
   "  3: END\n";

static enum tg_result
parse_text(const struct tg_allocator *allocator, const char *of,
           struct tg_shader **shader_out)
{
   return tg_shader_parse(allocator, "text", of, strlen(of), TG_DIALECT_2019,
                          NULL, shader_out);
}

static enum tg_result
parse(const struct tg_allocator *allocator, struct tg_shader **shader_out)
{
   return parse_text(allocator, text, shader_out);
}

static enum tg_result
parse_it(const struct tg_allocator *allocator)
{
   struct tg_shader *shader = NULL;
   enum tg_result result = parse(allocator, &shader);

   assert_int_equal(result == TG_OK, shader != NULL);
   tg_shader_destroy(shader);
   return result;
}

static enum tg_result
decode_it(const struct tg_allocator *allocator)
{
   struct tg_shader *shader = NULL, *decoded = NULL;
   uint32_t *words;
   size_t num_words;

   assert_int_equal(parse(NULL, &shader), TG_OK);
   assert_int_equal(
      tg_shader_encode(shader, TG_TOKENS_MESA_20_0, NULL, &words, &num_words),
      TG_OK);
   enum tg_result result =
      tg_shader_decode(allocator, "words", words, num_words,
                       TG_TOKENS_MESA_20_0, TG_DIALECT_2019, NULL, &decoded);
   assert_int_equal(result == TG_OK, decoded != NULL);
   tg_shader_destroy(decoded);
   tg_tokens_free(words);
   tg_shader_destroy(shader);
   return result;
}

/* Diagnostics that cannot be kept are lost; their count is not. */
static enum tg_result
complain(const struct tg_allocator *allocator)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(allocator);
   struct tg_shader *shader = NULL;

   if (!diagnostics)
      return TG_ERROR_MEMORY;
   assert_int_equal(tg_shader_parse(NULL, "t", "FRAG\nMOW\nEND\n", 13,
                                    TG_DIALECT_2019, diagnostics, &shader),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_num_errors(diagnostics), 1);
   bool is_kept = tg_diagnostics_count(diagnostics) == 1;
   tg_diagnostics_destroy(diagnostics);
   return is_kept ? TG_OK : TG_ERROR_MEMORY;
}

static enum tg_result
parse_arrays(const struct tg_allocator *allocator)
{
   struct tg_shader *shader = NULL;
   enum tg_result result = parse_text(allocator, array_text, &shader);

   assert_int_equal(result == TG_OK, shader != NULL);
   tg_shader_destroy(shader);
   return result;
}

static enum tg_result
run_text(const struct tg_allocator *allocator, const char *of)
{
   struct tg_shader *shader = NULL;
   struct tg_program *program = NULL;
   struct tg_run *run = NULL;

   assert_int_equal(parse_text(NULL, of, &shader), TG_OK);
   enum tg_result result =
      tg_program_create(allocator, shader, NULL, NULL, &program);
   assert_int_equal(result == TG_OK, program != NULL);
   if (result == TG_OK)
      result = tg_run_create(program, 4, &run);
   if (result == TG_OK)
      result = tg_run_execute(run, NULL);
   tg_run_destroy(run);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

static enum tg_result
run_it(const struct tg_allocator *allocator)
{
   return run_text(allocator, text);
}

static enum tg_result
run_arrays(const struct tg_allocator *allocator)
{
   return run_text(allocator, array_text);
}

/* A texture and a buffer that a shader sees: code of its own for them. */
static const char seeing_text[] = "FRAG\n"
                                  "DCL IN[0], GENERIC[0], LINEAR\n"
                                  "DCL OUT[0], COLOR\n"
                                  "DCL CONST[0][0]\n"
                                  "DCL SAMP[0]\n"
                                  "  0: TEX OUT[0], IN[0], SAMP[0], 2D\n"
                                  "  1: MOV OUT[0].x, CONST[0][0].xxxx\n"
                                  "  2: END\n";

struct seen {
   struct tg_resource *texture, *buffer;
   struct tg_bindings *bindings;
   struct tg_view *view;
   struct tg_sampler *sampler;
};

static enum tg_result
make_seen(const struct tg_allocator *allocator, struct seen *seen)
{
   const struct tg_resource_desc texture = {
      .size = sizeof(texture),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number("R8G8B8A8_UNORM"),
      .width = 4,
      .height = 4,
      .last_level = 2,
   };
   const struct tg_resource_desc buffer = {.size = sizeof(buffer), .width = 16};
   enum tg_result result =
      tg_resource_create(allocator, &texture, NULL, &seen->texture);

   if (result == TG_OK)
      result = tg_resource_create(allocator, &buffer, NULL, &seen->buffer);
   if (result == TG_OK)
      result = tg_bindings_create(allocator, &seen->bindings);
   if (result != TG_OK)
      return result;
   const struct tg_view_desc all = tg_view_desc_of(seen->texture);
   result = tg_view_create(allocator, &all, NULL, &seen->view);
   if (result == TG_OK)
      result = tg_sampler_create(allocator, NULL, NULL, &seen->sampler);
   if (result == TG_OK)
      result = tg_bindings_set_view(seen->bindings, 0, seen->view, NULL);
   if (result == TG_OK)
      result = tg_bindings_set_sampler(seen->bindings, 0, seen->sampler, NULL);
   if (result == TG_OK)
      result = tg_bindings_set_buffer(seen->bindings, TG_BUFFER_CONSTANT, 0,
                                      seen->buffer, 0, 16, NULL);
   return result;
}

static enum tg_result
run_seeing(const struct tg_allocator *allocator, const struct tg_shader *shader,
           struct tg_bindings *bindings)
{
   struct tg_program *program = NULL;
   struct tg_run *run = NULL;
   enum tg_result result =
      tg_program_create(allocator, shader, NULL, NULL, &program);

   if (result == TG_OK)
      result = tg_run_create(program, 16, &run);
   if (result == TG_OK) {
      tg_run_set_bindings(run, bindings);
      result = tg_run_execute(run, NULL);
   }
   tg_run_destroy(run);
   tg_program_destroy(program);
   return result;
}

static enum tg_result
see_it(const struct tg_allocator *allocator)
{
   struct tg_shader *shader = NULL;
   struct seen seen = {0};

   assert_int_equal(tg_shader_parse(NULL, "text", seeing_text,
                                    sizeof(seeing_text) - 1, TG_DIALECT_2019,
                                    NULL, &shader),
                    TG_OK);
   enum tg_result result = make_seen(allocator, &seen);
   if (result == TG_OK)
      result = run_seeing(allocator, shader, seen.bindings);
   tg_sampler_destroy(seen.sampler);
   tg_view_destroy(seen.view);
   tg_bindings_destroy(seen.bindings);
   tg_resource_destroy(seen.buffer);
   tg_resource_destroy(seen.texture);
   tg_shader_destroy(shader);
   return result;
}

static void
test_parse(void **state)
{
   (void)state;
   sweep(parse_it);
   sweep(parse_arrays);
}

static void
test_decode(void **state)
{
   (void)state;
   sweep(decode_it);
}

static void
test_diagnostics(void **state)
{
   (void)state;
   sweep(complain);
}

static void
test_run(void **state)
{
   (void)state;
   sweep(run_it);
   sweep(run_arrays);
}

static void
test_bindings(void **state)
{
   (void)state;
   sweep(see_it);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parse),       cmocka_unit_test(test_decode),
      cmocka_unit_test(test_diagnostics), cmocka_unit_test(test_run),
      cmocka_unit_test(test_bindings),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
