/* SPDX-License-Identifier: MIT
 *
 * How much texels may be off.
 *
 * Derivatives in a quad are differences of sums. A coordinate s of which the
 * derivatives are a and b is at most m = |s| + |a| + |b| anywhere; with u =
 * 2^-24 each of two coordinates is off by 2 u m, as it is summed in two steps,
 * and their difference, below 2 m, by another 2 u m: 6 u m in all. What that is
 * of the footprint's length, r, moves the level by r / (1 - r) / ln 2 at most;
 * and texels, which are from 0 to 1 here, from one level to the next by 1. A
 * derivative of 0 is exact. What is off by half of its length is not compared.
 */
#include <math.h>
#include <stdio.h>

#include "trial_parts.h"
#include "util/bits.h"

/* ---- operands ------------------------------------------------------------ */

/* A channel of a source, as the instruction reads it in a lane. */
static double
operand(const struct trial *trial, const struct maxwell_lower_fetch *fetch,
        unsigned number, unsigned channel, unsigned lane)
{
   const struct tg_shader *shader = trial->shader;
   const struct tg_src *src = &shader->instructions[fetch->at].src[number];
   const struct tg_register *reg = &src->reg;
   uint32_t index = (uint32_t)reg->index.offset;
   unsigned from = src->swizzle[channel];
   uint32_t word;

   if (reg->file == TG_FILE_IMM)
      word = shader->immediates[index].words[from];
   else if (reg->file == TG_FILE_CONST)
      word = trial->constants[reg->has_dimension ? reg->dimension.offset : 0]
                             [index][from];
   else
      word = trial_registers(trial, maxwell_lower_value_before(trial->lowering,
                                                               fetch->at, reg,
                                                               from))[lane];

   double value = tg_float_of_bits(word);
   value = src->absolute ? fabs(value) : value;
   return src->negate ? -value : value;
}

/* ---- footprints ---------------------------------------------------------- */

/* The coordinates of a lane, their derivatives in x and y, and how much these
 * may be off. */
struct footprint {
   unsigned num_axes;
   double at[3], derivative[2][3], off[2][3];
};

static struct footprint
find_footprint(const struct trial *trial,
               const struct maxwell_lower_fetch *fetch,
               const struct maxwell_lower_plan *asked, unsigned lane)
{
   struct footprint found = {.num_axes = tg_targets[asked->target].num_derivs};

   for (unsigned i = 0; i < found.num_axes; i++) {
      double most = 0;

      found.at[i] = operand(trial, fetch, 0, i, lane);
      for (unsigned d = 0; d < 2; d++) {
         found.derivative[d][i] =
            operand(trial, fetch, asked->row->derivative + d, i, lane);
         most += fabs(found.derivative[d][i]);
      }
      most += fabs(found.at[i]);
      for (unsigned d = 0; d < 2; d++)
         found.off[d][i] = found.derivative[d][i] != 0 ? 6 * 0x1p-24 * most : 0;
   }
   return found;
}

/* As they are seen on the face of a cube, where s / m moves by
 * (ds - s / m * dm) / m. */
static void
project(struct footprint *footprint)
{
   unsigned major = 0;

   for (unsigned i = 1; i < 3; i++) {
      if (fabs(footprint->at[i]) > fabs(footprint->at[major]))
         major = i;
   }

   double m = footprint->at[major];
   for (unsigned d = 0; d < 2; d++) {
      double dm = footprint->derivative[d][major];
      double off = footprint->off[d][major];

      for (unsigned i = 0; i < 3; i++) {
         double place = footprint->at[i] / m;

         footprint->derivative[d][i] =
            (footprint->derivative[d][i] - place * dm) / m;
         footprint->off[d][i] =
            (footprint->off[d][i] + fabs(place) * off) / fabs(m);
      }
      footprint->derivative[d][major] = footprint->off[d][major] = 0;
   }
}

static double
length(const double vector[3], unsigned num_axes)
{
   double sum = 0;

   for (unsigned i = 0; i < num_axes; i++)
      sum += vector[i] * vector[i];
   return sqrt(sum);
}

/* What the longer derivative may be off, relative to its length. */
static double
relative_error(const struct footprint *footprint)
{
   double longest = 0, off = 0;

   for (unsigned d = 0; d < 2; d++) {
      longest =
         fmax(longest, length(footprint->derivative[d], footprint->num_axes));
      off = fmax(off, length(footprint->off[d], footprint->num_axes));
   }
   return off > 0 ? off / longest : 0;
}

/* ---- quads --------------------------------------------------------------- */

void
trial_find_allowance(struct trial *trial,
                     const struct maxwell_lower_fetch *fetch)
{
   struct maxwell_lower_plan asked = trial_ask(trial, fetch->at);
   enum tg_target plain = tg_targets[asked.target].plain;
   bool is_exact = fetch->num_words == 1 || trial->options.inputs == TRIAL_GRID;

   for (unsigned lane = 0; lane < LANES; lane++) {
      trial->allowance[lane] = 0;
      if (is_exact)
         continue;
      struct footprint footprint = find_footprint(trial, fetch, &asked, lane);

      if (plain == TG_TARGET_CUBE || plain == TG_TARGET_CUBE_ARRAY)
         project(&footprint);
      double error = relative_error(&footprint);
      if (!(error < 0.5))
         trial->unfit |= 1u << lane;
      else if (error > 0)
         trial->allowance[lane] = error / (1 - error) / log(2);
   }
}

/* ---- comparing ----------------------------------------------------------- */

static bool
is_same_word(uint32_t a, uint32_t b)
{
   bool both_nan =
      (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;

   return a == b || both_nan;
}

/* How much a component may be off: of quads see above, TXP divides by way of a
 * reciprocal, LODQ has 1/256ths up to 128, halves have 11 bits. */
static double
allowance(const struct trial *trial, const struct maxwell_lower_fetch *fetch,
          unsigned lane, double magnitude)
{
   unsigned opcode = trial->shader->instructions[fetch->at].opcode;
   double of_quad = trial->allowance[lane];

   if (maxwell_isa_is_half(&fetch->words[0].instruction))
      return of_quad + fabs(magnitude) * 0x1p-11 + 0x1p-25;
   if (opcode == TG_OPCODE_TXP)
      return 1e-4;
   if (opcode == TG_OPCODE_LODQ || opcode == TG_OPCODE_LOD)
      return fabs(magnitude) < 128 ? 0x1p-8 : HUGE_VAL;
   return of_quad;
}

void
trial_compare(struct trial *trial, const struct maxwell_lower_fetch *fetch,
              unsigned lane, uint32_t expected, uint32_t found)
{
   double a = tg_float_of_bits(expected), b = tg_float_of_bits(found);

   trial->totals->texels++;
   if (is_same_word(expected, found))
      return;
   trial->totals->inexact++;
   if (fabs(a - b) <= allowance(trial, fetch, lane, a)) {
      if (isfinite(a - b))
         trial->totals->greatest = fmax(trial->totals->greatest, fabs(a - b));
      return;
   }
   if (!trial->failed)
      printf("%08x (%g) expected, %08x (%g) found\n", expected, a, found, b);
   trial_fail(trial, "texels differ after fetch",
              fetch->words[0].program_index);
}
