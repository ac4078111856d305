/* SPDX-License-Identifier: MIT
 *
 * Checks when memory runs out, and what they take of it at most.
 */
#include "sweep.h"

#include <string.h>

#include "tungsten/run.h"

static const char text[] = "VERT\n"
                           "DCL IN[0]\n"
                           "DCL OUT[0], POSITION\n"
                           "DCL TEMP[0..7], ARRAY(1)\n"
                           "DCL ADDR[0]\n"
                           "  0: UARL ADDR[0].x, IN[0].xxxx\n"
                           "  1: MOV OUT[0], TEMP[ADDR[0].x](1)\n"
                           "  2: ADD TEMP[0], TEMP[1], IN[0]\n"
                           "  3: MOV OUT[0].x, TEMP[0].xxxx\n"
                           "  4: IF TEMP[0].yyyy\n"
                           "  5: ENDIF\n"
                           "  6: END\n";

static enum tg_result
run_text(const struct tg_allocator *allocator, const char *shader_text,
         struct tg_diagnostics *diagnostics, uint32_t *num_findings)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_shader *shader = NULL;
   struct tg_program *program = NULL;
   struct tg_run *run = NULL;

   options.check = true;
   enum tg_result result =
      tg_shader_parse(allocator, "test", shader_text, strlen(shader_text),
                      TG_DIALECT_2019, diagnostics, &shader);
   if (result == TG_OK)
      result =
         tg_program_create(allocator, shader, &options, diagnostics, &program);
   if (result == TG_OK)
      result = tg_run_create(program, TG_MAX_LANES, &run);
   if (result == TG_OK)
      result = tg_run_execute(run, diagnostics);
   if (result == TG_OK)
      *num_findings = tg_run_num_findings(run);
   tg_run_destroy(run);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

/* OUT[0].x of line 9, OUT[0].yzw of line 7 and the branch of line 10. That the
 * complaints themselves are lost changes nothing. */
static enum tg_result
run_once(const struct tg_allocator *allocator)
{
   uint32_t num_findings = 0;
   enum tg_result result = run_text(allocator, text, NULL, &num_findings);

   if (result == TG_OK)
      assert_int_equal(num_findings, 3);
   return result;
}

static void
test_sweep(void **state)
{
   (void)state;
   sweep(run_once);
}

/* Two blocks of two waves race for each word of a buffer of which the half was
 * never written. */
static const char compute[] = "COMP\n"
                              "PROPERTY CS_FIXED_BLOCK_WIDTH 32\n"
                              "DCL SV[0], THREAD_ID\n"
                              "DCL BUFFER[0]\n"
                              "DCL TEMP[0..1]\n"
                              "IMM[0] UINT32 {2, 1, 0, 0}\n"
                              "  0: SHL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                              "  1: LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
                              "  2: UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
                              "  3: BARRIER\n"
                              "  4: STORE BUFFER[0].x, TEMP[0].xxxx, "
                              "TEMP[1].xxxx\n"
                              "  5: END\n";

static enum tg_result
make_buffer(const struct tg_allocator *allocator,
            struct tg_bindings **bindings_out, struct tg_resource **buffer_out)
{
   static const uint32_t words[16] = {1, 2, 3};
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = 2 * sizeof(words),
   };
   const struct tg_box box = {.width = sizeof(words), .height = 1, .depth = 1};
   enum tg_result result =
      tg_resource_create(allocator, &desc, NULL, buffer_out);

   if (result == TG_OK)
      result = tg_resource_set_undefined(*buffer_out);
   if (result == TG_OK)
      result = tg_resource_write(*buffer_out, 0, 0, &box, words, 0, 0);
   if (result == TG_OK)
      result = tg_bindings_create(allocator, bindings_out);
   if (result == TG_OK)
      result = tg_bindings_set_buffer(*bindings_out, TG_BUFFER_SHADER, 0,
                                      *buffer_out, 0, desc.width, NULL);
   return result;
}

/* The load of word 16, and a race for the load and for the store of word 0 by
 * block 1. What block 0 stored is defined. */
static void
expect_findings(const struct tg_diagnostics *diagnostics)
{
   static const char *const codes[] = {"undefined-memory", "data-race",
                                       "data-race"};

   assert_int_equal(tg_diagnostics_num_errors(diagnostics), 3);
   for (size_t i = 0; i < 3; i++)
      assert_string_equal(tg_diagnostics_get(diagnostics, i)->code, codes[i]);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message,
                       "thread (16, 0, 0) of block (0, 0, 0) reads byte 64 of "
                       "BUFFER[0], which was never written");
}

static enum tg_result
dispatch_once(const struct tg_allocator *allocator)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_shader *shader = NULL;
   struct tg_program *program = NULL;
   struct tg_bindings *bindings = NULL;
   struct tg_resource *buffer = NULL;
   enum tg_result result = make_buffer(allocator, &bindings, &buffer);

   options.check = true;
   grid.grid[0] = 2;
   if (result == TG_OK)
      result = tg_shader_parse(allocator, "test", compute, strlen(compute),
                               TG_DIALECT_2019, diagnostics, &shader);
   if (result == TG_OK)
      result =
         tg_program_create(allocator, shader, &options, diagnostics, &program);
   if (result == TG_OK)
      result = tg_dispatch(program, bindings, &grid, diagnostics);
   if (result == TG_OK)
      expect_findings(diagnostics);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
   tg_diagnostics_destroy(diagnostics);
   return result;
}

static void
test_sweep_of_dispatch(void **state)
{
   (void)state;
   sweep(dispatch_once);
}

/* As many registers as there may be, in memory, by index. */
static void
test_many_registers(void **state)
{
   static const char many[] = "VERT\n"
                              "DCL IN[0]\n"
                              "DCL OUT[0..127], GENERIC\n"
                              "DCL TEMP[0..4095]\n"
                              "DCL ADDR[0..4095]\n"
                              "  0: UARL ADDR[4095].x, IN[0].xxxx\n"
                              "  1: MOV OUT[127], TEMP[ADDR[4095].x+4095]\n"
                              "  2: END\n";
   struct counter counter = {0};
   const struct tg_allocator allocator = {count, &counter};
   uint32_t num_findings = 0;

   (void)state;
   assert_int_equal(run_text(&allocator, many, NULL, &num_findings), TG_OK);
   assert_int_equal(num_findings, 1);
   assert_int_equal(counter.in_use, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sweep),
      cmocka_unit_test(test_sweep_of_dispatch),
      cmocka_unit_test(test_many_registers),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
