/* SPDX-License-Identifier: MIT
 *
 * Register and constant layout, and the names that the program has for them:
 * IN[n] is a[n], CONST[n] is c[n] with further constant buffers after it,
 * POSITION export 0 and other outputs the exports from 1 on.
 */
#include "tegra/select/select.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "util/length.h"

/* A complaint about what a declaration asks for too much of. */
static enum tg_result
complain(const struct select *select, const struct tg_declaration *declaration,
         const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum tg_result
complain(const struct select *select, const struct tg_declaration *declaration,
         const char *format, ...)
{
   va_list args;

   va_start(args, format);
   tg_vdiagnose(select->compile->diagnostics, TG_SEVERITY_ERROR, "tegra-limit",
                &select->shader->source, declaration->position, NULL, format,
                args);
   va_end(args);
   return TG_ERROR_LIMIT;
}

/* Those of a file, one after the other; NULL after the last. */
static const struct tg_declaration *
next_declaration(const struct select *select, enum tg_file file,
                 const struct tg_declaration *previous)
{
   const struct tg_shader *shader = select->shader;
   const struct tg_declaration *end =
      shader->declarations + shader->num_declarations;
   const struct tg_declaration *declaration =
      previous ? previous + 1 : shader->declarations;

   while (declaration < end && declaration->file != file)
      declaration++;
   return declaration < end ? declaration : NULL;
}

/* One more than the highest register of a file. */
static uint32_t
count_registers(const struct select *select, enum tg_file file)
{
   const struct tg_declaration *declaration = NULL;
   uint32_t count = 0;

   while ((declaration = next_declaration(select, file, declaration))) {
      if (count <= declaration->last)
         count = declaration->last + 1u;
   }
   return count;
}

/* ---- names --------------------------------------------------------------- */

/* "GENERIC[3]", or "IN[3]" of what has no semantic; NULL when out of memory. */
static const char *
name_of(struct select *select, const struct tg_declaration *declaration,
        uint32_t index)
{
   struct tg_arena *arena = &select->mir->arena;

   if (!declaration->has_semantic)
      return tg_arena_printf(arena, "%s[%u]",
                             tg_file_row(declaration->file)->name,
                             (unsigned)index);

   const char *name = tg_semantic_row(declaration->semantic)->name;
   unsigned number = declaration->semantic_index + index - declaration->first;
   if (!tg_semantic_shows_index(declaration->semantic, number))
      return tg_arena_printf(arena, "%s", name);
   return tg_arena_printf(arena, "%s[%u]", name, number);
}

/* ---- inputs and outputs -------------------------------------------------- */

static enum tg_result
lay_out_inputs(struct select *select)
{
   const struct tg_declaration *declaration = NULL;
   const char **names = select->mir->names[TG_TEGRA_ATTRIBUTE];

   while ((declaration = next_declaration(select, TG_FILE_IN, declaration))) {
      if (declaration->last >= TG_TEGRA_NUM_ATTRIBUTES)
         return complain(select, declaration,
                         "IN[%u] is beyond the %d attributes of the vertex "
                         "unit",
                         declaration->last, TG_TEGRA_NUM_ATTRIBUTES);
      for (uint32_t i = declaration->first; i <= declaration->last; i++) {
         names[i] = name_of(select, declaration, i);
         if (!names[i])
            return TG_ERROR_MEMORY;
      }
   }
   return TG_OK;
}

static bool
is_position(const struct tg_declaration *declaration, uint32_t index)
{
   return declaration->has_semantic &&
          declaration->semantic == TG_SEMANTIC_POSITION &&
          declaration->semantic_index + index - declaration->first == 0;
}

static enum tg_result
complain_of_output(const struct select *select,
                   const struct tg_declaration *declaration, uint32_t index)
{
   return complain(select, declaration,
                   "OUT[%u] is one more than the vertex unit exports, %d "
                   "besides the position",
                   (unsigned)index, TG_TEGRA_NUM_EXPORTS - 1);
}

/* The first declaration of a register counts, another may be of further
 * components. */
static enum tg_result
find_outputs(struct select *select)
{
   const struct tg_declaration *declaration = NULL;
   unsigned count = 0;

   while ((declaration = next_declaration(select, TG_FILE_OUT, declaration))) {
      for (uint32_t i = declaration->first; i <= declaration->last; i++) {
         if (select->outputs[i].declaration)
            continue;
         if (count++ == TG_TEGRA_NUM_EXPORTS)
            return complain_of_output(select, declaration, i);
         select->outputs[i].declaration = declaration;
      }
   }
   return TG_OK;
}

/* Exports in the order of the registers, whatever that of the declarations is;
 * 0 is for the position only. */
static enum tg_result
place_output(struct select *select, uint32_t index, unsigned *num_exports)
{
   assert(index < select->num_outputs);
   struct select_output *output = &select->outputs[index];
   const struct tg_declaration *declaration = output->declaration;

   output->shadow = MIR_NONE;
   if (!declaration)
      return TG_OK;
   output->export_index =
      is_position(declaration, index) ? 0 : (uint8_t)(*num_exports)++;
   if (output->export_index >= TG_TEGRA_NUM_EXPORTS)
      return complain_of_output(select, declaration, index);
   const char *name = name_of(select, declaration, index);
   select->mir->names[TG_TEGRA_EXPORT][output->export_index] = name;
   return name ? TG_OK : TG_ERROR_MEMORY;
}

static enum tg_result
lay_out_outputs(struct select *select)
{
   unsigned num_exports = 1;

   select->num_outputs = count_registers(select, TG_FILE_OUT);
   select->outputs = tg_arena_array(&select->mir->arena, select->num_outputs,
                                    sizeof(*select->outputs));
   if (!select->outputs)
      return TG_ERROR_MEMORY;
   enum tg_result result = find_outputs(select);
   for (uint32_t i = 0; i < select->num_outputs && result == TG_OK; i++)
      result = place_output(select, i, &num_exports);
   return result;
}

/* A register beside an export, for reads of the output. */
static void
shadow_output(struct select *select, uint32_t index)
{
   assert(index < select->num_outputs);
   if (select->outputs[index].declaration &&
       select->outputs[index].shadow == MIR_NONE)
      select->outputs[index].shadow = mir_add_temporary(select->mir);
}

/* Exports cannot be read. */
static void
shadow_outputs(struct select *select)
{
   const struct tg_shader *shader = select->shader;
   bool reads_any = false;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];

      for (unsigned s = 0; s < instruction->num_src; s++) {
         const struct tg_register *reg = &instruction->src[s].reg;

         if (reg->file == TG_FILE_OUT && reg->index.indirect)
            reads_any = true;
         else if (reg->file == TG_FILE_OUT)
            shadow_output(select, (uint32_t)reg->index.offset);
      }
   }
   for (uint32_t i = 0; reads_any && i < select->num_outputs; i++)
      shadow_output(select, i);
}

/* ---- constants ----------------------------------------------------------- */

static int
compare_buffers(const void *a, const void *b)
{
   uint32_t x = ((const struct select_buffer *)a)->dimension;
   uint32_t y = ((const struct select_buffer *)b)->dimension;

   return (x > y) - (x < y);
}

/* The buffer with this number, which is added if there is none yet; NULL if
 * there are too many. */
static struct select_buffer *
get_buffer(struct select *select, uint32_t dimension)
{
   uint32_t i = 0;

   while (i < select->num_buffers && select->buffers[i].dimension != dimension)
      i++;
   if (i == TG_TEGRA_NUM_CONSTANTS)
      return NULL;
   if (i == select->num_buffers)
      select->buffers[select->num_buffers++].dimension = dimension;
   return &select->buffers[i];
}

static enum tg_result
name_constants(struct select *select, const struct select_buffer *buffer)
{
   struct tg_arena *arena = &select->mir->arena;
   const char **names = select->mir->names[TG_TEGRA_UNIFORM] + buffer->base;

   for (uint32_t i = 0; i < buffer->count; i++) {
      names[i] = buffer->dimension
                    ? tg_arena_printf(arena, "CONST[%u][%u]",
                                      (unsigned)buffer->dimension, (unsigned)i)
                    : tg_arena_printf(arena, "CONST[%u]", (unsigned)i);
      if (!names[i])
         return TG_ERROR_MEMORY;
   }
   return TG_OK;
}

/* Finds the buffers, in their order, and how long they are. */
static enum tg_result
find_buffers(struct select *select)
{
   const struct tg_declaration *declaration = NULL;

   select->buffers =
      tg_arena_array(&select->mir->arena, select->shader->num_declarations,
                     sizeof(*select->buffers));
   if (!select->buffers)
      return TG_ERROR_MEMORY;
   while (
      (declaration = next_declaration(select, TG_FILE_CONST, declaration))) {
      struct select_buffer *buffer = get_buffer(select, declaration->dimension);

      if (!buffer || declaration->last >= TG_TEGRA_NUM_CONSTANTS)
         return complain(select, declaration,
                         "constant %u of this buffer is beyond the %d that the "
                         "vertex unit has of all",
                         declaration->last, TG_TEGRA_NUM_CONSTANTS);
      if (buffer->count > declaration->last)
         continue;
      buffer->count = declaration->last + 1u;
      buffer->declaration = declaration;
   }
   qsort(select->buffers, select->num_buffers, sizeof(*select->buffers),
         compare_buffers);
   return TG_OK;
}

static enum tg_result
lay_out_constants(struct select *select)
{
   uint32_t *num_constants = &select->mir->num_constants;
   enum tg_result result = find_buffers(select);

   for (uint32_t i = 0; result == TG_OK && i < select->num_buffers; i++) {
      struct select_buffer *buffer = &select->buffers[i];

      buffer->base = *num_constants;
      *num_constants += buffer->count;
      if (*num_constants > TG_TEGRA_NUM_CONSTANTS)
         return complain(select, buffer->declaration,
                         "constant buffers up to this one have %u registers "
                         "together, of which the vertex unit has %d",
                         (unsigned)*num_constants, TG_TEGRA_NUM_CONSTANTS);
      result = name_constants(select, buffer);
   }
   return result;
}

/* ---- predicates ---------------------------------------------------------- */

/* Those of 2009 are written by comparisons of floats, so that they are 1.0 and
 * 0.0. If something else writes one, bits count. */
static bool
predicates_are_truths(const struct tg_shader *shader)
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];
      const struct select_row *row = &select_rows[instruction->opcode];

      if (instruction->num_dst &&
          instruction->dst[0].reg.file == TG_FILE_PRED &&
          (tg_opcode_row(instruction->opcode)->group != TG_GROUP_COMPARE ||
           row->kinds != KINDS_WORDS || row->how != SELECT_VECTOR))
         return false;
   }
   return true;
}

/* ---- all of them --------------------------------------------------------- */

static bool
lay_out_file(struct select *select, enum tg_file file_number)
{
   assert(file_number < TG_LENGTH(select->files));
   struct select_file *file = &select->files[file_number];

   file->count = count_registers(select, file_number);
   file->registers = tg_arena_array(&select->mir->arena, file->count,
                                    sizeof(*file->registers));
   if (!file->registers)
      return false;
   for (uint32_t i = 0; i < file->count; i++)
      file->registers[i] = MIR_NONE;
   return true;
}

static enum tg_result
lay_out_files(struct select *select)
{
   return lay_out_file(select, TG_FILE_TEMP) &&
                lay_out_file(select, TG_FILE_LOOP) &&
                lay_out_file(select, TG_FILE_PRED) &&
                lay_out_file(select, TG_FILE_ADDR)
             ? TG_OK
             : TG_ERROR_MEMORY;
}

enum tg_result
select_layout(struct select *select)
{
   enum tg_result result = lay_out_inputs(select);

   if (!result)
      result = lay_out_outputs(select);
   if (!result)
      result = lay_out_constants(select);
   if (!result)
      result = lay_out_files(select);
   if (!result) {
      shadow_outputs(select);
      select->predicates_are_truths = predicates_are_truths(select->shader);
      select_lay_out_addresses(select);
   }
   return result;
}
