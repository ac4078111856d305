/* SPDX-License-Identifier: MIT
 *
 * The numbers that webs hold: bounds of integers, which of them only find
 * registers, and what may be -0.
 */
#include <math.h>

#include "tegra/kinds_facts.h"
#include "tegra/select.h"

/* ---- who only finds registers -------------------------------------------- */

static bool
is_sum(const struct select_row *row)
{
   return row->kinds == KINDS_INTEGERS && row->how == SELECT_VECTOR &&
          (row->opcode == TEGRA_VECTOR_ADD || row->opcode == TEGRA_VECTOR_MUL ||
           row->opcode == TEGRA_VECTOR_MAD);
}

static void
apply_use(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);

   if (row->kinds == KINDS_INDEX || row->kinds == KINDS_MOVE ||
       (is_sum(row) && dst < WEB_LITERAL && !kinds->facts[dst].is_number))
      return;
   for (unsigned i = row->kinds == KINDS_CHOICE; i < of->num_src && i < 3;
        i++) {
      uint32_t web = kinds_web(kinds, instruction, KINDS_SRC + i, c);

      if (row->kinds == KINDS_CHOICE && i > 0)
         continue;
      if (web < WEB_LITERAL && !kinds->facts[web].is_number) {
         kinds->facts[web].is_number = true;
         kinds->changed = true;
      }
   }
}

/* ---- ranges -------------------------------------------------------------- */

/* A program executes no more instructions than this, so that what adds to
 * itself does so no more often. */
static const double most_steps = 65536;

static const struct kinds_range nothing = {0, 0};

static struct kinds_range
hull(struct kinds_range a, struct kinds_range b)
{
   return (struct kinds_range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static struct kinds_range
negated(struct kinds_range a)
{
   return (struct kinds_range){-a.high, -a.low};
}

static struct kinds_range
sum(struct kinds_range a, struct kinds_range b)
{
   return (struct kinds_range){a.low + b.low, a.high + b.high};
}

static double
times(double a, double b)
{
   return a == 0 || b == 0 ? 0 : a * b;
}

static struct kinds_range
product(struct kinds_range a, struct kinds_range b)
{
   double low = times(a.low, b.low), high = times(a.high, b.high);
   double mixed = times(a.low, b.high), other = times(a.high, b.low);

   return (struct kinds_range){
      fmin(fmin(low, high), fmin(mixed, other)),
      fmax(fmax(low, high), fmax(mixed, other)),
   };
}

static struct kinds_range
range_of_web(const struct kinds *kinds, uint32_t web)
{
   const struct fact *fact = &kinds->facts[web];

   if (fact->kind == KIND_MASK)
      return (struct kinds_range){0, 1};
   return sum(fact->range,
              (struct kinds_range){fact->growth_low * most_steps,
                                   fact->growth_high * most_steps});
}

static struct kinds_range
range_of(const struct kinds *kinds, uint32_t instruction, unsigned operand,
         unsigned c)
{
   uint32_t web = kinds_web(kinds, instruction, operand, c);
   struct kinds_range range = nothing;

   if (web < WEB_LITERAL)
      range = range_of_web(kinds, web);
   else if (web == WEB_LITERAL)
      range.low = range.high =
         (int32_t)kinds_literal(kinds, instruction, operand, c);
   if (operand == KINDS_DST || web == WEB_NONE)
      return range;

   const struct tg_src *src =
      &kinds->shader->instructions[instruction].src[operand - KINDS_SRC];
   if (src->absolute)
      range = hull(range, negated(range));
   return src->negate ? negated(range) : range;
}

/* Of the result of an operation over integers. */
static struct kinds_range
range_of_operation(const struct select_row *row,
                   const struct kinds_range src[3])
{
   switch ((enum tegra_vector_op)row->opcode) {
   case TEGRA_VECTOR_ADD: return sum(src[0], src[1]);
   case TEGRA_VECTOR_MUL: return product(src[0], src[1]);
   case TEGRA_VECTOR_MAD: return sum(product(src[0], src[1]), src[2]);
   case TEGRA_VECTOR_SSG: return (struct kinds_range){-1, 1};
   default: return hull(hull(src[0], negated(src[0])), hull(src[1], src[2]));
   }
}

/* What is moved within its web adds nothing. */
static struct kinds_range
range_of_result(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   struct kinds_range src[3] = {nothing, nothing, nothing};
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);
   bool is_moved = row->kinds == KINDS_MOVE || row->kinds == KINDS_CHOICE;

   for (unsigned i = 0; i < of->num_src && i < 3; i++) {
      if (!is_moved || kinds_web(kinds, instruction, KINDS_SRC + i, c) != dst)
         src[i] = range_of(kinds, instruction, KINDS_SRC + i, c);
   }
   switch ((enum kinds_rule)row->kinds) {
   case KINDS_INTEGERS: return range_of_operation(row, src);
   case KINDS_LEFT: {
      double factor = exp2(fmin(31, fmax(0, src[1].high)));
      return product(src[0], (struct kinds_range){0, factor});
   }
   case KINDS_RIGHT: return hull(src[0], nothing);
   case KINDS_TO:
      return tg_opcodes[of->opcode].dst_type == TG_TYPE_U32
                ? (struct kinds_range){0, 0x1p32}
                : (struct kinds_range){-0x1p31, 0x1p31};
   case KINDS_NEGATION:
      return kinds_of_web(kinds, kinds_web(kinds, instruction, KINDS_SRC, c)) ==
                   KIND_MASK
                ? src[0]
                : negated(src[0]);
   case KINDS_CHOICE: return hull(src[1], src[2]);
   default: return hull(src[0], src[1]); /* moves and AND */
   }
}

/* Adds an instruction's result to what its destination may hold. */
static void
apply_range(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct select_row *row =
      &select_rows[kinds->shader->instructions[instruction].opcode];
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);

   if (dst >= WEB_LITERAL || kinds->facts[dst].kind != KIND_INTEGER)
      return;
   struct fact *fact = &kinds->facts[dst];
   struct fact before = *fact;

   if (row->kinds == KINDS_INTEGERS && row->how == SELECT_VECTOR &&
       row->opcode == TEGRA_VECTOR_ADD) {
      for (unsigned i = 0; i < 2; i++) {
         if (kinds_web(kinds, instruction, KINDS_SRC + i, c) != dst)
            continue;
         struct kinds_range step =
            range_of(kinds, instruction, KINDS_SRC + 1 - i, c);
         fact->growth_low = fmin(fact->growth_low, step.low);
         fact->growth_high = fmax(fact->growth_high, step.high);
         kinds->changed |= fact->growth_low != before.growth_low ||
                           fact->growth_high != before.growth_high;
         return;
      }
   }
   fact->range = hull(fact->range, range_of_result(kinds, instruction, c));
   kinds->changed |= fact->range.low != before.range.low ||
                     fact->range.high != before.range.high;
}

/* What has not come to rest after a while has no bounds that we could find. */
static void
apply_endless_range(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);

   if (dst >= WEB_LITERAL)
      return;
   struct fact *fact = &kinds->facts[dst];
   struct fact before = *fact;

   apply_range(kinds, instruction, c);
   if (fact->range.low < before.range.low ||
       fact->growth_low < before.growth_low)
      fact->range.low = -INFINITY;
   if (fact->range.high > before.range.high ||
       fact->growth_high > before.growth_high)
      fact->range.high = INFINITY;
}

static void
find_ranges(struct kinds *kinds)
{
   unsigned patience = 8;

   kinds->facts[WEB_ADDRESSES].range = (struct kinds_range){-0x1p31, 0x1p31};
   do {
      kinds->changed = false;
      kinds_apply(kinds, patience ? apply_range : apply_endless_range);
      patience -= patience > 0;
   } while (kinds->changed);
}

/* ---- signs of zeros ------------------------------------------------------ */

static bool
has_minus_zero(struct kinds *kinds, uint32_t instruction, unsigned operand,
               unsigned c)
{
   uint32_t web = kinds_web(kinds, instruction, operand, c);

   if (web == WEB_LITERAL)
      return kinds_literal(kinds, instruction, operand, c) == 0x80000000;
   return web != WEB_NONE && kinds->facts[web].may_be_minus_zero;
}

/* Does the result come out as -0 where no operand is one? Zeros of integers
 * have the sign of a product or of what was negated. */
static bool
makes_minus_zero(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   bool is_negative = false;

   for (unsigned i = 0; i < of->num_src && i < 3; i++)
      is_negative |= range_of(kinds, instruction, KINDS_SRC + i, c).low < 0;
   switch ((enum kinds_rule)row->kinds) {
   case KINDS_WORDS: return tg_opcodes[of->opcode].group != TG_GROUP_COMPARE;
   case KINDS_INTEGERS:
      return is_negative && (row->opcode == TEGRA_VECTOR_MUL ||
                             row->opcode == TEGRA_VECTOR_MAD);
   case KINDS_NEGATION:
      return kinds_of_web(kinds, kinds_web(kinds, instruction, KINDS_SRC, c)) !=
             KIND_MASK;
   case KINDS_TO: return tg_opcodes[of->opcode].dst_type != TG_TYPE_U32;
   default: return false;
   }
}

/* What is moved or added is one if it was one or is negated. */
static void
apply_minus_zero(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);
   bool result = false;

   if (dst >= WEB_LITERAL || kinds->facts[dst].may_be_minus_zero)
      return;
   for (unsigned i = row->kinds == KINDS_CHOICE; i < of->num_src; i++) {
      if (row->kinds != KINDS_FROM)
         result |= of->src[i].negate ||
                   has_minus_zero(kinds, instruction, KINDS_SRC + i, c);
   }
   if (row->kinds == KINDS_WORDS || row->kinds == KINDS_NEGATION)
      result = false;
   result |= makes_minus_zero(kinds, instruction, c);
   kinds->facts[dst].may_be_minus_zero = result;
   kinds->changed |= result;
}

/* ---- all of them --------------------------------------------------------- */

void
kinds_find_numbers(struct kinds *kinds)
{
   kinds_settle(kinds, apply_use);
   find_ranges(kinds);
   kinds_settle(kinds, apply_minus_zero);
}

struct kinds_range
kinds_range(const struct kinds *kinds, uint32_t instruction, unsigned operand,
            unsigned channel)
{
   return kinds->facts ? range_of(kinds, instruction, operand, channel)
                       : nothing;
}
