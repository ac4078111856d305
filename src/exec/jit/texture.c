/* SPDX-License-Identifier: MIT
 *
 * Loads from textures, as LLVM IR. Where a texture lies upright and its texels
 * are not much smaller than pixels, the lanes of a row of a block look at units
 * that are close together: a window of eight of them is loaded and permuted.
 * Whether all lanes' are is found out when the code runs. Where they are not,
 * two words of a filter in a row are gathered together if they are next to each
 * other in all lanes, as they mostly are.
 *
 * The loads of a filter are done together. Those that add to the same row of
 * the texture have their windows in common, and there is one branch for all.
 */
#include "exec/block.h"
#include "exec/jit/emit.h"

enum {
   WINDOW_SIZE = 8,
   MAX_LOADS = 8,
   ALL_PAIRED = MAX_LOADS,
};

/* Loads that are done together. */
struct group {
   LLVMTypeRef unit;
   const struct jit_binding *binding;
   struct jit_loads loads;
   unsigned row[MAX_LOADS]; /* the first load with the same windows */

   /* Of pairs of words in a row: */
   unsigned second[MAX_LOADS]; /* by the first load; 0: it has none */
   bool is_second[MAX_LOADS];
   bool has_pairs;

   /* Of the windows: */
   LLVMValueRef start[MAX_LOADS]; /* by row: in all lanes of a row of the block
                                   * that of its first lane, inside of the
                                   * bounds */
   LLVMValueRef place[MAX_LOADS]; /* each lane's in its window */
};

/* ---- rows ---------------------------------------------------------------- */

/* Do indices add to the same number, which is where a row of texels begins? */
static bool
share_row(const struct lir_function *function, uint32_t a, uint32_t b)
{
   const struct lir_inst *x =
      &function->insts[function->insts[a].operand[0].index];
   const struct lir_inst *y =
      &function->insts[function->insts[b].operand[0].index];

   return x->op == LIR_OP_iadd && y->op == LIR_OP_iadd &&
          x->operand[0].index == y->operand[0].index;
}

static void
find_rows(const struct lir_function *function, struct group *group)
{
   for (unsigned number = 0; number < group->loads.count; number++) {
      group->row[number] = number;
      for (unsigned i = 0; i < number && group->row[number] == number; i++) {
         if (group->row[i] == i && share_row(function, group->loads.inst[i],
                                             group->loads.inst[number]))
            group->row[number] = i;
      }
   }
}

/* Makes pairs of the loads of words in a row. */
static void
find_pairs(const struct jit_emitter *e, struct group *group)
{
   unsigned alone[MAX_LOADS]; /* by row: a load without another */

   for (unsigned i = 0; i < group->loads.count && group->unit == e->i32; i++) {
      const unsigned row = group->row[i];

      if (row == i || alone[row] == ALL_PAIRED) {
         alone[row] = i;
         continue;
      }
      group->second[alone[row]] = i;
      group->is_second[i] = group->has_pairs = true;
      alone[row] = ALL_PAIRED;
   }
}

/* ---- windows ------------------------------------------------------------- */

/* Each lane has the word of the first lane of its row. */
static LLVMValueRef
first_of_row(struct jit_emitter *e, LLVMValueRef words)
{
   uint32_t lanes[LIR_LANES];

   for (unsigned y = 0; y < EXEC_BLOCK_SIZE; y++) {
      for (unsigned x = 0; x < EXEC_BLOCK_SIZE; x++)
         lanes[exec_block_lane[y][x]] = exec_block_lane[y][0];
   }
   return llvm.BuildShuffleVector(e->b, words,
                                  llvm.GetPoison(llvm.TypeOf(words)),
                                  jit_constant_lanes(e, lanes, LIR_LANES), "");
}

/* Where the last window of a binding starts, in all lanes, and whether there is
 * one. Worked out once for all waves. */
static LLVMValueRef
last_start(struct jit_emitter *e, const struct group *group,
           LLVMValueRef *has_window_out)
{
   const LLVMBasicBlockRef here = llvm.GetInsertBlock(e->b);

   llvm.PositionBuilderAtEnd(e->b, e->start);
   const LLVMValueRef size = llvm.ConstInt(e->i32, WINDOW_SIZE, false);
   const LLVMValueRef count = jit_count_units(e, group->unit, group->binding);
   const LLVMValueRef last = jit_splat(e, llvm.BuildSub(e->b, count, size, ""));
   *has_window_out = llvm.BuildICmp(e->b, LLVMIntUGE, count, size, "");
   llvm.PositionBuilderAtEnd(e->b, here);
   return last;
}

/* Finds the windows, and whether there are some and all places are in them. */
static LLVMValueRef
find_windows(struct jit_emitter *e, struct group *group)
{
   LLVMValueRef has_window, starts[2];
   LLVMValueRef beyond = jit_constant(e, e->words, 0);

   starts[1] = last_start(e, group, &has_window);
   for (unsigned i = 0; i < group->loads.count; i++) {
      const unsigned row = group->row[i];

      if (row == i) {
         starts[0] = first_of_row(e, group->loads.index[i]);
         group->start[i] =
            jit_intrinsic(e, "llvm.umin", &e->words, 1, starts, 2);
      }
      group->place[i] =
         llvm.BuildSub(e->b, group->loads.index[i], group->start[row], "");
      beyond = llvm.BuildOr(e->b, beyond, group->place[i], "");
   }
   beyond = llvm.BuildAnd(
      e->b, beyond, jit_constant(e, e->words, ~(uint64_t)(WINDOW_SIZE - 1)),
      "");
   const LLVMValueRef is_inside =
      llvm.BuildICmp(e->b, LLVMIntEQ, beyond, jit_constant(e, e->words, 0), "");
   return llvm.BuildAnd(e->b, jit_all(e, is_inside), has_window, "");
}

/* The window of a row, as words. */
static LLVMValueRef
load_window(struct jit_emitter *e, const struct group *group,
            LLVMValueRef starts, unsigned row)
{
   const LLVMValueRef start =
      jit_word_of_lane(e, starts, exec_block_lane[row][0]);
   const LLVMValueRef place = jit_at(e, group->unit, group->binding->data,
                                     llvm.BuildZExt(e->b, start, e->i64, ""));
   const LLVMValueRef units =
      jit_load(e, llvm.VectorType(group->unit, WINDOW_SIZE), place,
               llvm.GetIntTypeWidth(group->unit) / 8);

   return llvm.BuildZExt(e->b, units, llvm.VectorType(e->i32, WINDOW_SIZE), "");
}

/* Words of eight lanes, which are two rows of the block, from two windows. */
static LLVMValueRef
permute_windows(struct jit_emitter *e, const LLVMValueRef window[2],
                LLVMValueRef places, unsigned half)
{
   uint32_t lanes[WINDOW_SIZE], of_rows[WINDOW_SIZE];
   LLVMValueRef row[2];

   for (uint32_t i = 0; i < WINDOW_SIZE; i++) {
      lanes[i] = half * WINDOW_SIZE + i;
      of_rows[i] = i & 2 ? WINDOW_SIZE + i : i;
   }
   const LLVMValueRef place =
      llvm.BuildShuffleVector(e->b, places, llvm.GetPoison(e->words),
                              jit_constant_lanes(e, lanes, WINDOW_SIZE), "");
   for (unsigned i = 0; i < 2; i++) {
      LLVMValueRef arguments[] = {window[i], place};

      row[i] = jit_intrinsic(e, "llvm.x86.avx2.permd", NULL, 0, arguments, 2);
   }
   return llvm.BuildShuffleVector(
      e->b, row[0], row[1], jit_constant_lanes(e, of_rows, WINDOW_SIZE), "");
}

static LLVMValueRef
concatenate(struct jit_emitter *e, const LLVMValueRef half[2])
{
   uint32_t all[LIR_LANES];

   for (uint32_t i = 0; i < LIR_LANES; i++)
      all[i] = i;
   return llvm.BuildShuffleVector(e->b, half[0], half[1],
                                  jit_constant_lanes(e, all, LIR_LANES), "");
}

/* Words of all lanes out of four windows, two of them for eight lanes at a time
 * (VPERMD). */
static LLVMValueRef
permute_halves(struct jit_emitter *e,
               const LLVMValueRef window[EXEC_BLOCK_SIZE], LLVMValueRef places)
{
   LLVMValueRef half[2];

   for (unsigned k = 0; k < 2; k++)
      half[k] = permute_windows(e, window + 2 * k, places, k);
   return concatenate(e, half);
}

/* The same, by one permutation of two vectors (VPERMI2D). */
static LLVMValueRef
permute_all(struct jit_emitter *e, const LLVMValueRef window[EXEC_BLOCK_SIZE],
            LLVMValueRef places)
{
   uint32_t of_rows[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      of_rows[i] = (exec_block_odd[i] & WINDOW_SIZE) |
                   (exec_block_lower[i] & 2 * WINDOW_SIZE);
   LLVMValueRef arguments[] = {
      concatenate(e, window),
      llvm.BuildOr(e->b, places, jit_constant_lanes(e, of_rows, LIR_LANES), ""),
      concatenate(e, window + 2),
   };
   return jit_intrinsic(e, "llvm.x86.avx512.vpermi2var.d.512", NULL, 0,
                        arguments, 3);
}

static void
load_windows(struct jit_emitter *e, const struct group *group,
             LLVMValueRef *results)
{
   LLVMValueRef window[MAX_LOADS][EXEC_BLOCK_SIZE];

   for (unsigned i = 0; i < group->loads.count; i++) {
      const unsigned row = group->row[i];

      for (unsigned y = 0; row == i && y < EXEC_BLOCK_SIZE; y++)
         window[i][y] = load_window(e, group, group->start[i], y);
      results[i] = (e->has_avx512 ? permute_all : permute_halves)(
         e, window[row], group->place[i]);
   }
}

/* ---- pairs --------------------------------------------------------------- */

/* The last word of a binding, in all lanes. Worked out once for all waves. */
static LLVMValueRef
last_word(struct jit_emitter *e, const struct group *group)
{
   const LLVMBasicBlockRef here = llvm.GetInsertBlock(e->b);

   llvm.PositionBuilderAtEnd(e->b, e->start);
   LLVMValueRef arguments[] = {
      jit_count_units(e, group->unit, group->binding),
      llvm.ConstInt(e->i32, 1, false),
   };
   const LLVMValueRef last =
      jit_splat(e, jit_intrinsic(e, "llvm.usub.sat", &e->i32, 1, arguments, 2));
   llvm.PositionBuilderAtEnd(e->b, here);
   return last;
}

/* Are all pairs next to each other, and inside of the bounds, in all lanes? */
static LLVMValueRef
are_adjacent(struct jit_emitter *e, const struct group *group)
{
   const LLVMValueRef last = last_word(e, group);
   LLVMValueRef are = llvm.ConstAllOnes(e->mask);

   for (unsigned i = 0; i < group->loads.count; i++) {
      if (!group->second[i])
         continue;
      const LLVMValueRef first = group->loads.index[i];
      const LLVMValueRef second = group->loads.index[group->second[i]];
      const LLVMValueRef after =
         llvm.BuildAdd(e->b, first, jit_constant(e, e->words, 1), "");

      are = llvm.BuildAnd(
         e->b, are, llvm.BuildICmp(e->b, LLVMIntEQ, second, after, ""), "");
      are = llvm.BuildAnd(
         e->b, are, llvm.BuildICmp(e->b, LLVMIntULT, first, last, ""), "");
   }
   return jit_all(e, are);
}

/* ---- units --------------------------------------------------------------- */

static void
gather(struct jit_emitter *e, const struct group *group, unsigned number,
       LLVMValueRef *results)
{
   const LLVMValueRef units = jit_gather_units(e, group->unit, group->binding,
                                               group->loads.index[number]);

   results[number] = llvm.BuildZExt(e->b, units, e->words, "");
}

static void
gather_pairs(struct jit_emitter *e, const struct group *group,
             LLVMValueRef *results)
{
   for (unsigned i = 0; i < group->loads.count; i++) {
      if (group->second[i])
         jit_gather_pairs(
            e, jit_at(e, e->i32, group->binding->data, group->loads.index[i]),
            &results[i], &results[group->second[i]]);
      else if (!group->is_second[i])
         gather(e, group, i, results);
   }
}

static void
gather_all(struct jit_emitter *e, const struct group *group,
           LLVMValueRef *results)
{
   for (unsigned i = 0; i < group->loads.count; i++)
      gather(e, group, i, results);
}

/* Units that are not in windows. */
static void
load_apart(struct jit_emitter *e, const struct group *group,
           LLVMValueRef *results)
{
   if (!group->has_pairs) {
      gather_all(e, group, results);
      return;
   }
   struct jit_either either =
      jit_either(e, jit_mostly(e, are_adjacent(e, group)));
   gather_pairs(e, group, results);
   jit_or_else(e, &either, results, group->loads.count);
   gather_all(e, group, results);
   jit_after_either(e, &either, results, group->loads.count);
}

/* ---- all of it ----------------------------------------------------------- */

/* The result of a load, after which those of others are there, too. */
LLVMValueRef
jit_load_texture(struct jit_emitter *e, LLVMTypeRef unit,
                 const struct jit_binding *binding, const struct lir_inst *inst)
{
   struct group group = {.unit = unit, .binding = binding};
   LLVMValueRef results[MAX_LOADS];

   jit_find_loads(e, inst, MAX_LOADS, &group.loads);
   find_rows(e->scope->function, &group);
   find_pairs(e, &group);
   struct jit_either either = jit_either(e, find_windows(e, &group));
   load_windows(e, &group, results);
   jit_or_else(e, &either, results, group.loads.count);
   load_apart(e, &group, results);
   jit_after_either(e, &either, results, group.loads.count);
   return jit_give_loads(e, &group.loads, results);
}
