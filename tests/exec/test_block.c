/* SPDX-License-Identifier: MIT
 *
 * Accesses of lanes that are next to each other, or the pixels of a block of 4
 * by 4, those of a quad next to each other, which executors may do row by row,
 * and of lanes that are nearly that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "harness.h"

static lir_value
load_input(struct lir_builder *b, uint32_t word)
{
   lir_value at = lir_const32(b, word);

   return lir_load32(b, LIR_SPACE_INPUT, 0, at);
}

static unsigned
column_of(unsigned lane)
{
   return (lane & 1) | (lane >> 1 & 2);
}

static unsigned
row_of(unsigned lane)
{
   return (lane >> 1 & 1) | (lane >> 2 & 2);
}

/* ---- surfaces ------------------------------------------------------------ */

enum { MAX_SURFACE_BYTES = 256 };

/* Do modules say that quads mostly have units next to each other? What they do
 * is the same. */
static bool has_tiled_surfaces;

/* Lanes as the pixels of a block of 4 by 4, those of a quad next to each other,
 * at units `first` + x + y * `pitch` of a surface. */
static const struct {
   uint32_t first, pitch, num_units;
   uint32_t launched;
   uint32_t other; /* a lane that is elsewhere, or 16 */
} blocks[] = {
   {0, 4, 16, 0xffff, 16},
   {5, 9, 36, 0xffff, 16},
   {5, 9, 35, 0xffff, 16}, /* the last lane is outside of the bounds */
   {5, 9, 14, 0xffff, 16}, /* and all but some of the first row */
   {2, 16, 64, 0xefff, 16},
   {2, 16, 64, 0xffff, 0},
   {2, 16, 64, 0xffff, 9},
   {2, 16, 64, 0xffff, 15},
   {3, 1, 64, 0xffff, 16}, /* lanes at the same units: the highest counts */
   {3, 3, 64, 0xffff, 16},
   {3, 0, 64, 0xffff, 16},
   {60, UINT32_MAX - 15, 64, 0xffff, 16}, /* upwards */
   {UINT32_MAX - 1, 8, 64, 0xffff, 16},   /* round the end of the numbers */
};

static uint32_t
index_in_block(unsigned number, unsigned lane)
{
   if (lane == blocks[number].other)
      return 40;
   return blocks[number].first + column_of(lane) +
          row_of(lane) * blocks[number].pitch;
}

/* Operations on units of a size. */
struct unit {
   enum lir_op load, store;
   unsigned size;
};

static const struct unit units[] = {
   {LIR_OP_load8, LIR_OP_store8, 1},
   {LIR_OP_load16, LIR_OP_store16, 2},
   {LIR_OP_load32, LIR_OP_store32, 4},
};

/* Loads the units that the lanes have in `words[0]`, then stores others there.
 */
static void
check_accesses(const struct exec_executor *executor, enum lir_space space,
               const struct unit *kind, uint32_t num_units, uint32_t launched,
               uint32_t words[2][LIR_LANES])
{
   static uint32_t surface[MAX_SURFACE_BYTES / 4];
   unsigned char before[MAX_SURFACE_BYTES], expected[MAX_SURFACE_BYTES];
   const unsigned size = kind->size;
   const struct exec_memory memory = {surface, (uint64_t)num_units * size,
                                      NULL};
   struct harness harness;

   begin(&harness);
   harness.module.has_tiled_surfaces = has_tiled_surfaces;
   for (unsigned i = 0; i < LIR_LANES; i++)
      words[1][i] = 0x91a2b3c4 * (i + 1);
   for (unsigned i = 0; i < MAX_SURFACE_BYTES; i++)
      before[i] = (unsigned char)(i + 1);
   memcpy(surface, before, sizeof(before));
   memcpy(expected, before, sizeof(before));
   harness.wave.launched = harness.wave.live = launched;
   harness.wave.input.data = words;
   harness.wave.input.num_words = 2;
   harness.wave.memory[space] = &memory;
   harness.wave.num_memories[space] = 1;

   const lir_value index = load_input(&harness.b, 0);
   const lir_value value = load_input(&harness.b, 1);
   give(&harness, 0, lir_load(&harness.b, kind->load, space, 0, index));
   lir_store(&harness.b, kind->store, space, 0, index, value);
   run_on(&harness, executor);
   assert_int_equal(harness.result, TG_OK);
   for (unsigned i = 0; i < LIR_LANES; i++) {
      const bool is_inside = words[0][i] < num_units;
      uint32_t unit = 0;

      if (!(launched >> i & 1))
         continue;
      if (is_inside) {
         memcpy(&unit, before + (size_t)words[0][i] * size, size);
         memcpy(expected + (size_t)words[0][i] * size, &words[1][i], size);
      }
      assert_int_equal(harness.output[0][i], unit);
   }
   assert_memory_equal(surface, expected, sizeof(expected));
   end(&harness);
}

static void
check_block(const struct exec_executor *executor, unsigned number,
            const struct unit *kind)
{
   static uint32_t words[2][LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      words[0][i] = index_in_block(number, i);
   check_accesses(executor, LIR_SPACE_SURFACE, kind, blocks[number].num_units,
                  blocks[number].launched, words);
}

static void
test_blocks_of_surfaces(void **state)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
         for (unsigned k = 0; k < sizeof(units) / sizeof(units[0]); k++)
            check_block(executors[e], i, &units[k]);
      }
   }
}

/* Lanes as the pixels of four quads, which begin at these units of a surface. A
 * quad that is not launched may be where another is, and two may share the
 * pixels of one. */
static const struct {
   uint32_t first[4], pitch, num_units;
   uint32_t launched;
   uint32_t other; /* a lane that is elsewhere, or 16 */
} quads[] = {
   {{0, 4, 20, 38}, 8, 64, 0xffff, 16},
   {{0, 4, 20, 38}, 8, 64, 0x7b3e, 16},
   {{0, 4, 20, 38}, 8, 64, 0x7b3e, 6},
   {{0, 4, 20, 38}, 8, 48, 0x7b3e, 16},
   {{0, 4, 20, 38}, 8, 47, 0xffff, 16}, /* the last lane is outside */
   {{9, 9, 9, 9}, 8, 64, 0x000b, 16},
   {{9, 9, 9, 9}, 8, 64, 0x1248, 16}, /* each has a pixel of one quad */
   {{9, 10, 9, 10}, 8, 64, 0x2591, 16},
   {{9, 9, 9, 9}, 8, 64, 0x8777, 16},    /* the highest lane counts */
   {{3, 12, 30, 41}, 1, 64, 0x3b7d, 16}, /* rows of a quad overlap */
   {{3, 12, 30, 41}, 1, 64, 0xd27d, 16},
   {{3, 12, 30, 41}, 0, 64, 0x3b3d, 16},
   {{50, 12, 30, 41}, UINT32_MAX - 9, 64, 0x3b7d, 16}, /* upwards */
   {{UINT32_MAX, 12, 30, 41}, 8, 64, 0x3b7d, 16},
   /* Units next to each other. */
   {{8, 24, 40, 12}, 2, 64, 0xffff, 16},
   {{8, 24, 40, 12}, 2, 64, 0x7b3e, 16},
   {{8, 24, 40, 12}, 2, 43, 0xffff, 16}, /* a lane is outside */
   {{8, 24, 40, 12}, 2, 64, 0x7b3e, 13},
   {{8, 24, 8, 10}, 2, 64, 0xd96b, 16},
   {{8, 12, 16, 20}, 2, 64, 0xffff, 16},
   {{8, 12, 16, 20}, 2, 64, 0x8421, 16},
   {{48, 52, 56, 60}, 2, 64, 0x7ffe, 16},
   {{49, 53, 57, 61}, 2, 64, 0xffff, 16},
   {{UINT32_MAX - 3, 0, 4, 8}, 2, 64, 0xffff, 16},
};

static uint32_t
index_in_quad(unsigned number, unsigned lane)
{
   if (lane == quads[number].other)
      return 40;
   return quads[number].first[lane / 4] + (lane & 1) +
          (lane >> 1 & 1) * quads[number].pitch;
}

static void
test_quads_of_surfaces(void **state)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);
   static uint32_t words[2][LIR_LANES];

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < sizeof(quads) / sizeof(quads[0]); i++) {
         for (unsigned k = 0; k < sizeof(units) / sizeof(units[0]); k++) {
            for (unsigned lane = 0; lane < LIR_LANES; lane++)
               words[0][lane] = index_in_quad(i, lane);
            check_accesses(executors[e], LIR_SPACE_SURFACE, &units[k],
                           quads[i].num_units, quads[i].launched, words);
         }
      }
   }
}

static void
test_tiled_surfaces(void **state)
{
   has_tiled_surfaces = true;
   test_blocks_of_surfaces(state);
   test_quads_of_surfaces(state);
   has_tiled_surfaces = false;
}

/* ---- shared memory ------------------------------------------------------- */

/* Lanes at units `first` + lane * `step`. */
static const struct {
   uint32_t first, step, num_units;
   uint32_t launched;
   uint32_t other; /* a lane that is elsewhere, or 16 */
} rows[] = {
   {0, 1, 16, 0xffff, 16},
   {7, 1, 64, 0xffff, 16},
   {1, 1, 16, 0xffff, 16}, /* the last lane is outside of the bounds */
   {40, 1, 40, 0xffff, 16},
   {3, 1, 64, 0x7fff, 16},
   {3, 1, 64, 0xfffe, 16},
   {3, 1, 64, 0xffff, 0},
   {3, 1, 64, 0xffff, 15},
   {3, 2, 64, 0xffff, 16},
   {2, 4, 62, 0xffff, 16},
   {5, 0, 64, 0xffff, 16}, /* lanes at the same unit: the highest counts */
   {20, UINT32_MAX, 64, 0xffff, 16},    /* to the left */
   {UINT32_MAX - 3, 1, 64, 0xffff, 16}, /* round the end of the numbers */
};

static uint32_t
index_in_row(unsigned number, unsigned lane)
{
   return lane == rows[number].other
             ? 44
             : rows[number].first + lane * rows[number].step;
}

static void
check_row(const struct exec_executor *executor, enum lir_space space,
          unsigned number, const struct unit *kind)
{
   static uint32_t words[2][LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      words[0][i] = index_in_row(number, i);
   check_accesses(executor, space, kind, rows[number].num_units,
                  rows[number].launched, words);
}

static void
test_rows(void **state)
{
   static const enum lir_space spaces[] = {LIR_SPACE_BUFFER, LIR_SPACE_SHARED};
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
         for (unsigned k = 0; k < sizeof(units) / sizeof(units[0]); k++)
            check_row(executors[e], spaces[k & 1], i, &units[k]);
      }
   }
}

/* Each four or two lanes at units next to each other, from these on. */
static const struct {
   uint32_t size, first[8], num_units;
   uint32_t launched;
   uint32_t other; /* a lane that is elsewhere, or 16 */
} groups[] = {
   {4, {0, 8, 16, 24}, 28, 0xffff, 16},
   {4, {24, 3, 12, 40}, 64, 0xffff, 16},
   {4, {0, 8, 16, 24}, 27, 0xffff, 16}, /* the last lane is outside */
   {4, {0, 8, 16, 24}, 8, 0xffff, 16},
   {4, {0, 8, 16, 24}, 64, 0xff7f, 16},
   {4, {0, 8, 16, 24}, 64, 0xffff, 0},
   {4, {0, 8, 16, 24}, 64, 0xffff, 4},
   {4, {0, 8, 16, 24}, 64, 0xffff, 6},
   {4, {0, 8, 16, 24}, 64, 0xffff, 15},
   {4, {5, 7, 9, 11}, 64, 0xffff, 16}, /* of the same the highest counts */
   {4, {9, 9, 9, 9}, 64, 0xffff, 16},
   {4, {UINT32_MAX - 1, 8, 16, 24}, 64, 0xffff, 16}, /* round the end */
   {4, {8, 16, 24, UINT32_MAX - 3}, 64, 0xffff, 16},
   {2, {0, 4, 8, 12, 16, 20, 24, 28}, 30, 0xffff, 16},
   {2, {50, 3, 9, 31, 16, 20, 60, 28}, 64, 0xffff, 16},
   {2, {0, 4, 8, 12, 16, 20, 24, 28}, 29, 0xffff, 16},
   {2, {0, 4, 8, 12, 16, 20, 24, 28}, 64, 0xfbff, 16},
   {2, {0, 4, 8, 12, 16, 20, 24, 28}, 64, 0xffff, 3},
   {2, {0, 4, 8, 12, 16, 20, 24, 28}, 64, 0xffff, 14},
   {2, {9, 8, 7, 6, 5, 4, 3, 2}, 64, 0xffff, 16},
   {2, {0, 4, 8, UINT32_MAX, 16, 20, 24, 28}, 64, 0xffff, 16},
};

static void
check_group(const struct exec_executor *executor, enum lir_space space,
            unsigned number, const struct unit *kind)
{
   static uint32_t words[2][LIR_LANES];
   const uint32_t size = groups[number].size;

   for (unsigned i = 0; i < LIR_LANES; i++)
      words[0][i] = i == groups[number].other
                       ? 44
                       : groups[number].first[i / size] + i % size;
   check_accesses(executor, space, kind, groups[number].num_units,
                  groups[number].launched, words);
}

static void
test_groups(void **state)
{
   static const enum lir_space spaces[] = {LIR_SPACE_BUFFER, LIR_SPACE_SHARED};
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
         for (unsigned k = 0; k < sizeof(units) / sizeof(units[0]); k++)
            check_group(executors[e], spaces[k & 1], i, &units[k]);
      }
   }
}

/* ---- atomic operations --------------------------------------------------- */

static uint32_t
word_after(enum lir_op op, uint32_t word, uint32_t value)
{
   if (op == LIR_OP_atomic_add)
      return word + value;
   return op == LIR_OP_atomic_xchg || value > word ? value : word;
}

/* The lanes of a row, in their order; each gives what it finds. */
static void
check_atomics(const struct exec_executor *executor, unsigned number,
              enum lir_op op)
{
   static uint32_t words[2][LIR_LANES];
   uint32_t memory_words[64], expected[64];
   const struct exec_memory memory = {
      memory_words, (uint64_t)rows[number].num_units * 4, NULL};
   struct harness harness;

   begin(&harness);
   for (unsigned i = 0; i < 64; i++)
      memory_words[i] = expected[i] = 1000 * i;
   for (unsigned i = 0; i < LIR_LANES; i++) {
      words[0][i] = index_in_row(number, i);
      words[1][i] = 7000 * i + 1;
   }
   harness.wave.launched = harness.wave.live = rows[number].launched;
   harness.wave.input.data = words;
   harness.wave.input.num_words = 2;
   harness.wave.memory[LIR_SPACE_BUFFER] = &memory;
   harness.wave.num_memories[LIR_SPACE_BUFFER] = 1;

   const lir_value index = load_input(&harness.b, 0);
   const lir_value value = load_input(&harness.b, 1);
   give(&harness, 0,
        lir_atomic(&harness.b, op, LIR_SPACE_BUFFER, 0, index, value, value));
   run_on(&harness, executor);
   assert_int_equal(harness.result, TG_OK);
   for (unsigned i = 0; i < LIR_LANES; i++) {
      const bool is_inside = words[0][i] < rows[number].num_units;
      uint32_t old = 0;

      if (!(rows[number].launched >> i & 1))
         continue;
      if (is_inside) {
         old = expected[words[0][i]];
         expected[words[0][i]] = word_after(op, old, words[1][i]);
      }
      assert_int_equal(harness.output[0][i], old);
   }
   assert_memory_equal(memory_words, expected, sizeof(expected));
   end(&harness);
}

static void
test_atomics(void **state)
{
   static const enum lir_op ops[] = {LIR_OP_atomic_add, LIR_OP_atomic_xchg,
                                     LIR_OP_atomic_umax};
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
         for (unsigned k = 0; k < sizeof(ops) / sizeof(ops[0]); k++)
            check_atomics(executors[e], i, ops[k]);
      }
   }
}

/* ---- textures and constants ---------------------------------------------- */

enum { MAX_TEXTURE_BYTES = 1024 };

/* Lanes at units `row` + `column` of memory. */
static const struct {
   uint32_t row[4], column[4];
   uint32_t num_units;
   uint32_t other; /* a lane that is elsewhere, or 16 */
} footprints[] = {
   {{0, 32, 64, 96}, {0, 1, 2, 3}, 256, 16},
   {{3, 20, 20, 37}, {0, 0, 1, 2}, 256, 16},
   {{96, 64, 32, 0}, {0, 2, 4, 6}, 256, 16},
   {{9, 10, 100, 60}, {0, 3, 5, 7}, 256, 16},
   {{0, 32, 64, 96}, {0, 3, 6, 8}, 256, 16}, /* further than a window */
   {{8, 32, 64, 96}, {3, 2, 1, 0}, 256, 16}, /* to the left */
   {{7, 7, 7, 7}, {0, 0, 0, 0}, 256, 16},
   {{40, 40, 40, 40}, {0, 0, 0, 0}, 40, 16},
   {{0, 32, 64, 96}, {0, 1, 2, 3}, 256, 0},
   {{0, 32, 64, 96}, {0, 1, 2, 3}, 256, 7},
   {{0, 32, 64, 96}, {0, 1, 2, 3}, 256, 15},
   {{0, 4, 8, 12}, {0, 1, 2, 3}, 16, 16},
   {{0, 4, 8, 12}, {0, 1, 2, 4}, 16, 16}, /* the last is outside */
   {{0, 4, 8, 13}, {0, 1, 2, 3}, 16, 16},
   {{0, 4, 4, 0}, {0, 1, 2, 3}, 8, 16}, /* there is one window */
   {{0, 3, 3, 0}, {0, 1, 2, 3}, 5, 16}, /* none */
   {{0, 0, 0, 0}, {0, 1, 0, 1}, 4, 16},
   {{0, 32, 64, UINT32_MAX}, {0, 1, 2, 3}, 256, 16}, /* round the end */
   {{1u << 31, 32, 64, 96}, {0, 1, 2, 3}, 256, 16},
};

/* Lane 7 is outside of the bounds where it is the other. */
static uint32_t
index_in_footprint(unsigned number, unsigned lane)
{
   if (lane == footprints[number].other)
      return lane == 7 ? 5000 : 200;
   return footprints[number].row[row_of(lane)] +
          footprints[number].column[column_of(lane)];
}

static void
check_footprint(const struct exec_executor *executor, unsigned number,
                enum lir_space space, enum lir_op load, unsigned size)
{
   static uint32_t words[1][LIR_LANES];
   static uint32_t texture[MAX_TEXTURE_BYTES / 4];
   unsigned char bytes[MAX_TEXTURE_BYTES];
   const struct exec_memory memory = {
      texture, (uint64_t)footprints[number].num_units * size, NULL};
   struct harness harness;

   begin(&harness);
   for (unsigned i = 0; i < LIR_LANES; i++)
      words[0][i] = index_in_footprint(number, i);
   for (unsigned i = 0; i < MAX_TEXTURE_BYTES; i++)
      bytes[i] = (unsigned char)(i * 151 + (i >> 8) + 1);
   memcpy(texture, bytes, sizeof(bytes));
   harness.wave.input.data = words;
   harness.wave.input.num_words = 1;
   harness.wave.memory[space] = &memory;
   harness.wave.num_memories[space] = 1;

   const lir_value index = load_input(&harness.b, 0);
   give(&harness, 0, lir_load(&harness.b, load, space, 0, index));
   run_on(&harness, executor);
   assert_int_equal(harness.result, TG_OK);
   for (unsigned i = 0; i < LIR_LANES; i++) {
      uint32_t unit = 0;

      if (words[0][i] < footprints[number].num_units)
         memcpy(&unit, bytes + (size_t)words[0][i] * size, size);
      assert_int_equal(harness.output[0][i], unit);
   }
   end(&harness);
}

static void
test_footprints(void **state)
{
   static const enum lir_space spaces[] = {LIR_SPACE_TEXTURE, LIR_SPACE_CONST};
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);
   const unsigned num_footprints = sizeof(footprints) / sizeof(footprints[0]);

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < num_footprints * 2; i++) {
         const enum lir_space space = spaces[i / num_footprints];
         const unsigned number = i % num_footprints;

         check_footprint(executors[e], number, space, LIR_OP_load8, 1);
         check_footprint(executors[e], number, space, LIR_OP_load16, 2);
         check_footprint(executors[e], number, space, LIR_OP_load32, 4);
      }
   }
}

/* ---- loads of a filter --------------------------------------------------- */

/* Each lane's row and the one below, and in both up to four columns: loads from
 * each of two textures that may be done together, and one more, where the first
 * says. */
enum { NUM_ROWS = 2, MAX_COLUMNS = 4, MAX_TAPS = NUM_ROWS * MAX_COLUMNS };

static const struct {
   uint32_t row_step, column_step; /* from lane to lane */
   uint32_t below, beside;
   uint32_t wrapped; /* a lane whose columns but the first are 0, or 16 */
   uint32_t lost;    /* a lane whose row, but not the one below, is elsewhere */
   uint32_t first_column;
} filters[] = {
   {16, 1, 16, 1, 16, 16},
   {16, 2, 16, 1, 16, 16},
   {16, 1, 0, 0, 16, 16},
   {16, 1, 2, 1, 16, 16},
   {16, 1, 48, 3, 16, 16},
   {16, 1, 16, 1, 13, 16},
   {16, 1, 16, 200, 16, 16}, /* outside */
   {16, 1, 16, 1, 16, 11},
   /* Further than a window, where two may be gathered as one: */
   {16, 3, 16, 1, 16, 16},
   {16, 3, 16, 1, 13, 16},
   {16, 3, 16, 2, 16, 16},
   {16, 3, 16, UINT32_MAX, 16, 16},    /* from right to left */
   {64, 21, 0, 1, 16, 16},             /* the second of the last is outside */
   {64, 21, 0, 1, 16, 16, UINT32_MAX}, /* the first of the first is */
};

static void
build_filter(struct harness *harness, unsigned num_columns, enum lir_op load)
{
   const unsigned num_taps = NUM_ROWS * num_columns;
   struct lir_builder *b = &harness->b;
   lir_value row[NUM_ROWS], column[MAX_COLUMNS];
   lir_value texel[MAX_TAPS], other[MAX_TAPS];

   for (unsigned i = 0; i < NUM_ROWS; i++)
      row[i] = load_input(b, i);
   for (unsigned i = 0; i < num_columns; i++)
      column[i] = load_input(b, NUM_ROWS + i);
   for (unsigned i = 0; i < num_taps; i++) {
      const lir_value index =
         lir_iadd(b, row[i / num_columns], column[i % num_columns]);

      texel[i] = lir_load(b, load, LIR_SPACE_TEXTURE, 0, index);
      other[i] = lir_load(b, load, LIR_SPACE_TEXTURE, 1, index);
   }
   const lir_value mask = lir_const32(b, 63);
   const lir_value elsewhere = lir_iand(b, texel[0], mask);
   const lir_value last = lir_load(b, load, LIR_SPACE_TEXTURE, 0, elsewhere);
   for (unsigned i = 0; i < num_taps; i++) {
      give(harness, i, texel[i]);
      give(harness, num_taps + i, other[i]);
   }
   give(harness, 2 * num_taps, last);
}

static void
fill_filter(uint32_t words[NUM_ROWS + MAX_COLUMNS][LIR_LANES], unsigned number)
{
   for (unsigned i = 0; i < LIR_LANES; i++) {
      words[0][i] = row_of(i) * filters[number].row_step;
      words[1][i] = words[0][i] + filters[number].below;
      words[0][i] += i == filters[number].lost ? 100 : 0;
      for (unsigned k = 0; k < MAX_COLUMNS; k++)
         words[NUM_ROWS + k][i] =
            k > 0 && i == filters[number].wrapped
               ? 0
               : filters[number].first_column +
                    column_of(i) * filters[number].column_step +
                    k * filters[number].beside;
   }
}

static uint32_t
texel_at(const struct exec_memory *texture, uint32_t index, size_t size)
{
   uint32_t texel = 0;

   if (index < texture->num_bytes / size)
      memcpy(&texel, (const char *)texture->data + index * size, size);
   return texel;
}

static void
check_filter(const struct exec_executor *executor, unsigned number,
             unsigned num_columns, size_t num_bytes, enum lir_op load,
             size_t size)
{
   static uint32_t words[NUM_ROWS + MAX_COLUMNS][LIR_LANES];
   static uint32_t texels[2][MAX_TEXTURE_BYTES / 4];
   const struct exec_memory memories[] = {{texels[0], num_bytes, NULL},
                                          {texels[1], num_bytes, NULL}};
   const unsigned num_taps = NUM_ROWS * num_columns;
   struct harness harness;

   begin(&harness);
   fill_filter(words, number);
   for (uint32_t i = 0; i < MAX_TEXTURE_BYTES / 4; i++) {
      texels[0][i] = i * 0x9e3779b9;
      texels[1][i] = ~texels[0][i];
   }
   harness.wave.input.data = words;
   harness.wave.input.num_words = NUM_ROWS + MAX_COLUMNS;
   harness.wave.memory[LIR_SPACE_TEXTURE] = memories;
   harness.wave.num_memories[LIR_SPACE_TEXTURE] = 2;

   build_filter(&harness, num_columns, load);
   run_on(&harness, executor);
   assert_int_equal(harness.result, TG_OK);
   for (unsigned i = 0; i < LIR_LANES; i++) {
      for (unsigned k = 0; k < num_taps; k++) {
         const uint32_t index =
            words[k / num_columns][i] + words[NUM_ROWS + k % num_columns][i];

         assert_int_equal(harness.output[k][i],
                          texel_at(&memories[0], index, size));
         assert_int_equal(harness.output[num_taps + k][i],
                          texel_at(&memories[1], index, size));
      }
      assert_int_equal(harness.output[2 * num_taps][i],
                       texel_at(&memories[0], harness.output[0][i] & 63, size));
   }
   end(&harness);
}

static void
check_filter_loads(const struct exec_executor *executor, unsigned number,
                   unsigned num_columns, size_t num_bytes)
{
   check_filter(executor, number, num_columns, num_bytes, LIR_OP_load8, 1);
   check_filter(executor, number, num_columns, num_bytes, LIR_OP_load16, 2);
   check_filter(executor, number, num_columns, num_bytes, LIR_OP_load32, 4);
}

static void
test_filters(void **state)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
         for (unsigned columns = 1; columns <= MAX_COLUMNS; columns++) {
            check_filter_loads(executors[e], i, columns, MAX_TEXTURE_BYTES);
            check_filter_loads(executors[e], i, columns, 0);
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_blocks_of_surfaces),
      cmocka_unit_test(test_quads_of_surfaces),
      cmocka_unit_test(test_tiled_surfaces),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_footprints),
      cmocka_unit_test(test_filters),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
