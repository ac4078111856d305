/* SPDX-License-Identifier: MIT
 *
 * See math.h.
 */
#include "lower/math/math.h"

#include <assert.h>

/* ---- polynomials --------------------------------------------------------- */

lir_value
lower_math_polynomial(struct lir_builder *builder, lir_value x,
                      const float *coefficients, unsigned count)
{
   assert(count > 0);
   lir_value value = lir_constf(builder, coefficients[count - 1]);

   for (unsigned i = count - 1; i-- > 0;) {
      lir_value coefficient = lir_constf(builder, coefficients[i]);
      value = lir_ffma(builder, value, x, coefficient);
   }
   return value;
}

lir_value
lower_math_polynomial64(struct lir_builder *builder, lir_value x,
                        const double *coefficients, unsigned count)
{
   assert(count > 0);
   lir_value value = lir_constd(builder, coefficients[count - 1]);

   for (unsigned i = count - 1; i-- > 0;) {
      lir_value coefficient = lir_constd(builder, coefficients[i]);
      value = lir_dfma(builder, value, x, coefficient);
   }
   return value;
}

/* ---- the nearest integer ------------------------------------------------- */

/* 1.5 * 2^23: the last place of floats of that size is 1, so that a sum is
 * rounded to an integer, which is in its last bits. */

struct lower_nearest
lower_math_nearest(struct lir_builder *builder, lir_value x)
{
   lir_value large = lir_constf(builder, 0x1.8p23f);
   lir_value sum = lir_fadd(builder, x, large);
   lir_value number = lir_fsub(builder, sum, large);

   return (struct lower_nearest){number, sum};
}

struct lower_nearest
lower_math_nearest_product(struct lir_builder *builder, lir_value x,
                           lir_value y)
{
   lir_value large = lir_constf(builder, 0x1.8p23f);
   lir_value sum = lir_ffma(builder, x, y, large);
   lir_value number = lir_fsub(builder, sum, large);

   return (struct lower_nearest){number, sum};
}

/* ---- powers of two ------------------------------------------------------- */

lir_value
lower_math_power_of_two(struct lir_builder *builder, lir_value n)
{
   lir_value bias = lir_const32(builder, 127);
   lir_value shift = lir_const32(builder, 23);
   lir_value biased = lir_iadd(builder, n, bias);

   return lir_ishl(builder, biased, shift);
}

lir_value
lower_math_power_of_two64(struct lir_builder *builder, lir_value n)
{
   lir_value bias = lir_const32(builder, 1023);
   lir_value shift = lir_const32(builder, 20);
   lir_value biased = lir_iadd(builder, n, bias);
   lir_value high = lir_ishl(builder, biased, shift);
   lir_value low = lir_const32(builder, 0);

   return lir_pack64(builder, low, high);
}

/* ---- rare cases ---------------------------------------------------------- */

struct lower_rare
lower_math_begin_rare(struct lir_builder *builder, lir_value is_rare,
                      lir_value usual)
{
   struct lower_rare rare = {
      .result = lir_module_add_var(builder->module, LIR_TYPE_B32, "rare"),
   };

   lir_setvar(builder, rare.result, usual);
   lir_begin_if(builder, is_rare);
   return rare;
}

lir_value
lower_math_end_rare(struct lir_builder *builder, struct lower_rare rare,
                    lir_value value)
{
   lir_setvar(builder, rare.result, value);
   lir_end(builder);
   return lir_getvar(builder, rare.result);
}

/* ---- signs --------------------------------------------------------------- */

lir_value
lower_math_flip_sign(struct lir_builder *builder, lir_value x, lir_value sign)
{
   lir_value sign_bit = lir_const32(builder, 0x80000000);
   lir_value flip = lir_iand(builder, sign, sign_bit);

   return lir_ixor(builder, x, flip);
}

/* ---- bounds -------------------------------------------------------------- */

/* fmin and fmax give their second operand when either is NaN: that is x. */
lir_value
lower_math_clamp(struct lir_builder *builder, lir_value x, float low,
                 float high)
{
   lir_value least = lir_constf(builder, low);
   lir_value greatest = lir_constf(builder, high);
   lir_value at_least = lir_fmax(builder, least, x);

   return lir_fmin(builder, greatest, at_least);
}

lir_value
lower_math_clamp_int(struct lir_builder *builder, lir_value x, int32_t low,
                     int32_t high)
{
   lir_value least = lir_const32(builder, (uint32_t)low);
   lir_value greatest = lir_const32(builder, (uint32_t)high);
   lir_value at_least = lir_imax(builder, x, least);

   return lir_imin(builder, at_least, greatest);
}
