/* SPDX-License-Identifier: MIT
 *
 * Static facts of a shader, collected before it runs: which registers there
 * are, and what each instruction does with its sources.
 */
#include "check/state.h"

#include <assert.h>

#include "format/format.h"
#include "util/length.h"

/* ---- files --------------------------------------------------------------- */

static uint32_t
first_number(const struct check *check,
             const struct tg_declaration *declaration)
{
   return abi_layout_numbers_in(&check->layout, declaration->file,
                                declaration->dimension)
      .first;
}

static void
count_declaration(struct check *check, const struct tg_declaration *declaration)
{
   struct check_file *file = &check->files[declaration->file];
   const uint32_t last = first_number(check, declaration) + declaration->last;

   if (file->num_registers <= last)
      file->num_registers = last + 1;
   if (declaration->has_array && file->num_arrays <= declaration->array_id)
      file->num_arrays = declaration->array_id + 1u;
}

static void
note_declaration(struct check *check, const struct tg_declaration *declaration)
{
   struct check_file *file = &check->files[declaration->file];
   const uint32_t first = first_number(check, declaration);

   for (uint32_t r = declaration->first; r <= declaration->last; r++)
      file->is_declared[first + r] = true;
   if (declaration->has_array)
      file->arrays[declaration->array_id] = (struct check_range){
         declaration->first,
         declaration->last - declaration->first + 1u,
      };
}

/* Registers that shaders write are their own, but a vertex's in a patch are
 * everybody's. */
static bool
has_shadow(const struct tg_shader *shader, enum tg_file file)
{
   const unsigned both = TG_ACCESS_R | TG_ACCESS_W;

   return (tg_file_row(file)->access & both) == both &&
          !tg_shader_file_is_per_vertex(shader->processor, file);
}

static bool
plan_files(struct check *check)
{
   const struct tg_shader *shader = check->shader;

   for (uint32_t i = 0; i < shader->num_declarations; i++)
      count_declaration(check, &shader->declarations[i]);
   check->files[TG_FILE_IMM].num_registers = shader->num_immediates;

   for (unsigned f = 0; f < TG_NUM_FILES; f++) {
      struct check_file *file = &check->files[f];

      file->is_declared = tg_arena_alloc(&check->arena, file->num_registers);
      file->arrays =
         tg_arena_array(&check->arena, file->num_arrays, sizeof(*file->arrays));
      if (!file->is_declared || !file->arrays)
         return false;
      file->has_shadow = has_shadow(shader, f);
      if (!file->has_shadow)
         continue;
      file->first_channel = check->num_channels;
      check->num_channels += file->num_registers * 4;
   }
   for (uint32_t i = 0; i < shader->num_declarations; i++)
      note_declaration(check, &shader->declarations[i]);
   for (uint32_t i = 0; i < shader->num_immediates; i++)
      check->files[TG_FILE_IMM].is_declared[i] = true;
   return true;
}

/* ---- instructions -------------------------------------------------------- */

/* What the sources of an instruction decide. NULL: only its result. */
static const char *
use_of(const struct tg_opcode_info *info)
{
   if (info->flow != TG_FLOW_NONE)
      return "where control goes";
   if (info->flags & TG_OPCODE_FLAG_KILLS)
      return "what is discarded";
   switch ((enum tg_opcode_group)info->group) {
   case TG_GROUP_TEX:
   case TG_GROUP_SAMPLE: return "where a texture is read";
   case TG_GROUP_RESOURCE:
   case TG_GROUP_ATOMIC:
      return info->flags & TG_OPCODE_FLAG_WRITES_MEM
                ? "where or what memory is written"
                : "where memory is read";
   case TG_GROUP_GEOMETRY: return "where vertices go";
   default: return NULL;
   }
}

/* A row is asked with one channel written at a time. */
static void
plan_channel(const struct tg_instruction *instruction,
             const struct tg_opcode_info *info, unsigned d, unsigned c,
             uint8_t reads[TG_MAX_SRC])
{
   struct tg_dst dst[TG_MAX_DST] = {{{0}, 0}};
   struct tg_instruction alone = *instruction;

   assert(d < TG_LENGTH(dst));
   dst[d].writemask = (uint8_t)(1u << c);
   alone.dst = dst;
   for (unsigned s = 0; s < instruction->num_src; s++)
      reads[s] = (uint8_t)tg_instruction_reads(&alone, info, s);
}

/* The target of opcodes that name a view is in its declaration, if that is
 * known. */
static struct tg_instruction
with_target(const struct tg_shader *shader,
            const struct tg_instruction *instruction,
            const struct tg_opcode_info *info)
{
   struct tg_instruction made = *instruction;

   for (unsigned s = 0; s < instruction->num_src; s++) {
      const struct tg_register *reg = &instruction->src[s].reg;

      if (info->src_type[s] != TG_TYPE_VIEW)
         continue;
      made.has_texture = false;
      for (uint32_t i = 0; i < shader->num_declarations; i++) {
         const struct tg_declaration *view = &shader->declarations[i];

         if (view->file != reg->file || reg->index.indirect ||
             reg->index.offset < (int64_t)view->first ||
             reg->index.offset > (int64_t)view->last)
            continue;
         made.has_texture = true;
         made.target = tg_target_row(view->target)->plain;
      }
   }
   return made;
}

static uint8_t
words_of_format(enum tg_format format)
{
   return (uint8_t)format_stored_words(format_info(format));
}

/* What is stored in words is the channels of the write mask, in texels those of
 * the format, and all four if the instruction names none. */
static uint8_t
used_channels(const struct tg_instruction *instruction,
              const struct tg_opcode_info *info, unsigned s)
{
   assert(s < TG_LENGTH(info->reads));
   unsigned channels = tg_instruction_reads(instruction, info, s);

   if (info->reads[s] == TG_READS_STORED &&
       instruction->dst[0].reg.file != TG_FILE_BUFFER &&
       instruction->dst[0].reg.file != TG_FILE_MEMORY &&
       instruction->memory_format != TG_FORMAT_NONE)
      channels &= words_of_format((enum tg_format)instruction->memory_format);
   return (uint8_t)channels;
}

static void
plan_instruction(struct check *check, uint32_t index)
{
   const struct tg_shader *shader = check->shader;
   assert(index < shader->num_instructions);
   const struct tg_instruction *instruction = &shader->instructions[index];
   const struct tg_opcode_info *info = tg_instruction_row(shader, instruction);
   const struct tg_instruction made = with_target(shader, instruction, info);
   struct check_row *row = &check->rows[index];

   row->use = use_of(info);
   for (unsigned s = 0; s < instruction->num_src && row->use; s++)
      row->used[s] = used_channels(&made, info, s);
   for (unsigned d = 0; d < instruction->num_dst && !row->use; d++) {
      for (unsigned c = 0; c < 4; c++) {
         if (instruction->dst[d].writemask & 1u << c)
            plan_channel(instruction, info, d, c, row->reads[d][c]);
      }
   }
}

bool
check_plan(struct check *check)
{
   uint32_t count = check->shader->num_instructions;

   if (!plan_files(check))
      return false;
   check->rows = tg_arena_array(&check->arena, count, sizeof(*check->rows));
   if (!check->rows)
      return false;
   for (uint32_t i = 0; i < count; i++)
      plan_instruction(check, i);
   return true;
}
