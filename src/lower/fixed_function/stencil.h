/* SPDX-License-Identifier: MIT
 *
 * The stencil test as LIR (OpenGL 4.6, 17.3.3): whether a fragment passes, and
 * what becomes of the stencil.
 */
#ifndef TG_LOWER_FIXED_FUNCTION_STENCIL_H
#define TG_LOWER_FIXED_FUNCTION_STENCIL_H

#include "lower/fixed_function/compare_func.h"
#include "tungsten/gpu.h"
#include "util/members.h"

enum { LOWER_NUM_STENCIL_OPS = TG_STENCIL_INVERT + 1 };

/* One face's state. No padding: keys are hashed. */
struct lower_stencil_key {
   uint8_t enabled;
   uint8_t func;     /* enum tg_compare: reference func stencil */
   uint8_t fail_op;  /* enum tg_stencil_op, by how the two tests end: */
   uint8_t zfail_op; /* stencil passes, depth fails */
   uint8_t zpass_op;
   uint8_t valuemask; /* bits that are compared */
   uint8_t writemask; /* bits that are written */
   uint8_t zero;
};

extern const struct tg_member lower_stencil_key_members[];

/* Emits the stencil test: whether a fragment passes. `reference` and `stencil`
 * are words of 8 bits. */
lir_value
lower_stencil_test(struct lir_builder *builder,
                   const struct lower_stencil_key *key, lir_value reference,
                   lir_value stencil);

/* Whether the test may change a stencil at all. */
bool
lower_stencil_writes(const struct lower_stencil_key *key);

/* Emits the stencil operations: the stencil afterwards, given how the two tests
 * ended. */
lir_value
lower_stencil_update(struct lir_builder *builder,
                     const struct lower_stencil_key *key, lir_value reference,
                     lir_value stencil, lir_value stencil_passes,
                     lir_value depth_passes);

#endif
