/* SPDX-License-Identifier: MIT
 *
 * The token decoder: tokens to a shader. Every word is hostile: each count is
 * held against the words that are left, each number against its table, before
 * it is used. Readers go by flags, not by the token counts of declarations and
 * instructions, which Mesa's own writers do not agree on.
 *
 * The first fault ends the decoding, since what follows it cannot be found.
 */
#include <assert.h>
#include <stdarg.h>

#include "tgsi/shader/shader.h"
#include "tgsi/tokens/tokens.h"

struct decoder {
   struct tg_source source;
   enum tg_token_layout layout;
   struct tg_diagnostics *diagnostics;
   const uint32_t *words;
   size_t next, end; /* the words that are left */
   struct tg_shader *shader;
   enum tg_result result; /* the first thing that went wrong */
};

/* ---- reading words ------------------------------------------------------- */

static struct tg_position
position_of(size_t word)
{
   return (struct tg_position){.column = (uint32_t)word};
}

/* Complains about the word that was read last, the first time. */
static void
refuse(struct decoder *decoder, const char *code, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

static void
refuse(struct decoder *decoder, const char *code, const char *format, ...)
{
   if (decoder->result != TG_OK)
      return;

   size_t last = decoder->next ? decoder->next - 1 : 0;
   va_list args;
   va_start(args, format);
   tg_vdiagnose(decoder->diagnostics, TG_SEVERITY_ERROR, code, &decoder->source,
                position_of(last), NULL, format, args);
   va_end(args);
   decoder->result = TG_ERROR_INPUT;
}

static void
out_of_room(struct decoder *decoder, uint32_t count, uint32_t bound,
            const char *things)
{
   if (count < bound)
      decoder->result = TG_ERROR_MEMORY;
   else
      refuse(decoder, "too-many", "a shader has at most %u %s", bound, things);
}

/* The next word, or 0 after the end. */
static uint32_t
read_word(struct decoder *decoder)
{
   if (decoder->next < decoder->end)
      return decoder->words[decoder->next++];
   refuse(decoder, "tokens-end-early", "the tokens end inside an item");
   return 0;
}

/* A field that numbers a row of a table with `count` rows. */
static uint8_t
read_number(struct decoder *decoder, uint32_t word, enum token_field field,
            unsigned count, const char *kind)
{
   uint32_t number = token_get(word, field);

   if (number < count)
      return (uint8_t)number;
   refuse(decoder, "unknown-number", "no %s has the number %u", kind, number);
   return 0;
}

/* A number that depends on the layout, as `to` translates it. */
static int
translate(struct decoder *decoder, uint32_t number,
          int (*to)(enum tg_token_layout layout, uint32_t number),
          const char *kind)
{
   int own = to(decoder->layout, number);

   if (own >= 0)
      return own;
   refuse(decoder, "unknown-number", "no %s has the number %u in %s", kind,
          number, token_layout_name(decoder->layout));
   return 0;
}

static uint8_t
read_file(struct decoder *decoder, uint32_t word, enum token_field field)
{
   return read_number(decoder, word, field, TG_NUM_TOKEN_FILES,
                      "register file");
}

/* ---- declarations -------------------------------------------------------- */

static void
decode_interpolation(struct decoder *decoder,
                     struct tg_declaration *declaration)
{
   uint32_t word = read_word(decoder);

   declaration->interpolate =
      read_number(decoder, word, TOKEN_INTERPOLATION_MODE, TG_NUM_INTERPOLATES,
                  "interpolation mode");
   declaration->location =
      read_number(decoder, word, TOKEN_INTERPOLATION_LOCATION, TG_NUM_LOCATIONS,
                  "interpolation location");
   if (decoder->layout == TG_TOKENS_MESA_20_0)
      declaration->cylindrical_wrap =
         (uint8_t)token_get(word, TOKEN_INTERPOLATION_CYLINDRICAL_WRAP);
}

static void
decode_semantic(struct decoder *decoder, struct tg_declaration *declaration)
{
   uint32_t word = read_word(decoder);
   uint32_t streams = token_get(word, TOKEN_SEMANTIC_STREAMS);

   declaration->semantic =
      (uint8_t)translate(decoder, token_get(word, TOKEN_SEMANTIC_NAME),
                         token_to_semantic, "semantic");
   declaration->semantic_index =
      (uint16_t)token_get(word, TOKEN_SEMANTIC_INDEX);
   for (unsigned i = 0; i < 4; i++)
      declaration->stream[i] = streams >> 2 * i & 3;
}

static void
decode_image(struct decoder *decoder, struct tg_declaration *declaration)
{
   uint32_t word = read_word(decoder);

   declaration->target = read_number(decoder, word, TOKEN_IMAGE_TARGET,
                                     TG_NUM_TARGETS, "texture target");
   declaration->raw = token_get(word, TOKEN_IMAGE_RAW);
   declaration->writable = token_get(word, TOKEN_IMAGE_WRITABLE);
   declaration->format = (uint16_t)translate(
      decoder, token_get(word, TOKEN_IMAGE_FORMAT), token_to_format, "format");
}

static void
decode_view(struct decoder *decoder, struct tg_declaration *declaration)
{
   static const enum token_field field[4] = {
      TOKEN_VIEW_RETURN_TYPE_X,
      TOKEN_VIEW_RETURN_TYPE_Y,
      TOKEN_VIEW_RETURN_TYPE_Z,
      TOKEN_VIEW_RETURN_TYPE_W,
   };
   uint32_t word = read_word(decoder);

   declaration->target = read_number(decoder, word, TOKEN_VIEW_TARGET,
                                     TG_NUM_TARGETS, "texture target");
   for (unsigned i = 0; i < 4; i++)
      declaration->return_type[i] = read_number(
         decoder, word, field[i], TG_NUM_RETURN_TYPES, "return type");
}

static void
decode_declaration(struct decoder *decoder, uint32_t word)
{
   struct tg_declaration *declaration =
      tg_shader_add_declaration(decoder->shader);

   if (!declaration) {
      out_of_room(decoder, decoder->shader->num_declarations,
                  TG_MAX_DECLARATIONS, "declarations");
      return;
   }
   declaration->position = position_of(decoder->next - 1);
   declaration->file = read_file(decoder, word, TOKEN_DECLARATION_FILE);
   declaration->usage_mask =
      (uint8_t)token_get(word, TOKEN_DECLARATION_USAGE_MASK);
   declaration->has_dimension = token_get(word, TOKEN_DECLARATION_DIMENSION);
   declaration->has_semantic = token_get(word, TOKEN_DECLARATION_SEMANTIC);
   declaration->has_interpolate =
      token_get(word, TOKEN_DECLARATION_INTERPOLATE);
   declaration->invariant = token_get(word, TOKEN_DECLARATION_INVARIANT);
   declaration->local = token_get(word, TOKEN_DECLARATION_LOCAL);
   declaration->has_array = token_get(word, TOKEN_DECLARATION_ARRAY);
   declaration->atomic = token_get(word, TOKEN_DECLARATION_ATOMIC);
   declaration->memory_type =
      (uint8_t)token_get(word, TOKEN_DECLARATION_MEMORY_TYPE);

   uint32_t range = read_word(decoder);
   declaration->first = (uint16_t)token_get(range, TOKEN_RANGE_FIRST);
   declaration->last = (uint16_t)token_get(range, TOKEN_RANGE_LAST);
   if (declaration->has_dimension)
      declaration->dimension =
         (uint16_t)token_get(read_word(decoder), TOKEN_DIMENSION_INDEX);
   if (declaration->has_interpolate)
      decode_interpolation(decoder, declaration);
   if (declaration->has_semantic)
      decode_semantic(decoder, declaration);
   if (declaration->file == TG_FILE_IMAGE)
      decode_image(decoder, declaration);
   if (declaration->file == TG_FILE_SVIEW)
      decode_view(decoder, declaration);
   if (declaration->has_array)
      declaration->array_id =
         (uint16_t)token_get(read_word(decoder), TOKEN_ARRAY_ID);
}

/* ---- immediates and properties ------------------------------------------- */

static void
decode_immediate(struct decoder *decoder, uint32_t word)
{
   uint32_t num_tokens = token_get(word, TOKEN_IMMEDIATE_NR_TOKENS);

   if (num_tokens < 1 || num_tokens > 5) {
      refuse(decoder, "immediate-size", "an immediate has 1 to 5 words, not %u",
             num_tokens);
      return;
   }
   struct tg_immediate *immediate = tg_shader_add_immediate(decoder->shader);
   if (!immediate) {
      out_of_room(decoder, decoder->shader->num_immediates, TG_MAX_IMMEDIATES,
                  "immediates");
      return;
   }
   immediate->position = position_of(decoder->next - 1);
   immediate->type = read_number(decoder, word, TOKEN_IMMEDIATE_DATA_TYPE,
                                 TG_NUM_IMM_TYPES, "immediate type");
   immediate->num_words = (uint8_t)(num_tokens - 1);
   for (unsigned i = 0; i < immediate->num_words; i++)
      immediate->words[i] = read_word(decoder);
}

static uint32_t
decode_property_value(struct decoder *decoder, enum tg_property_name name)
{
   uint32_t value = read_word(decoder);

   if (tg_property_row(name)->form != TG_FORM_PROCESSOR)
      return value;
   return (uint32_t)translate(decoder, value, token_to_processor, "stage");
}

static void
decode_property(struct decoder *decoder, uint32_t word)
{
   uint32_t num_tokens = token_get(word, TOKEN_ANY_NR_TOKENS);

   if (num_tokens < 1 || num_tokens > 1 + TG_MAX_PROPERTY_VALUES) {
      refuse(decoder, "property-size", "a property has 1 to %d words, not %u",
             1 + TG_MAX_PROPERTY_VALUES, num_tokens);
      return;
   }
   struct tg_property *property = tg_shader_add_property(decoder->shader);
   if (!property) {
      out_of_room(decoder, decoder->shader->num_properties, TG_MAX_PROPERTIES,
                  "properties");
      return;
   }
   property->position = position_of(decoder->next - 1);
   property->name = read_number(decoder, word, TOKEN_PROPERTY_NAME,
                                TG_NUM_PROPERTIES, "property");
   property->num_values = (uint8_t)(num_tokens - 1);
   for (unsigned i = 0; i < property->num_values; i++)
      property->values[i] = decode_property_value(decoder, property->name);
}

/* ---- instructions -------------------------------------------------------- */

static void
decode_indirect(struct decoder *decoder, struct tg_index *index)
{
   uint32_t word = read_word(decoder);

   index->indirect = true;
   index->file = read_file(decoder, word, TOKEN_INDIRECT_FILE);
   index->index = (int32_t)token_get(word, TOKEN_INDIRECT_INDEX);
   index->component = (uint8_t)token_get(word, TOKEN_INDIRECT_SWIZZLE);
   index->array_id = (uint16_t)token_get(word, TOKEN_INDIRECT_ARRAY_ID);
}

/* The words after a destination's or a source's first one. */
static void
decode_brackets(struct decoder *decoder, struct tg_register *reg,
                bool is_indirect, bool has_dimension)
{
   if (is_indirect)
      decode_indirect(decoder, &reg->index);
   if (!has_dimension)
      return;

   uint32_t word = read_word(decoder);
   reg->has_dimension = true;
   reg->dimension.offset = (int32_t)token_get(word, TOKEN_DIM_INDEX);
   if (token_get(word, TOKEN_DIM_DIMENSION))
      refuse(decoder, "three-dimensions",
             "a register has at most two dimensions");
   if (token_get(word, TOKEN_DIM_INDIRECT))
      decode_indirect(decoder, &reg->dimension);
}

static void
decode_dst(struct decoder *decoder, struct tg_dst *dst)
{
   uint32_t word = read_word(decoder);

   dst->reg.file = read_file(decoder, word, TOKEN_DST_FILE);
   dst->writemask = (uint8_t)token_get(word, TOKEN_DST_WRITE_MASK);
   dst->reg.index.offset = (int32_t)token_get(word, TOKEN_DST_INDEX);
   decode_brackets(decoder, &dst->reg, token_get(word, TOKEN_DST_INDIRECT),
                   token_get(word, TOKEN_DST_DIMENSION));
}

static void
decode_src(struct decoder *decoder, struct tg_src *src)
{
   uint32_t word = read_word(decoder);

   src->reg.file = read_file(decoder, word, TOKEN_SRC_FILE);
   src->reg.index.offset = (int32_t)token_get(word, TOKEN_SRC_INDEX);
   src->swizzle[0] = (uint8_t)token_get(word, TOKEN_SRC_SWIZZLE_X);
   src->swizzle[1] = (uint8_t)token_get(word, TOKEN_SRC_SWIZZLE_Y);
   src->swizzle[2] = (uint8_t)token_get(word, TOKEN_SRC_SWIZZLE_Z);
   src->swizzle[3] = (uint8_t)token_get(word, TOKEN_SRC_SWIZZLE_W);
   src->absolute = token_get(word, TOKEN_SRC_ABSOLUTE);
   src->negate = token_get(word, TOKEN_SRC_NEGATE);
   decode_brackets(decoder, &src->reg, token_get(word, TOKEN_SRC_INDIRECT),
                   token_get(word, TOKEN_SRC_DIMENSION));
}

static void
decode_texture(struct decoder *decoder, struct tg_instruction_draft *draft)
{
   uint32_t word = read_word(decoder);
   uint32_t num_offsets = token_get(word, TOKEN_TEXTURE_NUM_OFFSETS);

   draft->head.has_texture = true;
   draft->head.target = read_number(decoder, word, TOKEN_TEXTURE_TARGET,
                                    TG_NUM_TARGETS, "texture target");
   draft->head.tex_return_type =
      read_number(decoder, word, TOKEN_TEXTURE_RETURN_TYPE, TG_NUM_RETURN_TYPES,
                  "return type");
   if (num_offsets > TG_MAX_TEX_OFFSETS) {
      refuse(decoder, "too-many-offsets",
             "a texture instruction has at most %d offsets, not %u",
             TG_MAX_TEX_OFFSETS, num_offsets);
      return;
   }
   draft->head.num_tex_offsets = (uint8_t)num_offsets;
   for (unsigned i = 0; i < num_offsets; i++) {
      struct tg_tex_offset *offset = &draft->tex_offset[i];

      word = read_word(decoder);
      offset->index = (int32_t)token_get(word, TOKEN_OFFSET_INDEX);
      offset->file = read_file(decoder, word, TOKEN_OFFSET_FILE);
      offset->swizzle[0] = (uint8_t)token_get(word, TOKEN_OFFSET_SWIZZLE_X);
      offset->swizzle[1] = (uint8_t)token_get(word, TOKEN_OFFSET_SWIZZLE_Y);
      offset->swizzle[2] = (uint8_t)token_get(word, TOKEN_OFFSET_SWIZZLE_Z);
   }
}

static void
decode_memory(struct decoder *decoder, struct tg_instruction *instruction)
{
   uint32_t word = read_word(decoder);

   instruction->has_memory = true;
   instruction->qualifiers = (uint8_t)token_get(word, TOKEN_MEMORY_QUALIFIER);
   instruction->memory_target = read_number(decoder, word, TOKEN_MEMORY_TARGET,
                                            TG_NUM_TARGETS, "texture target");
   instruction->memory_format = (uint16_t)translate(
      decoder, token_get(word, TOKEN_MEMORY_FORMAT), token_to_format, "format");
}

static void
decode_operands(struct decoder *decoder, struct tg_instruction_draft *draft,
                uint32_t num_dst, uint32_t num_src)
{
   if (num_dst > TG_MAX_DST || num_src > TG_MAX_SRC) {
      refuse(decoder, "too-many-operands",
             "an instruction has at most %d destinations and %d sources, "
             "not %u and %u",
             TG_MAX_DST, TG_MAX_SRC, num_dst, num_src);
      return;
   }
   draft->head.num_dst = (uint8_t)num_dst;
   draft->head.num_src = (uint8_t)num_src;
   for (unsigned i = 0; i < num_dst; i++)
      decode_dst(decoder, &draft->dst[i]);
   for (unsigned i = 0; i < num_src; i++)
      decode_src(decoder, &draft->src[i]);
}

static void
decode_instruction(struct decoder *decoder, uint32_t word)
{
   struct tg_instruction_draft draft = {0};
   struct tg_instruction *head = &draft.head;

   head->position = position_of(decoder->next - 1);
   head->opcode =
      (uint16_t)translate(decoder, token_get(word, TOKEN_INSTRUCTION_OPCODE),
                          token_to_opcode, "opcode");
   head->saturate = token_get(word, TOKEN_INSTRUCTION_SATURATE)
                       ? TG_SATURATE_ZERO_ONE
                       : TG_SATURATE_NONE;
   head->precise = token_get(word, TOKEN_INSTRUCTION_PRECISE);
   if (token_get(word, TOKEN_INSTRUCTION_LABEL)) {
      head->has_label = true;
      head->label = token_get(read_word(decoder), TOKEN_LABEL_LABEL);
   }
   if (token_get(word, TOKEN_INSTRUCTION_TEXTURE))
      decode_texture(decoder, &draft);
   if (token_get(word, TOKEN_INSTRUCTION_MEMORY))
      decode_memory(decoder, head);
   decode_operands(decoder, &draft, token_get(word, TOKEN_INSTRUCTION_NUM_DST),
                   token_get(word, TOKEN_INSTRUCTION_NUM_SRC));

   if (decoder->result == TG_OK &&
       !tg_shader_add_instruction(decoder->shader, &draft))
      out_of_room(decoder, decoder->shader->num_instructions,
                  TG_MAX_INSTRUCTIONS, "instructions");
}

/* ---- the whole ----------------------------------------------------------- */

static void
decode_item(struct decoder *decoder)
{
   uint32_t word = read_word(decoder);
   uint32_t type = token_get(word, TOKEN_ANY_TYPE);

   switch (type) {
   case TOKEN_TYPE_DECLARATION: decode_declaration(decoder, word); break;
   case TOKEN_TYPE_IMMEDIATE: decode_immediate(decoder, word); break;
   case TOKEN_TYPE_INSTRUCTION: decode_instruction(decoder, word); break;
   case TOKEN_TYPE_PROPERTY: decode_property(decoder, word); break;
   default: refuse(decoder, "unknown-token", "no token has the type %u", type);
   }
}

/* Reads the header and sets `end`. What follows the body must be zero: buffers
 * are often handed over larger than what they hold. */
static enum tg_processor
decode_header(struct decoder *decoder, size_t num_words)
{
   decoder->end = num_words;
   uint32_t header = read_word(decoder);
   size_t header_size = token_get(header, TOKEN_HEADER_HEADER_SIZE);
   size_t body_size = token_get(header, TOKEN_HEADER_BODY_SIZE);

   if (header_size < 2)
      refuse(decoder, "header-size", "a header has at least 2 words, not %zu",
             header_size);
   uint32_t processor =
      token_get(read_word(decoder), TOKEN_PROCESSOR_PROCESSOR);
   int stage = translate(decoder, processor, token_to_processor, "stage");
   if (stage >= TG_NUM_STAGES)
      refuse(decoder, "unknown-number", "no shader can be for the stage %s",
             tg_processor_row(stage)->name);
   if (header_size + body_size > num_words)
      refuse(decoder, "tokens-end-early",
             "the header promises %zu words, and there are %zu",
             header_size + body_size, num_words);
   for (size_t i = header_size + body_size;
        i < num_words && decoder->result == TG_OK; i++) {
      decoder->next = i + 1;
      if (decoder->words[i])
         refuse(decoder, "tokens-go-on", "there are words after the body");
   }
   decoder->next = header_size;
   decoder->end = header_size + body_size;
   return (enum tg_processor)stage;
}

enum tg_result
tg_shader_decode(const struct tg_allocator *allocator, const char *name,
                 const uint32_t *words, size_t num_words,
                 enum tg_token_layout layout, enum tg_dialect dialect,
                 struct tg_diagnostics *diagnostics,
                 struct tg_shader **shader_out)
{
   assert(shader_out);
   struct decoder decoder = {
      .source = {.name = name},
      .layout = layout,
      .diagnostics = diagnostics,
      .words = words,
      .result = TG_OK,
   };
   enum tg_processor processor = decode_header(&decoder, num_words);

   if (decoder.result != TG_OK)
      return decoder.result;
   decoder.shader =
      tg_shader_create(allocator, processor, dialect, &decoder.source);
   if (!decoder.shader)
      return TG_ERROR_MEMORY;
   while (decoder.result == TG_OK && decoder.next < decoder.end)
      decode_item(&decoder);
   if (decoder.result != TG_OK) {
      tg_shader_destroy(decoder.shader);
      return decoder.result;
   }
   tg_shader_seal(decoder.shader);
   *shader_out = decoder.shader;
   return TG_OK;
}
