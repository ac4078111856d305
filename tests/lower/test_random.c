/* SPDX-License-Identifier: MIT
 *
 * Shaders at random give the same as they were lowered and optimised.
 *
 *    test_lower_random [COUNT [FIRST SEED]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "../share.h"
#include "random_tgsi.h"
#include "runner.h"

enum { USUAL_COUNT = 10000, LOOP_BUDGET = 20000 };

static struct runner runner;

static uint32_t
random_integer(struct random_numbers *numbers)
{
   static const uint32_t special[] = {0,          1,          2,  3,
                                      UINT32_MAX, 0x80000000, 31, 16};

   return random_below(numbers, 4) ? special[random_below(numbers, 8)]
                                   : random_below(numbers, UINT32_MAX);
}

/* Registers 0 and 1 are floats, 2 and 3 integers; of constants a buffer each.
 */
static void
fill_registers(struct random_numbers *numbers)
{
   for (unsigned w = 0; w < 8; w++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         runner.input[w][lane] = random_float_bits(numbers);
         runner.input[w + 8][lane] = random_integer(numbers);
      }
   }
   for (unsigned w = 0; w < RUNNER_CONSTANTS; w++) {
      runner.constants[0][w] = random_float_bits(numbers);
      runner.constants[1][w] = random_integer(numbers);
   }
}

/* Buffers 0, 1 and 2; 3 is not bound. */
static void
fill_memory(struct random_numbers *numbers)
{
   static const uint32_t num_bytes[] = {64, 22, 48};

   for (unsigned b = 0; b < 3; b++) {
      struct runner_memory *memory = &runner.memories[b];

      memory->space = LIR_SPACE_BUFFER;
      memory->binding = b;
      memory->num_bytes = num_bytes[b];
      for (unsigned w = 0; w < 16; w++)
         memory->words[w] =
            b == 2 ? random_float_bits(numbers) : random_integer(numbers);
   }
   runner.num_memories = 3;
}

/* Lanes that were never launched hold anything, so quads are launched whole;
 * which of their lanes are helpers is free. */
static void
choose_lanes(struct random_numbers *numbers)
{
   if (random_below(numbers, 2))
      return;
   runner.launched = 0;
   for (unsigned quad = 0; quad < 4; quad++) {
      if (random_below(numbers, 2))
         runner.launched |= 0xfu << 4 * quad;
   }
   runner.live = runner.launched & random_below(numbers, 0x10000);
}

/* NULL or what was wrong. */
static const char *
run_seed(uint64_t seed, char *text)
{
   struct random_numbers numbers = {~seed};
   const char *why = NULL;

   runner_init(&runner, TG_DIALECT_2019, text);
   if (runner.result == TG_OK)
      runner.result = tg_shader_validate(runner.shader, runner.diagnostics);
   runner.loop_budget = LOOP_BUDGET;
   choose_lanes(&numbers);
   fill_registers(&numbers);
   fill_memory(&numbers);
   if (runner_try(&runner, &why) && runner.result != TG_OK)
      why = tg_result_name(runner.result);
   return why;
}

int
main(int argc, char **argv)
{
   uint64_t count =
      argc > 1 ? strtoull(argv[1], NULL, 0) : share_of(USUAL_COUNT);
   uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
   uint64_t num_instructions = 0;

   for (uint64_t seed = first; seed < first + count; seed++) {
      char *text = random_tgsi(seed);
      if (!text)
         return 2;

      const char *why = run_seed(seed, text);
      if (why) {
         char *complaints = tg_diagnostics_text(runner.diagnostics);

         printf("%s\nseed %llu: %s\n%s", text, (unsigned long long)seed, why,
                complaints ? complaints : "");
         return 1;
      }
      num_instructions += runner.shader->num_instructions;
      runner_finish(&runner);
      tg_string_free(text);
   }
   printf("%llu shaders of %llu instructions in all\n",
          (unsigned long long)count, (unsigned long long)num_instructions);
   return 0;
}
