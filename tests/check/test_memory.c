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
      cmocka_unit_test(test_many_registers),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
