/* SPDX-License-Identifier: MIT
 *
 * Shaders at random give the same with and without a check, and a check says
 * the same of them each time. Every second one has the quirks of Mesa's virgl
 * driver.
 *
 *    test_check_random [COUNT [FIRST SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_tgsi.h"
#include "tungsten/run.h"

enum { USUAL_COUNT = 1500, LOOP_BUDGET = 20000, MAX_OUTPUTS = 4 };

struct outcome {
   enum tg_result result;
   uint32_t killed;
   uint32_t words[MAX_OUTPUTS][TG_MAX_LANES][4];
   char *text; /* what was said */
};

/* Registers 0 and 1 of a file are floats, 2 and 3 integers; of constants a
 * buffer each. */
static void
set_registers(struct tg_run *run, uint64_t seed)
{
   struct random_numbers numbers = {~seed};

   for (uint32_t r = 0; r < 4; r++) {
      uint32_t words[4];

      for (int lane = 0; lane < TG_MAX_LANES; lane++) {
         for (unsigned c = 0; c < 4; c++)
            words[c] = r < 2 ? random_float_bits(&numbers)
                             : random_below(&numbers, UINT32_MAX);
         tg_run_set(run, TG_RUN_INPUT, 0, r, lane, words);
      }
      for (uint32_t buffer = 0; buffer < 2; buffer++) {
         for (unsigned c = 0; c < 4; c++)
            words[c] = buffer == 0 ? random_float_bits(&numbers)
                                   : random_below(&numbers, 20);
         tg_run_set(run, TG_RUN_CONSTANT, buffer, r, -1, words);
      }
   }
}

static void
run_shader(const struct tg_shader *shader, uint64_t seed, bool check,
           struct outcome *outcome)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_program *program = NULL;
   struct tg_run *run = NULL;

   options.check = check;
   memset(outcome, 0, sizeof(*outcome));
   outcome->result =
      tg_program_create(NULL, shader, &options, diagnostics, &program);
   if (outcome->result == TG_OK)
      outcome->result = tg_run_create(program, TG_MAX_LANES, &run);
   if (outcome->result == TG_OK) {
      set_registers(run, seed);
      tg_run_set_loop_budget(run, LOOP_BUDGET);
      outcome->result = tg_run_execute(run, diagnostics);
      outcome->killed = tg_run_killed(run);
      for (uint32_t r = 0; r < MAX_OUTPUTS; r++) {
         for (unsigned lane = 0; lane < TG_MAX_LANES; lane++)
            tg_run_get_output(run, 0, r, lane, outcome->words[r][lane]);
      }
   }
   outcome->text = tg_diagnostics_text(diagnostics);
   tg_run_destroy(run);
   tg_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

/* Which NaN it is does not matter in the first two outputs, which are floats.
 */
static bool
is_same(const struct outcome *a, const struct outcome *b)
{
   if (a->result != b->result || a->killed != b->killed)
      return false;
   for (uint32_t r = 0; r < MAX_OUTPUTS; r++) {
      for (unsigned i = 0; i < TG_MAX_LANES * 4; i++) {
         uint32_t x = a->words[r][i / 4][i % 4];
         uint32_t y = b->words[r][i / 4][i % 4];
         bool are_nan =
            (x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000;

         if (x != y && !(r < 2 && are_nan))
            return false;
      }
   }
   return true;
}

static bool
run_seed(uint64_t seed, unsigned *num_found)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   char *text = random_tgsi(seed);
   struct outcome plain, checked, again;

   if (!text || tg_shader_parse(NULL, "random", text, strlen(text),
                                TG_DIALECT_2019, diagnostics, &shader) != TG_OK)
      return false;
   tg_shader_set_quirks(shader, seed % 2 ? 0 : TG_QUIRKS_OF_VIRGL);
   run_shader(shader, seed, false, &plain);
   run_shader(shader, seed, true, &checked);
   run_shader(shader, seed, true, &again);

   bool good = is_same(&plain, &checked) && is_same(&checked, &again) &&
               strcmp(checked.text, again.text) == 0;
   if (!good)
      printf("%s\nseed %llu: %s, %s\n%s\n%s\n", text, (unsigned long long)seed,
             tg_result_name(plain.result), tg_result_name(checked.result),
             checked.text, again.text);
   *num_found += checked.text[0] != '\0';
   tg_string_free(plain.text);
   tg_string_free(checked.text);
   tg_string_free(again.text);
   tg_string_free(text);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   return good;
}

int
main(int argc, char **argv)
{
   uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : USUAL_COUNT;
   uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
   unsigned num_found = 0;

   for (uint64_t seed = first; seed < first + count; seed++) {
      if (!run_seed(seed, &num_found))
         return 1;
   }
   printf("%llu shaders, %u of them with findings\n", (unsigned long long)count,
          num_found);
   return 0;
}
