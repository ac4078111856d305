/* SPDX-License-Identifier: MIT
 *
 * What a shader may ask about a view: its sizes, its samples and where they
 * are. The target decides which sizes there are.
 */
#include "lower/sample/parts.h"

#include "abi/tables.h"

/* ---- sizes --------------------------------------------------------------- */

/* Layers, of a cube array cubes. */
static lir_value
emit_layers(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const lir_value layers = sample_view_word(sample, ABI_VIEW_LAYERS);

   if (!sample->is_cube)
      return layers;
   const lir_value faces = lir_const32(builder, 6);
   return lir_udiv(builder, layers, faces);
}

/* A level that there is not has no sizes; how many there are is told all the
 * same. */
static void
emit_sizes(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const bool has_levels = sample->kind.lod == SAMPLE_LOD_GIVEN;
   const lir_value zero = lir_const32(builder, 0);
   const lir_value one = lir_const32(builder, 1);
   lir_value result[4] = {zero, zero, zero, one};
   lir_value number = zero;
   lir_value exists = lir_const1(builder, true);

   if (has_levels) {
      result[3] = sample_view_word(sample, ABI_VIEW_LEVELS);
      number = sample->argument[SAMPLE_LEVEL];
      exists = lir_ult(builder, number, result[3]);
   }
   for (unsigned a = 0; a < sample->num_axes; a++) {
      const lir_value full = sample_view_word(sample, ABI_VIEW_WIDTH + a);
      const lir_value shifted = lir_ushr(builder, full, number);
      const lir_value size =
         has_levels ? lir_umax(builder, shifted, one) : full;
      result[a] = lir_sel32(builder, exists, size, zero);
   }
   if (sample->is_array) {
      const lir_value layers = emit_layers(sample);
      result[sample->num_axes] = lir_sel32(builder, exists, layers, zero);
   }
   sample_give(sample, result);
}

/* ---- samples ------------------------------------------------------------- */

/* One sample is no multisampling, which 2011 answers with 0. */
static lir_value
emit_if_multisampled(const struct sample *sample, lir_value count, lir_value x)
{
   struct lir_builder *builder = sample->builder;
   const lir_value zero = lir_const32(builder, 0);
   const lir_value one = lir_const32(builder, 1);

   if (!sample->kind.component)
      return x;
   const lir_value is_multisampled = lir_ult(builder, one, count);
   return lir_sel32(builder, is_multisampled, x, zero);
}

static void
emit_count(const struct sample *sample)
{
   const lir_value zero = lir_const32(sample->builder, 0);
   const lir_value count = sample_view_word(sample, ABI_VIEW_SAMPLES);
   const lir_value told = emit_if_multisampled(sample, count, count);
   const lir_value result[4] = {told, zero, zero, zero};
   sample_give(sample, result);
}

void
sample_query_place(struct lir_builder *builder, lir_value count,
                   lir_value number, float otherwise, lir_value place_out[2])
{
   const lir_value one = lir_const32(builder, 1);
   const lir_value nowhere = lir_constf(builder, otherwise);
   const lir_value exists = lir_ult(builder, number, count);
   const lir_value before = lir_isub(builder, count, one);
   const lir_value entry = lir_iadd(builder, before, number);
   const lir_value first = lir_const32(builder, ABI_TABLE_POSITIONS);
   const lir_value sixteenth = lir_constf(builder, 1.0f / 16);
   const lir_value twice = lir_iadd(builder, entry, entry);
   lir_value at = lir_iadd(builder, twice, first);

   for (unsigned c = 0; c < 2; c++) {
      const lir_value steps = abi_table_lookup(builder, at);
      const lir_value number_of_steps = lir_u2f(builder, steps);
      const lir_value position = lir_fmul(builder, number_of_steps, sixteenth);
      place_out[c] = lir_sel32(builder, exists, position, nowhere);
      at = lir_iadd(builder, at, one);
   }
}

/* A sample that there is not is in the middle of the pixel, or at 0. */
static void
emit_position(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const lir_value zero = lir_const32(builder, 0);
   const lir_value number = sample->argument[SAMPLE_INDEX];
   const lir_value count = sample_view_word(sample, ABI_VIEW_SAMPLES);
   lir_value result[4] = {zero, zero, zero, zero};

   sample_query_place(builder, count, number,
                      sample->kind.component ? 0.0f : 0.5f, result);
   for (unsigned c = 0; c < 2; c++)
      result[c] = emit_if_multisampled(sample, count, result[c]);
   sample_give(sample, result);
}

void
sample_emit_query(const struct sample *sample)
{
   switch (sample->kind.operation) {
   case SAMPLE_SIZE: emit_sizes(sample); break;
   case SAMPLE_COUNT: emit_count(sample); break;
   default: emit_position(sample); break;
   }
}
