/* SPDX-License-Identifier: MIT
 *
 * From a LIR module to a function of LLVM IR: what the function begins with,
 * and which emitter does each operation.
 */
#include "exec/jit/emit.h"

#include <string.h>

#include "exec/jit/lines.h"

/* ---- what can be emitted ------------------------------------------------- */

bool
jit_can_emit(const struct lir_module *module)
{
   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *function = &module->functions[k];

      for (uint32_t i = 0; i < function->num_insts; i++) {
         const uint16_t op = function->insts[i].op;

         if (!jit_alus[op] && !jit_actions[op])
            return false;
      }
   }
   return true;
}

/* ---- the beginning of the function --------------------------------------- */

static void
init_types(struct jit_emitter *e)
{
   e->i1 = llvm.IntTypeInContext(e->context, 1);
   e->i8 = llvm.IntTypeInContext(e->context, 8);
   e->i16 = llvm.IntTypeInContext(e->context, 16);
   e->i32 = llvm.IntTypeInContext(e->context, 32);
   e->i64 = llvm.IntTypeInContext(e->context, 64);
   e->f16 = llvm.HalfTypeInContext(e->context);
   e->f32 = llvm.FloatTypeInContext(e->context);
   e->f64 = llvm.DoubleTypeInContext(e->context);
   e->pointer = llvm.PointerTypeInContext(e->context, 0);
   e->mask = llvm.VectorType(e->i1, LIR_LANES);
   e->words = llvm.VectorType(e->i32, LIR_LANES);
   e->pairs = llvm.VectorType(e->i64, LIR_LANES);
}

static LLVMValueRef
lane_numbers(const struct jit_emitter *e)
{
   LLVMValueRef lanes[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      lanes[i] = llvm.ConstInt(e->i32, i, false);
   return llvm.ConstVector(lanes, LIR_LANES);
}

/* Variables that are read, and never but as uniform values, are scalars: all
 * lanes write the same to them. */
static void
find_scalars(struct jit_emitter *e, bool is_uniform)
{
   const struct lir_module *module = e->module;

   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *function = &module->functions[k];

      for (uint32_t i = 0; i < function->num_insts; i++) {
         const struct lir_inst *inst = &function->insts[i];
         const struct lir_op_info *info = lir_op_row(inst->op);

         if (info->imm == LIR_IMM_VAR && info->type != LIR_TYPE_V &&
             inst->is_uniform == is_uniform)
            e->var_is_scalar[inst->imm] = is_uniform;
      }
   }
}

static void
emit_vars(struct jit_emitter *e)
{
   const LLVMTypeRef scalars[] = {
      [LIR_TYPE_B1] = e->i1,
      [LIR_TYPE_B32] = e->i32,
      [LIR_TYPE_B64] = e->i64,
   };

   for (uint32_t i = 0; i < e->module->num_vars; i++) {
      const LLVMTypeRef scalar = scalars[e->module->vars[i].type];
      const LLVMTypeRef type =
         e->var_is_scalar[i] ? scalar : llvm.VectorType(scalar, LIR_LANES);

      e->vars[i] = jit_keep_at_stop(e, type, llvm.ConstNull(type));
   }
}

static bool
init_vars(struct jit_emitter *e)
{
   const struct lir_module *module = e->module;

   e->vars = tg_arena_array(&e->arena, module->num_vars, sizeof(*e->vars));
   e->var_is_scalar =
      tg_arena_array(&e->arena, module->num_vars, sizeof(*e->var_is_scalar));
   e->first_array_word = tg_arena_array(&e->arena, module->num_arrays,
                                        sizeof(*e->first_array_word));
   if (!e->vars || !e->var_is_scalar || !e->first_array_word)
      return false;
   for (uint32_t i = 0, word = 0; i < module->num_arrays; i++) {
      e->first_array_word[i] = word;
      word += module->arrays[i].num_words;
   }
   find_scalars(e, true);
   find_scalars(e, false);
   return true;
}

static void
add_attribute(struct jit_emitter *e, LLVMAttributeRef attribute)
{
   llvm.AddAttributeAtIndex(e->function, LLVMAttributeFunctionIndex, attribute);
}

static void
begin_function(struct jit_emitter *e, const char *name)
{
   static const char nounwind[] = "nounwind", tuning[] = "tune-cpu";
   const LLVMTypeRef type = llvm.FunctionType(e->i32, &e->pointer, 1, false);

   e->function = llvm.AddFunction(e->llvm, name, type);
   e->frame = llvm.GetParam(e->function, 0);
   const unsigned kind =
      llvm.GetEnumAttributeKindForName(nounwind, strlen(nounwind));
   add_attribute(e, llvm.CreateEnumAttribute(e->context, kind, 0));
   if (e->tuning)
      add_attribute(e, llvm.CreateStringAttribute(
                          e->context, tuning, (unsigned)strlen(tuning),
                          e->tuning, (unsigned)strlen(e->tuning)));
   e->entry = jit_block(e, "entry");
}

enum tg_result
jit_emit(struct jit_emitter *e, const char *name)
{
   init_types(e);
   e->ranges = lir_find_ranges(e->module, &e->arena);
   if (!e->ranges || !init_vars(e))
      return TG_ERROR_MEMORY;
   for (uint32_t i = 0; i < e->shape->num_bindings; i++)
      e->bindings[i].place = e->shape->bindings[i];
   e->b = llvm.CreateBuilderInContext(e->context);
   begin_function(e, name);
   jit_begin_lines(e);
   e->lane_numbers = lane_numbers(e);
   jit_begin_round_waves(e);
   emit_vars(e);
   jit_begin_stops(e);
   jit_control_emit_function(e, 0);
   jit_end_stops(e);
   jit_end_lines(e);
   llvm.DisposeBuilder(e->b);
   return e->result;
}

/* ---- the table ----------------------------------------------------------- */

/* Those that compute are in jit_alus. What is in neither, the clock, is left to
 * the interpreter. */
const jit_action jit_actions[LIR_NUM_OPS] = {
#define LIR_ATOMIC(name, n, expression, title)                                 \
   [LIR_OP_##name] = jit_emit_atomic,
#include "lir/ops.def"
   [LIR_OP_const1] = jit_emit_constant,
   [LIR_OP_const32] = jit_emit_constant,
   [LIR_OP_const64] = jit_emit_constant,
   [LIR_OP_lane] = jit_emit_lane,
   [LIR_OP_getvar1] = jit_emit_getvar,
   [LIR_OP_getvar32] = jit_emit_getvar,
   [LIR_OP_getvar64] = jit_emit_getvar,
   [LIR_OP_setvar1] = jit_emit_setvar,
   [LIR_OP_setvar32] = jit_emit_setvar,
   [LIR_OP_setvar64] = jit_emit_setvar,
   [LIR_OP_putvar32] = jit_emit_setvar,
   [LIR_OP_fddx] = jit_emit_fddx,
   [LIR_OP_fddy] = jit_emit_fddy,
   [LIR_OP_read_quad] = jit_emit_read_quad,
   [LIR_OP_ballot] = jit_emit_ballot,
   [LIR_OP_read_first] = jit_emit_read_first,
   [LIR_OP_read_lane] = jit_emit_read_lane,
   [LIR_OP_live] = jit_emit_live,
   [LIR_OP_kill] = jit_emit_kill,
   [LIR_OP_barrier] = jit_emit_barrier,
   [LIR_OP_fence] = jit_emit_fence,
   [LIR_OP_load8] = jit_emit_load,
   [LIR_OP_load16] = jit_emit_load,
   [LIR_OP_load32] = jit_emit_load,
   [LIR_OP_store8] = jit_emit_store,
   [LIR_OP_store16] = jit_emit_store,
   [LIR_OP_store32] = jit_emit_store,
   [LIR_OP_memsize] = jit_emit_memsize,
   [LIR_OP_block] = jit_emit_block,
   [LIR_OP_if] = jit_emit_if,
   [LIR_OP_else] = jit_emit_else,
   [LIR_OP_loop] = jit_emit_loop,
   [LIR_OP_end] = jit_emit_end,
   [LIR_OP_br] = jit_emit_br,
   [LIR_OP_call] = jit_emit_call,
   [LIR_OP_trace] = jit_emit_trace,
   [LIR_OP_emit] = jit_emit_emit,
   [LIR_OP_endprim] = jit_emit_endprim,
};
