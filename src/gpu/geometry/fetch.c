/* SPDX-License-Identifier: MIT
 *
 * Vertex fetch. The words that a row touches are loaded whole; where it does
 * not begin with one they are shifted into place. Each is loaded once, and what
 * the channels are made of is taken from them.
 */
#include "gpu/geometry/fetch.h"

#include <assert.h>

#include "lower/fixed_function/texel.h"

/* The number of a word that no memory has, nor have those after it. */
#define NOWHERE UINT32_C(0x80000000)

/* ---- binding ------------------------------------------------------------- */

/* Resources are allocated in whole words, so the last one may be read even if
 * it is not all the buffer's. */
static struct exec_memory
whole_words(struct exec_memory memory)
{
   memory.num_bytes = (memory.num_bytes + 3) & ~UINT64_C(3);
   return memory;
}

static uint32_t
count_rows(uint64_t begin, uint32_t stride, uint32_t row_bytes,
           uint64_t num_bytes)
{
   if (begin + row_bytes > num_bytes)
      return 0;
   return stride ? (uint32_t)((num_bytes - begin - row_bytes) / stride + 1) : 1;
}

struct gpu_fetch
gpu_fetch_bind(const struct tg_vertex_element *element,
               const struct tg_vertex_buffer *buffer,
               const struct exec_memory *memory)
{
   assert(memory->data || !memory->num_bytes);
   const struct format_info *info = format_info(element->format);
   const uint64_t begin = (uint64_t)buffer->offset + element->src_offset;
   const bool is_aligned = begin % 4 == 0 && buffer->stride % 4 == 0;
   const uint32_t unit = is_aligned ? 4 : 1;
   struct gpu_fetch fetch = {
      .key.format = (uint16_t)element->format,
      .key.rate = !buffer->stride             ? GPU_FETCH_ONCE
                  : element->instance_divisor ? GPU_FETCH_BY_INSTANCE
                                              : GPU_FETCH_BY_VERTEX,
      .key.is_aligned = is_aligned,
   };
   fetch.words[GPU_FETCH_ROWS] =
      count_rows(begin, buffer->stride, info->block_bytes, memory->num_bytes);
   if (!fetch.words[GPU_FETCH_ROWS])
      return fetch;
   fetch.words[GPU_FETCH_OFFSET] = (uint32_t)begin / unit;
   fetch.words[GPU_FETCH_STRIDE] = buffer->stride / unit;
   fetch.words[GPU_FETCH_DIVISOR] = element->instance_divisor;
   fetch.memory = whole_words(*memory);
   return fetch;
}

/* ---- which row ----------------------------------------------------------- */

struct writer {
   struct lir_builder *builder;
   const struct gpu_fetch_key *key;
   const struct gpu_fetch_place *place;
   const struct gpu_fetch_row *row;
};

static lir_value
emit_word(const struct writer *writer, enum gpu_fetch_word word)
{
   const lir_value index =
      lir_const32(writer->builder, writer->place->first_word + word);
   return lir_load32(writer->builder, LIR_SPACE_CONST,
                     writer->place->words_binding, index);
}

/* The row, and whether it is one. The sum of an instance's may wrap: then it is
 * less than what was added. */
static lir_value
emit_row(const struct writer *writer, lir_value *exists_out)
{
   struct lir_builder *builder = writer->builder;
   const lir_value num_rows = emit_word(writer, GPU_FETCH_ROWS);
   lir_value row = writer->row->vertex;
   if (writer->key->rate == GPU_FETCH_ONCE)
      row = lir_const32(builder, 0);
   if (writer->key->rate != GPU_FETCH_BY_INSTANCE) {
      *exists_out = lir_ult(builder, row, num_rows);
      return row;
   }
   const lir_value divisor = emit_word(writer, GPU_FETCH_DIVISOR);
   const lir_value step = lir_udiv(builder, writer->row->instance, divisor);
   row = lir_iadd(builder, step, writer->row->start_instance);
   const lir_value is_no_sum = lir_ult(builder, row, step);
   const lir_value is_sum = lir_bnot(builder, is_no_sum);
   const lir_value is_below = lir_ult(builder, row, num_rows);
   *exists_out = lir_band(builder, is_sum, is_below);
   return row;
}

/* Rows that there are lie in memory, so that nothing here wraps for them. */
static lir_value
emit_address(const struct writer *writer, lir_value row)
{
   const lir_value stride = emit_word(writer, GPU_FETCH_STRIDE);
   const lir_value offset = emit_word(writer, GPU_FETCH_OFFSET);
   const lir_value start = lir_imul(writer->builder, row, stride);
   return lir_iadd(writer->builder, offset, start);
}

/* ---- its words ----------------------------------------------------------- */

static void
load_words(const struct writer *writer, lir_value first, unsigned count,
           lir_value *words_out)
{
   struct lir_builder *builder = writer->builder;
   for (unsigned i = 0; i < count; i++) {
      const lir_value distance = lir_const32(builder, i);
      const lir_value index = lir_iadd(builder, first, distance);
      words_out[i] = lir_load32(builder, LIR_SPACE_CONST,
                                writer->place->memory_binding, index);
   }
}

/* How far words are shifted so that their byte `address` % 4 is the lowest. */
struct shift {
   lir_value down;
   lir_value up_less_1; /* of the next word, 7 to 31 */
};

static struct shift
emit_shift(struct lir_builder *builder, lir_value address)
{
   const lir_value three = lir_const32(builder, 3);
   const lir_value byte = lir_iand(builder, address, three);
   const lir_value down = lir_ishl(builder, byte, three);
   const lir_value most = lir_const32(builder, 31);
   const lir_value up_less_1 = lir_isub(builder, most, down);
   return (struct shift){down, up_less_1};
}

/* The bytes that a word takes of two. Shifting up by 32 gives 0, in two steps.
 */
static lir_value
emit_join(struct lir_builder *builder, const struct shift *shift, lir_value low,
          lir_value high)
{
   const lir_value one = lir_const32(builder, 1);
   const lir_value low_part = lir_ushr(builder, low, shift->down);
   const lir_value by_1 = lir_ishl(builder, high, one);
   const lir_value high_part = lir_ishl(builder, by_1, shift->up_less_1);
   return lir_ior(builder, low_part, high_part);
}

/* Rows that are not there are read from where nothing is. */
static void
emit_words(const struct writer *writer, lir_value address, lir_value exists,
           lir_value words_out[LOWER_MAX_TEXEL_WORDS])
{
   struct lir_builder *builder = writer->builder;
   const unsigned num_bytes =
      format_info((enum tg_format)writer->key->format)->block_bytes;
   const unsigned num_words = (num_bytes + 3) / 4;
   const lir_value nowhere = lir_const32(builder, NOWHERE);
   if (writer->key->is_aligned) {
      const lir_value first = lir_sel32(builder, exists, address, nowhere);
      load_words(writer, first, num_words, words_out);
      return;
   }
   /* Up to three bytes come before it. */
   const unsigned num_touched = (num_bytes + 3 + 3) / 4;
   lir_value touched[LOWER_MAX_TEXEL_WORDS + 1];
   const struct shift shift = emit_shift(builder, address);
   const lir_value two = lir_const32(builder, 2);
   const lir_value word = lir_ushr(builder, address, two);
   const lir_value first = lir_sel32(builder, exists, word, nowhere);
   load_words(writer, first, num_touched, touched);
   for (unsigned i = 0; i < num_words; i++)
      words_out[i] = i + 1 < num_touched
                        ? emit_join(builder, &shift, touched[i], touched[i + 1])
                        : lir_ushr(builder, touched[i], shift.down);
}

/* ---- the attribute ------------------------------------------------------- */

/* Is a word of the texel 0 where all its bits are? */
static bool
is_zero_of_zeros(const struct format_info *info, unsigned word)
{
   return info->swizzle[word] != FORMAT_SWIZZLE_1 &&
          info->swizzle[word] != FORMAT_SWIZZLE_NORMAL;
}

void
gpu_fetch_emit(struct lir_builder *builder, const struct gpu_fetch_key *key,
               const struct gpu_fetch_place *place,
               const struct gpu_fetch_row *row, lir_value attribute_out[4])
{
   const struct writer writer = {builder, key, place, row};
   const struct format_info *info = format_info((enum tg_format)key->format);
   lir_value exists, words[LOWER_MAX_TEXEL_WORDS];
   const lir_value number = emit_row(&writer, &exists);
   const lir_value address = emit_address(&writer, number);
   emit_words(&writer, address, exists, words);
   lower_texel_unpack(builder, (enum tg_format)key->format, words,
                      attribute_out);
   const lir_value zero = lir_const32(builder, 0);
   for (unsigned i = 0; i < 4; i++) {
      if (!is_zero_of_zeros(info, i))
         attribute_out[i] = lir_sel32(builder, exists, attribute_out[i], zero);
   }
}
