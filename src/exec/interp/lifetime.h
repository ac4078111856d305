/* SPDX-License-Identifier: MIT
 *
 * What decoding must know of a function beforehand: where its constructs end,
 * how long each value is needed, and which reads of variables need no copy.
 */
#ifndef TG_EXEC_INTERP_LIFETIME_H
#define TG_EXEC_INTERP_LIFETIME_H

#include "lir/lir.h"

struct interp_lifetimes {
   /* By instruction. Of what opens: its else, or its end if it has none; of an
    * else: its end; of an end: what it closes. */
   uint32_t *match;
   /* By value: the last instruction before which its slot must keep it. A
    * value from outside a loop that is used inside is kept to the loop's end,
    * for the next time round. */
   uint32_t *last;
   /* By value: a getvar whose variable nobody writes up to `last`, so that the
    * variable's own slot will do. */
   bool *is_alias;
   uint32_t max_level; /* of constructs; 0 when there are none */
};

/* Is operand 0 a constant index of memory, which decoding puts into the
 * instruction? That is then no use of the constant. Stores to memory that all
 * lanes see have no such form. */
static inline bool
interp_has_constant_index(const struct lir_function *function,
                          const struct lir_inst *inst)
{
   const struct lir_op_info *info = lir_op_row(inst->op);
   bool in_lanes = info->imm == LIR_IMM_MEM &&
                   lir_mem_space(inst->imm) >= LIR_NUM_UNIFORM_SPACES;

   return (inst->op == LIR_OP_load32 ||
           (inst->op == LIR_OP_store32 && in_lanes)) &&
          function->insts[inst->operand[0].index].op == LIR_OP_const32;
}

/* The first operand of an instruction that is read from a slot. */
static inline unsigned
interp_first_use(const struct lir_function *function,
                 const struct lir_inst *inst)
{
   return interp_has_constant_index(function, inst) ? 1 : 0;
}

/* Matches constructs and finds the live ranges of values. The arrays are the
 * arena's. `write_of_var` has a UINT32_MAX for each variable of the module,
 * before and afterwards. False when out of memory. */
bool
interp_find_lifetimes(struct tg_arena *arena,
                      const struct lir_function *function,
                      uint32_t *write_of_var,
                      struct interp_lifetimes *lifetimes_out);

#endif
