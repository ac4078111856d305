/* SPDX-License-Identifier: MIT
 *
 * Abstract interpretation of the condition registers: what is known of them,
 * what predicates make of it, and the rules on both.
 *
 * Of each component it is known which states it may have. Where only some are
 * possible, as in a program that has set none yet, it may be certain that a
 * predicate holds, or that it does not.
 */
#include "tegra/check/check.h"

#include <assert.h>

/* ---- states -------------------------------------------------------------- */

/* States of a component of a condition register; or-ed, a set of them. Those of
 * all components are 4 bits each, CR0.x lowest. */
enum {
   LESS = 1,
   EQUAL = 2,
   GREATER = 4,
   UNORDERED = 8,
   ANY_STATE = 15,
};

static unsigned
condition_shift(const union tegra_instruction *instruction, unsigned component)
{
   return 4 * (4 * instruction->cr + component);
}

static unsigned
accepted_states(const union tegra_instruction *instruction)
{
   unsigned states = 0;

   states |= instruction->p_lt ? LESS : 0;
   states |= instruction->p_eq ? EQUAL : 0;
   states |= instruction->p_gt ? GREATER : 0;
   if (instruction->p_lt && instruction->p_gt)
      states |= UNORDERED;
   return states;
}

/* That the predicate holds for a component. */
static enum tegra_likelihood
component_holds(const struct tegra_step *step, unsigned component)
{
   const union tegra_instruction *instruction = &step->instruction;
   unsigned tested = tegra_swizzle_get(instruction->p_swz, component);
   unsigned states =
      step->conditions >> condition_shift(instruction, tested) & ANY_STATE;
   unsigned accepted = accepted_states(instruction);

   if (!(states & accepted))
      return TEGRA_NEVER;
   return states & ~accepted ? TEGRA_SOMETIMES : TEGRA_ALWAYS;
}

/* A jump is made when the predicate holds for any component. */
enum tegra_likelihood
tegra_predicate_jumps(const struct tegra_step *step)
{
   enum tegra_likelihood most = TEGRA_NEVER;

   if (!tegra_step_is_jump(step))
      return TEGRA_NEVER;
   for (unsigned i = 0; i < 4; i++) {
      enum tegra_likelihood holds = component_holds(step, i);

      most = holds > most ? holds : most;
   }
   return most;
}

static unsigned
written_components(const struct tegra_step *step)
{
   unsigned mask = 0;

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      const struct tegra_slot *slot = &step->slots[unit];

      if (slot->info->result != TEGRA_RESULT_NONE)
         mask |= slot->mask;
   }
   return mask;
}

/* That a component is written, if there is a result for it. */
static enum tegra_likelihood
component_is_written(const struct tegra_step *step, unsigned component)
{
   return step->instruction.cc ? component_holds(step, component)
                               : TEGRA_ALWAYS;
}

enum tegra_likelihood
tegra_predicate_may_write(const struct tegra_step *step)
{
   unsigned mask = written_components(step);
   unsigned seen = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(mask, i))
         seen |= 1u << component_is_written(step, i);
   }
   if (seen == 1u << TEGRA_NEVER)
      return TEGRA_NEVER;
   return seen & ~(1u << TEGRA_ALWAYS) ? TEGRA_SOMETIMES : TEGRA_ALWAYS;
}

/* The components of which a unit gives a result. */
static unsigned
result_components(const struct tegra_step *step)
{
   unsigned mask = 0;

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      if (step->slots[unit].has_result)
         mask |= step->slots[unit].mask;
   }
   return mask;
}

uint32_t
tegra_predicate_conditions(const struct tegra_step *step)
{
   const union tegra_instruction *instruction = &step->instruction;
   uint32_t conditions = step->conditions;
   unsigned results = instruction->sat ? EQUAL | GREATER : ANY_STATE;
   unsigned mask = result_components(step);

   if (!instruction->cs || !instruction->cwr)
      return conditions;
   for (unsigned i = 0; i < 4; i++) {
      unsigned shift = condition_shift(instruction, i);

      if (!tegra_mask_has(mask, i) ||
          component_is_written(step, i) == TEGRA_NEVER)
         continue;
      if (component_is_written(step, i) == TEGRA_ALWAYS)
         conditions &= ~((uint32_t)ANY_STATE << shift);
      conditions |= (uint32_t)results << shift;
   }
   return conditions;
}

/* ---- rules --------------------------------------------------------------- */

/* The components that a predicate looks at: "CR0.x". */
static struct tegra_text
tested_text(const struct tegra_step *step)
{
   const union tegra_instruction *instruction = &step->instruction;
   unsigned wanted =
      tegra_step_is_jump(step) ? TEGRA_MASK_XYZW : written_components(step);
   unsigned mask = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(wanted, i))
         mask |= tegra_mask_bit(tegra_swizzle_get(instruction->p_swz, i));
   }
   return tegra_check_place_text(TEGRA_PLACE_CONDITION + instruction->cr, mask);
}

static bool
is_of_one_component(unsigned swizzle)
{
   unsigned x = tegra_swizzle_get(swizzle, 0);

   return swizzle == tegra_swizzle(x, x, x, x);
}

static void
check_jump(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   struct tegra_text name = tegra_check_slot_text(step, TEGRA_SCALAR);
   struct tegra_text tested = tested_text(step);

   if (!accepted_states(&step->instruction))
      tegra_check_report(check, number, TEGRA_FINDING_NEVER_TAKEN,
                         "%s has no predicate bit, so it is never taken",
                         name.text);
   else if (step->jumps == TEGRA_NEVER)
      tegra_check_report(check, number, TEGRA_FINDING_NEVER_HOLDS,
                         "%s is never taken, for %s cannot be what it asks for",
                         name.text, tested.text);
   else if (step->jumps == TEGRA_SOMETIMES &&
            !is_of_one_component(step->instruction.p_swz))
      tegra_check_report(check, number, TEGRA_FINDING_MIXED_CONDITION,
                         "%s tests %s", name.text, tested.text);
}

static void
check_gate(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   struct tegra_text tested = tested_text(step);

   if (!written_components(step) || step->writes != TEGRA_NEVER)
      return;
   if (!accepted_states(&step->instruction))
      tegra_check_report(check, number, TEGRA_FINDING_NEVER_WRITES,
                         "cc without a predicate bit: nothing is written");
   else if (!tegra_step_is_jump(step))
      tegra_check_report(
         check, number, TEGRA_FINDING_NEVER_HOLDS,
         "nothing is written, for %s cannot be what cc asks for", tested.text);
}

static void
check_setting(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   const union tegra_instruction *instruction = &step->instruction;

   if (instruction->cs != instruction->cwr)
      tegra_check_report(check, number, TEGRA_FINDING_HALF_SET,
                         "%s without %s sets no conditions",
                         instruction->cs ? "cs" : "cwr",
                         instruction->cs ? "cwr" : "cs");
   else if (instruction->cs && !result_components(step))
      tegra_check_report(check, number, TEGRA_FINDING_SETS_NOTHING,
                         "no result sets the conditions of CR%u",
                         instruction->cr);
}

void
tegra_check_predicate_of(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   unsigned accepted = accepted_states(&step->instruction);

   if (tegra_step_is_jump(step))
      check_jump(check, number);
   else if (!step->instruction.cc && accepted && accepted != ANY_STATE)
      tegra_check_report(check, number, TEGRA_FINDING_UNUSED_PREDICATE,
                         "predicate bits without cc decide nothing");
   if (step->instruction.cc)
      check_gate(check, number);
   check_setting(check, number);
}
