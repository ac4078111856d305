/* SPDX-License-Identifier: MIT
 *
 * What a shader's declarations and operands say about its registers, and where
 * each file therefore lives.
 */
#include "lower/operands/registers.h"

#include <assert.h>

#include "util/length.h"

/* ---- looking through the shader ------------------------------------------ */

static bool
has_values(enum tg_file file)
{
   return tg_file_row(file)->access & TG_ACCESS_R;
}

/* The number of register 0 of the declaration's first bracket. */
static uint32_t
first_number(const struct lower_context *context,
             const struct tg_declaration *declaration)
{
   return abi_layout_numbers_in(&context->registers->layout, declaration->file,
                                declaration->dimension)
      .first;
}

/* Registers as flags, before their being made ranges. */
static bool
make_ranges(struct lower_context *context, enum tg_file file_number)
{
   const struct tg_shader *shader = context->shader;
   struct lower_file *file = &context->registers->files[file_number];
   struct tg_arena *arena = context->arena;
   uint32_t count = file->num_registers;
   bool *is_declared = tg_arena_alloc(arena, count);

   file->ranges = tg_arena_array(arena, count, sizeof(*file->ranges));
   if (!is_declared || !file->ranges)
      return false;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];
      const uint32_t first = first_number(context, declaration);

      for (uint32_t r = declaration->first;
           declaration->file == file_number && r <= declaration->last; r++)
         is_declared[first + r] = true;
   }
   for (uint32_t r = 0; r < count; r++) {
      if (!is_declared[r])
         continue;
      if (r == 0 || !is_declared[r - 1])
         file->ranges[file->num_ranges++].first = r;
      file->ranges[file->num_ranges - 1].last = r;
   }
   return true;
}

static void
note_places(struct lower_registers *registers,
            const struct tg_declaration *declaration)
{
   const bool has_dimension =
      tg_file_row(declaration->file)->access & TG_ACCESS_DIM;
   uint64_t *places = &registers->places[declaration->file];
   uint32_t first = has_dimension ? declaration->dimension : declaration->first;
   uint32_t last = has_dimension ? declaration->dimension : declaration->last;

   for (uint32_t p = first; p <= last && p < 64; p++)
      *places |= UINT64_C(1) << p;
}

/* All invocations of a patch have one set of outputs. */
static bool
outputs_are_shared(const struct lower_context *context)
{
   return tg_shader_file_is_per_vertex(context->shader->processor, TG_FILE_OUT);
}

static void
note_declaration(struct lower_context *context,
                 const struct tg_declaration *declaration)
{
   struct lower_registers *registers = context->registers;
   struct lower_file *file = &registers->files[declaration->file];
   const uint32_t last = first_number(context, declaration) + declaration->last;

   if (file->num_registers <= last)
      file->num_registers = last + 1;
   note_places(registers, declaration);
   if ((declaration->file == TG_FILE_IN || declaration->file == TG_FILE_SV) &&
       declaration->has_semantic &&
       declaration->semantic == TG_SEMANTIC_POSITION && !registers->position)
      registers->position = declaration;
   if (declaration->file == TG_FILE_SV && declaration->has_semantic &&
       declaration->semantic == TG_SEMANTIC_INVOCATIONID)
      registers->invocation = declaration;
   for (uint32_t r = declaration->first; r <= declaration->last; r++) {
      if (declaration->file == TG_FILE_IN)
         registers->is_constant_input[r] =
            declaration->has_interpolate &&
            declaration->interpolate == TG_INTERPOLATE_CONSTANT;
      if (declaration->file != TG_FILE_OUT)
         continue;
      registers->is_own_output[r] = !outputs_are_shared(context);
      registers->is_vertex_output[r] = tg_shader_declaration_is_per_vertex(
         context->shader->processor, declaration);
   }
}

static bool
read_declarations(struct lower_context *context)
{
   const struct tg_shader *shader = context->shader;
   struct lower_registers *registers = context->registers;

   if (!tg_declared_init(&registers->declared, shader, context->arena))
      return false;
   for (uint32_t i = 0; i < shader->num_declarations; i++)
      note_declaration(context, &shader->declarations[i]);

   /* A constant buffer as an object is declared where its registers are. */
   registers->places[TG_FILE_CONSTBUF] |= registers->places[TG_FILE_CONST];
   for (unsigned f = 0; f < TG_NUM_FILES; f++) {
      if (has_values(f) && f != TG_FILE_CONST && !make_ranges(context, f))
         return false;
   }

   struct lower_file *immediates = &registers->files[TG_FILE_IMM];
   immediates->num_registers = shader->num_immediates;
   immediates->ranges =
      tg_arena_alloc(context->arena, sizeof(*immediates->ranges));
   if (!immediates->ranges)
      return false;
   if (shader->num_immediates) {
      immediates->ranges[0].last = shader->num_immediates - 1;
      immediates->num_ranges = 1;
   }
   return true;
}

static void
note_register(struct lower_registers *registers, const struct tg_register *reg)
{
   if (reg->index.indirect && !lower_has_vertex(reg))
      registers->files[reg->file].is_indirect = true;
}

/* The channels that an instruction may read of a source, after its swizzle;
 * rather too many than too few. */
static unsigned
channels_read(const struct tg_instruction *instruction, unsigned src)
{
   assert(src < instruction->num_src);
   const struct tg_opcode_info *info = tg_opcode_row(instruction->opcode);
   unsigned wanted = TG_MASK_XYZW;
   unsigned mask = 0;

   if (info->reads[src] == TG_READS_MASK && instruction->num_dst)
      wanted = instruction->dst[0].writemask;
   for (unsigned c = 0; c < 4; c++) {
      if (wanted & 1u << c)
         mask |= 1u << instruction->src[src].swizzle[c];
   }
   return mask;
}

static void
note_source(struct lower_registers *registers,
            const struct tg_instruction *instruction, unsigned src)
{
   const struct tg_register *reg = &instruction->src[src].reg;
   struct lower_file *file = &registers->files[reg->file];

   note_register(registers, reg);
   if (!file->channels_read || reg->index.offset < 0 ||
       (uint32_t)reg->index.offset >= file->num_registers)
      return;
   file->channels_read[reg->index.offset] |= channels_read(instruction, src);
}

/* Who reads the framebuffer reads it where the lane is. */
static void
note_position(struct lower_context *context)
{
   const struct tg_declaration *position = context->registers->position;

   if (position)
      context->registers->files[position->file]
         .channels_read[position->first] |= TG_MASK_X | TG_MASK_Y;
}

/* An output that does not say of which vertex is that of the invocation. */
static void
note_invocation(struct lower_context *context)
{
   const struct tg_declaration *invocation = context->registers->invocation;

   if (invocation)
      context->registers->files[invocation->file]
         .channels_read[invocation->first] |= TG_MASK_X;
}

/* STORE reads the handle of an image in its destination. */
static void
note_destination(struct lower_registers *registers,
                 const struct tg_register *reg)
{
   struct lower_file *file = &registers->files[reg->file];

   note_register(registers, reg);
   if (file->channels_read && reg->index.offset >= 0 &&
       (uint32_t)reg->index.offset < file->num_registers)
      file->channels_read[reg->index.offset] |= TG_MASK_X | TG_MASK_Y;
}

static void
read_operands(struct lower_context *context)
{
   if (outputs_are_shared(context))
      note_invocation(context);
   for (uint32_t i = 0; i < context->shader->num_instructions; i++) {
      const struct tg_instruction *instruction =
         &context->shader->instructions[i];

      for (unsigned d = 0; d < instruction->num_dst; d++)
         note_destination(context->registers, &instruction->dst[d].reg);
      for (unsigned s = 0; s < instruction->num_src; s++) {
         note_source(context->registers, instruction, s);
         if (tg_opcode_row(instruction->opcode)->src_type[s] == TG_TYPE_OUT)
            note_position(context);
      }
   }
}

/* ---- homes --------------------------------------------------------------- */

/* Registers in variables, or in an array where one is named indirectly. */
static bool
settle_inside(struct lower_context *context, enum tg_file file_number)
{
   assert(file_number < TG_LENGTH(context->registers->files));
   struct lower_file *file = &context->registers->files[file_number];
   struct lir_module *module = context->builder.module;

   if (file->is_indirect && file->num_registers) {
      uint32_t array = lir_module_add_array(module, file->num_registers * 4,
                                            tg_file_row(file_number)->name);

      file->home = LOWER_HOME_MEMORY;
      file->memory = lir_mem(LIR_SPACE_ARRAY, array);
      if (array == LOWER_NO_VAR)
         return false;
   }
   file->vars = tg_arena_array(context->arena, file->num_registers,
                               4 * sizeof(*file->vars));
   if (!file->vars)
      return false;
   for (uint32_t i = 0; i < file->num_registers * 4; i++)
      file->vars[i] = LOWER_NO_VAR;
   return true;
}

static void
settle_outside(struct lower_context *context, enum tg_file file,
               uint64_t memory)
{
   assert(file < TG_LENGTH(context->registers->files));
   context->registers->files[file].home = LOWER_HOME_MEMORY;
   context->registers->files[file].memory = memory;
}

static uint64_t
input_memory(const struct lower_context *context)
{
   const struct lower_stage *stage = context->options->stage;

   return stage && stage->patch_inputs ? stage->patch_inputs
                                       : lir_mem(LIR_SPACE_INPUT, 0);
}

bool
lower_registers_have_input_function(const struct lower_context *context)
{
   return context->options->stage && context->options->stage->input &&
          !tg_shader_file_is_per_vertex(context->shader->processor, TG_FILE_IN);
}

bool
lower_registers_have_sysval_function(const struct lower_context *context)
{
   return context->options->stage && context->options->stage->sysval;
}

static bool
settle(struct lower_context *context)
{
   struct lower_registers *registers = context->registers;

   for (unsigned f = 0; f < TG_NUM_FILES; f++) {
      if (has_values(f) && f != TG_FILE_CONST)
         registers->files[f].home = LOWER_HOME_VARIABLES;
   }
   if (!registers->files[TG_FILE_IMM].is_indirect)
      registers->files[TG_FILE_IMM].home = LOWER_HOME_IMMEDIATES;
   if (!registers->files[TG_FILE_IMMX].is_indirect)
      registers->files[TG_FILE_IMMX].home = LOWER_HOME_IMMEDIATES;
   if (!lower_registers_have_input_function(context))
      settle_outside(context, TG_FILE_IN, input_memory(context));
   if (!lower_registers_have_sysval_function(context))
      settle_outside(context, TG_FILE_SV, lir_mem(LIR_SPACE_SYSVAL, 0));
   if (outputs_are_shared(context))
      settle_outside(context, TG_FILE_OUT,
                     lir_mem(LIR_SPACE_SHARED, ABI_SHARED_PATCH));

   for (unsigned f = 0; f < TG_NUM_FILES; f++) {
      if (registers->files[f].home == LOWER_HOME_VARIABLES &&
          !settle_inside(context, f))
         return false;
   }
   return true;
}

bool
lower_registers_create(struct lower_context *context,
                       const struct abi_layout *layout)
{
   struct lower_registers *registers =
      tg_arena_alloc(context->arena, sizeof(*registers));

   if (!registers)
      return false;
   registers->layout = *layout;
   context->registers = registers;
   if (!read_declarations(context))
      return false;

   static const uint8_t given[] = {TG_FILE_IN, TG_FILE_SV};
   for (unsigned i = 0; i < 2; i++) {
      struct lower_file *file = &registers->files[given[i]];

      file->channels_read = tg_arena_alloc(context->arena, file->num_registers);
      if (!file->channels_read)
         return false;
   }
   read_operands(context);
   return settle(context);
}

const struct tg_declaration *
lower_register_declaration(const struct lower_context *context,
                           enum tg_file file, int32_t index)
{
   return tg_declared_find(&context->registers->declared, context->shader, file,
                           0, index);
}

const struct tg_declaration *
lower_lowest_register_declaration(const struct lower_context *context,
                                  enum tg_file file)
{
   const struct tg_declared *declared = &context->registers->declared;

   if (!tg_declared_has_file(declared, file))
      return NULL;
   assert(file < TG_LENGTH(declared->file_begin));
   return &context->shader->declarations
              [declared->ranges[declared->file_begin[file]].declaration];
}

uint32_t
lower_register_range(const struct lower_file *file, uint32_t number)
{
   uint32_t low = 0, high = file->num_ranges;

   while (low < high) {
      uint32_t middle = low + (high - low) / 2;

      if (number > file->ranges[middle].last)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

bool
lower_register_is_declared(const struct lower_context *context,
                           enum tg_file file_number, uint32_t number)
{
   assert(file_number < TG_LENGTH(context->registers->files));
   const struct lower_file *file = &context->registers->files[file_number];
   const uint32_t range = lower_register_range(file, number);

   return range < file->num_ranges && file->ranges[range].first <= number;
}

uint32_t
lower_immediate_register_word(const struct lower_context *context,
                              enum tg_file file, uint32_t index,
                              unsigned channel)
{
   assert(channel < 4);
   const struct tg_shader *shader = context->shader;

   if (file == TG_FILE_IMM)
      return shader->immediates[index].words[channel];

   const struct tg_declaration *declaration =
      lower_register_declaration(context, file, (int32_t)index);
   const uint32_t element =
      declaration->first_element + index - declaration->first;
   return shader->elements[element].words[channel];
}

uint32_t
lower_register_var(struct lower_context *context, enum tg_file file,
                   uint32_t index, unsigned channel)
{
   assert(file < TG_LENGTH(context->registers->files));
   uint32_t *var = &context->registers->files[file].vars[index * 4 + channel];

   if (*var == LOWER_NO_VAR) {
      struct abi_channel_name name = abi_layout_name_channel(
         &context->registers->layout, file, index, channel);

      *var =
         lir_module_add_var(context->builder.module, LIR_TYPE_B32, name.text);
   }
   return *var;
}

bool
lower_address_registers_hold_floats(const struct lower_context *context)
{
   return context->dialect->address_float;
}
