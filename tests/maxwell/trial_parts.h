/* SPDX-License-Identifier: MIT
 *
 * A trial while it is going on, for the files that it is made of.
 */
#ifndef TESTS_MAXWELL_TRIAL_PARTS_H
#define TESTS_MAXWELL_TRIAL_PARTS_H

#include "lower_trial.h"
#include "maxwell/lower/plan.h"
#include "tungsten/run.h"

enum {
   LANES = TG_MAX_LANES,
   MOST_OBJECTS = 64,
   MOST_REGISTERS = 4096,
   NUM_BUFFERS = 2,      /* of constants that have numbers in them */
   FACES = MOST_OBJECTS, /* views of faces stand behind the others */
   NUM_HANDLES = 4 * MOST_OBJECTS,
};

/* One channel that the instruction that is under way has written. */
struct written {
   bool is_written;
   uint32_t lanes;
   uint32_t words[LANES];
};

/* What the interpreter has in a component of a register. */
struct shadow {
   uint32_t known; /* lanes in which it was written */
   uint32_t words[LANES];
};

struct trial {
   const char *name;
   struct trial_options options;
   struct trial_totals *totals;
   struct tg_shader *shader;
   struct tg_maxwell_lowering *lowering;
   struct tg_program *program;
   struct tg_run *run;
   struct tg_bindings *bindings;
   struct tg_view_desc views[2 * MOST_OBJECTS];
   struct tg_sampler_desc samplers[MOST_OBJECTS];
   bool has_view[MOST_OBJECTS];
   uint32_t handles[NUM_HANDLES];
   uint64_t seed;

   uint32_t (*registers)[TG_MAXWELL_NUM_THREADS];
   struct shadow (*shadows)[MOST_REGISTERS][4]; /* by file */
   uint32_t instruction; /* under way, or MAXWELL_LOWER_NONE */
   struct written written[TG_MAX_DST][4];
   uint32_t (*constants)[MOST_REGISTERS][4]; /* of CONST[0] and CONST[1] */
   /* Lanes in which a step was given what it cannot work with: an offset that
    * does not fit its bits, a divisor whose reciprocal is no float; and those
    * of quads with a NaN, which is 0 for texture instructions. */
   uint32_t unfit;
   double allowance[LANES]; /* how much a texel may be off */
   bool failed;
};

/* Says what is wrong, once. */
void
trial_fail(struct trial *trial, const char *what, uint32_t number);

static inline uint32_t *
trial_registers(const struct trial *trial, uint32_t value)
{
   return trial->registers[trial->lowering->values[value].reg];
}

/* ---- trial_inputs.c ------------------------------------------------------ */

/* Gives inputs and constants to both, other ones each time. */
void
trial_set_inputs(struct trial *trial);

/* Binds a texture and sampler for each that the shader names. */
void
trial_bind_textures(struct trial *trial);

/* What an instruction asks for, if it is one of texture. */
struct maxwell_lower_plan
trial_ask(const struct trial *trial, uint32_t at);

/* ---- trial_steps.c ------------------------------------------------------- */

/* Runs what a texture instruction became. */
void
trial_run_steps(struct trial *trial, const struct maxwell_lower_fetch *fetch,
                uint32_t lanes);

/* ---- trial_hazards.c ----------------------------------------------------- */

/* Finds who does not wait for registers that a word still reads or writes. */
void
trial_find_hazards(struct trial *trial);

/* ---- trial_allowance.c --------------------------------------------------- */

/* Finds how much each lane's texels may be off, from the operands as they are
 * in front of the instruction. */
void
trial_find_allowance(struct trial *trial,
                     const struct maxwell_lower_fetch *fetch);

/* Compares a component of a lane's texel. */
void
trial_compare(struct trial *trial, const struct maxwell_lower_fetch *fetch,
              unsigned lane, uint32_t expected, uint32_t found);

#endif
