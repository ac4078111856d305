/* SPDX-License-Identifier: MIT
 *
 * See object.h. Which binding each file is, beside abi/bindings.h:
 *
 *    BUFFER[n], RES[n], BUFFER, RAW   buffer n
 *    IMAGE[n], other RES[n]           image n; with RAW the words of its rows
 *    HWATOMIC[b][i]                   counter i of buffer b of counters
 *    CONSTBUF[n], CONST[n][r]         constant buffer n, from register r on
 *    MEMORY                           what its declaration says
 *    values                           the handle of an image
 *
 * A RES that has the types of a view is not found here: see
 * tgsi/analysis/instruction.h.
 */
#include "lower/memory/object.h"

#include <assert.h>

#include "lower/operands/operands.h"
#include "lower/operands/registers.h"
#include "tgsi/analysis/instruction.h"
#include "tgsi/analysis/memory.h"
#include "util/length.h"

static const struct lower_object nothing = {.kind = LOWER_OBJECT_NOTHING};

/* ---- declarations -------------------------------------------------------- */

/* That of a register, or NULL. Where the index is computed, that of the file's
 * lowest: what is asked of it is the same for all of them. */
static const struct tg_declaration *
find_declaration(const struct lower_context *context,
                 const struct tg_register *reg)
{
   return reg->index.indirect
             ? lower_lowest_register_declaration(context, reg->file)
             : lower_register_declaration(context, reg->file,
                                          reg->index.offset);
}

/* Gives the object the place that a bracket says. */
static void
choose_place(struct lower_context *context, struct lower_object *object,
             const struct tg_index *index, enum tg_file file,
             uint32_t num_places)
{
   const uint64_t all = ~UINT64_C(0) >> (64 - num_places);

   if (index->indirect) {
      object->is_computed = true;
      object->number = lower_index_location(context, index);
      assert(file < TG_LENGTH(context->registers->places));
      object->places = context->registers->places[file] & all;
   } else if (index->offset >= 0 && (uint32_t)index->offset < num_places) {
      object->places = UINT64_C(1) << index->offset;
   }
}

/* ---- files of words ------------------------------------------------------ */

static struct lower_object
buffers(struct lower_context *context, const struct tg_register *reg)
{
   struct lower_object object = {
      .kind = LOWER_OBJECT_WORDS,
      .space = LIR_SPACE_BUFFER,
   };

   choose_place(context, &object, &reg->index, reg->file, ABI_MAX_BUFFERS);
   return object;
}

/* A bracket as the words before an address, of so many words each. Those
 * that are negative are beyond any memory, as is what they would lead to. */
static lir_value
words_before(struct lower_context *context, const struct tg_index *index,
             uint32_t num_words)
{
   struct lir_builder *builder = &context->builder;
   lir_value number = index->indirect
                         ? lower_index_location(context, index)
                         : lir_const32(builder, (uint32_t)index->offset);
   lir_value bound = lir_const32(builder, LOWER_NO_WORD / num_words);
   lir_value least = lir_umin(builder, number, bound);
   lir_value factor = lir_const32(builder, num_words);

   return lir_imul(builder, least, factor);
}

static struct lower_object
counters(struct lower_context *context, const struct tg_register *reg)
{
   struct lower_object object = {
      .kind = LOWER_OBJECT_WORDS,
      .space = LIR_SPACE_BUFFER,
      .first_binding = ABI_BUFFER_COUNTERS,
      .is_counter = true,
      .has_base = true,
   };

   object.base = words_before(context, &reg->index, 1);
   choose_place(context, &object, &reg->dimension, reg->file, ABI_MAX_COUNTERS);
   return object;
}

static struct lower_object
constants(struct lower_context *context, const struct tg_register *reg)
{
   struct lower_object object = {
      .kind = LOWER_OBJECT_WORDS,
      .space = LIR_SPACE_CONST,
   };

   if (reg->file == TG_FILE_CONSTBUF) {
      choose_place(context, &object, &reg->index, reg->file,
                   ABI_MAX_CONST_BUFFERS);
      return object;
   }
   object.has_base = true;
   object.base = words_before(context, &reg->index, 4);
   choose_place(context, &object, &reg->dimension, reg->file,
                ABI_MAX_CONST_BUFFERS);
   return object;
}

static struct lower_object
one_binding(enum lir_space space, uint32_t binding)
{
   assert(space < LIR_NUM_SPACES);
   return (struct lower_object){
      .kind = LOWER_OBJECT_WORDS,
      .space = space,
      .first_binding = binding,
      .places = 1,
   };
}

static struct lower_object
private_memory(struct lower_context *context)
{
   if (!context->has_private_memory) {
      context->has_private_memory = true;
      context->private_memory = lir_module_add_array(
         context->builder.module, ABI_PRIVATE_WORDS, "MEMORY.private");
      if (context->private_memory == UINT32_MAX)
         context->builder.failed = true;
   }
   return one_binding(LIR_SPACE_ARRAY, context->private_memory);
}

/* All of MEMORY is one block of its type. A register that is not declared is
 * the one that is. */
static struct lower_object
memory(struct lower_context *context, const struct tg_register *reg)
{
   const struct tg_declaration *declaration = find_declaration(context, reg);

   if (!declaration)
      declaration = lower_lowest_register_declaration(context, reg->file);
   if (!declaration)
      return nothing;
   switch ((enum tg_memory_type)declaration->memory_type) {
   case TG_MEMORY_TYPE_GLOBAL:
      return one_binding(LIR_SPACE_BUFFER, ABI_BUFFER_GLOBAL);
   case TG_MEMORY_TYPE_SHARED: return one_binding(LIR_SPACE_SHARED, 0);
   case TG_MEMORY_TYPE_PRIVATE: return private_memory(context);
   case TG_MEMORY_TYPE_INPUT:
      return one_binding(LIR_SPACE_CONST, ABI_CONST_INPUT);
   default: return nothing;
   }
}

/* ---- images -------------------------------------------------------------- */

/* The target of an instruction that names none is BUFFER: then the declaration
 * knows better. */
static void
choose_image(const struct lower_context *context, struct lower_object *object,
             const struct tg_declaration *declaration)
{
   const struct tg_instruction *instruction = context->instruction;

   object->kind = LOWER_OBJECT_IMAGE;
   object->space = LIR_SPACE_IMAGE;
   if (instruction->has_memory) {
      object->target = instruction->memory_target;
      object->format = instruction->memory_format;
   }
   if (object->target == TG_TARGET_BUFFER && declaration)
      object->target = declaration->target;
}

static struct lower_object
images(struct lower_context *context, const struct tg_register *reg,
       const struct tg_declaration *declaration)
{
   struct lower_object object = {0};

   choose_image(context, &object, declaration);
   choose_place(context, &object, &reg->index, reg->file, ABI_MAX_IMAGES);
   return object;
}

static struct lower_object
rows(struct lower_context *context, const struct tg_register *reg,
     const struct tg_declaration *declaration)
{
   struct lower_object object = images(context, reg, declaration);

   object.kind = LOWER_OBJECT_ROWS;
   return object;
}

static struct lower_object
resource(struct lower_context *context, const struct tg_register *reg)
{
   if (!reg->index.indirect) {
      switch (reg->index.offset) {
      case TG_RES_GLOBAL:
         return one_binding(LIR_SPACE_BUFFER, ABI_BUFFER_GLOBAL);
      case TG_RES_LOCAL: return one_binding(LIR_SPACE_SHARED, 0);
      case TG_RES_PRIVATE: return private_memory(context);
      case TG_RES_INPUT: return one_binding(LIR_SPACE_CONST, ABI_CONST_INPUT);
      default: break;
      }
   }

   const struct tg_declaration *declaration = find_declaration(context, reg);
   if (!declaration)
      return nothing;
   switch (tg_memory_resource_kind(declaration)) {
   case TG_RESOURCE_BUFFER: return buffers(context, reg);
   case TG_RESOURCE_ROWS: return rows(context, reg, declaration);
   case TG_RESOURCE_IMAGE: return images(context, reg, declaration);
   default: return nothing;
   }
}

/* Any image that is bound may be the one. */
static struct lower_object
handle(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   const struct abi_keys *keys = context->options->keys;
   const bool is_dst = context->info->dst_type == TG_TYPE_MEM;
   const struct lower_location *location = lower_dst_location(context, 0);
   struct lower_object object = {.is_computed = true, .is_handle = true};

   choose_image(context, &object, NULL);
   for (unsigned p = 0; keys && p < ABI_MAX_IMAGES; p++) {
      if (keys->images[p].format != TG_FORMAT_NONE)
         object.places |= UINT64_C(1) << p;
   }

   lir_value low = is_dst ? lower_load_location(context, location, 0)
                          : lower_src_bare(context, 0, 0);
   lir_value high = is_dst ? lower_load_location(context, location, 1)
                           : lower_src_bare(context, 0, 1);
   lir_value tag = lir_const32(builder, ABI_HANDLE_IMAGE);
   lir_value none = lir_const32(builder, UINT32_MAX);
   lir_value place = lir_isub(builder, low, tag);
   lir_value is_other = lir_i2b(builder, high);
   object.number = lir_sel32(builder, is_other, none, place);
   return object;
}

/* ---- the operand --------------------------------------------------------- */

struct lower_object
lower_find_object(struct lower_context *context)
{
   const struct tg_instruction *instruction = context->instruction;
   const struct tg_register *reg = context->info->dst_type == TG_TYPE_MEM
                                      ? &instruction->dst[0].reg
                                      : &instruction->src[0].reg;

   switch ((enum tg_file)reg->file) {
   case TG_FILE_BUFFER: return buffers(context, reg);
   case TG_FILE_HWATOMIC: return counters(context, reg);
   case TG_FILE_MEMORY: return memory(context, reg);
   case TG_FILE_CONSTBUF: return constants(context, reg);
   case TG_FILE_CONST:
      return tg_instruction_loads_constants(instruction)
                ? constants(context, reg)
                : handle(context);
   case TG_FILE_IMAGE:
      return images(context, reg, find_declaration(context, reg));
   case TG_FILE_RES: return resource(context, reg);
   default: return handle(context);
   }
}

/* ---- places -------------------------------------------------------------- */

const uint32_t *
lower_object_result_vars(struct lower_context *context)
{
   static const char *const name[4] = {"object.x", "object.y", "object.z",
                                       "object.w"};
   struct lir_builder *builder = &context->builder;

   for (unsigned c = 0; c < 4; c++) {
      if (!context->has_result_vars)
         context->result_var[c] =
            lir_module_add_var(builder->module, LIR_TYPE_B32, name[c]);
      lir_setvar(builder, context->result_var[c], lir_const32(builder, 0));
   }
   context->has_result_vars = true;
   return context->result_var;
}

static void
one_of_places(struct lower_context *context, const struct lower_access *access,
              lower_access_function function, uint32_t place)
{
   struct lir_builder *builder = &context->builder;
   lir_value result[4] = {{0}, {0}, {0}, {0}};
   lir_value number = lir_const32(builder, place);

   lir_begin_if(builder, lir_ieq(builder, access->object->number, number));
   function(context, access, place, result);
   for (unsigned c = 0; c < 4; c++)
      lir_setvar(builder, context->result_var[c], result[c]);
   lir_end(builder);
}

void
lower_each_object_place(struct lower_context *context,
                        const struct lower_access *access,
                        lower_access_function function, lir_value result_out[4])
{
   struct lir_builder *builder = &context->builder;
   const struct lower_object *object = access->object;

   for (unsigned c = 0; c < 4; c++)
      result_out[c] = (lir_value){0};
   if (object->places == 0)
      return;
   if (!object->is_computed) {
      function(context, access, (uint32_t)__builtin_ctzll(object->places),
               result_out);
      return;
   }

   lower_object_result_vars(context);
   for (uint64_t left = object->places; left != 0; left &= left - 1)
      one_of_places(context, access, function, (uint32_t)__builtin_ctzll(left));
   for (unsigned c = 0; c < 4; c++)
      result_out[c] = lir_getvar(builder, context->result_var[c]);
}
