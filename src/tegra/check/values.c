/* SPDX-License-Identifier: MIT
 *
 * Uninitialized reads and dead writes, component by component, and the rules on
 * that.
 *
 * Two data-flow analyses. Forward: what some way to an instruction has written.
 * Backward (liveness): what some way from it reads, where an operation whose
 * results nobody reads reads nothing either. The end of a program reads all
 * exports.
 */
#include "tegra/check/check.h"

#include <assert.h>

#include "util/length.h"

static void
join(struct tegra_places *places, const struct tegra_places *more)
{
   for (unsigned i = 0; i < TEGRA_NUM_PLACES; i++)
      places->mask[i] |= more->mask[i];
}

static void
remove_all(struct tegra_places *places, const struct tegra_places *removed)
{
   for (unsigned i = 0; i < TEGRA_NUM_PLACES; i++)
      places->mask[i] &= (uint8_t)~removed->mask[i];
}

static bool
is_same(const struct tegra_places *a, const struct tegra_places *b)
{
   unsigned difference = 0;

   for (unsigned i = 0; i < TEGRA_NUM_PLACES; i++)
      difference |= a->mask[i] ^ b->mask[i];
   return difference == 0;
}

/* ---- forwards ------------------------------------------------------------ */

/* Propagates to the successors of an instruction; true when that changed one.
 */
static bool
pass_on_written(struct tegra_check *check, const struct tegra_step *step)
{
   struct tegra_places written = tegra_step_writes(step);
   bool is_news = false;

   join(&written, &step->written);
   for (uint32_t i = 0; i < check->num_steps; i++) {
      if (!tegra_set_has(&step->successors, i))
         continue;
      struct tegra_places before = check->steps[i].written;
      join(&check->steps[i].written, &written);
      is_news |= !is_same(&before, &check->steps[i].written);
   }
   return is_news;
}

static void
find_written(struct tegra_check *check)
{
   for (bool is_news = true; is_news;) {
      is_news = false;
      for (uint32_t i = 0; i < check->num_steps; i++) {
         if (check->steps[i].is_reached)
            is_news |= pass_on_written(check, &check->steps[i]);
      }
   }
}

/* ---- backwards ----------------------------------------------------------- */

/* What it writes in any case, so that what was there before is lost. */
static struct tegra_places
overwrites(const struct tegra_step *step)
{
   static const struct tegra_places none;

   return step->writes == TEGRA_ALWAYS ? tegra_step_writes(step) : none;
}

/* The components of a slot's result that are used. */
static unsigned
needed_components(const struct tegra_step *step, const struct tegra_slot *slot)
{
   const union tegra_instruction *instruction = &step->instruction;
   const uint8_t *live = step->live.mask;
   unsigned needed = 0;

   if (step->writes == TEGRA_NEVER)
      return 0;
   if (tegra_step_slot_loads_address(slot))
      needed |= live[TEGRA_PLACE_ADDRESS];
   if (!slot->has_result)
      return needed & slot->mask;
   if (slot->destination < TG_TEGRA_NUM_TEMPORARIES)
      needed |= live[TEGRA_PLACE_TEMPORARY + slot->destination];
   if (slot->is_exported && instruction->export_rel)
      needed |= TEGRA_MASK_XYZW;
   else if (slot->is_exported &&
            instruction->export_index < TG_TEGRA_NUM_EXPORTS)
      needed |= live[TEGRA_PLACE_EXPORT + instruction->export_index];
   if (instruction->cs && instruction->cwr)
      needed |= live[TEGRA_PLACE_CONDITION + instruction->cr];
   return needed & slot->mask;
}

static struct tegra_places
live_before(const struct tegra_step *step)
{
   struct tegra_places live = step->live;
   struct tegra_places lost = overwrites(step);
   uint8_t needed[TEGRA_NUM_UNITS];

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++)
      needed[unit] = (uint8_t)needed_components(step, &step->slots[unit]);
   struct tegra_places reads = tegra_step_reads(step, needed);
   remove_all(&live, &lost);
   join(&live, &reads);
   return live;
}

/* Gathers from the successors of an instruction; true when that changed it. */
static bool
gather_live(const struct tegra_check *check, struct tegra_step *step)
{
   struct tegra_places before = step->live;

   if (step->instruction.end && step->jumps != TEGRA_ALWAYS) {
      for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++)
         step->live.mask[TEGRA_PLACE_EXPORT + i] = TEGRA_MASK_XYZW;
   }
   for (uint32_t i = 0; i < check->num_steps; i++) {
      if (!tegra_set_has(&step->successors, i))
         continue;
      struct tegra_places live = live_before(&check->steps[i]);
      join(&step->live, &live);
   }
   return !is_same(&before, &step->live);
}

static void
find_live(struct tegra_check *check)
{
   for (bool is_news = true; is_news;) {
      is_news = false;
      for (uint32_t i = check->num_steps; i-- > 0;) {
         if (check->steps[i].is_reached)
            is_news |= gather_live(check, &check->steps[i]);
      }
   }
}

void
tegra_check_values(struct tegra_check *check)
{
   find_written(check);
   find_live(check);
}

/* ---- rules --------------------------------------------------------------- */

/* A push of what was never written is not a use of it. */
static unsigned
address_used(const struct tegra_step *step)
{
   if (!tegra_step_has(step, TEGRA_EFFECT_PUSH))
      return TEGRA_MASK_XYZW;
   return tegra_step_is_relative(step) ? tegra_mask_bit(step->instruction.a_sel)
                                       : 0;
}

static void
check_reads(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   uint8_t needed[TEGRA_NUM_UNITS];

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      const struct tegra_slot *slot = &step->slots[unit];

      needed[unit] =
         step->writes != TEGRA_NEVER && tegra_step_slot_is_kept(step, slot)
            ? slot->mask
            : 0;
   }
   struct tegra_places reads = tegra_step_reads(step, needed);
   remove_all(&reads, &step->written);
   reads.mask[TEGRA_PLACE_ADDRESS] &= (uint8_t)address_used(step);
   for (unsigned i = 0; i < TEGRA_PLACE_CONDITION; i++) {
      struct tegra_text name = tegra_check_place_text(i, reads.mask[i]);

      if (reads.mask[i])
         tegra_check_report(check, number, TEGRA_FINDING_NEVER_WRITTEN,
                            "%s is read, and nothing has written it",
                            name.text);
   }
}

/* Complains unless some component of a place is read. */
static void
check_lost(struct tegra_check *check, uint32_t number, enum tegra_unit unit,
           unsigned place, unsigned mask)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   struct tegra_text slot = tegra_check_slot_text(step, unit);
   struct tegra_text name = tegra_check_place_text(place, mask);

   if (mask && !(step->live.mask[place] & mask))
      tegra_check_report(check, number, TEGRA_FINDING_NEVER_READ,
                         "%s writes %s, which nothing reads", slot.text,
                         name.text);
}

/* The components of its destination that a slot writes and the other does not
 * override. */
static unsigned
kept_components(const struct tegra_step *step, enum tegra_unit unit)
{
   const struct tegra_slot *vector = &step->slots[TEGRA_VECTOR];
   const struct tegra_slot *slot = &step->slots[unit];

   if (unit == TEGRA_SCALAR && vector->has_result &&
       vector->destination == slot->destination)
      return slot->mask & ~(unsigned)vector->mask;
   return slot->mask;
}

static void
check_slot(struct tegra_check *check, uint32_t number, enum tegra_unit unit)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   const union tegra_instruction *instruction = &step->instruction;
   assert(unit < TG_LENGTH(step->slots));
   const struct tegra_slot *slot = &step->slots[unit];

   if (tegra_step_slot_loads_address(slot))
      check_lost(check, number, unit, TEGRA_PLACE_ADDRESS, slot->mask);
   if (!slot->has_result)
      return;
   if (slot->destination < TG_TEGRA_NUM_TEMPORARIES)
      check_lost(check, number, unit, TEGRA_PLACE_TEMPORARY + slot->destination,
                 kept_components(step, unit));
   if (slot->is_exported && !instruction->export_rel &&
       instruction->export_index < TG_TEGRA_NUM_EXPORTS)
      check_lost(check, number, unit,
                 TEGRA_PLACE_EXPORT + instruction->export_index, slot->mask);
}

static void
check_conditions(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   unsigned place = TEGRA_PLACE_CONDITION + step->instruction.cr;
   unsigned mask = tegra_step_writes(step).mask[place];
   struct tegra_text name = tegra_check_place_text(place, mask);

   if (mask && !(step->live.mask[place] & mask))
      tegra_check_report(check, number, TEGRA_FINDING_NEVER_TESTED,
                         "%s is set, and no predicate looks at it", name.text);
}

/* Does some instruction write export[0], or one that is not known? */
static bool
has_position(const struct tegra_check *check)
{
   for (uint32_t i = 0; i < check->num_steps; i++) {
      const struct tegra_step *step = &check->steps[i];

      if (!step->is_reached)
         continue;
      if (tegra_step_writes(step).mask[TEGRA_PLACE_EXPORT] ||
          step->instruction.export_rel)
         return true;
   }
   return false;
}

void
tegra_check_values_of(struct tegra_check *check, uint32_t number)
{
   if (check->has_stray_flow)
      return;
   if (number == 0 && !has_position(check))
      tegra_check_report(check, number, TEGRA_FINDING_NO_POSITION,
                         "the program writes nothing to export[0]");
   check_reads(check, number);
   if (check->steps[number].writes == TEGRA_NEVER)
      return;
   check_slot(check, number, TEGRA_VECTOR);
   check_slot(check, number, TEGRA_SCALAR);
   check_conditions(check, number);
}
