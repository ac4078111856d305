/* SPDX-License-Identifier: MIT
 *
 * Diagnostics of statements whose modifiers and target have no encoding: what
 * they ask for, and what there is.
 */
#include <assert.h>

#include "maxwell/text/assemble.h"
#include "util/length.h"
#include "util/strbuf.h"

/* "TEXS.LZ.DC": the properties that rows have. */
static void
add_name(struct tg_strbuf *out, enum maxwell_form form,
         const struct maxwell_properties *properties)
{
   assert(form < TG_LENGTH(maxwell_forms));
   static const uint8_t of_rows[] = {
      MAXWELL_PROPERTY_LOD,
      MAXWELL_PROPERTY_OFFSET,
      MAXWELL_PROPERTY_MS,
      MAXWELL_PROPERTY_DC,
   };

   tg_strbuf_add(out, maxwell_forms[form].name);
   for (unsigned i = 0; i < MAXWELL_NUM_MODIFIERS; i++) {
      const struct maxwell_modifier *modifier = &maxwell_modifiers[i];

      for (unsigned j = 0; j < sizeof(of_rows); j++) {
         if (modifier->property == of_rows[j] &&
             properties->value[modifier->property] == modifier->value)
            tg_strbuf_printf(out, ".%s", modifier->name);
      }
   }
}

/* Ends an item of a list of which `num_left` are to come. */
static void
add_comma(struct tg_strbuf *out, unsigned num_left)
{
   if (num_left)
      tg_strbuf_add(out, num_left == 1 ? " and " : ", ");
}

/* How many rows of the form have the target. */
static unsigned
rows_of(enum maxwell_form form, unsigned dim)
{
   unsigned count = 0;

   for (unsigned i = 0; i < maxwell_num_rows; i++)
      count += maxwell_rows[i].form == form && maxwell_rows[i].dim == dim;
   return count;
}

static void
add_rows(struct tg_strbuf *out, enum maxwell_form form, unsigned dim)
{
   unsigned num_left = rows_of(form, dim);

   tg_strbuf_printf(out, "of %s there %s ", maxwell_dims[dim].name,
                    num_left == 1 ? "is" : "are");
   for (unsigned i = 0; i < maxwell_num_rows; i++) {
      const struct maxwell_row *row = &maxwell_rows[i];
      struct maxwell_instruction instruction = {
         .form = (uint8_t)form, .row = row->number, .rd1 = MAXWELL_RZ};
      struct maxwell_properties properties;

      if (row->form != form || row->dim != dim)
         continue;
      maxwell_get_modifiers(&instruction, 0, &properties);
      add_name(out, form, &properties);
      add_comma(out, --num_left);
   }
}

static void
add_targets(struct tg_strbuf *out, enum maxwell_form form)
{
   assert(form < TG_LENGTH(maxwell_forms));
   unsigned num_left = 0;

   for (unsigned i = 0; i < MAXWELL_NUM_DIMS; i++)
      num_left += rows_of(form, i) != 0;
   tg_strbuf_printf(out, "%s has the targets ", maxwell_forms[form].name);
   for (unsigned i = 0; i < MAXWELL_NUM_DIMS; i++) {
      if (!rows_of(form, i))
         continue;
      tg_strbuf_add(out, maxwell_dims[i].name);
      add_comma(out, --num_left);
   }
}

/* A combination that has no row. */
static bool
refuse_row(struct maxwell_assembler *assembler,
           const struct maxwell_statement *statement)
{
   const struct maxwell_properties *properties = &statement->properties;
   enum maxwell_form form = statement->instruction.form;
   const struct tg_allocator *allocator = assembler->program->arena.allocator;
   struct tg_strbuf name = {.allocator = allocator};
   struct tg_strbuf note = {.allocator = allocator};

   add_name(&name, form, properties);
   if (rows_of(form, properties->dim))
      add_rows(&note, form, properties->dim);
   else
      add_targets(&note, form);
   tg_strbuf_printf(&note, "; %s has more",
                    form == MAXWELL_FORM_TLDS ? "TLD" : "TEX");
   char *name_text = tg_strbuf_take(&name), *note_text = tg_strbuf_take(&note);
   maxwell_assemble_error(assembler, statement->position, "no-row", note_text,
                          "%s of %s has no encoding",
                          name_text ? name_text : "this",
                          maxwell_dims[properties->dim].name);
   tg_string_free(note_text);
   tg_string_free(name_text);
   return false;
}

bool
maxwell_refuse_modifiers(struct maxwell_assembler *assembler,
                         const struct maxwell_statement *statement)
{
   const uint8_t *value = statement->properties.value;
   enum maxwell_form form = statement->instruction.form;
   const char *name = maxwell_forms[form].name;

   if (maxwell_form_has(form, MAXWELL_FIELD_row))
      return refuse_row(assembler, statement);
   if (maxwell_form_has(form, MAXWELL_FIELD_comp) &&
       !value[MAXWELL_PROPERTY_COMP])
      return maxwell_assemble_error(
         assembler, statement->position, "modifier", "it is .R, .G, .B or .A",
         "%s needs the component that it gathers", name);
   if (maxwell_form_has(form, MAXWELL_FIELD_ll))
      return maxwell_assemble_error(assembler, statement->position, "modifier",
                                    "it is .LZ or .LL", "%s needs a level",
                                    name);
   return maxwell_assemble_error(
      assembler, statement->position, "modifier", "TLD4 has .PTP",
      "%s has one offset for all texels, .AOFFI", name);
}
