/* SPDX-License-Identifier: MIT
 *
 * Shifts, bit fields and bit counts of integers that are floats: to shift is to
 * multiply by a power of two and, to the right, to round down. EX2 of a whole
 * number is exact.
 */
#include "tegra/select/select.h"

#include <math.h>

#include "tegra/select/kinds_bounds.h"

/* ---- powers of two ------------------------------------------------------- */

/* What a division by a power of two leaves, also of a number below 0. */
static void
take_modulo(struct select *select, struct select_place place,
            struct mir_source number, struct mir_source power,
            struct mir_source reciprocal)
{
   struct select_place t = select_temporary_place(select, place.mask);

   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, number, reciprocal);
   select_emit_vector1(select, TEGRA_VECTOR_FRC, t, select_value(t));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, place, select_value(t), power);
}

/* 2^n, or 2^-n for a sign of -1, where n are these bits of a literal. */
static struct mir_source
power_of_literal(struct select *select, unsigned index, int sign, uint32_t bits)
{
   struct mir_source power = mir_number(1);

   for (unsigned c = 0; c < 4; c++) {
      int32_t n = (int32_t)(select_source_literal(select, index, c) & bits);
      power.literal[c] = tg_bits_of_float(ldexpf(1, sign * n));
   }
   return power;
}

/* 2^n. */
static struct mir_source
power_of_source(struct select *select, struct mir_source n, unsigned mask)
{
   struct select_place t = select_temporary_place(select, mask);

   select_emit_scalars(select, TEGRA_SCALAR_EX2, t, n);
   return select_value(t);
}

/* 2^n, or 2^-n for a sign of -1, where n is source `index` modulo 32. */
static struct mir_source
power_of(struct select *select, unsigned index, int sign, unsigned mask)
{
   struct kinds_range range = select_source_bounds(select, index, mask);
   struct mir_source n = select_source(select, index);

   if (select_source_is_literal(select, index))
      return power_of_literal(select, index, sign, 31);
   if (range.low < 0 || range.high > 31) {
      struct select_place t = select_temporary_place(select, mask);
      take_modulo(select, t, n, mir_number(32), mir_number(0x1p-5f));
      n = select_value(t);
   }
   return power_of_source(select, sign < 0 ? mir_negate(n) : n, mask);
}

/* ---- shifts -------------------------------------------------------------- */

/* Where the first component of the count is that of all, as always for SHR, a
 * count with components that differ is refused. */
static void
check_counts(struct select *select)
{
   const struct tg_instruction *instruction = select->instruction;
   const uint8_t *swizzle = instruction->src[1].swizzle;
   bool is_by_x = instruction->opcode == TG_OPCODE_SHR ||
                  tg_dialect_row(select->shader->dialect)->shift_by_x;

   for (unsigned c = 0; c < 4; c++) {
      if (is_by_x && instruction->dst[0].writemask & 1u << c &&
          swizzle[c] != swizzle[0])
         select_refuse(select, SELECT_REFUSED_SHIFT);
   }
}

void
select_op_shl(struct select *select)
{
   struct select_place result = select_result(select);
   struct mir_source x = select_source(select, 0);

   check_counts(select);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, result, x,
                       power_of(select, 1, 1, result.mask));
}

void
select_op_shr(struct select *select)
{
   struct select_place result = select_result(select);
   struct mir_source x = select_source(select, 0);
   struct select_place t = select_temporary_place(select, result.mask);

   if (select->instruction->opcode == TG_OPCODE_SHR)
      check_counts(select);
   if (select->info->src_type[0] == TG_TYPE_U32 &&
       select_source_may_be_negative(select, 0, result.mask))
      select_refuse(select, SELECT_REFUSED_SIGN);
   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, x,
                       power_of(select, 1, -1, result.mask));
   select_emit_vector1(select, TEGRA_VECTOR_FLR, result, select_value(t));
}

/* The exponent has to be that of a normal number, so that there is one product
 * and it rounds once. */
void
select_op_ldexp(struct select *select)
{
   struct select_place result = select_result(select);
   struct kinds_range range = select_source_bounds(select, 1, result.mask);
   struct mir_source x = select_source(select, 0);
   struct mir_source n = select_source(select, 1);

   if (range.low < -126 || range.high > 127) {
      select_refuse(select, SELECT_REFUSED_EXPONENT);
      return;
   }
   select_emit_vector2(select, TEGRA_VECTOR_MUL, result, x,
                       select_source_is_literal(select, 1)
                          ? power_of_literal(select, 1, 1, UINT32_MAX)
                          : power_of_source(select, n, result.mask));
}

/* ---- fields -------------------------------------------------------------- */

/* Of a field that sources say: 2^-offset, 2^width and 2^-width. */
struct field {
   struct kinds_range offset, width;
   struct mir_source down, size, fraction;
};

/* Components in which the field is the whole word: 32 bits of a literal. A
 * width of 32 that comes by counting is refused, as it may mean none. */
static unsigned
find_whole(struct select *select, unsigned index, unsigned mask)
{
   unsigned whole = 0;

   for (unsigned c = 0; c < 4; c++) {
      unsigned bit = mask & tegra_mask_bit(c);
      struct kinds_range offset = select_source_bounds(select, index, bit);
      struct kinds_range width = select_source_bounds(select, index + 1, bit);

      if (!bit || width.low > 32 || width.high < 32 || offset.low > 0 ||
          offset.high < 0)
         continue;
      if (width.low != width.high || offset.low != offset.high)
         select_refuse(select, SELECT_REFUSED_FIELD);
      whole |= bit;
   }
   return whole;
}

static struct field
read_field(struct select *select, unsigned index, unsigned mask)
{
   struct field field = {
      .offset = bounds_shift(select_source_bounds(select, index, mask)),
      .width = bounds_shift(select_source_bounds(select, index + 1, mask)),
   };

   if (!mask)
      return field;
   field.down = power_of(select, index, -1, mask);
   field.size = power_of(select, index + 1, 1, mask);
   field.fraction = power_of(select, index + 1, -1, mask);
   return field;
}

/* x / 2^offset rounded down. */
static struct mir_source
shift_down(struct select *select, struct mir_source x,
           const struct field *field, unsigned mask)
{
   struct select_place t = select_temporary_place(select, mask);

   if (field->offset.high == 0)
      return x;
   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, x, field->down);
   select_emit_vector1(select, TEGRA_VECTOR_FLR, t, select_value(t));
   return select_value(t);
}

/* What fits into the width of it. */
static void
cut_off(struct select *select, struct select_place place, struct mir_source x,
        const struct field *field)
{
   take_modulo(select, place, x, field->size, field->fraction);
}

/* A number below 0 has ones up to bit 31; a field must end before they do. */
void
select_op_ubfe(struct select *select)
{
   struct select_place result = select_result_parts(select);
   unsigned whole = find_whole(select, 1, result.mask);
   unsigned mask = result.mask & ~whole;
   struct mir_source x = select_source(select, 0);
   struct field field = read_field(select, 1, mask);

   if (mask && select_source_may_be_negative(select, 0, mask) &&
       field.offset.high + field.width.high > 31)
      select_refuse(select, SELECT_REFUSED_FIELD);
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(result, whole), x);
   if (mask)
      cut_off(select, select_masked_place(result, mask),
              shift_down(select, x, &field, mask), &field);
}

/* Components in which the field is at least as wide as what there is. */
static unsigned
find_room(const struct select *select, unsigned mask)
{
   unsigned room = 0;

   for (unsigned c = 0; c < 4; c++) {
      unsigned bit = mask & tegra_mask_bit(c);
      const struct kinds_range sources[] = {
         select_source_bounds(select, 0, bit),
         select_source_bounds(select, 1, bit),
      };
      struct kinds_range shifted = bounds_right(sources);
      double half =
         exp2(bounds_shift(select_source_bounds(select, 2, bit)).low - 1);

      if (bit && shifted.low >= -half && shifted.high < half)
         room |= bit;
   }
   return room;
}

/* Half of the field is added, so that its upper half comes to be below the
 * lower one; from there on both are one half too high. */
static void
cut_off_signed(struct select *select, struct select_place place,
               struct mir_source x, const struct field *field)
{
   struct mir_source half = mir_number(0.5f);
   struct select_place t = select_temporary_place(select, place.mask);

   select_emit_vector3(select, TEGRA_VECTOR_MAD, t, x, field->fraction, half);
   select_emit_vector1(select, TEGRA_VECTOR_FRC, t, select_value(t));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, t, select_value(t),
                       mir_negate(half));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, place, select_value(t),
                       field->size);
}

/* With one half more, x has to have room in 24 bits. */
void
select_op_ibfe(struct select *select)
{
   struct select_place result = select_result_parts(select);
   unsigned whole = find_whole(select, 1, result.mask);
   unsigned mask = result.mask & ~whole;
   unsigned narrow = mask & ~find_room(select, mask);
   struct mir_source x = select_source(select, 0);
   struct field field = read_field(select, 1, mask);

   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(result, whole), x);
   if (!mask)
      return;
   x = shift_down(select, x, &field, mask);
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(result, mask & ~narrow), x);
   if (!narrow)
      return;

   struct kinds_range range = select_source_bounds(select, 0, narrow);
   double widest = bounds_shift(select_source_bounds(select, 2, narrow)).high;
   if (range.low < -0x1p23 || range.high > 0x1p23 || widest > 23)
      select_refuse(select, SELECT_REFUSED_FIELD);
   cut_off_signed(select, select_masked_place(result, narrow), x, &field);
}

/* base + (insert - what base has there) 2^offset. */
void
select_op_bfi(struct select *select)
{
   struct select_place result = select_result(select);
   unsigned whole = find_whole(select, 2, result.mask);
   unsigned mask = result.mask & ~whole;
   struct mir_source base = select_source(select, 0);
   struct mir_source insert = select_source(select, 1);
   struct field field = read_field(select, 2, mask);
   struct select_place t = select_temporary_place(select, mask);
   struct select_place u = select_temporary_place(select, result.mask);

   select_emit_vector1(select, TEGRA_VECTOR_MOV, select_masked_place(u, whole),
                       insert);
   if (mask) {
      cut_off(select, t, insert, &field);
      cut_off(select, select_masked_place(u, mask),
              shift_down(select, base, &field, mask), &field);
      select_emit_vector2(select, TEGRA_VECTOR_ADD, t, select_value(t),
                          mir_negate(select_value(u)));
      select_emit_vector3(select, TEGRA_VECTOR_MAD,
                          select_masked_place(u, mask), select_value(t),
                          power_of(select, 2, 1, mask), base);
   }
   select_emit_vector1(select, TEGRA_VECTOR_MOV, result, select_value(u));
}

/* ---- single bits --------------------------------------------------------- */

/* x less its halves, rounded down, until nothing is left: a bit n counts 2^n
 * once and 2^(n-1), 2^(n-2) and so on not. */
void
select_op_popc(struct select *select)
{
   struct select_place result = select_result(select);
   struct mir_source x = select_source(select, 0);
   double high = select_source_bounds(select, 0, result.mask).high;
   double above = bounds_power_above(fmin(high, KINDS_EXACT));
   struct select_place t = select_temporary_place(select, result.mask);
   struct select_place sum = select_temporary_place(select, result.mask);
   struct mir_source rest = x;

   select_emit_vector1(select, TEGRA_VECTOR_MOV, sum, x);
   for (; above > 2; above /= 2) {
      select_emit_vector2(select, TEGRA_VECTOR_MUL, t, rest, mir_number(0.5f));
      rest = select_value(t);
      select_emit_vector1(select, TEGRA_VECTOR_FLR, t, rest);
      select_emit_vector2(select, TEGRA_VECTOR_ADD, sum, select_value(sum),
                          mir_negate(rest));
   }
   select_emit_vector1(select, TEGRA_VECTOR_MOV, result, select_value(sum));
}

/* The exponent of a float, which is -infinity for 0: -1 here. */
static void
find_highest(struct select *select, struct mir_source x)
{
   struct select_place result = select_result_parts(select);

   for (unsigned c = 0; c < 4; c++) {
      struct select_place t = select_temporary_place(select, tegra_mask_bit(0));

      if (!tegra_mask_has(result.mask, c))
         continue;
      select_emit_scalar(select, TEGRA_SCALAR_LOG, t, mir_component(x, c));
      select_emit_vector2(select, TEGRA_VECTOR_MAX,
                          select_masked_place(result, tegra_mask_bit(c)),
                          mir_component(select_value(t), 0), mir_number(-1));
   }
}

void
select_op_umsb(struct select *select)
{
   find_highest(select, select_source(select, 0));
}

/* The highest bit that is not as the sign: of x, or of NOT x below 0. */
void
select_op_imsb(struct select *select)
{
   unsigned mask = select_result(select).mask;
   struct mir_source x = select_source(select, 0);
   struct select_place t = select_temporary_place(select, mask);

   select_emit_vector2(select, TEGRA_VECTOR_ADD, t, mir_negate(x),
                       mir_number(-1));
   select_emit_vector2(select, TEGRA_VECTOR_MAX, t, select_value(t), x);
   find_highest(select, select_value(t));
}

/* One step of many zeros: where the number has so many at its end, they are
 * counted and taken away. */
static void
skip_zeros(struct select *select, struct select_place rest,
           struct select_place count, unsigned num)
{
   float factor = ldexpf(1, -(int)num);
   struct select_place t = select_temporary_place(select, rest.mask);
   struct mir_source value = select_value(t);

   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, select_value(rest),
                       mir_number(factor));
   select_emit_vector1(select, TEGRA_VECTOR_FRC, t, value);
   select_emit_vector2(select, TEGRA_VECTOR_SEQ, t, value, mir_number(0));
   select_emit_vector3(select, TEGRA_VECTOR_MAD, count, value,
                       mir_number((float)num), select_value(count));
   select_emit_vector3(select, TEGRA_VECTOR_MAD, t, value,
                       mir_number(factor - 1), mir_number(1));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, rest, select_value(rest),
                       value);
}

/* 0 has 31 of them, and no place: 31 - 32. */
void
select_op_lsb(struct select *select)
{
   struct select_place result = select_result(select);
   struct mir_source x = select_source(select, 0);
   struct select_place rest = select_temporary_place(select, result.mask);
   struct select_place count = select_temporary_place(select, result.mask);

   select_emit_vector1(select, TEGRA_VECTOR_MOV, rest, x);
   select_emit_vector2(select, TEGRA_VECTOR_SEQ, count, x, mir_number(0));
   select_emit_vector2(select, TEGRA_VECTOR_MUL, count, select_value(count),
                       mir_number(-32));
   for (unsigned num = 16; num > 0; num /= 2)
      skip_zeros(select, rest, count, num);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, result, select_value(count));
}
