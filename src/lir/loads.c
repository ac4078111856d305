/* SPDX-License-Identifier: MIT
 *
 * Which words of a lane memory a module loads, so that its caller need not fill
 * in the others.
 */
#include "lir/passes.h"

/* Of one load. False when it may be of another word. */
static bool
note_load(const struct lir_function *function, const struct lir_inst *load,
          bool *is_loaded, uint32_t num_words)
{
   const struct lir_inst *index = &function->insts[load->operand[0].index];

   if (index->op != LIR_OP_const32 || index->imm >= num_words)
      return false;
   is_loaded[index->imm] = true;
   return true;
}

static bool
is_load(const struct lir_inst *inst, enum lir_space space)
{
   return lir_op_row(inst->op)->imm == LIR_IMM_MEM &&
          lir_mem_space(inst->imm) == space;
}

bool
lir_find_loads(const struct lir_module *module, enum lir_space space,
               bool *is_loaded, uint32_t num_words)
{
   bool is_known = true;

   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *function = &module->functions[k];

      for (uint32_t i = 0; i < function->num_insts; i++) {
         const struct lir_inst *inst = &function->insts[i];

         if (is_load(inst, space))
            is_known &= note_load(function, inst, is_loaded, num_words);
      }
   }
   return is_known;
}
