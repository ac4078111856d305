/* SPDX-License-Identifier: MIT
 *
 * From operands to words and variables, and what an index that is out of bounds
 * does: reading gives 0 and writing does nothing, lane by lane. In bounds are
 * the registers that the file declares (an ArrayID narrows nothing); for CONST
 * those that the bound buffer holds, which is the executor's to check.
 */
#include "lower/operands/location.h"

#include <assert.h>

#include "lower/operands/registers.h"

/* A word that no memory has: its size would be 2^32. */
#define WORD_OUTSIDE UINT32_MAX

/* ---- finding a register -------------------------------------------------- */

struct lower_location
lower_locate_direct(struct lower_context *context, enum tg_file file,
                    uint32_t index)
{
   assert(file < TG_NUM_FILES);
   struct tg_register reg = {
      .file = (uint8_t)file,
      .index = {.offset = (int32_t)index},
   };

   return lower_locate(context, &reg);
}

lir_value
lower_index_location(struct lower_context *context,
                     const struct tg_index *index)
{
   struct lir_builder *builder = &context->builder;
   struct lower_location location =
      lower_locate_direct(context, index->file, (uint32_t)index->index);
   lir_value value = lower_load_location(context, &location, index->component);

   /* Loop registers count in floats in each dialect. */
   if (index->file == TG_FILE_LOOP ||
       (index->file == TG_FILE_ADDR &&
        lower_address_registers_hold_floats(context)))
      value = lir_f2i(builder, value);
   if (index->offset == 0)
      return value;

   lir_value offset = lir_const32(builder, (uint32_t)index->offset);
   return lir_iadd(builder, value, offset);
}

static struct lower_range
clip(struct lower_range range, uint32_t first, uint32_t last)
{
   return (struct lower_range){
      range.first > first ? range.first : first,
      range.last < last ? range.last : last,
   };
}

/* Whether a computed index is one of the declared registers that have these
 * numbers. */
static lir_value
is_in_file(struct lower_context *context, const struct lower_file *file,
           struct abi_numbers numbers, lir_value index)
{
   struct lir_builder *builder = &context->builder;
   const uint32_t last = numbers.first + (numbers.count - 1);
   const uint32_t begin = lower_register_range(file, numbers.first);
   lir_value inside = lir_const1(builder, false);

   for (uint32_t i = begin;
        numbers.count && i < file->num_ranges && file->ranges[i].first <= last;
        i++) {
      const struct lower_range range =
         clip(file->ranges[i], numbers.first, last);
      lir_value first = lir_const32(builder, range.first - numbers.first);
      lir_value count = lir_const32(builder, range.last - range.first + 1);
      lir_value distance = lir_isub(builder, index, first);
      lir_value is_in_range = lir_ult(builder, distance, count);

      inside = i > begin ? lir_bor(builder, inside, is_in_range) : is_in_range;
   }
   return inside;
}

/* A bracket on its way to a word's number. */
struct bracket {
   bool is_computed;
   uint32_t constant; /* when not computed */
   lir_value value;   /* these two when it is */
   lir_value is_inside;
};

static lir_value
bracket_value(struct lower_context *context, const struct bracket *bracket)
{
   return bracket->is_computed
             ? bracket->value
             : lir_const32(&context->builder, bracket->constant);
}

/* The number of a register that is named directly; false if it is outside. */
static bool
find_number(const struct lower_context *context, const struct tg_register *reg,
            uint32_t *number_out)
{
   const struct abi_numbers numbers =
      abi_layout_numbers_of(&context->registers->layout, reg);
   const uint32_t index = (uint32_t)reg->index.offset;

   *number_out = numbers.first + index;
   return index < numbers.count &&
          lower_register_is_declared(context, reg->file, *number_out);
}

/* The register's bracket, as a number in its file; false when it is surely
 * outside. */
static bool
read_register_bracket(struct lower_context *context,
                      const struct tg_register *reg,
                      struct bracket *bracket_out)
{
   struct lir_builder *builder = &context->builder;
   const struct abi_numbers numbers =
      abi_layout_numbers_of(&context->registers->layout, reg);

   *bracket_out = (struct bracket){.is_computed = reg->index.indirect};
   if (!reg->index.indirect)
      return find_number(context, reg, &bracket_out->constant);

   lir_value index = lower_index_location(context, &reg->index);
   bracket_out->is_inside = is_in_file(
      context, &context->registers->files[reg->file], numbers, index);
   bracket_out->value = index;
   if (numbers.first) {
      lir_value first = lir_const32(builder, numbers.first);

      bracket_out->value = lir_iadd(builder, index, first);
   }
   return true;
}

/* An output that does not say of which vertex is that of the invocation. */
static bool
is_of_own_vertex(const struct lower_context *context,
                 const struct tg_register *reg)
{
   const struct lower_registers *registers = context->registers;
   const uint32_t number = (uint32_t)reg->index.offset;

   return reg->file == TG_FILE_OUT && !reg->has_dimension &&
          !reg->index.indirect && number < ABI_MAX_OUTPUTS &&
          registers->is_vertex_output[number] && registers->invocation;
}

static void
compute_vertex_bracket(struct lower_context *context,
                       const struct tg_index *vertex, uint32_t num_vertices,
                       struct bracket *bracket_out)
{
   bracket_out->is_computed = true;
   bracket_out->value = lower_index_location(context, vertex);
   lir_value count = lir_const32(&context->builder, num_vertices);
   bracket_out->is_inside =
      lir_ult(&context->builder, bracket_out->value, count);
}

/* The vertex's bracket, 0 where there is none. */
static bool
read_vertex_bracket(struct lower_context *context,
                    const struct tg_register *reg, uint32_t num_vertices,
                    struct bracket *bracket_out)
{
   *bracket_out = (struct bracket){0};
   if (is_of_own_vertex(context, reg)) {
      const struct tg_index own = {
         .indirect = true,
         .file = TG_FILE_SV,
         .index = (int32_t)context->registers->invocation->first,
      };
      compute_vertex_bracket(context, &own, num_vertices, bracket_out);
      return true;
   }
   if (!lower_has_vertex(reg))
      return true;
   if (!reg->dimension.indirect) {
      bracket_out->constant = (uint32_t)reg->dimension.offset;
      return bracket_out->constant < num_vertices;
   }
   compute_vertex_bracket(context, &reg->dimension, num_vertices, bracket_out);
   return true;
}

/* Word (vertex * stride + register) * 4. */
static void
compute_word(struct lower_context *context, struct lower_location *location,
             const struct bracket *vertex, const struct bracket *reg,
             uint32_t stride)
{
   struct lir_builder *builder = &context->builder;
   lir_value factor = lir_const32(builder, stride);
   lir_value vertex_value = bracket_value(context, vertex);
   lir_value reg_value = bracket_value(context, reg);
   lir_value first = lir_imul(builder, vertex_value, factor);
   lir_value number = lir_iadd(builder, first, reg_value);
   lir_value four = lir_const32(builder, 4);

   location->is_computed = true;
   location->word = lir_imul(builder, number, four);
   if (vertex->is_computed && reg->is_computed)
      location->is_inside =
         lir_band(builder, vertex->is_inside, reg->is_inside);
   else
      location->is_inside =
         vertex->is_computed ? vertex->is_inside : reg->is_inside;
}

static struct lower_location
locate_in_memory(struct lower_context *context, const struct tg_register *reg,
                 uint64_t memory, uint32_t num_vertices)
{
   struct lower_location location = {
      .kind = LOWER_LOCATION_MEMORY,
      .memory = memory,
   };
   uint32_t stride = context->registers->files[reg->file].num_registers;
   struct bracket index, vertex;

   if (!read_register_bracket(context, reg, &index) ||
       !read_vertex_bracket(context, reg, num_vertices, &vertex))
      return (struct lower_location){.kind = LOWER_LOCATION_NOWHERE};
   if (index.is_computed || vertex.is_computed)
      compute_word(context, &location, &vertex, &index, stride);
   else
      location.constant_word = (vertex.constant * stride + index.constant) * 4;
   return location;
}

static struct lower_location
locate_constant(struct lower_context *context, const struct tg_register *reg)
{
   struct lir_builder *builder = &context->builder;
   uint32_t buffer = reg->has_dimension ? (uint32_t)reg->dimension.offset : 0;
   struct lower_location location = {
      .kind = LOWER_LOCATION_MEMORY,
      .memory = lir_mem(LIR_SPACE_CONST, buffer),
   };

   if (reg->has_dimension && reg->dimension.indirect) {
      location.kind = LOWER_LOCATION_BUFFERS;
      location.buffer = lower_index_location(context, &reg->dimension);
   } else if (buffer >= ABI_MAX_CONST_BUFFERS) {
      return (struct lower_location){.kind = LOWER_LOCATION_NOWHERE};
   }
   if (!reg->index.indirect) {
      if (reg->index.offset < 0)
         return (struct lower_location){.kind = LOWER_LOCATION_NOWHERE};
      location.constant_word = (uint32_t)reg->index.offset * 4;
      return location;
   }

   /* Four times an index from 2^30 on would come out small again. */
   lir_value index = lower_index_location(context, &reg->index);
   lir_value bound = lir_const32(builder, UINT32_C(1) << 30);
   lir_value four = lir_const32(builder, 4);
   location.is_computed = true;
   location.is_inside = lir_ult(builder, index, bound);
   location.word = lir_imul(builder, index, four);
   return location;
}

/* Is it a word of the shader's own, which no code writes? */
static bool
is_immediate(const struct tg_register *reg)
{
   return (reg->file == TG_FILE_IMM || reg->file == TG_FILE_IMMX) &&
          !reg->index.indirect;
}

struct lower_location
lower_locate(struct lower_context *context, const struct tg_register *reg)
{
   const struct abi_layout *layout = &context->registers->layout;
   const struct lower_file *file = &context->registers->files[reg->file];

   if (reg->file == TG_FILE_CONST)
      return locate_constant(context, reg);
   if (lower_has_vertex(reg))
      return locate_in_memory(context, reg, file->memory,
                              reg->file == TG_FILE_IN
                                 ? layout->num_input_vertices
                                 : layout->num_output_vertices);
   if (file->home == LOWER_HOME_MEMORY && !is_immediate(reg))
      return locate_in_memory(
         context, reg, file->memory,
         reg->file == TG_FILE_OUT ? layout->num_output_vertices : 1);

   uint32_t number;
   if (!find_number(context, reg, &number))
      return (struct lower_location){.kind = LOWER_LOCATION_NOWHERE};
   return (struct lower_location){
      .kind =
         is_immediate(reg) ? LOWER_LOCATION_IMMEDIATE : LOWER_LOCATION_VARIABLE,
      .file = reg->file,
      .index = number,
   };
}

/* ---- reading and writing ------------------------------------------------- */

static lir_value
word_of_channel(struct lower_context *context,
                const struct lower_location *location, unsigned channel)
{
   assert(channel < 4);
   struct lir_builder *builder = &context->builder;

   if (!location->is_computed)
      return lir_const32(builder, location->constant_word + channel);

   lir_value offset = lir_const32(builder, channel);
   lir_value word = lir_iadd(builder, location->word, offset);
   lir_value outside = lir_const32(builder, WORD_OUTSIDE);
   return lir_sel32(builder, location->is_inside, word, outside);
}

static lir_value
load_memory(struct lower_context *context, uint64_t memory, lir_value word)
{
   return lir_load32(&context->builder, lir_mem_space(memory),
                     lir_mem_binding(memory), word);
}

/* Reads the word of every declared constant buffer and selects. */
static lir_value
load_from_buffers(struct lower_context *context,
                  const struct lower_location *location, unsigned channel)
{
   struct lir_builder *builder = &context->builder;
   lir_value word = word_of_channel(context, location, channel);
   lir_value value = lir_const32(builder, 0);

   for (uint32_t b = 0; b < ABI_MAX_CONST_BUFFERS; b++) {
      if (!(context->registers->places[TG_FILE_CONST] >> b & 1))
         continue;

      lir_value number = lir_const32(builder, b);
      lir_value is_this = lir_ieq(builder, location->buffer, number);
      lir_value loaded =
         load_memory(context, lir_mem(LIR_SPACE_CONST, b), word);
      value = lir_sel32(builder, is_this, loaded, value);
   }
   return value;
}

lir_value
lower_load_location(struct lower_context *context,
                    const struct lower_location *location, unsigned channel)
{
   assert(channel < 4);
   struct lir_builder *builder = &context->builder;

   switch (location->kind) {
   case LOWER_LOCATION_NOWHERE: break;
   case LOWER_LOCATION_VARIABLE:
      return lir_getvar(builder, lower_register_var(context, location->file,
                                                    location->index, channel));
   case LOWER_LOCATION_IMMEDIATE:
      return lir_const32(
         builder, lower_immediate_register_word(context, location->file,
                                                location->index, channel));
   case LOWER_LOCATION_MEMORY:
      return load_memory(context, location->memory,
                         word_of_channel(context, location, channel));
   case LOWER_LOCATION_BUFFERS:
      return load_from_buffers(context, location, channel);
   }
   return lir_const32(builder, 0);
}

void
lower_store_location(struct lower_context *context,
                     const struct lower_location *location, unsigned channel,
                     lir_value value)
{
   assert(channel < 4);
   struct lir_builder *builder = &context->builder;

   if (location->kind == LOWER_LOCATION_VARIABLE) {
      lir_setvar(
         builder,
         lower_register_var(context, location->file, location->index, channel),
         value);
   } else if (location->kind == LOWER_LOCATION_MEMORY) {
      lir_value word = word_of_channel(context, location, channel);

      lir_store32(builder, lir_mem_space(location->memory),
                  lir_mem_binding(location->memory), word, value);
   }
}
