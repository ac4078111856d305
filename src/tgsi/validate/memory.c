/* SPDX-License-Identifier: MIT
 *
 * Rules about what is loaded from and stored to: those of analysis/memory.h,
 * permission to write, formats of images, the framebuffer.
 */
#include "tgsi/analysis/memory.h"
#include "tgsi/analysis/instruction.h"
#include "tgsi/validate/validate.h"

enum {
   BUFFER = 1 << TG_FILE_BUFFER,
   MEMORY = 1 << TG_FILE_MEMORY,
   CONSTBUF = 1 << TG_FILE_CONSTBUF,
   HWATOMIC = 1 << TG_FILE_HWATOMIC,
};

/* RGLOBAL and the others. */
bool
validate_is_kernel_memory(const struct tg_register *reg)
{
   return reg->file == TG_FILE_RES && !reg->index.indirect &&
          reg->index.offset >= TG_RES_INPUT &&
          reg->index.offset <= TG_RES_GLOBAL;
}

/* Words, which have neither a target nor a format; else an image, or a handle
 * of one. */
static bool
is_words(const struct validation *validation, const struct tg_register *reg,
         const struct tg_declaration *declaration)
{
   if (reg->file == TG_FILE_RES)
      return validate_is_kernel_memory(reg) ||
             (declaration &&
              tg_memory_resource_kind(declaration) == TG_RESOURCE_BUFFER);
   if (reg->file == TG_FILE_CONST)
      return tg_instruction_loads_constants(validation->instruction);
   return (1u << reg->file) & (BUFFER | MEMORY | CONSTBUF | HWATOMIC);
}

/* The operand that names what is accessed. */
static const struct tg_register *
resource_of(const struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;

   return validation->info->dst_type == TG_TYPE_MEM ? &instruction->dst[0].reg
                                                    : &instruction->src[0].reg;
}

/* Why it cannot be written, or NULL. */
static const char *
why_read_only(const struct tg_register *reg,
              const struct tg_declaration *declaration)
{
   if (validate_is_kernel_memory(reg))
      return reg->index.offset == TG_RES_INPUT ? "it holds arguments" : NULL;
   if (!declaration)
      return NULL;
   if (reg->file == TG_FILE_MEMORY &&
       declaration->memory_type == TG_MEMORY_TYPE_INPUT)
      return "it holds arguments";
   if ((reg->file == TG_FILE_IMAGE || reg->file == TG_FILE_RES) &&
       !declaration->writable)
      return "its declaration needs WR";
   return NULL;
}

static void
check_write(struct validation *validation, const struct tg_register *reg,
            const struct tg_declaration *declaration)
{
   const char *why = why_read_only(reg, declaration);

   if (why && validation->info->flags & TG_OPCODE_FLAG_WRITES_MEM)
      validate_error(validation, validation->instruction->position, "read-only",
                     why, "%s writes to %s, which is read only",
                     validation->info->name, validate_register_text(reg).text);
}

/* In 2011 a RES was declared with the types of a view, which is sampled. */
static void
check_view(struct validation *validation, const struct tg_register *reg,
           const struct tg_declaration *declaration)
{
   if (reg->file != TG_FILE_RES || !declaration ||
       !declaration->has_return_type)
      return;
   validate_error(validation, validation->instruction->position, "bad-view",
                  "LOAD and the SAMPLE opcodes read it, after the "
                  "address",
                  "%s cannot be used with %s, which is a view",
                  validation->info->name, validate_register_text(reg).text);
}

static void
check_format(struct validation *validation, const struct tg_register *reg,
             const struct tg_declaration *declaration)
{
   const struct tg_instruction *instruction = validation->instruction;
   const enum tg_opcode opcode = (enum tg_opcode)instruction->opcode;
   unsigned format = TG_FORMAT_NONE;

   if (instruction->has_memory)
      format = instruction->memory_format;
   if (format == TG_FORMAT_NONE && declaration)
      format = declaration->format;
   if (format == TG_FORMAT_NONE || format >= TG_NUM_FORMATS ||
       is_words(validation, reg, declaration) ||
       tg_memory_has_format(opcode, (enum tg_format)format))
      return;
   validate_error(
      validation, instruction->position, "bad-format",
      validate_format_text("expected %s", tg_memory_formats_text(opcode)).text,
      "%s cannot work on %s of format %s", validation->info->name,
      validate_register_text(reg).text, tg_format_row(format)->name);
}

/* An instruction that names no target has BUFFER there. */
static void
check_target(struct validation *validation, const struct tg_register *reg,
             const struct tg_declaration *declaration)
{
   const struct tg_instruction *instruction = validation->instruction;
   const unsigned target = instruction->memory_target;

   if (!instruction->has_memory || target == TG_TARGET_BUFFER)
      return;
   if (target >= TG_TARGET_UNKNOWN ||
       tg_target_row(target)->flags & TG_TARGET_FLAG_SHADOW) {
      validate_error(
         validation, instruction->position, "bad-target",
         "images have no shadow targets", "%s cannot be used with %s",
         validation->info->name,
         tg_target_row(target < TG_NUM_TARGETS ? target : TG_TARGET_UNKNOWN)
            ->name);
      return;
   }
   if (reg->file == TG_FILE_IMAGE && declaration &&
       declaration->target != target)
      validate_warning(
         validation, instruction->position, "odd-target",
         validate_format_text("%s is declared as %s",
                              validate_register_text(reg).text,
                              tg_target_row(declaration->target)->name)
            .text,
         "%s of %s", validation->info->name, tg_target_row(target)->name);
}

static void
check_words(struct validation *validation, const struct tg_register *reg)
{
   const struct tg_instruction *instruction = validation->instruction;

   if (instruction->has_memory &&
       (instruction->memory_target != TG_TARGET_BUFFER ||
        instruction->memory_format != TG_FORMAT_NONE))
      validate_warning(
         validation, instruction->position, "odd-target",
         "only images have them", "%s of %s with a target or a format",
         validation->info->name, validate_register_text(reg).text);
}

/* Which counter is touched is known before the shader runs. Mesa leaves the
 * offset in a register where the counter's own index is one. */
static void
check_counter(struct validation *validation, const struct tg_register *reg)
{
   const struct tg_instruction *instruction = validation->instruction;

   if (reg->file != TG_FILE_HWATOMIC || instruction->num_src < 2 ||
       reg != &instruction->src[0].reg ||
       instruction->src[1].reg.file == TG_FILE_IMM)
      return;
   validate_report(
      validation, reg->index.indirect ? TG_SEVERITY_WARNING : TG_SEVERITY_ERROR,
      instruction->position, "not-immediate",
      "the offset of a counter is an immediate", "%s of %s has the offset %s",
      validation->info->name, validate_register_text(reg).text,
      validate_register_text(&instruction->src[1].reg).text);
}

static void
check_framebuffer(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_register *reg = &instruction->src[0].reg;
   const struct tg_declaration *output =
      validate_find_register(validation, reg);

   if (reg->index.indirect) {
      validate_error(validation, instruction->position, "bad-index",
                     "the colour buffer is chosen by the output's number",
                     "FBFETCH cannot read %s",
                     validate_register_text(reg).text);
      return;
   }
   if (!output || output->file != TG_FILE_OUT ||
       (output->has_semantic && output->semantic == TG_SEMANTIC_COLOR))
      return;
   validate_error(validation, instruction->position, "bad-semantic",
                  "expected an output with the semantic COLOR",
                  "FBFETCH cannot read %s", validate_register_text(reg).text);
}

void
validate_memory(struct validation *validation)
{
   if (validation->instruction->opcode == TG_OPCODE_FBFETCH)
      check_framebuffer(validation);
   if (!tg_memory_files((enum tg_opcode)(validation->info - tg_opcodes)))
      return;

   const struct tg_register *reg = resource_of(validation);
   const struct tg_declaration *declaration =
      validate_find_register(validation, reg);
   check_write(validation, reg, declaration);
   check_view(validation, reg, declaration);
   check_format(validation, reg, declaration);
   check_counter(validation, reg);
   if (is_words(validation, reg, declaration))
      check_words(validation, reg);
   else
      check_target(validation, reg, declaration);
}
