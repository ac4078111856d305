/* SPDX-License-Identifier: MIT
 *
 * Comparing a reference with depths. Each texel is compared before it is
 * filtered, so that a linear filter gives the part of them that passes.
 */
#include "lower/fixed_function/compare_func.h"
#include "lower/math/math.h"
#include "lower/sample/parts.h"

/* Nothing is beyond the bounds of a fixed-point depth. NaN stays. */
lir_value
sample_compare_bound(const struct sample *sample, lir_value depth)
{
   if (!sample->view->is_depth)
      return depth;
   return lower_math_clamp(sample->builder, depth, 0.0f, 1.0f);
}

/* A reference that is NaN passes no comparison, NOTEQUAL among them. */
lir_value
sample_compare(const struct sample *sample, lir_value depth)
{
   struct lir_builder *builder = sample->builder;
   const enum tg_compare func = (enum tg_compare)sample->sampler->compare_func;
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value zero = lir_constf(builder, 0.0f);
   lir_value passes =
      lower_compare_func_of_floats(builder, func, sample->reference, depth);

   if (func == TG_COMPARE_NOTEQUAL) {
      const lir_value is_number =
         lir_feq(builder, sample->reference, sample->reference);
      passes = lir_band(builder, passes, is_number);
   }
   return lir_sel32(builder, passes, one, zero);
}
