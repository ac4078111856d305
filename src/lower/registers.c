/* SPDX-License-Identifier: MIT
 *
 * Where registers live, and what an index that is out of bounds does: reading
 * gives 0 and writing does nothing, lane by lane. In bounds are the registers
 * that the file declares (an ArrayID narrows nothing); for CONST those that the
 * bound buffer holds, which is the executor's to check.
 */
#include "lower/registers.h"

#include <assert.h>
#include <stdio.h>

#define NO_INDEX UINT32_MAX

/* A word that no memory has: its size would be 2^32. */
#define WORD_OUTSIDE UINT32_MAX

/* Registers first to last; ranges are sorted and do not touch. */
struct register_range {
   uint32_t first, last;
};

struct register_file {
   uint32_t num_registers; /* one more than the highest that is declared */
   struct register_range *ranges;
   uint32_t num_ranges;
   bool is_indirect; /* by one bracket; a vertex in front makes it memory */

   enum lower_location_kind home;
   uint64_t memory;        /* where home is MEMORY: lir_mem() */
   uint32_t *vars;         /* by register * 4 + channel; made when first used */
   uint8_t *channels_read; /* IN and SV: TG_MASK_* by register */
};

struct lower_registers {
   struct lower_layout layout;
   struct register_file files[TG_NUM_FILES];
   uint32_t constant_buffers; /* bit: declared */
};

/* ---- looking through the shader --------------------------------------------
 */

static bool
has_values(enum tg_file file)
{
   return tg_files[file].access & TG_ACCESS_R;
}

/* Registers as flags, in front of their being made ranges. */
static bool
make_ranges(struct lower_context *context, enum tg_file file_number)
{
   const struct tg_shader *shader = context->shader;
   struct register_file *file = &context->registers->files[file_number];
   struct tg_arena *arena = context->arena;
   uint32_t count = file->num_registers;
   bool *is_declared = tg_arena_alloc(arena, count);

   file->ranges = tg_arena_array(arena, count, sizeof(*file->ranges));
   if (!is_declared || !file->ranges)
      return false;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      for (uint32_t r = declaration->first;
           declaration->file == file_number && r <= declaration->last; r++)
         is_declared[r] = true;
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

static bool
read_declarations(struct lower_context *context)
{
   const struct tg_shader *shader = context->shader;
   struct lower_registers *registers = context->registers;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];
      struct register_file *file = &registers->files[declaration->file];

      if (file->num_registers <= declaration->last)
         file->num_registers = declaration->last + 1u;
      if (declaration->file == TG_FILE_CONST)
         registers->constant_buffers |= UINT32_C(1) << declaration->dimension;
   }
   for (unsigned f = 0; f < TG_NUM_FILES; f++) {
      if (has_values(f) && f != TG_FILE_CONST && !make_ranges(context, f))
         return false;
   }

   struct register_file *immediates = &registers->files[TG_FILE_IMM];
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
   if (reg->index.indirect && !reg->has_dimension)
      registers->files[reg->file].is_indirect = true;
}

/* The channels that an instruction may read of a source, after its swizzle;
 * rather too many than too few. */
static unsigned
channels_read(const struct tg_instruction *instruction, unsigned src)
{
   const struct tg_opcode_info *info = &tg_opcodes[instruction->opcode];
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
   struct register_file *file = &registers->files[reg->file];

   note_register(registers, reg);
   if (!file->channels_read || reg->index.offset < 0 ||
       (uint32_t)reg->index.offset >= file->num_registers)
      return;
   file->channels_read[reg->index.offset] |= channels_read(instruction, src);
}

static void
read_operands(struct lower_context *context)
{
   for (uint32_t i = 0; i < context->shader->num_instructions; i++) {
      const struct tg_instruction *instruction =
          &context->shader->instructions[i];

      for (unsigned d = 0; d < instruction->num_dst; d++)
         note_register(context->registers, &instruction->dst[d].reg);
      for (unsigned s = 0; s < instruction->num_src; s++)
         note_source(context->registers, instruction, s);
   }
}

/* ---- homes ------------------------------------------------------------------
 */

/* Registers in variables, or in an array where one is named indirectly. */
static bool
settle_inside(struct lower_context *context, enum tg_file file_number)
{
   struct register_file *file = &context->registers->files[file_number];
   struct lir_module *module = context->builder.module;

   if (file->is_indirect && file->num_registers) {
      uint32_t array = lir_add_array(module, file->num_registers * 4,
                                     tg_files[file_number].name);

      file->home = LOWER_LOCATION_MEMORY;
      file->memory = lir_mem(LIR_SPACE_ARRAY, array);
      if (array == NO_INDEX)
         return false;
   }
   file->vars = tg_arena_array(context->arena, file->num_registers,
                               4 * sizeof(*file->vars));
   if (!file->vars)
      return false;
   for (uint32_t i = 0; i < file->num_registers * 4; i++)
      file->vars[i] = NO_INDEX;
   return true;
}

static void
settle_outside(struct lower_context *context, enum tg_file file,
               enum lir_space space)
{
   context->registers->files[file].home = LOWER_LOCATION_MEMORY;
   context->registers->files[file].memory = lir_mem(space, 0);
}

static bool
has_input_function(const struct lower_context *context)
{
   return context->options->stage && context->options->stage->input;
}

static bool
has_sysval_function(const struct lower_context *context)
{
   return context->options->stage && context->options->stage->sysval;
}

static bool
settle(struct lower_context *context)
{
   struct lower_registers *registers = context->registers;

   for (unsigned f = 0; f < TG_NUM_FILES; f++) {
      if (has_values(f) && f != TG_FILE_CONST)
         registers->files[f].home = LOWER_LOCATION_VARIABLE;
   }
   if (!registers->files[TG_FILE_IMM].is_indirect)
      registers->files[TG_FILE_IMM].home = LOWER_LOCATION_IMMEDIATE;
   if (!has_input_function(context))
      settle_outside(context, TG_FILE_IN, LIR_SPACE_INPUT);
   if (!has_sysval_function(context))
      settle_outside(context, TG_FILE_SV, LIR_SPACE_SYSVAL);

   for (unsigned f = 0; f < TG_NUM_FILES; f++) {
      if (registers->files[f].home == LOWER_LOCATION_VARIABLE &&
          !settle_inside(context, f))
         return false;
   }
   return true;
}

bool
lower_registers_create(struct lower_context *context,
                       const struct lower_layout *layout)
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
      struct register_file *file = &registers->files[given[i]];

      file->channels_read = tg_arena_alloc(context->arena, file->num_registers);
      if (!file->channels_read)
         return false;
   }
   read_operands(context);
   return settle(context);
}

uint32_t
lower_num_registers(const struct lower_context *context, enum tg_file file)
{
   return context->registers->files[file].num_registers;
}

bool
lower_is_declared(const struct lower_context *context, enum tg_file file_number,
                  uint32_t index)
{
   const struct register_file *file = &context->registers->files[file_number];
   uint32_t low = 0, high = file->num_ranges;

   while (low < high) {
      uint32_t middle = low + (high - low) / 2;

      if (index < file->ranges[middle].first)
         high = middle;
      else if (index > file->ranges[middle].last)
         low = middle + 1;
      else
         return true;
   }
   return false;
}

/* ---- finding a register -----------------------------------------------------
 */

static struct lower_location
locate_direct(struct lower_context *context, enum tg_file file, uint32_t index)
{
   struct tg_register reg = {
       .file = (uint8_t)file,
       .index = {.offset = (int32_t)index},
   };

   return lower_locate(context, &reg);
}

lir_value
lower_index(struct lower_context *context, const struct tg_index *index)
{
   struct lir_builder *builder = &context->builder;
   struct lower_location location =
       locate_direct(context, index->file, (uint32_t)index->index);
   lir_value value = lower_load(context, &location, index->component);

   /* Loop registers count in floats in each dialect. */
   if (index->file == TG_FILE_LOOP ||
       (index->file == TG_FILE_ADDR && lower_address_holds_floats(context)))
      value = lir_f2i(builder, value);
   if (index->offset == 0)
      return value;

   lir_value offset = lir_const32(builder, (uint32_t)index->offset);
   return lir_iadd(builder, value, offset);
}

/* Whether a computed index is one of the declared registers. */
static lir_value
is_in_file(struct lower_context *context, const struct register_file *file,
           lir_value index)
{
   struct lir_builder *builder = &context->builder;
   lir_value inside = lir_const1(builder, false);

   for (uint32_t i = 0; i < file->num_ranges; i++) {
      const struct register_range *range = &file->ranges[i];
      lir_value first = lir_const32(builder, range->first);
      lir_value count = lir_const32(builder, range->last - range->first + 1);
      lir_value distance = lir_isub(builder, index, first);
      lir_value is_in_range = lir_ult(builder, distance, count);

      inside = i ? lir_bor(builder, inside, is_in_range) : is_in_range;
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

/* The register's bracket; false when it is surely outside. */
static bool
read_register_bracket(struct lower_context *context,
                      const struct tg_register *reg,
                      struct bracket *bracket_out)
{
   *bracket_out = (struct bracket){.is_computed = reg->index.indirect};
   if (!reg->index.indirect) {
      bracket_out->constant = (uint32_t)reg->index.offset;
      return lower_is_declared(context, reg->file, bracket_out->constant);
   }
   bracket_out->value = lower_index(context, &reg->index);
   bracket_out->is_inside = is_in_file(
       context, &context->registers->files[reg->file], bracket_out->value);
   return true;
}

/* The vertex's bracket, 0 when there is none. */
static bool
read_vertex_bracket(struct lower_context *context,
                    const struct tg_register *reg, uint32_t num_vertices,
                    struct bracket *bracket_out)
{
   *bracket_out = (struct bracket){0};
   if (!reg->has_dimension)
      return true;
   if (!reg->dimension.indirect) {
      bracket_out->constant = (uint32_t)reg->dimension.offset;
      return bracket_out->constant < num_vertices;
   }
   bracket_out->is_computed = true;
   bracket_out->value = lower_index(context, &reg->dimension);

   lir_value count = lir_const32(&context->builder, num_vertices);
   bracket_out->is_inside =
       lir_ult(&context->builder, bracket_out->value, count);
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
      location.buffer = lower_index(context, &reg->dimension);
   } else if (buffer >= LOWER_MAX_CONST_BUFFERS) {
      return (struct lower_location){.kind = LOWER_LOCATION_NOWHERE};
   }
   if (!reg->index.indirect) {
      if (reg->index.offset < 0)
         return (struct lower_location){.kind = LOWER_LOCATION_NOWHERE};
      location.constant_word = (uint32_t)reg->index.offset * 4;
      return location;
   }

   /* Four times an index from 2^30 on would come out small again. */
   lir_value index = lower_index(context, &reg->index);
   lir_value bound = lir_const32(builder, UINT32_C(1) << 30);
   lir_value four = lir_const32(builder, 4);
   location.is_computed = true;
   location.is_inside = lir_ult(builder, index, bound);
   location.word = lir_imul(builder, index, four);
   return location;
}

struct lower_location
lower_locate(struct lower_context *context, const struct tg_register *reg)
{
   const struct lower_layout *layout = &context->registers->layout;
   const struct register_file *file = &context->registers->files[reg->file];

   if (reg->file == TG_FILE_CONST)
      return locate_constant(context, reg);
   if (reg->has_dimension && reg->file == TG_FILE_IN)
      return locate_in_memory(context, reg, lir_mem(LIR_SPACE_INPUT, 0),
                              layout->num_input_vertices);
   if (reg->has_dimension && reg->file == TG_FILE_OUT)
      return locate_in_memory(context, reg, lir_mem(LIR_SPACE_OUTPUT, 0),
                              layout->num_output_vertices);
   if (file->home == LOWER_LOCATION_MEMORY)
      return locate_in_memory(context, reg, file->memory, 1);
   if (!lower_is_declared(context, reg->file, (uint32_t)reg->index.offset))
      return (struct lower_location){.kind = LOWER_LOCATION_NOWHERE};
   return (struct lower_location){
       .kind = file->home,
       .file = reg->file,
       .index = (uint32_t)reg->index.offset,
   };
}

/* ---- reading and writing ----------------------------------------------------
 */

static uint32_t
get_var(struct lower_context *context, enum tg_file file, uint32_t index,
        unsigned channel)
{
   uint32_t *var = &context->registers->files[file].vars[index * 4 + channel];

   if (*var == NO_INDEX) {
      char name[32];

      snprintf(name, sizeof(name), "%s[%u].%c", tg_files[file].name,
               (unsigned)index, "xyzw"[channel]);
      *var = lir_add_var(context->builder.module, LIR_TYPE_B32, name);
   }
   return *var;
}

static lir_value
word_of_channel(struct lower_context *context,
                const struct lower_location *location, unsigned channel)
{
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

   for (uint32_t b = 0; b < LOWER_MAX_CONST_BUFFERS; b++) {
      if (!(context->registers->constant_buffers & UINT32_C(1) << b))
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
lower_load(struct lower_context *context, const struct lower_location *location,
           unsigned channel)
{
   struct lir_builder *builder = &context->builder;

   switch (location->kind) {
   case LOWER_LOCATION_NOWHERE: break;
   case LOWER_LOCATION_VARIABLE:
      return lir_getvar(
          builder, get_var(context, location->file, location->index, channel));
   case LOWER_LOCATION_IMMEDIATE:
      return lir_const32(
          builder, context->shader->immediates[location->index].words[channel]);
   case LOWER_LOCATION_MEMORY:
      return load_memory(context, location->memory,
                         word_of_channel(context, location, channel));
   case LOWER_LOCATION_BUFFERS:
      return load_from_buffers(context, location, channel);
   }
   return lir_const32(builder, 0);
}

void
lower_store(struct lower_context *context,
            const struct lower_location *location, unsigned channel,
            lir_value value)
{
   struct lir_builder *builder = &context->builder;

   if (location->kind == LOWER_LOCATION_VARIABLE) {
      lir_setvar(builder,
                 get_var(context, location->file, location->index, channel),
                 value);
   } else if (location->kind == LOWER_LOCATION_MEMORY) {
      lir_value word = word_of_channel(context, location, channel);

      lir_store32(builder, lir_mem_space(location->memory),
                  lir_mem_binding(location->memory), word, value);
   }
}

/* ---- the edges of the shader ------------------------------------------------
 */

typedef lir_value (*given_value)(struct lower_context *context, uint32_t index,
                                 unsigned channel);

static lir_value
given_input(struct lower_context *context, uint32_t index, unsigned channel)
{
   const struct lower_stage *stage = context->options->stage;
   const lir_value nowhere[2] = {{0}, {0}};

   return stage->input(stage->user, &context->builder, index, channel,
                       LOWER_PLACE_DECLARED, nowhere);
}

static lir_value
given_sysval(struct lower_context *context, uint32_t index, unsigned channel)
{
   const struct lower_stage *stage = context->options->stage;

   return stage->sysval(stage->user, &context->builder, index, channel);
}

static lir_value
given_immediate(struct lower_context *context, uint32_t index, unsigned channel)
{
   return lir_const32(&context->builder,
                      context->shader->immediates[index].words[channel]);
}

/* Puts what the stage, or the shader's list, gives into the registers that are
 * read. In memory all count as read. */
static void
fill_file(struct lower_context *context, enum tg_file file_number,
          given_value get)
{
   const struct register_file *file = &context->registers->files[file_number];

   for (uint32_t r = 0; r < file->num_registers; r++) {
      if (!lower_is_declared(context, file_number, r))
         continue;

      struct lower_location location = locate_direct(context, file_number, r);
      for (unsigned c = 0; c < 4; c++) {
         if (file->home == LOWER_LOCATION_VARIABLE &&
             !(file->channels_read[r] & 1u << c))
            continue;

         lir_value value = get(context, r, c);
         lower_store(context, &location, c, value);
      }
   }
}

void
lower_prologue(struct lower_context *context)
{
   if (has_input_function(context) &&
       !tg_file_is_per_vertex(context->shader->processor, TG_FILE_IN))
      fill_file(context, TG_FILE_IN, given_input);
   if (has_sysval_function(context))
      fill_file(context, TG_FILE_SV, given_sysval);
   if (context->registers->files[TG_FILE_IMM].is_indirect)
      fill_file(context, TG_FILE_IMM, given_immediate);
}

/* An output that has a vertex is in lane memory at all times. */
static bool
is_kept_inside(const struct lower_context *context, uint32_t reg)
{
   const struct tg_shader *shader = context->shader;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_OUT && declaration->first <= reg &&
          reg <= declaration->last)
         return !tg_declaration_is_per_vertex(shader->processor, declaration);
   }
   return false;
}

void
lower_store_outputs(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;

   for (uint32_t r = 0; r < context->registers->layout.num_outputs; r++) {
      if (!is_kept_inside(context, r))
         continue;

      struct lower_location location = locate_direct(context, TG_FILE_OUT, r);
      for (unsigned c = 0; c < 4; c++) {
         lir_value value = lower_load(context, &location, c);
         lir_value word = lir_const32(builder, r * 4 + c);

         lir_store32(builder, LIR_SPACE_OUTPUT, 0, word, value);
      }
   }
}

static void
give_outputs(struct lower_context *context)
{
   const struct lower_stage *stage = context->options->stage;
   uint32_t num_outputs = context->registers->layout.num_outputs;
   uint32_t vars[LOWER_MAX_OUTPUTS][4];

   for (uint32_t r = 0; r < num_outputs; r++) {
      bool is_kept = is_kept_inside(context, r);
      struct lower_location location = locate_direct(context, TG_FILE_OUT, r);

      for (unsigned c = 0; c < 4; c++) {
         vars[r][c] = is_kept ? get_var(context, TG_FILE_OUT, r, c) : NO_INDEX;
         if (!is_kept || location.kind == LOWER_LOCATION_VARIABLE)
            continue;

         lir_value value = lower_load(context, &location, c);
         lir_setvar(&context->builder, vars[r][c], value);
      }
   }
   stage->epilogue(stage->user, &context->builder, (const uint32_t(*)[4])vars,
                   num_outputs);
}

void
lower_epilogue(struct lower_context *context)
{
   if (context->options->stage && context->options->stage->epilogue)
      give_outputs(context);
   else
      lower_store_outputs(context);
}
