/* SPDX-License-Identifier: MIT
 *
 * Modifiers: properties of an instruction to and from its fields.
 */
#include "maxwell/isa/modifiers.h"

#include <assert.h>

const struct maxwell_modifier maxwell_modifiers[MAXWELL_NUM_MODIFIERS] = {
#define MAXWELL_MODIFIER(name, property, value)                                \
   {name, MAXWELL_PROPERTY_##property, value},
#include "maxwell/isa/modifiers.def"
#include "util/length.h"
};

/* ---- which a form has ---------------------------------------------------- */

/* The fields that carry a property, any of which a form may have. */
static const uint8_t carriers[MAXWELL_NUM_PROPERTIES][2] = {
   [MAXWELL_PROPERTY_F16] = {MAXWELL_FIELD_f16, MAXWELL_FIELD_fp32},
   [MAXWELL_PROPERTY_COMP] = {MAXWELL_FIELD_comp, MAXWELL_FIELD_comp},
   [MAXWELL_PROPERTY_LOD] = {MAXWELL_FIELD_lod, MAXWELL_FIELD_ll},
   [MAXWELL_PROPERTY_LC] = {MAXWELL_FIELD_lc, MAXWELL_FIELD_lc},
   [MAXWELL_PROPERTY_CL] = {MAXWELL_FIELD_cl, MAXWELL_FIELD_cl},
   [MAXWELL_PROPERTY_OFFSET] = {MAXWELL_FIELD_offset, MAXWELL_FIELD_aoffi},
   [MAXWELL_PROPERTY_MS] = {MAXWELL_FIELD_ms, MAXWELL_FIELD_ms},
   [MAXWELL_PROPERTY_DC] = {MAXWELL_FIELD_dc, MAXWELL_FIELD_dc},
   [MAXWELL_PROPERTY_NDV] = {MAXWELL_FIELD_ndv, MAXWELL_FIELD_ndv},
   [MAXWELL_PROPERTY_NODEP] = {MAXWELL_FIELD_nodep, MAXWELL_FIELD_nodep},
};

static bool
has_carrier(enum maxwell_form form, enum maxwell_property property)
{
   assert(property < TG_LENGTH(carriers));
   return carriers[property][0] &&
          (maxwell_form_has(form, carriers[property][0]) ||
           maxwell_form_has(form, carriers[property][1]));
}

/* Rows decide about these where a form has a field for its row. */
static bool
is_of_row(enum maxwell_form form, enum maxwell_property property)
{
   return maxwell_form_has(form, MAXWELL_FIELD_row) &&
          (property == MAXWELL_PROPERTY_LOD ||
           property == MAXWELL_PROPERTY_OFFSET ||
           property == MAXWELL_PROPERTY_MS || property == MAXWELL_PROPERTY_DC);
}

/* Does a row of this form have the property? */
static bool
some_row_has(enum maxwell_form form, enum maxwell_property property)
{
   static const uint8_t extra[MAXWELL_NUM_PROPERTIES] = {
      [MAXWELL_PROPERTY_OFFSET] = MAXWELL_EXTRA_AOFFI,
      [MAXWELL_PROPERTY_MS] = MAXWELL_EXTRA_MS,
      [MAXWELL_PROPERTY_DC] = MAXWELL_EXTRA_DC,
   };

   for (unsigned i = 0; i < maxwell_num_rows; i++) {
      if (maxwell_rows[i].form == form &&
          (property == MAXWELL_PROPERTY_LOD ||
           (maxwell_rows[i].extra & extra[property])))
         return true;
   }
   return false;
}

bool
maxwell_may_have_modifier(enum maxwell_form form,
                          enum maxwell_property property)
{
   switch (property) {
   case MAXWELL_PROPERTY_T:
   case MAXWELL_PROPERTY_P: return true;
   case MAXWELL_PROPERTY_BINDLESS: return maxwell_forms[form].is_bindless;
   case MAXWELL_PROPERTY_QUERY:
      return form == MAXWELL_FORM_TMML || form == MAXWELL_FORM_TMML_B;
   default:
      return is_of_row(form, property) ? some_row_has(form, property)
                                       : has_carrier(form, property);
   }
}

/* ---- fields to properties ------------------------------------------------ */

/* The value of the first carrier that the form has. */
static unsigned
get_carried(const struct maxwell_instruction *instruction,
            enum maxwell_property property)
{
   assert(property < TG_LENGTH(carriers));
   unsigned first = carriers[property][0], second = carriers[property][1];

   return instruction
      ->field[maxwell_form_has(instruction->form, first) ? first : second];
}

static void
get_row(const struct maxwell_row *row, struct maxwell_properties *properties)
{
   uint8_t *value = properties->value;

   properties->dim = row->dim;
   value[MAXWELL_PROPERTY_LOD] = row->lod;
   value[MAXWELL_PROPERTY_OFFSET] = (row->extra & MAXWELL_EXTRA_AOFFI) != 0;
   value[MAXWELL_PROPERTY_MS] = (row->extra & MAXWELL_EXTRA_MS) != 0;
   value[MAXWELL_PROPERTY_DC] = (row->extra & MAXWELL_EXTRA_DC) != 0;
}

/* What fields that are not simply numbers mean. */
static unsigned
meaning_of(const struct maxwell_instruction *instruction,
           enum maxwell_property property)
{
   unsigned carried = get_carried(instruction, property);

   if (property == MAXWELL_PROPERTY_F16)
      return maxwell_isa_is_half(instruction);
   if (property == MAXWELL_PROPERTY_COMP)
      return carried + 1;
   if (property == MAXWELL_PROPERTY_LOD &&
       maxwell_form_has(instruction->form, MAXWELL_FIELD_ll))
      return carried ? MAXWELL_LOD_LL : MAXWELL_LOD_LZ;
   return carried;
}

/* Does a modifier stand for the value? */
static bool
is_spelt(enum maxwell_property property, unsigned value)
{
   for (unsigned i = 0; i < MAXWELL_NUM_MODIFIERS; i++) {
      if (maxwell_modifiers[i].property == property &&
          maxwell_modifiers[i].value == value)
         return true;
   }
   return value == 0;
}

bool
maxwell_get_modifiers(const struct maxwell_instruction *instruction,
                      uint32_t control,
                      struct maxwell_properties *properties_out)
{
   struct maxwell_properties properties = {.dim = (uint8_t)instruction->dim};
   enum maxwell_form form = instruction->form;
   union maxwell_control bits = maxwell_isa_decode_control(control);
   bool good = true;

   if (maxwell_forms[form].kind == MAXWELL_KIND_SCALAR) {
      const struct maxwell_row *row = maxwell_isa_find_row(instruction);
      if (!row)
         return false;
      get_row(row, &properties);
   }
   for (unsigned i = 0; i < MAXWELL_NUM_PROPERTIES; i++) {
      if (!is_of_row(form, i) && has_carrier(form, i))
         properties.value[i] = (uint8_t)meaning_of(instruction, i);
      good = good && is_spelt(i, properties.value[i]);
   }
   properties.value[MAXWELL_PROPERTY_BINDLESS] =
      maxwell_may_have_modifier(form, MAXWELL_PROPERTY_BINDLESS);
   properties.value[MAXWELL_PROPERTY_QUERY] =
      maxwell_may_have_modifier(form, MAXWELL_PROPERTY_QUERY);
   properties.value[MAXWELL_PROPERTY_T] = bits.t;
   properties.value[MAXWELL_PROPERTY_P] = bits.p;
   *properties_out = properties;
   return good;
}

/* ---- properties to fields ------------------------------------------------ */

static bool
set_row(struct maxwell_instruction *instruction,
        const struct maxwell_properties *properties)
{
   const uint8_t *value = properties->value;
   unsigned extra = MAXWELL_EXTRA_NONE;

   if (value[MAXWELL_PROPERTY_OFFSET] > 1)
      return false;
   extra |= value[MAXWELL_PROPERTY_OFFSET] ? MAXWELL_EXTRA_AOFFI : 0;
   extra |= value[MAXWELL_PROPERTY_MS] ? MAXWELL_EXTRA_MS : 0;
   extra |= value[MAXWELL_PROPERTY_DC] ? MAXWELL_EXTRA_DC : 0;

   const struct maxwell_row *row = maxwell_isa_row_for(
      instruction->form, properties->dim, value[MAXWELL_PROPERTY_LOD], extra);
   if (row)
      instruction->row = row->number;
   return row != NULL;
}

/* What the first carrier that the form has is to hold. False when it has no
 * room for that. */
static bool
set_carried(struct maxwell_instruction *instruction,
            enum maxwell_property property, unsigned value)
{
   enum maxwell_form form = instruction->form;
   unsigned field = carriers[property][0];

   if (!maxwell_form_has(form, field))
      field = carriers[property][1];
   if (property == MAXWELL_PROPERTY_COMP && value == 0)
      return false;

   if (field == MAXWELL_FIELD_fp32)
      value = !value;
   else if (property == MAXWELL_PROPERTY_COMP)
      value--;
   else if (field == MAXWELL_FIELD_ll && value != MAXWELL_LOD_LZ &&
            value != MAXWELL_LOD_LL)
      return false;
   else if (field == MAXWELL_FIELD_ll)
      value = value == MAXWELL_LOD_LL;
   instruction->field[field] = (uint16_t)value;
   return value >> maxwell_fields[form][field].width == 0;
}

bool
maxwell_set_modifiers(struct maxwell_instruction *instruction,
                      uint32_t *control,
                      const struct maxwell_properties *properties)
{
   enum maxwell_form form = instruction->form;
   union maxwell_control bits = maxwell_isa_decode_control(*control);

   if (maxwell_form_has(form, MAXWELL_FIELD_row) &&
       !set_row(instruction, properties))
      return false;
   for (unsigned i = 0; i < MAXWELL_NUM_PROPERTIES; i++) {
      if (!is_of_row(form, i) && has_carrier(form, i) &&
          !set_carried(instruction, i, properties->value[i]))
         return false;
   }
   if (maxwell_form_has(form, MAXWELL_FIELD_dim))
      instruction->dim = properties->dim;
   bits.t = properties->value[MAXWELL_PROPERTY_T];
   bits.p = properties->value[MAXWELL_PROPERTY_P];
   *control = maxwell_isa_encode_control(&bits);
   return true;
}
