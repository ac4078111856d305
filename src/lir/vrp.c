/* SPDX-License-Identifier: MIT
 *
 * Value range propagation: what follows from the ranges of operands. Clamps
 * that change nothing go, results of which there is but one become constants,
 * and unsigned conversions become signed ones, which are what machines have.
 */
#include "lir/evaluate.h"
#include "lir/passes.h"
#include "lir/range.h"
#include "lir/rewrite.h"

struct place {
   struct lir_rewrite *rewrite;
   const struct lir_range *ranges; /* of the function's values */
   uint32_t index;
   struct lir_inst *inst;
   const struct lir_range *a, *b; /* of its operands */
};

/* ---- clamps -------------------------------------------------------------- */

/* Is it a number that is at most the other? Of zeros, too: no sign makes the
 * greater one the lesser. */
static bool
is_at_most(const struct lir_range *a, const struct lir_range *b)
{
   return !a->may_be_nan && !b->may_be_nan &&
          (a->high < b->low || (a->high == b->low && !b->may_be_minus_zero));
}

/* The operand that the operation always gives, or NULL. */
static const lir_value *
find_extreme(const struct place *place)
{
   if (!place->b)
      return NULL;
   const lir_value *operand = place->inst->operand;
   const struct lir_range ua = lir_range_unsigned(place->a),
                          ub = lir_range_unsigned(place->b),
                          sa = lir_range_signed(place->a),
                          sb = lir_range_signed(place->b);

   switch (place->inst->op) {
   case LIR_OP_umin:
      return ua.most <= ub.least   ? &operand[0]
             : ub.most <= ua.least ? &operand[1]
                                   : NULL;
   case LIR_OP_umax:
      return ua.least >= ub.most   ? &operand[0]
             : ub.least >= ua.most ? &operand[1]
                                   : NULL;
   case LIR_OP_imin:
      return sa.most <= sb.least   ? &operand[0]
             : sb.most <= sa.least ? &operand[1]
                                   : NULL;
   case LIR_OP_imax:
      return sa.least >= sb.most   ? &operand[0]
             : sb.least >= sa.most ? &operand[1]
                                   : NULL;
   case LIR_OP_fmin:
      return is_at_most(place->a, place->b)   ? &operand[0]
             : is_at_most(place->b, place->a) ? &operand[1]
                                              : NULL;
   case LIR_OP_fmax:
      return is_at_most(place->b, place->a)   ? &operand[0]
             : is_at_most(place->a, place->b) ? &operand[1]
                                              : NULL;
   default: return NULL;
   }
}

/* Is it one number whose set bits are the lowest? */
static bool
is_low_mask(const struct lir_range *range)
{
   return range->least == range->most && range->least > 0 &&
          (range->least & (range->least + 1)) == 0;
}

/* Does the operation leave its first operand as it is? */
static bool
changes_nothing(const struct place *place)
{
   switch (place->inst->op) {
   case LIR_OP_fsat: return lir_range_is_within(place->a, 0.0f, 1.0f);
   case LIR_OP_fabs:
      return lir_range_is_within(place->a, 0.0f, __builtin_inff());
   case LIR_OP_iand:
      return is_low_mask(place->b) &&
             lir_range_unsigned(place->a).most <= place->b->least;
   default: return false;
   }
}

/* ---- comparisons --------------------------------------------------------- */

enum answer { UNKNOWN, NO, YES };

static enum answer
is_below(const struct lir_range *a, const struct lir_range *b)
{
   return a->most < b->least ? YES : a->least >= b->most ? NO : UNKNOWN;
}

static enum answer
is_float_below(const struct lir_range *a, const struct lir_range *b)
{
   if (a->low >= b->high)
      return NO; /* and if either is NaN */
   return a->high < b->low && !a->may_be_nan && !b->may_be_nan ? YES : UNKNOWN;
}

static enum answer not(enum answer answer) {
   return answer == UNKNOWN ? UNKNOWN
          : answer == YES   ? NO
                            : YES;
}

static enum answer
compare(const struct place *place)
{
   const struct lir_range *a = place->a, *b = place->b;
   const bool is_same =
      place->inst->operand[0].index == place->inst->operand[1].index;
   const bool are_numbers = a && b && !a->may_be_nan && !b->may_be_nan;

   switch (place->inst->op) {
   case LIR_OP_ult:
   case LIR_OP_uge: {
      const struct lir_range ua = lir_range_unsigned(a);
      const struct lir_range ub = lir_range_unsigned(b);
      const enum answer below = is_below(&ua, &ub);

      return place->inst->op == LIR_OP_ult ? below : not(below);
   }
   case LIR_OP_ilt:
   case LIR_OP_ige: {
      const struct lir_range sa = lir_range_signed(a);
      const struct lir_range sb = lir_range_signed(b);
      const enum answer below = is_below(&sa, &sb);

      return place->inst->op == LIR_OP_ilt ? below : not(below);
   }
   case LIR_OP_flt: return is_float_below(a, b);
   case LIR_OP_fge: return are_numbers ? not(is_float_below(a, b)) : UNKNOWN;
   case LIR_OP_feq: return is_same && are_numbers ? YES : UNKNOWN;
   case LIR_OP_fne: return is_same && are_numbers ? NO : UNKNOWN;
   default: return UNKNOWN;
   }
}

/* ---- rewriting ----------------------------------------------------------- */

static void
become_constant(struct place *place, enum lir_op op, uint64_t number)
{
   place->inst->op = (uint16_t)op;
   place->inst->imm = number;
   place->rewrite->changed = true;
}

static void
become(struct place *place, enum lir_op op)
{
   place->inst->op = (uint16_t)op;
   place->rewrite->changed = true;
}

static bool
is_known(const struct place *place)
{
   const struct lir_op_info *row = lir_op_row(place->inst->op);
   const struct lir_range *range = &place->ranges[place->index];

   return row->type == LIR_TYPE_B32 && !(row->flags & LIR_FLAG_WRITE) &&
          row->imm != LIR_IMM_CONST && range->least == range->most;
}

static void
rewrite_conversion(struct place *place)
{
   const struct lir_range *a = place->a;

   if (place->inst->op == LIR_OP_u2f && lir_range_unsigned(a).most <= INT32_MAX)
      become(place, LIR_OP_i2f);
   else if (place->inst->op == LIR_OP_f2u && a->low > -1 && a->high < 0x1p31f)
      become(place, LIR_OP_f2i);
}

static void
rewrite_instruction(struct place *place)
{
   const enum answer answer = compare(place);
   const lir_value *extreme = find_extreme(place);

   if (extreme)
      lir_rewrite_replace(place->rewrite, place->index, *extreme);
   else if (changes_nothing(place))
      lir_rewrite_replace(place->rewrite, place->index,
                          place->inst->operand[0]);
   else if (is_known(place))
      become_constant(place, LIR_OP_const32,
                      (uint32_t)place->ranges[place->index].least);
   else if (answer != UNKNOWN)
      become_constant(place, LIR_OP_const1, answer == YES);
   else
      rewrite_conversion(place);
}

static bool
rewrite_function(struct lir_rewrite *rewrite, void *user)
{
   struct lir_range **ranges = user;
   struct place place = {
      .rewrite = rewrite,
      .ranges = ranges[rewrite->function_index],
   };

   for (uint32_t i = 0; i < rewrite->function->num_insts; i++) {
      place.index = i;
      place.inst = &rewrite->function->insts[i];
      const unsigned count = lir_op_row(place.inst->op)->num_operands;
      lir_rewrite_operands(rewrite, place.inst);
      place.a = count > 0 ? &place.ranges[place.inst->operand[0].index] : NULL;
      place.b = count > 1 ? &place.ranges[place.inst->operand[1].index] : NULL;
      rewrite_instruction(&place);
   }
   return true;
}

enum tg_result
lir_pass_vrp(struct lir_module *module, bool *changed_out)
{
   enum tg_result result = TG_ERROR_MEMORY;
   struct tg_arena arena;

   tg_arena_init(&arena, module->arena.allocator);
   struct lir_range **ranges = lir_find_ranges(module, &arena);
   if (ranges)
      result =
         lir_rewrite_module(module, rewrite_function, ranges, changed_out);
   tg_arena_finish(&arena);
   return result;
}
