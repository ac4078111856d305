/* SPDX-License-Identifier: MIT
 *
 * Random operations (random_mir.h), through the stages with and without
 * optimisation: whatever the passes did, exports are the same to the bit, but
 * that one NaN counts as any other, and words are never more than with one
 * operation in each.
 *
 *    test_compile_random [FIRST-SEED NUMBER]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "mir_text.h"
#include "random_mir.h"
#include "sweep.h"

enum { VERTICES = 16 };

static uint64_t first_seed = 1, num_seeds = 1500;

/* Operations and all; false when out of memory. */
static bool
copy(const struct mir *from, const struct tg_allocator *allocator,
     struct mir *mir)
{
   mir_init(mir, allocator, from->shader);
   mir->num_temporaries = from->num_temporaries;
   mir->num_constants = from->num_constants;
   mir->end = from->end;
   for (uint32_t i = 0; i < from->num_blocks; i++) {
      if (mir_add_block(mir) == MIR_NONE)
         return false;
      for (uint32_t j = 0; j < from->blocks[i].num_ops; j++) {
         if (!mir_append(mir, i, &from->blocks[i].ops[j]))
            return false;
      }
   }
   return true;
}

static enum tg_result
compile_operations(const struct tg_tegra_compile_options *options,
                   struct mir *mir, struct tg_tegra_program *program)
{
   struct compile compile = test_compile(options);
   enum tg_result result = optimize_mir(&compile, mir);

   assert_true(result != TG_OK || !mir_verify(mir));
   if (result == TG_OK)
      result = schedule_ports(&compile, mir);
   assert_true(result != TG_OK || !mir_verify(mir));
   if (result == TG_OK)
      result = schedule_emit(&compile, mir, program);
   return result;
}

static struct tg_tegra_program *
compile(uint64_t seed, unsigned optimize, bool single_issue)
{
   const struct tg_tegra_compile_options options = {
      .size = sizeof(options),
      .optimize = optimize,
      .single_issue = single_issue,
   };
   struct tg_source source = {.name = "random"};
   struct tg_tegra_program *program = tegra_program_create(NULL, &source);
   struct mir mir;

   random_mir(seed, &mir);
   assert_non_null(program);
   assert_null(mir_verify(&mir));
   assert_int_equal(compile_operations(&options, &mir, program), TG_OK);
   assert_null(mir_verify(&mir));
   mir_finish(&mir);
   return program;
}

struct inputs {
   uint32_t attributes[VERTICES][TG_TEGRA_NUM_ATTRIBUTES][4];
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
};

struct outputs {
   uint32_t exports[VERTICES][TG_TEGRA_NUM_EXPORTS][4];
   uint8_t ends[VERTICES];
};

static void
run(const struct tg_tegra_program *program, const struct inputs *inputs,
    struct outputs *outputs)
{
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;

   batch.num_vertices = VERTICES;
   batch.attributes = inputs->attributes[0][0];
   batch.constants = inputs->constants[0];
   batch.exports = outputs->exports[0][0];
   batch.ends = outputs->ends;
   assert_int_equal(tg_tegra_run(program, &batch, NULL), TG_OK);
   for (unsigned i = 0; i < VERTICES; i++)
      assert_int_equal(outputs->ends[i], TG_TEGRA_ENDED);
}

static bool
is_nan(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000;
}

static void
compare(const struct outputs *a, const struct outputs *b, uint64_t seed)
{
   const uint32_t *x = a->exports[0][0], *y = b->exports[0][0];

   for (size_t i = 0; i < sizeof(a->exports) / sizeof(*x); i++) {
      if (x[i] != y[i] && !(is_nan(x[i]) && is_nan(y[i])))
         fail_msg("program %llu, vertex %zu, export %zu.%c: %08x, not %08x",
                  (unsigned long long)seed, i / 64, i / 4 % 16, "xyzw"[i % 4],
                  y[i], x[i]);
   }
}

static void
fill(uint32_t *words, size_t count)
{
   for (size_t i = 0; i < count; i++)
      words[i] = random_mir_word();
}

static void
optimised_programs_do_the_same(void **state)
{
   static struct inputs inputs;
   static struct outputs plain, optimised, single;

   (void)state;
   for (uint64_t i = first_seed; i < first_seed + num_seeds; i++) {
      struct tg_tegra_program *programs[] = {
         compile(i, 0, false), compile(i, 2, false), compile(i, 2, true)};

      fill(inputs.attributes[0][0], sizeof(inputs.attributes) / 4);
      fill(inputs.constants[0], sizeof(inputs.constants) / 4);
      run(programs[0], &inputs, &plain);
      run(programs[1], &inputs, &optimised);
      run(programs[2], &inputs, &single);
      compare(&plain, &optimised, i);
      compare(&plain, &single, i);
      assert_true(tg_tegra_num_instructions(programs[1]) <=
                  tg_tegra_num_instructions(programs[2]));
      for (unsigned j = 0; j < 3; j++)
         tg_tegra_program_destroy(programs[j]);
   }
}

/* ---- memory -------------------------------------------------------------- */

static const struct mir *swept;

static enum tg_result
compile_swept(const struct tg_allocator *allocator)
{
   struct tg_source source = {.name = "random"};
   struct tg_tegra_program *program = tegra_program_create(allocator, &source);
   enum tg_result result = TG_ERROR_MEMORY;
   struct mir mir;

   if (copy(swept, allocator, &mir) && program)
      result = compile_operations(NULL, &mir, program);
   mir_finish(&mir);
   tg_tegra_program_destroy(program);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   for (uint64_t i = first_seed; i < first_seed + num_seeds / 75; i++) {
      struct mir mir;

      random_mir(i, &mir);
      swept = &mir;
      sweep(compile_swept);
      mir_finish(&mir);
   }
}

int
main(int argc, char **argv)
{
   if (argc == 3) {
      first_seed = strtoull(argv[1], NULL, 0);
      num_seeds = strtoull(argv[2], NULL, 0);
   }

   const struct CMUnitTest tests[] = {
      cmocka_unit_test(optimised_programs_do_the_same),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
