/* SPDX-License-Identifier: MIT
 *
 * Lowering of signatures: parameters and results of functions become variables
 * of the module, which executors know. A call's arguments are written in all
 * lanes, where the callee uses them; a function begins by making its results
 * zero in all lanes.
 */
#include "lir/signatures.h"

#include <stdio.h>

#include "lir/builder.h"
#include "lir/passes.h"
#include "util/length.h"

enum slot_kind { PARAM, RESULT };

struct lowering {
   struct lir_module *module;
   struct tg_arena scratch;
   uint32_t *first_var[2];       /* by enum slot_kind, of each function */
   uint64_t *used_params;        /* of each function, a bit for each one */
   struct lir_function *lowered; /* each function */

   /* The function that is written anew: */
   uint32_t function;
   struct lir_inst *insts;
   uint32_t count;
   uint32_t *numbers; /* of its values, now */
};

/* What becomes of each operation. */
static const struct rule {
   enum lir_op op, lowered;
   enum slot_kind kind;
   bool is_of_callee;
} rules[] = {
   {LIR_OP_param32, LIR_OP_getvar32, PARAM, false},
   {LIR_OP_arg32, LIR_OP_putvar32, PARAM, true},
   {LIR_OP_setresult32, LIR_OP_setvar32, RESULT, false},
   {LIR_OP_result32, LIR_OP_getvar32, RESULT, true},
};

static const struct rule *
find_rule(const struct lir_inst *inst)
{
   for (size_t i = 0; i < TG_LENGTH(rules); i++) {
      if (rules[i].op == inst->op)
         return &rules[i];
   }
   return NULL;
}

uint32_t
lir_signature_call(const struct lir_function *function, uint32_t index)
{
   assert(index < function->num_insts);
   while (function->insts[index].op == LIR_OP_arg32)
      index++;
   while (function->insts[index].op == LIR_OP_result32)
      index--;
   assert(function->insts[index].op == LIR_OP_call);
   return index;
}

/* ---- variables ----------------------------------------------------------- */

static uint32_t
add_vars(struct lir_module *module, const char *function, const char *kind,
         uint32_t count)
{
   const uint32_t first = module->num_vars;
   char name[64];

   for (uint32_t i = 0; i < count; i++) {
      snprintf(name, sizeof(name), "%.40s.%s%u", function, kind, i);
      if (lir_module_add_var(module, LIR_TYPE_B32, name) == UINT32_MAX)
         return UINT32_MAX;
   }
   return first;
}

uint32_t
lir_signature_add_vars(struct lir_module *module, uint32_t function)
{
   assert(function < module->num_functions);
   const struct lir_function *f = &module->functions[function];

   return add_vars(module, f->name, "result", f->num_results);
}

static bool
add_slots(struct lowering *lowering, uint32_t function)
{
   const struct lir_function *f = &lowering->module->functions[function];
   const uint32_t params =
      add_vars(lowering->module, f->name, "param", f->num_params);
   const uint32_t results = lir_signature_add_vars(lowering->module, function);

   lowering->first_var[PARAM][function] = params;
   lowering->first_var[RESULT][function] = results;
   for (uint32_t i = 0; i < f->num_insts; i++) {
      if (f->insts[i].op == LIR_OP_param32)
         lowering->used_params[function] |= 1ull << f->insts[i].imm;
   }
   return params != UINT32_MAX && results != UINT32_MAX;
}

/* ---- instructions -------------------------------------------------------- */

static void
append(struct lowering *lowering, struct lir_inst inst)
{
   for (unsigned k = 0; k < lir_op_row(inst.op)->num_operands; k++)
      inst.operand[k].index = lowering->numbers[inst.operand[k].index];
   lowering->insts[lowering->count++] = inst;
}

static void
lower(struct lowering *lowering, const struct lir_function *caller,
      uint32_t index, const struct rule *rule)
{
   struct lir_inst lowered = caller->insts[index];
   const uint64_t function =
      rule->is_of_callee ? caller->insts[lir_signature_call(caller, index)].imm
                         : lowering->function;

   if (rule->op == LIR_OP_arg32 &&
       !(lowering->used_params[function] >> lowered.imm & 1))
      return;
   lowered.op = (uint16_t)rule->lowered;
   lowered.imm += lowering->first_var[rule->kind][function];
   append(lowering, lowered);
}

/* The first value is a zero. */
static void
clear_results(struct lowering *lowering, uint32_t num_results)
{
   for (uint32_t i = 0; i < num_results; i++)
      append(lowering,
             (struct lir_inst){
                .op = LIR_OP_putvar32,
                .origin = LIR_NO_ORIGIN,
                .imm = lowering->first_var[RESULT][lowering->function] + i,
             });
}

static void
lower_all(struct lowering *lowering, const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];
      const struct rule *rule = find_rule(inst);

      lowering->numbers[i] = lowering->count;
      if (rule)
         lower(lowering, function, i, rule);
      else
         append(lowering, *inst);
      if (i == 0)
         clear_results(lowering, function->num_results);
   }
}

/* ---- functions ----------------------------------------------------------- */

static bool
has_slots(const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      if (lir_op_row(function->insts[i].op)->imm == LIR_IMM_SLOT)
         return true;
   }
   return function->num_results > 0;
}

static bool
lower_function(struct lowering *lowering, uint32_t index)
{
   const struct lir_function *function = &lowering->module->functions[index];
   const uint32_t capacity = function->num_insts + function->num_results;

   lowering->lowered[index] = *function;
   if (!has_slots(function))
      return true;
   lowering->function = index;
   lowering->count = 0;
   lowering->insts = tg_arena_array(&lowering->module->arena, capacity,
                                    sizeof(*lowering->insts));
   lowering->numbers =
      tg_arena_array(&lowering->scratch, function->num_insts, sizeof(uint32_t));
   if (!lowering->insts || !lowering->numbers)
      return false;
   lower_all(lowering, function);
   lowering->lowered[index] = (struct lir_function){
      .name = function->name,
      .insts = lowering->insts,
      .num_insts = lowering->count,
      .capacity = capacity,
   };
   return true;
}

static bool
init(struct lowering *lowering)
{
   const uint32_t count = lowering->module->num_functions;

   tg_arena_init(&lowering->scratch, lowering->module->arena.allocator);
   lowering->used_params =
      tg_arena_array(&lowering->scratch, count, sizeof(uint64_t));
   lowering->lowered =
      tg_arena_array(&lowering->scratch, count, sizeof(struct lir_function));
   for (unsigned kind = PARAM; kind <= RESULT; kind++)
      lowering->first_var[kind] =
         tg_arena_array(&lowering->scratch, count, sizeof(uint32_t));
   return lowering->used_params && lowering->lowered &&
          lowering->first_var[PARAM] && lowering->first_var[RESULT];
}

/* Nothing fails any more: callers and callees change together. */
static void
take_lowered(struct lowering *lowering, bool *changed_out)
{
   struct lir_module *module = lowering->module;

   for (uint32_t i = 0; i < module->num_functions; i++) {
      *changed_out |= module->functions[i].insts != lowering->lowered[i].insts;
      module->functions[i] = lowering->lowered[i];
      module->functions[i].num_params = module->functions[i].num_results = 0;
   }
}

enum tg_result
lir_pass_signatures(struct lir_module *module, bool *changed_out)
{
   struct lowering lowering = {.module = module};
   bool is_good = init(&lowering);

   for (uint32_t i = 0; is_good && i < module->num_functions; i++)
      is_good = add_slots(&lowering, i);
   for (uint32_t i = 0; is_good && i < module->num_functions; i++)
      is_good = lower_function(&lowering, i);
   if (is_good)
      take_lowered(&lowering, changed_out);
   tg_arena_finish(&lowering.scratch);
   return is_good ? TG_OK : TG_ERROR_MEMORY;
}
