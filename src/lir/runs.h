/* SPDX-License-Identifier: MIT
 *
 * Runs of loads: the words of a vertex attribute, of a texel, of a descriptor.
 * Where an executor comes to the first it may load all of them at once.
 */
#ifndef LIR_RUNS_H
#define LIR_RUNS_H

#include "lir/lir.h"

/* An index, modulo 2^32: a value and a constant. */
struct lir_address {
   uint32_t base;
   uint32_t offset;
};

/* The address that a load of a word reads. */
struct lir_address
lir_address_of(const struct lir_function *function,
               const struct lir_inst *load);

/* May a run have the instruction in it? It loads words of memory that all lanes
 * have in common and nobody writes. */
bool
lir_run_may_have(const struct lir_inst *inst);

/* Does a run of `num_words` words begin with an instruction: is it a load, and
 * are the next ones loads of the words after its own? Their indices are then
 * defined before the first, since nothing else is between them. */
bool
lir_run_prove(const struct lir_function *function, uint32_t index,
              unsigned num_words);

#endif
