/* SPDX-License-Identifier: MIT
 *
 * A wave from its first instruction until its last vertex has ended. An
 * instruction reads everything before it writes anything; what ends the program
 * does so before the instruction has done anything.
 */
#include <assert.h>
#include <string.h>

#include "tegra/simulate.h"
#include "util/bits.h"
#include "util/minmax.h"

static bool
has_lane(uint32_t lanes, unsigned lane)
{
   return lanes >> lane & 1;
}

/* ---- groups -------------------------------------------------------------- */

/* Each active lane gets its own account. */
static void
leave_group(struct simulate_machine *machine)
{
   FOR_LANES (i) {
      if (has_lane(machine->active, i)) {
         machine->pc_of[i] = machine->pc;
         machine->steps_of[i] += machine->quota - machine->left;
      }
   }
   machine->quota = machine->left;
}

static void
fill_active_row(struct simulate_machine *machine)
{
   FOR_LANES (i)
      machine->active_row[i] = has_lane(machine->active, i) ? UINT32_MAX : 0;
}

/* The live lanes at the lowest program counter become the active ones. */
static void
join_group(struct simulate_machine *machine)
{
   uint32_t pc = UINT32_MAX, most_steps = 0;

   FOR_LANES (i) {
      if (has_lane(machine->live, i))
         pc = tg_min_u32(pc, machine->pc_of[i]);
   }
   machine->pc = pc;
   machine->active = 0;
   machine->waiting = UINT32_MAX;
   FOR_LANES (i) {
      if (!has_lane(machine->live, i))
         continue;
      if (machine->pc_of[i] == pc) {
         machine->active |= 1u << i;
         most_steps = tg_max_u32(most_steps, machine->steps_of[i]);
      } else {
         machine->waiting = tg_min_u32(machine->waiting, machine->pc_of[i]);
      }
   }
   machine->quota = machine->batch->max_steps - most_steps;
   machine->left = machine->quota;
   fill_active_row(machine);
}

static void
copy_exports(const struct simulate_machine *machine, unsigned lane)
{
   uint32_t vertex = machine->first_vertex + lane;
   uint32_t *to =
      machine->batch->exports + (size_t)vertex * TG_TEGRA_NUM_EXPORTS * 4;

   for (unsigned e = 0; e < TG_TEGRA_NUM_EXPORTS; e++) {
      for (unsigned k = 0; k < 4 && machine->exports_written >> e & 1; k++)
         to[e * 4 + k] = machine->exports[e][k][lane];
   }
}

/* Some active lanes come to an end at this instruction. */
static void
end_lanes(struct simulate_machine *machine, uint32_t lanes,
          enum tg_tegra_end end)
{
   if (!lanes)
      return;
   machine->live &= ~lanes;
   machine->active &= ~lanes;
   machine->last_end = (uint8_t)end;
   FOR_LANES (i) {
      if (!has_lane(lanes, i))
         continue;
      copy_exports(machine, i);
      if (machine->batch->ends)
         machine->batch->ends[machine->first_vertex + i] = (uint8_t)end;
   }
   if (end != TG_TEGRA_ENDED)
      simulate_note(machine, SIMULATE_BAD_END + end, lanes);
}

/* Lanes of the group whose accounts say that they ran off end there. */
static void
end_those_that_ran_off(struct simulate_machine *machine)
{
   uint32_t lanes = 0;

   FOR_LANES (i) {
      if (machine->pc_of[i] >= machine->num_instructions)
         lanes |= 1u << i;
   }
   end_lanes(machine, lanes & machine->active, TG_TEGRA_RAN_OFF);
}

/* All active lanes go to the same instruction. */
static void
continue_at(struct simulate_machine *machine, uint32_t pc)
{
   if (pc < machine->waiting && pc < machine->num_instructions) {
      machine->pc = pc;
      return;
   }
   leave_group(machine);
   FOR_LANES (i) {
      if (has_lane(machine->active, i))
         machine->pc_of[i] = pc;
   }
   end_those_that_ran_off(machine);
   join_group(machine);
}

/* At least one lane of the group has no steps left. */
static void
run_out_of_steps(struct simulate_machine *machine)
{
   uint32_t lanes = 0;

   leave_group(machine);
   FOR_LANES (i) {
      if (machine->steps_of[i] == machine->batch->max_steps)
         lanes |= 1u << i;
   }
   end_lanes(machine, lanes & machine->active, TG_TEGRA_OUT_OF_STEPS);
   join_group(machine);
}

/* ---- before an instruction ----------------------------------------------- */

/* Ends lanes at a fault; the others go on. */
static void
fault(struct simulate_machine *machine, uint32_t lanes, enum tg_tegra_end end)
{
   end_lanes(machine, lanes & machine->active, end);
}

/* Lanes in which the predicate holds for any component. */
static uint32_t
find_taken(const struct simulate_machine *machine,
           const struct simulate_instruction *instruction)
{
   uint32_t lanes = 0;

   if (instruction->accepted == SIMULATE_ANY)
      return machine->active;
   for (unsigned k = 0; k < 4; k++) {
      FOR_LANES (i)
         lanes |= (uint32_t)simulate_accepts(machine, instruction, k, i) << i;
   }
   return lanes & machine->active;
}

/* Does a lane do what the stack is for? CAL and RET depend on the predicate. */
static bool
uses_stack(const struct simulate_machine *machine, unsigned effect,
           unsigned lane)
{
   switch (effect) {
   case TEGRA_EFFECT_PUSH:
   case TEGRA_EFFECT_POP: return true;
   case TEGRA_EFFECT_CALL:
   case TEGRA_EFFECT_RETURN: return has_lane(machine->taken, lane);
   default: return false;
   }
}

/* How the stack ends a lane, or ENDED. */
static enum tg_tegra_end
find_stack_fault(const struct simulate_machine *machine,
                 const struct simulate_instruction *instruction, unsigned lane)
{
   unsigned depth = machine->depth[lane];
   bool has_pushed = false; /* only the scalar unit can pop after that */

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      unsigned effect = instruction->stack[unit];

      if (!uses_stack(machine, effect, lane))
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
         has_pushed || has_lane(machine->stack_holds_address[depth], lane);
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

      if (has_lane(active, i))
         end = find_stack_fault(machine, instruction, i);
      if (end != TG_TEGRA_ENDED)
         fault(machine, 1u << i, end);
   }
}

static void
check_export(struct simulate_machine *machine,
             const struct simulate_instruction *instruction)
{
   bool exports = instruction->slot[TEGRA_VECTOR].exports ||
                  instruction->slot[TEGRA_SCALAR].exports;
   uint32_t bad = 0, dropped = 0;

   if (!instruction->export_is_relative)
      return;
   FOR_LANES (i) {
      int32_t index = simulate_index(instruction, instruction->export_index, i);

      machine->export_row[i] = (uint32_t)index;
      if (index < 0 || index > TEGRA_NO_EXPORT)
         dropped |= 1u << i;
      else if (index >= TG_TEGRA_NUM_EXPORTS && index != TEGRA_NO_EXPORT)
         bad |= 1u << i;
   }
   fault(machine, bad, TG_TEGRA_BAD_EXPORT);
   if (exports && dropped & machine->active)
      simulate_note(machine, SIMULATE_EXPORT_RANGE, dropped & machine->active);
}

/* Notes what was read before it was written, and what is always wrong. */
static void
check_reads(struct simulate_machine *machine,
            const struct simulate_instruction *instruction)
{
   uint32_t temporaries = 0, address = 0;

   for (unsigned k = 0; k < 4; k++) {
      for (unsigned i = 0; i < TEGRA_NUM_SOURCES; i++) {
         const struct simulate_read *read = &instruction->reads[i];

         if (tegra_mask_has(read->mask, k))
            temporaries |= ~machine->written[read->index][k];
      }
      if (tegra_mask_has(instruction->address_reads, k))
         address |= ~machine->address_written[k];
   }
   if (temporaries & machine->active)
      simulate_note(machine, SIMULATE_UNDEFINED_TEMPORARY,
                    temporaries & machine->active);
   if (address & machine->active)
      simulate_note(machine, SIMULATE_UNDEFINED_ADDRESS,
                    address & machine->active);
   for (unsigned i = 0; i < SIMULATE_BAD_END && instruction->findings; i++) {
      if (instruction->findings >> i & 1)
         simulate_note(machine, i, machine->active);
   }
}

/* Below 0 is c[1]. */
static unsigned
clamp_constant(int32_t index)
{
   return index < 0                        ? 1
          : index < TG_TEGRA_NUM_CONSTANTS ? (unsigned)index
                                           : TG_TEGRA_NUM_CONSTANTS;
}

static void
fetch_constants(struct simulate_machine *machine,
                const struct simulate_instruction *instruction)
{
   uint32_t outside = 0;

   if (!instruction->relative_constant)
      return;
   FOR_LANES (i) {
      unsigned index = clamp_constant(
         simulate_index(instruction, instruction->constant_index, i));

      if (index == TG_TEGRA_NUM_CONSTANTS)
         outside |= 1u << i;
      for (unsigned k = 0; k < 4; k++)
         machine->relative_constant[k][i] = machine->constants[index][k];
   }
   if (outside & machine->active)
      simulate_note(machine, SIMULATE_CONSTANT_RANGE,
                    outside & machine->active);
}

static void
fetch_attributes(struct simulate_machine *machine,
                 const struct simulate_instruction *instruction)
{
   uint32_t outside = 0;

   if (!instruction->relative_attribute)
      return;
   FOR_LANES (i) {
      int32_t index =
         simulate_index(instruction, instruction->attribute_index, i);
      bool is_inside = index >= 0 && index < TG_TEGRA_NUM_ATTRIBUTES;

      if (!is_inside)
         outside |= 1u << i;
      for (unsigned k = 0; k < 4; k++)
         machine->relative_attribute[k][i] =
            is_inside ? machine->attributes[index][k][i] : 0;
   }
   if (outside & machine->active)
      simulate_note(machine, SIMULATE_ATTRIBUTE_RANGE,
                    outside & machine->active);
}

/* False when no lane is left to execute the instruction. */
static bool
prepare(struct simulate_machine *machine,
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
      fill_active_row(machine);
   check_reads(machine, instruction);
   fetch_constants(machine, instruction);
   fetch_attributes(machine, instruction);
   return true;
}

/* ---- results ------------------------------------------------------------- */

/* min(max(x, 0), 1): of a NaN 0. */
static void
saturate(uint32_t *restrict row)
{
   FOR_LANES (i) {
      float x = tg_float_of_bits(row[i]);

      x = x > 0 ? x : 0;
      x = x < 1 ? x : 1;
      row[i] = tg_bits_of_float(x);
   }
}

static void
compute(struct simulate_machine *machine,
        const struct simulate_instruction *instruction, enum tegra_unit unit)
{
   const struct simulate_slot *slot = &instruction->slot[unit];
   simulate_row *result = machine->result[unit];

   if (!slot->function)
      return;
   slot->function(machine, instruction, result);
   for (unsigned k = 0; k < 4 && slot->saturates; k++) {
      if (tegra_mask_has(slot->distinct, k))
         saturate(result[k]);
   }
}

/* Where each component may be written: rows of all ones, or NULL for
 * everywhere. */
static void
find_gate(struct simulate_machine *machine,
          const struct simulate_instruction *instruction,
          const uint32_t *where[4])
{
   const uint32_t *active =
      machine->active == machine->live ? NULL : machine->active_row;

   for (unsigned k = 0; k < 4; k++) {
      where[k] = active;
      if (!tegra_mask_has(instruction->gated, k))
         continue;

      unsigned from = tegra_swizzle_get(instruction->swizzle, k);
      const uint32_t *restrict states =
         machine->conditions[instruction->cr][from];
      uint32_t *restrict gate = machine->gate[k];
      uint32_t accepted = instruction->accepted;
      FOR_LANES (i)
         gate[i] = states[i] & accepted ? UINT32_MAX : 0;
      for (unsigned i = 0; i < SIMULATE_LANES && active; i++)
         gate[i] &= active[i];
      where[k] = gate;
   }
}

static void
store(uint32_t *restrict to, const uint32_t *restrict from,
      const uint32_t *restrict where)
{
   if (!where) {
      memcpy(to, from, sizeof(simulate_row));
      return;
   }
   FOR_LANES (i)
      to[i] = (from[i] & where[i]) | (to[i] & ~where[i]);
}

static uint32_t
lanes_of(const uint32_t *where, uint32_t everywhere)
{
   uint32_t lanes = 0;

   if (!where)
      return everywhere;
   FOR_LANES (i)
      lanes |= (where[i] & 1) << i;
   return lanes;
}

/* Each lane to the export that its A0 says. */
static void
scatter(struct simulate_machine *machine, unsigned component,
        const uint32_t *from, uint32_t lanes)
{
   FOR_LANES (i) {
      uint32_t index = machine->export_row[i];

      if (has_lane(lanes, i) && index < TG_TEGRA_NUM_EXPORTS)
         machine->exports[index][component][i] = from[i];
   }
}

static void
set_condition(uint32_t *restrict to, const uint32_t *restrict from,
              const uint32_t *where)
{
   simulate_row states;

   FOR_LANES (i) {
      float x = tg_float_of_bits(from[i]);

      states[i] = x < 0    ? SIMULATE_LESS
                  : x > 0  ? SIMULATE_GREATER
                  : x == 0 ? SIMULATE_EQUAL
                           : SIMULATE_UNORDERED;
   }
   store(to, states, where);
}

static void
write_component(struct simulate_machine *machine,
                const struct simulate_instruction *instruction,
                const struct simulate_slot *slot, unsigned k,
                const uint32_t *where)
{
   const uint32_t *from = slot->result[k];

   if (slot->to) {
      store(slot->to[k], from, where);
      slot->written[k] |= lanes_of(where, machine->active);
   }
   if (slot->exports && instruction->export_is_relative)
      scatter(machine, k, from, lanes_of(where, machine->active));
   else if (slot->exports)
      store(machine->exports[instruction->export_index][k], from, where);
   if (slot->sets_condition)
      set_condition(machine->conditions[instruction->cr][k], from, where);
}

static void
write_results(struct simulate_machine *machine,
              const struct simulate_instruction *instruction,
              enum tegra_unit unit, const uint32_t *const where[4])
{
   const struct simulate_slot *slot = &instruction->slot[unit];

   for (unsigned k = 0; k < 4; k++) {
      if (tegra_mask_has(slot->mask, k))
         write_component(machine, instruction, slot, k, where[k]);
   }
}

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
         if (has_lane(machine->active, i) && uses_stack(machine, effect, i))
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
   leave_group(machine);
   FOR_LANES (i) {
      if (!has_lane(machine->active, i))
         continue;
      if (!has_lane(machine->taken, i))
         machine->pc_of[i] = machine->pc + 1;
      else if (instruction->flow == TEGRA_EFFECT_RETURN)
         machine->pc_of[i] = popped[i];
      else
         machine->pc_of[i] = instruction->target;
      if (has_lane(machine->taken, i))
         machine->last_jump = machine->pc_of[i];
   }
   if (instruction->end)
      end_lanes(machine, machine->active & ~machine->taken, TG_TEGRA_ENDED);
   end_those_that_ran_off(machine);
   join_group(machine);
}

static void
go_on(struct simulate_machine *machine,
      const struct simulate_instruction *instruction)
{
   uint32_t taken = instruction->flow == TEGRA_EFFECT_NONE ? 0 : machine->taken;

   if (taken && instruction->flow != TEGRA_EFFECT_RETURN &&
       taken == machine->active) {
      machine->last_jump = instruction->target;
      continue_at(machine, instruction->target);
   } else if (taken) {
      part(machine, instruction);
   } else if (instruction->end) {
      end_lanes(machine, machine->active, TG_TEGRA_ENDED);
      join_group(machine);
   } else {
      continue_at(machine, machine->pc + 1);
   }
}

/* ---- the loop ------------------------------------------------------------ */

static void
step(struct simulate_machine *machine)
{
   const struct simulate_instruction *instruction =
      &machine->instructions[machine->pc];
   const uint32_t *where[4];

   machine->left--;
   if (instruction->is_careful && !prepare(machine, instruction)) {
      join_group(machine);
      return;
   }
   compute(machine, instruction, TEGRA_VECTOR);
   compute(machine, instruction, TEGRA_SCALAR);
   find_gate(machine, instruction, where);
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

/* All state as it is before the first instruction. */
static void
begin(struct simulate_machine *machine, uint32_t first, uint32_t num)
{
   machine->first_vertex = first;
   machine->live = (1u << num) - 1;
   machine->active = 0;
   memset(machine->temporaries, 0, sizeof(machine->temporaries));
   memset(machine->exports, 0, sizeof(machine->exports));
   memset(machine->address, 0, sizeof(machine->address));
   memset(machine->written, 0, sizeof(machine->written));
   memset(machine->address_written, 0, sizeof(machine->address_written));
   memset(machine->pc_of, 0, sizeof(machine->pc_of));
   memset(machine->steps_of, 0, sizeof(machine->steps_of));
   memset(machine->depth, 0, sizeof(machine->depth));
   for (unsigned i = 0; i < TEGRA_NUM_CONDITIONS * 4; i++) {
      FOR_LANES (lane)
         machine->conditions[i / 4][i % 4][lane] = SIMULATE_EQUAL;
   }
   load_attributes(machine, num);
   join_group(machine);
}

void
simulate_wave(struct simulate_machine *machine, uint32_t first, uint32_t num)
{
   bool is_traced = machine->batch->trace;

   begin(machine, first, num);
   while (machine->live) {
      if (machine->left == 0) {
         if (is_traced)
            simulate_trace_end(machine);
         run_out_of_steps(machine);
      } else if (is_traced) {
         step_and_trace(machine);
      } else {
         step(machine);
      }
   }
}
