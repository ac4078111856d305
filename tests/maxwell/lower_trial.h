/* SPDX-License-Identifier: MIT
 *
 * A lowered shader on trial. The interpreter runs it, and whatever it writes
 * goes to the registers that the lowering gave; texture instructions are run
 * from these registers alone, step by step, and must give the texels that the
 * interpreter got. Before each instruction, of whatever kind, every component
 * that it reads must still be in its register, as the interpreter wrote it. Who
 * reads or writes a register must have waited for the fetches that do.
 */
#ifndef TESTS_MAXWELL_LOWER_TRIAL_H
#define TESTS_MAXWELL_LOWER_TRIAL_H

#include "maxwell/lower/lower.h"

struct trial_totals {
   unsigned long lookups, texels, inexact;
   unsigned long unfit; /* lookups of a lane that were not compared */
   unsigned long words; /* of sources that were looked at in their registers */
   double greatest;     /* difference that was allowed */
};

enum trial_inputs {
   TRIAL_COORDINATES, /* below 3, and small integers */
   TRIAL_GRID, /* such that derivatives in a quad are exact, and texels must be
                  those of the interpreter */
   TRIAL_FLOATS, /* from 1/32 to 1, with all their bits */
};

struct trial_options {
   enum trial_inputs inputs;
   uint64_t seed;       /* of the inputs */
   uint32_t anisotropy; /* of all samplers; 0 or 1: none */
   uint32_t killed;     /* lanes in which .NODEP fetches nothing, and which are
                           not looked at */
};

/* True when nothing is wrong; else the first thing that is has been printed. */
bool
trial_run(const char *name, struct tg_shader *shader,
          struct tg_maxwell_lowering *lowering,
          const struct trial_options *options, struct trial_totals *totals);

#endif
