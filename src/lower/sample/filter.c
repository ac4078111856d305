/* SPDX-License-Identifier: MIT
 *
 * One level of a texture with one filter: the nearest texel, or the 2, 4 or 8
 * texels around a coordinate, blended; and the gathering of four of them.
 *
 * Texels are blended along s first, then along t, then along r. The taps of an
 * axis are worked out once and shared by all texels. Of formats that have codes
 * these are blended, and the result is divided.
 */
#include <assert.h>

#include "lower/fixed_function/texel.h"
#include "lower/sample/parts.h"

/* ---- one texel ----------------------------------------------------------- */

/* Which of the two taps of each axis make a texel: bit a is that of axis a. */
static lir_value
emit_index(const struct sample *sample, const struct sample_taps *taps,
           unsigned which, lir_value base)
{
   assert(which < 1u << sample->num_axes);
   struct lir_builder *builder = sample->builder;
   lir_value index = base;

   for (unsigned a = sample->num_axes; a-- > 0;)
      index = lir_iadd(builder, index, taps[a].part[which >> a & 1]);
   return index;
}

/* The border's texel where a tap is outside. */
static void
emit_border(const struct sample *sample, const struct sample_taps *taps,
            unsigned which, lir_value texel[4])
{
   struct lir_builder *builder = sample->builder;
   lir_value is_inside = {0};
   bool has_border = false;

   for (unsigned a = 0; a < sample->num_axes; a++) {
      const lir_value is_tap_inside = taps[a].is_inside[which >> a & 1];
      if (!taps[a].has_border)
         continue;
      is_inside = has_border ? lir_band(builder, is_inside, is_tap_inside)
                             : is_tap_inside;
      has_border = true;
   }
   for (unsigned c = 0; has_border && c < 4; c++)
      texel[c] = lir_sel32(builder, is_inside, texel[c], sample->border[c]);
}

void
sample_filter_texel(const struct sample *sample, lir_value texel[4])
{
   struct lir_builder *builder = sample->builder;

   if (!sample->kind.compares)
      return;
   texel[0] = sample_compare(sample, texel[0]);
   texel[1] = texel[0];
   texel[2] = texel[0];
   texel[3] = lir_constf(builder, 1.0f);
}

static void
emit_tap(const struct sample *sample, const struct sample_taps *taps,
         unsigned which, lir_value base, lir_value texel_out[4])
{
   const lir_value index = emit_index(sample, taps, which, base);
   sample_fetch_texel(sample, index, texel_out);
   emit_border(sample, taps, which, texel_out);
   sample_filter_texel(sample, texel_out);
}

/* ---- filters ------------------------------------------------------------- */

static void
emit_nearest(const struct sample *sample, const struct sample_level *level,
             const struct sample_point *point, lir_value texel_out[4])
{
   struct sample_taps taps[3];
   const lir_value base = sample_fetch_slice(sample, level, point->slice);

   for (unsigned a = 0; a < sample->num_axes; a++)
      sample_wrap_nearest(sample, level, a, point->coord[a], 0, &taps[a]);
   emit_tap(sample, taps, 0, base, texel_out);
}

static void
emit_taps(const struct sample *sample, const struct sample_level *level,
          const struct sample_point *point, struct sample_taps taps[3])
{
   for (unsigned a = 0; a < sample->num_axes; a++)
      sample_wrap_linear(sample, level, a, point->coord[a], 0, &taps[a]);
}

/* Is a component the same in all texels, the border's too? */
static bool
is_constant(const struct sample *sample, unsigned component)
{
   return sample->kind.compares ? component == 3
                                : sample_border_is_absent(sample, component);
}

/* Blends 2^axes texels, the first of the outermost axis first, into the first
 * of them. */
static void
emit_blended(const struct sample *sample, const struct sample_taps *taps,
             lir_value texel[8][4])
{
   unsigned count = 1u << sample->num_axes;

   for (unsigned a = 0; a < sample->num_axes; a++) {
      count /= 2;
      for (unsigned i = 0; i < count; i++) {
         for (unsigned c = 0; c < 4; c++)
            texel[i][c] =
               is_constant(sample, c)
                  ? texel[2 * i][c]
                  : sample_blend(sample->builder, texel[2 * i][c],
                                 texel[2 * i + 1][c], taps[a].weight);
      }
   }
}

static void
emit_texels(const struct sample *sample, const struct sample_level *level,
            const struct sample_point *point, const struct sample_taps *taps,
            lir_value texel[8][4])
{
   const lir_value base = sample_fetch_slice(sample, level, point->slice);

   for (unsigned i = 0; i < 1u << sample->num_axes; i++)
      emit_tap(sample, taps, i, base, texel[i]);
}

static void
emit_linear(const struct sample *sample, const struct sample_level *level,
            const struct sample_point *point, lir_value texel_out[4])
{
   struct sample_taps taps[3];
   lir_value texel[8][4];

   emit_taps(sample, level, point, taps);
   emit_texels(sample, level, point, taps, texel);
   emit_blended(sample, taps, texel);
   for (unsigned c = 0; c < 4; c++)
      texel_out[c] = texel[0][c];
}

/* ---- over the seams of a cube -------------------------------------------- */

static bool
has_seams(const struct sample *sample)
{
   return sample->is_cube && sample->sampler->seamless_cube;
}

static void
set_texels(const struct sample *sample, const lir_value texel[4])
{
   for (unsigned c = 0; c < 4; c++)
      lir_setvar(sample->builder, sample->variables[SAMPLE_TEXELS + c],
                 texel[c]);
}

/* Opens an if where a texel is beyond an edge, which few lanes enter. The taps
 * are then inside for all others. */
static void
begin_if_beyond_edge(const struct sample *sample, struct sample_taps taps[2])
{
   struct lir_builder *builder = sample->builder;
   const lir_value s =
      lir_band(builder, taps[0].is_inside[0], taps[0].is_inside[1]);
   const lir_value t =
      lir_band(builder, taps[1].is_inside[0], taps[1].is_inside[1]);
   const lir_value is_inside = lir_band(builder, s, t);
   const lir_value is_beyond = lir_bnot(builder, is_inside);
   lir_begin_if(builder, is_beyond);
   taps[0].has_border = false;
   taps[1].has_border = false;
}

static void
emit_linear_over_seams(const struct sample *sample,
                       const struct sample_level *level,
                       const struct sample_point *point, lir_value texel_out[4])
{
   struct lir_builder *builder = sample->builder;
   struct sample_taps taps[3];
   lir_value texel[8][4];

   emit_taps(sample, level, point, taps);
   begin_if_beyond_edge(sample, taps);
   sample_seam_texels(sample, level, point, taps, texel);
   emit_blended(sample, taps, texel);
   set_texels(sample, texel[0]);
   lir_begin_else(builder);
   emit_texels(sample, level, point, taps, texel);
   emit_blended(sample, taps, texel);
   set_texels(sample, texel[0]);
   lir_end(builder);
   for (unsigned c = 0; c < 4; c++)
      texel_out[c] = lir_getvar(builder, sample->variables[SAMPLE_TEXELS + c]);
}

/* The lookup with texels as codes, the border's among them. */
static struct sample
with_codes(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const enum tg_format format = sample->view->format;
   struct sample result = *sample;

   result.keeps_codes = true;
   for (unsigned c = 0; c < 4; c++) {
      const float greatest = lower_texel_greatest_code(format, c);
      const lir_value factor = lir_constf(builder, greatest);
      if (greatest != 1.0f)
         result.border[c] = lir_fmul(builder, sample->border[c], factor);
   }
   return result;
}

static void
emit_linear_filter(const struct sample *sample,
                   const struct sample_level *level,
                   const struct sample_point *point, lir_value texel_out[4])
{
   if (has_seams(sample))
      emit_linear_over_seams(sample, level, point, texel_out);
   else
      emit_linear(sample, level, point, texel_out);
}

void
sample_filter_level(const struct sample *sample, enum tg_filter filter,
                    lir_value number, const struct sample_point *point,
                    lir_value texel_out[4])
{
   const enum tg_format format = sample->view->format;
   const struct sample_level level = sample_fetch_level(sample, number);

   if (filter == TG_FILTER_NEAREST || sample->is_integer) {
      emit_nearest(sample, &level, point, texel_out);
   } else if (lower_texel_has_codes(format) && !sample->kind.compares) {
      const struct sample codes = with_codes(sample);
      emit_linear_filter(&codes, &level, point, texel_out);
      lower_texel_divide_codes(sample->builder, format, texel_out);
   } else {
      emit_linear_filter(sample, &level, point, texel_out);
   }
}

/* ---- gathering ----------------------------------------------------------- */

/* The component that is asked for, after the view's swizzle, or red. A
 * comparison has but one. */
static lir_value
emit_component(const struct sample *sample, const lir_value texel[4])
{
   struct lir_builder *builder = sample->builder;
   const unsigned component = sample->kind.component;

   if (sample->kind.compares || component == SAMPLE_RED)
      return texel[0];
   if (component != SAMPLE_ANY_COMPONENT)
      return sample_swizzle(sample, texel, component);
   const lir_value wanted = sample->argument[SAMPLE_INDEX];
   const lir_value three = lir_const32(builder, 3);
   const lir_value number = lir_iand(builder, wanted, three);
   lir_value value = sample_swizzle(sample, texel, 0);
   for (unsigned c = 1; c < 4; c++) {
      const lir_value constant = lir_const32(builder, c);
      const lir_value is_this = lir_ieq(builder, number, constant);
      const lir_value other = sample_swizzle(sample, texel, c);
      value = lir_sel32(builder, is_this, other, value);
   }
   return value;
}

/* Result i is one of the texels 2 j + i of the footprint: first the two of the
 * higher row, from the lower column to the higher, then the lower row's, the
 * other way round. */
static const uint8_t gather_order[4] = {2, 3, 1, 0};

static void
set_gathered(const struct sample *sample, lir_value texel[4][4])
{
   lir_value result[4];

   for (unsigned i = 0; i < 4; i++)
      result[i] = emit_component(sample, texel[gather_order[i]]);
   set_texels(sample, result);
}

/* With an offset for each result all are the lower texel of both axes. */
static void
emit_gather_offsets(const struct sample *sample,
                    const struct sample_level *level,
                    const struct sample_point *point)
{
   const lir_value base = sample_fetch_slice(sample, level, point->slice);
   lir_value result[4];

   for (unsigned i = 0; i < 4; i++) {
      struct sample_taps taps[3];
      lir_value texel[4];
      for (unsigned a = 0; a < 2; a++)
         sample_wrap_gather(sample, level, a, point->coord[a], i, &taps[a]);
      emit_tap(sample, taps, 0, base, texel);
      result[i] = emit_component(sample, texel);
   }
   set_texels(sample, result);
}

static void
emit_gather_footprint(const struct sample *sample,
                      const struct sample_level *level,
                      const struct sample_point *point)
{
   struct sample_taps taps[3];
   lir_value texel[8][4];

   for (unsigned a = 0; a < 2; a++)
      sample_wrap_gather(sample, level, a, point->coord[a], 0, &taps[a]);
   if (has_seams(sample)) {
      begin_if_beyond_edge(sample, taps);
      sample_seam_texels(sample, level, point, taps, texel);
      set_gathered(sample, texel);
      lir_begin_else(sample->builder);
   }
   emit_texels(sample, level, point, taps, texel);
   set_gathered(sample, texel);
   if (has_seams(sample))
      lir_end(sample->builder);
}

/* Of the view's first level, whatever the sampler's filters and lods are. */
void
sample_filter_gather(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const lir_value zero = lir_const32(builder, 0);
   const lir_value coord[3] = {
      sample->argument[SAMPLE_COORD],
      sample->argument[SAMPLE_COORD + 1],
      sample->argument[SAMPLE_COORD + 2],
   };
   const struct sample_point point = sample_find_point(sample, coord);
   const struct sample_level level = sample_fetch_level(sample, zero);
   lir_value result[4];

   if (sample->kind.num_offsets == 4)
      emit_gather_offsets(sample, &level, &point);
   else
      emit_gather_footprint(sample, &level, &point);
   for (unsigned c = 0; c < 4; c++)
      result[c] = lir_getvar(builder, sample->variables[SAMPLE_TEXELS + c]);
   if (sample->kind.component == SAMPLE_RED)
      sample_give_texel(sample, result);
   else
      sample_give(sample, result);
}
