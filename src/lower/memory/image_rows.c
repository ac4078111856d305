/* SPDX-License-Identifier: MIT
 *
 * Images without their format: RES that is RAW. x counts the bytes of a row,
 * whose low two bits are ignored, and a row is its whole words; the other
 * coordinates are those of the target. Each word has bounds of its own.
 */
#include <assert.h>

#include "format/format.h"
#include "lower/memory/image.h"
#include "lower/memory/memory.h"
#include "util/length.h"

enum { WORD_BYTES = sizeof(uint32_t) };

/* One channel's word. */
struct row_word {
   unsigned unit; /* bytes that are read and written at once */
   struct image_spot spot;
   lir_value x;              /* the byte where it begins */
   lir_value at[WORD_BYTES]; /* its units */
};

static const enum lir_op loads[WORD_BYTES + 1] = {
   [1] = LIR_OP_load8, [2] = LIR_OP_load16, [4] = LIR_OP_load32};
static const enum lir_op stores[WORD_BYTES + 1] = {
   [1] = LIR_OP_store8, [2] = LIR_OP_store16, [4] = LIR_OP_store32};

/* Unit `number` of a row of a tiled image. */
static lir_value
tiled_unit(struct lower_context *context, const struct lower_access *access,
           const struct format_info *bound, lir_value number)
{
   struct lir_builder *builder = &context->builder;
   lir_value num_units = lir_const32(builder, bound->num_units);
   lir_value x = lir_udiv(builder, number, num_units);
   lir_value before = lir_imul(builder, x, num_units);
   lir_value part = lir_isub(builder, number, before);
   lir_value column = image_column(context, access, bound, x);

   return lir_iadd(builder, column, part);
}

/* Those of a word lie after each other, unless they are of several texels of a
 * tiled image. */
static void
find_units(struct lower_context *context, const struct lower_access *access,
           const struct format_info *bound, lir_value first,
           struct row_word *word)
{
   struct lir_builder *builder = &context->builder;
   const lir_value row = word->spot.index;

   for (unsigned u = 0; u < WORD_BYTES / word->unit; u++) {
      lir_value distance = lir_const32(builder, u);
      lir_value number = lir_iadd(builder, first, distance);
      lir_value part = image_is_tiled(access)
                          ? tiled_unit(context, access, bound, number)
                          : number;

      word->at[u] = lir_iadd(builder, row, part);
   }
   word->spot.index = word->at[0];
}

/* False when the image cannot be accessed so. */
static bool
find_word(struct lower_context *context, const struct lower_access *access,
          uint32_t place, unsigned channel, struct row_word *word_out)
{
   struct lir_builder *builder = &context->builder;
   const enum tg_format bound = image_format_bound(context, access, place);

   if (bound == TG_FORMAT_NONE)
      return false;

   const struct format_info *info = format_info(bound);
   lir_value width = image_word(context, place, ABI_IMAGE_WIDTH);
   lir_value texel_bytes = lir_const32(builder, info->block_bytes);
   lir_value num_bytes = lir_imul(builder, width, texel_bytes);
   lir_value two = lir_const32(builder, 2);
   lir_value num_words = lir_ushr(builder, num_bytes, two);
   lir_value units = lir_const32(builder, WORD_BYTES / info->unit);
   lir_value first = lower_memory_word_of(context, access);
   lir_value number = lower_memory_word_after(builder, first, channel);

   word_out->unit = info->unit;
   word_out->x = lir_ishl(builder, number, two);
   word_out->spot = image_find_row(context, access, place);
   lir_value zero = lir_const32(builder, 0);
   image_spot_add(context, &word_out->spot, number, num_words, zero);
   lir_value unit = lir_imul(builder, number, units);
   find_units(context, access, info, unit, word_out);
   return true;
}

static void
trace_word(struct lower_context *context, const struct lower_access *access,
           enum abi_access_kind kind, uint32_t place,
           const struct row_word *word)
{
   const unsigned num_units = WORD_BYTES / word->unit;
   const unsigned run = image_is_tiled(access) ? 1 : num_units;

   image_trace_coordinates(context, access, word->x);
   for (unsigned u = 0; u < num_units; u += run)
      lower_trace_units(context, kind, place, word->unit, run, word->at[u],
                        word->spot.is_inside);
}

/* ---- words in units ------------------------------------------------------ */

static lir_value
load_units(struct lir_builder *builder, const struct row_word *word,
           uint32_t place)
{
   lir_value whole = lir_const32(builder, 0);

   for (unsigned u = 0; u < WORD_BYTES / word->unit; u++) {
      lir_value part = lir_load(builder, loads[word->unit], LIR_SPACE_IMAGE,
                                place, word->at[u]);
      lir_value shift = lir_const32(builder, u * word->unit * 8);
      lir_value moved = lir_ishl(builder, part, shift);
      whole = lir_ior(builder, whole, moved);
   }
   return whole;
}

static void
store_units(struct lir_builder *builder, const struct row_word *word,
            uint32_t place, lir_value whole)
{
   for (unsigned u = 0; u < WORD_BYTES / word->unit; u++) {
      lir_value shift = lir_const32(builder, u * word->unit * 8);
      lir_value part = lir_ushr(builder, whole, shift);
      lir_store(builder, stores[word->unit], LIR_SPACE_IMAGE, place,
                word->at[u], part);
   }
}

/* ---- what instructions do ------------------------------------------------ */

void
lower_rows_load(struct lower_context *context,
                const struct lower_access *access, uint32_t place,
                lir_value result[4])
{
   struct lir_builder *builder = &context->builder;

   for (unsigned c = 0; c < 4; c++) {
      struct row_word word;

      if (!(access->channels & 1u << c))
         continue;
      if (!find_word(context, access, place, c, &word)) {
         image_trace_nothing(context, access, ABI_ACCESS_LOAD, place);
         return;
      }
      trace_word(context, access, ABI_ACCESS_LOAD, place, &word);
      lir_value loaded = load_units(builder, &word, place);
      lir_value zero = lir_const32(builder, 0);
      result[c] = lir_sel32(builder, word.spot.is_inside, loaded, zero);
   }
}

static void
store_word(struct lower_context *context, const struct lower_access *access,
           uint32_t place, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   struct row_word word;

   if (!find_word(context, access, place, channel, &word)) {
      image_trace_nothing(context, access, ABI_ACCESS_STORE, place);
      return;
   }
   trace_word(context, access, ABI_ACCESS_STORE, place, &word);
   lir_begin_if(builder, word.spot.is_inside);
   assert(channel < TG_LENGTH(access->value));
   store_units(builder, &word, place, access->value[channel]);
   lir_end(builder);
}

void
lower_rows_store(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value result[4])
{
   (void)result;
   lower_memory_store_each(context, access, place, store_word);
}

/* Texels that are smaller than words may lie across those that atomics know. */
bool
lower_rows_word(struct lower_context *context,
                const struct lower_access *access, uint32_t place,
                lir_value *word_out)
{
   struct lir_builder *builder = &context->builder;
   struct row_word word;

   if (!find_word(context, access, place, 0, &word) ||
       word.unit != WORD_BYTES) {
      image_trace_nothing(context, access, ABI_ACCESS_ATOMIC, place);
      return false;
   }
   image_trace_coordinates(context, access, word.x);
   lir_value no_word = lir_const32(builder, LOWER_NO_WORD);
   *word_out =
      lir_sel32(builder, word.spot.is_inside, word.spot.index, no_word);
   return true;
}

/* x of the size is in bytes, as the coordinate is. */
void
lower_rows_query(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value result[4])
{
   struct lir_builder *builder = &context->builder;
   const enum tg_format bound = image_format_bound(context, access, place);

   lower_image_query(context, access, place, result);
   if (bound == TG_FORMAT_NONE)
      return;
   lir_value texel_bytes =
      lir_const32(builder, format_info(bound)->block_bytes);
   result[0] = lir_imul(builder, result[0], texel_bytes);
}
