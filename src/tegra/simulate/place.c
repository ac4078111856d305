/* SPDX-License-Identifier: MIT
 *
 * Destinations without copies: plain instructions compute right where a result
 * is wanted, if nothing that is read after that lies there, else somewhere from
 * where it is copied.
 *
 * The vector unit computes first. A component is computed at once in all lanes,
 * each of which reads before it writes.
 */
#include "tegra/simulate/simulate.h"

#include <assert.h>

#include "util/length.h"

/* Does a unit compute one component after the other, and write each before it
 * reads for the next? A replicated result has one. */
static bool
is_by_component(const struct simulate_slot *slot)
{
   return slot->kind == TEGRA_RESULT_COMP || slot->kind == TEGRA_RESULT_ADDR;
}

/* Is a row read when it holds component k of the unit's result already? */
static bool
is_read_later(const struct simulate_instruction *instruction,
              enum tegra_unit unit, unsigned k, const uint32_t *row)
{
   const struct simulate_slot *slot = &instruction->slot[unit];
   bool is_scalar_waiting =
      unit == TEGRA_VECTOR && instruction->slot[TEGRA_SCALAR].function;

   for (unsigned i = 0; i < TEGRA_NUM_SOURCES; i++) {
      for (unsigned j = 0; j < 4; j++) {
         bool is_own =
            is_by_component(slot) && j > k && tegra_mask_has(slot->mask, j);
         bool is_of_scalar = is_scalar_waiting && i == TEGRA_RC;

         if (instruction->source[i].row[j] == row && (is_own || is_of_scalar))
            return true;
      }
   }
   return false;
}

/* Does a unit write one component alone? */
static bool
is_single(unsigned mask)
{
   return (mask & (mask - 1)) == 0;
}

/* Do both units write to one register? */
static bool
do_meet(const struct simulate_instruction *instruction)
{
   const struct simulate_slot *vector = &instruction->slot[TEGRA_VECTOR];

   return vector->to && vector->to == instruction->slot[TEGRA_SCALAR].to;
}

static bool
is_in_place(const struct simulate_instruction *instruction,
            enum tegra_unit unit, simulate_row *rows)
{
   assert(unit < TG_LENGTH(instruction->slot));
   const struct simulate_slot *slot = &instruction->slot[unit];

   if (slot->kind == TEGRA_RESULT_VEC ||
       (slot->kind == TEGRA_RESULT_REPL && !is_single(slot->mask)) ||
       do_meet(instruction))
      return false;
   for (unsigned k = 0; k < 4; k++) {
      if (tegra_mask_has(slot->mask, k) &&
          is_read_later(instruction, unit, k, rows[k]))
         return false;
   }
   return true;
}

static void
add_copies(struct simulate_instruction *instruction, unsigned mask,
           simulate_row *to, const uint32_t *const from[4])
{
   for (unsigned k = 0; k < 4; k++) {
      if (tegra_mask_has(mask, k))
         instruction->copies[instruction->num_copies++] =
            (struct simulate_copy){to[k], from[k]};
   }
}

/* The place for a result in rows: of a replicated one, the row of its one
 * component. */
static simulate_row *
place_in(const struct simulate_slot *slot, simulate_row *rows)
{
   unsigned k = 0;

   while (slot->kind == TEGRA_RESULT_REPL && !tegra_mask_has(slot->mask, k))
      k++;
   return rows + k;
}

static void
place(struct simulate_machine *machine,
      struct simulate_instruction *instruction, enum tegra_unit unit)
{
   assert(unit < TG_LENGTH(instruction->slot));
   const struct simulate_slot *slot = &instruction->slot[unit];
   simulate_row *export =
      slot->exports ? machine->exports[instruction->export_index] : NULL;
   simulate_row *rows = slot->to ? slot->to : export;

   if (!slot->function)
      return;
   if (!is_in_place(instruction, unit, rows)) {
      instruction->place[unit] = machine->result[unit];
      add_copies(instruction, slot->mask, rows, slot->result);
   } else {
      instruction->place[unit] = place_in(slot, rows);
   }
   if (rows != export && export) {
      const uint32_t *from[4] = {rows[0], rows[1], rows[2], rows[3]};

      add_copies(instruction, slot->mask, export, from);
   }
}

void
simulate_place(struct simulate_machine *machine,
               struct simulate_instruction *instruction)
{
   /* What is copied last stays. */
   place(machine, instruction, TEGRA_SCALAR);
   place(machine, instruction, TEGRA_VECTOR);
}
