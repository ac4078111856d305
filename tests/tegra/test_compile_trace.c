/* SPDX-License-Identifier: MIT
 *
 * What the compiler tells of its stages.
 */
#include "sweep.h"

#include <stdio.h>
#include <string.h>

#include "tungsten/tegra.h"

/* All steps of a compilation, one text. */
struct told {
   char text[8192];
   size_t length;
   unsigned num_steps;
};

static void
tell(void *user, const struct tg_tegra_compile_step *step)
{
   struct told *told = user;

   told->num_steps++;
   int length =
      snprintf(told->text + told->length, sizeof(told->text) - told->length,
               "%s %u: %u %u\n%s", step->stage, step->round,
               step->num_operations, step->num_instructions, step->listing);
   if ((size_t)length < sizeof(told->text) - told->length)
      told->length += (size_t)length;
}

static struct tg_shader *
parse(const struct tg_allocator *allocator, const char *body)
{
   struct tg_shader *shader = NULL;
   char text[32768];

   snprintf(text, sizeof(text),
            "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL CONST[0]\n"
            "DCL TEMP[0..7]\nIMM[0] FLT32 {0.5, -0.0, inf, 1.5e-45}\n%sEND\n",
            body);
   tg_shader_parse(allocator, "test", text, strlen(text), TG_DIALECT_2011, NULL,
                   &shader);
   return shader;
}

static enum tg_result
compile(const char *body, struct tg_tegra_compile_options options,
        struct told *told)
{
   struct tg_tegra_program *program = NULL;
   struct tg_shader *shader = parse(NULL, body);

   *told = (struct told){.length = 0};
   options.trace = tell;
   options.user = told;
   assert_non_null(shader);
   enum tg_result result =
      tg_tegra_compile(NULL, shader, &options, NULL, &program);
   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

static const struct tg_tegra_compile_options defaults =
   TG_TEGRA_COMPILE_OPTIONS_INIT;

/* ---- what is told -------------------------------------------------------- */

static void
passes_that_change_something_are_told(void **state)
{
   struct told told;

   (void)state;
   assert_int_equal(compile("MUL TEMP[0], IN[0], CONST[0]\n"
                            "ADD OUT[0], TEMP[0], CONST[0].wwww\n",
                            defaults, &told),
                    TG_OK);
   assert_string_equal(told.text,
                       "select 0: 2 2\n"
                       "block 0, the end\n"
                       "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
                       "   ADDv export0.xyzw, t0.xyzw, c0.wwww\n"
                       "fuse 1: 2 2\n"
                       "block 0, the end\n"
                       "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
                       "   MADv export0.xyzw, a0.xyzw, c0.xyzw, c0.wwww\n"
                       "dead 1: 1 1\n"
                       "block 0, the end\n"
                       "   MADv export0.xyzw, a0.xyzw, c0.xyzw, c0.wwww\n");
}

/* Two operations of different units become one instruction: both words that
 * there can be, as the last operation reads what the others write. */
static void
operations_become_instructions(void **state)
{
   static const char scheduled[] = "schedule 0: 3 2\n"
                                   "block 0, the end\n"
                                   "   MULv t1.xyzw, a0.xyzw, c0.xyzw\n"
                                   " & RCPs t0.x***, a0.wwww\n"
                                   "   MULv export0.xyzw, t1.xyzw, t0.xxxx\n";
   struct told told;

   (void)state;
   assert_int_equal(compile("RCP TEMP[3].x, IN[0].wwww\n"
                            "MUL TEMP[1], IN[0], CONST[0]\n"
                            "MUL OUT[0], TEMP[1], TEMP[3].xxxx\n",
                            defaults, &told),
                    TG_OK);
   assert_memory_equal(told.text, "select 0: 3 3\n", 14);
   assert_non_null(strstr(told.text, scheduled));
}

/* Literals are numbers that can be read, until they are constants; of what is
 * no number the word is. */
static void
literals_are_floats(void **state)
{
   struct tg_tegra_compile_options options = defaults;
   struct told told;

   (void)state;
   options.optimize = 0;
   assert_int_equal(compile("MUL OUT[0], -IN[0], |IMM[0]|\n", options, &told),
                    TG_OK);
   assert_string_equal(told.text,
                       "select 0: 1 1\n"
                       "block 0, the end\n"
                       "   MULv export0.xyzw, -a0.xyzw, abs({0.5 -0 0x7f800000 "
                       "1.40129846e-45})\n"
                       "ports 0: 1 1\n"
                       "block 0, the end\n"
                       "   MULv export0.xyzw, -a0.xyzw, abs(c1.xyzw)\n");
}

/* ---- what fails ---------------------------------------------------------- */

static void
stages_before_a_failure_are_told(void **state)
{
   struct tg_tegra_compile_options options = defaults;
   char body[32 * 512] = "";
   struct told told;

   (void)state;
   options.optimize = 0;
   for (unsigned i = 0; i < 2 * TG_TEGRA_MAX_INSTRUCTIONS + 1; i++)
      strcat(body, "MOV OUT[0], IN[0]\n");
   assert_int_equal(compile(body, options, &told), TG_ERROR_LIMIT);
   assert_int_equal(told.num_steps, 1);
   assert_memory_equal(told.text, "select 0: 513 513\n", 18);

   assert_int_equal(compile("UADD OUT[0], IN[0], IN[1]\n", defaults, &told),
                    TG_ERROR_UNSUPPORTED);
   assert_int_equal(told.num_steps, 0);
}

static enum tg_result
compile_with_trace(const struct tg_allocator *allocator)
{
   struct tg_tegra_compile_options options = defaults;
   struct tg_shader *shader = parse(allocator, "MUL TEMP[0], IN[0], CONST[0]\n"
                                               "ADD OUT[0], TEMP[0], IN[1]\n");
   struct tg_tegra_program *program = NULL;
   struct told told = {.length = 0};

   options.trace = tell;
   options.user = &told;
   enum tg_result result =
      shader ? tg_tegra_compile(allocator, shader, &options, NULL, &program)
             : TG_ERROR_MEMORY;
   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(compile_with_trace);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_that_change_something_are_told),
      cmocka_unit_test(operations_become_instructions),
      cmocka_unit_test(literals_are_floats),
      cmocka_unit_test(stages_before_a_failure_are_told),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
