/* SPDX-License-Identifier: MIT
 *
 * What a texture instruction became, run step by step: texture instructions by
 * the simulator, the others here. Where all threads of the quads take part, all
 * of the wave do, so that whatever is written in those that are elsewhere shows
 * later.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lir/eval.h"
#include "trial_parts.h"
#include "util/bits.h"

static uint32_t
step_word(const struct maxwell_lower_step *step, uint32_t a, uint32_t b)
{
   uint32_t mask = (1u << step->width) - 1;
   float layer = tg_float_of_bits(a);

   switch (step->kind) {
   case MAXWELL_LOWER_STEP_MODIFY:
      a = step->absolute ? a & 0x7fffffff : a;
      return step->negate ? a ^ 0x80000000 : a;
   case MAXWELL_LOWER_STEP_RAISE: return tg_bits_of_float(layer + 0.5f);
   case MAXWELL_LOWER_STEP_LAYER:
      return layer > 0 ? layer < 65535 ? (uint32_t)layer : 65535 : 0;
   case MAXWELL_LOWER_STEP_NARROW: return a < 65535 ? a : 65535;
   case MAXWELL_LOWER_STEP_RCP:
      return tg_bits_of_float(1.0f / tg_float_of_bits(a));
   case MAXWELL_LOWER_STEP_MUL:
      return tg_bits_of_float(tg_float_of_bits(a) * tg_float_of_bits(b));
   case MAXWELL_LOWER_STEP_PACK: return a | (b & mask) << step->shift;
   case MAXWELL_LOWER_STEP_OR: return a | b;
   case MAXWELL_LOWER_STEP_LEVEL:
      return tg_bits_of_float((float)(int16_t)a * 0x1p-8f);
   case MAXWELL_LOWER_STEP_UNHALF: return lir_h2f(a >> step->shift & 0xffff);
   case MAXWELL_LOWER_STEP_SATURATE: {
      float x = tg_float_of_bits(a);
      return tg_bits_of_float(x > 0 ? x < 1 ? x : 1 : 0);
   }
   default: return a;
   }
}

static bool
is_fit(const struct maxwell_lower_step *step, uint32_t a, uint32_t b)
{
   int32_t bound = 1 << step->width >> 1;

   if (step->kind == MAXWELL_LOWER_STEP_RCP)
      return isnormal(tg_float_of_bits(a)) &&
             isnormal(1.0f / tg_float_of_bits(a));
   if (step->kind == MAXWELL_LOWER_STEP_PACK)
      return (int32_t)b >= -bound && (int32_t)b < bound;
   return true;
}

/* ---- in a quad ----------------------------------------------------------- */

/* What a thread gets from one that is not active. */
enum { NOT_ACTIVE = 0x7fc0dead };

static void
spread(const struct maxwell_lower_step *step, const uint32_t *a, uint32_t lanes,
       uint32_t *dst)
{
   uint32_t before[LANES];

   memcpy(before, a, sizeof(before));
   for (unsigned lane = 0; lane < LANES; lane++) {
      unsigned from = (lane & ~3u) | step->lane;

      if (lanes >> lane & 1)
         dst[lane] = lanes >> from & 1 ? before[from] : NOT_ACTIVE;
   }
}

static uint32_t
shifted(const struct maxwell_lower_step *step, unsigned lane, uint32_t a,
        uint32_t b)
{
   float x = tg_float_of_bits(a), y = tg_float_of_bits(b);

   switch ((enum maxwell_lower_signs)(step->signs >> lane % 4 * 2 & 3)) {
   case MAXWELL_LOWER_SIGNS_PP: return tg_bits_of_float(x + y);
   case MAXWELL_LOWER_SIGNS_NP: return tg_bits_of_float(y - x);
   default: return b;
   }
}

/* The word of one lane, from those of its sources and what it has. */
static uint32_t
lane_word(const struct maxwell_lower_step *step, unsigned lane, uint32_t a,
          uint32_t b, uint32_t now)
{
   if (step->kind == MAXWELL_LOWER_STEP_SHIFT)
      return shifted(step, lane, a, b);
   if (step->kind == MAXWELL_LOWER_STEP_KEEP)
      return step->lanes >> lane % 4 & 1 ? a : now;
   return step_word(step, a, b);
}

/* ---- steps and words ----------------------------------------------------- */

static void
run_step(struct trial *trial, const struct maxwell_lower_step *step,
         uint32_t lanes)
{
   static const uint32_t none[TG_MAXWELL_NUM_THREADS];
   static uint32_t nowhere[TG_MAXWELL_NUM_THREADS];
   const uint32_t *a = step->src == MAXWELL_LOWER_NONE
                          ? none
                          : trial_registers(trial, step->src);
   const uint32_t *b = step->src2 == MAXWELL_LOWER_NONE
                          ? none
                          : trial_registers(trial, step->src2);
   uint32_t *dst = step->dst == MAXWELL_LOWER_NONE
                      ? nowhere
                      : trial_registers(trial, step->dst);

   if (step->kind == MAXWELL_LOWER_STEP_SPREAD) {
      spread(step, a, lanes, dst);
      return;
   }
   for (unsigned lane = 0; lane < LANES; lane++) {
      if (!(lanes >> lane & 1))
         continue;
      if (!is_fit(step, a[lane], b[lane]))
         trial->unfit |= 1u << lane;
      dst[lane] = lane_word(step, lane, a[lane], b[lane], dst[lane]);
   }
}

/* The lanes of quads in which a source is a NaN. */
static uint32_t
quads_with_nan(const struct trial *trial,
               const struct maxwell_lower_tuple sources[2], uint32_t lanes)
{
   uint32_t found = 0;

   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < sources[t].count; i++) {
         const uint32_t *words = trial_registers(trial, sources[t].value[i]);

         for (unsigned lane = 0; lane < LANES; lane++) {
            if ((lanes >> lane & 1) && (words[lane] & 0x7fffffff) > 0x7f800000)
               found |= 15u << (lane & ~3u);
         }
      }
   }
   return found;
}

static void
run_word(struct trial *trial, const struct maxwell_lower_word *lowered,
         uint32_t lanes)
{
   const struct tg_view_desc *headers[2 * MOST_OBJECTS];
   const struct tg_sampler_desc *samplers[MOST_OBJECTS];
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;
   struct tg_maxwell_program *program = NULL;
   uint64_t word = trial->lowering->program->words[lowered->program_index];
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   for (unsigned i = 0; i < 2 * MOST_OBJECTS; i++)
      headers[i] = trial->views[i].resource ? &trial->views[i] : NULL;
   for (unsigned i = 0; i < MOST_OBJECTS; i++)
      samplers[i] = &trial->samplers[i];
   warp.registers = trial->registers;
   warp.active = lanes;
   warp.killed = trial->options.killed;
   warp.is_fragment = trial->shader->processor == TG_PROCESSOR_FRAG;
   warp.constants = trial->handles;
   warp.num_constants = NUM_HANDLES;
   warp.headers = headers;
   warp.samplers = samplers;
   warp.num_headers = 2 * MOST_OBJECTS;
   warp.num_samplers = MOST_OBJECTS;
   if (tg_maxwell_decode(NULL, trial->name, &word, NULL, 1, NULL, &program) !=
          TG_OK ||
       tg_maxwell_run(NULL, program, &warp, NULL, NULL, diagnostics) != TG_OK ||
       tg_diagnostics_count(diagnostics)) {
      char *text = tg_diagnostics_text(diagnostics);
      printf("%s", text);
      tg_string_free(text);
      trial_fail(trial, "the fetch does not run", lowered->program_index);
   }
   tg_maxwell_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

/* The lanes in which the predicate holds are those that were written. */
static uint32_t
guarded(const struct trial *trial, const struct maxwell_lower_step *step)
{
   return step->guard ? trial->written[0][step->guard - 1].lanes : UINT32_MAX;
}

void
trial_run_steps(struct trial *trial, const struct maxwell_lower_fetch *fetch,
                uint32_t lanes)
{
   uint32_t active = lanes;

   for (uint32_t i = 0; i < fetch->num_steps; i++) {
      const struct maxwell_lower_step *step = &fetch->steps[i];

      switch (step->kind) {
      case MAXWELL_LOWER_STEP_FETCH:
         trial->unfit |= quads_with_nan(trial, fetch->sources, lanes);
         run_word(trial, &fetch->words[step->word], active);
         break;
      case MAXWELL_LOWER_STEP_SAVE: active = (1u << LANES) - 1; break;
      case MAXWELL_LOWER_STEP_RESTORE: active = lanes; break;
      default: run_step(trial, step, active & guarded(trial, step)); break;
      }
   }
}
