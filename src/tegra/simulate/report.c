/* SPDX-License-Identifier: MIT
 *
 * Reports of undefined behaviour: what vertices did that no document defines,
 * and how they ended, counted for each instruction while they run and reported
 * afterwards.
 */
#include "tegra/simulate/simulate.h"

struct row {
   const char *code, *message, *note;
};

static const struct row rows[SIMULATE_NUM_FINDINGS] = {
   [SIMULATE_UNDEFINED_TEMPORARY] = {"undefined-temporary",
                                     "a temporary that was never written is "
                                     "read",
                                     "it is 0 here"},
   [SIMULATE_UNDEFINED_ADDRESS] = {"undefined-address",
                                   "A0 is read and was never written",
                                   "it is 0 here"},
   [SIMULATE_UNDEFINED_SOURCE] = {"undefined-source",
                                  "a source of no type is read",
                                  "it is 0 here"},
   [SIMULATE_CONSTANT_RANGE] = {"constant-range",
                                "a constant above c[255] is read",
                                "it is 0 here"},
   [SIMULATE_ATTRIBUTE_RANGE] = {"attribute-range",
                                 "an attribute outside of a[0] to a[15] is "
                                 "read",
                                 "it is 0 here"},
   [SIMULATE_EXPORT_RANGE] = {"export-range",
                              "an export below 0 or above 31 is written",
                              "nothing is written here"},
   [SIMULATE_BAD_END +
      TG_TEGRA_OUT_OF_STEPS] = {"out-of-steps", "no steps are left", NULL},
   [SIMULATE_BAD_END + TG_TEGRA_BAD_REGISTER] =
      {"bad-register", "the program aborts: a register does not exist",
       "destinations are 0 to 31 or 63, indices of sources 0 to 31, used or "
       "not"},
   [SIMULATE_BAD_END +
      TG_TEGRA_BAD_EXPORT] = {"bad-export",
                              "the program aborts: an export does not exist",
                              "exports are 0 to 15, or 31 for none"},
   [SIMULATE_BAD_END +
      TG_TEGRA_STACK_OVERFLOW] = {"stack-overflow",
                                  "the program aborts: the stack is full",
                                  "it has 8 entries"},
   [SIMULATE_BAD_END +
      TG_TEGRA_STACK_UNDERFLOW] = {"stack-underflow",
                                   "the program aborts: the stack is empty",
                                   NULL},
   [SIMULATE_BAD_END + TG_TEGRA_STACK_MISMATCH] =
      {"stack-mismatch",
       "the program aborts: the top of the stack is of the other kind",
       "CAL and RET push and pop addresses of instructions, PUSHA and POPA A0"},
   [SIMULATE_BAD_END + TG_TEGRA_UNKNOWN_OPCODE] =
      {"unknown-opcode", "the program aborts: nothing is known of an opcode",
       NULL},
   [SIMULATE_BAD_END + TG_TEGRA_RAN_OFF] =
      {"ran-off", "the program aborts: after this there is no instruction",
       "the last instruction has the end bit"},
};

void
simulate_note_for_report(struct simulate_machine *machine,
                         enum simulate_finding finding, uint32_t lanes)
{
   struct simulate_count *count = &machine->counts[machine->pc][finding];
   uint32_t wave = machine->first_vertex;
   uint32_t first = wave + (uint32_t)__builtin_ctz(lanes);

   if (count->num == 0 || count->wave != wave)
      count->lanes = 0;
   if (count->num == 0 || first < count->first)
      count->first = first;
   count->wave = wave;
   count->num += (uint32_t)__builtin_popcount(lanes & ~count->lanes);
   count->lanes |= lanes;
}

static void
warn(const struct tg_tegra_program *program, uint32_t instruction,
     const struct row *row, const struct simulate_count *count,
     struct tg_diagnostics *diagnostics)
{
   uint32_t others = count->num - 1;

   if (others == 0)
      tegra_program_diagnose(diagnostics, TG_SEVERITY_WARNING, row->code,
                             program, instruction, row->note, "%s (vertex %u)",
                             row->message, count->first);
   else
      tegra_program_diagnose(diagnostics, TG_SEVERITY_WARNING, row->code,
                             program, instruction, row->note,
                             "%s (vertex %u and %u other%s)", row->message,
                             count->first, others, others == 1 ? "" : "s");
}

void
simulate_report(const struct simulate_machine *machine,
                struct tg_diagnostics *diagnostics)
{
   for (uint32_t i = 0; i < machine->num_instructions; i++) {
      for (unsigned k = 0; k < SIMULATE_NUM_FINDINGS; k++) {
         const struct simulate_count *count = &machine->counts[i][k];

         if (count->num)
            warn(machine->program, i, &rows[k], count, diagnostics);
      }
   }
}
