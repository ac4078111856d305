/* SPDX-License-Identifier: MIT
 *
 * Where a lookup looks: from its coordinates to those along the axes of a
 * slice, and to the slice.
 */
#include "lower/sample/parts.h"

/* floor(layer + 0.5), of those that there are; NaN gives 0. */
static lir_value
emit_layer(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const lir_value one = lir_const32(builder, 1);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value given = sample->argument[SAMPLE_LAYER];
   const lir_value raised = lir_fadd(builder, given, half);
   const lir_value layer = lir_f2u(builder, raised);
   lir_value count = sample_view_word(sample, ABI_VIEW_LAYERS);

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
