/* SPDX-License-Identifier: MIT
 *
 * What waves are charged for operations that take longer than an instruction.
 */
#ifndef TG_EXEC_INTERP_STEPS_H
#define TG_EXEC_INTERP_STEPS_H

#include "lir/lir.h"

enum {
   INTERP_BYTES_PER_STEP = 64, /* that are filled or moved in one step */
   INTERP_ATOMIC_STEPS = 64,   /* more, of an atomic operation */
   INTERP_ACCESS_STEPS = 96, /* more, of an access to memory that is larger: */
   INTERP_CACHED_BYTES = 1 << 20 /* and so in no cache */
};

/* More steps of what a processor does lane by lane. */
static const uint8_t interp_more_steps[LIR_NUM_OPS] = {
   [LIR_OP_idiv] = 8,  [LIR_OP_udiv] = 8,   [LIR_OP_irem] = 8,
   [LIR_OP_urem] = 8,  [LIR_OP_ldiv] = 20,  [LIR_OP_uldiv] = 20,
   [LIR_OP_lrem] = 20, [LIR_OP_ulrem] = 20, [LIR_OP_ddiv] = 4,
   [LIR_OP_f2l] = 8,   [LIR_OP_f2ul] = 12,  [LIR_OP_d2l] = 8,
   [LIR_OP_d2ul] = 12, [LIR_OP_d2u] = 4,    [LIR_OP_ul2f] = 8,
   [LIR_OP_ul2d] = 4,  [LIR_OP_l2f] = 4,    [LIR_OP_read_lane] = 4,
};

/* In a handler. */
#define INTERP_CHARGE(steps)                                                   \
   (state->since -= (uintptr_t)(steps) * sizeof(struct interp_inst))

#endif
