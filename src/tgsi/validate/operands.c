/* SPDX-License-Identifier: MIT
 *
 * Rules about operands: which files each may name, and what the registers of
 * loops and predicates are for.
 */
#include "tgsi/validate/validate.h"

#include <string.h>

#include "tgsi/analysis/instruction.h"
#include "tgsi/analysis/memory.h"

/* ---- files --------------------------------------------------------------- */

uint32_t
validate_operand_files_with(unsigned access, unsigned without)
{
   uint32_t files = 0;

   for (unsigned file = 0; file < TG_NUM_FILES; file++) {
      if ((tg_file_row(file)->access & (access | without)) == access)
         files |= 1u << file;
   }
   return files;
}

/* The files of an opcode's only operand, where its type does not decide: loops
 * of 2010 count by constants, and the stack holds addresses. */
static const uint32_t only_files[TG_NUM_OPCODES] = {
   [TG_OPCODE_BGNFOR] = 1u << TG_FILE_CONST,
   [TG_OPCODE_PUSHA] = 1u << TG_FILE_ADDR,
   [TG_OPCODE_POPA] = 1u << TG_FILE_ADDR,
};

/* Those that source `src` may name. */
static uint32_t
source_files(const struct validation *validation, unsigned src)
{
   const struct tg_opcode_info *info = validation->info;

   if (only_files[info - tg_opcodes])
      return only_files[info - tg_opcodes];
   switch (info->src_type[src]) {
   case TG_TYPE_SAMP:
      if (info->group == TG_GROUP_RESOURCE)
         return 1u << TG_FILE_SAMP; /* SAMP2HND makes handles */
      return 1u << TG_FILE_SAMP | TG_HANDLE_FILES;
   case TG_TYPE_VIEW:
      /* Where the view is the first operand, a TEMP is the render target. */
      return 1u << TG_FILE_SVIEW | 1u << TG_FILE_RES |
             (src == 0 ? 1u << TG_FILE_TEMP : 0);
   case TG_TYPE_MEM:
   case TG_TYPE_IMAGE: return tg_memory_files(validation->instruction->opcode);
   case TG_TYPE_IN: return 1u << TG_FILE_IN;
   case TG_TYPE_OUT: return 1u << TG_FILE_OUT;
   default: return validation->value_files;
   }
}

/* "IMAGE or BUFFER". All names together fit. */
static struct validate_text
files_text(uint32_t files)
{
   struct validate_text text = {""};
   uint32_t left = files;

   for (unsigned file = 0; file < TG_NUM_FILES; file++) {
      if (!(left & 1u << file))
         continue;
      left &= ~(1u << file);
      if (text.text[0])
         strcat(text.text, left ? ", " : " or ");
      strcat(text.text, tg_file_row(file)->name);
   }
   return text;
}

/* ---- channels ------------------------------------------------------------ */

unsigned
validate_operand_channels(const struct tg_instruction *instruction,
                          const struct tg_opcode_info *row, unsigned src)
{
   unsigned reads = tg_instruction_reads(instruction, row, src);
   unsigned mask = 0;

   if (row->reads[src] == TG_READS_STORED &&
       instruction->dst[0].reg.file != TG_FILE_BUFFER &&
       instruction->dst[0].reg.file != TG_FILE_MEMORY)
      reads = TG_MASK_X;
   for (unsigned i = 0; i < 4; i++)
      mask |= reads & 1u << i ? 1u << instruction->src[src].swizzle[i] : 0;
   return mask;
}

/* Those of `mask` that the register's declaration leaves out. */
static unsigned
undeclared_channels(const struct validation *validation,
                    const struct tg_register *reg, unsigned mask)
{
   const struct tg_declaration *declaration =
      validate_find_register(validation, reg);

   if (!declaration || tg_file_row(reg->file)->access & TG_ACCESS_OBJ)
      return 0;
   return mask &
          ~validation->masks[declaration - validation->shader->declarations];
}

static void
check_channels(struct validation *validation, const struct tg_register *reg,
               unsigned mask, const char *verb)
{
   const unsigned channels = undeclared_channels(validation, reg, mask);

   if (channels)
      validate_warning(
         validation, validation->instruction->position, "undeclared-channel",
         "its declaration has a mask without them", "%s %s %s.%s",
         validation->info->name, verb, validate_register_text(reg).text,
         validate_mask_text(channels).text);
}

/* ---- operands ------------------------------------------------------------ */

/* A source of the file NULL is what some generators make of a value that was
 * never set. Nothing can be written there. */
static bool
has_file(struct validation *validation, const struct tg_register *reg,
         bool is_source)
{
   const char *name = validation->info->name;

   if (reg->file != TG_FILE_NULL && reg->file < TG_NUM_FILES)
      return true;
   if (is_source && reg->file == TG_FILE_NULL)
      validate_warning(validation, validation->instruction->position,
                       "bad-file", "it reads as zero", "%s reads the file NULL",
                       name);
   else
      validate_error(validation, validation->instruction->position, "bad-file",
                     NULL, "%s writes to the file NULL", name);
   return false;
}

/* The files that a destination may name. BGNFOR has a rule of its own. */
static uint32_t
destination_files(const struct validation *validation)
{
   const struct tg_opcode_info *info = validation->info;

   if (info->dst_type == TG_TYPE_MEM)
      return tg_memory_files(validation->instruction->opcode);
   if (!info->num_src && only_files[info - tg_opcodes])
      return only_files[info - tg_opcodes];
   return validation->writable_files;
}

/* A fragment shader writes the depth in z and the stencil reference in y, and
 * nothing else there, unless the dialect allows any channel. */
static void
check_fragment_output(struct validation *validation, const struct tg_dst *dst)
{
   const struct tg_shader *shader = validation->shader;
   const struct tg_declaration *output =
      validate_find_register(validation, &dst->reg);

   if (shader->processor != TG_PROCESSOR_FRAG ||
       tg_dialect_row(shader->dialect)->output_any || !output ||
       output->file != TG_FILE_OUT || !output->has_semantic)
      return;

   const struct tg_semantic_info *semantic = tg_semantic_row(output->semantic);
   if (dst->writemask & ~semantic->fragment_channels)
      validate_error(validation, validation->instruction->position, "read-only",
                     validate_format_text(
                        "a fragment shader writes %s of %s",
                        validate_mask_text(semantic->fragment_channels).text,
                        semantic->name)
                        .text,
                     "%s cannot write to %s.%s", validation->info->name,
                     validate_register_text(&dst->reg).text,
                     validate_mask_text(dst->writemask).text);
}

static void
check_destination(struct validation *validation, const struct tg_dst *dst)
{
   const struct tg_opcode_info *info = validation->info;
   const struct tg_position position = validation->instruction->position;
   const uint32_t files = destination_files(validation);

   if (!has_file(validation, &dst->reg, false))
      return;
   if (!(files & 1u << dst->reg.file)) {
      struct validate_text text = validate_register_text(&dst->reg);

      if (files != validation->writable_files)
         validate_error(
            validation, position, "bad-file",
            validate_format_text("expected %s", files_text(files).text).text,
            "%s cannot write to %s", info->name, text.text);
      else
         validate_error(validation, position, "read-only",
                        tg_file_row(dst->reg.file)->access & TG_ACCESS_W
                           ? "STORE and the atomics write to it"
                           : NULL,
                        "%s cannot write to %s", info->name, text.text);
   }
   validate_register(validation, &dst->reg);
   check_channels(validation, &dst->reg, dst->writemask, "writes");
   check_fragment_output(validation, dst);
}

static void
check_source(struct validation *validation, unsigned src)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_register *reg = &instruction->src[src].reg;
   const uint32_t files = source_files(validation, src);

   if (!has_file(validation, reg, true))
      return;
   if (!(files & 1u << reg->file))
      validate_error(
         validation, instruction->position, "bad-file",
         files == validation->value_files
            ? "it is not a value"
            : validate_format_text("expected %s", files_text(files).text).text,
         "%s cannot read %s", validation->info->name,
         validate_register_text(reg).text);
   validate_register(validation, reg);
   check_channels(validation, reg,
                  validate_operand_channels(instruction, validation->info, src),
                  "reads");
}

static void
check_predicate(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_register predicate = {
      .file = TG_FILE_PRED,
      .index.offset = instruction->predicate_index,
   };

   if (instruction->has_predicate)
      validate_register(validation, &predicate);
}

/* The loop registers of 2010 count; only the loops count them. */
static void
check_loop_register(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const bool is_counter = validation->info->flow == TG_FLOW_LOOP ||
                           validation->info->flow == TG_FLOW_ENDLOOP;

   for (unsigned i = 0; i < instruction->num_dst; i++) {
      const struct tg_register *reg = &instruction->dst[i].reg;

      if (is_counter == (reg->file == TG_FILE_LOOP))
         continue;
      validate_warning(validation, instruction->position, "loop-register",
                       "BGNFOR and ENDFOR count in registers of LOOP, and "
                       "nothing else writes them",
                       "%s writes to %s", validation->info->name,
                       validate_register_text(reg).text);
   }
}

static void
check_offset(struct validation *validation, const struct tg_tex_offset *offset)
{
   const struct tg_register reg = {
      .file = offset->file,
      .index.offset = offset->index,
   };

   if (!has_file(validation, &reg, true))
      return;
   if (!(validation->value_files & 1u << reg.file))
      validate_error(validation, validation->instruction->position, "bad-file",
                     "it is not a value", "%s cannot read %s",
                     validation->info->name, validate_register_text(&reg).text);
   validate_register(validation, &reg);
}

void
validate_operands(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;

   check_predicate(validation);
   for (unsigned i = 0; i < instruction->num_dst; i++)
      check_destination(validation, &instruction->dst[i]);
   for (unsigned i = 0; i < instruction->num_src; i++)
      check_source(validation, i);
   for (unsigned i = 0; i < instruction->num_tex_offsets; i++)
      check_offset(validation, &instruction->tex_offset[i]);
   check_loop_register(validation);
}
