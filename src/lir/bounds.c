/* SPDX-License-Identifier: MIT
 *
 * Bounds check elimination: marks accesses that ranges prove to be inside of
 * their memory, which executors then do not check. The size of the memory must
 * be known: that of arrays is, and a module may declare that of constants.
 */
#include "lir/bounds.h"

#include "lir/passes.h"

static const struct lir_range *
range_of(struct lir_bounds *bounds, uint32_t function, uint32_t value)
{
   if (!bounds->ranges && !bounds->failed) {
      bounds->ranges = lir_find_ranges(bounds->module, bounds->arena);
      bounds->failed = !bounds->ranges;
   }
   return bounds->failed ? NULL : &bounds->ranges[function][value];
}

/* Most modules have constant indices alone, which need no ranges. */
static bool
is_below(struct lir_bounds *bounds, uint32_t function, uint32_t value,
         uint32_t num_words)
{
   const struct lir_inst *index =
      &bounds->module->functions[function].insts[value];

   if (index->op == LIR_OP_const32)
      return index->imm < num_words;
   const struct lir_range *range = range_of(bounds, function, value);
   return range && lir_range_unsigned(range).most < num_words;
}

/* Words of which the module says the number; 0 if it does not. Arrays are in
 * words, and so is what is declared. */
static uint32_t
known_words(const struct lir_module *module, const struct lir_inst *inst)
{
   const uint32_t binding = lir_mem_binding(inst->imm);

   switch (lir_mem_space(inst->imm)) {
   case LIR_SPACE_ARRAY: return module->arrays[binding].num_words;
   case LIR_SPACE_CONST:
      return inst->op == LIR_OP_load32
                ? lir_module_declared_words(module, binding)
                : 0;
   default: return 0;
   }
}

bool
lir_bounds_prove(struct lir_bounds *bounds, uint32_t function, uint32_t index)
{
   assert(function < bounds->module->num_functions);
   assert(index < bounds->module->functions[function].num_insts);
   const struct lir_inst *inst =
      &bounds->module->functions[function].insts[index];
   const struct lir_op_info *row = lir_op_row(inst->op);

   if (row->imm != LIR_IMM_MEM || row->num_operands == 0)
      return false;
   const uint32_t num_words = known_words(bounds->module, inst);
   return num_words > 0 &&
          is_below(bounds, function, inst->operand[0].index, num_words);
}

enum tg_result
lir_pass_bounds(struct lir_module *module, bool *changed_out)
{
   struct tg_arena arena;
   struct lir_bounds bounds = {.module = module, .arena = &arena};

   (void)changed_out; /* the code stays as it is */
   tg_arena_init(&arena, module->arena.allocator);
   for (uint32_t k = 0; k < module->num_functions; k++) {
      struct lir_function *function = &module->functions[k];

      for (uint32_t i = 0; i < function->num_insts; i++)
         function->insts[i].is_inside = lir_bounds_prove(&bounds, k, i);
   }
   tg_arena_finish(&arena);
   return bounds.failed ? TG_ERROR_MEMORY : TG_OK;
}
