/* SPDX-License-Identifier: MIT
 *
 * Accesses to surfaces, as LLVM IR. Lanes that are the pixels of a block of 4
 * by 4, those of a quad next to each other, look at four rows of four units;
 * those of other quads look at pairs of units. Whether they do is found out
 * when the code runs: it is faster than to gather and to scatter.
 */
#include "exec/block.h"
#include "exec/jit/emit.h"

struct block_rows {
   LLVMTypeRef unit;
   LLVMValueRef data;
   LLVMValueRef first, pitch; /* i64 */
   LLVMValueRef is_block; /* lanes are one, inside of the bounds, of which no
                           * two are at the same unit */
};

static LLVMValueRef
splat_where(struct jit_emitter *e, LLVMValueRef word, const uint32_t *mask)
{
   return llvm.BuildAnd(e->b, jit_splat(e, word),
                        jit_constant_lanes(e, mask, LIR_LANES), "");
}

/* The indices of a block's lanes, 32 bits of them. Pitches are masked, as
 * vectors are slow to multiply. */
static LLVMValueRef
block_indices(struct jit_emitter *e, LLVMValueRef first, LLVMValueRef pitch)
{
   const LLVMValueRef twice = llvm.BuildAdd(e->b, pitch, pitch, "");
   const LLVMValueRef down =
      llvm.BuildAdd(e->b, splat_where(e, pitch, exec_block_odd),
                    splat_where(e, twice, exec_block_lower), "");
   const LLVMValueRef across =
      llvm.BuildAdd(e->b, jit_splat(e, first),
                    jit_constant_lanes(e, exec_block_column, LIR_LANES), "");

   return llvm.BuildAdd(e->b, across, down, "");
}

static struct block_rows
find_block(struct jit_emitter *e, LLVMTypeRef unit,
           const struct jit_binding *binding, LLVMValueRef index)
{
   const LLVMValueRef first = jit_word_of_lane(e, index, exec_block_lane[0][0]);
   const LLVMValueRef below = jit_word_of_lane(e, index, exec_block_lane[1][0]);
   const LLVMValueRef pitch = llvm.BuildSub(e->b, below, first, "");
   const LLVMValueRef same = llvm.BuildICmp(e->b, LLVMIntEQ, index,
                                            block_indices(e, first, pitch), "");
   const LLVMValueRef is_block = jit_all(e, same);
   struct block_rows rows = {
      .unit = unit,
      .data = binding->data,
      .first = llvm.BuildZExt(e->b, first, e->i64, ""),
      .pitch = llvm.BuildZExt(e->b, pitch, e->i64, ""),
   };
   const LLVMValueRef down = llvm.BuildMul(
      e->b, rows.pitch, llvm.ConstInt(e->i64, EXEC_BLOCK_SIZE - 1, false), "");
   const LLVMValueRef last =
      llvm.BuildAdd(e->b, llvm.BuildAdd(e->b, rows.first, down, ""),
                    llvm.ConstInt(e->i64, EXEC_BLOCK_SIZE - 1, false), "");
   const LLVMValueRef count =
      llvm.BuildZExt(e->b, jit_count_units(e, unit, binding), e->i64, "");
   const LLVMValueRef is_apart =
      llvm.BuildICmp(e->b, LLVMIntUGE, pitch,
                     llvm.ConstInt(e->i32, EXEC_BLOCK_SIZE, false), "");
   const LLVMValueRef is_within =
      llvm.BuildICmp(e->b, LLVMIntULT, last, count, "");

   rows.is_block = llvm.BuildAnd(
      e->b, is_block, llvm.BuildAnd(e->b, is_apart, is_within, ""), "");
   return rows;
}

static LLVMValueRef
row_of_block(struct jit_emitter *e, const struct block_rows *rows, unsigned y)
{
   const LLVMValueRef down =
      llvm.BuildMul(e->b, rows->pitch, llvm.ConstInt(e->i64, y, false), "");

   return jit_at(e, rows->unit, rows->data,
                 llvm.BuildAdd(e->b, rows->first, down, ""));
}

static LLVMValueRef
load_block(struct jit_emitter *e, const struct block_rows *rows)
{
   static const uint32_t halves[] = {0, 1, 4, 5, 2, 3, 6, 7};
   static const uint32_t all[LIR_LANES] = {0, 1, 2,  3,  4,  5,  6,  7,
                                           8, 9, 10, 11, 12, 13, 14, 15};
   const LLVMTypeRef type = llvm.VectorType(rows->unit, EXEC_BLOCK_SIZE);
   LLVMValueRef row[EXEC_BLOCK_SIZE], half[2];

   for (unsigned y = 0; y < EXEC_BLOCK_SIZE; y++)
      row[y] = jit_load(e, type, row_of_block(e, rows, y),
                        llvm.GetIntTypeWidth(rows->unit) / 8);
   for (unsigned i = 0; i < 2; i++)
      half[i] = llvm.BuildShuffleVector(e->b, row[i * 2], row[i * 2 + 1],
                                        jit_constant_lanes(e, halves, 8), "");
   return llvm.BuildShuffleVector(e->b, half[0], half[1],
                                  jit_constant_lanes(e, all, LIR_LANES), "");
}

static void
store_block(struct jit_emitter *e, const struct block_rows *rows,
            LLVMValueRef value)
{
   for (unsigned y = 0; y < EXEC_BLOCK_SIZE; y++) {
      uint32_t lanes[EXEC_BLOCK_SIZE];

      for (unsigned x = 0; x < EXEC_BLOCK_SIZE; x++)
         lanes[x] = exec_block_lane[y][x];
      const LLVMValueRef row = llvm.BuildShuffleVector(
         e->b, value, llvm.GetPoison(llvm.TypeOf(value)),
         jit_constant_lanes(e, lanes, EXEC_BLOCK_SIZE), "");
      llvm.SetAlignment(llvm.BuildStore(e->b, row, row_of_block(e, rows, y)),
                        llvm.GetIntTypeWidth(rows->unit) / 8);
   }
}

/* ---- pairs --------------------------------------------------------------- */

/* Active lanes of which pairs are stored under a mask; fewer are faster one by
 * one, as those that cover a sample of small triangles. */
enum { LEAST_OF_PAIRS = 4 };

/* Masked stores, pair by pair: what is there stays in lanes that are not
 * active. Nobody else looks at it, as what is drawn of a tile is one thread's;
 * a pair that has some of it is loaded when those before it are stored. */
static void
store_pairs(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
            const struct jit_binding *binding, LLVMValueRef index)
{
   const LLVMTypeRef pair = llvm.VectorType(unit, 2);
   const unsigned alignment = llvm.GetIntTypeWidth(unit) / 8;
   const LLVMValueRef active = jit_active(e);

   for (unsigned i = 0; i < LIR_LANES; i += 2) {
      const LLVMValueRef pointer =
         jit_group_pointer(e, unit, binding, index, i);
      const LLVMValueRef old = jit_load(e, pair, pointer, alignment);
      const LLVMValueRef mixed =
         llvm.BuildSelect(e->b, jit_take_lanes(e, active, active, i, 2),
                          jit_take_lanes(e, value, value, i, 2), old, "");
      llvm.SetAlignment(llvm.BuildStore(e->b, mixed, pointer), alignment);
   }
}

static LLVMValueRef
load_pairs_or_gather(struct jit_emitter *e, LLVMTypeRef unit,
                     const struct jit_binding *binding, LLVMValueRef index)
{
   struct jit_either either =
      jit_either(e, jit_are_groups(e, unit, binding, index, 2));

   LLVMValueRef result = jit_load_groups(e, unit, binding, index, 2);

   jit_or_else(e, &either, &result, 1);
   result = jit_gather_units(e, unit, binding, index);
   jit_after_either(e, &either, &result, 1);
   return result;
}

/* Enough for pairs. Where scatters are instructions that is all of them, and
 * pairs need no mask. */
static LLVMValueRef
are_many_active(struct jit_emitter *e, LLVMTypeRef unit)
{
   if (jit_has_scatter(e, unit))
      return jit_all(e, jit_active(e));
   LLVMValueRef bits = jit_bits_of_mask(e, jit_active(e));
   const LLVMValueRef count =
      jit_intrinsic(e, "llvm.ctpop", &e->i32, 1, &bits, 1);

   return llvm.BuildICmp(e->b, LLVMIntUGE, count,
                         llvm.ConstInt(e->i32, LEAST_OF_PAIRS, false), "");
}

static void
store_pairs_or_scatter(struct jit_emitter *e, LLVMTypeRef unit,
                       LLVMValueRef value, const struct jit_binding *binding,
                       LLVMValueRef index)
{
   const LLVMValueRef are_pairs = jit_are_groups(e, unit, binding, index, 2);
   const LLVMValueRef are_enough = are_many_active(e, unit);
   struct jit_either either =
      jit_either(e, llvm.BuildAnd(e->b, are_pairs, are_enough, ""));

   if (jit_has_scatter(e, unit))
      jit_store_groups(e, unit, value, binding, index, 2);
   else
      store_pairs(e, unit, value, binding, index);
   jit_or_else(e, &either, NULL, 0);
   jit_scatter_units(e, unit, value, binding, index);
   jit_after_either(e, &either, NULL, 0);
}

/* What a block has after a masked store. What is there stays in lanes that are
 * not active, as in store_pairs(). */
static LLVMValueRef
fill_block(struct jit_emitter *e, const struct block_rows *rows,
           LLVMValueRef value)
{
   const LLVMValueRef active = jit_active(e);
   struct jit_either either = jit_either(e, jit_all(e, active));
   LLVMValueRef result = value;

   jit_or_else(e, &either, &result, 1);
   result = llvm.BuildSelect(e->b, active, value, load_block(e, rows), "");
   jit_after_either(e, &either, &result, 1);
   return result;
}

/* ---- accesses ------------------------------------------------------------ */

LLVMValueRef
jit_load_surface(struct jit_emitter *e, LLVMTypeRef unit,
                 const struct jit_binding *binding, LLVMValueRef index)
{
   const struct block_rows rows = find_block(e, unit, binding, index);
   struct jit_either either = jit_either(e, rows.is_block);

   LLVMValueRef result = load_block(e, &rows);

   jit_or_else(e, &either, &result, 1);
   result = load_pairs_or_gather(e, unit, binding, index);
   jit_after_either(e, &either, &result, 1);
   return result;
}

void
jit_store_surface(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                  const struct jit_binding *binding, LLVMValueRef index)
{
   const struct block_rows rows = find_block(e, unit, binding, index);
   struct jit_either either = jit_either(e, rows.is_block);

   store_block(e, &rows, fill_block(e, &rows, value));
   jit_or_else(e, &either, NULL, 0);
   store_pairs_or_scatter(e, unit, value, binding, index);
   jit_after_either(e, &either, NULL, 0);
}
