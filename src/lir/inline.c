/* SPDX-License-Identifier: MIT
 *
 * Inlining: the code of a function goes to a call of it, as a block that its
 * returns leave, if that is the only call, or if the function is small and a
 * leaf, which calls nothing. Arguments take the place of parameters; results
 * are variables, which copy propagation makes values. What no call is left of
 * is for dce to drop. A function is inlined with what was inlined into it in
 * the rounds before.
 */
#include "lir/passes.h"
#include "lir/signatures.h"

enum {
   /* Instructions of a small function. Samplers are the case in mind: more of
    * them are not worth it (docs/performance.md). */
   MAX_SMALL_INSTS = 300,
   /* Instructions of a module that small functions are inlined in. */
   MAX_GROWN_INSTS = 1 << 14,
};

struct inliner {
   struct lir_module *module;
   struct tg_arena scratch;
   uint32_t *num_calls; /* of each function: places that call it */
   bool *is_leaf;       /* each function */
   uint32_t *results;  /* of each function that was inlined: the variable of its
                        * first result; of others UINT32_MAX */
   uint64_t num_insts; /* of all functions, and what calls have grown to */

   /* The function that is written anew: */
   const struct lir_function *function;
   const struct lir_function **callees; /* of each call that is inlined, at it
                                         * and at its arguments and results */
   struct lir_inst *insts;
   uint32_t count;
   uint32_t level; /* constructs that are open */
};

static void
count_calls(struct inliner *inliner)
{
   for (uint32_t i = 0; i < inliner->module->num_functions; i++) {
      const struct lir_function *function = &inliner->module->functions[i];

      inliner->num_insts += function->num_insts;
      inliner->results[i] = UINT32_MAX;
      inliner->is_leaf[i] = true;
      for (uint32_t k = 0; k < function->num_insts; k++) {
         if (function->insts[k].op != LIR_OP_call)
            continue;
         inliner->num_calls[function->insts[k].imm]++;
         inliner->is_leaf[i] = false;
      }
   }
}

/* ---- what is inlined ----------------------------------------------------- */

static uint32_t
count_levels(const struct lir_function *function)
{
   uint32_t level = 0, most = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      level += (uint32_t)lir_level_step(&function->insts[i]);
      most = level > most ? level : most;
   }
   return most;
}

/* The function whose code takes the place of an instruction, `level` constructs
 * deep. NULL: the instruction stays. */
static const struct lir_function *
find_inlined(const struct inliner *inliner, const struct lir_inst *inst,
             uint32_t level)
{
   if (inst->op != LIR_OP_call)
      return NULL;
   const struct lir_function *callee = &inliner->module->functions[inst->imm];
   const bool is_small =
      inliner->is_leaf[inst->imm] && callee->num_insts <= MAX_SMALL_INSTS &&
      inliner->num_insts + callee->num_insts <= MAX_GROWN_INSTS;
   if (!is_small && inliner->num_calls[inst->imm] != 1)
      return NULL;
   if (callee == inliner->function || callee == inliner->module->functions ||
       level + 1 + count_levels(callee) >= LIR_MAX_LEVELS)
      return NULL;
   return callee;
}

static bool
is_slot_of_call(const struct lir_inst *inst)
{
   return inst->op == LIR_OP_arg32 || inst->op == LIR_OP_result32;
}

/* Gives an upper bound of the instructions that take the place of calls: a
 * block's begin and end come for the call itself, a zero for each result, and
 * the first constant of the callee is the caller's. */
static uint64_t
choose_callees(struct inliner *inliner)
{
   const struct lir_function *function = inliner->function;
   uint64_t growth = 0;
   uint32_t level = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_function *callee =
         find_inlined(inliner, &function->insts[i], level);

      inliner->callees[i] = callee;
      level += (uint32_t)lir_level_step(&function->insts[i]);
      if (!callee)
         continue;
      growth += callee->num_insts + callee->num_results;
      inliner->num_insts += callee->num_insts + callee->num_results;
   }
   for (uint32_t i = 0; i < function->num_insts; i++) {
      if (is_slot_of_call(&function->insts[i]))
         inliner->callees[i] =
            inliner->callees[lir_signature_call(function, i)];
   }
   return growth;
}

/* ---- writing ------------------------------------------------------------- */

/* Appends an instruction of a function whose values have these numbers now. */
static void
append(struct inliner *inliner, struct lir_inst inst, const uint32_t *numbers)
{
   for (unsigned k = 0; k < lir_op_row(inst.op)->num_operands; k++)
      inst.operand[k].index = numbers[inst.operand[k].index];
   inliner->level += (uint32_t)lir_level_step(&inst);
   inliner->insts[inliner->count++] = inst;
}

static void
append_mark(struct inliner *inliner, enum lir_op op, uint32_t origin)
{
   append(inliner, (struct lir_inst){.op = (uint16_t)op, .origin = origin},
          NULL);
}

/* The variable of a function's first result. False when out of memory. */
static bool
find_results(struct inliner *inliner, uint32_t function, uint32_t *results_out)
{
   uint32_t *results = &inliner->results[function];

   if (*results == UINT32_MAX)
      *results = lir_signature_add_vars(inliner->module, function);
   *results_out = *results;
   return *results != UINT32_MAX;
}

/* Results are zero at first, as is the first value of each function. */
static void
clear_results(struct inliner *inliner, uint32_t results, uint32_t num_results,
              uint32_t origin)
{
   const uint32_t zero = 0;

   for (uint32_t i = 0; i < num_results; i++)
      append(inliner,
             (struct lir_inst){
                .op = LIR_OP_putvar32,
                .origin = origin,
                .imm = results + i,
             },
             &zero);
}

/* Appends the code of the callee of a call whose arguments have these numbers.
 * Level 0 of the callee is the block that its code is in. */
static bool
append_function(struct inliner *inliner, const struct lir_inst *call,
                const uint32_t *args)
{
   const struct lir_function *callee = &inliner->module->functions[call->imm];
   uint32_t *numbers =
      tg_arena_array(&inliner->scratch, callee->num_insts, sizeof(*numbers));
   uint32_t results;

   if (!numbers || !find_results(inliner, (uint32_t)call->imm, &results))
      return false;
   append_mark(inliner, LIR_OP_block, call->origin);
   const uint32_t level = inliner->level;
   clear_results(inliner, results, callee->num_results, call->origin);
   for (uint32_t i = 1; i < callee->num_insts; i++) {
      struct lir_inst inst = callee->insts[i];

      if (inst.op == LIR_OP_param32) {
         numbers[i] = args[inst.imm];
         continue;
      }
      if (inst.op == LIR_OP_setresult32) {
         inst.op = LIR_OP_setvar32;
         inst.imm += results;
      }
      if (lir_op_row(inst.op)->imm == LIR_IMM_LEVEL)
         inst.imm += level;
      numbers[i] = inliner->count;
      append(inliner, inst, numbers);
   }
   append_mark(inliner, LIR_OP_end, call->origin);
   return true;
}

/* Appends the read of the variable that a result of an inlined call is. */
static void
append_result(struct inliner *inliner, uint32_t index)
{
   const struct lir_inst *insts = inliner->function->insts;
   const uint64_t callee =
      insts[lir_signature_call(inliner->function, index)].imm;

   append(inliner,
          (struct lir_inst){
             .op = LIR_OP_getvar32,
             .origin = insts[index].origin,
             .imm = inliner->results[callee] + insts[index].imm,
          },
          NULL);
}

/* Appends what an instruction of an inlined call becomes. */
static bool
append_call(struct inliner *inliner, uint32_t index, uint32_t *numbers)
{
   const struct lir_inst *inst = &inliner->function->insts[index];
   const uint32_t num_params = inliner->callees[index]->num_params;

   if (inst->op == LIR_OP_call)
      return append_function(inliner, inst, &numbers[index - num_params]);
   if (inst->op == LIR_OP_arg32)
      numbers[index] = numbers[inst->operand[0].index];
   else
      append_result(inliner, index);
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
      numbers[i] = inliner->count;
      if (!inliner->callees[i])
         append(inliner, function->insts[i], numbers);
      else if (!append_call(inliner, i, numbers))
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
   inliner->callees = tg_arena_array(&inliner->scratch, function->num_insts,
                                     sizeof(struct lir_function *));
   if (!inliner->callees)
      return false;
   const uint64_t growth = choose_callees(inliner);
   const uint64_t capacity = function->num_insts + growth;
   if (growth == 0 || capacity > LIR_MAX_INSTS)
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
   inliner.is_leaf =
      tg_arena_array(&inliner.scratch, module->num_functions, sizeof(bool));
   inliner.results =
      tg_arena_array(&inliner.scratch, module->num_functions, sizeof(uint32_t));
   bool is_good = inliner.num_calls && inliner.is_leaf && inliner.results;
   if (is_good)
      count_calls(&inliner);
   for (uint32_t i = 0; is_good && i < module->num_functions; i++)
      is_good = inline_into(&inliner, &module->functions[i], changed_out);
   tg_arena_finish(&inliner.scratch);
   return is_good ? TG_OK : TG_ERROR_MEMORY;
}
