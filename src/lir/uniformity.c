/* SPDX-License-Identifier: MIT
 *
 * Which values are the same in all launched lanes, and which loops all lanes
 * leave together if all launched ones enter. Found by supposing the best
 * of variables and loops and taking back what does not hold, until all holds;
 * when that takes too many rounds, the worst is supposed of all of them.
 *
 * A variable is uniform when all that is ever written to it is uniform and
 * written in all lanes, by putvar or in code of the first function. All
 * lanes that enter a function are active but in an if whose condition is not
 * uniform, after a br that some lanes took, as far as the construct goes that
 * they left, and in a loop that lanes leave at different times.
 */
#include <assert.h>
#include <string.h>

#include "lir/calls.h"
#include "lir/passes.h"

enum { MAX_ROUNDS = 8 };

struct observer {
   struct lir_module *module;
   bool *var_varies;  /* for each variable */
   bool *loop_varies; /* for each instruction of the function walked over */
   bool *all_loops;   /* the same of all functions, one after the other */
   bool again;        /* something was taken back */

   /* Walking over a function: */
   bool divergent[LIR_MAX_LEVELS]; /* not all lanes entered this level */
   uint32_t floor; /* this level and those inside: some lanes left by br */
   uint32_t level;
   uint32_t opened_by[LIR_MAX_LEVELS];
};

static bool
is_divergent(const struct observer *observer)
{
   return observer->divergent[observer->level] ||
          observer->level >= observer->floor;
}

static void
take_back(struct observer *observer, bool *varies)
{
   if (*varies)
      return;
   *varies = true;
   observer->again = true;
}

/* ---- values -------------------------------------------------------------- */

static bool
operands_are_uniform(const struct lir_function *function,
                     const struct lir_inst *inst)
{
   for (unsigned i = 0; i < lir_op_row(inst->op)->num_operands; i++) {
      if (!function->insts[inst->operand[i].index].is_uniform)
         return false;
   }
   return true;
}

/* `lane` is pure and has no operands, but it varies: what is uniform without
 * operands is flagged so. */
static bool
value_is_uniform(const struct observer *observer,
                 const struct lir_function *function,
                 const struct lir_inst *inst)
{
   const struct lir_op_info *info = lir_op_row(inst->op);

   if (info->type == LIR_TYPE_V)
      return false;
   if (info->flags & LIR_FLAG_UNIFORM)
      return true;
   if (info->imm == LIR_IMM_VAR)
      return !observer->var_varies[inst->imm];
   if (info->imm == LIR_IMM_MEM)
      return !(info->flags & LIR_FLAG_WRITE) &&
             lir_mem_space(inst->imm) < LIR_NUM_UNIFORM_SPACES &&
             operands_are_uniform(function, inst);
   return (info->flags & LIR_FLAG_PURE) && info->num_operands > 0 &&
          operands_are_uniform(function, inst);
}

/* ---- control ------------------------------------------------------------- */

static void
observe_open(struct observer *observer, const struct lir_function *function,
             uint32_t index)
{
   assert(index < function->num_insts);
   const struct lir_inst *inst = &function->insts[index];
   bool divergent = is_divergent(observer);

   if (inst->op == LIR_OP_loop)
      divergent |= observer->loop_varies[index];
   else
      divergent |= !operands_are_uniform(function, inst);
   observer->level++;
   observer->opened_by[observer->level] = index;
   observer->divergent[observer->level] = divergent;
}

static void
observe_end(struct observer *observer, const struct lir_function *function)
{
   uint32_t opener = observer->opened_by[observer->level];

   if (function->insts[opener].op == LIR_OP_loop &&
       observer->floor <= observer->level)
      take_back(observer, &observer->loop_varies[opener]);
   if (observer->floor == observer->level)
      observer->floor = UINT32_MAX;
   observer->level--;
}

static void
observe_br(struct observer *observer, uint32_t level)
{
   if (is_divergent(observer) && level < observer->floor)
      observer->floor = level;
}

static void
observe_instruction(struct observer *observer,
                    const struct lir_function *function, uint32_t index)
{
   assert(index < function->num_insts);
   struct lir_inst *inst = &function->insts[index];
   const struct lir_op_info *info = lir_op_row(inst->op);

   inst->is_uniform = value_is_uniform(observer, function, inst);
   if (info->imm == LIR_IMM_VAR && (info->flags & LIR_FLAG_WRITE)) {
      const bool is_of_some =
         inst->op != LIR_OP_putvar32 && is_divergent(observer);

      if (is_of_some || !operands_are_uniform(function, inst))
         take_back(observer, &observer->var_varies[inst->imm]);
   } else if (inst->op == LIR_OP_br) {
      observe_br(observer, (uint32_t)inst->imm);
   } else if (inst->op == LIR_OP_end) {
      observe_end(observer, function);
   } else if (inst->op != LIR_OP_else && (info->flags & LIR_FLAG_OPEN)) {
      observe_open(observer, function, index);
   }
}

/* ---- rounds -------------------------------------------------------------- */

typedef void (*observation)(struct observer *observer,
                            const struct lir_function *function);

static void
for_each_function(struct observer *observer, observation observe)
{
   const struct lir_module *module = observer->module;

   observer->loop_varies = observer->all_loops;
   for (uint32_t i = 0; i < module->num_functions; i++) {
      observe(observer, &module->functions[i]);
      observer->loop_varies += module->functions[i].num_insts;
   }
}

/* As it is when all launched lanes enter. */
static void
observe_function(struct observer *observer, const struct lir_function *function)
{
   observer->level = 0;
   observer->divergent[0] = false;
   observer->floor = UINT32_MAX;
   for (uint32_t i = 0; i < function->num_insts; i++)
      observe_instruction(observer, function, i);
}

/* What functions write that any lanes may call. */
static void
suppose_worst_of_writes(struct observer *observer,
                        const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];
      const struct lir_op_info *info = lir_op_row(inst->op);

      if (info->imm == LIR_IMM_VAR && (info->flags & LIR_FLAG_WRITE))
         observer->var_varies[inst->imm] = true;
   }
}

static void
suppose_worst(struct observer *observer, const struct lir_function *function)
{
   suppose_worst_of_writes(observer, function);
   memset(observer->loop_varies, true, function->num_insts * sizeof(bool));
}

static void
set_flags(struct observer *observer, const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      struct lir_inst *inst = &function->insts[i];

      inst->is_uniform = inst->op == LIR_OP_loop
                            ? !observer->loop_varies[i]
                            : value_is_uniform(observer, function, inst);
   }
}

static void
observe_module(struct observer *observer, const struct lir_calls *calls)
{
   struct lir_module *module = observer->module;
   uint32_t rounds = 0;

   for (uint32_t i = lir_calls_only_once(calls, 0); i < module->num_functions;
        i++)
      suppose_worst_of_writes(observer, &module->functions[i]);
   do {
      observer->again = false;
      for_each_function(observer, observe_function);
   } while (observer->again && ++rounds < MAX_ROUNDS);

   if (observer->again)
      for_each_function(observer, suppose_worst);
   for_each_function(observer, set_flags);
}

static size_t
count_insts(const struct lir_module *module)
{
   size_t count = 0;

   for (uint32_t i = 0; i < module->num_functions; i++)
      count += module->functions[i].num_insts;
   return count;
}

enum tg_result
lir_pass_uniformity(struct lir_module *module, bool *changed_out)
{
   enum tg_result result = TG_ERROR_MEMORY;
   struct observer observer = {.module = module};
   struct lir_calls calls;
   struct tg_arena arena;

   (void)changed_out; /* the code stays as it is */
   tg_arena_init(&arena, module->arena.allocator);
   observer.var_varies = tg_arena_array(&arena, module->num_vars, sizeof(bool));
   observer.all_loops =
      tg_arena_array(&arena, count_insts(module), sizeof(bool));
   if (observer.var_varies && observer.all_loops &&
       lir_calls_init(&calls, &arena, module)) {
      observe_module(&observer, &calls);
      result = TG_OK;
   }
   tg_arena_finish(&arena);
   return result;
}
