/* SPDX-License-Identifier: MIT
 *
 * Idiom recognition: what producers write for opcodes that they do not have.
 * A floor is FRC, and right after it MAD, or MUL and ADD, with a factor of -1,
 * which takes the fraction from what it is of: TG_QUIRK_FLOOR_BY_FRACTION. A
 * square root is RSQ, and RCP of what that wrote: TG_QUIRK_ROOT_BY_RECIPROCALS.
 */
#include "lower/operands/context.h"

#include "util/bits.h"

/* ---- registers ----------------------------------------------------------- */

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

/* Is it what an instruction wrote in this channel, and nothing else? */
static bool
is_result(const struct tg_instruction *instruction, const struct tg_src *src,
          unsigned channel)
{
   return is_same(&src->reg, &instruction->dst[0].reg) && !src->absolute &&
          !src->negate &&
          instruction->dst[0].writemask >> src->swizzle[channel] & 1;
}

/* ---- floors -------------------------------------------------------------- */

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

/* The instruction so many before the one at hand, if it has this opcode. */
static const struct tg_instruction *
find_before(const struct lower_context *context, uint32_t distance,
            enum tg_opcode opcode, unsigned num_src)
{
   if (context->instruction_index < distance)
      return NULL;
   const struct tg_instruction *found =
      &context->shader->instructions[context->instruction_index - distance];
   return found->opcode == opcode && found->num_dst == 1 &&
                found->num_src == num_src && !found->has_predicate &&
                found->saturate == TG_SATURATE_NONE
             ? found
             : NULL;
}

/* Is the product of two sources, in a channel, the negative fraction of
 * `whole`? `frc` is the instruction before that of the product. */
static bool
is_negative_fraction(const struct tg_shader *shader,
                     const struct tg_instruction *frc,
                     const struct tg_src factors[2], unsigned channel,
                     const struct tg_src *whole, unsigned whole_channel)
{
   return is_result(frc, &factors[0], channel) &&
          is_minus_one(shader, &factors[1], channel) &&
          is_whole(frc, whole, whole_channel, factors[0].swizzle[channel]);
}

static bool
is_floor_of_mad(const struct lower_context *context, unsigned channel)
{
   const struct tg_src *src = context->instruction->src;
   const struct tg_instruction *frc = find_before(context, 1, TG_OPCODE_FRC, 1);

   return frc && is_negative_fraction(context->shader, frc, src, channel,
                                      &src[2], channel);
}

static bool
is_floor_of_add(const struct lower_context *context, unsigned channel)
{
   const struct tg_src *src = context->instruction->src;
   const struct tg_instruction *frc = find_before(context, 2, TG_OPCODE_FRC, 1);
   const struct tg_instruction *mul = find_before(context, 1, TG_OPCODE_MUL, 2);

   return frc && mul && is_result(mul, &src[1], channel) &&
          !is_same(&src[0].reg, &mul->dst[0].reg) &&
          is_negative_fraction(context->shader, frc, mul->src,
                               src[1].swizzle[channel], &src[0], channel);
}

bool
lower_is_floor_by_fraction(const struct lower_context *context,
                           unsigned channel)
{
   const bool is_on = context->shader->quirks & TG_QUIRK_FLOOR_BY_FRACTION;

   if (!is_on || context->mul_zero_wins)
      return false;
   switch (context->instruction->num_src) {
   case 2: return is_floor_of_add(context, channel);
   case 3: return is_floor_of_mad(context, channel);
   default: return false;
   }
}

/* ---- square roots -------------------------------------------------------- */

enum { REACH = 64 }; /* instructions from RSQ to RCP, at most */

static bool
has_branches(const struct tg_shader *shader)
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      if (shader->instructions[i].opcode == TG_OPCODE_BRA)
         return true;
   }
   return false;
}

/* May an instruction write to a channel of a temporary? */
static bool
may_write(const struct tg_instruction *instruction,
          const struct tg_register *temp, unsigned channel)
{
   for (unsigned i = 0; i < instruction->num_dst; i++) {
      const struct tg_dst *dst = &instruction->dst[i];

      if (dst->reg.file == temp->file && dst->writemask >> channel & 1 &&
          (!is_direct(&dst->reg) || is_same(&dst->reg, temp)))
         return true;
   }
   return false;
}

/* Does it write a reciprocal square root, whole and to all lanes, to what it
 * may write to? */
static bool
is_plain_rsq(const struct tg_instruction *instruction)
{
   return instruction->opcode == TG_OPCODE_RSQ &&
          is_direct(&instruction->dst[0].reg) && !instruction->has_predicate &&
          instruction->saturate == TG_SATURATE_NONE;
}

bool
lower_roots_create(struct lower_context *context)
{
   const struct tg_shader *shader = context->shader;

   if (!(shader->quirks & TG_QUIRK_ROOT_BY_RECIPROCALS) || has_branches(shader))
      return true;
   context->roots = tg_arena_array(context->arena, shader->num_instructions,
                                   sizeof(*context->roots));
   return context->roots != NULL;
}

const lir_value *
lower_find_root(const struct lower_context *context)
{
   const struct tg_shader *shader = context->shader;
   const struct tg_src *src = &context->instruction->src[0];
   const unsigned channel = src->swizzle[0];
   const uint32_t at = context->instruction_index;

   if (!context->roots || context->instruction->precise ||
       src->reg.file != TG_FILE_TEMP || src->absolute || src->negate)
      return NULL;
   for (uint32_t i = at; i-- > 0 && at - i <= REACH;) {
      const struct tg_instruction *before = &shader->instructions[i];

      if (tg_opcode_row(before->opcode)->group == TG_GROUP_FLOW)
         return NULL;
      if (may_write(before, &src->reg, channel))
         return is_plain_rsq(before) ? &context->roots[i] : NULL;
   }
   return NULL;
}
