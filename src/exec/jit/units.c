/* SPDX-License-Identifier: MIT
 *
 * Bounds-checked gathers and scatters, as LLVM IR, of units of 8, 16 or 32
 * bits. Loads read in all lanes, stores write in active ones, the lowest first,
 * which is the order of LLVM's scatters; outside of the bounds loads give 0 and
 * stores do nothing.
 */
#include "exec/jit/emit.h"

#define FRAME(field) offsetof(struct jit_frame, field)

/* ---- accesses ------------------------------------------------------------ */

LLVMValueRef
jit_at(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef data,
       LLVMValueRef index)
{
   return llvm.BuildGEP2(e->b, unit, data, &index, 1, "");
}

LLVMValueRef
jit_is_inside(struct jit_emitter *e, LLVMValueRef index, LLVMValueRef count)
{
   if (jit_is_vector(index))
      count = jit_splat(e, count);
   return llvm.BuildICmp(e->b, LLVMIntULT, index, count, "");
}

/* An index that is inside of the bounds: 0 where it was not. So all lanes can
 * load something, and code has no branches where the machine gathers lane by
 * lane. There is a unit 0 in all memory that code runs with. */
LLVMValueRef
jit_safe_index(struct jit_emitter *e, LLVMValueRef index, LLVMValueRef inside)
{
   return llvm.BuildSelect(e->b, inside, index, jit_integer(e, index, 0), "");
}

LLVMValueRef
jit_gather(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef pointers,
           unsigned alignment)
{
   const LLVMTypeRef result = llvm.VectorType(type, LIR_LANES);
   LLVMTypeRef types[] = {result, llvm.TypeOf(pointers)};
   LLVMValueRef arguments[] = {
      pointers,
      llvm.ConstInt(e->i32, alignment, false),
      llvm.ConstAllOnes(e->mask),
      llvm.GetPoison(result),
   };

   return jit_intrinsic(e, "llvm.masked.gather", types, 2, arguments, 4);
}

/* Every second word of as many pairs, from `first` on. */
static LLVMValueRef
take_words(struct jit_emitter *e, LLVMValueRef pairs, uint32_t first)
{
   const LLVMTypeRef type = llvm.VectorType(e->i32, 2 * LIR_LANES);
   uint32_t words[LIR_LANES];

   for (uint32_t i = 0; i < LIR_LANES; i++)
      words[i] = 2 * i + first;
   return llvm.BuildShuffleVector(
      e->b, llvm.BuildBitCast(e->b, pairs, type, ""), llvm.GetPoison(type),
      jit_constant_lanes(e, words, LIR_LANES), "");
}

void
jit_gather_pairs(struct jit_emitter *e, LLVMValueRef pointers,
                 LLVMValueRef *first_out, LLVMValueRef *second_out)
{
   const LLVMValueRef pairs = jit_gather(e, e->i64, pointers, sizeof(uint32_t));

   *first_out = take_words(e, pairs, 0);
   *second_out = take_words(e, pairs, 1);
}

/* Loads in all lanes; 0 in those that are not inside of the bounds. */
LLVMValueRef
jit_gather_inside(struct jit_emitter *e, LLVMTypeRef unit,
                  LLVMValueRef pointers, LLVMValueRef inside)
{
   const LLVMValueRef units =
      jit_gather(e, unit, pointers, llvm.GetIntTypeWidth(unit) / 8);

   return llvm.BuildSelect(e->b, inside, units,
                           llvm.ConstNull(llvm.TypeOf(units)), "");
}

/* What a loop over lanes finds its values in. */
static LLVMValueRef
spill(struct jit_emitter *e, LLVMValueRef vector)
{
   return jit_alloca(e, llvm.TypeOf(vector), vector);
}

static LLVMValueRef
load_element(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef row,
             LLVMValueRef lane)
{
   return llvm.BuildLoad2(e->b, type, jit_at(e, type, row, lane), "");
}

/* Stores lane by lane, the lowest first: an instruction. */
static void
scatter_masked(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
               LLVMValueRef data, LLVMValueRef index, LLVMValueRef mask)
{
   const LLVMValueRef pointers = jit_at(e, unit, data, index);
   LLVMTypeRef types[] = {llvm.TypeOf(value), llvm.TypeOf(pointers)};
   LLVMValueRef arguments[] = {
      value,
      pointers,
      llvm.ConstInt(e->i32, llvm.GetIntTypeWidth(unit) / 8, false),
      mask,
   };

   jit_intrinsic(e, "llvm.masked.scatter", types, 2, arguments, 4);
}

/* The same: a loop over the bits of the mask. */
static void
scatter_some(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
             LLVMValueRef data, LLVMValueRef index, LLVMValueRef mask)
{
   const LLVMBasicBlockRef loop = jit_block(e, "scatter");
   const LLVMBasicBlockRef body = jit_block(e, "lane");
   const LLVMBasicBlockRef done = jit_block(e, "scattered");
   const LLVMTypeRef index_type = llvm.GetElementType(llvm.TypeOf(index));
   const LLVMValueRef values = spill(e, value), indices = spill(e, index);
   const LLVMValueRef left = jit_alloca(e, e->i32, jit_bits_of_mask(e, mask));

   llvm.BuildBr(e->b, loop);
   jit_enter_block(e, loop);
   const LLVMValueRef bits = llvm.BuildLoad2(e->b, e->i32, left, "");
   const LLVMValueRef zero = llvm.ConstInt(e->i32, 0, false);
   llvm.BuildCondBr(e->b, llvm.BuildICmp(e->b, LLVMIntNE, bits, zero, ""), body,
                    done);

   jit_enter_block(e, body);
   LLVMValueRef arguments[] = {bits, llvm.ConstInt(e->i1, 1, false)};
   const LLVMValueRef lane =
      jit_intrinsic(e, "llvm.cttz", &e->i32, 1, arguments, 2);
   const LLVMValueRef pointer =
      jit_at(e, unit, data,
             llvm.BuildZExt(e->b, load_element(e, index_type, indices, lane),
                            e->i64, ""));
   llvm.SetAlignment(
      llvm.BuildStore(e->b, load_element(e, unit, values, lane), pointer),
      llvm.GetIntTypeWidth(unit) / 8);
   const LLVMValueRef less =
      llvm.BuildSub(e->b, bits, llvm.ConstInt(e->i32, 1, false), "");
   llvm.BuildStore(e->b, llvm.BuildAnd(e->b, bits, less, ""), left);
   llvm.BuildBr(e->b, loop);
   jit_enter_block(e, done);
}

/* The indices of a vector as scalars. Two at a time go from vector registers to
 * others. */
void
jit_split_indices(struct jit_emitter *e, LLVMValueRef index,
                  LLVMValueRef scalars[LIR_LANES])
{
   const LLVMTypeRef type = llvm.VectorType(e->i64, LIR_LANES / 2);
   const LLVMValueRef pairs = llvm.BuildBitCast(e->b, index, type, "");

   for (unsigned i = 0; i < LIR_LANES; i += 2) {
      const LLVMValueRef pair = jit_word_of_lane(e, pairs, i / 2);

      scalars[i] = llvm.BuildAnd(e->b, pair,
                                 llvm.ConstInt(e->i64, UINT32_MAX, false), "");
      scalars[i + 1] =
         llvm.BuildLShr(e->b, pair, llvm.ConstInt(e->i64, 32, false), "");
   }
}

/* Likewise, all lanes. */
static void
scatter_all(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
            LLVMValueRef data, LLVMValueRef index)
{
   LLVMValueRef scalars[LIR_LANES];

   jit_split_indices(e, index, scalars);
   for (unsigned i = 0; i < LIR_LANES; i++)
      llvm.SetAlignment(llvm.BuildStore(e->b, jit_word_of_lane(e, value, i),
                                        jit_at(e, unit, data, scalars[i])),
                        llvm.GetIntTypeWidth(unit) / 8);
}

bool
jit_has_scatter(const struct jit_emitter *e, LLVMTypeRef unit)
{
   return e->has_scatter && unit == e->i32;
}

/* Stores in active lanes that are inside of the bounds. */
void
jit_scatter_inside(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                   LLVMValueRef data, LLVMValueRef index, LLVMValueRef inside)
{
   const LLVMValueRef active = jit_active(e);
   const LLVMValueRef mask = llvm.BuildAnd(e->b, inside, active, "");

   if (jit_has_scatter(e, unit)) {
      scatter_masked(e, unit, value, data, index, mask);
      return;
   }
   const LLVMValueRef are_inside = jit_all(e, inside);
   const LLVMValueRef is_full = jit_all(e, active);
   struct jit_either either =
      jit_either(e, llvm.BuildAnd(e->b, are_inside, is_full, ""));

   scatter_all(e, unit, value, data, index);
   jit_or_else(e, &either, NULL, 0);
   scatter_some(e, unit, value, data, index, mask);
   jit_after_either(e, &either, NULL, 0);
}

LLVMValueRef
jit_load(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef pointer,
         unsigned alignment)
{
   const LLVMValueRef value = llvm.BuildLoad2(e->b, type, pointer, "");

   llvm.SetAlignment(value, alignment);
   return value;
}

/* ---- units of bindings --------------------------------------------------- */

/* Indices that pointers are made of. Those of words are below 2^31, for which
 * the caller of the code stands; others are unsigned. */
static LLVMValueRef
wide_index(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef index)
{
   if (unit == e->i32 && jit_is_vector(index))
      return index;
   return llvm.BuildZExt(e->b, index, jit_shaped(e, index, e->i64), "");
}

LLVMValueRef
jit_count_units(struct jit_emitter *e, LLVMTypeRef unit,
                const struct jit_binding *binding)
{
   if (unit == e->i32)
      return binding->num_words;
   const uint64_t shift = unit == e->i16;
   const LLVMValueRef count = llvm.BuildLShr(
      e->b, binding->num_bytes, llvm.ConstInt(e->i64, shift, false), "");
   LLVMValueRef arguments[] = {count, llvm.ConstInt(e->i64, UINT32_MAX, false)};

   return llvm.BuildTrunc(
      e->b, jit_intrinsic(e, "llvm.umin", &e->i64, 1, arguments, 2), e->i32,
      "");
}

static bool
is_static(const struct jit_emitter *e, const struct jit_binding *binding,
          LLVMTypeRef unit, LLVMValueRef index)
{
   return unit == e->i32 && llvm.IsAConstantInt(index) &&
          llvm.ConstIntGetZExtValue(index) < binding->place.static_words;
}

/* Gathers bytes or halfwords, for which there is no instruction, out of the
 * words that they are parts of. The last word may reach beyond the bounds, but
 * as memory begins with a word, no further than a page does. */
static LLVMValueRef
gather_parts(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef data,
             LLVMValueRef index)
{
   const bool is_byte = unit == e->i8;
   const LLVMValueRef word = llvm.BuildLShr(
      e->b, index, jit_constant(e, e->words, is_byte ? 2 : 1), "");
   const LLVMValueRef part = llvm.BuildAnd(
      e->b, index, jit_constant(e, e->words, is_byte ? 3 : 1), "");
   const LLVMValueRef bit =
      llvm.BuildShl(e->b, part, jit_constant(e, e->words, is_byte ? 3 : 4), "");
   const LLVMValueRef words =
      jit_gather(e, e->i32, jit_at(e, e->i32, data, word), 4);

   return llvm.BuildTrunc(e->b, llvm.BuildLShr(e->b, words, bit, ""),
                          llvm.VectorType(unit, LIR_LANES), "");
}

LLVMValueRef
jit_gather_units(struct jit_emitter *e, LLVMTypeRef unit,
                 const struct jit_binding *binding, LLVMValueRef index)
{
   const LLVMValueRef inside =
      jit_is_inside(e, index, jit_count_units(e, unit, binding));
   const LLVMValueRef safe = jit_safe_index(e, index, inside);

   if (unit != e->i32 && e->has_avx2) {
      const LLVMValueRef units = gather_parts(e, unit, binding->data, safe);
      return llvm.BuildSelect(e->b, inside, units,
                              llvm.ConstNull(llvm.TypeOf(units)), "");
   }
   return jit_gather_inside(
      e, unit, jit_at(e, unit, binding->data, wide_index(e, unit, safe)),
      inside);
}

LLVMValueRef
jit_load_units(struct jit_emitter *e, LLVMTypeRef unit,
               const struct jit_binding *binding, LLVMValueRef index)
{
   const LLVMTypeRef type = llvm.VectorType(unit, LIR_LANES);
   const LLVMValueRef inside =
      jit_is_inside(e, index, jit_count_units(e, unit, binding));
   LLVMValueRef result = llvm.GetPoison(type);
   LLVMValueRef scalars[LIR_LANES];

   jit_split_indices(e, jit_safe_index(e, index, inside), scalars);
   for (unsigned i = 0; i < LIR_LANES; i++)
      result = llvm.BuildInsertElement(
         e->b, result,
         jit_load(e, unit, jit_at(e, unit, binding->data, scalars[i]),
                  llvm.GetIntTypeWidth(unit) / 8),
         llvm.ConstInt(e->i32, i, false), "");
   return llvm.BuildSelect(e->b, inside, result, llvm.ConstNull(type), "");
}

void
jit_scatter_units(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                  const struct jit_binding *binding, LLVMValueRef index)
{
   jit_scatter_inside(
      e, unit, value, binding->data, index,
      jit_is_inside(e, index, jit_count_units(e, unit, binding)));
}

/* The unit at an index that is the same in all lanes, or zeros. */
static LLVMValueRef
unit_pointer(struct jit_emitter *e, LLVMTypeRef unit,
             const struct jit_binding *binding, LLVMValueRef index)
{
   const LLVMValueRef pointer =
      jit_at(e, unit, binding->data, wide_index(e, unit, index));

   if (is_static(e, binding, unit, index))
      return pointer;
   return llvm.BuildSelect(
      e->b, jit_is_inside(e, index, jit_count_units(e, unit, binding)), pointer,
      jit_field_pointer(e, FRAME(zeros)), "");
}

LLVMValueRef
jit_load_unit(struct jit_emitter *e, LLVMTypeRef unit,
              const struct jit_binding *binding, LLVMValueRef index)
{
   return jit_load(e, unit, unit_pointer(e, unit, binding, index),
                   llvm.GetIntTypeWidth(unit) / 8);
}

LLVMValueRef
jit_agree(struct jit_emitter *e, LLVMValueRef index, LLVMValueRef *first_out)
{
   *first_out = jit_word_of_lane(e, index, 0);
   return jit_all(
      e, llvm.BuildICmp(e->b, LLVMIntEQ, index, jit_splat(e, *first_out), ""));
}
