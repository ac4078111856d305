/* SPDX-License-Identifier: MIT
 *
 * Shaders that are run two ways: by the TGSI interpreter, and as programs of
 * the vertex unit. Registers are those of the unit in both, so that results
 * can be compared: a[n] for IN[n], c[n] for constants of all buffers,
 * export[n] for outputs.
 */
#ifndef TESTS_TEGRA_CORPUS_H
#define TESTS_TEGRA_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/tegra.h"

enum { CORPUS_VERTICES = 1000 };

typedef uint32_t corpus_vector[4];

/* What all runs of a shader read. */
struct corpus_inputs {
   corpus_vector attributes[CORPUS_VERTICES][TG_TEGRA_NUM_ATTRIBUTES];
   corpus_vector constants[TG_TEGRA_NUM_CONSTANTS];
};

struct corpus_outputs {
   corpus_vector exports[CORPUS_VERTICES][TG_TEGRA_NUM_EXPORTS];
};

/* Where registers of the unit are in a shader. */
struct corpus_layout {
   unsigned num_constants;
   struct {
      uint16_t dimension, index;
   } constants[TG_TEGRA_NUM_CONSTANTS];
   int outputs[TG_TEGRA_NUM_EXPORTS]; /* -1: none */
};

/* What the unit is not expected to do; to be or-ed. */
enum corpus_uses {
   CORPUS_TEXTURES = 1 << 0, /* and images, buffers, memory */
   CORPUS_INTEGERS = 1 << 1,
   CORPUS_DOUBLES = 1 << 2,
   CORPUS_SYSTEM_VALUES = 1 << 3,
};

/* NULL, with a line on stderr, for a file that is no shader. */
struct tg_shader *
corpus_read(const char *path);

/* NULL, with what is wrong on stderr unless `name` is NULL. */
struct tg_shader *
corpus_parse(const char *name, const char *text, size_t length,
             enum tg_dialect dialect);

/* The shader whose results the unit has to give exactly, as compiled with exact
 * arithmetic or without; NULL when out of memory. */
struct tg_shader *
corpus_expand(const struct tg_shader *shader, bool exact);

unsigned
corpus_uses(const struct tg_shader *shader);

/* By the rules of tg_tegra_compile(). */
void
corpus_lay_out(const struct tg_shader *shader, struct corpus_layout *layout);

/* By those of tg_tegra_decompile(). */
void
corpus_lay_out_decompiled(struct corpus_layout *layout);

/* Knuth's, of MMIX. */
uint32_t
corpus_random(uint64_t *state);

enum corpus_values {
   CORPUS_ALL_VALUES, /* small numbers, whole ones, some that are special */
   CORPUS_ORDINARY_VALUES, /* -4 to 4, none of them tiny */
};
void
corpus_fill(struct corpus_inputs *inputs, uint64_t seed,
            enum corpus_values values);

/* False when the interpreter refuses the shader, or comes to no end. */
bool
corpus_interpret(const struct tg_shader *shader,
                 const struct corpus_layout *layout,
                 const struct corpus_inputs *inputs,
                 struct corpus_outputs *outputs);

/* False when a vertex does not end well. */
bool
corpus_simulate(const struct tg_tegra_program *program,
                const struct corpus_inputs *inputs,
                struct corpus_outputs *outputs);

/* How far results are apart. */
struct corpus_difference {
   uint64_t num_values, num_different;
   uint32_t greatest; /* in units of the last place; UINT32_MAX: one is NaN */
   unsigned vertex, export_index, component; /* of the greatest */
};

/* Adds the exports that the layout has. */
void
corpus_compare(const struct corpus_layout *layout,
               const struct corpus_outputs *expected,
               const struct corpus_outputs *got,
               struct corpus_difference *difference);

/* ---- all that is to hold of a shader ------------------------------------- */

enum corpus_way {
   CORPUS_UNOPTIMISED,
   CORPUS_SINGLE_ISSUE, /* optimised, with one operation a word */
   CORPUS_OPTIMISED,
   CORPUS_EXACT_UNOPTIMISED, /* with exact arithmetic */
   CORPUS_EXACT,
   CORPUS_NUM_WAYS
};

struct corpus_result {
   unsigned uses;                   /* enum corpus_uses */
   uint32_t words[CORPUS_NUM_WAYS]; /* instructions; 0: it is refused */
   uint32_t least; /* that its optimised operations could be, in any order */
   enum tg_result code; /* that it is refused with */
   char reason[200];    /* why */
   /* Between the shader and what is expected of the unit; and what it gives
    * with exact arithmetic. */
   struct corpus_difference difference, exact_difference;
   unsigned failures; /* each told on stderr */
};

/* Compiles it in all ways. What comes out is checked, goes through text and
 * back, gives what is expected to the bit, and so does what is decompiled. With
 * exact arithmetic that is what the shader gives, for ordinary values. */
void
corpus_try(const char *name, const struct tg_shader *shader, uint64_t seed,
           enum corpus_values values, struct corpus_result *result);

#endif
