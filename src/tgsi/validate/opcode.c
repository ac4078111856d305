/* SPDX-License-Identifier: MIT
 *
 * Rules about the opcode itself: where it stands, how many operands it has,
 * what it carries besides, and which modifiers its operands may have.
 */
#include "tgsi/validate/validate.h"

#include <assert.h>

#include "util/length.h"

/* ---- shape --------------------------------------------------------------- */

static bool
check_counts(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_opcode_info *info = validation->info;
   const char *name = tg_opcode_row(instruction->opcode)->name;

   if (instruction->num_dst != info->num_dst) {
      validate_error(validation, instruction->position, "operand-count",
                     validate_format_text("expected %u", info->num_dst).text,
                     "%s has %u destination%s", name, instruction->num_dst,
                     instruction->num_dst == 1 ? "" : "s");
      return false;
   }
   if (instruction->num_src < info->min_src ||
       instruction->num_src > info->num_src) {
      struct validate_text note =
         info->min_src == info->num_src
            ? validate_format_text("expected %u", info->num_src)
            : validate_format_text("expected %u to %u", info->min_src,
                                   info->num_src);

      validate_error(validation, instruction->position, "operand-count",
                     note.text, "%s has %u source%s", name,
                     instruction->num_src,
                     instruction->num_src == 1 ? "" : "s");
      return false;
   }
   return true;
}

static void
check_stage(struct validation *validation)
{
   const struct tg_opcode_info *info = validation->info;
   const enum tg_processor processor = validation->shader->processor;

   if (info->stages & 1u << processor)
      return;
   validate_error(validation, validation->instruction->position, "bad-stage",
                  validate_format_text("it belongs to %s",
                                       validate_stages_text(info->stages).text)
                     .text,
                  "%s in %s", info->name, tg_processor_row(processor)->name);
}

/* A mask may be empty where something else than the result counts. */
static void
check_write_mask(struct validation *validation, unsigned dst)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_opcode_info *info = validation->info;

   if (instruction->dst[dst].writemask || info->flags & TG_OPCODE_FLAG_ATOMIC)
      return;

   struct validate_text text =
      validate_register_text(&instruction->dst[dst].reg);
   if (info->dst_type == TG_TYPE_MEM)
      validate_warning(validation, instruction->position, "empty-mask", NULL,
                       "%s stores no channel of %s", info->name, text.text);
   else
      validate_error(validation, instruction->position, "empty-mask",
                     "a mask names at least one of xyzw",
                     "%s writes no channel of %s", info->name, text.text);
}

/* Operand 0 of EMIT, ENDPRIM and MEMBAR steers the machine and is not a value
 * of a lane. A CASE may compare with any value. */
static void
check_immediate(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_opcode_info *info = validation->info;

   if (!(info->flags & TG_OPCODE_FLAG_IMMEDIATE) || !instruction->num_src ||
       instruction->src[0].reg.file == TG_FILE_IMM)
      return;

   struct validate_text text = validate_register_text(&instruction->src[0].reg);
   if (info->flow == TG_FLOW_CASE)
      validate_warning(validation, instruction->position, "not-immediate",
                       "a CASE is meant to have an immediate",
                       "%s has the operand %s", info->name, text.text);
   else
      validate_error(validation, instruction->position, "not-immediate",
                     "expected a register of IMM", "%s has the operand %s",
                     info->name, text.text);
}

/* A vertex of a stream that there is not is lost. */
static void
check_stream(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_shader *shader = validation->shader;

   if (validation->info->group != TG_GROUP_GEOMETRY || !instruction->num_src)
      return;

   const struct tg_src *src = &instruction->src[0];
   const int32_t index = src->reg.index.offset;
   if (src->reg.file != TG_FILE_IMM || src->reg.index.indirect || index < 0 ||
       (uint32_t)index >= shader->num_immediates)
      return;

   const uint32_t stream = shader->immediates[index].words[src->swizzle[0]];
   if (stream > 3)
      validate_warning(validation, instruction->position, "bad-stream",
                       "streams are numbered 0 to 3",
                       "%s has no effect on stream %u", validation->info->name,
                       stream);
}

/* Tokens that only tokens can put where they do not belong, or leave out. */
static void
check_extras(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const unsigned flags = tg_opcode_row(instruction->opcode)->flags;
   const char *name = tg_opcode_row(instruction->opcode)->name;

   if (flags & TG_OPCODE_FLAG_TARGET && !instruction->has_texture)
      validate_error(validation, instruction->position, "missing-target",
                     "it stands after the operands, as in 2D",
                     "%s without a texture target", name);
   if (instruction->has_texture &&
       !(flags & (TG_OPCODE_FLAG_TARGET | TG_OPCODE_FLAG_TEXTOKEN)) &&
       validation->info->group != TG_GROUP_SAMPLE)
      validate_error(validation, instruction->position, "bad-target", NULL,
                     "%s takes no texture target", name);
   if (instruction->has_memory &&
       !(flags & (TG_OPCODE_FLAG_MEMTOKEN | TG_OPCODE_FLAG_MEMARGS)))
      validate_error(validation, instruction->position, "bad-memory", NULL,
                     "%s takes no memory arguments", name);
}

/* The specifications know of quads of pixels only. */
static void
check_quads(struct validation *validation)
{
   if (validation->info->group == TG_GROUP_DERIV &&
       validation->shader->processor == TG_PROCESSOR_COMP)
      validate_warning(validation, validation->instruction->position,
                       "odd-stage", "threads 4n to 4n+3 of a block are a quad",
                       "%s in COMP", validation->info->name);
}

static void
check_oddities(struct validation *validation)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_opcode_info *info = validation->info;

   if (info->group == TG_GROUP_GAP)
      validate_warning(validation, instruction->position, "removed-opcode",
                       NULL, "%s is the number of a removed opcode",
                       info->name);
   if (instruction->saturate && info->dst_type != TG_TYPE_F32 &&
       info->dst_type != TG_TYPE_F64 && info->dst_type != TG_TYPE_UNTYPED)
      validate_warning(validation, instruction->position, "saturate-ignored",
                       "only floats are clamped", "%s cannot saturate",
                       info->name);
}

bool
validate_opcode(struct validation *validation)
{
   check_stage(validation);
   check_extras(validation);
   check_oddities(validation);
   check_quads(validation);
   if (!check_counts(validation))
      return false;
   for (unsigned i = 0; i < validation->instruction->num_dst; i++)
      check_write_mask(validation, i);
   check_immediate(validation);
   check_stream(validation);
   return true;
}

/* ---- modifiers ----------------------------------------------------------- */

enum modifiers {
   NO_MODIFIER,
   NEGATE_ONLY,
   ANY_MODIFIER,
};

/* Floats have both modifiers and integers a negation; bytes packed into a word
 * and whatever is not a value have none. */
static enum modifiers
allowed_modifiers(const struct tg_opcode_info *info, unsigned src)
{
   assert(src < TG_LENGTH(info->src_type));
   switch (info->src_type[src]) {
   case TG_TYPE_I32:
   case TG_TYPE_U32:
      if (info->group == TG_GROUP_PACK ||
          info->flags & TG_OPCODE_FLAG_IMMEDIATE)
         return NO_MODIFIER;
      return NEGATE_ONLY;
   case TG_TYPE_I64:
   case TG_TYPE_U64: return NEGATE_ONLY;
   case TG_TYPE_SAMP:
   case TG_TYPE_VIEW:
   case TG_TYPE_MEM:
   case TG_TYPE_IMAGE:
   case TG_TYPE_OUT: return NO_MODIFIER;
   default: return ANY_MODIFIER;
   }
}

static void
check_modifiers(struct validation *validation, unsigned src)
{
   const struct tg_instruction *instruction = validation->instruction;
   const struct tg_src *operand = &instruction->src[src];
   const enum modifiers allowed = allowed_modifiers(validation->info, src);

   if (!operand->absolute && !operand->negate)
      return;

   const char *name = validation->info->name;
   if (allowed == NO_MODIFIER)
      validate_error(validation, instruction->position, "bad-modifier",
                     "it is not a number", "%s has a modifier on %s", name,
                     validate_register_text(&operand->reg).text);
   else if (operand->absolute && allowed == NEGATE_ONLY)
      validate_error(validation, instruction->position, "bad-modifier",
                     "integers can be negated only",
                     "%s has an absolute value of %s", name,
                     validate_register_text(&operand->reg).text);
}

void
validate_opcode_modifiers(struct validation *validation)
{
   for (unsigned i = 0; i < validation->instruction->num_src; i++)
      check_modifiers(validation, i);
}
