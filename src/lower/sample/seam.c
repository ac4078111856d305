/* SPDX-License-Identifier: MIT
 *
 * The seams of cubes: a texel beyond the edge of a face is the one across the
 * edge, and a texel beyond a corner, of which there is none, is the mean of the
 * three that meet there (section 8.14.1 of OpenGL 4.6).
 */
#include "lower/sample/parts.h"

/* The unit of the texel at (i, j), which is beyond at most one edge. Seen from
 * the middle of a cube whose faces are 2 * size wide, texel i is at
 * 2 i + 1 - size; that of a place beyond an edge points at the other face, to
 * one of its outermost texels. All numbers are small integers. */
static lir_value
emit_index_across(const struct sample *sample, const struct sample_level *level,
                  const struct sample_point *point, lir_value i, lir_value j)
{
   struct lir_builder *builder = sample->builder;
   const lir_value size = level->size_float[0];
   const lir_value one = lir_constf(builder, 1.0f);
   const lir_value two = lir_constf(builder, 2.0f);
   const lir_value half = lir_constf(builder, 0.5f);
   const lir_value last = lir_fsub(builder, size, one);
   const lir_value place[2] = {i, j};
   lir_value along[2], direction[3];

   for (unsigned a = 0; a < 2; a++) {
      const lir_value number = lir_i2f(builder, place[a]);
      const lir_value twice = lir_fmul(builder, number, two);
      along[a] = lir_fsub(builder, twice, last);
   }
   sample_cube_direction(builder, &point->face, along[0], along[1], size,
                         direction);
   const struct sample_face face = sample_cube_face(builder, direction);
   const lir_value slice = lir_iadd(builder, point->cube_slice, face.number);
   const lir_value there[2] = {face.s, face.t};
   lir_value index = sample_fetch_slice(sample, level, slice);
   for (unsigned a = 0; a < 2; a++) {
      const lir_value raised = lir_fadd(builder, there[a], last);
      const lir_value halved = lir_fmul(builder, raised, half);
      const lir_value texel = lir_f2u(builder, halved);
      const lir_value part = lir_imul(builder, texel, level->pitch[a]);
      index = lir_iadd(builder, index, part);
   }
   return index;
}

/* The mean of three texels. Integers cannot be averaged; one of them stands for
 * the corner then. */
static lir_value
emit_mean(const struct sample *sample, lir_value a, lir_value b, lir_value c)
{
   struct lir_builder *builder = sample->builder;
   const lir_value three = lir_constf(builder, 3.0f);

   if (sample->is_integer)
      return a;
   const lir_value two = lir_fadd(builder, a, b);
   const lir_value sum = lir_fadd(builder, two, c);
   return lir_fdiv(builder, sum, three);
}

/* Of the texel at the far side of both axes the two beside it and the one
 * opposite are known. */
static void
emit_corners(const struct sample *sample, const struct sample_taps taps[2],
             lir_value texel[4][4])
{
   struct lir_builder *builder = sample->builder;
   lir_value whole[4][4];

   for (unsigned k = 0; k < 4; k++) {
      const lir_value in_s = taps[0].is_inside[k & 1];
      const lir_value in_t = taps[1].is_inside[k >> 1];
      const lir_value is_face = lir_bor(builder, in_s, in_t);
      for (unsigned c = 0; c < 4; c++) {
         const lir_value mean = emit_mean(sample, texel[k ^ 3][c],
                                          texel[k ^ 1][c], texel[k ^ 2][c]);
         whole[k][c] = lir_sel32(builder, is_face, texel[k][c], mean);
      }
   }
   for (unsigned k = 0; k < 4; k++) {
      for (unsigned c = 0; c < 4; c++)
         texel[k][c] = whole[k][c];
   }
}

void
sample_seam_texels(const struct sample *sample,
                   const struct sample_level *level,
                   const struct sample_point *point,
                   const struct sample_taps taps[2], lir_value texel_out[4][4])
{
   for (unsigned k = 0; k < 4; k++) {
      const lir_value i = taps[0].place[k & 1];
      const lir_value j = taps[1].place[k >> 1];
      const lir_value index = emit_index_across(sample, level, point, i, j);
      sample_fetch_texel(sample, index, texel_out[k]);
      sample_filter_texel(sample, texel_out[k]);
   }
   emit_corners(sample, taps, texel_out);
}
