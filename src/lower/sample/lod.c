/* SPDX-License-Identifier: MIT
 *
 * The level of detail: from a footprint to lambda, by section 8.14 of OpenGL
 * 4.6 and, where the footprint is longer than wide, by
 * EXT_texture_filter_anisotropic.
 */
#include <assert.h>

#include "lower/math/math.h"
#include "lower/sample/parts.h"

/* ---- the footprint ------------------------------------------------------- */

/* How far the coordinates go in texels of the first level, from one pixel to
 * the next. */
struct footprint {
   lir_value longer2;    /* the greater length, squared */
   lir_value shorter2;   /* the lesser */
   lir_value is_along_x; /* the greater is the one in x */
};

/* The square of the length in texels of a derivative. */
static lir_value
emit_length2(const struct sample *sample, const struct sample_face *face,
             unsigned first_argument)
{
   assert(first_argument == SAMPLE_DX || first_argument == SAMPLE_DY);
   struct lir_builder *builder = sample->builder;
   const unsigned num_derivatives = sample->is_cube ? 3 : sample->num_axes;
   lir_value derivative[3], along[2], sum = {0};

   for (unsigned i = 0; i < num_derivatives; i++)
      derivative[i] = sample->argument[first_argument + i];
   if (sample->is_cube) {
      const lir_value half = lir_constf(builder, 0.5f);
      sample_cube_derivative(builder, face, derivative, along);
      for (unsigned i = 0; i < 2; i++)
         derivative[i] = lir_fmul(builder, along[i], half);
   }
   for (unsigned a = 0; a < sample->num_axes; a++) {
      lir_value texels = derivative[a];
      if (sample->is_normalized) {
         const lir_value size = sample_view_word(sample, ABI_VIEW_WIDTH + a);
         const lir_value size_float = lir_u2f(builder, size);
         texels = lir_fmul(builder, texels, size_float);
      }
      const lir_value square = lir_fmul(builder, texels, texels);
      sum = a ? lir_fadd(builder, sum, square) : square;
   }
   return sum;
}

/* On a cube, as it is seen from the face that the direction meets. */
static struct footprint
find_footprint(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   struct sample_face face = {.number = {0}};

   if (sample->is_cube) {
      lir_value direction[3];
      for (unsigned i = 0; i < 3; i++)
         direction[i] = sample->argument[SAMPLE_COORD + i];
      face = sample_cube_face(builder, direction);
   }
   const lir_value x2 = emit_length2(sample, &face, SAMPLE_DX);
   const lir_value y2 = emit_length2(sample, &face, SAMPLE_DY);

   return (struct footprint){
      .longer2 = lir_fmax(builder, x2, y2),
      .shorter2 = lir_fmin(builder, x2, y2),
      .is_along_x = lir_flt(builder, y2, x2),
   };
}

bool
sample_lod_has_probes(const struct sample *sample)
{
   return sample->kind.lod >= SAMPLE_LOD_DERIVED && !sample->is_integer &&
          sample->sampler->max_anisotropy > 1;
}

/* As many as the footprint is longer than wide, but no more than the texels of
 * the first level that it is long: probes that lie closer give what the filter
 * of one level gives between them. From 1 to what the sampler allows; 1 where
 * there is no footprint. */
static lir_value
emit_num_probes(const struct sample *sample, const struct footprint *footprint)
{
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value most =
      lir_constf(builder, (float)sample->sampler->max_anisotropy);
   const lir_value width2 = lir_fmax(builder, footprint->shorter2, one);
   const lir_value square = lir_fdiv(builder, footprint->longer2, width2);
   const lir_value ratio = lir_fsqrt(builder, square);
   const lir_value whole = lir_fceil(builder, ratio);
   const lir_value at_least = lir_fmax(builder, whole, one);
   return lir_fmin(builder, at_least, most);
}

/* ---- lambda -------------------------------------------------------------- */

/* Half of log2(x), x >= 0, to within 2^-14: exact for powers of two, -63.5 for
 * 0 and at least 64 for infinity. The exponent is log2 of the power of two
 * below x; a polynomial of the significand, 1 + f, is 0 for f = 0 and 1 for f =
 * 1, so that there are no steps. */
static lir_value
emit_half_log2(struct lir_builder *builder, lir_value x)
{
   static const float half_log2[] = {
      0.7193628624f,
      -0.3388919428f,
      0.1605943893f,
      -0.0410653088f,
   };
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value fraction_bits = lir_const32(builder, 0x7fffff);
   const lir_value num_fraction_bits = lir_const32(builder, 23);
   const lir_value fraction = lir_iand(builder, x, fraction_bits);
   const lir_value significand = lir_ior(builder, fraction, one);
   const lir_value f = lir_fsub(builder, significand, one);
   const lir_value biased = lir_ushr(builder, x, num_fraction_bits);
   const lir_value exponent = lir_u2f(builder, biased);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value bias = lir_constf(builder, -63.5f);
   const lir_value whole = lir_ffma(builder, exponent, half, bias);
   const lir_value slope =
      lower_math_polynomial(builder, f, half_log2, LOWER_LENGTH(half_log2));
   return lir_ffma(builder, f, slope, whole);
}

/* log2 of the length that a probe covers, as half the log2 of its square. 0
 * where there is none. */
static lir_value
emit_derived_lod(const struct sample *sample, const struct footprint *footprint,
                 lir_value num_probes)
{
   struct lir_builder *builder = sample->builder;
   lir_value square = footprint->longer2;

   if (sample_lod_has_probes(sample)) {
      const lir_value probes2 = lir_fmul(builder, num_probes, num_probes);
      square = lir_fdiv(builder, square, probes2);
   }
   const lir_value is_number = lir_feq(builder, square, square);
   const lir_value lod = emit_half_log2(builder, square);
   const lir_value zero = lir_constf(builder, 0.0f);
   return lir_sel32(builder, is_number, lod, zero);
}

/* The lod with the biases of shader and sampler, before all clamps. */
static lir_value
emit_lambda(const struct sample *sample, const struct footprint *footprint,
            lir_value num_probes)
{
   struct lir_builder *builder = sample->builder;
   const lir_value bias = sample_sampler_word(sample, ABI_SAMPLER_LOD_BIAS);
   lir_value lod = {0};

   if (sample->kind.lod != SAMPLE_LOD_DERIVED) {
      const lir_value argument = sample->argument[SAMPLE_LEVEL];
      lod = sample_number(builder, argument);
   }
   if (sample->kind.lod != SAMPLE_LOD_GIVEN) {
      const lir_value derived = emit_derived_lod(sample, footprint, num_probes);
      lod = sample->kind.lod == SAMPLE_LOD_DERIVED_BIAS
               ? lir_fadd(builder, derived, lod)
               : derived;
   }
   return lir_fadd(builder, lod, bias);
}

/* Within the sampler's range, whose lower bound wins where they cross. */
static lir_value
emit_clamped_lod(const struct sample *sample, lir_value lambda)
{
   struct lir_builder *builder = sample->builder;
   const lir_value low = sample_sampler_word(sample, ABI_SAMPLER_MIN_LOD);
   const lir_value high = sample_sampler_word(sample, ABI_SAMPLER_MAX_LOD);
   const lir_value below = lir_fmin(builder, lambda, high);
   return lir_fmax(builder, below, low);
}

lir_value
sample_existing_lod(const struct sample *sample, lir_value lod)
{
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_const32(builder, 1);
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value levels = sample_view_word(sample, ABI_VIEW_LEVELS);
   const lir_value greatest = lir_const32(builder, ABI_MAX_LEVELS - 1);
   const lir_value last = lir_isub(builder, levels, one);
   const lir_value bounded = lir_umin(builder, last, greatest);
   const lir_value most = lir_u2f(builder, bounded);
   const lir_value below = lir_fmin(builder, lod, most);
   return lir_fmax(builder, below, zero);
}

lir_value
sample_level_of_lod(const struct sample *sample, lir_value lod)
{
   struct lir_builder *builder = sample->builder;
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value lowered = lir_fsub(builder, lod, half);
   const lir_value rounded = lir_fceil(builder, lowered);
   return lir_f2u(builder, rounded);
}

/* ---- all of it ----------------------------------------------------------- */

struct sample_detail
sample_lod_detail(const struct sample *sample)
{
   struct sample_detail detail = {.num_probes = {0}};
   struct footprint footprint = {.longer2 = {0}};

   if (sample->kind.lod == SAMPLE_LOD_NONE)
      return detail;
   if (sample->kind.lod >= SAMPLE_LOD_DERIVED)
      footprint = find_footprint(sample);
   if (sample_lod_has_probes(sample))
      detail.num_probes = emit_num_probes(sample, &footprint);
   detail.is_along_x = footprint.is_along_x;
   detail.lambda = emit_lambda(sample, &footprint, detail.num_probes);
   detail.lod = emit_clamped_lod(sample, detail.lambda);
   return detail;
}

void
sample_emit_lod(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const unsigned mip_filter = sample->sampler->mip_filter;
   const lir_value zero = lir_constf(builder, 0.0f);
   const struct sample_detail detail = sample_lod_detail(sample);
   const lir_value existing = sample_existing_lod(sample, detail.lod);
   const lir_value nearest = sample_level_of_lod(sample, existing);
   const lir_value nearest_float = lir_u2f(builder, nearest);
   const lir_value accessed = mip_filter == TG_MIP_NONE     ? zero
                              : mip_filter == TG_MIP_LINEAR ? existing
                                                            : nearest_float;
   const lir_value result[4] = {accessed, detail.lambda, zero, zero};
   sample_give(sample, result);
}
