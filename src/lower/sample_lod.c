/* SPDX-License-Identifier: MIT
 *
 * The level of detail, and what follows from it: which filter, which levels,
 * and how many probes where the footprint is longer than it is wide. The rules
 * are those of sections 8.14 and 8.15 of OpenGL 4.6 and, for probes, of
 * EXT_texture_filter_anisotropic.
 */
#include "lower/math_functions.h"
#include "lower/sample_parts.h"

/* ---- where a lookup looks ------------------------------------------------ */

/* floor(layer + 0.5), of those that there are; NaN gives 0. */
static lir_value
emit_layer(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_const32(builder, 1);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value given = sample_argument(sample, SAMPLE_LAYER);
   const lir_value raised = lir_fadd(builder, given, half);
   const lir_value layer = lir_f2u(builder, raised);
   lir_value count = sample_view_word(sample, LOWER_VIEW_LAYERS);

   if (sample->is_cube) {
      const lir_value faces = lir_const32(builder, 6);
      count = lir_udiv(builder, count, faces);
   }
   const lir_value last = lir_isub(builder, count, one);
   return lir_umin(builder, layer, last);
}

static void
find_place_on_cube(const struct sample *sample, struct sample_point *point)
{
   struct lir_builder *builder = sample->builder;
   const lir_value half = lir_constf(builder, 0.5f);

   point->face = sample_cube_face(builder, point->coord);
   const lir_value place[2] = {point->face.s, point->face.t};
   for (unsigned i = 0; i < 2; i++) {
      const lir_value part = lir_fdiv(builder, place[i], point->face.major);
      point->coord[i] = lir_ffma(builder, part, half, half);
   }
   point->cube_slice = lir_const32(builder, 0);
   if (sample->is_array) {
      const lir_value faces = lir_const32(builder, 6);
      point->cube_slice = lir_imul(builder, point->slice, faces);
   }
   point->slice = lir_iadd(builder, point->cube_slice, point->face.number);
}

struct sample_point
sample_find_point(const struct sample *sample, const lir_value coord[3])
{
   struct lir_builder *builder = sample->builder;
   struct sample_point point = {.coord = {coord[0], coord[1], coord[2]}};

   for (unsigned i = 0; i < 3 && sample->is_cube; i++)
      point.coord[i] = sample_finite(builder, coord[i]);
   if (sample->is_array)
      point.slice = emit_layer(sample);
   if (sample->is_cube)
      find_place_on_cube(sample, &point);
   return point;
}

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
   struct lir_builder *builder = sample->builder;
   const unsigned num_derivatives = sample->is_cube ? 3 : sample->num_axes;
   lir_value derivative[3], along[2], sum = {0};

   for (unsigned i = 0; i < num_derivatives; i++)
      derivative[i] = sample_argument(sample, first_argument + i);
   if (sample->is_cube) {
      const lir_value half = lir_constf(builder, 0.5f);
      sample_cube_derivative(builder, face, derivative, along);
      for (unsigned i = 0; i < 2; i++)
         derivative[i] = lir_fmul(builder, along[i], half);
   }
   for (unsigned a = 0; a < sample->num_axes; a++) {
      lir_value texels = derivative[a];
      if (sample->is_normalized) {
         const lir_value size = sample_view_word(sample, LOWER_VIEW_WIDTH + a);
         const lir_value size_float = lir_u2f(builder, size);
         texels = lir_fmul(builder, texels, size_float);
      }
      const lir_value square = lir_fmul(builder, texels, texels);
      sum = a ? lir_fadd(builder, sum, square) : square;
   }
   return sum;
}

/* On a cube, as they are seen from the face of one direction. */
static struct footprint
find_footprint(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   struct sample_face face = {.number = {0}};

   if (sample->is_cube) {
      lir_value direction[3];
      for (unsigned i = 0; i < 3; i++)
         direction[i] = sample_argument(sample, SAMPLE_AT + i);
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

/* ---- probes -------------------------------------------------------------- */

static bool
has_probes(const struct sample *sample)
{
   return sample->kind.lod >= SAMPLE_LOD_DERIVED && !sample->is_integer &&
          sample->sampler->max_anisotropy > 1;
}

/* As many as the footprint is longer than wide, from 1 to what the sampler
 * allows; 1 where there is no footprint. */
static lir_value
emit_num_probes(const struct sample *sample, const struct footprint *footprint)
{
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value most =
      lir_constf(builder, (float)sample->sampler->max_anisotropy);
   const lir_value square =
      lir_fdiv(builder, footprint->longer2, footprint->shorter2);
   const lir_value ratio = lir_fsqrt(builder, square);
   const lir_value whole = lir_fceil(builder, ratio);
   const lir_value at_least = lir_fmax(builder, whole, one);
   return lir_fmin(builder, at_least, most);
}

/* ---- lambda -------------------------------------------------------------- */

/* log2 of the length that a probe covers, as half the log2 of its square. */
static lir_value
emit_derived_lod(const struct sample *sample, const struct footprint *footprint,
                 lir_value num_probes)
{
   struct lir_builder *builder = sample->builder;
   lir_value square = footprint->longer2;

   if (has_probes(sample)) {
      const lir_value probes2 = lir_fmul(builder, num_probes, num_probes);
      square = lir_fdiv(builder, square, probes2);
   }
   const lir_value log = lower_math_log2(builder, square);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value lod = lir_fmul(builder, log, half);
   return sample_number(builder, lod);
}

/* The lod with the biases of shader and sampler, in front of all clamps. */
static lir_value
emit_lambda(const struct sample *sample, const struct footprint *footprint,
            lir_value num_probes)
{
   struct lir_builder *builder = sample->builder;
   const lir_value bias = sample_sampler_word(sample, LOWER_SAMPLER_LOD_BIAS);
   lir_value lod = {0};

   if (sample->kind.lod != SAMPLE_LOD_DERIVED) {
      const lir_value argument = sample_argument(sample, SAMPLE_LEVEL);
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
   const lir_value low = sample_sampler_word(sample, LOWER_SAMPLER_MIN_LOD);
   const lir_value high = sample_sampler_word(sample, LOWER_SAMPLER_MAX_LOD);
   const lir_value below = lir_fmin(builder, lambda, high);
   return lir_fmax(builder, below, low);
}

/* Within the levels of the view. */
static lir_value
emit_existing_lod(const struct sample *sample, lir_value lod)
{
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_const32(builder, 1);
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value levels = sample_view_word(sample, LOWER_VIEW_LEVELS);
   const lir_value last = lir_isub(builder, levels, one);
   const lir_value most = lir_u2f(builder, last);
   const lir_value below = lir_fmin(builder, lod, most);
   return lir_fmax(builder, below, zero);
}

/* The level nearest to a lod that exists; half way, the larger one. */
static lir_value
emit_nearest_level(const struct sample *sample, lir_value lod)
{
   struct lir_builder *builder = sample->builder;
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value lowered = lir_fsub(builder, lod, half);
   const lir_value rounded = lir_fceil(builder, lowered);
   return lir_f2u(builder, rounded);
}

/* ---- levels -------------------------------------------------------------- */

/* The second level is left out by a wave that needs it nowhere. */
static void
emit_two_levels(const struct sample *sample, enum lower_filter filter,
                lir_value lod, const struct sample_point *point)
{
   struct lir_builder *builder = sample->builder;
   lir_value texel[4], next[4];
   const lir_value floored = lir_ffloor(builder, lod);
   const lir_value weight = lir_fsub(builder, lod, floored);
   const lir_value number = lir_f2u(builder, floored);
   sample_filter_level(sample, filter, number, point, texel);
   sample_give_texel(sample, texel);

   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value is_between = lir_flt(builder, zero, weight);
   lir_begin_if(builder, is_between);
   const lir_value one = lir_const32(builder, 1);
   const lir_value following = lir_iadd(builder, number, one);
   sample_filter_level(sample, filter, following, point, next);
   for (unsigned c = 0; c < 4; c++)
      next[c] = sample_blend(builder, texel[c], next[c], weight);
   sample_give_texel(sample, next);
   lir_end(builder);
}

static void
emit_one_level(const struct sample *sample, enum lower_filter filter,
               lir_value number, const struct sample_point *point)
{
   lir_value texel[4];

   sample_filter_level(sample, filter, number, point, texel);
   sample_give_texel(sample, texel);
}

/* Samples at a lod that exists, with one of the two filters. Integers cannot be
 * blended: they come from the nearest level. */
static void
emit_levels(const struct sample *sample, enum lower_filter filter,
            lir_value lod, const struct sample_point *point)
{
   const unsigned mip_filter = sample->sampler->mip_filter;

   if (mip_filter == LOWER_MIP_NONE) {
      const lir_value first = lir_const32(sample->builder, 0);
      emit_one_level(sample, filter, first, point);
   } else if (mip_filter == LOWER_MIP_LINEAR && !sample->is_integer) {
      emit_two_levels(sample, filter, lod, point);
   } else {
      const lir_value nearest = emit_nearest_level(sample, lod);
      emit_one_level(sample, filter, nearest, point);
   }
}

/* OpenGL's rule: a lod above 0 minifies. It is judged behind the clamp of the
 * sampler but in front of that to the levels that there are, so that a texture
 * of one level can be minified with its own filter. */
static void
emit_probe(const struct sample *sample, lir_value lod,
           const struct sample_point *point)
{
   struct lir_builder *builder = sample->builder;
   const enum lower_filter min_filter = sample->sampler->min_filter;
   const enum lower_filter mag_filter = sample->sampler->mag_filter;
   const lir_value first = lir_const32(builder, 0);

   if (sample->kind.lod == SAMPLE_LOD_NONE) {
      emit_one_level(sample, min_filter, first, point);
      return;
   }
   const lir_value existing = emit_existing_lod(sample, lod);
   if (min_filter == mag_filter) {
      emit_levels(sample, min_filter, existing, point);
      return;
   }
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value is_min = lir_flt(builder, zero, lod);
   lir_begin_if(builder, is_min);
   emit_levels(sample, min_filter, existing, point);
   lir_begin_else(builder);
   emit_one_level(sample, mag_filter, first, point);
   lir_end(builder);
}

/* ---- several probes ------------------------------------------------------ */

/* Coordinates of probe i of n, which counts from 1: they are spread over the
 * longer derivative so that i / (n + 1) - 1/2 of it is added. */
static struct sample_point
find_probe(const struct sample *sample, const struct footprint *footprint,
           lir_value number, lir_value num_probes, const lir_value coord[3])
{
   struct lir_builder *builder = sample->builder;
   const unsigned num_derivatives = sample->is_cube ? 3 : sample->num_axes;
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value parts = lir_fadd(builder, num_probes, one);
   const lir_value part = lir_fdiv(builder, number, parts);
   const lir_value at = lir_fsub(builder, part, half);
   lir_value moved[3] = {coord[0], coord[1], coord[2]};

   for (unsigned i = 0; i < num_derivatives; i++) {
      const lir_value dx = sample_argument(sample, SAMPLE_DX + i);
      const lir_value dy = sample_argument(sample, SAMPLE_DY + i);
      const lir_value longer =
         lir_sel32(builder, footprint->is_along_x, dx, dy);
      moved[i] = lir_ffma(builder, longer, at, coord[i]);
   }
   return sample_find_point(sample, moved);
}

static void
set_sum(const struct sample *sample, lir_value probes, bool is_first)
{
   struct lir_builder *builder = sample->builder;
   const lir_value zero = lir_constf(builder, 0.0f);

   for (unsigned c = 0; c < 4; c++) {
      lir_value sum = zero;
      if (!is_first) {
         const lir_value before =
            lir_getvar(builder, sample->variables[SAMPLE_SUM + c]);
         const lir_value now =
            lir_getvar(builder, sample->variables[SAMPLE_RESULT + c]);
         sum = lir_fadd(builder, before, now);
      }
      lir_setvar(builder, sample->variables[SAMPLE_SUM + c], sum);
   }
   lir_setvar(builder, sample->variables[SAMPLE_PROBE], probes);
}

/* Their mean. */
static void
emit_probes(const struct sample *sample, const struct footprint *footprint,
            lir_value lod, lir_value num_probes, const lir_value coord[3])
{
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_constf(builder, 1.0f);

   set_sum(sample, one, true);
   const uint32_t loop = lir_begin_loop(builder);
   const lir_value number =
      lir_getvar(builder, sample->variables[SAMPLE_PROBE]);
   const lir_value is_done = lir_flt(builder, num_probes, number);
   lir_begin_if(builder, is_done);
   lir_br(builder, loop);
   lir_end(builder);
   const struct sample_point point =
      find_probe(sample, footprint, number, num_probes, coord);
   emit_probe(sample, lod, &point);
   const lir_value following = lir_fadd(builder, number, one);
   set_sum(sample, following, false);
   lir_end(builder);

   lir_value result[4];
   for (unsigned c = 0; c < 4; c++) {
      const lir_value sum =
         lir_getvar(builder, sample->variables[SAMPLE_SUM + c]);
      result[c] = lir_fdiv(builder, sum, num_probes);
   }
   sample_give(sample, result);
}

/* ---- the two operations -------------------------------------------------- */

/* What the derivatives say, as far as the kind has any. */
struct detail {
   struct sample_point point;
   struct footprint footprint;
   lir_value num_probes;
   lir_value lambda;
   lir_value lod; /* lambda, clamped by the sampler */
};

static struct detail
find_detail(const struct sample *sample, const lir_value coord[3])
{
   struct detail detail = {.point = sample_find_point(sample, coord)};

   if (sample->kind.lod >= SAMPLE_LOD_DERIVED)
      detail.footprint = find_footprint(sample);
   if (has_probes(sample))
      detail.num_probes = emit_num_probes(sample, &detail.footprint);
   if (sample->kind.lod != SAMPLE_LOD_NONE) {
      detail.lambda = emit_lambda(sample, &detail.footprint, detail.num_probes);
      detail.lod = emit_clamped_lod(sample, detail.lambda);
   }
   return detail;
}

static void
get_coordinates(const struct sample *sample, lir_value coord_out[3])
{
   for (unsigned i = 0; i < 3; i++)
      coord_out[i] = sample_argument(sample, SAMPLE_COORD + i);
}

void
sample_emit_filter(const struct sample *sample)
{
   lir_value coord[3];

   get_coordinates(sample, coord);
   const struct detail detail = find_detail(sample, coord);
   if (has_probes(sample))
      emit_probes(sample, &detail.footprint, detail.lod, detail.num_probes,
                  coord);
   else
      emit_probe(sample, detail.lod, &detail.point);
}

void
sample_emit_lod(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const unsigned mip_filter = sample->sampler->mip_filter;
   const lir_value zero = lir_constf(builder, 0.0f);
   lir_value coord[3];

   get_coordinates(sample, coord);
   const struct detail detail = find_detail(sample, coord);
   const lir_value existing = emit_existing_lod(sample, detail.lod);
   const lir_value nearest = emit_nearest_level(sample, existing);
   const lir_value nearest_float = lir_u2f(builder, nearest);
   const lir_value accessed = mip_filter == LOWER_MIP_NONE     ? zero
                              : mip_filter == LOWER_MIP_LINEAR ? existing
                                                               : nearest_float;
   const lir_value result[4] = {accessed, detail.lambda, zero, zero};
   sample_give(sample, result);
}
