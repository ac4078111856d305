/* SPDX-License-Identifier: MIT
 *
 * How passes change a function that do not move code. They only ever drop an
 * instruction, put an earlier value in the place of one, or overwrite it where
 * it stands; so a function can be rewritten in place, and all memory is taken
 * beforehand.
 */
#ifndef LIR_REWRITE_H
#define LIR_REWRITE_H

#include <assert.h>

#include "lir/lir.h"
#include "tungsten/base.h"

/* One function while it is rewritten. Instructions keep their numbers until
 * the end. */
struct lir_rewrite {
   struct lir_module *module;
   struct lir_function *function;
   uint32_t function_index;
   struct tg_arena *scratch; /* freed after this function */

   /* For each instruction: itself while it is kept, the value that is used in
    * its place, or LIR_DROPPED. */
   uint32_t *stands_for;
   bool changed; /* set it when overwriting an instruction */
};

#define LIR_DROPPED UINT32_MAX

/* The replacement of a value, or the value itself. */
static inline lir_value
lir_rewrite_value(const struct lir_rewrite *rewrite, lir_value value)
{
   assert(value.index < rewrite->function->num_insts);
   assert(rewrite->stands_for[value.index] != LIR_DROPPED);
   return (lir_value){rewrite->stands_for[value.index]};
}

/* Brings the operands of an instruction up to date; call it when a forward
 * walk comes to the instruction. */
static inline void
lir_rewrite_operands(const struct lir_rewrite *rewrite, struct lir_inst *inst)
{
   for (unsigned i = 0; i < lir_op_row(inst->op)->num_operands; i++)
      inst->operand[i] = lir_rewrite_value(rewrite, inst->operand[i]);
}

/* Drops an instruction and gives its uses another, earlier value, which is
 * kept and visible wherever the instruction was. */
static inline void
lir_rewrite_replace(struct lir_rewrite *rewrite, uint32_t index,
                    lir_value value)
{
   assert(index < rewrite->function->num_insts);
   assert(value.index < index);
   assert(rewrite->stands_for[value.index] == value.index);
   rewrite->stands_for[index] = value.index;
   rewrite->changed = true;
}

/* Drops an instruction whose value nothing that is kept uses. */
static inline void
lir_rewrite_drop(struct lir_rewrite *rewrite, uint32_t index)
{
   assert(index > 0 && index < rewrite->function->num_insts);
   rewrite->stands_for[index] = LIR_DROPPED;
   rewrite->changed = true;
}

/* Is the instruction kept? */
static inline bool
lir_rewrite_keeps(const struct lir_rewrite *rewrite, uint32_t index)
{
   assert(index < rewrite->function->num_insts);
   return rewrite->stands_for[index] == index;
}

/* Calls `rewrite_function` for each function of the module, and afterwards
 * closes the gaps. It returns false when out of memory, and must not have
 * overwritten anything then. Sets `*changed_out` if anything changed. */
enum tg_result
lir_rewrite_module(struct lir_module *module,
                   bool (*rewrite_function)(struct lir_rewrite *rewrite,
                                            void *user),
                   void *user, bool *changed_out);

#endif
