/* SPDX-License-Identifier: MIT
 *
 * Accesses of lanes that are the pixels of a block of 4 by 4, those of a quad
 * next to each other, to surfaces and textures, as LLVM IR: by rows where these
 * lie so, which is found out when the code runs, else lane by lane.
 */
#include "exec/jit/emit.h"

/* ---- blocks of surfaces -------------------------------------------------- */

/* Lanes that are the pixels of a block of 4 by 4, those of a quad next to each
 * other, look at four rows of four units. Whether they are is found out when
 * the code runs: it is faster than to gather and to scatter. */
enum { BLOCK_SIZE = 4 };

static const uint8_t block_lane[BLOCK_SIZE][BLOCK_SIZE] = {
   {0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};

struct block_rows {
   LLVMTypeRef unit;
   LLVMValueRef data;
   LLVMValueRef first, pitch; /* i64 */
   LLVMValueRef is_block; /* lanes are one, inside of the bounds, of which no
                           * two are at the same unit */
};

static LLVMValueRef
constant_lanes(struct jit_emitter *e, const uint32_t *lanes, unsigned count)
{
   LLVMValueRef constants[LIR_LANES];

   assert(count <= LIR_LANES);
   for (unsigned i = 0; i < count; i++)
      constants[i] = llvm.ConstInt(e->i32, lanes[i], false);
   return llvm.ConstVector(constants, count);
}

static LLVMValueRef
index_of_lane(struct jit_emitter *e, LLVMValueRef index, unsigned lane)
{
   return llvm.BuildExtractElement(e->b, index,
                                   llvm.ConstInt(e->i32, lane, false), "");
}

/* The indices of a block's lanes, 32 bits of them. */
static LLVMValueRef
block_indices(struct jit_emitter *e, LLVMValueRef first, LLVMValueRef pitch)
{
   uint32_t columns[LIR_LANES], rows[LIR_LANES];

   for (uint32_t y = 0; y < BLOCK_SIZE; y++) {
      for (uint32_t x = 0; x < BLOCK_SIZE; x++) {
         columns[block_lane[y][x]] = x;
         rows[block_lane[y][x]] = y;
      }
   }
   const LLVMValueRef down = llvm.BuildMul(
      e->b, jit_splat(e, pitch), constant_lanes(e, rows, LIR_LANES), "");
   const LLVMValueRef across = llvm.BuildAdd(
      e->b, jit_splat(e, first), constant_lanes(e, columns, LIR_LANES), "");

   return llvm.BuildAdd(e->b, across, down, "");
}

static struct block_rows
find_block(struct jit_emitter *e, LLVMTypeRef unit,
           const struct jit_binding *binding, LLVMValueRef index)
{
   const LLVMValueRef first = index_of_lane(e, index, block_lane[0][0]);
   const LLVMValueRef below = index_of_lane(e, index, block_lane[1][0]);
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
      e->b, rows.pitch, llvm.ConstInt(e->i64, BLOCK_SIZE - 1, false), "");
   const LLVMValueRef last =
      llvm.BuildAdd(e->b, llvm.BuildAdd(e->b, rows.first, down, ""),
                    llvm.ConstInt(e->i64, BLOCK_SIZE - 1, false), "");
   const LLVMValueRef count =
      llvm.BuildZExt(e->b, jit_count_units(e, unit, binding), e->i64, "");
   const LLVMValueRef is_apart = llvm.BuildICmp(
      e->b, LLVMIntUGE, pitch, llvm.ConstInt(e->i32, BLOCK_SIZE, false), "");
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
   const LLVMTypeRef type = llvm.VectorType(rows->unit, BLOCK_SIZE);
   LLVMValueRef row[BLOCK_SIZE], half[2];

   for (unsigned y = 0; y < BLOCK_SIZE; y++)
      row[y] = jit_load(e, type, row_of_block(e, rows, y),
                        llvm.GetIntTypeWidth(rows->unit) / 8);
   for (unsigned i = 0; i < 2; i++)
      half[i] = llvm.BuildShuffleVector(e->b, row[i * 2], row[i * 2 + 1],
                                        constant_lanes(e, halves, 8), "");
   return llvm.BuildShuffleVector(e->b, half[0], half[1],
                                  constant_lanes(e, all, LIR_LANES), "");
}

static void
store_block(struct jit_emitter *e, const struct block_rows *rows,
            LLVMValueRef value)
{
   for (unsigned y = 0; y < BLOCK_SIZE; y++) {
      uint32_t lanes[BLOCK_SIZE];

      for (unsigned x = 0; x < BLOCK_SIZE; x++)
         lanes[x] = block_lane[y][x];
      const LLVMValueRef row = llvm.BuildShuffleVector(
         e->b, value, llvm.GetPoison(llvm.TypeOf(value)),
         constant_lanes(e, lanes, BLOCK_SIZE), "");
      llvm.SetAlignment(llvm.BuildStore(e->b, row, row_of_block(e, rows, y)),
                        llvm.GetIntTypeWidth(rows->unit) / 8);
   }
}

LLVMValueRef
jit_load_surface(struct jit_emitter *e, LLVMTypeRef unit,
                 const struct jit_binding *binding, LLVMValueRef index)
{
   const struct block_rows rows = find_block(e, unit, binding, index);
   struct jit_either either = jit_either(e, rows.is_block);

   jit_or_else(e, &either, load_block(e, &rows));
   return jit_after_either(e, &either,
                           jit_gather_units(e, unit, binding, index));
}

void
jit_store_surface(struct jit_emitter *e, LLVMTypeRef unit, LLVMValueRef value,
                  const struct jit_binding *binding, LLVMValueRef index)
{
   const struct block_rows rows = find_block(e, unit, binding, index);
   const LLVMValueRef is_full = jit_all(e, jit_active(e));
   struct jit_either either =
      jit_either(e, llvm.BuildAnd(e->b, rows.is_block, is_full, ""));

   store_block(e, &rows, value);
   jit_or_else(e, &either, NULL);
   jit_scatter_units(e, unit, value, binding, index);
   jit_after_either(e, &either, NULL);
}

/* ---- windows of textures ------------------------------------------------- */

/* Where a texture lies upright and its texels are not much smaller than pixels,
 * the lanes of a row of the block look at units that are close together: a
 * window of eight of them is loaded and permuted. */
enum { WINDOW_SIZE = 8 };

/* Each lane's window and place in it. */
struct windows {
   LLVMTypeRef unit;
   LLVMValueRef data;
   LLVMValueRef start; /* in all lanes of a row that of its first lane, so that
                        * the window is inside of the bounds */
   LLVMValueRef place;
   LLVMValueRef is_there; /* are there windows, and all places in them? */
};

/* Each lane has the word of the first lane of its row. */
static LLVMValueRef
first_of_row(struct jit_emitter *e, LLVMValueRef words)
{
   uint32_t lanes[LIR_LANES];

   for (unsigned y = 0; y < BLOCK_SIZE; y++) {
      for (unsigned x = 0; x < BLOCK_SIZE; x++)
         lanes[block_lane[y][x]] = block_lane[y][0];
   }
   return llvm.BuildShuffleVector(e->b, words,
                                  llvm.GetPoison(llvm.TypeOf(words)),
                                  constant_lanes(e, lanes, LIR_LANES), "");
}

/* Where the last window of a binding starts, in all lanes, and whether there is
 * one. Worked out once for all waves. */
static LLVMValueRef
last_start(struct jit_emitter *e, LLVMTypeRef unit,
           const struct jit_binding *binding, LLVMValueRef *has_window_out)
{
   const LLVMBasicBlockRef here = llvm.GetInsertBlock(e->b);

   llvm.PositionBuilderAtEnd(e->b, e->start);
   const LLVMValueRef size = llvm.ConstInt(e->i32, WINDOW_SIZE, false);
   const LLVMValueRef count = jit_count_units(e, unit, binding);
   const LLVMValueRef last = jit_splat(e, llvm.BuildSub(e->b, count, size, ""));
   *has_window_out = llvm.BuildICmp(e->b, LLVMIntUGE, count, size, "");
   llvm.PositionBuilderAtEnd(e->b, here);
   return last;
}

static struct windows
find_windows(struct jit_emitter *e, LLVMTypeRef unit,
             const struct jit_binding *binding, LLVMValueRef index)
{
   struct windows windows = {.unit = unit, .data = binding->data};
   LLVMValueRef has_window, starts[2];

   starts[0] = first_of_row(e, index);
   starts[1] = last_start(e, unit, binding, &has_window);
   windows.start = jit_intrinsic(e, "llvm.umin", &e->words, 1, starts, 2);
   windows.place = llvm.BuildSub(e->b, index, windows.start, "");
   const LLVMValueRef beyond = llvm.BuildAnd(
      e->b, windows.place,
      jit_constant(e, e->words, ~(uint64_t)(WINDOW_SIZE - 1)), "");
   const LLVMValueRef is_inside =
      llvm.BuildICmp(e->b, LLVMIntEQ, beyond, jit_constant(e, e->words, 0), "");
   windows.is_there =
      llvm.BuildAnd(e->b, jit_all(e, is_inside), has_window, "");
   return windows;
}

/* The window of a row, as words. */
static LLVMValueRef
load_window(struct jit_emitter *e, const struct windows *windows, unsigned row)
{
   const LLVMValueRef start =
      index_of_lane(e, windows->start, block_lane[row][0]);
   const LLVMValueRef units =
      jit_load(e, llvm.VectorType(windows->unit, WINDOW_SIZE),
               jit_at(e, windows->unit, windows->data,
                      llvm.BuildZExt(e->b, start, e->i64, "")),
               llvm.GetIntTypeWidth(windows->unit) / 8);

   return llvm.BuildZExt(e->b, units, llvm.VectorType(e->i32, WINDOW_SIZE), "");
}

/* Words of eight lanes, which are two rows. */
static LLVMValueRef
load_two_rows(struct jit_emitter *e, const struct windows *windows,
              unsigned half)
{
   uint32_t lanes[WINDOW_SIZE], of_rows[WINDOW_SIZE];
   LLVMValueRef row[2];

   for (uint32_t i = 0; i < WINDOW_SIZE; i++) {
      lanes[i] = half * WINDOW_SIZE + i;
      of_rows[i] = i & 2 ? WINDOW_SIZE + i : i;
   }
   const LLVMValueRef place =
      llvm.BuildShuffleVector(e->b, windows->place, llvm.GetPoison(e->words),
                              constant_lanes(e, lanes, WINDOW_SIZE), "");
   for (unsigned i = 0; i < 2; i++) {
      LLVMValueRef arguments[] = {load_window(e, windows, half * 2 + i), place};

      row[i] = jit_intrinsic(e, "llvm.x86.avx2.permd", NULL, 0, arguments, 2);
   }
   return llvm.BuildShuffleVector(e->b, row[0], row[1],
                                  constant_lanes(e, of_rows, WINDOW_SIZE), "");
}

static LLVMValueRef
load_windows(struct jit_emitter *e, const struct windows *windows)
{
   uint32_t all[LIR_LANES];

   for (uint32_t i = 0; i < LIR_LANES; i++)
      all[i] = i;
   const LLVMValueRef upper = load_two_rows(e, windows, 0);
   const LLVMValueRef lower = load_two_rows(e, windows, 1);
   return llvm.BuildShuffleVector(e->b, upper, lower,
                                  constant_lanes(e, all, LIR_LANES), "");
}

LLVMValueRef
jit_load_texture(struct jit_emitter *e, LLVMTypeRef unit,
                 const struct jit_binding *binding, LLVMValueRef index)
{
   const struct windows windows = find_windows(e, unit, binding, index);
   struct jit_either either = jit_either(e, windows.is_there);

   jit_or_else(e, &either, load_windows(e, &windows));
   const LLVMValueRef units = jit_gather_units(e, unit, binding, index);
   return jit_after_either(e, &either,
                           llvm.BuildZExt(e->b, units, e->words, ""));
}
