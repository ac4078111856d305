/* SPDX-License-Identifier: MIT
 *
 * Rules about what stands before the instructions: that it does, what each
 * declaration and immediate may say, and that none is said twice.
 */
#include <assert.h>
#include <stdlib.h>

#include "tgsi/validate/validate.h"

/* ---- order --------------------------------------------------------------- */

static const char order_note[] = "it belongs before the first instruction";

/* Properties that come late are still in force. */
static void
check_late_item(struct validation *validation, const struct tg_item *item)
{
   const struct tg_shader *shader = validation->shader;

   if (item->kind == TG_ITEM_DECLARATION)
      validate_error(validation, shader->declarations[item->index].position,
                     "late-declaration", order_note,
                     "declaration after an instruction");
   else if (item->kind == TG_ITEM_IMMEDIATE)
      validate_error(validation, shader->immediates[item->index].position,
                     "late-immediate", order_note,
                     "immediate after an instruction");
   else if (item->kind == TG_ITEM_PROPERTY)
      validate_warning(validation, shader->properties[item->index].position,
                       "late-property", order_note,
                       "property after an instruction");
}

void
validate_declaration_order(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   bool seen_instruction = false;

   for (uint32_t i = 0; i < shader->num_items; i++) {
      if (shader->items[i].kind == TG_ITEM_INSTRUCTION)
         seen_instruction = true;
      else if (seen_instruction)
         check_late_item(validation, &shader->items[i]);
   }
}

/* ---- one declaration ----------------------------------------------------- */

/* `TEMP[4..7]`, `CONST[1][0..3]`. */
static struct validate_text
declaration_text(const struct tg_declaration *declaration)
{
   struct validate_text dimension = {""};
   const char *file = tg_file_row(declaration->file)->name;

   if (declaration->has_dimension)
      dimension = validate_format_text("[%u]", declaration->dimension);
   if (declaration->first == declaration->last)
      return validate_format_text("%s%s[%u]", file, dimension.text,
                                  declaration->first);
   return validate_format_text("%s%s[%u..%u]", file, dimension.text,
                               declaration->first, declaration->last);
}

static void
check_range(struct validation *validation,
            const struct tg_declaration *declaration)
{
   const struct tg_file_info *file = tg_file_row(declaration->file);

   if (declaration->first > declaration->last)
      validate_error(validation, declaration->position, "reversed-range",
                     "the first register stands before the last",
                     "%s has no register", declaration_text(declaration).text);
   if (!declaration->usage_mask)
      validate_error(validation, declaration->position, "empty-mask",
                     "a mask names at least one of xyzw",
                     "%s is declared without a channel",
                     declaration_text(declaration).text);
   if (declaration->has_dimension && !(file->access & TG_ACCESS_DIM))
      validate_error(validation, declaration->position, "bad-dimension",
                     "CONST, HWATOMIC and TEMPX have a second dimension, and "
                     "files with a vertex",
                     "%s has two dimensions",
                     declaration_text(declaration).text);
}

static unsigned
semantic_stages(const struct tg_declaration *declaration)
{
   const struct tg_semantic_info *semantic =
      tg_semantic_row(declaration->semantic);

   if (declaration->file == TG_FILE_IN)
      return semantic->in_stages;
   if (declaration->file == TG_FILE_OUT)
      return semantic->out_stages;
   return declaration->file == TG_FILE_SV ? semantic->sv_stages : 0;
}

/* Flat shading by semantic counts for BCOLOR of fragment shaders too. */
static enum tg_severity
misplaced_semantic(const struct tg_shader *shader,
                   const struct tg_declaration *declaration)
{
   return tg_dialect_row(shader->dialect)->color_semantic &&
                shader->processor == TG_PROCESSOR_FRAG &&
                declaration->file == TG_FILE_IN &&
                declaration->semantic == TG_SEMANTIC_BCOLOR
             ? TG_SEVERITY_WARNING
             : TG_SEVERITY_ERROR;
}

static void
check_semantic_stage(struct validation *validation,
                     const struct tg_declaration *declaration)
{
   const enum tg_processor processor = validation->shader->processor;
   const char *name = tg_semantic_row(declaration->semantic)->name;
   const unsigned stages = semantic_stages(declaration);

   if (!stages)
      validate_error(validation, declaration->position, "bad-semantic", NULL,
                     "%s cannot be the semantic of %s", name,
                     declaration_text(declaration).text);
   else if (!(stages & 1u << processor))
      validate_report(
         validation, misplaced_semantic(validation->shader, declaration),
         declaration->position, "bad-semantic",
         validate_format_text("there it stands in %s",
                              validate_stages_text(stages).text)
            .text,
         "%s cannot be the semantic of %s in %s", name,
         declaration_text(declaration).text, tg_processor_row(processor)->name);
}

/* A range counts its index up from that of the first register. */
static void
check_semantic_index(struct validation *validation,
                     const struct tg_declaration *declaration)
{
   const struct tg_semantic_info *info = tg_semantic_row(declaration->semantic);
   const int last =
      declaration->semantic_index + declaration->last - declaration->first;

   if (last > info->max_index)
      validate_error(
         validation, declaration->position, "bad-semantic",
         validate_format_text("the greatest index is %u", info->max_index).text,
         "%s has the semantic %s[%d]", declaration_text(declaration).text,
         info->name, last);
}

static void
check_semantic(struct validation *validation,
               const struct tg_declaration *declaration)
{
   if (declaration->has_semantic) {
      check_semantic_stage(validation, declaration);
      check_semantic_index(validation, declaration);
   } else if (declaration->file == TG_FILE_SV) {
      validate_error(validation, declaration->position, "missing-semantic",
                     "a system value is known by its semantic, as in "
                     "SV[0], VERTEXID",
                     "%s has no semantic", declaration_text(declaration).text);
   }
}

static void
check_target(struct validation *validation,
             const struct tg_declaration *declaration)
{
   const char *target = tg_target_row(declaration->target)->name;

   if (declaration->file == TG_FILE_SVIEW || declaration->file == TG_FILE_RES) {
      if (declaration->target == TG_TARGET_UNKNOWN)
         validate_error(validation, declaration->position, "bad-target",
                        "a view has the target of its texture, as in 2D",
                        "%s has the target UNKNOWN",
                        declaration_text(declaration).text);
   } else if (declaration->file == TG_FILE_IMAGE) {
      if (declaration->target == TG_TARGET_UNKNOWN ||
          tg_target_row(declaration->target)->flags & TG_TARGET_FLAG_SHADOW)
         validate_error(validation, declaration->position, "bad-target",
                        "images have no shadow targets", "%s has the target %s",
                        declaration_text(declaration).text, target);
      if (declaration->raw)
         validate_warning(validation, declaration->position, "raw-image",
                          "it is read by texels; BUFFER, and RES that is RAW, "
                          "by bytes",
                          "%s is RAW, which has no effect",
                          declaration_text(declaration).text);
   }
}

static void
check_stage(struct validation *validation,
            const struct tg_declaration *declaration)
{
   const enum tg_processor processor = validation->shader->processor;

   if (declaration->file == TG_FILE_MEMORY && processor != TG_PROCESSOR_COMP)
      validate_warning(validation, declaration->position, "bad-stage",
                       "compute programs have memory of their own", "%s in %s",
                       declaration_text(declaration).text,
                       tg_processor_row(processor)->name);
   for (int i = 0; i < 4; i++) {
      if (declaration->stream[i] > 3) {
         validate_error(validation, declaration->position, "bad-stream",
                        "streams are numbered 0 to 3", "%s goes to stream %u",
                        declaration_text(declaration).text,
                        declaration->stream[i]);
         return;
      }
   }
}

/* An interpolation mode, location or cylindrical wrap. */
static void
check_interpolation(struct validation *validation,
                    const struct tg_declaration *declaration)
{
   if ((validation->shader->processor == TG_PROCESSOR_FRAG &&
        declaration->file == TG_FILE_IN) ||
       !(declaration->has_interpolate || declaration->location ||
         declaration->cylindrical_wrap))
      return;
   validate_warning(validation, declaration->position, "not-interpolated",
                    "inputs of fragment shaders are interpolated",
                    "%s is declared with an interpolation",
                    declaration_text(declaration).text);
}

static void
check_declaration(struct validation *validation,
                  const struct tg_declaration *declaration)
{
   if (declaration->file == TG_FILE_NULL || declaration->file >= TG_NUM_FILES) {
      validate_error(validation, declaration->position, "bad-file", NULL,
                     "the file NULL has no registers to declare");
      return;
   }
   if (declaration->file == TG_FILE_IMM) {
      validate_error(validation, declaration->position, "bad-file",
                     "immediates are made by IMM statements",
                     "declaration of %s", declaration_text(declaration).text);
      return;
   }
   check_range(validation, declaration);
   check_semantic(validation, declaration);
   check_interpolation(validation, declaration);
   check_target(validation, declaration);
   check_stage(validation, declaration);
}

/* ---- declarations against each other ------------------------------------- */

/* Inputs and outputs may be declared in pieces, which agree on what a register
 * means. */
static bool
mean_the_same(const struct tg_declaration *a, const struct tg_declaration *b)
{
   if (a->file != TG_FILE_IN && a->file != TG_FILE_OUT)
      return false;
   return a->has_semantic == b->has_semantic && a->semantic == b->semantic &&
          a->semantic_index - a->first == b->semantic_index - b->first;
}

static void
check_overlap(struct validation *validation, uint32_t index)
{
   const struct tg_shader *shader = validation->shader;
   assert(index < shader->num_declarations);
   const struct tg_declaration *later = &shader->declarations[index];
   const struct tg_declaration *earlier =
      &shader->declarations[validation->declared.overlaps[index]];
   struct validate_text text = declaration_text(later);
   struct validate_text note = validate_format_text(
      "the other declaration is that of %s", declaration_text(earlier).text);

   if (later->file == TG_FILE_IMM)
      return;
   if (!mean_the_same(earlier, later))
      validate_error(validation, later->position, "redeclared-register",
                     note.text, "%s is declared more than once", text.text);
   else if (earlier->usage_mask & later->usage_mask)
      validate_warning(validation, later->position, "redeclared-register",
                       note.text, "%s is declared more than once", text.text);
}

/* An index that names an array means one declaration. */
static void
check_array_ids(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   bool is_taken[TG_NUM_FILES][TG_MAX_ARRAY_ID + 1] = {{false}};

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (!declaration->has_array || !declaration->array_id ||
          declaration->file >= TG_NUM_FILES)
         continue;
      bool *taken = &is_taken[declaration->file][declaration->array_id];
      if (*taken)
         validate_warning(validation, declaration->position, "redeclared-array",
                          "each array of a file has a number of its own",
                          "%s has the number of another array, %u",
                          declaration_text(declaration).text,
                          declaration->array_id);
      *taken = true;
   }
}

/* A register that is declared in pieces has the channels of all. */
static void
join_masks(struct validation *validation)
{
   const struct tg_declaration *declarations = validation->shader->declarations;

   for (uint32_t i = 0; i < validation->shader->num_declarations; i++) {
      const uint32_t earlier = validation->declared.overlaps[i];

      validation->masks[i] |= declarations[i].usage_mask;
      if (earlier == TG_NO_DECLARATION)
         continue;
      validation->masks[earlier] |= declarations[i].usage_mask;
      validation->masks[i] |= declarations[earlier].usage_mask;
   }
}

static int
compare_keys(const void *first, const void *second)
{
   const uint32_t *a = first;
   const uint32_t *b = second;

   return (*a > *b) - (*a < *b);
}

/* The keys by which operands look up ARRAY(n): file, then number. */
static bool
collect_arrays(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;

   validation->arrays =
      tg_arena_array(&validation->arena, shader->num_declarations,
                     sizeof(*validation->arrays));
   if (!validation->arrays)
      return false;
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->has_array)
         validation->arrays[validation->num_arrays++] =
            (uint32_t)declaration->file << 16 | declaration->array_id;
   }
   qsort(validation->arrays, validation->num_arrays,
         sizeof(*validation->arrays), compare_keys);
   return true;
}

void
validate_declarations(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;

   validation->is_used =
      tg_arena_array(&validation->arena, shader->num_declarations,
                     sizeof(*validation->is_used));
   validation->masks = tg_arena_array(
      &validation->arena, shader->num_declarations, sizeof(*validation->masks));
   if (!validation->is_used || !validation->masks ||
       !collect_arrays(validation) ||
       !tg_declared_init(&validation->declared, shader, &validation->arena)) {
      validation->result = TG_ERROR_MEMORY;
      return;
   }
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      check_declaration(validation, &shader->declarations[i]);
      if (validation->declared.overlaps[i] != TG_NO_DECLARATION)
         check_overlap(validation, i);
   }
   join_masks(validation);
   check_array_ids(validation);
}

/* The second piece of a register is used if the first is. */
void
validate_unused_declarations(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_NULL ||
          declaration->file == TG_FILE_IMM || declaration->file >= TG_NUM_FILES)
         continue;
      if (validation->is_used[i] ||
          validation->is_used_whole[declaration->file] ||
          validation->declared.overlaps[i] != TG_NO_DECLARATION)
         continue;
      validate_warning(validation, declaration->position, "unused-register",
                       NULL, "%s is never used",
                       declaration_text(declaration).text);
   }
}

/* ---- immediates ---------------------------------------------------------- */

void
validate_declared_immediates(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;

   for (uint32_t i = 0; i < shader->num_immediates; i++) {
      const struct tg_immediate *immediate = &shader->immediates[i];

      if (immediate->type >= TG_NUM_IMM_TYPES) {
         validate_error(validation, immediate->position, "bad-immediate", NULL,
                        "IMM[%u] has no known type", i);
         continue;
      }
      if (immediate->num_words % tg_imm_type_words(immediate->type))
         validate_error(validation, immediate->position, "bad-immediate",
                        "a value of 64 bits has two words",
                        "IMM[%u] of type %s has %u words", i,
                        tg_imm_type_names[immediate->type],
                        immediate->num_words);
   }
}
