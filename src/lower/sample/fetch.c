/* SPDX-License-Identifier: MIT
 *
 * From a level and places in it to texels; and the opcodes that name a texel by
 * its place alone.
 */
#include <assert.h>

#include "format/format.h"
#include "lower/fixed_function/microtile.h"
#include "lower/fixed_function/texel.h"
#include "lower/sample/parts.h"

/* ---- levels -------------------------------------------------------------- */

/* A size as a float. No texture is larger, so that what is made of it is known
 * to be an integer that fits. */
static lir_value
emit_size_float(struct lir_builder *builder, lir_value size)
{
   const lir_value greatest = lir_const32(builder, TG_MAX_TEXTURE_SIZE);
   const lir_value bounded = lir_umin(builder, size, greatest);
   return lir_u2f(builder, bounded);
}

static lir_value
load_level_word(const struct sample *sample, lir_value number, unsigned word)
{
   assert(word < ABI_LEVEL_WORDS);
   struct lir_builder *builder = sample->builder;
   const lir_value words = lir_const32(builder, ABI_LEVEL_WORDS);
   const lir_value first = lir_const32(
      builder, sample_view_place(sample, ABI_VIEW_LEVEL_WORDS + word));
   const lir_value before = lir_imul(builder, number, words);
   const lir_value at = lir_iadd(builder, before, first);
   return lir_load32(builder, LIR_SPACE_CONST, sample_view_binding(sample), at);
}

struct sample_level
sample_fetch_level(const struct sample *sample, lir_value number)
{
   struct lir_builder *builder = sample->builder;
   const struct format_info *format = format_info(sample->view->format);
   struct sample_level level;
   const lir_value one = lir_const32(builder, 1);

   for (unsigned a = 0; a < sample->num_axes; a++) {
      const lir_value full = sample_view_word(sample, ABI_VIEW_WIDTH + a);
      const lir_value shifted = lir_ushr(builder, full, number);
      level.size[a] = lir_umax(builder, shifted, one);
      level.size_float[a] = emit_size_float(builder, level.size[a]);
   }
   level.offset = load_level_word(sample, number, ABI_LEVEL_OFFSET);
   level.slice_pitch = load_level_word(sample, number, ABI_LEVEL_SLICE_PITCH);
   level.pitch[0] = lir_const32(builder, format->num_units);
   level.pitch[1] = load_level_word(sample, number, ABI_LEVEL_ROW_PITCH);
   level.pitch[2] = level.slice_pitch;
   return level;
}

lir_value
sample_fetch_slice(const struct sample *sample,
                   const struct sample_level *level, lir_value slice)
{
   struct lir_builder *builder = sample->builder;
   if (!sample->is_array && !sample->is_cube)
      return level->offset;
   const lir_value before = lir_imul(builder, slice, level->slice_pitch);
   return lir_iadd(builder, level->offset, before);
}

void
sample_fetch_texel(const struct sample *sample, lir_value index,
                   lir_value out[4])
{
   (sample->keeps_codes ? lower_texel_load_codes : lower_texel_load)(
      sample->builder, sample->view->format, LIR_SPACE_TEXTURE,
      sample->kind.view, index, out);
}

/* ---- SAMPLE_FETCH -------------------------------------------------------- */

static bool
is_multisampled(const struct sample *sample)
{
   return tg_target_row(sample->kind.target)->flags & TG_TARGET_FLAG_MSAA;
}

/* A view of one sample is looked up in as if it had several, but is not tiled.
 */
static bool
is_tiled(const struct sample *sample)
{
   return tg_target_row(sample->view->target)->flags & TG_TARGET_FLAG_MSAA;
}

/* Adds a part of the way from the first texel, and whether the number is inside
 * of what it counts. */
static void
add_part(const struct sample *sample, lir_value number, lir_value count,
         lir_value part, lir_value *index, lir_value *is_inside)
{
   struct lir_builder *builder = sample->builder;
   const lir_value fits = lir_ult(builder, number, count);

   *is_inside = lir_band(builder, *is_inside, fits);
   *index = lir_iadd(builder, *index, part);
}

/* The same of what lies `pitch` apart. */
static void
add_steps(const struct sample *sample, lir_value number, lir_value count,
          lir_value pitch, lir_value *index, lir_value *is_inside)
{
   const lir_value part = lir_imul(sample->builder, number, pitch);

   add_part(sample, number, count, part, index, is_inside);
}

/* The part of a place on an axis in a tiled level. */
static lir_value
find_tiled_part(const struct sample *sample, const struct sample_level *level,
                unsigned axis, lir_value place)
{
   struct lir_builder *builder = sample->builder;
   const unsigned units = format_info(sample->view->format)->num_units;

   assert(axis < 2);
   if (axis == 0)
      return lower_microtile_column(builder, place, units);
   return lower_microtile_row(builder, place, level->pitch[1], units);
}

/* Slices are counted as faces where there are faces, so that a cube is fetched
 * from as if it were a 2D array. */
static lir_value
find_texel(const struct sample *sample, const struct sample_level *level,
           lir_value *is_inside)
{
   struct lir_builder *builder = sample->builder;
   lir_value index = level->offset;

   for (unsigned a = 0; a < sample->num_axes; a++) {
      lir_value place = sample->argument[SAMPLE_COORD + a];
      if (sample->kind.num_offsets)
         place = lir_iadd(builder, place, sample->offset[0][a]);
      if (is_tiled(sample))
         add_part(sample, place, level->size[a],
                  find_tiled_part(sample, level, a, place), &index, is_inside);
      else
         add_steps(sample, place, level->size[a], level->pitch[a], &index,
                   is_inside);
   }
   if (sample->is_array || sample->is_cube) {
      const lir_value layer = sample->argument[SAMPLE_LAYER];
      const lir_value layers = sample_view_word(sample, ABI_VIEW_LAYERS);
      add_steps(sample, layer, layers, level->slice_pitch, &index, is_inside);
   }
   if (is_multisampled(sample)) {
      const lir_value number = sample->argument[SAMPLE_INDEX];
      const lir_value count = sample_view_word(sample, ABI_VIEW_SAMPLES);
      const lir_value pitch = sample_view_word(sample, ABI_VIEW_SAMPLE_PITCH);
      add_steps(sample, number, count, pitch, &index, is_inside);
   }
   return index;
}

/* What is outside is 0 in all components, whatever the format or the view's
 * swizzle put there. */
void
sample_emit_fetch(const struct sample *sample)
{
   struct lir_builder *builder = sample->builder;
   const bool has_levels = sample->kind.lod == SAMPLE_LOD_GIVEN;
   const lir_value zero = lir_const32(builder, 0);
   lir_value is_inside = lir_const1(builder, true);
   lir_value number = zero;

   if (has_levels) {
      const lir_value levels = sample_view_word(sample, ABI_VIEW_LEVELS);
      number = sample->argument[SAMPLE_LEVEL];
      is_inside = lir_ult(builder, number, levels);
   }
   const struct sample_level level = sample_fetch_level(sample, number);
   const lir_value index = find_texel(sample, &level, &is_inside);

   lir_value texel[4], result[4];
   sample_fetch_texel(sample, index, texel);
   for (unsigned c = 0; c < 4; c++) {
      const lir_value swizzled = sample_swizzle(sample, texel, c);
      result[c] = lir_sel32(builder, is_inside, swizzled, zero);
   }
   sample_give(sample, result);
}
