/* SPDX-License-Identifier: MIT
 *
 * The text printer: a shader as text, in the one form that Mesa prints: one
 * item a line, blocks indented, nothing left to taste. What is of old
 * generations prints in a form that the parser reads back.
 */
#include <string.h>

#include "tgsi/shader/shader.h"
#include "tgsi/tables/vocabulary.h"
#include "util/strbuf.h"

struct printer {
   struct tg_strbuf out;
   const struct tg_shader *shader;
   unsigned flags;
   uint32_t num_immediates;
   uint32_t num_instructions;
   int nesting; /* of blocks; below 0 where more end than begin */
};

/* ---- small things -------------------------------------------------------- */

static void
add(struct printer *printer, const char *text)
{
   tg_strbuf_add(&printer->out, text);
}

/* The name of a number; numbers without one stand for themselves. */
static void
add_name(struct printer *printer, const char *const *names, size_t num_names,
         unsigned number)
{
   if (number < num_names)
      add(printer, names[number]);
   else
      tg_strbuf_printf(&printer->out, "%u", number);
}

static void
add_word(struct printer *printer, const struct tg_vocabulary *vocabulary,
         unsigned number)
{
   if (number < vocabulary->num_words)
      tg_strbuf_printf(&printer->out, "%s%s", vocabulary->prefix,
                       vocabulary->word(number));
   else
      tg_strbuf_printf(&printer->out, "%u", number);
}

/* `.` and the channels of the mask; nothing for all of them. */
static void
add_mask(struct printer *printer, unsigned mask)
{
   if (mask == TG_MASK_XYZW)
      return;
   tg_strbuf_add_char(&printer->out, '.');
   for (unsigned i = 0; i < 4; i++) {
      if (mask >> i & 1)
         tg_strbuf_add_char(&printer->out, "xyzw"[i]);
   }
}

static void
add_letters(struct printer *printer, const uint8_t *swizzle, unsigned count)
{
   tg_strbuf_add_char(&printer->out, '.');
   for (unsigned i = 0; i < count; i++)
      tg_strbuf_add_char(&printer->out, "xyzw"[swizzle[i] & 3]);
}

static void
add_swizzle(struct printer *printer, const uint8_t swizzle[4])
{
   static const uint8_t identity[4] = {0, 1, 2, 3};

   if (memcmp(swizzle, identity, sizeof(identity)) != 0)
      add_letters(printer, swizzle, 4);
}

/* ---- values -------------------------------------------------------------- */

static void
add_value(struct printer *printer, enum tg_imm_type type,
          const uint32_t words[2])
{
   struct tg_strbuf *out = &printer->out;
   float single;
   double wide;
   uint64_t bits;

   memcpy(&single, words, sizeof(single));
   memcpy(&wide, words, sizeof(wide));
   memcpy(&bits, words, sizeof(bits));
   switch (type) {
   case TG_IMM_TYPE_FLT32:
      if (printer->flags & TG_PRINT_FLOATS_AS_HEX)
         tg_strbuf_printf(out, "0x%08x", words[0]);
      else
         tg_strbuf_double(out, "%10.4f", single);
      break;
   case TG_IMM_TYPE_UINT32: tg_strbuf_printf(out, "%u", words[0]); break;
   case TG_IMM_TYPE_INT32:
      tg_strbuf_printf(out, "%d", (int32_t)words[0]);
      break;
   case TG_IMM_TYPE_FLT64: tg_strbuf_double(out, "%10.8f", wide); break;
   case TG_IMM_TYPE_UINT64:
      tg_strbuf_printf(out, "%llu", (unsigned long long)bits);
      break;
   case TG_IMM_TYPE_INT64:
      tg_strbuf_printf(out, "%lld", (long long)(int64_t)bits);
      break;
   case TG_NUM_IMM_TYPES: break;
   }
}

/* ---- declarations -------------------------------------------------------- */

static void
add_range(struct printer *printer, const struct tg_declaration *declaration)
{
   struct tg_strbuf *out = &printer->out;

   if (tg_shader_declaration_is_per_vertex(printer->shader->processor,
                                           declaration))
      add(printer, "[]");
   if (declaration->has_dimension)
      tg_strbuf_printf(out, "[%u]", declaration->dimension);
   if (declaration->first == declaration->last)
      tg_strbuf_printf(out, "[%u]", declaration->first);
   else
      tg_strbuf_printf(out, "[%u..%u]", declaration->first, declaration->last);
}

static void
add_semantic(struct printer *printer, const struct tg_declaration *declaration)
{
   const uint8_t *stream = declaration->stream;

   if (declaration->has_semantic) {
      add(printer, ", ");
      add_word(printer, &tg_vocabulary_semantics, declaration->semantic);
      if (tg_semantic_shows_index(declaration->semantic,
                                  declaration->semantic_index))
         tg_strbuf_printf(&printer->out, "[%u]", declaration->semantic_index);
   }
   if (stream[0] || stream[1] || stream[2] || stream[3])
      tg_strbuf_printf(&printer->out, ", STREAM(%u, %u, %u, %u)", stream[0],
                       stream[1], stream[2], stream[3]);
}

/* One type stands for four that are equal. */
static void
add_return_types(struct printer *printer, const uint8_t types[4])
{
   bool are_equal =
      types[0] == types[1] && types[0] == types[2] && types[0] == types[3];

   for (unsigned i = 0; i < (are_equal ? 1 : 4); i++) {
      add(printer, ", ");
      add_name(printer, tg_return_type_names, TG_NUM_RETURN_TYPES, types[i]);
   }
}

/* What only some files have. */
static void
add_file_attributes(struct printer *printer,
                    const struct tg_declaration *declaration)
{
   enum tg_file file = declaration->file;

   if (file == TG_FILE_BUFFER && declaration->atomic)
      add(printer, ", ATOMIC");
   if (file == TG_FILE_MEMORY) {
      add(printer, ", ");
      add_name(printer, tg_memory_type_names, TG_NUM_MEMORY_TYPES,
               declaration->memory_type);
   }
   if (file != TG_FILE_IMAGE && file != TG_FILE_SVIEW && file != TG_FILE_RES)
      return;
   add(printer, ", ");
   add_word(printer, &tg_vocabulary_targets, declaration->target);
   if (file == TG_FILE_IMAGE) {
      add(printer, ", ");
      add_word(printer, &tg_vocabulary_formats, declaration->format);
   }
   if (declaration->writable)
      add(printer, ", WR");
   if (declaration->raw)
      add(printer, ", RAW");
   if (file == TG_FILE_SVIEW || declaration->has_return_type)
      add_return_types(printer, declaration->return_type);
}

/* The mode is of interest to fragment shaders alone. */
static void
add_interpolation(struct printer *printer,
                  const struct tg_declaration *declaration)
{
   if (!declaration->has_interpolate)
      return;
   if (printer->shader->processor == TG_PROCESSOR_FRAG &&
       declaration->file == TG_FILE_IN) {
      add(printer, ", ");
      add_name(printer, tg_interpolate_names, TG_NUM_INTERPOLATES,
               declaration->interpolate);
   }
   if (declaration->location != TG_LOCATION_CENTER) {
      add(printer, ", ");
      add_name(printer, tg_location_names, TG_NUM_LOCATIONS,
               declaration->location);
   }
   if (declaration->cylindrical_wrap) {
      add(printer, ", CYLWRAP_");
      for (unsigned i = 0; i < 4; i++) {
         if (declaration->cylindrical_wrap >> i & 1)
            tg_strbuf_add_char(&printer->out, "XYZW"[i]);
      }
   }
}

/* The values of IMMX, in one line. */
static void
add_elements(struct printer *printer, const struct tg_declaration *declaration)
{
   const struct tg_element *element =
      &printer->shader->elements[declaration->first_element];
   uint32_t count = declaration->last - declaration->first + 1u;

   for (uint32_t i = 0; i < count; i++) {
      add(printer, i ? ", {" : " {{");
      for (unsigned c = 0; c < 4; c++) {
         const uint32_t words[2] = {element[i].words[c]};

         add(printer, c ? ", " : "");
         add_value(printer, TG_IMM_TYPE_FLT32, words);
      }
      add(printer, "}");
   }
   add(printer, "}");
}

static void
print_declaration(struct printer *printer,
                  const struct tg_declaration *declaration)
{
   add(printer, "DCL ");
   add_word(printer, &tg_vocabulary_files, declaration->file);
   add_range(printer, declaration);
   add_mask(printer, declaration->usage_mask);
   if (declaration->file == TG_FILE_IMMX)
      add_elements(printer, declaration);
   if (declaration->has_array)
      tg_strbuf_printf(&printer->out, ", ARRAY(%u)", declaration->array_id);
   if (declaration->local)
      add(printer, ", LOCAL");
   add_semantic(printer, declaration);
   add_file_attributes(printer, declaration);
   add_interpolation(printer, declaration);
   if (declaration->invariant)
      add(printer, ", INVARIANT");
}

/* ---- immediates and properties ------------------------------------------- */

static void
print_immediate(struct printer *printer, const struct tg_immediate *immediate)
{
   enum tg_imm_type type = immediate->type;
   unsigned step = tg_imm_type_words(type);

   tg_strbuf_printf(&printer->out, "IMM[%u] ", printer->num_immediates++);
   add_word(printer, &tg_vocabulary_imm_types, type);
   add(printer, " {");
   for (unsigned i = 0; i < immediate->num_words; i += step) {
      /* Half of a 64-bit value is all that odd tokens may hold. */
      uint32_t words[2] = {immediate->words[i]};

      if (i + 1 < 4)
         words[1] = immediate->words[i + 1];
      if (i)
         add(printer, ", ");
      add_value(printer, type, words);
   }
   add(printer, "}");
}

static void
print_property(struct printer *printer, const struct tg_property *property)
{
   const struct tg_vocabulary *vocabulary = tg_vocabulary_of_property(
      (enum tg_property_form)tg_property_row(property->name)->form);

   add(printer, "PROPERTY ");
   add_word(printer, &tg_vocabulary_properties, property->name);
   for (unsigned i = 0; i < property->num_values; i++) {
      uint32_t value = property->values[i];

      add(printer, i ? ", " : " ");
      if (vocabulary)
         add_word(printer, vocabulary, value);
      else
         tg_strbuf_printf(&printer->out, "%d", (int32_t)value);
   }
}

/* ---- instructions -------------------------------------------------------- */

static void
add_index(struct printer *printer, const struct tg_index *index)
{
   struct tg_strbuf *out = &printer->out;

   if (!index->indirect) {
      tg_strbuf_printf(out, "[%d]", index->offset);
      return;
   }
   tg_strbuf_add_char(out, '[');
   add_word(printer, &tg_vocabulary_files, index->file);
   tg_strbuf_printf(out, "[%d].%c", index->index, "xyzw"[index->component & 3]);
   if (index->offset)
      tg_strbuf_printf(out, "%+d", index->offset);
   tg_strbuf_add_char(out, ']');
   if (index->array_id)
      tg_strbuf_printf(out, "(%u)", index->array_id);
}

static void
add_register(struct printer *printer, const struct tg_register *reg)
{
   add_word(printer, &tg_vocabulary_files, reg->file);
   if (reg->has_dimension)
      add_index(printer, &reg->dimension);
   add_index(printer, &reg->index);
}

static void
add_src(struct printer *printer, const struct tg_src *src)
{
   if (src->negate)
      add(printer, "-");
   if (src->absolute)
      add(printer, "|");
   add_register(printer, &src->reg);
   add_swizzle(printer, src->swizzle);
   if (src->absolute)
      add(printer, "|");
}

/* A target that the opcode does not name in text is left out. */
static void
add_texture(struct printer *printer, const struct tg_instruction *instruction)
{
   const struct tg_opcode_info *info = tg_opcode_row(instruction->opcode);

   if (!instruction->has_texture)
      return;
   if (!(info->flags & TG_OPCODE_FLAG_TEXTOKEN)) {
      add(printer, ", ");
      add_word(printer, &tg_vocabulary_targets, instruction->target);
   }
   for (unsigned i = 0; i < instruction->num_tex_offsets; i++) {
      const struct tg_tex_offset *offset = &instruction->tex_offset[i];

      add(printer, ", ");
      add_word(printer, &tg_vocabulary_files, offset->file);
      tg_strbuf_printf(&printer->out, "[%d]", offset->index);
      add_letters(printer, offset->swizzle, 3);
   }
}

/* Target and format 0, BUFFER and NONE, are not printed. */
static void
add_memory(struct printer *printer, const struct tg_instruction *instruction)
{
   if (!instruction->has_memory)
      return;
   for (unsigned i = 0; i < tg_vocabulary_qualifiers.num_words; i++) {
      if (instruction->qualifiers >> i & 1) {
         add(printer, ", ");
         add_word(printer, &tg_vocabulary_qualifiers, i);
      }
   }
   if (instruction->memory_target) {
      add(printer, ", ");
      add_word(printer, &tg_vocabulary_targets, instruction->memory_target);
   }
   if (instruction->memory_format) {
      add(printer, ", ");
      add_word(printer, &tg_vocabulary_formats, instruction->memory_format);
   }
}

static void
add_predicate(struct printer *printer, const struct tg_instruction *instruction)
{
   if (!instruction->has_predicate)
      return;
   tg_strbuf_printf(&printer->out, "(%sPRED[%d]",
                    instruction->predicate_negate ? "!" : "",
                    instruction->predicate_index);
   add_swizzle(printer, instruction->predicate_swizzle);
   add(printer, ") ");
}

static void
add_mnemonic(struct printer *printer, const struct tg_instruction *instruction)
{
   static const char *const suffixes[] = {
      [TG_SATURATE_NONE] = "",
      [TG_SATURATE_ZERO_ONE] = "_SAT",
      [TG_SATURATE_MINUS_ONE_ONE] = "_SATNV",
   };

   add(printer, tg_opcode_row(instruction->opcode)->name);
   add(printer, suffixes[instruction->saturate]);
   if (instruction->precise)
      add(printer, "_PRECISE");
}

static void
add_operands(struct printer *printer, const struct tg_instruction *instruction)
{
   const char *before = " ";

   for (unsigned i = 0; i < instruction->num_dst; i++) {
      add(printer, before);
      add_register(printer, &instruction->dst[i].reg);
      add_mask(printer, instruction->dst[i].writemask);
      before = ", ";
   }
   for (unsigned i = 0; i < instruction->num_src; i++) {
      add(printer, before);
      add_src(printer, &instruction->src[i]);
      before = ", ";
   }
   add_texture(printer, instruction);
   add_memory(printer, instruction);
}

/* Indentation ends where legal nesting ends, so that the text stays in
 * proportion to the shader. */
static void
print_instruction(struct printer *printer,
                  const struct tg_instruction *instruction)
{
   const struct tg_opcode_info *info = tg_opcode_row(instruction->opcode);

   if (info->flags & TG_OPCODE_FLAG_OUTDENT)
      printer->nesting--;
   tg_strbuf_printf(&printer->out, "%3u: ", printer->num_instructions++);
   for (int i = 0; i < printer->nesting && i < TG_MAX_NESTING; i++)
      add(printer, "  ");
   if (info->flags & TG_OPCODE_FLAG_INDENT)
      printer->nesting++;

   add_predicate(printer, instruction);
   add_mnemonic(printer, instruction);
   add_operands(printer, instruction);
   if (instruction->has_label && (info->flags & TG_OPCODE_FLAG_LABEL))
      tg_strbuf_printf(&printer->out, " :%u", instruction->label);
}

/* ---- the whole ----------------------------------------------------------- */

static void
print_item(struct printer *printer, struct tg_item item)
{
   const struct tg_shader *shader = printer->shader;

   switch ((enum tg_item_kind)item.kind) {
   case TG_ITEM_DECLARATION:
      print_declaration(printer, &shader->declarations[item.index]);
      break;
   case TG_ITEM_IMMEDIATE:
      print_immediate(printer, &shader->immediates[item.index]);
      break;
   case TG_ITEM_PROPERTY:
      print_property(printer, &shader->properties[item.index]);
      break;
   case TG_ITEM_INSTRUCTION:
      print_instruction(printer, &shader->instructions[item.index]);
      break;
   }
   add(printer, "\n");
}

char *
tg_shader_print(const struct tg_shader *shader, unsigned flags)
{
   struct printer printer = {
      .out = {.allocator = shader->arena.allocator},
      .shader = shader,
      .flags = flags,
   };

   add(&printer, tg_shader_processor_name(shader));
   add(&printer, "\n");
   for (uint32_t i = 0; i < shader->num_items; i++)
      print_item(&printer, shader->items[i]);
   return tg_strbuf_take(&printer.out);
}
