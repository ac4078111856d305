/* SPDX-License-Identifier: MIT
 *
 * Packing floats into a word and back. The first channel is in the low bits.
 *
 * To an integer field of scale s: NaN becomes 0, the rest is clamped to the
 * range, multiplied by s and rounded once, ties to even. From it: divided by
 * s, the most negative signed field being -1 like its neighbour.
 */
#include <assert.h>

#include "lower/math/math.h"
#include "lower/operands/each.h"

/* ---- pack ---------------------------------------------------------------- */

struct pack_format {
   unsigned num_fields;
   unsigned bits; /* of a field */
   float low;     /* least value: 0 or -1; the greatest is 1 */
   double scale;  /* what 1 becomes; 16 bits at most */
};

/* The field as an integer of 32 bits; d2i makes 0 of NaN. As a double the
 * product is exact. As a float it might round to a tie that it is not. */
static lir_value
quantize(struct lir_builder *builder, const struct pack_format *format,
         lir_value x)
{
   lir_value bounded = lower_math_clamp(builder, x, format->low, 1.0f);
   lir_value wide = lir_f2d(builder, bounded);
   lir_value scale = lir_constd(builder, format->scale);
   lir_value scaled = lir_dmul(builder, wide, scale);
   lir_value rounded = lir_dround(builder, scaled);

   return lir_d2i(builder, rounded);
}

/* word | field << shift, of the low `bits` of the field. */
static lir_value
insert_field(struct lir_builder *builder, lir_value word, lir_value field,
             unsigned bits, unsigned shift)
{
   lir_value mask = lir_const32(builder, (UINT32_C(1) << bits) - 1);
   lir_value masked = lir_iand(builder, field, mask);
   lir_value count = lir_const32(builder, shift);
   lir_value shifted = lir_ishl(builder, masked, count);

   return lir_ior(builder, word, shifted);
}

static void
pack(struct lower_context *context, const struct pack_format *format)
{
   struct lir_builder *builder = &context->builder;
   lir_value word = lir_const32(builder, 0);

   for (unsigned i = 0; i < format->num_fields; i++) {
      lir_value x = lower_src(context, 0, i);
      lir_value field = quantize(builder, format, x);
      word = insert_field(builder, word, field, format->bits, i * format->bits);
   }
   lower_dst_all(context, 0, word);
}

void
lower_op_pk2h(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, 0);
   lir_value y = lower_src(context, 0, 1);
   lir_value low = lir_f2h(builder, x);
   lir_value high = lir_f2h(builder, y);
   lir_value word = insert_field(builder, low, high, 16, 16);

   lower_dst_all(context, 0, word);
}

void
lower_op_pk2us(struct lower_context *context)
{
   static const struct pack_format unorm16 = {2, 16, 0.0f, 65535.0};

   pack(context, &unorm16);
}

void
lower_op_pk4b(struct lower_context *context)
{
   static const struct pack_format snorm8 = {4, 8, -1.0f, 127.0};

   pack(context, &snorm8);
}

void
lower_op_pk4ub(struct lower_context *context)
{
   static const struct pack_format unorm8 = {4, 8, 0.0f, 255.0};

   pack(context, &unorm8);
}

/* ---- unpack -------------------------------------------------------------- */

/* Field `index` of channel x, moved to the low end by `shift_right`: ishr
 * extends its sign, ushr does not. */
static lir_value
extract_field(struct lower_context *context, enum lir_op shift_right,
              unsigned bits, unsigned index)
{
   assert(bits * (index + 1) <= 32);
   struct lir_builder *builder = &context->builder;
   lir_value word = lower_src(context, 0, 0);
   lir_value above = lir_const32(builder, 32 - bits * (index + 1));
   lir_value below = lir_const32(builder, 32 - bits);
   lir_value high = lir_ishl(builder, word, above);
   const lir_value operands[2] = {high, below};

   return lir_build(builder, shift_right, operands, 0);
}

static lir_value
unpack_unorm(struct lower_context *context, unsigned bits, unsigned index)
{
   assert(bits < 32);
   struct lir_builder *builder = &context->builder;
   lir_value field = extract_field(context, LIR_OP_ushr, bits, index);
   lir_value scale = lir_constf(builder, (float)((1u << bits) - 1));
   lir_value value = lir_u2f(builder, field);

   return lir_fdiv(builder, value, scale);
}

/* The halves fill x and y; z and w repeat them. */
static lir_value
up2h(struct lower_context *context, unsigned channel)
{
   lir_value half = extract_field(context, LIR_OP_ushr, 16, channel % 2);

   return lir_h2f(&context->builder, half);
}

void
lower_op_up2h(struct lower_context *context)
{
   lower_each_channel(context, up2h);
}

static lir_value
up2us(struct lower_context *context, unsigned channel)
{
   return unpack_unorm(context, 16, channel % 2);
}

void
lower_op_up2us(struct lower_context *context)
{
   lower_each_channel(context, up2us);
}

static lir_value
up4ub(struct lower_context *context, unsigned channel)
{
   return unpack_unorm(context, 8, channel);
}

void
lower_op_up4ub(struct lower_context *context)
{
   lower_each_channel(context, up4ub);
}

static lir_value
up4b(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value field = extract_field(context, LIR_OP_ishr, 8, channel);
   lir_value scale = lir_constf(builder, 127.0f);
   lir_value value = lir_i2f(builder, field);
   lir_value quotient = lir_fdiv(builder, value, scale);
   lir_value least = lir_constf(builder, -1.0f);

   return lir_fmax(builder, quotient, least);
}

void
lower_op_up4b(struct lower_context *context)
{
   lower_each_channel(context, up4b);
}
