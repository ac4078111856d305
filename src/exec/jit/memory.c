/* SPDX-License-Identifier: MIT
 *
 * Loads and stores, as LLVM IR: each of a uniform space goes to the file that
 * knows its pattern, those of lane memory are here.
 */
#include "exec/jit/emit.h"

#define ACTION(name)                                                           \
   LLVMValueRef jit_emit_##name(struct jit_emitter *e,                         \
                                const struct lir_inst *inst)

#define FRAME(field) offsetof(struct jit_frame, field)

/* ---- uniform spaces ------------------------------------------------------ */

static LLVMTypeRef
unit_of(const struct jit_emitter *e, enum lir_op op)
{
   if (op == LIR_OP_load8 || op == LIR_OP_store8)
      return e->i8;
   return op == LIR_OP_load16 || op == LIR_OP_store16 ? e->i16 : e->i32;
}

/* Loads in lanes that mostly look at the same unit, as where the words of a
 * texture's level are: whether they do is found out when the code runs. */
static LLVMValueRef
load_agreeing(struct jit_emitter *e, LLVMTypeRef unit,
              const struct jit_binding *binding, LLVMValueRef index)
{
   LLVMValueRef first;
   struct jit_either either = jit_either(e, jit_agree(e, index, &first));

   LLVMValueRef result = jit_splat(e, jit_load_unit(e, unit, binding, first));

   jit_or_else(e, &either, &result, 1);
   result = jit_gather_units(e, unit, binding, index);
   jit_after_either(e, &either, &result, 1);
   return result;
}

static LLVMValueRef
load_uniform_space(struct jit_emitter *e, const struct lir_inst *inst)
{
   const LLVMTypeRef unit = unit_of(e, (enum lir_op)inst->op);
   const struct jit_binding *binding = jit_find_binding(e, inst->imm);
   const LLVMValueRef index = jit_operand(e, inst, 0);
   LLVMValueRef result;

   if (inst->num_words && jit_is_vector(index))
      result = jit_load_run(e, binding, inst);
   else if (!jit_is_vector(index))
      result = jit_load_unit(e, unit, binding, index);
   else if (inst->is_inside)
      result = jit_look_up(e, binding, inst);
   else if (lir_mem_space(inst->imm) == LIR_SPACE_SURFACE)
      result = e->module->has_tiled_surfaces
                  ? jit_load_tile(e, unit, binding, index)
                  : jit_load_surface(e, unit, binding, index);
   else if (lir_mem_space(inst->imm) == LIR_SPACE_TEXTURE && e->has_avx2)
      result = jit_load_texture(e, unit, binding, inst);
   else if (lir_mem_space(inst->imm) == LIR_SPACE_CONST)
      result = load_agreeing(e, unit, binding, index);
   else if (lir_space_is_shared(lir_mem_space(inst->imm)))
      result = jit_load_row(e, unit, binding, index);
   else
      result = jit_gather_units(e, unit, binding, index);
   return unit == e->i32
             ? result
             : llvm.BuildZExt(e->b, result, jit_shaped(e, result, e->i32), "");
}

static void
store_uniform_space(struct jit_emitter *e, const struct lir_inst *inst)
{
   const LLVMTypeRef unit = unit_of(e, (enum lir_op)inst->op);
   const struct jit_binding *binding = jit_find_binding(e, inst->imm);
   const LLVMValueRef index = jit_vector_operand(e, inst, 0);
   const LLVMValueRef word = jit_vector_operand(e, inst, 1);
   const LLVMValueRef value =
      unit == e->i32
         ? word
         : llvm.BuildTrunc(e->b, word, llvm.VectorType(unit, LIR_LANES), "");

   if (lir_mem_space(inst->imm) != LIR_SPACE_SURFACE)
      jit_store_row(e, unit, value, binding, index);
   else if (e->module->has_tiled_surfaces)
      jit_store_tile(e, unit, value, binding, index);
   else
      jit_store_surface(e, unit, value, binding, index);
}

/* ---- lane memory --------------------------------------------------------- */

/* Lane memory of an instruction: its first row, and how many there are. */
struct rows {
   LLVMValueRef data, num_words;
};

static struct rows
find_rows(struct jit_emitter *e, uint64_t mem)
{
   const enum lir_space space = lir_mem_space(mem);
   const uint32_t binding = lir_mem_binding(mem);

   if (space != LIR_SPACE_ARRAY)
      return (struct rows){e->lane_data[space - LIR_SPACE_INPUT],
                           e->lane_words[space - LIR_SPACE_INPUT]};
   LLVMValueRef first =
      llvm.ConstInt(e->i64, e->first_array_word[binding], false);
   return (struct rows){
      llvm.BuildGEP2(e->b, e->words, e->lane_data[3], &first, 1, ""),
      llvm.ConstInt(e->i32, e->module->arrays[binding].num_words, false)};
}

static bool
is_static_row(const struct jit_emitter *e, uint64_t mem, LLVMValueRef index)
{
   const enum lir_space space = lir_mem_space(mem);

   if (!llvm.IsAConstantInt(index))
      return false;
   const uint32_t num_words =
      space == LIR_SPACE_ARRAY
         ? e->module->arrays[lir_mem_binding(mem)].num_words
         : e->shape->static_lane_words[space - LIR_SPACE_INPUT];
   return llvm.ConstIntGetZExtValue(index) < num_words;
}

/* Is the index inside of lane memory? Where that is proven the answer is a
 * constant, from which the selects and branches on it fold. */
static LLVMValueRef
is_row(struct jit_emitter *e, const struct lir_inst *inst, LLVMValueRef index,
       LLVMValueRef num_words)
{
   if (inst->is_inside)
      return llvm.ConstAllOnes(jit_is_vector(index) ? e->mask : e->i1);
   return jit_is_inside(e, index, num_words);
}

/* The row of an index that is the same in all lanes, or `other`, a field of the
 * frame, if there is none. */
static LLVMValueRef
row_pointer(struct jit_emitter *e, const struct lir_inst *inst,
            LLVMValueRef index, size_t other)
{
   const struct rows rows = find_rows(e, inst->imm);
   const LLVMValueRef pointer =
      jit_at(e, e->words, rows.data, llvm.BuildZExt(e->b, index, e->i64, ""));

   if (is_static_row(e, inst->imm, index))
      return pointer;
   return llvm.BuildSelect(e->b, is_row(e, inst, index, rows.num_words),
                           pointer, jit_field_pointer(e, other), "");
}

/* Each lane's word of a row, as an index in an array of words. */
static LLVMValueRef
word_index(struct jit_emitter *e, LLVMValueRef row)
{
   const LLVMValueRef first =
      llvm.BuildShl(e->b, row, jit_constant(e, e->words, 4), "");

   return llvm.BuildAdd(e->b, first, e->lane_numbers, "");
}

static LLVMValueRef
load_lane_space(struct jit_emitter *e, const struct lir_inst *inst)
{
   const LLVMValueRef index = jit_operand(e, inst, 0);

   if (!jit_is_vector(index))
      return jit_load(e, e->words, row_pointer(e, inst, index, FRAME(zeros)),
                      4);
   const struct rows rows = find_rows(e, inst->imm);
   const LLVMValueRef inside = is_row(e, inst, index, rows.num_words);
   const LLVMValueRef word = word_index(e, jit_safe_index(e, index, inside));
   return jit_gather_inside(e, e->i32, jit_at(e, e->i32, rows.data, word),
                            inside);
}

static void
store_row(struct jit_emitter *e, LLVMValueRef pointer, LLVMValueRef value)
{
   const LLVMValueRef old = jit_load(e, e->words, pointer, 4);

   llvm.SetAlignment(
      llvm.BuildStore(
         e->b, llvm.BuildSelect(e->b, jit_active(e), value, old, ""), pointer),
      4);
}

static void
store_lane_space(struct jit_emitter *e, const struct lir_inst *inst)
{
   const LLVMValueRef index = jit_operand(e, inst, 0);
   const LLVMValueRef value = jit_vector_operand(e, inst, 1);

   if (!jit_is_vector(index)) {
      store_row(e, row_pointer(e, inst, index, FRAME(trash)), value);
      return;
   }
   const struct rows rows = find_rows(e, inst->imm);
   jit_scatter_inside(e, e->i32, value, rows.data, word_index(e, index),
                      is_row(e, inst, index, rows.num_words));
}

/* ---- instructions -------------------------------------------------------- */

static bool
is_uniform_space(uint64_t mem)
{
   return lir_mem_space(mem) < LIR_NUM_UNIFORM_SPACES;
}

ACTION(load)
{
   return is_uniform_space(inst->imm) ? load_uniform_space(e, inst)
                                      : load_lane_space(e, inst);
}

ACTION(store)
{
   if (is_uniform_space(inst->imm))
      store_uniform_space(e, inst);
   else
      store_lane_space(e, inst);
   return NULL;
}

ACTION(memsize)
{
   LLVMValueRef arguments[] = {jit_find_binding(e, inst->imm)->num_bytes,
                               llvm.ConstInt(e->i64, UINT32_MAX, false)};

   return llvm.BuildTrunc(
      e->b, jit_intrinsic(e, "llvm.umin", &e->i64, 1, arguments, 2), e->i32,
      "");
}

ACTION(fence)
{
   (void)inst;
   llvm.BuildFence(e->b, LLVMAtomicOrderingSequentiallyConsistent, false, "");
   return NULL;
}
