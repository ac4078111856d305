/* SPDX-License-Identifier: MIT
 *
 * Divergence and reconvergence: which lanes of a wave execute together, how
 * they part, wait for each other, join again and end.
 */
#include <string.h>

#include "tegra/simulate/simulate.h"
#include "util/minmax.h"

/* Each active lane gets its own account. */
void
simulate_leave_group(struct simulate_machine *machine)
{
   FOR_LANES (i) {
      if (simulate_has_lane(machine->active, i)) {
         machine->pc_of[i] = machine->pc;
         machine->steps_of[i] += machine->quota - machine->left;
      }
   }
   machine->quota = machine->left;
}

void
simulate_group_fill_active_row(struct simulate_machine *machine)
{
   FOR_LANES (i)
      machine->active_row[i] =
         simulate_has_lane(machine->active, i) ? UINT32_MAX : 0;
}

/* The live lanes at the lowest program counter become the active ones. */
void
simulate_join_group(struct simulate_machine *machine)
{
   uint32_t pc = UINT32_MAX, most_steps = 0;

   FOR_LANES (i) {
      if (simulate_has_lane(machine->live, i))
         pc = tg_min_u32(pc, machine->pc_of[i]);
   }
   machine->pc = pc;
   machine->active = 0;
   machine->waiting = UINT32_MAX;
   FOR_LANES (i) {
      if (!simulate_has_lane(machine->live, i))
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
   simulate_group_fill_active_row(machine);
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
void
simulate_group_end_lanes(struct simulate_machine *machine, uint32_t lanes,
                         enum tg_tegra_end end)
{
   if (!lanes)
      return;
   machine->live &= ~lanes;
   machine->active &= ~lanes;
   machine->last_end = (uint8_t)end;
   FOR_LANES (i) {
      if (!simulate_has_lane(lanes, i))
         continue;
      copy_exports(machine, i);
      if (machine->batch->ends)
         machine->batch->ends[machine->first_vertex + i] = (uint8_t)end;
   }
   if (end != TG_TEGRA_ENDED)
      simulate_note_for_report(machine, SIMULATE_BAD_END + end, lanes);
}

/* Lanes of the group whose accounts say that they ran off end there. */
void
simulate_group_end_lanes_past_end(struct simulate_machine *machine)
{
   uint32_t lanes = 0;

   FOR_LANES (i) {
      if (machine->pc_of[i] >= machine->num_instructions)
         lanes |= 1u << i;
   }
   simulate_group_end_lanes(machine, lanes & machine->active, TG_TEGRA_RAN_OFF);
}

/* All active lanes go to the same instruction. */
void
simulate_group_continue_at(struct simulate_machine *machine, uint32_t pc)
{
   if (pc < machine->waiting && pc < machine->num_instructions) {
      machine->pc = pc;
      return;
   }
   simulate_leave_group(machine);
   FOR_LANES (i) {
      if (simulate_has_lane(machine->active, i))
         machine->pc_of[i] = pc;
   }
   simulate_group_end_lanes_past_end(machine);
   simulate_join_group(machine);
}

/* At least one lane of the group has no steps left. */
void
simulate_group_run_out_of_steps(struct simulate_machine *machine)
{
   uint32_t lanes = 0;

   simulate_leave_group(machine);
   FOR_LANES (i) {
      if (machine->steps_of[i] == machine->batch->max_steps)
         lanes |= 1u << i;
   }
   simulate_group_end_lanes(machine, lanes & machine->active,
                            TG_TEGRA_OUT_OF_STEPS);
   simulate_join_group(machine);
}
