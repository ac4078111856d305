/* SPDX-License-Identifier: MIT
 *
 * How functions grow. That a module is right is the caller's business: what can
 * be seen of that at once is asserted here, and verify.c checks all of it.
 */
#include "lir/builder.h"

#include <assert.h>
#include <string.h>

void
lir_builder_init(struct lir_builder *builder, struct lir_module *module,
                 uint32_t function)
{
   *builder = (struct lir_builder){
      .module = module,
      .function = function,
      .origin = LIR_NO_ORIGIN,
      .failed = function >= module->num_functions,
   };
}

/* ---- what is asserted ---------------------------------------------------- */

/* Instructions that are looked at, back from the end of a function, for the
 * scope of an operand: all of them would take the square of its size. */
enum { MAX_LOOK_BACK = 256 };

/* May the end of the function see a value? Not if it stands in a scope that was
 * closed. */
static inline bool
may_see(const struct lir_function *function, uint32_t index)
{
   uint32_t num_closed = 0; /* scopes that the walk is in */

   for (uint32_t i = function->num_insts - 1, n = 0; i > index; i--) {
      const uint8_t flags = lir_op_row(function->insts[i].op)->flags;

      if (n++ == MAX_LOOK_BACK)
         return true;
      if (flags & LIR_FLAG_OPEN && num_closed > 0)
         num_closed--;
      if (flags & LIR_FLAG_CLOSE)
         num_closed++;
   }
   return num_closed == 0;
}

static inline void
assert_operand(const struct lir_function *function, lir_value operand,
               uint8_t type)
{
   (void)function;
   (void)operand;
   (void)type;
   assert(operand.index < function->num_insts);
   assert(lir_op_row(function->insts[operand.index].op)->type == type);
   assert(may_see(function, operand.index));
}

static inline void
assert_memory(const struct lir_module *module, enum lir_op op, uint64_t imm)
{
   const enum lir_space space = lir_mem_space(imm);
   const uint32_t binding = lir_mem_binding(imm);

   (void)module;
   (void)op;
   (void)binding;
   assert(imm >> 32 < LIR_NUM_SPACES);
   assert(!(lir_op_row(op)->flags & LIR_FLAG_WRITE) ||
          !lir_space_is_read_only(space));
   if (space == LIR_SPACE_ARRAY)
      assert(binding < module->num_arrays);
   else if (space >= LIR_NUM_UNIFORM_SPACES)
      assert(binding == 0);
}

static inline void
assert_immediate(const struct lir_builder *builder, enum lir_op op,
                 uint64_t imm)
{
   const struct lir_module *module = builder->module;

   switch ((enum lir_imm_kind)lir_op_row(op)->imm) {
   case LIR_IMM_NONE: assert(imm == 0); break;
   case LIR_IMM_CONST:
      assert(lir_op_row(op)->type != LIR_TYPE_B1 || imm <= 1);
      assert(lir_op_row(op)->type != LIR_TYPE_B32 || imm <= UINT32_MAX);
      break;
   case LIR_IMM_VAR: assert(imm < module->num_vars); break;
   case LIR_IMM_MEM: assert_memory(module, op, imm); break;
   case LIR_IMM_LEVEL: assert(imm <= builder->level); break;
   case LIR_IMM_FUNCTION: assert(imm < module->num_functions); break;
   case LIR_IMM_SLOT: assert(imm < LIR_MAX_SLOTS); break;
   case LIR_IMM_TAG: break;
   }
}

/* ---- building ------------------------------------------------------------ */

/* Counts the constructs that are open, also when nothing is appended. */
static void
count_levels(struct lir_builder *builder, uint8_t flags)
{
   if (flags & LIR_FLAG_CLOSE) {
      assert(builder->level > 0);
      builder->level--;
   }
   if (flags & LIR_FLAG_OPEN)
      builder->level++;
}

lir_value
lir_build(struct lir_builder *builder, enum lir_op op,
          const lir_value *operands, uint64_t imm)
{
   const struct lir_op_info *info = lir_op_row(op);

   count_levels(builder, info->flags);
   if (builder->failed)
      return (lir_value){0};
   assert(builder->function < builder->module->num_functions);
   assert_immediate(builder, op, imm);

   struct lir_function *function =
      &builder->module->functions[builder->function];
   if (function->num_insts >= LIR_MAX_INSTS ||
       !tg_arena_reserve(&builder->module->arena, (void **)&function->insts,
                         &function->capacity, function->num_insts,
                         sizeof(*function->insts))) {
      builder->failed = true;
      return (lir_value){0};
   }

   struct lir_inst *inst = &function->insts[function->num_insts];
   *inst = (struct lir_inst){
      .op = (uint16_t)op,
      .origin = builder->origin,
      .imm = imm,
   };
   for (unsigned i = 0; i < info->num_operands; i++) {
      assert_operand(function, operands[i], info->operand_type[i]);
      inst->operand[i] = operands[i];
   }
   return (lir_value){function->num_insts++};
}

/* ---- constants ----------------------------------------------------------- */

lir_value
lir_const1(struct lir_builder *builder, bool value)
{
   return lir_build(builder, LIR_OP_const1, NULL, value);
}

lir_value
lir_const32(struct lir_builder *builder, uint32_t value)
{
   return lir_build(builder, LIR_OP_const32, NULL, value);
}

lir_value
lir_const64(struct lir_builder *builder, uint64_t value)
{
   return lir_build(builder, LIR_OP_const64, NULL, value);
}

lir_value
lir_constf(struct lir_builder *builder, float value)
{
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return lir_const32(builder, bits);
}

lir_value
lir_constd(struct lir_builder *builder, double value)
{
   uint64_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return lir_const64(builder, bits);
}

/* ---- variables ----------------------------------------------------------- */

lir_value
lir_getvar(struct lir_builder *builder, uint32_t var)
{
   static const enum lir_op op[] = {
      [LIR_TYPE_B1] = LIR_OP_getvar1,
      [LIR_TYPE_B32] = LIR_OP_getvar32,
      [LIR_TYPE_B64] = LIR_OP_getvar64,
   };

   if (var >= builder->module->num_vars) {
      builder->failed = true;
      return (lir_value){0};
   }
   return lir_build(builder, op[builder->module->vars[var].type], NULL, var);
}

void
lir_setvar(struct lir_builder *builder, uint32_t var, lir_value value)
{
   static const enum lir_op op[] = {
      [LIR_TYPE_B1] = LIR_OP_setvar1,
      [LIR_TYPE_B32] = LIR_OP_setvar32,
      [LIR_TYPE_B64] = LIR_OP_setvar64,
   };

   if (var >= builder->module->num_vars) {
      builder->failed = true;
      return;
   }
   lir_build(builder, op[builder->module->vars[var].type], &value, var);
}

void
lir_putvar(struct lir_builder *builder, uint32_t var, lir_value value)
{
   if (var >= builder->module->num_vars) {
      builder->failed = true;
      return;
   }
   assert(builder->module->vars[var].type == LIR_TYPE_B32);
   lir_build(builder, LIR_OP_putvar32, &value, var);
}

/* ---- other lanes and the wave -------------------------------------------- */

lir_value
lir_lane(struct lir_builder *builder)
{
   return lir_build(builder, LIR_OP_lane, NULL, 0);
}

lir_value
lir_fddx(struct lir_builder *builder, lir_value a)
{
   return lir_build(builder, LIR_OP_fddx, &a, 0);
}

lir_value
lir_fddy(struct lir_builder *builder, lir_value a)
{
   return lir_build(builder, LIR_OP_fddy, &a, 0);
}

lir_value
lir_ballot(struct lir_builder *builder, lir_value a)
{
   return lir_build(builder, LIR_OP_ballot, &a, 0);
}

lir_value
lir_read_first(struct lir_builder *builder, lir_value a)
{
   return lir_build(builder, LIR_OP_read_first, &a, 0);
}

lir_value
lir_read_quad(struct lir_builder *builder, lir_value a, lir_value lane)
{
   const lir_value operands[2] = {a, lane};

   return lir_build(builder, LIR_OP_read_quad, operands, 0);
}

lir_value
lir_read_lane(struct lir_builder *builder, lir_value a, lir_value lane)
{
   const lir_value operands[2] = {a, lane};

   return lir_build(builder, LIR_OP_read_lane, operands, 0);
}

lir_value
lir_live(struct lir_builder *builder)
{
   return lir_build(builder, LIR_OP_live, NULL, 0);
}

void
lir_kill(struct lir_builder *builder, lir_value condition)
{
   lir_build(builder, LIR_OP_kill, &condition, 0);
}

lir_value
lir_clock(struct lir_builder *builder)
{
   return lir_build(builder, LIR_OP_clock, NULL, 0);
}

/* ---- memory -------------------------------------------------------------- */

lir_value
lir_load(struct lir_builder *builder, enum lir_op op, enum lir_space space,
         uint32_t binding, lir_value index)
{
   assert(op == LIR_OP_load8 || op == LIR_OP_load16 || op == LIR_OP_load32);
   return lir_build(builder, op, &index, lir_mem(space, binding));
}

void
lir_store(struct lir_builder *builder, enum lir_op op, enum lir_space space,
          uint32_t binding, lir_value index, lir_value value)
{
   const lir_value operands[2] = {index, value};

   assert(op == LIR_OP_store8 || op == LIR_OP_store16 || op == LIR_OP_store32);
   lir_build(builder, op, operands, lir_mem(space, binding));
}

lir_value
lir_load32(struct lir_builder *builder, enum lir_space space, uint32_t binding,
           lir_value index)
{
   return lir_load(builder, LIR_OP_load32, space, binding, index);
}

void
lir_store32(struct lir_builder *builder, enum lir_space space, uint32_t binding,
            lir_value index, lir_value value)
{
   lir_store(builder, LIR_OP_store32, space, binding, index, value);
}

lir_value
lir_memsize(struct lir_builder *builder, enum lir_space space, uint32_t binding)
{
   return lir_build(builder, LIR_OP_memsize, NULL, lir_mem(space, binding));
}

lir_value
lir_atomic(struct lir_builder *builder, enum lir_op op, enum lir_space space,
           uint32_t binding, lir_value index, lir_value compare,
           lir_value value)
{
   const bool compares = lir_op_row(op)->num_operands == 3;
   const lir_value operands[3] = {index, compares ? compare : value, value};

   assert(lir_op_row(op)->imm == LIR_IMM_MEM &&
          lir_op_row(op)->flags & LIR_FLAG_READ &&
          lir_op_row(op)->flags & LIR_FLAG_WRITE);
   return lir_build(builder, op, operands, lir_mem(space, binding));
}

/* ---- control ------------------------------------------------------------- */

static uint32_t
open_construct(struct lir_builder *builder, enum lir_op op,
               const lir_value *operands)
{
   if (builder->level + 1 >= LIR_MAX_LEVELS)
      builder->failed = true;
   lir_build(builder, op, operands, 0);
   return builder->level;
}

uint32_t
lir_begin_block(struct lir_builder *builder)
{
   return open_construct(builder, LIR_OP_block, NULL);
}

uint32_t
lir_begin_if(struct lir_builder *builder, lir_value condition)
{
   return open_construct(builder, LIR_OP_if, &condition);
}

void
lir_begin_else(struct lir_builder *builder)
{
   lir_build(builder, LIR_OP_else, NULL, 0);
}

uint32_t
lir_begin_loop(struct lir_builder *builder)
{
   return open_construct(builder, LIR_OP_loop, NULL);
}

void
lir_end(struct lir_builder *builder)
{
   lir_build(builder, LIR_OP_end, NULL, 0);
}

void
lir_br(struct lir_builder *builder, uint32_t level)
{
   lir_build(builder, LIR_OP_br, NULL, level);
}

void
lir_call(struct lir_builder *builder, uint32_t function)
{
   lir_build(builder, LIR_OP_call, NULL, function);
}

/* ---- parameters and results ---------------------------------------------- */

void
lir_set_signature(struct lir_module *module, uint32_t function,
                  uint32_t num_params, uint32_t num_results)
{
   assert(function > 0 && function < module->num_functions);
   assert(num_params <= LIR_MAX_SLOTS && num_results <= LIR_MAX_SLOTS);
   module->functions[function].num_params = num_params;
   module->functions[function].num_results = num_results;
}

lir_value
lir_param(struct lir_builder *builder, uint32_t param)
{
   return lir_build(builder, LIR_OP_param32, NULL, param);
}

void
lir_set_result(struct lir_builder *builder, uint32_t result, lir_value value)
{
   lir_build(builder, LIR_OP_setresult32, &value, result);
}

void
lir_call_with(struct lir_builder *builder, uint32_t function,
              const lir_value *args, lir_value *results_out)
{
   if (builder->failed || function >= builder->module->num_functions) {
      builder->failed = true;
      return;
   }
   const uint32_t num_params = builder->module->functions[function].num_params;
   const uint32_t num_results =
      builder->module->functions[function].num_results;

   for (uint32_t i = 0; i < num_params; i++)
      lir_build(builder, LIR_OP_arg32, &args[i], i);
   lir_call(builder, function);
   for (uint32_t i = 0; i < num_results; i++)
      results_out[i] = lir_build(builder, LIR_OP_result32, NULL, i);
}

/* ---- for listeners ------------------------------------------------------- */

void
lir_trace(struct lir_builder *builder, uint64_t tag, lir_value value)
{
   lir_build(builder, LIR_OP_trace, &value, tag);
}

void
lir_emit(struct lir_builder *builder, lir_value stream)
{
   lir_build(builder, LIR_OP_emit, &stream, 0);
}

void
lir_endprim(struct lir_builder *builder, lir_value stream)
{
   lir_build(builder, LIR_OP_endprim, &stream, 0);
}
