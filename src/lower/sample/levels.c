/* SPDX-License-Identifier: MIT
 *
 * What follows from the level of detail: which filter, which levels, how many
 * probes. The rules are those of sections 8.14 and 8.15 of OpenGL 4.6.
 */
#include "lower/sample/parts.h"

/* The second level is left out by a wave that needs it nowhere. */
static void
emit_two_levels(const struct sample *sample, enum tg_filter filter,
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
emit_one_level(const struct sample *sample, enum tg_filter filter,
               lir_value number, const struct sample_point *point)
{
   lir_value texel[4];

   sample_filter_level(sample, filter, number, point, texel);
   sample_give_texel(sample, texel);
}

/* Samples at a lod that exists, with one of the two filters. Integers cannot be
 * blended: they come from the nearest level. */
static void
emit_levels(const struct sample *sample, enum tg_filter filter, lir_value lod,
            const struct sample_point *point)
{
   const unsigned mip_filter = sample->sampler->mip_filter;

   if (mip_filter == TG_MIP_NONE) {
      const lir_value first = lir_const32(sample->builder, 0);
      emit_one_level(sample, filter, first, point);
   } else if (mip_filter == TG_MIP_LINEAR && !sample->is_integer) {
      emit_two_levels(sample, filter, lod, point);
   } else {
      const lir_value nearest = sample_level_of_lod(sample, lod);
      emit_one_level(sample, filter, nearest, point);
   }
}

/* OpenGL's rule: a lod above 0 minifies. It is judged after the clamp of the
 * sampler but before that to the levels that there are, so that a texture
 * of one level can be minified with its own filter. */
static void
emit_probe(const struct sample *sample, lir_value lod,
           const struct sample_point *point)
{
   struct lir_builder *builder = sample->builder;
   const enum tg_filter min_filter = sample->sampler->min_filter;
   const enum tg_filter mag_filter = sample->sampler->mag_filter;
   const lir_value first = lir_const32(builder, 0);

   if (sample->kind.lod == SAMPLE_LOD_NONE) {
      emit_one_level(sample, min_filter, first, point);
      return;
   }
   const lir_value existing = sample_existing_lod(sample, lod);
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
 * longer derivative so that i / (n + 1) - 1/2 of it is added. A derivative that
 * is not finite leads nowhere. */
static struct sample_point
find_probe(const struct sample *sample, const struct sample_detail *detail,
           lir_value number, const lir_value coord[3])
{
   struct lir_builder *builder = sample->builder;
   const unsigned num_derivatives = sample->is_cube ? 3 : sample->num_axes;
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value parts = lir_fadd(builder, detail->num_probes, one);
   const lir_value part = lir_fdiv(builder, number, parts);
   const lir_value at = lir_fsub(builder, part, half);
   lir_value moved[3] = {coord[0], coord[1], coord[2]};

   for (unsigned i = 0; i < num_derivatives; i++) {
      const lir_value dx = sample->argument[SAMPLE_DX + i];
      const lir_value dy = sample->argument[SAMPLE_DY + i];
      const lir_value longer = lir_sel32(builder, detail->is_along_x, dx, dy);
      const lir_value step = sample_finite(builder, longer);
      moved[i] = lir_ffma(builder, step, at, coord[i]);
   }
   return sample_find_point(sample, moved);
}

static void
begin_sum(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const lir_value zero = lir_constf(builder, 0.0f);
   const lir_value one = lir_constf(builder, 1.0f);

   for (unsigned c = 0; c < 4; c++)
      lir_setvar(builder, sample->variables[SAMPLE_SUM + c], zero);
   lir_setvar(builder, sample->variables[SAMPLE_PROBE], one);
}

/* Adds the result of a probe, and goes on to the next. */
static void
add_to_sum(const struct sample *sample, lir_value number)
{
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value following = lir_fadd(builder, number, one);

   for (unsigned c = 0; c < 4; c++) {
      const uint32_t sum = sample->variables[SAMPLE_SUM + c];
      const uint32_t result = sample->variables[SAMPLE_RESULT + c];
      const lir_value before = lir_getvar(builder, sum);
      const lir_value now = lir_getvar(builder, result);
      const lir_value after = lir_fadd(builder, before, now);
      lir_setvar(builder, sum, after);
   }
   lir_setvar(builder, sample->variables[SAMPLE_PROBE], following);
}

static void
give_mean(const struct sample *sample, lir_value count)
{
   struct lir_builder *builder = sample->builder;
   lir_value mean[4];

   for (unsigned c = 0; c < 4; c++) {
      const lir_value sum =
         lir_getvar(builder, sample->variables[SAMPLE_SUM + c]);
      mean[c] = lir_fdiv(builder, sum, count);
   }
   sample_give(sample, mean);
}

static void
emit_probes(const struct sample *sample, const struct sample_detail *detail,
            const lir_value coord[3])
{
   struct lir_builder *builder = sample->builder;

   begin_sum(sample);
   const uint32_t loop = lir_begin_loop(builder);
   const lir_value number =
      lir_getvar(builder, sample->variables[SAMPLE_PROBE]);
   const lir_value is_done = lir_flt(builder, detail->num_probes, number);
   lir_begin_if(builder, is_done);
   lir_br(builder, loop);
   lir_end(builder);
   const struct sample_point point = find_probe(sample, detail, number, coord);
   emit_probe(sample, detail->lod, &point);
   add_to_sum(sample, number);
   lir_end(builder);
   give_mean(sample, detail->num_probes);
}

/* ---- SAMPLE_FILTER ------------------------------------------------------- */

void
sample_emit_levels(const struct sample *sample)
{
   const lir_value coord[3] = {
      sample->argument[SAMPLE_COORD],
      sample->argument[SAMPLE_COORD + 1],
      sample->argument[SAMPLE_COORD + 2],
   };
   const struct sample_detail detail = sample_lod_detail(sample);

   if (sample_lod_has_probes(sample)) {
      emit_probes(sample, &detail, coord);
      return;
   }
   const struct sample_point point = sample_find_point(sample, coord);
   emit_probe(sample, detail.lod, &point);
}
