/* SPDX-License-Identifier: MIT
 *
 * Running: whatever text parses is made a program, with and without the
 * passes, and with a check, and run on 16 lanes whose inputs are drawn from the
 * text itself. All ways give the same outputs, unless the loop budget ended
 * them. A compute shader is also run over a small grid.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tungsten/run.h"

enum {
   NUM_REGISTERS = 4, /* of each file, to be filled */
   LOOP_BUDGET = 1000,
   NUM_BUFFER_BYTES = 4096,
};

/* Words that are often of interest: small integers, floats, and neither. */
static uint32_t
next_word(uint64_t *state)
{
   static const uint32_t words[] = {
      0,          1,          2,          3,          0xffffffff, 0x3f800000,
      0xbf800000, 0x40490fdb, 0x80000000, 0x7f800000, 0x00000001, 0x3e99999a,
      0x447a0000, 0x7fffffff, 17,         0xc2f6e979,
   };

   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
   return words[*state >> 60];
}

static void
fill(struct tg_run *run, uint64_t seed)
{
   for (enum tg_run_file file = TG_RUN_INPUT; file <= TG_RUN_CONSTANT; file++) {
      for (uint32_t index = 0; index < NUM_REGISTERS; index++) {
         for (int lane = 0; lane < TG_MAX_LANES; lane++) {
            uint32_t words[4];

            for (unsigned i = 0; i < 4; i++)
               words[i] = next_word(&seed);
            tg_run_set(run, file, 0, index, file == TG_RUN_CONSTANT ? -1 : lane,
                       words);
         }
      }
   }
}

/* The run's outcome, or NULL when the shader cannot be run. */
static struct tg_run *
run_shader(const struct tg_shader *shader, bool optimize, bool check,
           uint64_t seed, struct tg_program **program_out,
           enum tg_result *result_out)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_run *run = NULL;

   options.optimize = optimize;
   options.check = check;
   *program_out = NULL;
   if (tg_program_create(NULL, shader, &options, NULL, program_out) != TG_OK)
      return NULL;
   if (tg_run_create(*program_out, TG_MAX_LANES, &run) != TG_OK)
      abort();
   fill(run, seed);
   tg_run_set_loop_budget(run, LOOP_BUDGET);
   *result_out = tg_run_execute(run, NULL);
   return run;
}

static bool
is_nan(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000;
}

static void
compare_outputs(const struct tg_run *a, const struct tg_run *b)
{
   for (uint32_t vertex = 0; vertex < tg_run_num_output_vertices(a); vertex++) {
      for (uint32_t index = 0; index < tg_run_num_outputs(a); index++) {
         for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
            uint32_t left[4], right[4];

            const enum tg_result result =
               tg_run_get_output(a, vertex, index, lane, left);

            if (tg_run_get_output(b, vertex, index, lane, right) != result)
               abort();
            if (result != TG_OK)
               continue; /* a patch's, which is there once */
            for (unsigned i = 0; i < 4; i++) {
               if (left[i] != right[i] &&
                   !(is_nan(left[i]) && is_nan(right[i])))
                  abort();
            }
         }
      }
   }
}

/* A clock counts what is executed, which the passes make less; and the words
 * of a NaN, seen as an integer, depend on the order of operands. */
static bool
may_differ(const uint8_t *data, size_t size)
{
   return memmem(data, size, "CLOCK", 5) || memmem(data, size, "clock", 5);
}

/* Two waves a block, of which the second lacks lanes, over a buffer in each of
 * the first places. A barrier may be missed and a loop not end. */
static void
dispatch(const struct tg_program *program)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = NUM_BUFFER_BYTES,
      .height = 1,
      .depth = 1,
      .layers = 1,
   };
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_bindings *bindings;
   struct tg_resource *buffer;

   if (tg_resource_create(NULL, &desc, NULL, &buffer) != TG_OK ||
       tg_bindings_create(NULL, &bindings) != TG_OK)
      abort();
   for (unsigned i = 0; i < 4; i++)
      tg_bindings_set_buffer(bindings, TG_BUFFER_SHADER, i, buffer, 0,
                             NUM_BUFFER_BYTES, NULL);
   grid.block[0] = 20;
   grid.grid[1] = 3;
   grid.num_threads = 1;
   grid.loop_budget = LOOP_BUDGET;
   enum tg_result result = tg_dispatch(program, bindings, &grid, NULL);
   if (result == TG_ERROR_MEMORY || result == TG_ERROR_UNSUPPORTED)
      abort();
   tg_bindings_destroy(bindings);
   tg_resource_destroy(buffer);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct tg_shader *shader = NULL;
   struct tg_program *plain_program, *passed_program, *checked_program;
   enum tg_result plain_result = TG_OK, passed_result = TG_OK;
   enum tg_result checked_result = TG_OK;
   uint64_t seed = size;

   if (tg_shader_parse(NULL, "fuzz", (const char *)data, size, TG_DIALECT_2019,
                       NULL, &shader) != TG_OK)
      return 0;
   struct tg_run *plain =
      run_shader(shader, false, false, seed, &plain_program, &plain_result);
   struct tg_run *passed =
      run_shader(shader, true, false, seed, &passed_program, &passed_result);
   if (!plain != !passed)
      abort();
   struct tg_run *checked =
      run_shader(shader, true, true, seed, &checked_program, &checked_result);
   if (plain && plain_result == TG_OK && passed_result == TG_OK &&
       !may_differ(data, size)) {
      compare_outputs(plain, passed);
      if (checked && checked_result == TG_OK)
         compare_outputs(plain, checked);
   }
   if (plain)
      dispatch(passed_program);
   if (checked)
      dispatch(checked_program);
   tg_run_destroy(checked);
   tg_program_destroy(checked_program);
   tg_run_destroy(passed);
   tg_run_destroy(plain);
   tg_program_destroy(passed_program);
   tg_program_destroy(plain_program);
   tg_shader_destroy(shader);
   return 0;
}
