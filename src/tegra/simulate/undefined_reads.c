/* SPDX-License-Identifier: MIT
 *
 * Definite-assignment analysis: which reads of temporaries and of A0 find
 * something for certain, on whatever way the program came there. Only the
 * others are watched while it runs, and nothing is where there are none.
 */
#include <assert.h>
#include <string.h>

#include "tegra/simulate/simulate.h"

/* Components that were written for certain. */
struct defined {
   uint8_t temporaries[TG_TEGRA_NUM_TEMPORARIES];
   uint8_t address;
   bool is_reached;
};

struct analysis {
   struct simulate_machine *machine;
   /* Before each instruction, and where those that do not exist would be. */
   struct defined before[TG_TEGRA_MAX_INSTRUCTIONS + 1];
   struct defined returned; /* after any RET */
   bool has_changed;
};

/* ---- what an instruction writes ------------------------------------------ */

static void
define(const struct simulate_instruction *instruction, struct defined *defined)
{
   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      const struct simulate_slot *slot = &instruction->slot[unit];
      unsigned mask = slot->mask & ~instruction->gated;

      if (instruction->stack[unit] == TEGRA_EFFECT_POP)
         defined->address = TEGRA_MASK_XYZW;
      if (slot->is_address)
         defined->address |= (uint8_t)mask;
      else if (slot->to)
         defined->temporaries[slot->index] |= (uint8_t)mask;
   }
}

/* ---- ways through the program -------------------------------------------- */

/* One more way that leads somewhere: what holds there is what holds on all of
 * them. */
static void
flow_to(struct analysis *analysis, struct defined *place,
        const struct defined *defined)
{
   struct defined meet = *defined;

   if (place->is_reached) {
      meet.address &= place->address;
      for (unsigned i = 0; i < TG_TEGRA_NUM_TEMPORARIES; i++)
         meet.temporaries[i] &= place->temporaries[i];
   }
   if (memcmp(&meet, place, sizeof(meet)) == 0)
      return;
   *place = meet;
   analysis->has_changed = true;
}

/* A return may lead after any call. */
static void
flow_from(struct analysis *analysis, uint32_t index)
{
   assert(index < analysis->machine->num_instructions);
   const struct simulate_instruction *instruction =
      &analysis->machine->instructions[index];
   struct defined *next = &analysis->before[index + 1];
   struct defined defined = analysis->before[index];
   bool jumps = instruction->flow != TEGRA_EFFECT_NONE && instruction->accepted;
   bool always_jumps = jumps && instruction->accepted == SIMULATE_ANY;

   define(instruction, &defined);
   if (jumps && instruction->flow == TEGRA_EFFECT_RETURN)
      flow_to(analysis, &analysis->returned, &defined);
   else if (jumps)
      flow_to(analysis, &analysis->before[instruction->target], &defined);
   if (jumps && instruction->flow == TEGRA_EFFECT_CALL &&
       analysis->returned.is_reached)
      flow_to(analysis, next, &analysis->returned);
   if (!always_jumps && !instruction->end)
      flow_to(analysis, next, &defined);
}

/* ---- reads --------------------------------------------------------------- */

/* Leaves the reads that may find nothing; are there any? */
static bool
keep_doubtful_reads(const struct defined *defined,
                    struct simulate_instruction *instruction)
{
   unsigned doubtful = instruction->address_reads &= ~defined->address;

   for (unsigned i = 0; i < TEGRA_NUM_SOURCES; i++) {
      struct simulate_read *read = &instruction->reads[i];

      doubtful |= read->mask &= ~defined->temporaries[read->index];
   }
   return defined->is_reached && doubtful;
}

void
simulate_find_undefined_reads(struct simulate_machine *machine)
{
   struct analysis analysis = {
      .machine = machine,
      .before[0].is_reached = true,
      .has_changed = true,
   };

   while (analysis.has_changed) {
      analysis.has_changed = false;
      for (uint32_t i = 0; i < machine->num_instructions; i++) {
         if (analysis.before[i].is_reached &&
             machine->instructions[i].fault == TG_TEGRA_ENDED)
            flow_from(&analysis, i);
      }
   }
   for (uint32_t i = 0; i < machine->num_instructions; i++)
      machine->has_doubtful_reads |=
         keep_doubtful_reads(&analysis.before[i], &machine->instructions[i]);
}
