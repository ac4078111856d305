/* SPDX-License-Identifier: MIT
 *
 * Trace of execution: the changes of each instruction, reported to the caller.
 * A traced wave is one vertex, in lane 0. What was written is reported, whether
 * it was the same before or not.
 */
#include <assert.h>
#include <string.h>

#include "tegra/simulate/simulate.h"
#include "util/length.h"

static void
report(const struct simulate_machine *machine, uint32_t instruction,
       enum tg_tegra_change_kind kind, uint32_t index, unsigned mask,
       const uint32_t words[4])
{
   const struct tg_tegra_batch *batch = machine->batch;
   struct tg_tegra_change change = {
      .vertex = machine->first_vertex,
      .instruction = instruction,
      .kind = kind,
      .index = index,
   };

   for (unsigned k = 0; k < 4 && words; k++) {
      if (tegra_mask_has(mask, k)) {
         change.mask |= 1u << k;
         change.words[k] = words[k];
      }
   }
   batch->trace(batch->user, &change);
}

/* The same of a vector of the machine. */
static void
report_vector(const struct simulate_machine *machine, uint32_t instruction,
              enum tg_tegra_change_kind kind, uint32_t index, unsigned mask,
              const simulate_row *vector)
{
   const uint32_t words[4] = {vector[0][0], vector[1][0], vector[2][0],
                              vector[3][0]};

   if (mask)
      report(machine, instruction, kind, index, mask, words);
}

/* ---- before -------------------------------------------------------------- */

static unsigned
find_gate(const struct simulate_machine *machine,
          const struct simulate_instruction *instruction)
{
   unsigned gate = TEGRA_MASK_XYZW;

   for (unsigned k = 0; k < 4; k++) {
      if (tegra_mask_has(instruction->gated, k) &&
          !simulate_accepts(machine, instruction, k, 0))
         gate &= ~tegra_mask_bit(k);
   }
   return gate;
}

static bool
is_taken(const struct simulate_machine *machine,
         const struct simulate_instruction *instruction)
{
   bool accepts = false;

   for (unsigned k = 0; k < 4; k++)
      accepts |= simulate_accepts(machine, instruction, k, 0);
   return instruction->flow != TEGRA_EFFECT_NONE && accepts;
}

void
simulate_trace_before(const struct simulate_machine *machine,
                      struct simulate_before *before)
{
   const struct simulate_instruction *instruction =
      &machine->instructions[machine->pc];

   before->instruction = instruction;
   before->pc = machine->pc;
   before->export_index = instruction->export_index;
   if (instruction->fault == TG_TEGRA_ENDED) {
      before->gate = find_gate(machine, instruction);
      before->is_taken = is_taken(machine, instruction);
      if (instruction->export_is_relative)
         before->export_index =
            simulate_index(instruction, instruction->export_index, 0);
   }
   before->depth = machine->depth[0];
   for (unsigned i = 0; i < TG_TEGRA_STACK_DEPTH; i++) {
      for (unsigned k = 0; k < 4; k++)
         before->stack[i][k] = machine->stack[i][k][0];
   }
   report(machine, machine->pc, TG_TEGRA_CHANGE_STEP, 0, 0, NULL);
}

/* ---- afterwards ---------------------------------------------------------- */

/* The components that a unit wrote. */
static unsigned
written(const struct simulate_before *before, enum tegra_unit unit)
{
   assert(unit < TG_LENGTH(before->instruction->slot));
   return before->instruction->slot[unit].mask & before->gate;
}

/* Does a unit write to the vector with this row for x? */
static bool
goes_to(const struct simulate_before *before, enum tegra_unit unit,
        const uint32_t *row)
{
   assert(unit < TG_LENGTH(before->instruction->slot));
   const struct simulate_slot *slot = &before->instruction->slot[unit];

   return slot->to && slot->to[0] == row;
}

static void
report_temporaries(const struct simulate_machine *machine,
                   const struct simulate_before *before)
{
   for (unsigned r = 0; r < TG_TEGRA_NUM_TEMPORARIES; r++) {
      unsigned mask = 0;

      for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
         if (goes_to(before, unit, machine->temporaries[r][0]))
            mask |= written(before, unit);
      }
      report_vector(machine, before->pc, TG_TEGRA_CHANGE_TEMPORARY, r, mask,
                    machine->temporaries[r]);
   }
}

static void
report_export(const struct simulate_machine *machine,
              const struct simulate_before *before)
{
   int32_t index = before->export_index;
   unsigned mask = 0;

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      if (before->instruction->slot[unit].exports)
         mask |= written(before, unit);
   }
   if (index >= 0 && index < TG_TEGRA_NUM_EXPORTS)
      report_vector(machine, before->pc, TG_TEGRA_CHANGE_EXPORT,
                    (uint32_t)index, mask, machine->exports[index]);
}

static void
report_condition(const struct simulate_machine *machine,
                 const struct simulate_before *before)
{
   static const char names[] = {
      [SIMULATE_LESS] = '<',
      [SIMULATE_EQUAL] = '=',
      [SIMULATE_GREATER] = '>',
      [SIMULATE_UNORDERED] = '?',
   };
   unsigned cr = before->instruction->cr, mask = 0;
   uint32_t words[4];

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      if (before->instruction->slot[unit].sets_condition)
         mask |= written(before, unit);
   }
   for (unsigned k = 0; k < 4; k++)
      words[k] = (uint32_t)names[machine->conditions[cr][k][0]];
   if (mask)
      report(machine, before->pc, TG_TEGRA_CHANGE_CONDITION, cr, mask, words);
}

static void
report_address(const struct simulate_machine *machine,
               const struct simulate_before *before)
{
   const struct simulate_instruction *instruction = before->instruction;
   unsigned mask = 0;

   if (goes_to(before, TEGRA_VECTOR, machine->address[0]))
      mask = written(before, TEGRA_VECTOR);
   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      if (instruction->stack[unit] == TEGRA_EFFECT_POP)
         mask = TEGRA_MASK_XYZW;
   }
   report_vector(machine, before->pc, TG_TEGRA_CHANGE_ADDRESS, 0, mask,
                 machine->address);
}

static void
report_stack(const struct simulate_machine *machine,
             const struct simulate_before *before)
{
   unsigned depth = before->depth;

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      unsigned effect = before->instruction->stack[unit];
      bool is_flow =
         effect == TEGRA_EFFECT_CALL || effect == TEGRA_EFFECT_RETURN;
      unsigned mask = is_flow ? tegra_mask_bit(0) : TEGRA_MASK_XYZW;

      if (effect == TEGRA_EFFECT_NONE || (is_flow && !before->is_taken))
         continue;
      if (effect == TEGRA_EFFECT_PUSH || effect == TEGRA_EFFECT_CALL) {
         report_vector(machine, before->pc, TG_TEGRA_CHANGE_PUSH, depth, mask,
                       machine->stack[depth]);
         depth++;
      } else {
         depth--;
         report(machine, before->pc, TG_TEGRA_CHANGE_POP, depth, mask,
                before->stack[depth]);
      }
   }
}

/* Did the vertex end before the instruction had done anything? */
static bool
has_aborted(const struct simulate_machine *machine)
{
   return !machine->live && machine->last_end != TG_TEGRA_ENDED &&
          machine->last_end != TG_TEGRA_RAN_OFF;
}

void
simulate_trace_after(const struct simulate_machine *machine,
                     const struct simulate_before *before)
{
   if (!has_aborted(machine)) {
      report_temporaries(machine, before);
      report_export(machine, before);
      report_condition(machine, before);
      report_address(machine, before);
      report_stack(machine, before);
      if (before->is_taken)
         report(machine, before->pc, TG_TEGRA_CHANGE_JUMP, machine->last_jump,
                0, NULL);
   }
   if (!machine->live)
      report(machine, before->pc, TG_TEGRA_CHANGE_END, machine->last_end, 0,
             NULL);
}

void
simulate_trace_end(const struct simulate_machine *machine)
{
   report(machine, machine->pc, TG_TEGRA_CHANGE_END, TG_TEGRA_OUT_OF_STEPS, 0,
          NULL);
}
