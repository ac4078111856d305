/* SPDX-License-Identifier: MIT
 *
 * What an instruction reads through A0, what it computes, and where that goes.
 * Included once for each instruction set.
 */
#ifndef TEGRA_SIMULATE_RESULTS_H
#define TEGRA_SIMULATE_RESULTS_H

#include <string.h>

#include "tegra/formulas.h"
#include "tegra/simulate.h"
#include "util/bits.h"

/* ---- the predicate ------------------------------------------------------- */

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

/* Lanes that write any component, or would if there were one. */
static uint32_t
find_writers(const struct simulate_machine *machine,
             const struct simulate_instruction *instruction,
             const uint32_t *const where[4])
{
   uint32_t lanes = 0;

   if (!instruction->gated)
      return machine->active;
   for (unsigned k = 0; k < 4; k++) {
      if (tegra_mask_has(instruction->gated, k))
         lanes |= lanes_of(where[k], machine->active);
   }
   return lanes & machine->active;
}

/* ---- sources ------------------------------------------------------------- */

static void
note(struct simulate_machine *machine, enum simulate_finding finding,
     uint32_t lanes)
{
   if (lanes)
      simulate_note(machine, finding, lanes);
}

/* Notes in which of the lanes something is read that was never written. */
static void
check_reads(struct simulate_machine *machine,
            const struct simulate_instruction *instruction, uint32_t lanes)
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
   note(machine, SIMULATE_UNDEFINED_TEMPORARY, temporaries & lanes);
   note(machine, SIMULATE_UNDEFINED_ADDRESS, address & lanes);
}

/* Below 0 is c[1]; what is behind the last one holds zeros. */
static unsigned
clamp_constant(int32_t index)
{
   return index < 0                        ? 1
          : index < TG_TEGRA_NUM_CONSTANTS ? (unsigned)index
                                           : TG_TEGRA_NUM_CONSTANTS;
}

/* Fetches through A0; returns the lanes that were outside. */
static uint32_t
fetch_constants(struct simulate_machine *machine,
                const struct simulate_instruction *instruction)
{
   uint32_t outside = 0;

   FOR_LANES (i) {
      unsigned index = clamp_constant(
         simulate_index(instruction, instruction->constant_index, i));

      if (index == TG_TEGRA_NUM_CONSTANTS)
         outside |= 1u << i;
      for (unsigned k = 0; k < 4; k++)
         machine->relative_constant[k][i] = machine->constants[index][k];
   }
   return outside;
}

static uint32_t
fetch_attributes(struct simulate_machine *machine,
                 const struct simulate_instruction *instruction)
{
   uint32_t outside = 0;

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
   return outside;
}

/* Lanes whose relative export is none. */
static uint32_t
find_dropped(const struct simulate_machine *machine)
{
   uint32_t lanes = 0;

   FOR_LANES (i)
      lanes |= (uint32_t)(machine->export_row[i] > TEGRA_NO_EXPORT) << i;
   return lanes;
}

/* What is to be done before a careful instruction computes. */
static void
fetch(struct simulate_machine *machine,
      const struct simulate_instruction *instruction,
      const uint32_t *const where[4])
{
   uint32_t lanes = find_writers(machine, instruction, where);

   check_reads(machine, instruction, lanes);
   for (unsigned i = 0; i < SIMULATE_BAD_END && instruction->findings; i++) {
      if (instruction->findings >> i & 1)
         note(machine, i, lanes);
   }
   if (instruction->reads_constant_through_address)
      note(machine, SIMULATE_CONSTANT_RANGE,
           lanes & fetch_constants(machine, instruction));
   if (instruction->reads_attribute_through_address)
      note(machine, SIMULATE_ATTRIBUTE_RANGE,
           lanes & fetch_attributes(machine, instruction));
   if (instruction->exports_through_address)
      note(machine, SIMULATE_EXPORT_RANGE, lanes & find_dropped(machine));
}

/* ---- results ------------------------------------------------------------- */

static void
saturate(uint32_t *restrict row)
{
   FOR_LANES (i)
      row[i] = formula_saturate(row[i]);
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

/* Each lane to the export that its A0 says. */
static void
scatter(struct simulate_machine *machine, unsigned component,
        const uint32_t *from, uint32_t lanes)
{
   FOR_LANES (i) {
      uint32_t index = machine->export_row[i];

      if (simulate_has_lane(lanes, i) && index < TG_TEGRA_NUM_EXPORTS)
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

/* Remembers for check_reads() who has written. */
static void
note_written(struct simulate_machine *machine, const struct simulate_slot *slot,
             unsigned k, const uint32_t *where)
{
   uint32_t *written = slot->is_address ? machine->address_written
                                        : machine->written[slot->index];

   written[k] |= lanes_of(where, machine->active);
}

static void
write_component(struct simulate_machine *machine,
                const struct simulate_instruction *instruction,
                const struct simulate_slot *slot, unsigned k,
                const uint32_t *where)
{
   const uint32_t *from = slot->result[k];

   if (slot->to)
      store(slot->to[k], from, where);
   if (slot->to && machine->has_doubtful_reads)
      note_written(machine, slot, k, where);
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

#endif
