/* SPDX-License-Identifier: MIT
 *
 * The token encoder: a shader as tokens. The words are those that Mesa's
 * assembler writes, token counts included. What the layout has no number or no
 * room for is reported, all of it, and then nothing is returned.
 */
#include "tgsi/shader/shader.h"

#include "tgsi/tokens/tokens.h"
#include "util/block.h"
#include "util/checked.h"
#include "util/length.h"
#include <assert.h>

struct encoder {
   const struct tg_shader *shader;
   enum tg_token_layout layout;
   struct tg_diagnostics *diagnostics;
   struct tg_position position; /* of the item at hand */
   uint32_t *words;
   size_t num_words, capacity;
   bool refused, out_of_memory;
};

/* ---- writing words ------------------------------------------------------- */

static void
refuse_number(struct encoder *encoder, const char *kind, const char *name)
{
   tg_diagnose(encoder->diagnostics, TG_SEVERITY_ERROR, "no-token-number",
               &encoder->shader->source, encoder->position, NULL,
               "%s %s has no number in the tokens of %s", kind, name,
               token_layout_name(encoder->layout));
   encoder->refused = true;
}

static void
put(struct encoder *encoder, uint32_t *word, enum token_field field,
    uint32_t value)
{
   if (token_put(word, field, value))
      return;

   const struct token_field_info *info = &token_fields[field];
   tg_diagnose(encoder->diagnostics, TG_SEVERITY_ERROR, "token-field-overflow",
               &encoder->shader->source, encoder->position, NULL,
               "%d does not fit the %u bits of token field %s.%s", (int)value,
               info->bits, info->word, info->field);
   encoder->refused = true;
}

static void
append(struct encoder *encoder, uint32_t word)
{
   if (encoder->num_words == encoder->capacity) {
      size_t capacity = encoder->capacity ? encoder->capacity * 2 : 256;
      size_t bytes;
      uint32_t *words = NULL;

      if (tg_mul_size(capacity, sizeof(*words), &bytes))
         words = tg_block_resize(encoder->shader->arena.allocator,
                                 encoder->words, bytes);
      if (!words) {
         encoder->out_of_memory = true;
         return;
      }
      encoder->words = words;
      encoder->capacity = capacity;
   }
   encoder->words[encoder->num_words++] = word;
}

/* Writes the count of words since `start` into the first of them. */
static void
finish_token(struct encoder *encoder, size_t start, enum token_field field,
             bool counts_first_word)
{
   if (encoder->out_of_memory)
      return;
   uint32_t count = (uint32_t)(encoder->num_words - start);
   assert(start < encoder->num_words);
   put(encoder, &encoder->words[start], field,
       counts_first_word ? count : count - 1);
}

/* ---- declarations -------------------------------------------------------- */

static void
encode_declaration_word(struct encoder *encoder,
                        const struct tg_declaration *declaration)
{
   uint32_t word = 0;

   put(encoder, &word, TOKEN_ANY_TYPE, TOKEN_TYPE_DECLARATION);
   put(encoder, &word, TOKEN_DECLARATION_FILE, declaration->file);
   put(encoder, &word, TOKEN_DECLARATION_USAGE_MASK, declaration->usage_mask);
   put(encoder, &word, TOKEN_DECLARATION_DIMENSION, declaration->has_dimension);
   put(encoder, &word, TOKEN_DECLARATION_SEMANTIC, declaration->has_semantic);
   put(encoder, &word, TOKEN_DECLARATION_INTERPOLATE,
       declaration->has_interpolate);
   put(encoder, &word, TOKEN_DECLARATION_INVARIANT, declaration->invariant);
   put(encoder, &word, TOKEN_DECLARATION_LOCAL, declaration->local);
   put(encoder, &word, TOKEN_DECLARATION_ARRAY, declaration->has_array);
   put(encoder, &word, TOKEN_DECLARATION_ATOMIC, declaration->atomic);
   put(encoder, &word, TOKEN_DECLARATION_MEMORY_TYPE, declaration->memory_type);
   append(encoder, word);

   word = 0;
   put(encoder, &word, TOKEN_RANGE_FIRST, declaration->first);
   put(encoder, &word, TOKEN_RANGE_LAST, declaration->last);
   append(encoder, word);
}

static void
encode_interpolation(struct encoder *encoder,
                     const struct tg_declaration *declaration)
{
   uint32_t word = 0;
   uint32_t wrap = declaration->cylindrical_wrap;

   if (wrap && encoder->layout == TG_TOKENS_MESA_23_3) {
      tg_diagnose(encoder->diagnostics, TG_SEVERITY_WARNING,
                  "cylindrical-wrap-lost", &encoder->shader->source,
                  encoder->position, NULL,
                  "the tokens of Mesa 23.3 have no cylindrical wrap");
      wrap = 0;
   }
   put(encoder, &word, TOKEN_INTERPOLATION_MODE, declaration->interpolate);
   put(encoder, &word, TOKEN_INTERPOLATION_LOCATION, declaration->location);
   put(encoder, &word, TOKEN_INTERPOLATION_CYLINDRICAL_WRAP, wrap);
   append(encoder, word);
}

static void
encode_semantic(struct encoder *encoder,
                const struct tg_declaration *declaration)
{
   uint32_t word = 0;
   uint32_t streams = 0;
   int number = token_from_semantic(encoder->layout, declaration->semantic);

   if (number < 0) {
      refuse_number(encoder, "semantic",
                    tg_semantic_row(declaration->semantic)->name);
      return;
   }
   for (unsigned i = 0; i < 4; i++)
      streams |= (declaration->stream[i] & 3u) << 2 * i;
   put(encoder, &word, TOKEN_SEMANTIC_NAME, (uint32_t)number);
   put(encoder, &word, TOKEN_SEMANTIC_INDEX, declaration->semantic_index);
   put(encoder, &word, TOKEN_SEMANTIC_STREAMS, streams);
   append(encoder, word);
}

static void
put_format(struct encoder *encoder, uint32_t *word, enum token_field field,
           enum tg_format format)
{
   assert((unsigned)format < TG_NUM_FORMATS);
   int number = token_from_format(encoder->layout, format);

   if (number < 0)
      refuse_number(encoder, "format", tg_format_row(format)->name);
   else
      put(encoder, word, field, (uint32_t)number);
}

static void
encode_image(struct encoder *encoder, const struct tg_declaration *declaration)
{
   uint32_t word = 0;

   put(encoder, &word, TOKEN_IMAGE_TARGET, declaration->target);
   put(encoder, &word, TOKEN_IMAGE_RAW, declaration->raw);
   put(encoder, &word, TOKEN_IMAGE_WRITABLE, declaration->writable);
   put_format(encoder, &word, TOKEN_IMAGE_FORMAT, declaration->format);
   append(encoder, word);
}

static void
encode_view(struct encoder *encoder, const struct tg_declaration *declaration)
{
   const uint8_t *type = declaration->return_type;
   uint32_t word = 0;

   put(encoder, &word, TOKEN_VIEW_TARGET, declaration->target);
   put(encoder, &word, TOKEN_VIEW_RETURN_TYPE_X, type[0]);
   put(encoder, &word, TOKEN_VIEW_RETURN_TYPE_Y, type[1]);
   put(encoder, &word, TOKEN_VIEW_RETURN_TYPE_Z, type[2]);
   put(encoder, &word, TOKEN_VIEW_RETURN_TYPE_W, type[3]);
   append(encoder, word);
}

static void
encode_declaration(struct encoder *encoder,
                   const struct tg_declaration *declaration)
{
   size_t start = encoder->num_words;
   uint32_t word = 0;

   if (declaration->file >= TG_NUM_TOKEN_FILES) {
      refuse_number(encoder, "file", tg_file_row(declaration->file)->name);
      return;
   }
   encode_declaration_word(encoder, declaration);
   if (declaration->has_dimension) {
      put(encoder, &word, TOKEN_DIMENSION_INDEX, declaration->dimension);
      append(encoder, word);
   }
   if (declaration->has_interpolate)
      encode_interpolation(encoder, declaration);
   if (declaration->has_semantic)
      encode_semantic(encoder, declaration);
   if (declaration->file == TG_FILE_IMAGE)
      encode_image(encoder, declaration);
   if (declaration->file == TG_FILE_SVIEW)
      encode_view(encoder, declaration);
   if (declaration->has_array) {
      word = 0;
      put(encoder, &word, TOKEN_ARRAY_ID, declaration->array_id);
      append(encoder, word);
   }
   finish_token(encoder, start, TOKEN_ANY_NR_TOKENS, true);
}

/* ---- immediates and properties ------------------------------------------- */

static void
encode_immediate(struct encoder *encoder, const struct tg_immediate *immediate)
{
   size_t start = encoder->num_words;
   uint32_t word = 0;

   put(encoder, &word, TOKEN_ANY_TYPE, TOKEN_TYPE_IMMEDIATE);
   put(encoder, &word, TOKEN_IMMEDIATE_DATA_TYPE, immediate->type);
   append(encoder, word);
   for (unsigned i = 0; i < immediate->num_words; i++)
      append(encoder, immediate->words[i]);
   finish_token(encoder, start, TOKEN_IMMEDIATE_NR_TOKENS, true);
}

/* The value of a property as the layout numbers it. */
static uint32_t
property_value(struct encoder *encoder, const struct tg_property *property,
               unsigned index)
{
   assert(index < TG_LENGTH(property->values));
   uint32_t value = property->values[index];

   if (tg_property_row(property->name)->form != TG_FORM_PROCESSOR ||
       value >= TG_NUM_PROCESSORS)
      return value;
   int number = token_from_processor(encoder->layout, value);
   if (number < 0) {
      refuse_number(encoder, "stage", tg_processor_row(value)->name);
      return 0;
   }
   return (uint32_t)number;
}

static void
encode_property(struct encoder *encoder, const struct tg_property *property)
{
   size_t start = encoder->num_words;
   uint32_t word = 0;

   put(encoder, &word, TOKEN_ANY_TYPE, TOKEN_TYPE_PROPERTY);
   put(encoder, &word, TOKEN_PROPERTY_NAME, property->name);
   append(encoder, word);
   for (unsigned i = 0; i < property->num_values; i++)
      append(encoder, property_value(encoder, property, i));
   finish_token(encoder, start, TOKEN_ANY_NR_TOKENS, true);
}

/* ---- instructions -------------------------------------------------------- */

static void
encode_indirect(struct encoder *encoder, const struct tg_index *index)
{
   uint32_t word = 0;

   put(encoder, &word, TOKEN_INDIRECT_FILE, index->file);
   put(encoder, &word, TOKEN_INDIRECT_INDEX, (uint32_t)index->index);
   put(encoder, &word, TOKEN_INDIRECT_SWIZZLE, index->component);
   put(encoder, &word, TOKEN_INDIRECT_ARRAY_ID, index->array_id);
   append(encoder, word);
}

/* The words after a destination's or a source's first one. */
static void
encode_brackets(struct encoder *encoder, const struct tg_register *reg)
{
   uint32_t word = 0;

   if (reg->index.indirect)
      encode_indirect(encoder, &reg->index);
   if (!reg->has_dimension)
      return;
   put(encoder, &word, TOKEN_DIM_INDIRECT, reg->dimension.indirect);
   put(encoder, &word, TOKEN_DIM_INDEX, (uint32_t)reg->dimension.offset);
   append(encoder, word);
   if (reg->dimension.indirect)
      encode_indirect(encoder, &reg->dimension);
}

/* A register of a file without number cannot be written. */
static void
check_file(struct encoder *encoder, unsigned file)
{
   if (file >= TG_NUM_TOKEN_FILES)
      refuse_number(encoder, "file", tg_file_row(file)->name);
}

static void
check_register(struct encoder *encoder, const struct tg_register *reg)
{
   check_file(encoder, reg->file);
   if (reg->index.indirect)
      check_file(encoder, reg->index.file);
   if (reg->has_dimension && reg->dimension.indirect)
      check_file(encoder, reg->dimension.file);
}

static void
encode_dst(struct encoder *encoder, const struct tg_dst *dst)
{
   uint32_t word = 0;

   put(encoder, &word, TOKEN_DST_FILE, dst->reg.file);
   put(encoder, &word, TOKEN_DST_WRITE_MASK, dst->writemask);
   put(encoder, &word, TOKEN_DST_INDIRECT, dst->reg.index.indirect);
   put(encoder, &word, TOKEN_DST_DIMENSION, dst->reg.has_dimension);
   put(encoder, &word, TOKEN_DST_INDEX, (uint32_t)dst->reg.index.offset);
   append(encoder, word);
   encode_brackets(encoder, &dst->reg);
}

static void
encode_src(struct encoder *encoder, const struct tg_src *src)
{
   uint32_t word = 0;

   put(encoder, &word, TOKEN_SRC_FILE, src->reg.file);
   put(encoder, &word, TOKEN_SRC_INDIRECT, src->reg.index.indirect);
   put(encoder, &word, TOKEN_SRC_DIMENSION, src->reg.has_dimension);
   put(encoder, &word, TOKEN_SRC_INDEX, (uint32_t)src->reg.index.offset);
   put(encoder, &word, TOKEN_SRC_SWIZZLE_X, src->swizzle[0]);
   put(encoder, &word, TOKEN_SRC_SWIZZLE_Y, src->swizzle[1]);
   put(encoder, &word, TOKEN_SRC_SWIZZLE_Z, src->swizzle[2]);
   put(encoder, &word, TOKEN_SRC_SWIZZLE_W, src->swizzle[3]);
   put(encoder, &word, TOKEN_SRC_ABSOLUTE, src->absolute);
   put(encoder, &word, TOKEN_SRC_NEGATE, src->negate);
   append(encoder, word);
   encode_brackets(encoder, &src->reg);
}

static void
encode_texture(struct encoder *encoder,
               const struct tg_instruction *instruction)
{
   uint32_t word = 0;

   put(encoder, &word, TOKEN_TEXTURE_TARGET, instruction->target);
   put(encoder, &word, TOKEN_TEXTURE_NUM_OFFSETS, instruction->num_tex_offsets);
   put(encoder, &word, TOKEN_TEXTURE_RETURN_TYPE, instruction->tex_return_type);
   append(encoder, word);

   for (unsigned i = 0; i < instruction->num_tex_offsets; i++) {
      const struct tg_tex_offset *offset = &instruction->tex_offset[i];

      word = 0;
      check_file(encoder, offset->file);
      put(encoder, &word, TOKEN_OFFSET_INDEX, (uint32_t)offset->index);
      put(encoder, &word, TOKEN_OFFSET_FILE, offset->file);
      put(encoder, &word, TOKEN_OFFSET_SWIZZLE_X, offset->swizzle[0]);
      put(encoder, &word, TOKEN_OFFSET_SWIZZLE_Y, offset->swizzle[1]);
      put(encoder, &word, TOKEN_OFFSET_SWIZZLE_Z, offset->swizzle[2]);
      append(encoder, word);
   }
}

static void
encode_memory(struct encoder *encoder, const struct tg_instruction *instruction)
{
   uint32_t word = 0;

   put(encoder, &word, TOKEN_MEMORY_QUALIFIER, instruction->qualifiers);
   put(encoder, &word, TOKEN_MEMORY_TARGET, instruction->memory_target);
   put_format(encoder, &word, TOKEN_MEMORY_FORMAT, instruction->memory_format);
   append(encoder, word);
}

/* What tokens of today cannot say. False when there is some. */
static bool
check_instruction(struct encoder *encoder,
                  const struct tg_instruction *instruction)
{
   bool refused_before = encoder->refused;

   encoder->refused = false;
   if (token_from_opcode(encoder->layout, instruction->opcode) < 0)
      refuse_number(encoder, "opcode",
                    tg_opcode_row(instruction->opcode)->name);
   if (instruction->has_predicate)
      refuse_number(encoder, "file", "PRED");
   if (instruction->saturate == TG_SATURATE_MINUS_ONE_ONE)
      refuse_number(encoder, "suffix", "_SATNV");
   for (unsigned i = 0; i < instruction->num_dst; i++)
      check_register(encoder, &instruction->dst[i].reg);
   for (unsigned i = 0; i < instruction->num_src; i++)
      check_register(encoder, &instruction->src[i].reg);

   bool is_good = !encoder->refused;
   encoder->refused |= refused_before;
   return is_good;
}

static void
encode_instruction(struct encoder *encoder,
                   const struct tg_instruction *instruction)
{
   size_t start = encoder->num_words;
   uint32_t word = 0;

   if (!check_instruction(encoder, instruction))
      return;
   put(encoder, &word, TOKEN_ANY_TYPE, TOKEN_TYPE_INSTRUCTION);
   put(encoder, &word, TOKEN_INSTRUCTION_OPCODE, instruction->opcode);
   put(encoder, &word, TOKEN_INSTRUCTION_SATURATE,
       instruction->saturate == TG_SATURATE_ZERO_ONE);
   put(encoder, &word, TOKEN_INSTRUCTION_NUM_DST, instruction->num_dst);
   put(encoder, &word, TOKEN_INSTRUCTION_NUM_SRC, instruction->num_src);
   put(encoder, &word, TOKEN_INSTRUCTION_LABEL, instruction->has_label);
   put(encoder, &word, TOKEN_INSTRUCTION_TEXTURE, instruction->has_texture);
   put(encoder, &word, TOKEN_INSTRUCTION_MEMORY, instruction->has_memory);
   put(encoder, &word, TOKEN_INSTRUCTION_PRECISE, instruction->precise);
   append(encoder, word);
   if (instruction->has_label) {
      word = 0;
      put(encoder, &word, TOKEN_LABEL_LABEL, instruction->label);
      append(encoder, word);
   }
   if (instruction->has_texture)
      encode_texture(encoder, instruction);
   if (instruction->has_memory)
      encode_memory(encoder, instruction);
   for (unsigned i = 0; i < instruction->num_dst; i++)
      encode_dst(encoder, &instruction->dst[i]);
   for (unsigned i = 0; i < instruction->num_src; i++)
      encode_src(encoder, &instruction->src[i]);
   /* Unlike all other tokens, this count leaves out the first word. */
   finish_token(encoder, start, TOKEN_ANY_NR_TOKENS, false);
}

/* ---- the whole ----------------------------------------------------------- */

static void
encode_item(struct encoder *encoder, const struct tg_item *item)
{
   const struct tg_shader *shader = encoder->shader;

   switch ((enum tg_item_kind)item->kind) {
   case TG_ITEM_DECLARATION:
      encoder->position = shader->declarations[item->index].position;
      encode_declaration(encoder, &shader->declarations[item->index]);
      break;
   case TG_ITEM_IMMEDIATE:
      encoder->position = shader->immediates[item->index].position;
      encode_immediate(encoder, &shader->immediates[item->index]);
      break;
   case TG_ITEM_PROPERTY:
      encoder->position = shader->properties[item->index].position;
      encode_property(encoder, &shader->properties[item->index]);
      break;
   case TG_ITEM_INSTRUCTION:
      encoder->position = shader->instructions[item->index].position;
      encode_instruction(encoder, &shader->instructions[item->index]);
      break;
   }
}

enum { HEADER_WORDS = 2 };

static void
encode_header(struct encoder *encoder)
{
   uint32_t header = 0, processor = 0;
   int number =
      token_from_processor(encoder->layout, encoder->shader->processor);

   put(encoder, &header, TOKEN_HEADER_HEADER_SIZE, HEADER_WORDS);
   put(encoder, &processor, TOKEN_PROCESSOR_PROCESSOR, (uint32_t)number);
   append(encoder, header);
   append(encoder, processor);
}

enum tg_result
tg_shader_encode(const struct tg_shader *shader, enum tg_token_layout layout,
                 struct tg_diagnostics *diagnostics, uint32_t **words_out,
                 size_t *num_words_out)
{
   assert(shader);
   assert(words_out);
   assert(num_words_out);
   struct encoder encoder = {
      .shader = shader,
      .layout = layout,
      .diagnostics = diagnostics,
   };

   encode_header(&encoder);
   for (uint32_t i = 0; i < shader->num_items && !encoder.out_of_memory; i++)
      encode_item(&encoder, &shader->items[i]);
   if (!encoder.out_of_memory) {
      encoder.position = (struct tg_position){0};
      put(&encoder, &encoder.words[0], TOKEN_HEADER_BODY_SIZE,
          (uint32_t)(encoder.num_words - HEADER_WORDS));
   }
   if (encoder.out_of_memory || encoder.refused) {
      tg_block_free(encoder.words);
      return encoder.out_of_memory ? TG_ERROR_MEMORY : TG_ERROR_INPUT;
   }
   *words_out = encoder.words;
   *num_words_out = encoder.num_words;
   return TG_OK;
}
