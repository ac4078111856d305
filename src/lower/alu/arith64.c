/* SPDX-License-Identifier: MIT
 *
 * Doubles and 64-bit integers. Pair 0 is channels x and y, pair 1 is z and w,
 * the low word first.
 *
 * A pair is computed when either of its channels is written. 64-bit
 * comparisons give x and y the result of pair 0, z and w that of pair 1.
 */
#include "lower/operands/each.h"

/* ---- one operation ------------------------------------------------------- */

static lir_value
alu64(struct lower_context *context, unsigned pair)
{
   lir_value operands[3];

   for (unsigned i = 0; i < lir_op_row(context->op)->num_operands; i++)
      operands[i] = lower_src_in_turn(context, i, pair);
   return lir_build(&context->builder, context->op, operands, 0);
}

void
lower_op_alu64(struct lower_context *context)
{
   lower_each_pair(context, alu64);
}

/* Channel x fills pair 0, channel y pair 1. */
static lir_value
widen(struct lower_context *context, unsigned pair)
{
   lir_value x = lower_src(context, 0, pair);

   return lir_build(&context->builder, context->op, &x, 0);
}

void
lower_op_widen(struct lower_context *context)
{
   lower_each_pair(context, widen);
}

/* The channels that are written are of pair 0 and pair 1 in turn. */
static void
narrow_in_turn(struct lower_context *context)
{
   lir_value value[2];
   unsigned count = 0;

   for (unsigned channel = 0; channel < 4; channel++) {
      if (!lower_dst_writes(context, 0, channel))
         continue;
      const unsigned pair = count % 2;
      if (count < 2) {
         lir_value x = lower_src64(context, 0, pair);
         value[pair] = lir_build(&context->builder, context->op, &x, 0);
      }
      lower_dst(context, 0, channel, value[pair]);
      count++;
   }
}

/* Pair 0 gives x and z, pair 1 gives y and w. */
void
lower_op_narrow(struct lower_context *context)
{
   if (context->shader->quirks & TG_QUIRK_PAIRS_IN_TURN) {
      narrow_in_turn(context);
      return;
   }
   for (unsigned pair = 0; pair < 2; pair++) {
      if (!lower_dst_writes(context, 0, pair) &&
          !lower_dst_writes(context, 0, pair + 2))
         continue;
      lir_value x = lower_src64(context, 0, pair);
      lir_value value = lir_build(&context->builder, context->op, &x, 0);
      lower_dst(context, 0, pair, value);
      lower_dst(context, 0, pair + 2, value);
   }
}

/* The counts are 32-bit: channel x for pair 0, y for pair 1. */
static lir_value
shift64(struct lower_context *context, unsigned pair)
{
   lir_value operands[2];

   operands[0] = lower_src_in_turn(context, 0, pair);
   operands[1] = lower_src(context, 1, pair);
   return lir_build(&context->builder, context->op, operands, 0);
}

void
lower_op_shift64(struct lower_context *context)
{
   lower_each_pair(context, shift64);
}

/* ---- set ----------------------------------------------------------------- */

void
lower_op_set_mask64(struct lower_context *context)
{
   for (unsigned pair = 0; pair < 2; pair++) {
      if (!lower_dst_writes_pair(context, 0, pair))
         continue;
      lir_value condition = alu64(context, pair);
      lir_value value = lir_b2i(&context->builder, condition);
      lower_dst(context, 0, 2 * pair, value);
      lower_dst(context, 0, 2 * pair + 1, value);
   }
}

static lir_value
one_or_zero(struct lower_context *context, unsigned pair)
{
   lir_value condition = alu64(context, pair);
   lir_value one = lir_constd(&context->builder, 1.0);
   lir_value zero = lir_constd(&context->builder, 0.0);

   return lir_sel64(&context->builder, condition, one, zero);
}

/* DSEQ and DSLT gave a double, 1 or 0, when they were new. */
void
lower_op_set_double(struct lower_context *context)
{
   if (context->dialect->compare_one)
      lower_each_pair(context, one_or_zero);
   else
      lower_op_set_mask64(context);
}

/* ---- doubles ------------------------------------------------------------- */

static lir_value
dmad(struct lower_context *context, unsigned pair)
{
   lir_value a = lower_src_in_turn(context, 0, pair);
   lir_value b = lower_src_in_turn(context, 1, pair);
   lir_value c = lower_src_in_turn(context, 2, pair);

   if (lower_arith_is_fused(context))
      return lir_dfma(&context->builder, a, b, c);
   lir_value product = lir_dmul(&context->builder, a, b);
   return lir_dadd(&context->builder, product, c);
}

void
lower_op_dmad(struct lower_context *context)
{
   lower_each_pair(context, dmad);
}

static lir_value
drcp(struct lower_context *context, unsigned pair)
{
   lir_value x = lower_src_in_turn(context, 0, pair);
   lir_value one = lir_constd(&context->builder, 1.0);

   return lir_ddiv(&context->builder, one, x);
}

void
lower_op_drcp(struct lower_context *context)
{
   lower_each_pair(context, drcp);
}

static lir_value
drsq(struct lower_context *context, unsigned pair)
{
   lir_value x = lower_src_in_turn(context, 0, pair);
   lir_value root = lir_dsqrt(&context->builder, x);
   lir_value one = lir_constd(&context->builder, 1.0);

   return lir_ddiv(&context->builder, one, root);
}

void
lower_op_drsq(struct lower_context *context)
{
   lower_each_pair(context, drsq);
}

static lir_value
dfrac(struct lower_context *context, unsigned pair)
{
   lir_value x = lower_src_in_turn(context, 0, pair);
   lir_value floor = lir_dfloor(&context->builder, x);

   return lir_dsub(&context->builder, x, floor);
}

void
lower_op_dfrac(struct lower_context *context)
{
   lower_each_pair(context, dfrac);
}

/* 1, -1, or +0 for zeros and NaN. */
static lir_value
dssg(struct lower_context *context, unsigned pair)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src_in_turn(context, 0, pair);
   lir_value zero = lir_constd(builder, 0.0);
   lir_value minus_one = lir_constd(builder, -1.0);
   lir_value is_negative = lir_dlt(builder, x, zero);
   lir_value is_positive = lir_dlt(builder, zero, x);
   lir_value otherwise = lir_sel64(builder, is_negative, minus_one, zero);
   lir_value one = lir_constd(builder, 1.0);

   return lir_sel64(builder, is_positive, one, otherwise);
}

void
lower_op_dssg(struct lower_context *context)
{
   lower_each_pair(context, dssg);
}

/* ---- 64-bit integers ----------------------------------------------------- */

/* The greater of x and -x; of the least integer itself. */
static lir_value
i64abs(struct lower_context *context, unsigned pair)
{
   lir_value x = lower_src_in_turn(context, 0, pair);
   lir_value negated = lir_lneg(&context->builder, x);

   return lir_lmax(&context->builder, x, negated);
}

void
lower_op_i64abs(struct lower_context *context)
{
   lower_each_pair(context, i64abs);
}

/* x clamped to [-1, 1]. */
static lir_value
i64ssg(struct lower_context *context, unsigned pair)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src_in_turn(context, 0, pair);
   lir_value one = lir_const64(builder, 1);
   lir_value minus_one = lir_const64(builder, UINT64_MAX);
   lir_value at_most = lir_lmin(builder, x, one);

   return lir_lmax(builder, at_most, minus_one);
}

void
lower_op_i64ssg(struct lower_context *context)
{
   lower_each_pair(context, i64ssg);
}
