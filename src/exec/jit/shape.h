/* SPDX-License-Identifier: MIT
 *
 * The shape of a module: what a run of its code needs of memory and bindings,
 * whichever generator the code is from.
 */
#ifndef TG_EXEC_JIT_SHAPE_H
#define TG_EXEC_JIT_SHAPE_H

#include "lir/lir.h"

enum {
   JIT_MAX_MEMORIES = 128, /* bindings; what has more is left to the interpreter
                            */
};

/* A binding of a uniform space that the code names. */
struct jit_place {
   uint64_t mem;          /* see lir_mem() */
   uint32_t static_words; /* of LIR_SPACE_CONST: that are read unchecked */
};

struct jit_shape {
   struct jit_place bindings[JIT_MAX_MEMORIES];
   uint32_t num_bindings;
   uint32_t num_array_words;
   /* Words of lane memory that are read or written unchecked: by number of
    * space since LIR_SPACE_INPUT. */
   uint32_t static_lane_words[3];
   bool has_barriers;
   bool writes_shared; /* memory that its own waves and others read */
   bool is_too_much;   /* it can not be compiled */
};

/* Surveys a module. False when it names too many bindings. */
bool
jit_survey(const struct lir_module *module, struct jit_shape *shape);

/* The number of a binding that the survey found. */
uint32_t
jit_find_place(const struct jit_shape *shape, uint64_t mem);

#endif
