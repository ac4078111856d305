/* SPDX-License-Identifier: MIT
 *
 * Angles that the compiler brings within [-pi, pi]: sine and cosine are those
 * of the angle as it was, and what SIN and COS are asked for, which the trace
 * tells, is within.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tegra/isa/isa.h"
#include "tungsten/tegra.h"

enum { NUM_ANGLES = 2001 };

/* ---- a program ----------------------------------------------------------- */

static struct tg_tegra_program *
compile(const char *text, bool reduce_angles)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_tegra_program *program = NULL;
   struct tg_shader *shader = NULL;

   options.reduce_angles = reduce_angles;
   assert_int_equal(tg_shader_parse(NULL, "angles", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &shader),
                    TG_OK);
   assert_int_equal(tg_tegra_compile(NULL, shader, &options, NULL, &program),
                    TG_OK);
   tg_shader_destroy(shader);
   return program;
}

/* ---- what the units are asked for ---------------------------------------- */

/* Follows one vertex. */
struct watch {
   const struct tg_tegra_program *program;
   float temporaries[TG_TEGRA_NUM_TEMPORARIES][4];
   unsigned num_seen;
   float greatest; /* argument of SIN and COS, without its sign */
};

static void
look_at_argument(struct watch *watch, uint32_t number)
{
   union tegra_instruction instruction = tegra_isa_decode(
      tg_tegra_words(watch->program) + (size_t)number * TG_TEGRA_WORDS);
   struct tegra_operand operand = tegra_isa_get_source(&instruction, TEGRA_RC);

   if (instruction.s_op != TEGRA_SCALAR_SIN &&
       instruction.s_op != TEGRA_SCALAR_COS)
      return;
   assert_int_equal(operand.file, TEGRA_TEMPORARY);
   float argument =
      watch->temporaries[operand.index][tegra_swizzle_get(operand.swizzle, 0)];
   watch->greatest = fmaxf(watch->greatest, fabsf(argument));
   watch->num_seen++;
}

static void
follow(void *user, const struct tg_tegra_change *change)
{
   struct watch *watch = user;

   if (change->kind == TG_TEGRA_CHANGE_STEP)
      look_at_argument(watch, change->instruction);
   if (change->kind != TG_TEGRA_CHANGE_TEMPORARY)
      return;
   for (unsigned i = 0; i < 4; i++) {
      if (change->mask >> i & 1)
         memcpy(&watch->temporaries[change->index][i], &change->words[i],
                sizeof(float));
   }
}

/* ---- tests --------------------------------------------------------------- */

static const char sine_and_cosine[] = "VERT\n"
                                      "DCL IN[0]\n"
                                      "DCL OUT[0], POSITION\n"
                                      "0: SIN OUT[0].x, IN[0].xxxx\n"
                                      "1: COS OUT[0].y, IN[0].xxxx\n"
                                      "2: END\n";

/* Angles of a hundred turns, in steps that meet no multiple of pi. The product
 * with 1 / 2 pi has a rounding of 2^-18 turns there, 2.4e-5 in radians. */
static void
reduced_angles_have_the_same_sine(void **state)
{
   struct tg_tegra_program *program = compile(sine_and_cosine, true);

   (void)state;
   for (int i = 0; i < NUM_ANGLES; i++) {
      float attributes[TG_TEGRA_NUM_ATTRIBUTES][4] = {
         {(float)(i - NUM_ANGLES / 2) * 0.628f}};
      uint32_t attribute_words[TG_TEGRA_NUM_ATTRIBUTES][4];
      uint32_t exports[TG_TEGRA_NUM_EXPORTS][4];
      struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;
      struct watch watch = {.program = program};
      float results[2];

      memcpy(attribute_words, attributes, sizeof(attribute_words));
      batch.num_vertices = 1;
      batch.attributes = attribute_words[0];
      batch.exports = exports[0];
      batch.trace = follow;
      batch.user = &watch;
      assert_int_equal(tg_tegra_run(program, &batch, NULL), TG_OK);
      memcpy(results, exports[0], sizeof(results));
      assert_true(fabs(results[0] - sin(attributes[0][0])) < 5e-5);
      assert_true(fabs(results[1] - cos(attributes[0][0])) < 5e-5);
      assert_int_equal(watch.num_seen, 2);
      assert_true(watch.greatest <= 0x1.921fb6p1f); /* pi */
   }
   tg_tegra_program_destroy(program);
}

static void
angles_are_left_alone_without_the_option(void **state)
{
   struct tg_tegra_program *plain = compile(sine_and_cosine, false);
   struct tg_tegra_program *reduced = compile(sine_and_cosine, true);

   (void)state;
   assert_int_equal(tg_tegra_num_instructions(plain), 2);
   assert_true(tg_tegra_num_instructions(reduced) > 2);
   tg_tegra_program_destroy(plain);
   tg_tegra_program_destroy(reduced);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(reduced_angles_have_the_same_sine),
      cmocka_unit_test(angles_are_left_alone_without_the_option),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
