/* SPDX-License-Identifier: MIT
 *
 * Inlining: the code of a function that is called from one place goes there, as
 * a block that its returns leave. The function is then for dce to drop. One
 * that only such a function calls is inlined in the next round.
 */
#include "lir/passes.h"

struct inliner {
   struct lir_module *module;
   struct tg_arena scratch;
   uint32_t *num_calls; /* of each function: places that call it */

   /* The function that is written anew: */
   const struct lir_function *function;
   struct lir_inst *insts;
   uint32_t count;
   uint32_t level; /* constructs that are open */
};

static void
count_calls(struct inliner *inliner)
{
   for (uint32_t i = 0; i < inliner->module->num_functions; i++) {
      const struct lir_function *function = &inliner->module->functions[i];

      for (uint32_t k = 0; k < function->num_insts; k++) {
         if (function->insts[k].op == LIR_OP_call)
            inliner->num_calls[function->insts[k].imm]++;
      }
   }
}

/* ---- what is inlined ----------------------------------------------------- */

static int
level_step(const struct lir_inst *inst)
{
   const uint8_t flags = lir_op_row(inst->op)->flags;

   return !!(flags & LIR_FLAG_OPEN) - !!(flags & LIR_FLAG_CLOSE);
}

static uint32_t
count_levels(const struct lir_function *function)
{
   uint32_t level = 0, most = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      level += (uint32_t)level_step(&function->insts[i]);
      most = level > most ? level : most;
   }
   return most;
}

/* The function whose code takes the place of an instruction, `level` constructs
 * deep; NULL: the instruction stays. */
static const struct lir_function *
find_inlined(const struct inliner *inliner, const struct lir_inst *inst,
             uint32_t level)
{
   if (inst->op != LIR_OP_call || inliner->num_calls[inst->imm] != 1)
      return NULL;
   const struct lir_function *callee = &inliner->module->functions[inst->imm];
   if (callee == inliner->function || callee == inliner->module->functions ||
       level + 1 + count_levels(callee) >= LIR_MAX_LEVELS)
      return NULL;
   return callee;
}

/* Of the function as it will be: a block's begin and end come in place of a
 * call, and the first constant of the callee is the caller's. 0: it stays as it
 * is. */
static uint64_t
count_insts(const struct inliner *inliner)
{
   const struct lir_function *function = inliner->function;
   uint64_t count = function->num_insts;
   uint32_t level = 0;
   bool has_inlined = false;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_function *callee =
         find_inlined(inliner, &function->insts[i], level);

      level += (uint32_t)level_step(&function->insts[i]);
      if (!callee)
         continue;
      has_inlined = true;
      count += callee->num_insts;
   }
   return has_inlined ? count : 0;
}

/* ---- writing ------------------------------------------------------------- */

/* Appends an instruction of a function whose values have these numbers now. */
static void
append(struct inliner *inliner, struct lir_inst inst, const uint32_t *numbers)
{
   for (unsigned k = 0; k < lir_op_row(inst.op)->num_operands; k++)
      inst.operand[k].index = numbers[inst.operand[k].index];
   inliner->level += (uint32_t)level_step(&inst);
   inliner->insts[inliner->count++] = inst;
}

static void
append_mark(struct inliner *inliner, enum lir_op op, uint32_t origin)
{
   append(inliner, (struct lir_inst){.op = (uint16_t)op, .origin = origin},
          NULL);
}

/* Level 0 of the callee is the block that its code is in. */
static bool
append_function(struct inliner *inliner, const struct lir_function *callee,
                uint32_t origin)
{
   uint32_t *numbers =
      tg_arena_array(&inliner->scratch, callee->num_insts, sizeof(*numbers));

   if (!numbers)
      return false;
   append_mark(inliner, LIR_OP_block, origin);
   const uint32_t level = inliner->level;
   for (uint32_t i = 1; i < callee->num_insts; i++) {
      struct lir_inst inst = callee->insts[i];

      if (lir_op_row(inst.op)->imm == LIR_IMM_LEVEL)
         inst.imm += level;
      numbers[i] = inliner->count;
      append(inliner, inst, numbers);
   }
   append_mark(inliner, LIR_OP_end, origin);
   return true;
}

static bool
append_all(struct inliner *inliner)
{
   const struct lir_function *function = inliner->function;
   uint32_t *numbers =
      tg_arena_array(&inliner->scratch, function->num_insts, sizeof(*numbers));

   if (!numbers)
      return false;
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];
      const struct lir_function *callee =
         find_inlined(inliner, inst, inliner->level);

      numbers[i] = inliner->count;
      if (!callee)
         append(inliner, *inst, numbers);
      else if (!append_function(inliner, callee, inst->origin))
         return false;
   }
   return true;
}

static bool
inline_into(struct inliner *inliner, struct lir_function *function,
            bool *changed_out)
{
   inliner->function = function;
   inliner->count = inliner->level = 0;
   const uint64_t capacity = count_insts(inliner);
   if (capacity == 0 || capacity > LIR_MAX_INSTS)
      return true;
   inliner->insts = tg_arena_array(&inliner->module->arena, capacity,
                                   sizeof(*inliner->insts));
   if (!inliner->insts || !append_all(inliner))
      return false;
   function->insts = inliner->insts;
   function->num_insts = inliner->count;
   function->capacity = (uint32_t)capacity;
   *changed_out = true;
   return true;
}

enum tg_result
lir_pass_inline(struct lir_module *module, bool *changed_out)
{
   struct inliner inliner = {.module = module};

   tg_arena_init(&inliner.scratch, module->arena.allocator);
   inliner.num_calls =
      tg_arena_array(&inliner.scratch, module->num_functions, sizeof(uint32_t));
   bool is_good = inliner.num_calls;
   if (is_good)
      count_calls(&inliner);
   for (uint32_t i = 0; is_good && i < module->num_functions; i++)
      is_good = inline_into(&inliner, &module->functions[i], changed_out);
   tg_arena_finish(&inliner.scratch);
   return is_good ? TG_OK : TG_ERROR_MEMORY;
}
