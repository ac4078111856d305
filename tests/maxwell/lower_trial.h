/* SPDX-License-Identifier: MIT
 *
 * A lowered shader on trial. The interpreter runs it, and whatever it writes
 * goes to the registers that the lowering gave; texture instructions are run
 * from these registers alone, step by step, and must give the texels that the
 * interpreter got. Before each instruction, of whatever kind, every component
 * that it reads must still be in its register, as the interpreter wrote it.
 */
#ifndef TESTS_MAXWELL_LOWER_TRIAL_H
#define TESTS_MAXWELL_LOWER_TRIAL_H

#include "maxwell/lower.h"

struct trial_totals {
   unsigned long lookups, texels, inexact;
   unsigned long words; /* of sources that were looked at in their registers */
   double greatest;     /* difference that was allowed */
};

/* True when nothing is wrong; else the first thing that is has been printed. */
bool
trial_run(const char *name, struct tg_shader *shader,
          struct tg_maxwell_lowering *lowering, struct trial_totals *totals);

#endif
