/* SPDX-License-Identifier: MIT
 *
 * 32-bit integer opcodes that take more than one operation. Nothing here is
 * undefined: shifts count modulo 32, and bit fields that leave the word have
 * the meaning that the comments give.
 */
#include "lower/operands/each.h"

static lir_value
umad(struct lower_context *context, unsigned channel)
{
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);
   lir_value product = lir_imul(&context->builder, a, b);

   return lir_iadd(&context->builder, product, c);
}

void
lower_op_umad(struct lower_context *context)
{
   lower_each_channel(context, umad);
}

/* |a - b| + c: a and b are compared as signed integers, the rest wraps. */
static lir_value
sad(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value a = lower_src(context, 0, channel);
   lir_value b = lower_src(context, 1, channel);
   lir_value c = lower_src(context, 2, channel);
   lir_value greater = lir_imax(builder, a, b);
   lir_value lesser = lir_imin(builder, a, b);
   lir_value difference = lir_isub(builder, greater, lesser);

   return lir_iadd(builder, difference, c);
}

void
lower_op_sad(struct lower_context *context)
{
   lower_each_channel(context, sad);
}

/* ---- shifts -------------------------------------------------------------- */

/* The count of SHL: that of the channel, or x for all. */
static lir_value
shift_count(struct lower_context *context, unsigned channel)
{
   if (context->dialect->shift_by_x)
      channel = 0;
   return lower_src(context, 1, channel);
}

static lir_value
shl(struct lower_context *context, unsigned channel)
{
   lir_value value = lower_src(context, 0, channel);
   lir_value count = shift_count(context, channel);

   return lir_ishl(&context->builder, value, count);
}

void
lower_op_shl(struct lower_context *context)
{
   lower_each_channel(context, shl);
}

/* One count for all channels in each dialect: 2019 has no SHR. */
static lir_value
shr(struct lower_context *context, unsigned channel)
{
   lir_value value = lower_src(context, 0, channel);
   lir_value count = lower_src(context, 1, 0);

   return lir_ishr(&context->builder, value, count);
}

void
lower_op_shr(struct lower_context *context)
{
   lower_each_channel(context, shr);
}

/* ---- bit fields ---------------------------------------------------------- */

/* Offset and width count modulo 32, but for the one field that is the whole
 * word: width 32 at offset 0. */
struct bit_field {
   lir_value offset;   /* 0 to 31 */
   lir_value width;    /* 0 to 31 */
   lir_value is_whole; /* truth value */
};

static struct bit_field
read_bit_field(struct lower_context *context, unsigned offset_src,
               unsigned width_src, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value raw_offset = lower_src(context, offset_src, channel);
   lir_value raw_width = lower_src(context, width_src, channel);
   lir_value mask = lir_const32(builder, 31);
   struct bit_field field;

   field.offset = lir_iand(builder, raw_offset, mask);
   field.width = lir_iand(builder, raw_width, mask);

   lir_value zero = lir_const32(builder, 0);
   lir_value full = lir_const32(builder, 32);
   lir_value is_first = lir_ieq(builder, field.offset, zero);
   lir_value is_full = lir_ieq(builder, raw_width, full);
   field.is_whole = lir_band(builder, is_first, is_full);
   return field;
}

/* The field moved to the low end by `shift_right`, ishr or ushr. Of a field
 * that goes beyond bit 31 the part inside the word; of none, 0. */
static lir_value
extract(struct lower_context *context, enum lir_op shift_right,
        unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value value = lower_src(context, 0, channel);
   struct bit_field field = read_bit_field(context, 1, 2, channel);
   lir_value zero = lir_const32(builder, 0);
   lir_value full = lir_const32(builder, 32);

   /* Shift out what lies above the field, then what lies below. */
   lir_value end = lir_iadd(builder, field.offset, field.width);
   lir_value room = lir_isub(builder, full, end);
   lir_value above = lir_imax(builder, room, zero);
   lir_value below = lir_iadd(builder, above, field.offset);
   lir_value high = lir_ishl(builder, value, above);
   const lir_value operands[2] = {high, below};
   lir_value low = lir_build(builder, shift_right, operands, 0);

   lir_value is_empty = lir_ieq(builder, field.width, zero);
   lir_value part = lir_sel32(builder, is_empty, zero, low);
   return lir_sel32(builder, field.is_whole, value, part);
}

static lir_value
ibfe(struct lower_context *context, unsigned channel)
{
   return extract(context, LIR_OP_ishr, channel);
}

void
lower_op_ibfe(struct lower_context *context)
{
   lower_each_channel(context, ibfe);
}

static lir_value
ubfe(struct lower_context *context, unsigned channel)
{
   return extract(context, LIR_OP_ushr, channel);
}

void
lower_op_ubfe(struct lower_context *context)
{
   lower_each_channel(context, ubfe);
}

/* Of a field that goes beyond bit 31 the part inside the word is replaced. */
static lir_value
bfi(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value base = lower_src(context, 0, channel);
   lir_value insert = lower_src(context, 1, channel);
   struct bit_field field = read_bit_field(context, 2, 3, channel);
   lir_value one = lir_const32(builder, 1);
   lir_value power = lir_ishl(builder, one, field.width);
   lir_value low_mask = lir_isub(builder, power, one);
   lir_value mask = lir_ishl(builder, low_mask, field.offset);
   lir_value outside = lir_inot(builder, mask);
   lir_value moved = lir_ishl(builder, insert, field.offset);
   lir_value new_bits = lir_iand(builder, moved, mask);
   lir_value old_bits = lir_iand(builder, base, outside);
   lir_value merged = lir_ior(builder, old_bits, new_bits);

   return lir_sel32(builder, field.is_whole, insert, merged);
}

void
lower_op_bfi(struct lower_context *context)
{
   lower_each_channel(context, bfi);
}

/* ---- sign ---------------------------------------------------------------- */

/* x clamped to [-1, 1]. */
static lir_value
issg(struct lower_context *context, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value x = lower_src(context, 0, channel);
   lir_value one = lir_const32(builder, 1);
   lir_value minus_one = lir_const32(builder, UINT32_MAX);
   lir_value at_most = lir_imin(builder, x, one);

   return lir_imax(builder, at_most, minus_one);
}

void
lower_op_issg(struct lower_context *context)
{
   lower_each_channel(context, issg);
}
