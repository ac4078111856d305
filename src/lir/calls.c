/* SPDX-License-Identifier: MIT
 *
 * Effects of calls on variables.
 */
#include "lir/calls.h"

static void
note_callees(struct lir_calls *calls, const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (lir_op_row(inst->op)->imm == LIR_IMM_FUNCTION)
         calls->is_called[inst->imm] = true;
   }
}

static void
note_effects(struct lir_calls *calls, const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (lir_op_row(inst->op)->imm != LIR_IMM_VAR)
         continue;
      if (lir_op_row(inst->op)->flags & LIR_FLAG_WRITE)
         calls->writes[inst->imm] = true;
      else
         calls->reads[inst->imm] = true;
   }
}

bool
lir_calls_init(struct lir_calls *calls, struct tg_arena *arena,
               const struct lir_module *module)
{
   calls->is_called =
      tg_arena_array(arena, module->num_functions, sizeof(bool));
   calls->reads = tg_arena_array(arena, module->num_vars, sizeof(bool));
   calls->writes = tg_arena_array(arena, module->num_vars, sizeof(bool));
   if (!calls->is_called || !calls->reads || !calls->writes)
      return false;

   for (uint32_t i = 0; i < module->num_functions; i++)
      note_callees(calls, &module->functions[i]);
   for (uint32_t i = 0; i < module->num_functions; i++) {
      if (calls->is_called[i])
         note_effects(calls, &module->functions[i]);
   }
   return true;
}
