/* SPDX-License-Identifier: MIT
 *
 * Random modules that verify, end, and write what they computed to outputs 0
 * to RANDOM_OUTPUTS-1, a buffer and the listener. The same seed gives the same
 * module everywhere.
 *
 * No result depends on which NaN an operation gave: where bits of a number are
 * looked at as bits, NaN is first made one certain NaN.
 */
#ifndef TESTS_LIR_RANDOM_LIR_H
#define TESTS_LIR_RANDOM_LIR_H

#include "lir/lir.h"

enum {
   RANDOM_OUTPUTS = 8,
   RANDOM_INPUTS = 8,        /* words of input memory that are read */
   RANDOM_CONSTS = 8,        /* words of constant buffer 0 that are read */
   RANDOM_BUFFER_WORDS = 16, /* of buffer 0, read and written */
};

/* The caller finishes the module. */
void
random_lir(struct lir_module *module, uint64_t seed);

/* The next number of a sequence, from any state. */
uint32_t
random_next(uint64_t *state);

#endif
