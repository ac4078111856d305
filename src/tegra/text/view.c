/* SPDX-License-Identifier: MIT
 *
 * Which fields the text of an instruction gives explicitly, and which ones it
 * implies.
 */
#include "tegra/text/view.h"

#include <assert.h>
#include <string.h>

#include "util/length.h"

/* The text gives this field, its value being `value`. */
static void
give(struct tegra_view *view, unsigned field, unsigned value)
{
   assert(field < TG_LENGTH(view->given.field));
   view->explicit |= tegra_field_bit(field);
   view->given.field[field] = (uint16_t)value;
}

/* The text gives this field its own value. */
static void
give_own(struct tegra_view *view, unsigned field)
{
   assert(field < TG_LENGTH(view->is.field));
   give(view, field, view->is.field[field]);
}

static void
settle_destination(struct tegra_view *view, enum tegra_unit unit)
{
   assert(unit < TG_LENGTH(tegra_unit_fields));
   const struct tegra_unit_fields *fields = &tegra_unit_fields[unit];
   unsigned rd = view->is.field[fields->rd];

   if (view->slots[unit].is_address_op)
      rd = 0;
   else if (rd >= TG_TEGRA_NUM_TEMPORARIES)
      rd = TEGRA_NO_REGISTER;
   give(view, fields->rd, rd);
   give_own(view, fields->mask);
}

static void
settle_source(struct tegra_view *view, enum tegra_source source)
{
   assert(source < TG_LENGTH(tegra_source_fields));
   const struct tegra_source_fields *fields = &tegra_source_fields[source];
   enum tegra_file file = view->is.field[fields->type];
   unsigned index = view->is.field[fields->index];
   bool is_register =
      file == TEGRA_TEMPORARY && index < TG_TEGRA_NUM_TEMPORARIES;

   give_own(view, fields->type);
   give_own(view, fields->swz);
   give_own(view, fields->neg);
   give_own(view, fields->abs);
   give(view, fields->index, is_register ? index : 0);
   if (file == TEGRA_ATTRIBUTE) {
      give_own(view, TEGRA_FIELD_attr_index);
      give_own(view, TEGRA_FIELD_attr_rel);
   } else if (file == TEGRA_CONSTANT) {
      give_own(view, TEGRA_FIELD_const_index);
      give_own(view, TEGRA_FIELD_const_rel);
   }
   if (tegra_isa_get_source(&view->is, source).relative)
      give_own(view, TEGRA_FIELD_a_sel);
}

/* Is a source as it would be if it was not written? */
static bool
is_source_blank(const struct tegra_view *view, enum tegra_source source)
{
   struct tegra_operand operand = tegra_isa_get_source(&view->is, source);

   return operand.file == TEGRA_UNDEFINED && !operand.index &&
          operand.swizzle == TEGRA_IDENTITY && !operand.negate &&
          !operand.absolute;
}

/* What stands after an opcode that has no name: as much as there is. */
static void
settle_unnamed(struct tegra_view *view, enum tegra_unit unit)
{
   static const enum tegra_source all[] = {TEGRA_RA, TEGRA_RB, TEGRA_RC};
   struct tegra_view_slot *slot = &view->slots[unit];

   slot->has_destination = true;
   if (unit == TEGRA_VECTOR) {
      slot->num_sources = TEGRA_NUM_SOURCES;
      memcpy(slot->sources, all, sizeof(all));
   } else {
      slot->num_sources = 1;
      slot->sources[0] = TEGRA_RC;
   }
}

static void
settle_operands(struct tegra_view *view, enum tegra_unit unit)
{
   assert(unit < TG_LENGTH(tegra_unit_fields));
   unsigned opcode = view->is.field[tegra_unit_fields[unit].op];
   const struct tegra_opcode_info *info = &tegra_opcodes[unit][opcode];
   struct tegra_view_slot *slot = &view->slots[unit];

   if (info->name) {
      slot->has_target = info->operands == TEGRA_OPERANDS_TARGET;
      slot->has_destination = info->result != TEGRA_RESULT_NONE;
      slot->is_address_op = info->result == TEGRA_RESULT_ADDR;
      slot->num_sources = tegra_isa_sources(info, slot->sources);
   } else {
      settle_unnamed(view, unit);
   }
   if (tegra_source_may_be_implied(unit, opcode) &&
       is_source_blank(view, slot->sources[0]))
      slot->num_sources = 0;

   if (slot->has_destination)
      settle_destination(view, unit);
   for (unsigned i = 0; i < slot->num_sources; i++)
      settle_source(view, slot->sources[i]);
   if (slot->has_target)
      give_own(view, TEGRA_FIELD_rc_swz);
}

/* Slots that would be as they are if they were left out are left out. */
static void
settle_slots(struct tegra_view *view, enum tegra_style style)
{
   union tegra_instruction omitted = view->is;

   tegra_imply(style, 0, &omitted);
   for (int unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      const struct tegra_unit_fields *fields = &tegra_unit_fields[unit];

      view->slots[unit].is_shown =
         view->is.field[fields->op] ||
         view->is.field[fields->rd] != omitted.field[fields->rd];
   }
   if (!view->slots[TEGRA_SCALAR].is_shown)
      view->slots[TEGRA_VECTOR].is_shown = true;
   for (int unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      if (!view->slots[unit].is_shown)
         continue;
      give_own(view, tegra_unit_fields[unit].op);
      settle_operands(view, (enum tegra_unit)unit);
   }
}

static bool
has_export(const union tegra_instruction *instruction)
{
   if (instruction->export_index < TG_TEGRA_NUM_EXPORTS)
      return true;
   return instruction->export_index == TEGRA_NO_EXPORT &&
          !instruction->export_rel && instruction->export_vec;
}

static void
settle_options(struct tegra_view *view, enum tegra_style style)
{
   static const uint8_t flags[] = {
      TEGRA_FIELD_cs, TEGRA_FIELD_cwr, TEGRA_FIELD_cc,
      TEGRA_FIELD_cr, TEGRA_FIELD_sat, TEGRA_FIELD_bit120,
   };
   static const uint8_t conditions[] = {TEGRA_FIELD_p_lt, TEGRA_FIELD_p_eq,
                                        TEGRA_FIELD_p_gt};
   const union tegra_instruction *is = &view->is;
   bool is_always = is->p_lt && is->p_eq && is->p_gt;

   give_own(view, TEGRA_FIELD_end);
   give_own(view, TEGRA_FIELD_p_swz);
   for (size_t i = 0; i < sizeof(flags); i++)
      give_own(view, flags[i]);
   for (size_t i = 0; i < sizeof(conditions); i++) {
      if (is->field[conditions[i]] &&
          !(is_always && style == TEGRA_STYLE_NVIDIA))
         give_own(view, conditions[i]);
   }
   if (!has_export(is))
      return;
   give_own(view, TEGRA_FIELD_export_index);
   give_own(view, TEGRA_FIELD_export_rel);
   give_own(view, TEGRA_FIELD_export_vec);
   if (is->export_rel)
      give_own(view, TEGRA_FIELD_a_sel);
}

void
tegra_view(struct tegra_view *view, const uint32_t words[TG_TEGRA_WORDS],
           enum tegra_style style)
{
   *view = (struct tegra_view){.is = tegra_isa_decode(words)};
   settle_options(view, style);
   settle_slots(view, style);
   tegra_imply(style, view->explicit, &view->given);
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++) {
      if (view->given.field[i] != view->is.field[i])
         view->raw |= tegra_field_bit(i);
   }
}
