/* SPDX-License-Identifier: MIT
 *
 * The rules of lir.h, checked from what the rows of ops.def say. One walk over
 * each function, and no recursion. What passes is safe to execute: an executor
 * checks nothing again but memory accesses, loop budget and call depth.
 */
#include "lir/bounds.h"
#include "lir/passes.h"
#include "lir/runs.h"
#include "lir/scope.h"

const char lir_verify_no_memory[] = "out of memory";

struct verifier {
   struct lir_module *module;
   const struct lir_function *function;
   uint32_t index; /* of the instruction that is looked at */
   const struct lir_inst *inst;
   const struct lir_op_info *info;
   struct lir_scopes scopes;
   uint8_t opened_by[LIR_MAX_LEVELS]; /* enum lir_op, for each open scope */
   uint32_t num_args;                 /* directly before the instruction */
   const struct lir_function *callee; /* whose results may be read here */
   const char *error;
};

_Static_assert(LIR_NUM_OPS <= UINT8_MAX, "opened_by holds an op in a byte");
_Static_assert(LIR_MAX_LEVELS <= UINT16_MAX, "level_of holds a level");

/* Keeps the first complaint; always false. */
#define COMPLAIN(v, ...)                                                       \
   complain(v, tg_arena_printf(&(v)->module->arena, __VA_ARGS__))

static bool
complain(struct verifier *v, const char *error)
{
   v->error = error ? error : lir_verify_no_memory;
   return false;
}

/* A complaint about the instruction that is looked at. */
static bool
reject(struct verifier *v, const char *what)
{
   return COMPLAIN(v, "function %s, %%%u (%s): %s", v->function->name, v->index,
                   v->info->name, what);
}

/* ---- the module ---------------------------------------------------------- */

static bool
check_variables(struct verifier *v)
{
   const struct lir_module *module = v->module;

   if (module->num_vars > LIR_MAX_VARS)
      return COMPLAIN(v, "%u variables; a module has at most %u",
                      module->num_vars, (unsigned)LIR_MAX_VARS);
   for (uint32_t i = 0; i < module->num_vars; i++) {
      uint8_t type = module->vars[i].type;

      if (type < LIR_TYPE_B1 || type > LIR_TYPE_B64)
         return COMPLAIN(v, "variable $%u has no type", i);
   }
   return true;
}

static bool
check_arrays(struct verifier *v)
{
   uint64_t num_words = 0; /* cannot overflow: 2^32 arrays of 2^32 words */

   for (uint32_t i = 0; i < v->module->num_arrays; i++)
      num_words += v->module->arrays[i].num_words;
   if (num_words > LIR_MAX_ARRAY_WORDS)
      return COMPLAIN(v, "arrays of %llu words; a module has at most %u",
                      (unsigned long long)num_words,
                      (unsigned)LIR_MAX_ARRAY_WORDS);
   return true;
}

static bool
check_size(struct verifier *v, uint32_t index)
{
   const struct lir_size *size = &v->module->sizes[index];

   if (size->num_words == 0 || size->num_words > LIR_MAX_SIZE_WORDS)
      return COMPLAIN(v, "size of const[%u]: %u words; declared are 1 to %u",
                      size->binding, size->num_words,
                      (unsigned)LIR_MAX_SIZE_WORDS);
   for (uint32_t i = 0; i < index; i++) {
      if (v->module->sizes[i].binding == size->binding)
         return COMPLAIN(v, "size of const[%u]: declared twice", size->binding);
   }
   return true;
}

static bool
check_sizes(struct verifier *v)
{
   if (v->module->num_sizes > LIR_MAX_SIZES)
      return COMPLAIN(v, "%u declared sizes; a module has at most %u",
                      v->module->num_sizes, (unsigned)LIR_MAX_SIZES);
   for (uint32_t i = 0; i < v->module->num_sizes; i++) {
      if (!check_size(v, i))
         return false;
   }
   return true;
}

static bool
check_signatures(struct verifier *v)
{
   const struct lir_module *module = v->module;
   uint64_t num_vars = module->num_vars; /* with those for slots */

   for (uint32_t i = 0; i < module->num_functions; i++) {
      const struct lir_function *function = &module->functions[i];

      if (function->num_params > LIR_MAX_SLOTS ||
          function->num_results > LIR_MAX_SLOTS)
         return COMPLAIN(v,
                         "function %s: %u parameters and %u results; there are "
                         "at most %u of each",
                         function->name, function->num_params,
                         function->num_results, (unsigned)LIR_MAX_SLOTS);
      num_vars += function->num_params + function->num_results;
   }
   if (num_vars > LIR_MAX_VARS)
      return COMPLAIN(v,
                      "%llu variables, parameters and results; a module has at "
                      "most %u",
                      (unsigned long long)num_vars, (unsigned)LIR_MAX_VARS);
   if (module->functions[0].num_params > 0 ||
       module->functions[0].num_results > 0)
      return complain(v, "the first function has parameters or results");
   return true;
}

/* ---- one instruction ----------------------------------------------------- */

static bool
check_operands(struct verifier *v)
{
   for (unsigned i = 0; i < v->info->num_operands; i++) {
      uint32_t index = v->inst->operand[i].index;

      if (index >= v->index)
         return reject(v, "operand is not defined before");
      if (lir_op_row(v->function->insts[index].op)->type !=
          v->info->operand_type[i])
         return reject(v, "operand has the wrong type");
      if (!lir_scopes_see(&v->scopes, index))
         return reject(v, "operand is in a scope that was closed");
   }
   return true;
}

static bool
check_constant(struct verifier *v)
{
   if (v->info->type == LIR_TYPE_B1 && v->inst->imm > 1)
      return reject(v, "constant is no truth value");
   if (v->info->type == LIR_TYPE_B32 && v->inst->imm > UINT32_MAX)
      return reject(v, "constant has more than 32 bits");
   return true;
}

static bool
check_variable(struct verifier *v)
{
   bool writes = v->info->flags & LIR_FLAG_WRITE;
   uint8_t type = writes ? v->info->operand_type[0] : v->info->type;

   if (v->inst->imm >= v->module->num_vars)
      return reject(v, "no such variable");
   if (v->module->vars[v->inst->imm].type != type)
      return reject(v, "variable has another type");
   return true;
}

/* Lane memory has no sizes and no parts of words; arrays have the atomic
 * operations, the only ones that both read and write memory. */
static bool
may_name_lane_memory(const struct lir_inst *inst)
{
   const unsigned atomic = LIR_FLAG_READ | LIR_FLAG_WRITE;

   return inst->op == LIR_OP_load32 || inst->op == LIR_OP_store32 ||
          (lir_mem_space(inst->imm) == LIR_SPACE_ARRAY &&
           (lir_op_row(inst->op)->flags & atomic) == atomic);
}

static bool
check_memory(struct verifier *v)
{
   uint64_t space = v->inst->imm >> 32;
   uint32_t binding = lir_mem_binding(v->inst->imm);

   if (space >= LIR_NUM_SPACES)
      return reject(v, "no such space");
   if (space == LIR_SPACE_ARRAY && binding >= v->module->num_arrays)
      return reject(v, "no such array");
   if (space >= LIR_NUM_UNIFORM_SPACES && space != LIR_SPACE_ARRAY && binding)
      return reject(v, "this space has one binding, 0");
   if (space >= LIR_NUM_UNIFORM_SPACES && !may_name_lane_memory(v->inst))
      return reject(v, "each lane has this space for itself");
   if ((v->info->flags & LIR_FLAG_WRITE) &&
       lir_space_is_read_only((enum lir_space)space))
      return reject(v, "space is read-only");
   return true;
}

/* ---- parameters and results ---- */

static bool
check_param(struct verifier *v)
{
   const struct lir_inst *before = v->inst - 1;

   if (v->inst->imm >= v->function->num_params)
      return reject(v, "no such parameter");
   if (v->index == 1 ||
       (before->op == LIR_OP_param32 && before->imm < v->inst->imm))
      return true;
   return reject(v, "parameters begin a function, in their order");
}

static bool
check_result(struct verifier *v)
{
   const struct lir_inst *before = v->inst - 1;

   if (!v->callee)
      return reject(v, "results follow a call");
   if (v->inst->imm >= v->callee->num_results)
      return reject(v, "no such result");
   if (before->op == LIR_OP_result32 && before->imm >= v->inst->imm)
      return reject(v, "results come in their order");
   return true;
}

static bool
check_slot(struct verifier *v)
{
   switch (v->inst->op) {
   case LIR_OP_param32: return check_param(v);
   case LIR_OP_result32: return check_result(v);
   case LIR_OP_arg32:
      return v->inst->imm == v->num_args ||
             reject(v, "arguments come in their order");
   default:
      return v->inst->imm < v->function->num_results ||
             reject(v, "no such result");
   }
}

static bool
check_call(struct verifier *v)
{
   if (v->inst->imm >= v->module->num_functions)
      return reject(v, "no such function");
   const uint32_t num_params = v->module->functions[v->inst->imm].num_params;
   return v->num_args == num_params ||
          COMPLAIN(v,
                   "function %s, %%%u (call): %u arguments for %u parameters",
                   v->function->name, v->index, v->num_args, num_params);
}

static bool
check_immediate(struct verifier *v)
{
   uint64_t imm = v->inst->imm;

   switch ((enum lir_imm_kind)v->info->imm) {
   case LIR_IMM_NONE:
      return imm == 0 || reject(v, "has an immediate, should have none");
   case LIR_IMM_CONST: return check_constant(v);
   case LIR_IMM_VAR: return check_variable(v);
   case LIR_IMM_MEM: return check_memory(v);
   case LIR_IMM_LEVEL:
      return imm <= v->scopes.level || reject(v, "no construct at this level");
   case LIR_IMM_FUNCTION: return check_call(v);
   case LIR_IMM_SLOT: return check_slot(v);
   case LIR_IMM_TAG: return true;
   }
   return false;
}

/* Also remembers who opened a scope, for the `else` that may come. */
static bool
check_nesting(struct verifier *v)
{
   uint32_t level = v->scopes.level;

   if (v->info->flags & LIR_FLAG_CLOSE) {
      if (level == 0)
         return reject(v, "nothing to close");
      if (v->inst->op == LIR_OP_else && v->opened_by[level] != LIR_OP_if)
         return reject(v, "the innermost construct is no if without else");
      level--;
   }
   if (v->info->flags & LIR_FLAG_OPEN) {
      if (++level >= LIR_MAX_LEVELS)
         return COMPLAIN(v,
                         "function %s, %%%u (%s): %u constructs in each other; "
                         "there are at most %u",
                         v->function->name, v->index, v->info->name, level,
                         (unsigned)LIR_MAX_LEVELS - 1);
      v->opened_by[level] = (uint8_t)v->inst->op;
   }
   return true;
}

/* Keeps track of arguments before a call and results after it. */
static void
pass_call(struct verifier *v)
{
   if (v->inst->op == LIR_OP_arg32)
      v->num_args++;
   else
      v->num_args = 0;
   if (v->inst->op == LIR_OP_call)
      v->callee = &v->module->functions[v->inst->imm];
   else if (v->inst->op != LIR_OP_result32)
      v->callee = NULL;
}

static bool
check_instruction(struct verifier *v, uint32_t index)
{
   v->index = index;
   v->inst = &v->function->insts[index];
   if (v->inst->op >= LIR_NUM_OPS)
      return COMPLAIN(v, "function %s, %%%u: no such operation",
                      v->function->name, index);
   v->info = lir_op_row(v->inst->op);
   if (v->num_args > 0 && v->inst->op != LIR_OP_arg32 &&
       v->inst->op != LIR_OP_call)
      return reject(v, "comes between arguments and their call");
   if (!check_operands(v) || !check_immediate(v) || !check_nesting(v))
      return false;
   lir_scopes_pass(&v->scopes, index, (enum lir_op)v->inst->op);
   pass_call(v);
   return true;
}

/* ---- one function -------------------------------------------------------- */

static bool
check_function(struct verifier *v, struct tg_arena *scratch,
               const struct lir_function *function)
{
   v->function = function;
   v->num_args = 0;
   v->callee = NULL;
   const uint32_t most = LIR_MAX_INSTS - function->num_results;
   if (function->num_insts > most)
      return COMPLAIN(v, "function %s: %u instructions; there are at most %u",
                      function->name, function->num_insts, most);
   if (function->num_insts == 0 || function->insts[0].op != LIR_OP_const32 ||
       function->insts[0].imm != 0)
      return COMPLAIN(v, "function %s: does not begin with const32 0",
                      function->name);
   if (!lir_scopes_init(&v->scopes, scratch, function->num_insts))
      return complain(v, NULL);

   for (uint32_t i = 0; i < function->num_insts; i++) {
      if (!check_instruction(v, i))
         return false;
   }
   if (v->scopes.level != 0)
      return COMPLAIN(v, "function %s: a construct is not closed",
                      function->name);
   if (v->num_args != 0)
      return COMPLAIN(v, "function %s: ends with arguments of no call",
                      function->name);
   return true;
}

static bool
check_functions(struct verifier *v)
{
   struct tg_arena scratch;
   bool good = true;

   if (v->module->num_functions == 0)
      return complain(v, "there is no function");
   if (v->module->num_functions > LIR_MAX_FUNCTIONS)
      return COMPLAIN(v, "%u functions; a module has at most %u",
                      v->module->num_functions, (unsigned)LIR_MAX_FUNCTIONS);

   if (!check_signatures(v))
      return false;
   tg_arena_init(&scratch, v->module->arena.allocator);
   for (uint32_t i = 0; good && i < v->module->num_functions; i++) {
      good = check_function(v, &scratch, &v->module->functions[i]);
      tg_arena_finish(&scratch);
   }
   return good;
}

/* ---- proofs -------------------------------------------------------------- */

/* An executor believes each mark, so each has to be provable here, too. */
static bool
check_inside(struct verifier *v, struct lir_bounds *bounds, uint32_t index)
{
   if (!v->inst->is_inside || lir_bounds_prove(bounds, index, v->index))
      return true;
   return bounds->failed ? complain(v, NULL)
                         : reject(v, "not proven to be in bounds");
}

static bool
check_run(struct verifier *v)
{
   if (!v->inst->num_words ||
       lir_run_prove(v->function, v->index, v->inst->num_words))
      return true;
   return reject(v, "begins no such run");
}

static bool
check_proofs(struct verifier *v, struct lir_bounds *bounds, uint32_t index)
{
   v->function = &v->module->functions[index];
   for (uint32_t i = 0; i < v->function->num_insts; i++) {
      v->index = i;
      v->inst = &v->function->insts[i];
      v->info = lir_op_row(v->inst->op);
      if (!check_inside(v, bounds, index) || !check_run(v))
         return false;
   }
   return true;
}

static bool
check_all_proofs(struct verifier *v)
{
   struct tg_arena scratch;
   struct lir_bounds bounds = {.module = v->module, .arena = &scratch};
   bool good = true;

   tg_arena_init(&scratch, v->module->arena.allocator);
   for (uint32_t i = 0; good && i < v->module->num_functions; i++)
      good = check_proofs(v, &bounds, i);
   tg_arena_finish(&scratch);
   return good;
}

const char *
lir_verify(struct lir_module *module)
{
   struct verifier v = {.module = module};

   if (check_variables(&v) && check_arrays(&v) && check_sizes(&v) &&
       check_functions(&v))
      check_all_proofs(&v);
   return v.error;
}
