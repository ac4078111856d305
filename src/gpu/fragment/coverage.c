/* SPDX-License-Identifier: MIT
 *
 * Coverage: which samples of a lane's pixel are covered, and their share of it.
 */
#include <assert.h>

#include "gpu/fragment/fragment_parts.h"

/* ---- samples or a truth -------------------------------------------------- */

lir_value
fragment_covered(struct lir_builder *builder,
                 const struct fragment_kernel *kernel)
{
   if (fragment_has_samples(kernel))
      return fragment_input_word(builder, GPU_FRAGMENT_COVERAGE);
   return lir_live(builder);
}

lir_value
fragment_coverage_and_lane(struct lir_builder *builder,
                           const struct fragment_kernel *kernel,
                           lir_value covered, lir_value truth)
{
   if (!fragment_has_samples(kernel))
      return lir_band(builder, covered, truth);
   const lir_value none = lir_const32(builder, 0);
   return lir_sel32(builder, truth, covered, none);
}

lir_value
fragment_coverage_and_samples(struct lir_builder *builder,
                              const struct fragment_kernel *kernel,
                              lir_value covered, lir_value samples)
{
   if (fragment_is_multisampled(kernel) && !kernel->key->is_per_sample)
      return lir_iand(builder, covered, samples);
   const lir_value one = lir_const32(builder, 1);
   if (kernel->key->is_per_sample) {
      const lir_value number =
         fragment_input_word(builder, GPU_FRAGMENT_SAMPLE);
      samples = lir_ushr(builder, samples, number);
   }
   const lir_value own = lir_iand(builder, samples, one);
   const lir_value is_set = lir_i2b(builder, own);
   return fragment_coverage_and_lane(builder, kernel, covered, is_set);
}

lir_value
fragment_coverage_any(struct lir_builder *builder,
                      const struct fragment_kernel *kernel, lir_value covered)
{
   return fragment_has_samples(kernel) ? lir_i2b(builder, covered) : covered;
}

lir_value
fragment_coverage_has_sample(struct lir_builder *builder, lir_value covered,
                             unsigned number)
{
   assert(number < 32);
   const lir_value bit = lir_const32(builder, UINT32_C(1) << number);
   const lir_value own = lir_iand(builder, covered, bit);
   return lir_i2b(builder, own);
}

lir_value
fragment_coverage_word(struct lir_builder *builder,
                       const struct fragment_kernel *kernel, lir_value covered)
{
   if (fragment_has_samples(kernel))
      return covered;
   const lir_value one = lir_const32(builder, 1);
   const lir_value none = lir_const32(builder, 0);
   return lir_sel32(builder, covered, one, none);
}

/* ---- alpha --------------------------------------------------------------- */

/* NaN counts as 0. */
lir_value
fragment_alpha_coverage(struct lir_builder *builder,
                        const struct fragment_kernel *kernel, lir_value alpha)
{
   const lir_value clamped = lir_fsat(builder, alpha);
   const lir_value all = lir_constf(builder, kernel->key->num_samples);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value one = lir_const32(builder, 1);
   const lir_value share = lir_fmul(builder, clamped, all);
   const lir_value raised = lir_fadd(builder, share, half);
   const lir_value count = lir_f2u(builder, raised);
   const lir_value next = lir_ishl(builder, one, count);
   return lir_isub(builder, next, one);
}

/* ---- smooth shapes ------------------------------------------------------- */

/* How much of a pixel of width 1 around `distance` is within `half` of 0. */
static lir_value
overlap(struct lir_builder *builder, lir_value distance, lir_value half)
{
   const lir_value radius = lir_constf(builder, 0.5f);
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value begin = lir_fsub(builder, distance, radius);
   const lir_value end = lir_fadd(builder, distance, radius);
   const lir_value least = lir_fneg(builder, half);
   const lir_value from = lir_fmax(builder, begin, least);
   const lir_value to = lir_fmin(builder, end, half);
   const lir_value width = lir_fsub(builder, to, from);
   return lir_fmax(builder, width, zero);
}

static lir_value
line_coverage(struct lir_builder *builder, const struct fragment_place *place)
{
   const lir_value across =
      fragment_interpolated_plane(builder, GPU_SHAPE_ACROSS, place);
   const lir_value along =
      fragment_interpolated_plane(builder, GPU_SHAPE_ALONG, place);
   const lir_value half_width =
      fragment_shape_word(builder, GPU_SHAPE_HALF_ACROSS);
   const lir_value half_length =
      fragment_shape_word(builder, GPU_SHAPE_HALF_ALONG);
   const lir_value width = overlap(builder, across, half_width);
   const lir_value length = overlap(builder, along, half_length);
   return lir_fmul(builder, width, length);
}

/* What a straight edge at the circle's distance would leave of the pixel. */
static lir_value
point_coverage(struct lir_builder *builder, const struct fragment_place *place)
{
   const lir_value x =
      fragment_interpolated_plane(builder, GPU_SHAPE_ACROSS, place);
   const lir_value y =
      fragment_interpolated_plane(builder, GPU_SHAPE_ALONG, place);
   const lir_value radius = fragment_shape_word(builder, GPU_SHAPE_HALF_ACROSS);
   const lir_value xx = lir_fmul(builder, x, x);
   const lir_value yy = lir_fmul(builder, y, y);
   const lir_value squared = lir_fadd(builder, xx, yy);
   const lir_value distance = lir_fsqrt(builder, squared);
   return overlap(builder, distance, radius);
}

static lir_value
polygon_coverage(struct lir_builder *builder)
{
   const lir_value covered =
      fragment_input_word(builder, GPU_FRAGMENT_COVERAGE);
   const lir_value count = lir_ipopcnt(builder, covered);
   const lir_value number = lir_u2f(builder, count);
   const lir_value share = lir_constf(builder, 1.0f / 16);
   return lir_fmul(builder, number, share);
}

lir_value
fragment_smooth_coverage(struct lir_builder *builder,
                         const struct fragment_kernel *kernel)
{
   const struct fragment_place center = fragment_interpolation_center(builder);
   switch (kernel->key->smoothing) {
   case GPU_SMOOTH_LINE: return line_coverage(builder, &center);
   case GPU_SMOOTH_POINT: return point_coverage(builder, &center);
   default: return polygon_coverage(builder);
   }
}
