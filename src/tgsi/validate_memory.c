/* SPDX-License-Identifier: MIT
 *
 * Rules about what is loaded from and stored to: memory_rules.def as a table,
 * permission to write, formats of images, the framebuffer.
 */
#include "tgsi/reads.h"
#include "tgsi/validate.h"

/* Which formats an atomic may work on. */
enum memory_formats {
   ANY,
   INT32,
   WORD,
   FLOAT32,
};

struct memory_row {
   uint32_t files; /* 1 << enum tg_file */
   enum memory_formats formats;
};

enum {
   CONST = 1 << TG_FILE_CONST,
   SAMP = 1 << TG_FILE_SAMP,
   IMAGE = 1 << TG_FILE_IMAGE,
   BUFFER = 1 << TG_FILE_BUFFER,
   MEMORY = 1 << TG_FILE_MEMORY,
   CONSTBUF = 1 << TG_FILE_CONSTBUF,
   HWATOMIC = 1 << TG_FILE_HWATOMIC,
   RES = 1 << TG_FILE_RES,
   HANDLE = VALIDATE_HANDLE_FILES,
};

static const struct memory_row rows[TG_NUM_OPCODES] = {
#define TG_MEMORY_RULE(name, files, formats)                                   \
   [TG_OPCODE_##name] = {files, formats},
#include "tgsi/memory_rules.def"
};

uint32_t
validate_memory_files(enum tg_opcode opcode)
{
   return rows[opcode].files;
}

/* RGLOBAL and the others. */
bool
validate_is_kernel_memory(const struct tg_register *reg)
{
   return reg->file == TG_FILE_RES && !reg->index.indirect &&
          reg->index.offset >= TG_RES_INPUT &&
          reg->index.offset <= TG_RES_GLOBAL;
}

static bool
has_format(enum memory_formats formats, unsigned format)
{
   const bool is_integer =
      format == TG_FORMAT_R32_UINT || format == TG_FORMAT_R32_SINT;
   const bool is_float = format == TG_FORMAT_R32_FLOAT;

   switch (formats) {
   case INT32: return is_integer;
   case WORD: return is_integer || is_float;
   case FLOAT32: return is_float;
   default: return true;
   }
}

static const char *
formats_text(enum memory_formats formats)
{
   switch (formats) {
   case INT32: return "expected R32_UINT or R32_SINT";
   case WORD: return "expected R32_UINT, R32_SINT or R32_FLOAT";
   case FLOAT32: return "expected R32_FLOAT";
   default: return NULL;
   }
}

/* Words, which have neither a target nor a format; else an image, or a handle
 * of one. */
static bool
is_words(const struct validation *validation, const struct tg_register *reg,
         const struct tg_declaration *declaration)
{
   if (reg->file == TG_FILE_RES)
      return validate_is_kernel_memory(reg) ||
             (declaration && declaration->raw);
   if (reg->file == TG_FILE_CONST)
      return tg_loads_constants(validation->instruction);
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
                  "LOAD and the SAMPLE opcodes read it, behind the "
                  "address",
                  "%s cannot be used with %s, which is a view",
                  validation->info->name, validate_register_text(reg).text);
}

static void
check_format(struct validation *validation, const struct tg_register *reg,
             const struct tg_declaration *declaration)
{
   const struct tg_instruction *instruction = validation->instruction;
   const enum memory_formats formats = rows[instruction->opcode].formats;
   unsigned format = TG_FORMAT_NONE;

   if (instruction->has_memory)
      format = instruction->memory_format;
   if (format == TG_FORMAT_NONE && declaration)
      format = declaration->format;
   if (format == TG_FORMAT_NONE || format >= TG_NUM_FORMATS ||
       is_words(validation, reg, declaration) || has_format(formats, format))
      return;
   validate_error(validation, instruction->position, "bad-format",
                  formats_text(formats), "%s cannot work on %s of format %s",
                  validation->info->name, validate_register_text(reg).text,
                  tg_formats[format].name);
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
       tg_targets[target].flags & TG_TARGET_FLAG_SHADOW) {
      validate_error(
         validation, instruction->position, "bad-target",
         "images have no shadow targets", "%s cannot be used with %s",
         validation->info->name,
         tg_targets[target < TG_NUM_TARGETS ? target : TG_TARGET_UNKNOWN].name);
      return;
   }
   if (reg->file == TG_FILE_IMAGE && declaration &&
       declaration->target != target)
      validate_warning(validation, instruction->position, "odd-target",
                       validate_format("%s is declared as %s",
                                       validate_register_text(reg).text,
                                       tg_targets[declaration->target].name)
                          .text,
                       "%s of %s", validation->info->name,
                       tg_targets[target].name);
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

static void
check_framebuffer(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_register *reg = &instruction->src[0].reg;
   const struct tg_declaration *output = validate_find(validation, reg);

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
   if (!rows[validation->info - tg_opcodes].files)
      return;

   const struct tg_register *reg = resource_of(validation);
   const struct tg_declaration *declaration = validate_find(validation, reg);
   check_write(validation, reg, declaration);
   check_view(validation, reg, declaration);
   check_format(validation, reg, declaration);
   if (is_words(validation, reg, declaration))
      check_words(validation, reg);
   else
      check_target(validation, reg, declaration);
}
