/* SPDX-License-Identifier: MIT
 *
 * Abstract interpretation of the stack: what may be on it, what PUSHA, POPA,
 * calls and returns make of it, and the rules on that.
 *
 * An entry is a return address, which only RET takes, or an A0, which only POPA
 * takes. So a subroutine never touches what lies below its own return address,
 * and what it finds above that does not depend on who called it. All that is to
 * be known is how many A0s it has pushed, and how many entries lie below.
 */
#include "tegra/check/check.h"

#include <assert.h>

/* ---- moves --------------------------------------------------------------- */

/* The bases on which `entries` fit, and one more. */
static unsigned
bases_with_room(unsigned entries)
{
   return (1u << (TG_TEGRA_STACK_DEPTH - entries)) - 1;
}

static unsigned
fault_of(unsigned bases, enum tegra_stack_fault fault)
{
   return bases ? 1u << fault : 0;
}

static struct tegra_stacks
push(const struct tegra_stacks *before, unsigned *faults)
{
   struct tegra_stacks after = {{0}};

   for (unsigned i = 0; i < TG_TEGRA_STACK_DEPTH; i++)
      after.bases[i + 1] = before->bases[i] & bases_with_room(i);
   for (unsigned i = 0; i <= TG_TEGRA_STACK_DEPTH; i++)
      *faults |=
         fault_of(before->bases[i] & ~bases_with_room(i), TEGRA_OVERFLOW);
   return after;
}

static struct tegra_stacks
pop(const struct tegra_stacks *before, unsigned *faults)
{
   struct tegra_stacks after = {{0}};

   for (unsigned i = 0; i < TG_TEGRA_STACK_DEPTH; i++)
      after.bases[i] = before->bases[i + 1];
   *faults |= fault_of(before->bases[0] & TEGRA_MAIN_BASE, TEGRA_UNDERFLOW);
   *faults |= fault_of(before->bases[0] & ~TEGRA_MAIN_BASE, TEGRA_MISMATCH);
   return after;
}

/* The stacks after PUSHA and POPA; a pair of both does nothing. Those with
 * which it aborts are not among them; how is added to `faults`, a bit for each
 * enum tegra_stack_fault. */
struct tegra_stacks
tegra_stacks_move(const struct tegra_step *step,
                  const struct tegra_stacks *before, unsigned *faults)
{
   bool pushes = tegra_step_has(step, TEGRA_EFFECT_PUSH);
   bool pops = tegra_step_has(step, TEGRA_EFFECT_POP);

   if (pushes == pops)
      return *before;
   return pushes ? push(before, faults) : pop(before, faults);
}

/* The bases that a call gives the subroutine. */
unsigned
tegra_stacks_call(const struct tegra_stacks *before, unsigned *faults)
{
   unsigned bases = 0;

   for (unsigned i = 0; i <= TG_TEGRA_STACK_DEPTH; i++) {
      unsigned room = bases_with_room(i);

      bases |= (before->bases[i] & room) << (i + 1);
      *faults |= fault_of(before->bases[i] & ~room, TEGRA_OVERFLOW);
   }
   return bases;
}

/* The bases with which a subroutine returns. */
unsigned
tegra_stacks_return(const struct tegra_stacks *before, unsigned *faults)
{
   for (unsigned i = 1; i <= TG_TEGRA_STACK_DEPTH; i++)
      *faults |= fault_of(before->bases[i], TEGRA_MISMATCH);
   *faults |= fault_of(before->bases[0] & TEGRA_MAIN_BASE, TEGRA_UNDERFLOW);
   return before->bases[0] & ~(unsigned)TEGRA_MAIN_BASE;
}

/* The stacks after a call that came back from those bases. */
struct tegra_stacks
tegra_stacks_after_call(const struct tegra_stacks *before, unsigned exits)
{
   struct tegra_stacks after = {{0}};

   for (unsigned i = 0; i <= TG_TEGRA_STACK_DEPTH; i++)
      after.bases[i] = before->bases[i] & (exits >> (i + 1));
   return after;
}

bool
tegra_stacks_is_empty(const struct tegra_stacks *stacks)
{
   unsigned all = 0;

   for (unsigned i = 0; i <= TG_TEGRA_STACK_DEPTH; i++)
      all |= stacks->bases[i];
   return all == 0;
}

/* ---- what was found ------------------------------------------------------ */

/* How an instruction of a subroutine may abort, and whether it always does. */
void
tegra_stacks_note_faults(struct tegra_step *step,
                         const struct tegra_stacks *before)
{
   unsigned faults = 0;
   struct tegra_stacks after = tegra_stacks_move(step, before, &faults);
   bool goes_on = !tegra_stacks_is_empty(&after);

   if (step->jumps != TEGRA_NEVER && goes_on) {
      if (tegra_step_has(step, TEGRA_EFFECT_CALL))
         goes_on = tegra_stacks_call(&after, &faults) != 0;
      else if (tegra_step_has(step, TEGRA_EFFECT_RETURN))
         goes_on = tegra_stacks_return(&after, &faults) != 0;
   }
   for (unsigned i = 0; i < TEGRA_NUM_STACK_FAULTS; i++) {
      uint8_t likelihood = goes_on ? TEGRA_SOMETIMES : TEGRA_ALWAYS;

      if (faults >> i & 1 && likelihood > step->stack[i])
         step->stack[i] = likelihood;
   }
}

bool
tegra_stacks_end_in_fault(const struct tegra_step *step)
{
   for (unsigned i = 0; i < TEGRA_NUM_STACK_FAULTS; i++) {
      if (step->stack[i] == TEGRA_ALWAYS)
         return true;
   }
   return false;
}

/* ---- rules --------------------------------------------------------------- */

/* What stands in which slot and moves the stack: "RETs". */
static struct tegra_text
mover_text(const struct tegra_step *step)
{
   unsigned effect = step->slots[TEGRA_VECTOR].info->effect;
   bool is_vector = effect == TEGRA_EFFECT_PUSH || effect == TEGRA_EFFECT_POP;

   return tegra_check_slot_text(step, is_vector ? TEGRA_VECTOR : TEGRA_SCALAR);
}

static void
check_overflow(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   struct tegra_text name = mover_text(step);

   if (step->is_recursive)
      tegra_check_report(check, number, TEGRA_FINDING_RECURSION,
                         "%s is part of the subroutine that it calls",
                         name.text);
   if (step->stack[TEGRA_OVERFLOW] == TEGRA_ALWAYS)
      tegra_check_report(check, number, TEGRA_FINDING_STACK_OVERFLOW,
                         "%s finds the stack full", name.text);
   else if (step->stack[TEGRA_OVERFLOW] && !step->is_recursive)
      tegra_check_report(check, number, TEGRA_FINDING_MAY_OVERFLOW,
                         "%s may find the stack full", name.text);
}

static void
check_underflow(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   struct tegra_text name = mover_text(step);

   if (step->stack[TEGRA_UNDERFLOW] == TEGRA_ALWAYS)
      tegra_check_report(check, number, TEGRA_FINDING_STACK_UNDERFLOW,
                         "%s finds the stack empty", name.text);
   else if (step->stack[TEGRA_UNDERFLOW])
      tegra_check_report(check, number, TEGRA_FINDING_MAY_UNDERFLOW,
                         "%s may find the stack empty", name.text);
}

static void
check_mismatch(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   struct tegra_text name = mover_text(step);
   const char *found = tegra_step_has(step, TEGRA_EFFECT_RETURN)
                          ? "an A0"
                          : "the address of its caller";

   if (step->stack[TEGRA_MISMATCH] == TEGRA_ALWAYS)
      tegra_check_report(check, number, TEGRA_FINDING_STACK_MISMATCH,
                         "%s finds %s on the stack", name.text, found);
   else if (step->stack[TEGRA_MISMATCH])
      tegra_check_report(check, number, TEGRA_FINDING_MAY_MISMATCH,
                         "%s may find %s on the stack", name.text, found);
}

static void
check_pairs(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   const struct tegra_step *step = &check->steps[number];
   struct tegra_text vector = tegra_check_slot_text(step, TEGRA_VECTOR);
   struct tegra_text scalar = tegra_check_slot_text(step, TEGRA_SCALAR);
   bool pushes = tegra_step_has(step, TEGRA_EFFECT_PUSH);
   bool pops = tegra_step_has(step, TEGRA_EFFECT_POP);

   if (pushes && pops)
      tegra_check_report(check, number, TEGRA_FINDING_PUSH_AND_POP,
                         "%s beside %s does nothing", vector.text, scalar.text);
   if ((pushes || pops) && (tegra_step_has(step, TEGRA_EFFECT_CALL) ||
                            tegra_step_has(step, TEGRA_EFFECT_RETURN)))
      tegra_check_report(check, number, TEGRA_FINDING_STACK_ORDER,
                         "%s stands beside %s", vector.text, scalar.text);
}

void
tegra_check_stack_of(struct tegra_check *check, uint32_t number)
{
   check_overflow(check, number);
   check_underflow(check, number);
   check_mismatch(check, number);
   check_pairs(check, number);
}
