/* SPDX-License-Identifier: MIT
 *
 * The execution loop: a wave from its first instruction until its last vertex
 * has ended. An instruction reads everything before it writes anything; what
 * ends the program does so before the instruction has done anything.
 *
 * The build compiles this file once for each instruction set, with SIMULATE_SET
 * defined to its name.
 */
#include <assert.h>
#include <string.h>

#include "tegra/simulate/results.inc"
#include "tegra/simulate/scalar.inc"
#include "tegra/simulate/vector.inc"

/* ---- stack and flow ------------------------------------------------------ */

static void
push_or_pop(struct simulate_machine *machine,
            const struct simulate_instruction *instruction, unsigned effect,
            unsigned lane)
{
   uint8_t *depth = &machine->depth[lane];
   bool is_push = effect == TEGRA_EFFECT_PUSH || effect == TEGRA_EFFECT_CALL;
   unsigned level = is_push ? (*depth)++ : --*depth;
   simulate_row *entry = machine->stack[level];

   assert(level < TG_TEGRA_STACK_DEPTH);
   switch (effect) {
   case TEGRA_EFFECT_PUSH:
      for (unsigned k = 0; k < 4; k++)
         entry[k][lane] =
            instruction->address_is_zero ? 0 : machine->address[k][lane];
      machine->stack_holds_address[level] |= 1u << lane;
      break;
   case TEGRA_EFFECT_POP:
      for (unsigned k = 0; k < 4; k++) {
         machine->address[k][lane] = entry[k][lane];
         machine->address_written[k] |= 1u << lane;
      }
      break;
   case TEGRA_EFFECT_CALL:
      entry[0][lane] = machine->pc + 1;
      machine->stack_holds_address[level] &= ~(1u << lane);
      break;
   default: machine->pc_of[lane] = entry[0][lane];
   }
}

static void
move_stack(struct simulate_machine *machine,
           const struct simulate_instruction *instruction)
{
   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      unsigned effect = instruction->stack[unit];

      if (effect == TEGRA_EFFECT_NONE)
         continue;
      FOR_LANES (i) {
         if (simulate_has_lane(machine->active, i) &&
             simulate_uses_stack(machine, effect, i))
            push_or_pop(machine, instruction, effect, i);
      }
   }
}

/* A jump that not all active lanes take to the same place. What RET has popped
 * is in the accounts. */
static void
part(struct simulate_machine *machine,
     const struct simulate_instruction *instruction)
{
   uint32_t popped[SIMULATE_LANES];

   memcpy(popped, machine->pc_of, sizeof(popped));
   simulate_leave_group(machine);
   FOR_LANES (i) {
      if (!simulate_has_lane(machine->active, i))
         continue;
      if (!simulate_has_lane(machine->taken, i))
         machine->pc_of[i] = machine->pc + 1;
      else if (instruction->flow == TEGRA_EFFECT_RETURN)
         machine->pc_of[i] = popped[i];
      else
         machine->pc_of[i] = instruction->target;
      if (simulate_has_lane(machine->taken, i))
         machine->last_jump = machine->pc_of[i];
   }
   if (instruction->end)
      simulate_group_end_lanes(machine, machine->active & ~machine->taken,
                               TG_TEGRA_ENDED);
   simulate_group_end_lanes_past_end(machine);
   simulate_join_group(machine);
}

static void
go_on(struct simulate_machine *machine,
      const struct simulate_instruction *instruction)
{
   uint32_t taken = instruction->flow == TEGRA_EFFECT_NONE ? 0 : machine->taken;

   if (taken && instruction->flow != TEGRA_EFFECT_RETURN &&
       taken == machine->active) {
      machine->last_jump = instruction->target;
      simulate_group_continue_at(machine, instruction->target);
   } else if (taken) {
      part(machine, instruction);
   } else if (instruction->end) {
      simulate_group_end_lanes(machine, machine->active, TG_TEGRA_ENDED);
      simulate_join_group(machine);
   } else {
      simulate_group_continue_at(machine, machine->pc + 1);
   }
}

/* ---- the loop ------------------------------------------------------------ */

/* Plain instructions that follow each other, while no lane waits. */
static void
run_plain(struct simulate_machine *machine)
{
   const struct simulate_instruction *instruction =
      &machine->instructions[machine->pc];
   uint32_t left = machine->left;

   for (; instruction->is_plain && left; instruction++, left--) {
      for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
         if (instruction->place[unit])
            instruction->slot[unit].function(machine, instruction,
                                             instruction->place[unit]);
      }
      for (unsigned i = 0; i < instruction->num_copies; i++)
         memcpy(instruction->copies[i].to, instruction->copies[i].from,
                sizeof(simulate_row));
   }
   machine->pc = (uint32_t)(instruction - machine->instructions);
   machine->left = left;
}

static void
step(struct simulate_machine *machine)
{
   const struct simulate_instruction *instruction =
      &machine->instructions[machine->pc];
   const uint32_t *where[4];

   machine->left--;
   if (instruction->is_careful && !simulate_find_faults(machine, instruction)) {
      simulate_join_group(machine);
      return;
   }
   find_gate(machine, instruction, where);
   if (instruction->is_careful)
      fetch(machine, instruction, where);
   compute(machine, instruction, TEGRA_VECTOR);
   compute(machine, instruction, TEGRA_SCALAR);
   /* The predicate was looked at and A0 was read; now both may change. */
   move_stack(machine, instruction);
   write_results(machine, instruction, TEGRA_SCALAR, where);
   write_results(machine, instruction, TEGRA_VECTOR, where);
   go_on(machine, instruction);
}

static void
step_and_trace(struct simulate_machine *machine)
{
   struct simulate_before before;

   simulate_trace_before(machine, &before);
   step(machine);
   simulate_trace_after(machine, &before);
}

static void
load_attributes(struct simulate_machine *machine, uint32_t num)
{
   const uint32_t *from = machine->batch->attributes;

   for (unsigned a = 0; a < TG_TEGRA_NUM_ATTRIBUTES && from; a++) {
      if (!(machine->attributes_read >> a & 1))
         continue;
      for (unsigned i = 0; i < num; i++) {
         size_t vertex = machine->first_vertex + i;
         const uint32_t *words =
            from + (vertex * TG_TEGRA_NUM_ATTRIBUTES + a) * 4;

         for (unsigned k = 0; k < 4; k++)
            machine->attributes[a][k][i] = words[k];
      }
   }
}

/* Registers that could be looked at before they are written. */
static void
forget_registers(struct simulate_machine *machine)
{
   for (unsigned e = 0; e < TG_TEGRA_NUM_EXPORTS; e++) {
      if (machine->exports_written >> e & 1)
         memset(machine->exports[e], 0, sizeof(machine->exports[e]));
   }
   memset(machine->address, 0, sizeof(machine->address));
   if (!machine->has_doubtful_reads)
      return;
   memset(machine->temporaries, 0, sizeof(machine->temporaries));
   memset(machine->written, 0, sizeof(machine->written));
   memset(machine->address_written, 0, sizeof(machine->address_written));
}

/* All state as it is before the first instruction. */
static void
begin(struct simulate_machine *machine, uint32_t first, uint32_t num)
{
   machine->first_vertex = first;
   machine->live = (1u << num) - 1;
   machine->active = 0;
   forget_registers(machine);
   memset(machine->pc_of, 0, sizeof(machine->pc_of));
   memset(machine->steps_of, 0, sizeof(machine->steps_of));
   memset(machine->depth, 0, sizeof(machine->depth));
   for (unsigned i = 0; i < TEGRA_NUM_CONDITIONS * 4; i++) {
      FOR_LANES (lane)
         machine->conditions[i / 4][i % 4][lane] = SIMULATE_EQUAL;
   }
   load_attributes(machine, num);
   simulate_join_group(machine);
}

static void
run_wave(struct simulate_machine *machine, uint32_t first, uint32_t num)
{
   bool is_traced = machine->batch->trace;

   begin(machine, first, num);
   while (machine->live) {
      if (machine->left == 0) {
         if (is_traced)
            simulate_trace_end(machine);
         simulate_group_run_out_of_steps(machine);
      } else if (is_traced) {
         step_and_trace(machine);
      } else if (machine->active == machine->live &&
                 machine->instructions[machine->pc].is_plain) {
         run_plain(machine);
      } else {
         step(machine);
      }
   }
}

/* ---- the set ------------------------------------------------------------- */

#define TEXT(name) TEXT_(name)
#define TEXT_(name) #name

const struct simulate_set SIMULATE_SET_OF(SIMULATE_SET) = {
   .name = TEXT(SIMULATE_SET),
   .functions =
      {
         [TEGRA_VECTOR] = vector_functions,
         [TEGRA_SCALAR] = scalar_functions,
      },
   .fused = vector_fused_functions,
   .wave = run_wave,
};
