/* SPDX-License-Identifier: MIT */
#include "decompiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/run.h"
#include "util/bits.h"

enum { VERTICES = 16, STEPS = 4096 };

uint32_t
decompiled_number(struct decompiled_random *random, uint32_t bound)
{
   random->state =
      random->state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)((random->state >> 32) * bound >> 32);
}

uint32_t
decompiled_float(struct decompiled_random *random)
{
   static const float special[] = {
      0.0f, -0.0f,       1.0f,       -1.0f,    INFINITY,  -INFINITY,
      NAN,  0x1p-149f,   -0x1p-130f, 0x1p127f, 0x1p-126f, 128.0f,
      0.5f, 16777216.0f, -2.5f,      3.14159f,
   };
   uint32_t kind = decompiled_number(random, 8);

   if (kind < 3)
      return tg_bits_of_float((float)decompiled_number(random, 25) - 8);
   if (kind < 6)
      return tg_bits_of_float((float)decompiled_number(random, 4096) / 512 - 4);
   if (kind == 6)
      return tg_bits_of_float(special[decompiled_number(random, 16)]);
   return decompiled_number(random, UINT32_MAX);
}

/* ---- both sides ---------------------------------------------------------- */

struct sides {
   uint32_t attributes[VERTICES][TG_TEGRA_NUM_ATTRIBUTES][4];
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
   uint32_t expected[VERTICES][TG_TEGRA_NUM_EXPORTS][4];
   uint32_t got[VERTICES][TG_TEGRA_NUM_EXPORTS][4];
   uint8_t ends[VERTICES];
};

static void
fill(struct sides *sides, struct decompiled_random *random)
{
   uint32_t *words = sides->attributes[0][0];

   for (size_t i = 0; i < sizeof(sides->attributes) / 4; i++)
      words[i] = decompiled_float(random);
   words = sides->constants[0];
   for (size_t i = 0; i < sizeof(sides->constants) / 4; i++)
      words[i] = decompiled_float(random);
}

static bool
simulate(const struct tg_tegra_program *program, struct sides *sides)
{
   struct tg_tegra_batch batch = {
      .size = sizeof(batch),
      .num_vertices = VERTICES,
      .attributes = sides->attributes[0][0],
      .constants = sides->constants[0],
      .exports = sides->expected[0][0],
      .ends = sides->ends,
      .max_steps = STEPS,
      .mad = TG_TEGRA_MAD_FUSED, /* as TGSI has it */
   };

   return tg_tegra_run(program, &batch, NULL) == TG_OK;
}

static void
set_inputs(struct tg_run *run, const struct sides *sides)
{
   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++)
      tg_run_set(run, TG_RUN_CONSTANT, 0, i, -1, sides->constants[i]);
   for (int lane = 0; lane < VERTICES; lane++) {
      for (uint32_t i = 0; i < TG_TEGRA_NUM_ATTRIBUTES; i++)
         tg_run_set(run, TG_RUN_INPUT, 0, i, lane, sides->attributes[lane][i]);
   }
}

/* Undeclared outputs are 0. */
static bool
execute(const struct tg_program *program, struct sides *sides)
{
   struct tg_run *run = NULL;

   if (tg_run_create(program, VERTICES, &run) != TG_OK)
      return false;
   set_inputs(run, sides);
   bool is_done = tg_run_execute(run, NULL) == TG_OK;
   memset(sides->got, 0, sizeof(sides->got));
   for (unsigned lane = 0; lane < VERTICES && is_done; lane++) {
      for (uint32_t i = 0; i < TG_TEGRA_NUM_EXPORTS; i++)
         tg_run_get_output(run, 0, i, lane, sides->got[lane][i]);
   }
   tg_run_destroy(run);
   return is_done;
}

static bool
run_text(const char *text, struct sides *sides,
         struct tg_diagnostics *diagnostics)
{
   struct tg_shader *shader = NULL;
   struct tg_program *program = NULL;
   bool is_done =
      tg_shader_parse(NULL, "decompiled", text, strlen(text), TG_DIALECT_2019,
                      diagnostics, &shader) == TG_OK &&
      tg_shader_validate(shader, diagnostics) == TG_OK &&
      tg_program_create(NULL, shader, NULL, diagnostics, &program) == TG_OK &&
      execute(program, sides);

   tg_program_destroy(program);
   tg_shader_destroy(shader);
   return is_done;
}

/* ---- comparing ----------------------------------------------------------- */

static bool
is_nan(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000;
}

static bool
compare(const struct sides *sides)
{
   for (unsigned v = 0; v < VERTICES; v++) {
      for (unsigned e = 0; e < TG_TEGRA_NUM_EXPORTS; e++) {
         for (unsigned c = 0; c < 4; c++) {
            uint32_t expected = sides->expected[v][e][c];
            uint32_t got = sides->got[v][e][c];

            if (expected == got || (is_nan(expected) && is_nan(got)))
               continue;
            printf("vertex %u: export %u.%c is %08x (%g), as TGSI %08x (%g)\n",
                   v, e, "xyzw"[c], (unsigned)expected,
                   (double)tg_float_of_bits(expected), (unsigned)got,
                   (double)tg_float_of_bits(got));
            return false;
         }
      }
   }
   return true;
}

static enum decompiled_result
compare_with(const struct tg_tegra_program *program, const char *text,
             struct decompiled_random *random)
{
   static struct sides sides;
   enum decompiled_result result = DECOMPILED_DIFFERS;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   fill(&sides, random);
   bool is_simulated = simulate(program, &sides);
   if (is_simulated && memchr(sides.ends, TG_TEGRA_OUT_OF_STEPS, VERTICES))
      result = DECOMPILED_LONG;
   else if (is_simulated && run_text(text, &sides, diagnostics) &&
            compare(&sides))
      result = DECOMPILED_SAME;

   char *complaints = tg_diagnostics_text(diagnostics);
   if (result == DECOMPILED_DIFFERS)
      printf("%s", complaints);
   tg_string_free(complaints);
   tg_diagnostics_destroy(diagnostics);
   return result;
}

/* What is refused comes to no good end. */
static enum decompiled_result
check_refused(const struct tg_tegra_program *program,
              struct decompiled_random *random)
{
   static struct sides sides;

   fill(&sides, random);
   if (simulate(program, &sides) &&
       !memchr(sides.ends, TG_TEGRA_ENDED, VERTICES))
      return DECOMPILED_REFUSED;
   printf("this was refused, and ends\n");
   return DECOMPILED_DIFFERS;
}

enum decompiled_result
decompiled_compare(const struct tg_tegra_program *program,
                   struct decompiled_random *random, bool shows)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   char *text = NULL;
   enum tg_result made = tg_tegra_decompile(NULL, program, diagnostics, &text);
   bool is_refused = made == TG_ERROR_UNSUPPORTED &&
                     tg_diagnostics_num_errors(diagnostics) == 1;
   enum decompiled_result result = made == TG_OK
                                      ? compare_with(program, text, random)
                                   : is_refused ? check_refused(program, random)
                                                : DECOMPILED_DIFFERS;

   if (shows || result == DECOMPILED_DIFFERS) {
      char *assembly = tg_tegra_print(program, 0);
      printf("%s\n%s\n", assembly ? assembly : "", text ? text : "");
      tg_string_free(assembly);
   }
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
   return result;
}
