/* SPDX-License-Identifier: MIT
 *
 * Rules on the fields of one instruction, which its words alone decide, or what
 * has been written before it.
 */
#include "tegra/check/check.h"

#include <assert.h>

#include "util/length.h"

/* ---- registers ----------------------------------------------------------- */

static void
check_destinations(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      unsigned destination = step->slots[unit].destination;

      if (destination >= TG_TEGRA_NUM_TEMPORARIES &&
          destination != TEGRA_NO_REGISTER)
         tegra_check_report(check, number, TEGRA_FINDING_BAD_DESTINATION,
                            "the %s destination is r%u",
                            unit == TEGRA_VECTOR ? "vector" : "scalar",
                            destination);
   }
}

static void
check_source_registers(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const union tegra_instruction *instruction =
      &check->steps[number].instruction;

   for (unsigned i = 0; i < TEGRA_NUM_SOURCES; i++) {
      unsigned index = instruction->field[tegra_source_fields[i].index];

      if (index >= TG_TEGRA_NUM_TEMPORARIES)
         tegra_check_report(check, number, TEGRA_FINDING_BAD_SOURCE,
                            "the register of r%c is r%u", 'A' + (int)i, index);
   }
}

/* Is the component of A0 that indices are relative to certainly 0? */
static bool
is_address_zero(const struct tegra_step *step)
{
   unsigned selected = tegra_mask_bit(step->instruction.a_sel);

   return step->instruction.bit120 ||
          !(step->written.mask[TEGRA_PLACE_ADDRESS] & selected);
}

static void
check_export(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   const union tegra_instruction *instruction = &step->instruction;
   unsigned index = instruction->export_index;
   bool is_known = !instruction->export_rel || is_address_zero(step);

   if (is_known && index >= TG_TEGRA_NUM_EXPORTS && index != TEGRA_NO_EXPORT)
      tegra_check_report(check, number, TEGRA_FINDING_BAD_EXPORT,
                         "the export is %u", index);
   else if (instruction->export_rel && (!is_known || index == TEGRA_NO_EXPORT))
      tegra_check_report(
         check, number, TEGRA_FINDING_RELATIVE_EXPORT,
         "export[A0.%c + %u] aborts where A0.%c is %d to %d",
         "xyzw"[instruction->a_sel], index, "xyzw"[instruction->a_sel],
         TG_TEGRA_NUM_EXPORTS - (int)index, TEGRA_NO_EXPORT - 1 - (int)index);
}

static void
check_opcodes(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      if (step->slots[unit].info->effect == TEGRA_EFFECT_UNKNOWN)
         tegra_check_report(check, number, TEGRA_FINDING_UNKNOWN_OPCODE,
                            "the effect of %s is not known",
                            tegra_check_slot_text(step, unit).text);
   }
}

/* ---- sources that are used ----------------------------------------------- */

static void
check_source(struct tegra_check *check, uint32_t number, enum tegra_unit unit,
             enum tegra_source source)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   struct tegra_operand operand =
      tegra_isa_get_source(&step->instruction, source);
   struct tegra_text slot = tegra_check_slot_text(step, unit);
   bool is_known = !operand.relative || is_address_zero(step);

   if (operand.file == TEGRA_UNDEFINED)
      tegra_check_report(check, number, TEGRA_FINDING_UNDEFINED_SOURCE,
                         "%s reads r%c, which has type 0", slot.text,
                         'A' + (int)source);
   if (operand.file == TEGRA_CONSTANT && is_known &&
       operand.index >= TG_TEGRA_NUM_CONSTANTS)
      tegra_check_report(check, number, TEGRA_FINDING_CONSTANT_RANGE,
                         "%s reads c[%u]", slot.text, operand.index);
}

static void
check_sources(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      const struct tegra_slot *slot = &step->slots[unit];
      enum tegra_source sources[TEGRA_NUM_SOURCES];
      unsigned count = tegra_isa_sources(slot->info, sources);

      for (unsigned i = 0; i < count; i++) {
         if (tegra_isa_components_read(slot->info, slot->mask))
            check_source(check, number, unit, sources[i]);
      }
   }
}

static void
check_shared_target(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   enum tegra_source sources[TEGRA_NUM_SOURCES];
   unsigned count = tegra_isa_sources(step->slots[TEGRA_VECTOR].info, sources);

   if (step->slots[TEGRA_SCALAR].info->operands != TEGRA_OPERANDS_TARGET)
      return;
   for (unsigned i = 0; i < count; i++) {
      if (sources[i] == TEGRA_RC)
         tegra_check_report(check, number, TEGRA_FINDING_SHARED_TARGET,
                            "the target of %s is the swizzle of rC, which %s "
                            "reads",
                            tegra_check_slot_text(step, TEGRA_SCALAR).text,
                            tegra_check_slot_text(step, TEGRA_VECTOR).text);
   }
}

/* ---- results ------------------------------------------------------------- */

static void
check_slot_result(struct tegra_check *check, uint32_t number,
                  enum tegra_unit unit)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   assert(unit < TG_LENGTH(step->slots));
   const struct tegra_slot *slot = &step->slots[unit];
   struct tegra_text name = tegra_check_slot_text(step, unit);
   bool has_destination = slot->destination != TEGRA_NO_REGISTER;
   bool loads_address = slot->info->result == TEGRA_RESULT_ADDR;

   if ((slot->has_result || loads_address) && !slot->mask)
      tegra_check_report(check, number, TEGRA_FINDING_EMPTY_MASK,
                         "%s has an empty mask and writes nothing", name.text);
   else if (slot->has_result && !tegra_step_slot_is_kept(step, slot))
      tegra_check_report(check, number, TEGRA_FINDING_NO_DESTINATION,
                         "the result of %s goes nowhere", name.text);
   if (!slot->has_result && !loads_address && has_destination && slot->mask)
      tegra_check_report(check, number, TEGRA_FINDING_NO_RESULT,
                         "%s has no result for r%u", name.text,
                         slot->destination);
   if (!slot->has_result && slot->is_exported)
      tegra_check_report(check, number, TEGRA_FINDING_NO_RESULT,
                         "%s has no result to export", name.text);
}

static void
check_override(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   const struct tegra_slot *vector = &step->slots[TEGRA_VECTOR];
   const struct tegra_slot *scalar = &step->slots[TEGRA_SCALAR];
   unsigned both = vector->mask & scalar->mask;

   if (!both || !vector->has_result || !scalar->has_result)
      return;
   if (vector->destination == scalar->destination &&
       vector->destination < TG_TEGRA_NUM_TEMPORARIES)
      tegra_check_report(check, number, TEGRA_FINDING_OVERRIDDEN,
                         "both operations write %s",
                         tegra_check_place_text(
                            TEGRA_PLACE_TEMPORARY + vector->destination, both)
                            .text);
   if (step->instruction.cs && step->instruction.cwr)
      tegra_check_report(check, number, TEGRA_FINDING_OVERRIDDEN,
                         "both operations set %s",
                         tegra_check_place_text(
                            TEGRA_PLACE_CONDITION + step->instruction.cr, both)
                            .text);
}

/* ---- A0 and odd bits ----------------------------------------------------- */

static void
check_address(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   const struct tegra_slot *slot = &step->slots[TEGRA_VECTOR];
   bool pushes = tegra_step_has(step, TEGRA_EFFECT_PUSH);
   bool pops = tegra_step_has(step, TEGRA_EFFECT_POP) && !pushes;
   bool loads = tegra_step_slot_loads_address(slot);

   if (slot->info->result == TEGRA_RESULT_ADDR && !loads)
      tegra_check_report(check, number, TEGRA_FINDING_ODD_ADDRESS,
                         "the destination of %s is r%u, which is odd: A0 is "
                         "not updated",
                         tegra_check_slot_text(step, TEGRA_VECTOR).text,
                         slot->destination);
   if ((loads || pops) &&
       (tegra_step_is_relative(step) || (loads && pushes) || (loads && pops)))
      tegra_check_report(check, number, TEGRA_FINDING_ADDRESS_BESIDE_USE,
                         "A0 is written beside a use of it");
}

static void
check_bits(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const union tegra_instruction *instruction =
      &check->steps[number].instruction;

   if (instruction->bit120)
      tegra_check_report(check, number, TEGRA_FINDING_BIT_120,
                         "bit 120 makes A0 read as 0");
   if (instruction->unused)
      tegra_check_report(check, number, TEGRA_FINDING_UNUSED_BIT,
                         "bit 127 is set");
}

void
tegra_check_fields_of(struct tegra_check *check, uint32_t number)
{
   check_destinations(check, number);
   check_source_registers(check, number);
   check_export(check, number);
   check_opcodes(check, number);
   check_sources(check, number);
   check_shared_target(check, number);
   check_slot_result(check, number, TEGRA_VECTOR);
   check_slot_result(check, number, TEGRA_SCALAR);
   check_override(check, number);
   check_address(check, number);
   check_bits(check, number);
}
