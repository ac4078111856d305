/* SPDX-License-Identifier: MIT
 *
 * Faults: what ends a vertex before an instruction has done anything.
 */
#include <assert.h>
#include <string.h>

#include "tegra/simulate/simulate.h"
#include "util/length.h"

/* Ends lanes at a fault; the others go on. */
static void
fault(struct simulate_machine *machine, uint32_t lanes, enum tg_tegra_end end)
{
   simulate_group_end_lanes(machine, lanes & machine->active, end);
}

/* Lanes in which the predicate holds for any component. */
static uint32_t
find_taken(const struct simulate_machine *machine,
           const struct simulate_instruction *instruction)
{
   const simulate_row *condition = machine->conditions[instruction->cr];
   unsigned first = tegra_swizzle_get(instruction->swizzle, 0);
   simulate_row states;
   uint32_t lanes = 0;

   if (instruction->accepted == SIMULATE_ANY)
      return machine->active;
   memcpy(states, condition[first], sizeof(states));
   for (unsigned k = 1; k < 4; k++) {
      unsigned from = tegra_swizzle_get(instruction->swizzle, k);

      for (unsigned i = 0; i < SIMULATE_LANES && from != first; i++)
         states[i] |= condition[from][i];
   }
   FOR_LANES (i)
      lanes |= (uint32_t)((states[i] & instruction->accepted) != 0) << i;
   return lanes & machine->active;
}

bool
simulate_uses_stack(const struct simulate_machine *machine, unsigned effect,
                    unsigned lane)
{
   switch (effect) {
   case TEGRA_EFFECT_PUSH:
   case TEGRA_EFFECT_POP: return true;
   case TEGRA_EFFECT_CALL:
   case TEGRA_EFFECT_RETURN: return simulate_has_lane(machine->taken, lane);
   default: return false;
   }
}

/* How the stack ends a lane, or ENDED. */
static enum tg_tegra_end
find_stack_fault(const struct simulate_machine *machine,
                 const struct simulate_instruction *instruction, unsigned lane)
{
   assert(lane < TG_LENGTH(machine->depth));
   unsigned depth = machine->depth[lane];
   bool has_pushed = false; /* only the scalar unit can pop after that */

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      unsigned effect = instruction->stack[unit];

      if (!simulate_uses_stack(machine, effect, lane))
         continue;
      if (effect == TEGRA_EFFECT_PUSH || effect == TEGRA_EFFECT_CALL) {
         if (depth++ == TG_TEGRA_STACK_DEPTH)
            return TG_TEGRA_STACK_OVERFLOW;
         has_pushed = true;
         continue;
      }
      if (depth-- == 0)
         return TG_TEGRA_STACK_UNDERFLOW;
      bool is_address =
         has_pushed ||
         simulate_has_lane(machine->stack_holds_address[depth], lane);
      if (is_address != (effect == TEGRA_EFFECT_POP))
         return TG_TEGRA_STACK_MISMATCH;
   }
   return TG_TEGRA_ENDED;
}

static void
check_stack(struct simulate_machine *machine,
            const struct simulate_instruction *instruction)
{
   uint32_t active = machine->active;

   if (instruction->stack[TEGRA_VECTOR] == TEGRA_EFFECT_NONE &&
       instruction->stack[TEGRA_SCALAR] == TEGRA_EFFECT_NONE)
      return;
   FOR_LANES (i) {
      enum tg_tegra_end end = TG_TEGRA_ENDED;

      if (simulate_has_lane(active, i))
         end = find_stack_fault(machine, instruction, i);
      if (end != TG_TEGRA_ENDED)
         fault(machine, 1u << i, end);
   }
}

/* Where exports that are relative to A0 go, which may be nowhere. */
static void
check_export(struct simulate_machine *machine,
             const struct simulate_instruction *instruction)
{
   uint32_t bad = 0;

   if (!instruction->export_is_relative)
      return;
   FOR_LANES (i) {
      int32_t index = simulate_index(instruction, instruction->export_index, i);

      machine->export_row[i] = (uint32_t)index;
      if (index >= TG_TEGRA_NUM_EXPORTS && index < TEGRA_NO_EXPORT)
         bad |= 1u << i;
   }
   fault(machine, bad, TG_TEGRA_BAD_EXPORT);
}

bool
simulate_find_faults(struct simulate_machine *machine,
                     const struct simulate_instruction *instruction)
{
   if (instruction->fault != TG_TEGRA_ENDED)
      fault(machine, machine->active, instruction->fault);
   check_export(machine, instruction);
   machine->taken = instruction->flow == TEGRA_EFFECT_NONE
                       ? 0
                       : find_taken(machine, instruction);
   check_stack(machine, instruction);
   machine->taken &= machine->active;
   if (!machine->active)
      return false;
   if (machine->active != machine->live)
      simulate_group_fill_active_row(machine);
   return true;
}
