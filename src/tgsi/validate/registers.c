/* SPDX-License-Identifier: MIT
 *
 * Rules about registers: that one is declared, in one or two dimensions as its
 * declaration says, and that what indexes it is declared too.
 */
#include "tgsi/validate/validate.h"

/* ---- one bracket --------------------------------------------------------- */

static void
mark_used(struct validation *validation,
          const struct tg_declaration *declaration)
{
   validation->is_used[declaration - validation->shader->declarations] = true;
}

static bool
is_immediate(const struct validation *validation, unsigned file, int32_t index)
{
   return file == TG_FILE_IMM && index >= 0 &&
          (uint32_t)index < validation->shader->num_immediates;
}

/* The register that an index is read from: any that holds a value. */
static void
check_address(struct validation *validation, const struct tg_index *index)
{
   const struct tg_position position = validation->instruction->position;
   const char channel = "xyzw"[index->component & 3];

   if (index->file >= TG_NUM_FILES ||
       !(validation->value_files & 1u << index->file)) {
      validate_error(validation, position, "bad-index",
                     "indices are read from ADDR, or from another file of "
                     "values",
                     "%s[%d].%c cannot be an index",
                     index->file < TG_NUM_FILES ? tg_file_row(index->file)->name
                                                : "?",
                     index->index, channel);
      return;
   }
   if (is_immediate(validation, index->file, index->index))
      return;

   const char *name = tg_file_row(index->file)->name;
   const struct tg_declaration *declaration = tg_declared_find(
      &validation->declared, validation->shader, index->file, 0, index->index);
   if (!declaration) {
      validate_error(validation, position, "undeclared-register",
                     "it is used as an index", "%s[%d] is not declared", name,
                     index->index);
      return;
   }
   mark_used(validation, declaration);
   if (!(declaration->usage_mask & 1u << index->component))
      validate_error(
         validation, position, "undeclared-register", "it is used as an index",
         "channel %c of %s[%d] is not declared", channel, name, index->index);
}

static void
check_index(struct validation *validation, const struct tg_register *reg,
            const struct tg_index *index)
{
   if (!index->indirect)
      return;
   check_address(validation, index);

   const uint32_t key = (uint32_t)reg->file << 16 | index->array_id;
   if (!index->array_id)
      return;
   for (uint32_t low = 0, high = validation->num_arrays; low < high;) {
      uint32_t middle = low + (high - low) / 2;

      if (validation->arrays[middle] == key)
         return;
      if (validation->arrays[middle] < key)
         low = middle + 1;
      else
         high = middle;
   }
   validate_error(validation, validation->instruction->position, "bad-array",
                  validate_format_text("no declaration of %s has ARRAY(%u)",
                                       tg_file_row(reg->file)->name,
                                       index->array_id)
                     .text,
                  "%s is in an array that is not declared",
                  validate_register_text(reg).text);
}

/* ---- the register -------------------------------------------------------- */

const struct tg_declaration *
validate_find_register(const struct validation *validation,
                       const struct tg_register *reg)
{
   const bool per_vertex =
      tg_shader_file_is_per_vertex(validation->shader->processor, reg->file);
   uint32_t dimension = 0;

   if (reg->file >= TG_NUM_FILES || reg->index.indirect)
      return NULL;
   if (reg->has_dimension && !per_vertex &&
       tg_file_row(reg->file)->access & TG_ACCESS_DIM) {
      if (reg->dimension.indirect || reg->dimension.offset < 0)
         return NULL;
      dimension = (uint32_t)reg->dimension.offset;
   }
   return tg_declared_find(&validation->declared, validation->shader, reg->file,
                           dimension, reg->index.offset);
}

static void
check_vertex(struct validation *validation, const struct tg_register *reg,
             const struct tg_declaration *declaration)
{
   const struct tg_position position = validation->instruction->position;
   const uint32_t limit = validation->num_vertices[reg->file];

   if (reg->has_dimension) {
      if (!reg->dimension.indirect &&
          (reg->dimension.offset < 0 ||
           (uint32_t)reg->dimension.offset >= limit))
         validate_error(
            validation, position, "bad-dimension",
            validate_format_text("there are %u vertices", limit).text,
            "%s is of a vertex that there is not",
            validate_register_text(reg).text);
   } else if (declaration->semantic == TG_SEMANTIC_PRIM_ID) {
      return; /* it is the same for all vertices */
   } else if (reg->file == TG_FILE_OUT) {
      validate_warning(validation, position, "bad-dimension",
                       "that of the invocation is taken",
                       "%s does not say of which vertex",
                       validate_register_text(reg).text);
   } else {
      validate_error(validation, position, "bad-dimension",
                     "the first bracket is the vertex, as in IN[0][1]",
                     "%s does not say of which vertex",
                     validate_register_text(reg).text);
   }
}

static void
check_dimension(struct validation *validation, const struct tg_register *reg,
                const struct tg_declaration *declaration)
{
   const struct tg_position position = validation->instruction->position;

   if (tg_shader_declaration_is_per_vertex(validation->shader->processor,
                                           declaration)) {
      check_vertex(validation, reg, declaration);
      return;
   }
   if (!reg->has_dimension || tg_file_row(reg->file)->access & TG_ACCESS_DIM)
      return;

   struct validate_text text = validate_register_text(reg);
   if (reg->dimension.indirect) /* some generators write that */
      validate_warning(validation, position, "bad-dimension",
                       "the first bracket has no effect",
                       "%s has two dimensions", text.text);
   else
      validate_error(validation, position, "bad-dimension",
                     "it is declared with one", "%s has two dimensions",
                     text.text);
}

static void
report_undeclared(struct validation *validation, const struct tg_register *reg)
{
   const uint32_t count = validation->shader->num_immediates;
   struct validate_text note;

   if (reg->file != TG_FILE_IMM)
      note = validate_format_text("it needs a DCL %s",
                                  tg_file_row(reg->file)->name);
   else if (count == 0)
      note = validate_format_text("the shader has no immediates");
   else
      note = validate_format_text("the last immediate is IMM[%u]", count - 1);
   validate_error(validation, validation->instruction->position,
                  "undeclared-register", note.text, "%s is not declared",
                  validate_register_text(reg).text);
}

/* With an index that is known when the shader runs, some register of the file
 * must be declared: which one is read is bounded then. */
static bool
is_any_declared(const struct validation *validation,
                const struct tg_register *reg)
{
   const struct tg_declared *declared = &validation->declared;

   if (reg->file == TG_FILE_IMM)
      return validation->shader->num_immediates > 0;
   if (reg->file == TG_FILE_CONSTBUF)
      return tg_declared_has_file(declared, TG_FILE_CONSTBUF) ||
             tg_declared_has_file(declared, TG_FILE_CONST);
   if (!reg->has_dimension || reg->dimension.indirect ||
       tg_shader_file_is_per_vertex(validation->shader->processor, reg->file))
      return tg_declared_has_file(declared, reg->file);
   return reg->dimension.offset >= 0 &&
          tg_declared_has_dimension(declared, reg->file,
                                    (uint32_t)reg->dimension.offset);
}

/* CONST[ADDR[0].x][3]. The vertices of an operand all have the register. */
static bool
is_dimension_unknown(const struct validation *validation,
                     const struct tg_register *reg)
{
   return reg->has_dimension && reg->dimension.indirect &&
          tg_file_row(reg->file)->access & TG_ACCESS_DIM &&
          !tg_shader_file_is_per_vertex(validation->shader->processor,
                                        reg->file);
}

/* TEMPX[ADDR[0].x][3]: the first bracket is the name of an array. */
static void
check_array_number(struct validation *validation, const struct tg_register *reg)
{
   if (reg->file == TG_FILE_TEMPX && reg->has_dimension &&
       reg->dimension.indirect)
      validate_error(validation, validation->instruction->position,
                     "bad-dimension", "the first bracket is a number",
                     "%s is of an array that is not known",
                     validate_register_text(reg).text);
}

/* All of MEMORY is one block, whatever its number. */
static bool
is_other_memory(struct validation *validation, const struct tg_register *reg)
{
   if (reg->file != TG_FILE_MEMORY ||
       !tg_declared_has_file(&validation->declared, TG_FILE_MEMORY))
      return false;
   validation->is_used_whole[TG_FILE_MEMORY] = true;
   validate_warning(validation, validation->instruction->position,
                    "other-memory", "the declared MEMORY is taken",
                    "%s is not declared", validate_register_text(reg).text);
   return true;
}

/* A constant buffer as an object is declared where its registers are. */
static bool
is_constant_buffer(struct validation *validation, const struct tg_register *reg)
{
   if (reg->file != TG_FILE_CONSTBUF || reg->index.offset < 0 ||
       !tg_declared_has_dimension(&validation->declared, TG_FILE_CONST,
                                  (uint32_t)reg->index.offset))
      return false;
   validation->is_used_whole[TG_FILE_CONST] = true;
   return true;
}

/* An index that is computed belongs to an array, but for TEMP, CONST and IMM,
 * where it may be any register of the file. Earlier dialects, and files that
 * only these have, have no arrays. */
static void
check_array(struct validation *validation, const struct tg_register *reg)
{
   if (!reg->index.indirect || reg->index.array_id ||
       reg->file == TG_FILE_TEMP || reg->file == TG_FILE_CONST ||
       reg->file == TG_FILE_IMM ||
       tg_file_row(reg->file)->access & TG_ACCESS_OLD ||
       tg_dialect_row(validation->shader->dialect)->any_register)
      return;
   validate_warning(
      validation, validation->instruction->position, "missing-array",
      "an ARRAY(1) of the declaration and a (1) after the "
      "brackets say which registers are meant",
      "%s may be any register of %s", validate_register_text(reg).text,
      tg_file_row(reg->file)->name);
}

void
validate_register(struct validation *validation, const struct tg_register *reg)
{
   if (reg->has_dimension)
      check_index(validation, reg, &reg->dimension);
   check_index(validation, reg, &reg->index);
   check_array_number(validation, reg);

   if (validate_is_kernel_memory(reg))
      return;
   if (reg->index.indirect || is_dimension_unknown(validation, reg)) {
      if (is_any_declared(validation, reg)) {
         check_array(validation, reg);
         validation->is_used_whole[reg->file] = true;
         if (reg->file == TG_FILE_CONSTBUF)
            validation->is_used_whole[TG_FILE_CONST] = true;
      } else
         report_undeclared(validation, reg);
      return;
   }
   if (is_immediate(validation, reg->file, reg->index.offset)) {
      if (reg->has_dimension)
         validate_error(validation, validation->instruction->position,
                        "bad-dimension", "immediates have one",
                        "%s has two dimensions",
                        validate_register_text(reg).text);
      return;
   }

   const struct tg_declaration *declaration =
      validate_find_register(validation, reg);
   if (!declaration) {
      if (!is_other_memory(validation, reg) &&
          !is_constant_buffer(validation, reg))
         report_undeclared(validation, reg);
      return;
   }
   mark_used(validation, declaration);
   check_dimension(validation, reg, declaration);
}
