/* SPDX-License-Identifier: MIT
 *
 * Value-range analysis: bounds of the integers that webs hold, which of them
 * only index registers, and what may be -0.
 */
#include <assert.h>
#include <math.h>

#include "tegra/select/kinds_bounds.h"
#include "tegra/select/kinds_facts.h"
#include "tegra/select/select.h"

/* ---- who only finds registers -------------------------------------------- */

static void
apply_use(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   assert(instruction < kinds->shader->num_instructions);
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);

   if (row->kinds == KINDS_INDEX || row->kinds == KINDS_MOVE ||
       (kinds_rules[row->kinds].is_linear && dst < WEB_LITERAL &&
        !kinds->facts[dst].is_number))
      return;
   for (unsigned i = row->kinds == KINDS_CHOICE;
        i < of->num_src && i < KINDS_MAX_SOURCES; i++) {
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

static const struct kinds_range zero = {0, 0};
static const struct kinds_range empty = {INFINITY, -INFINITY};

/* Of a web that nothing has been found in yet. */
static bool
is_empty(struct kinds_range range)
{
   return range.low > range.high;
}

static struct kinds_range
range_of_web(const struct kinds *kinds, uint32_t web)
{
   const struct fact *fact = &kinds->facts[web];

   if (fact->kind == KIND_MASK)
      return (struct kinds_range){-1, 0};
   if (is_empty(fact->range))
      return empty;
   return (struct kinds_range){
      fact->range.low + fact->growth_low * most_steps,
      fact->range.high + fact->growth_high * most_steps,
   };
}

static struct kinds_range
range_of(const struct kinds *kinds, uint32_t instruction, unsigned operand,
         unsigned c)
{
   uint32_t web = kinds_web(kinds, instruction, operand, c);
   struct kinds_range range = zero;

   if (web < WEB_LITERAL)
      range = range_of_web(kinds, web);
   else if (web == WEB_LITERAL)
      range.low = range.high =
         (int32_t)kinds_literal(kinds, instruction, operand, c);
   if (operand == KINDS_DST || web == WEB_NONE || is_empty(range))
      return range;

   assert(instruction < kinds->shader->num_instructions);
   const struct tg_src *src =
      &kinds->shader->instructions[instruction].src[operand - KINDS_SRC];
   return bounds_modified(range, src->absolute, src->negate);
}

/* Operands of which nothing has been found yet give nothing yet; what is moved
 * within its web adds nothing. */
static struct kinds_range
range_of_result(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   assert(instruction < kinds->shader->num_instructions);
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   enum kinds_rule rule = select_rows[of->opcode].kinds;
   kinds_bounds bounds = kinds_rules[rule].bounds;
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);
   struct kinds_range src[KINDS_MAX_SOURCES] = {0};

   if (rule == KINDS_TO)
      return tg_opcode_row(of->opcode)->dst_type == TG_TYPE_U32
                ? (struct kinds_range){0, 0x1p32}
                : (struct kinds_range){-0x1p31, 0x1p31};
   for (unsigned i = 0; i < of->num_src && i < KINDS_MAX_SOURCES; i++) {
      src[i] = range_of(kinds, instruction, KINDS_SRC + i, c);
      if (bounds && is_empty(src[i]))
         return empty;
      if (!bounds && kinds_web(kinds, instruction, KINDS_SRC + i, c) == dst)
         src[i] = empty;
   }
   if (bounds)
      return bounds(src);
   return rule == KINDS_CHOICE ? bounds_hull(src[1], src[2]) : src[0];
}

/* Adds an instruction's result to what its destination may hold. */
static void
apply_range(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   assert(instruction < kinds->shader->num_instructions);
   const struct select_row *row =
      &select_rows[kinds->shader->instructions[instruction].opcode];
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);

   if (dst >= WEB_LITERAL || kinds->facts[dst].kind != KIND_INTEGER)
      return;
   struct fact *fact = &kinds->facts[dst];
   struct fact before = *fact;

   if (row->kinds == KINDS_SUM) {
      for (unsigned i = 0; i < 2; i++) {
         if (kinds_web(kinds, instruction, KINDS_SRC + i, c) != dst)
            continue;
         struct kinds_range step =
            range_of(kinds, instruction, KINDS_SRC + 1 - i, c);
         if (is_empty(step))
            return;
         fact->growth_low = fmin(fact->growth_low, step.low);
         fact->growth_high = fmax(fact->growth_high, step.high);
         kinds->changed |= fact->growth_low != before.growth_low ||
                           fact->growth_high != before.growth_high;
         return;
      }
   }
   fact->range =
      bounds_hull(fact->range, range_of_result(kinds, instruction, c));
   kinds->changed |= fact->range.low != before.range.low ||
                     fact->range.high != before.range.high;
}

/* Widening: what has not converged after a while has no bounds. */
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

/* What has not been written holds 0. */
static void
find_ranges(struct kinds *kinds)
{
   const struct webs *webs = &kinds->webs;
   unsigned patience = 8;

   for (uint32_t i = 0; i < webs->count; i++)
      kinds->facts[i].range = empty;
   for (uint32_t i = WEB_ARRAYS; i < WEB_FIRST_COMPONENT + webs->num_first; i++)
      kinds->facts[webs_find(webs, i)].range = zero;
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
   assert(instruction < kinds->shader->num_instructions);
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   bool is_negative = false;

   for (unsigned i = 0; i < of->num_src && i < KINDS_MAX_SOURCES; i++)
      is_negative |= range_of(kinds, instruction, KINDS_SRC + i, c).low < 0;
   switch ((enum kinds_rule)row->kinds) {
   case KINDS_WORDS:
      return tg_opcode_row(of->opcode)->group != TG_GROUP_COMPARE;
   case KINDS_NEGATION:
      return kinds_of_web(kinds, kinds_web(kinds, instruction, KINDS_SRC, c)) !=
             KIND_MASK;
   case KINDS_TO: return tg_opcode_row(of->opcode)->dst_type != TG_TYPE_U32;
   case KINDS_SCALE: return true;
   default: return is_negative && kinds_rules[row->kinds].has_signed_zeros;
   }
}

/* What is moved or added is one if it was one or is negated. */
static void
apply_minus_zero(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   assert(instruction < kinds->shader->num_instructions);
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
kinds_range_find_numbers(struct kinds *kinds)
{
   kinds_settle(kinds, apply_use);
   find_ranges(kinds);
   kinds_settle(kinds, apply_minus_zero);
}

/* What is never computed is taken for 0. */
struct kinds_range
kinds_range(const struct kinds *kinds, uint32_t instruction, unsigned operand,
            unsigned channel)
{
   struct kinds_range range =
      kinds->facts ? range_of(kinds, instruction, operand, channel) : zero;

   return is_empty(range) ? zero : range;
}
