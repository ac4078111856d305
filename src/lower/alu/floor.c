/* SPDX-License-Identifier: MIT
 *
 * Floors of producers without FLR, as TG_QUIRK_FLOOR_BY_FRACTION has them: FRC,
 * and right after it MAD, with a factor of -1, which takes the fraction from
 * what it is of.
 */
#include "lower/operands/context.h"

#include "util/bits.h"

static bool
is_direct(const struct tg_register *reg)
{
   return !reg->index.indirect &&
          !(reg->has_dimension && reg->dimension.indirect);
}

static bool
is_same(const struct tg_register *a, const struct tg_register *b)
{
   return a->file == b->file && is_direct(a) && is_direct(b) &&
          a->index.offset == b->index.offset &&
          a->has_dimension == b->has_dimension &&
          (!a->has_dimension || a->dimension.offset == b->dimension.offset);
}

static bool
is_minus_one(const struct tg_shader *shader, const struct tg_src *src,
             unsigned channel)
{
   const uint32_t number = (uint32_t)src->reg.index.offset;

   return src->reg.file == TG_FILE_IMM && is_direct(&src->reg) &&
          !src->absolute && !src->negate && number < shader->num_immediates &&
          shader->immediates[number].words[src->swizzle[channel]] ==
             tg_bits_of_float(-1.0f);
}

/* Is it what FRC wrote in this channel, and nothing else? */
static bool
is_fraction(const struct tg_instruction *frc, const struct tg_src *src,
            unsigned channel)
{
   return is_same(&src->reg, &frc->dst[0].reg) && !src->absolute &&
          !src->negate && frc->dst[0].writemask >> src->swizzle[channel] & 1;
}

/* Is it what FRC read for its channel `read`, and did not write over? */
static bool
is_whole(const struct tg_instruction *frc, const struct tg_src *src,
         unsigned channel, unsigned read)
{
   const struct tg_src *whole = &frc->src[0];

   return is_same(&src->reg, &whole->reg) &&
          !is_same(&src->reg, &frc->dst[0].reg) &&
          src->absolute == whole->absolute && src->negate == whole->negate &&
          src->swizzle[channel] == whole->swizzle[read];
}

bool
lower_is_floor_by_fraction(const struct lower_context *context,
                           unsigned channel)
{
   const struct tg_shader *shader = context->shader;
   const struct tg_instruction *mad = context->instruction;

   if (!(shader->quirks & TG_QUIRK_FLOOR_BY_FRACTION) ||
       context->mul_zero_wins || context->instruction_index == 0 ||
       mad->num_src != 3)
      return false;
   const struct tg_src *src = mad->src;
   const struct tg_instruction *frc =
      &shader->instructions[context->instruction_index - 1];
   return frc->opcode == TG_OPCODE_FRC && frc->num_dst == 1 &&
          frc->num_src == 1 && !frc->has_predicate &&
          is_fraction(frc, &src[0], channel) &&
          is_minus_one(shader, &src[1], channel) &&
          is_whole(frc, &src[2], channel, src[0].swizzle[channel]);
}
