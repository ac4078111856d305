/* SPDX-License-Identifier: MIT
 *
 * What looks at other lanes, at memory and at the wave, with some lanes not
 * active, and what the listener hears.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "harness.h"
#include "lir/passes.h"

/* Words of the waves of this file: 1000 + lane in input word 0. */
static uint32_t input[4][LIR_LANES];

static void
begin_with_input(struct harness *harness)
{
   begin(harness);
   for (unsigned i = 0; i < LIR_LANES; i++) {
      input[0][i] = 1000 + i;
      input[1][i] = i;          /* an index */
      input[2][i] = i * 3 % 16; /* another lane, or a bad one */
      input[3][i] = UINT32_MAX;
   }
   input[2][4] = 16;
   input[2][6] = UINT32_MAX;
   harness->wave.input.data = input;
   harness->wave.input.num_words = 4;
}

static lir_value
load_input(struct lir_builder *b, uint32_t word)
{
   lir_value at = lir_const32(b, word);

   return lir_load32(b, LIR_SPACE_INPUT, 0, at);
}

/* Opens an if that lanes 2, 5, 6, 11 and 12 enter. */
enum { SOME_LANES = 1 << 2 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 12 };

static void
enter_some_lanes(struct lir_builder *b)
{
   lir_value set = lir_const32(b, SOME_LANES);
   lir_value lane = lir_lane(b);
   lir_value shifted = lir_ushr(b, set, lane);
   lir_value one = lir_const32(b, 1);
   lir_value bit = lir_iand(b, shifted, one);

   lir_begin_if(b, lir_i2b(b, bit));
}

static bool
is_some_lane(unsigned lane)
{
   return SOME_LANES >> lane & 1;
}

/* ---- other lanes --------------------------------------------------------- */

static void
check_cross(struct harness *harness)
{
   uint32_t odd[LIR_LANES] = {0};
   uint32_t first[LIR_LANES] = {0};
   uint32_t read[LIR_LANES] = {0};

   for (unsigned i = 0; i < LIR_LANES; i++) {
      if (!is_some_lane(i))
         continue;
      odd[i] = SOME_LANES & 0xaaaa;
      first[i] = 1002;
      read[i] = i != 6 && is_some_lane(i * 3 % 16) ? 1000 + i * 3 % 16 : 0;
   }
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, odd);
   expect(harness, 1, first);
   expect(harness, 2, read);
}

static void
test_ballot_and_reads(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   lir_value value = load_input(b, 0);
   lir_value other = load_input(b, 2);
   lir_value one = lir_const32(b, 1);
   lir_value low = lir_iand(b, value, one);
   lir_value is_odd = lir_i2b(b, low);
   enter_some_lanes(b);
   give(&harness, 0, lir_ballot(b, is_odd));
   give(&harness, 1, lir_read_first(b, value));
   give(&harness, 2, lir_read_lane(b, value, other));
   lir_end(b);
   run_on_all(&harness, check_cross);
   end(&harness);
}

/* The square of the lane's number: right minus left, bottom minus top, a
 * neighbour, also of lanes that are not active. */
static void
check_derivatives(struct harness *harness)
{
   uint32_t x[LIR_LANES] = {0};
   uint32_t y[LIR_LANES] = {0};
   uint32_t next[LIR_LANES] = {0}; /* of the lane behind, in the quad */

   for (unsigned i = 0; i < LIR_LANES; i++) {
      unsigned behind = i % 4 == 3 ? i - 3 : i + 1;
      unsigned left = i & ~1u;
      unsigned top = i & ~2u;

      if (!is_some_lane(i))
         continue;
      x[i] = (left + 1) * (left + 1) - left * left;
      y[i] = (top + 2) * (top + 2) - top * top;
      next[i] = behind * behind;
   }
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, x);
   expect(harness, 1, y);
   expect(harness, 2, next);
}

static void
test_derivatives(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   lir_value lane = lir_lane(b);
   lir_value number = lir_u2f(b, lane);
   lir_value square = lir_fmul(b, number, number);
   lir_value one = lir_const32(b, 1);
   lir_value behind = lir_iadd(b, lane, one);
   enter_some_lanes(b);
   lir_value dx = lir_fddx(b, square);
   lir_value dy = lir_fddy(b, square);
   give(&harness, 0, lir_f2u(b, dx));
   give(&harness, 1, lir_f2u(b, dy));
   lir_value next = lir_read_quad(b, square, behind);
   give(&harness, 2, lir_f2u(b, next));
   lir_end(b);
   run_on_all(&harness, check_derivatives);
   end(&harness);
}

/* A variable keeps in inactive lanes what it held there. */
static void
check_variables(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = is_some_lane(i) ? 1000 + i : 0;
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, expected);
   expect(harness, 1, expected);
   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = is_some_lane(i) ? UINT32_MAX : 0;
   expect(harness, 2, expected);
}

static void
test_masked_variables(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   uint32_t word = lir_module_add_var(&harness.module, LIR_TYPE_B32, "word");
   uint32_t pair = lir_module_add_var(&harness.module, LIR_TYPE_B64, "pair");
   uint32_t truth = lir_module_add_var(&harness.module, LIR_TYPE_B1, "truth");
   lir_value value = load_input(b, 0);
   enter_some_lanes(b);
   lir_value both = lir_pack64(b, value, value);
   lir_value yes = lir_const1(b, true);
   lir_setvar(b, word, value);
   lir_setvar(b, pair, both);
   lir_setvar(b, truth, yes);
   lir_end(b);
   give(&harness, 0, lir_getvar(b, word));
   lir_value wide = lir_getvar(b, pair);
   give(&harness, 1, lir_hi64(b, wide));
   lir_value is_true = lir_getvar(b, truth);
   give(&harness, 2, lir_b2i(b, is_true));
   run_on_all(&harness, check_variables);
   end(&harness);
}

/* ---- memory -------------------------------------------------------------- */

static uint32_t buffer[8];
static uint32_t constants[3] = {70, 71, 72};

static void
check_buffer(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   assert_int_equal(harness->result, TG_OK);
   for (unsigned i = 0; i < 8; i++) {
      uint32_t word = i == 3 ? 1012 : i != 7 && is_some_lane(i) ? 1000 + i : 0;

      assert_int_equal(buffer[i], word);
   }
   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = i < 8 ? buffer[i] : 0;
   expect(harness, 0, expected);
   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = i < 3 ? 70 + i : 0;
   expect(harness, 1, expected);
   expect_all(harness, 2, 72);
   expect_all(harness, 3, 0);
   expect_all(harness, 4, 0);
   expect_all(harness, 5, 0);
   memset(buffer, 0, sizeof(buffer));
}

/* Stores to the lane's own word, which for the high lanes is outside; then all
 * to word 3, where the highest lane stays. Loads inside and outside, also of
 * what is not bound. */
static void
test_uniform_memory(void **state)
{
   const struct exec_memory buffers[2] = {{NULL, 0}, {buffer, 32}};
   const struct exec_memory const_buffers[1] = {{constants, 12}};
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   harness.wave.memory[LIR_SPACE_BUFFER] = buffers;
   harness.wave.num_memories[LIR_SPACE_BUFFER] = 2;
   harness.wave.memory[LIR_SPACE_CONST] = const_buffers;
   harness.wave.num_memories[LIR_SPACE_CONST] = 1;

   lir_value value = load_input(b, 0);
   lir_value index = load_input(b, 1);
   lir_value two = lir_const32(b, 2);
   lir_value three = lir_const32(b, 3);
   enter_some_lanes(b);
   lir_store32(b, LIR_SPACE_BUFFER, 1, index, value);
   lir_store32(b, LIR_SPACE_BUFFER, 1, three, value);
   lir_store32(b, LIR_SPACE_BUFFER, 0, three, value);
   lir_store32(b, LIR_SPACE_BUFFER, 2, three, value);
   lir_end(b);
   give(&harness, 0, lir_load32(b, LIR_SPACE_BUFFER, 1, index));
   give(&harness, 1, lir_load32(b, LIR_SPACE_CONST, 0, index));
   give(&harness, 2, lir_load32(b, LIR_SPACE_CONST, 0, two));
   give(&harness, 3, lir_load32(b, LIR_SPACE_CONST, 0, three));
   give(&harness, 4, lir_load32(b, LIR_SPACE_CONST, 1, two));
   give(&harness, 5, lir_load32(b, LIR_SPACE_TEXTURE, 0, index));
   run_on_all(&harness, check_buffer);
   end(&harness);
}

/* Bytes 4 to 7 and halfword 5, then reads of all of them; 9 bytes are bound, so
 * that the last is in no halfword and no word. */
static void
check_units(struct harness *harness)
{
   const uint32_t bytes[LIR_LANES] = {0x11, 0x22, 0x33, 0x44, 0xec,
                                      0xed, 0xee, 0xef, 0x55};
   const uint32_t halfwords[LIR_LANES] = {0x2211, 0x4433, 0xedec, 0xefee};
   const uint32_t words[LIR_LANES] = {0x44332211, 0xefeeedec};

   assert_int_equal(harness->result, TG_OK);
   assert_int_equal(buffer[2], 0x99887755);
   expect(harness, 0, bytes);
   expect(harness, 1, halfwords);
   expect(harness, 2, words);
   expect_all(harness, 3, 9);
   expect_all(harness, 4, 0);
   memcpy(buffer, (const uint32_t[3]){0x44332211, 0, 0x99887755}, 12);
}

static void
test_units(void **state)
{
   const struct exec_memory buffers[1] = {{buffer, 9}};
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   harness.wave.memory[LIR_SPACE_BUFFER] = buffers;
   harness.wave.num_memories[LIR_SPACE_BUFFER] = 1;
   memcpy(buffer, (const uint32_t[3]){0x44332211, 0, 0x99887755}, 12);

   /* 1004 is 0x3ec; lanes 4 to 7 write the bytes of their numbers. */
   lir_value value = load_input(b, 0);
   lir_value index = load_input(b, 1);
   lir_value four = lir_const32(b, 4);
   lir_value eight = lir_const32(b, 8);
   lir_value above = lir_uge(b, index, four);
   lir_value below = lir_ult(b, index, eight);
   lir_value between = lir_band(b, above, below);
   lir_begin_if(b, between);
   lir_store(b, LIR_OP_store8, LIR_SPACE_BUFFER, 0, index, value);
   lir_store(b, LIR_OP_store16, LIR_SPACE_BUFFER, 0, four, value);
   lir_store32(b, LIR_SPACE_BUFFER, 0, eight, value);
   lir_end(b);
   give(&harness, 0, lir_load(b, LIR_OP_load8, LIR_SPACE_BUFFER, 0, index));
   give(&harness, 1, lir_load(b, LIR_OP_load16, LIR_SPACE_BUFFER, 0, index));
   give(&harness, 2, lir_load32(b, LIR_SPACE_BUFFER, 0, index));
   give(&harness, 3, lir_memsize(b, LIR_SPACE_BUFFER, 0));
   give(&harness, 4, lir_memsize(b, LIR_SPACE_IMAGE, 0));
   run_on_all(&harness, check_units);
   end(&harness);
   memset(buffer, 0, sizeof(buffer));
}

/* Each operation once on a word of its own, by one lane; `compare` is for
 * atomic_cas alone. */
static const struct {
   enum lir_op op;
   uint32_t before, compare, value, after;
} atomics[] = {
   {LIR_OP_atomic_xchg, 5, 0, 9, 9},
   {LIR_OP_atomic_cas, 5, 5, 9, 9},
   {LIR_OP_atomic_cas, 5, 6, 9, 5},
   {LIR_OP_atomic_add, UINT32_MAX, 0, 2, 1},
   {LIR_OP_atomic_and, 0xf0f, 0, 0x0ff, 0x00f},
   {LIR_OP_atomic_or, 0xf0f, 0, 0x0ff, 0xfff},
   {LIR_OP_atomic_xor, 0xf0f, 0, 0x0ff, 0xff0},
   {LIR_OP_atomic_umin, UINT32_MAX, 0, 7, 7},
   {LIR_OP_atomic_umax, UINT32_MAX, 0, 7, UINT32_MAX},
   {LIR_OP_atomic_imin, UINT32_MAX, 0, 7, UINT32_MAX},
   {LIR_OP_atomic_imax, UINT32_MAX, 0, 7, 7},
   {LIR_OP_atomic_fadd, 0x3fc00000, 0, 0x40100000, 0x40700000}, /* 1.5+2.25 */
   {LIR_OP_atomic_inc, 2, 0, 4, 3},
   {LIR_OP_atomic_inc, 3, 0, 4, 0},
   {LIR_OP_atomic_inc, 9, 0, 4, 0},
   {LIR_OP_atomic_inc, 3, 0, 0, 0},
   {LIR_OP_atomic_dec, 2, 0, 4, 1},
   {LIR_OP_atomic_dec, 0, 0, 4, 3},
   {LIR_OP_atomic_dec, 4, 0, 4, 3},
   {LIR_OP_atomic_dec, 9, 0, 4, 3},
   {LIR_OP_atomic_dec, 3, 0, 0, 0},
};

enum { NUM_ATOMICS = sizeof(atomics) / sizeof(atomics[0]) };

static uint32_t atomic_words[NUM_ATOMICS + 1];

static void
fill_atomic_words(void)
{
   for (unsigned i = 0; i < NUM_ATOMICS; i++)
      atomic_words[i] = atomics[i].before;
   atomic_words[NUM_ATOMICS] = 0;
}

/* Lane 6 works on the words above. The active lanes also add 1000 and their
 * number to one word, in their order. */
static void
check_atomics(struct harness *harness)
{
   uint32_t old[LIR_LANES] = {0};
   uint32_t sum = 0;

   assert_int_equal(harness->result, TG_OK);
   for (unsigned i = 0; i < NUM_ATOMICS; i++) {
      const uint32_t one[LIR_LANES] = {[6] = atomics[i].before};

      assert_int_equal(atomic_words[i], atomics[i].after);
      expect(harness, i, one);
   }
   for (unsigned i = 0; i < LIR_LANES; i++) {
      if (!is_some_lane(i))
         continue;
      old[i] = sum;
      sum += 1000 + i;
   }
   assert_int_equal(atomic_words[NUM_ATOMICS], sum);
   expect(harness, NUM_ATOMICS, old);
   expect_all(harness, NUM_ATOMICS + 1, 0);
   fill_atomic_words();
}

static void
test_atomics(void **state)
{
   const struct exec_memory shared = {atomic_words, sizeof(atomic_words)};
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   harness.wave.memory[LIR_SPACE_SHARED] = &shared;
   harness.wave.num_memories[LIR_SPACE_SHARED] = 1;
   fill_atomic_words();

   lir_value number = load_input(b, 0);
   lir_value last = lir_const32(b, NUM_ATOMICS);
   lir_value end_of_all = lir_const32(b, NUM_ATOMICS + 1);
   uint32_t old_var = lir_module_add_var(&harness.module, LIR_TYPE_B32, "old");
   enter_some_lanes(b);
   lir_setvar(b, old_var,
              lir_atomic(b, LIR_OP_atomic_add, LIR_SPACE_SHARED, 0, last, last,
                         number));
   lir_end(b);
   give(&harness, NUM_ATOMICS, lir_getvar(b, old_var));
   give(&harness, NUM_ATOMICS + 1,
        lir_atomic(b, LIR_OP_atomic_or, LIR_SPACE_SHARED, 0, end_of_all, last,
                   number));
   lir_value six = lir_const32(b, 6);
   lir_value lane = lir_lane(b);
   lir_begin_if(b, lir_ieq(b, lane, six));
   for (unsigned i = 0; i < NUM_ATOMICS; i++) {
      lir_value at = lir_const32(b, i);
      lir_value compare = lir_const32(b, atomics[i].compare);
      lir_value value = lir_const32(b, atomics[i].value);
      give(
         &harness, i,
         lir_atomic(b, atomics[i].op, LIR_SPACE_SHARED, 0, at, compare, value));
   }
   lir_end(b);
   run_on_all(&harness, check_atomics);
   end(&harness);
}

static void
check_own_atomics(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   assert_int_equal(harness->result, TG_OK);
   for (unsigned i = 0; i < NUM_ATOMICS; i++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         expected[lane] =
            is_some_lane(lane) ? atomics[i].after : atomics[i].before;
      expect(harness, i, expected);
   }
   expect_all(harness, NUM_ATOMICS, 0);
   expect_all(harness, NUM_ATOMICS + 1, 0);
}

/* The same in each lane's own array, in the active lanes; what they gave as the
 * old words is compared with these. The word behind the array is 0. */
static void
test_own_atomics(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   uint32_t words = lir_module_add_array(&harness.module, NUM_ATOMICS, "words");
   uint32_t wrong = lir_module_add_var(&harness.module, LIR_TYPE_B32, "wrong");
   uint32_t behind =
      lir_module_add_var(&harness.module, LIR_TYPE_B32, "behind");
   lir_value end_of_all = lir_const32(b, NUM_ATOMICS);
   for (unsigned i = 0; i < NUM_ATOMICS; i++) {
      lir_value at = lir_const32(b, i);
      lir_value before = lir_const32(b, atomics[i].before);
      lir_store32(b, LIR_SPACE_ARRAY, words, at, before);
   }
   enter_some_lanes(b);
   for (unsigned i = 0; i < NUM_ATOMICS; i++) {
      lir_value at = lir_const32(b, i);
      lir_value before = lir_const32(b, atomics[i].before);
      lir_value compare = lir_const32(b, atomics[i].compare);
      lir_value value = lir_const32(b, atomics[i].value);
      lir_value old = lir_atomic(b, atomics[i].op, LIR_SPACE_ARRAY, words, at,
                                 compare, value);
      lir_value difference = lir_ixor(b, old, before);
      lir_value so_far = lir_getvar(b, wrong);
      lir_setvar(b, wrong, lir_ior(b, so_far, difference));
   }
   lir_setvar(b, behind,
              lir_atomic(b, LIR_OP_atomic_or, LIR_SPACE_ARRAY, words,
                         end_of_all, end_of_all, end_of_all));
   lir_end(b);
   for (unsigned i = 0; i < NUM_ATOMICS; i++) {
      lir_value at = lir_const32(b, i);
      give(&harness, i, lir_load32(b, LIR_SPACE_ARRAY, words, at));
   }
   give(&harness, NUM_ATOMICS, lir_getvar(b, wrong));
   give(&harness, NUM_ATOMICS + 1, lir_getvar(b, behind));
   run_on_all(&harness, check_own_atomics);
   end(&harness);
}

static void
check_arrays(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   assert_int_equal(harness->result, TG_OK);
   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = is_some_lane(i) && i < 10 ? 1000 + i : 0;
   expect(harness, 0, expected);
   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = is_some_lane(i) ? 1000 + i : 0;
   expect(harness, 1, expected);
   expect_all(harness, 2, 0);
   expect_all(harness, 3, 0);
   expect_all(harness, 4, 0);
}

/* Two arrays of ten and one words. The lane's own word of the first is outside
 * for the high lanes. */
static void
test_lane_memory(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   uint32_t ten = lir_module_add_array(&harness.module, 10, "ten");
   uint32_t one = lir_module_add_array(&harness.module, 1, "one");
   lir_value value = load_input(b, 0);
   lir_value index = load_input(b, 1);
   lir_value zero = lir_const32(b, 0);
   lir_value outside = lir_const32(b, 10);
   enter_some_lanes(b);
   lir_store32(b, LIR_SPACE_ARRAY, ten, index, value);
   lir_store32(b, LIR_SPACE_ARRAY, ten, outside, value);
   lir_store32(b, LIR_SPACE_ARRAY, one, zero, value);
   lir_end(b);
   give(&harness, 0, lir_load32(b, LIR_SPACE_ARRAY, ten, index));
   give(&harness, 1, lir_load32(b, LIR_SPACE_ARRAY, one, zero));
   give(&harness, 2, lir_load32(b, LIR_SPACE_ARRAY, ten, outside));
   give(&harness, 3, load_input(b, 4));
   lir_value far = load_input(b, 3);
   give(&harness, 4, lir_load32(b, LIR_SPACE_INPUT, 0, far));
   run_on_all(&harness, check_arrays);
   end(&harness);
}

/* Word k of the array of each lane is 10 k + 5 at first. */
static void
check_proven(struct harness *harness)
{
   uint32_t loaded[LIR_LANES], stored[LIR_LANES], own[LIR_LANES];
   uint32_t same[LIR_LANES];

   assert_int_equal(harness->result, TG_OK);
   for (unsigned i = 0; i < LIR_LANES; i++) {
      loaded[i] = 10 * (i & 3) + 5;
      own[i] = i;
      same[i] = 100 + i;
      stored[i] = (i & 3) == 1 ? i : 15;
   }
   expect(harness, 0, loaded);
   expect_all(harness, 1, 25);
   expect(harness, 2, own);
   expect(harness, 3, same);
   expect(harness, 4, stored);
   expect_all(harness, 5, 0);
   expect_all(harness, 6, 77);
}

/* Executors do not check what is proven: at a constant, at an index that is the
 * same in all lanes, and at each lane's own. One that is the same in all lanes
 * and outside is at the word of the next array, perhaps. */
static void
test_proven_accesses(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;
   bool changed = false;

   (void)state;
   begin(&harness);
   const uint32_t array = lir_module_add_array(&harness.module, 4, "four");
   for (uint32_t k = 0; k < 4; k++) {
      const lir_value word = lir_const32(b, k);
      lir_store32(b, LIR_SPACE_ARRAY, array, word, lir_const32(b, 10 * k + 5));
   }
   const lir_value lane = lir_lane(b);
   const lir_value three = lir_const32(b, 3);
   const lir_value own = lir_iand(b, lane, three);
   const lir_value two = lir_const32(b, 2);
   const lir_value shifted = lir_iadd(b, lane, two);
   const lir_value masked = lir_iand(b, shifted, three);
   const lir_value same = lir_read_first(b, masked);
   give(&harness, 0, lir_load32(b, LIR_SPACE_ARRAY, array, own));
   give(&harness, 1, lir_load32(b, LIR_SPACE_ARRAY, array, same));
   lir_store32(b, LIR_SPACE_ARRAY, array, own, lane);
   give(&harness, 2, lir_load32(b, LIR_SPACE_ARRAY, array, own));
   const lir_value more = lir_iadd(b, lane, lir_const32(b, 100));
   lir_store32(b, LIR_SPACE_ARRAY, array, same, more);
   give(&harness, 3, lir_load32(b, LIR_SPACE_ARRAY, array, two));
   const lir_value one = lir_const32(b, 1);
   give(&harness, 4, lir_load32(b, LIR_SPACE_ARRAY, array, one));
   const uint32_t next = lir_module_add_array(&harness.module, 1, "next");
   const lir_value zero = lir_const32(b, 0);
   lir_store32(b, LIR_SPACE_ARRAY, next, zero, lir_const32(b, 77));
   const lir_value beyond = lir_iadd(b, lane, lir_const32(b, 4));
   const lir_value outside = lir_read_first(b, beyond);
   give(&harness, 5, lir_load32(b, LIR_SPACE_ARRAY, array, outside));
   lir_store32(b, LIR_SPACE_ARRAY, array, outside, lane);
   give(&harness, 6, lir_load32(b, LIR_SPACE_ARRAY, next, zero));
   assert_int_equal(lir_pass_bounds(&harness.module, &changed), TG_OK);
   assert_int_equal(lir_pass_uniformity(&harness.module, &changed), TG_OK);
   run_on_all(&harness, check_proven);
   end(&harness);
}

/* ---- the wave ------------------------------------------------------------ */

/* Lanes 0 to 11 are launched, of which 1 is a helper. */
static void
check_kill(struct harness *harness)
{
   uint32_t before[LIR_LANES] = {0};
   uint32_t after[LIR_LANES] = {0};
   uint32_t ran[LIR_LANES] = {0};

   for (unsigned i = 0; i < 12; i++) {
      before[i] = i != 1 ? UINT32_MAX : 0;
      after[i] = i != 1 && i != 5 && i != 11 ? UINT32_MAX : 0;
      ran[i] = 1000 + i;
   }
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, before);
   expect(harness, 1, after);
   expect(harness, 2, ran);
   assert_int_equal(harness->wave.live, 0xffd & ~(1 << 5 | 1 << 11));
}

static void
test_kill(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   harness.wave.launched = 0xfff;
   harness.wave.live = 0xffd;
   lir_value value = load_input(b, 0);
   lir_value one = lir_const32(b, 1);
   lir_value low = lir_iand(b, value, one);
   lir_value is_odd = lir_i2b(b, low);
   lir_value live = lir_live(b);
   give(&harness, 0, lir_b2i(b, live));
   enter_some_lanes(b);
   lir_kill(b, is_odd);
   lir_end(b);
   live = lir_live(b);
   give(&harness, 1, lir_b2i(b, live));
   give(&harness, 2, value);
   run_on_all(&harness, check_kill);
   end(&harness);
}

/* Counted are: const (which every function begins with), clock; lo64; three
 * rounds of four instructions, one of them in an if; not what is skipped. */
static void
check_clock(struct harness *harness)
{
   assert_int_equal(harness->result, TG_OK);
   expect_all(harness, 0, 1);
   expect_all(harness, 1, harness->output[2][0]);
}

static void
test_clock(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t var = lir_module_add_var(&harness.module, LIR_TYPE_B32, "v");
   lir_value start = lir_clock(b); /* 1 before it */
   lir_value start_word = lir_lo64(b, start);
   lir_value zero = lir_const32(b, 0);
   lir_value one = lir_const32(b, 1);
   lir_value three = lir_const32(b, 3); /* 6 with these */
   uint32_t loop = lir_begin_loop(b);
   lir_value old = lir_getvar(b, var);
   lir_value next = lir_iadd(b, old, one);
   lir_setvar(b, var, next);
   lir_value is_done = lir_uge(b, next, three);
   lir_begin_if(b, is_done); /* 4 a round: 12 */
   lir_br(b, loop);
   lir_end(b);
   lir_end(b);
   lir_value never = lir_const1(b, false);
   lir_begin_if(b, never); /* 1 */
   lir_const32(b, 7);
   lir_end(b);
   lir_value stop = lir_clock(b);
   lir_value stop_word = lir_lo64(b, stop);
   lir_value expected = lir_const32(b, 6 + 12 + 1);
   lir_store32(b, LIR_SPACE_OUTPUT, 0, zero, start_word);
   give(&harness, 1, stop_word);
   give(&harness, 2, expected);
   run_on_all(&harness, check_clock);
   end(&harness);
}

/* ---- the listener -------------------------------------------------------- */

#define WIDE_TAG UINT64_C(0x8000000000000063)

struct event {
   char kind;
   uint64_t tag;
   uint32_t lanes, value;
};

static struct event events[4];
static unsigned num_events;

static void
note(char kind, uint64_t tag, uint32_t lanes, const uint32_t *values)
{
   assert_true(num_events < 4);
   events[num_events++] = (struct event){
      .kind = kind,
      .tag = tag,
      .lanes = lanes,
      .value = values[12],
   };
}

static void
on_trace(void *user, uint64_t tag, uint32_t lanes, const uint32_t *value)
{
   assert_ptr_equal(user, &num_events);
   note('t', tag, lanes, value);
}

static void
on_emit(void *user, uint32_t lanes, const uint32_t *stream)
{
   assert_ptr_equal(user, &num_events);
   note('e', 0, lanes, stream);
}

static void
on_endprim(void *user, uint32_t lanes, const uint32_t *stream)
{
   assert_ptr_equal(user, &num_events);
   note('p', 0, lanes, stream);
}

static void
check_events(struct harness *harness)
{
   static const struct event expected[3] = {
      {'e', 0, 0xffff, 3},
      {'t', WIDE_TAG, SOME_LANES, 1012},
      {'p', 0, SOME_LANES, 12},
   };

   assert_int_equal(harness->result, TG_OK);
   assert_int_equal(num_events, 3);
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(events[i].kind, expected[i].kind);
      assert_int_equal(events[i].tag, expected[i].tag);
      assert_int_equal(events[i].lanes, expected[i].lanes);
      assert_int_equal(events[i].value, expected[i].value);
   }
   num_events = 0;
}

static void
check_ok(struct harness *harness)
{
   assert_int_equal(harness->result, TG_OK);
   assert_int_equal(num_events, 0);
}

static void
test_listener(void **state)
{
   const struct exec_listener listener = {
      .trace = on_trace,
      .emit = on_emit,
      .endprim = on_endprim,
      .user = &num_events,
   };
   const struct exec_listener deaf = {.user = NULL};
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin_with_input(&harness);
   lir_value three = lir_const32(b, 3);
   lir_value value = load_input(b, 0);
   lir_value lane = lir_lane(b);
   lir_emit(b, three);
   enter_some_lanes(b);
   lir_trace(b, WIDE_TAG, value);
   lir_endprim(b, lane);
   lir_end(b);

   run_on_all(&harness, check_ok);
   harness.wave.listener = &deaf;
   run_on_all(&harness, check_ok);
   harness.wave.listener = &listener;
   run_on_all(&harness, check_events);
   end(&harness);
}

/* ---- constants ----------------------------------------------------------- */

/* More of them than are filled in when a wave starts. */
static void
check_sum(struct harness *harness)
{
   assert_int_equal(harness->result, TG_OK);
   expect_all(harness, 0, 5000 * 4999 / 2);
   expect_all(harness, 1, 4999);
}

static void
test_many_constants(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   lir_value sum = lir_const32(b, 0);
   lir_value wide = lir_const64(b, 0);
   for (uint32_t i = 0; i < 5000; i++) {
      lir_value word = lir_const32(b, i);
      sum = lir_iadd(b, sum, word);
      wide = lir_const64(b, (uint64_t)i << 32 | i);
   }
   give(&harness, 0, sum);
   give(&harness, 1, lir_hi64(b, wide));
   run_on_all(&harness, check_sum);
   end(&harness);
}

/* ---- memory running out -------------------------------------------------- */

struct quota {
   unsigned left;
   size_t held;
};

static void *
resize_with_quota(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct quota *quota = user;
   const struct tg_allocator *allocator = tg_default_allocator();

   if (new_size > 0 && quota->left-- == 0) {
      quota->left = 0;
      return NULL;
   }
   quota->held += new_size - old_size;
   return allocator->resize(allocator->user, ptr, old_size, new_size);
}

/* Compiling fails at the first allocation, then the second, ... until it has
 * all it wants; each time nothing is left behind. */
static void
test_out_of_memory(void **state)
{
   const struct exec_executor *executor = exec_find_executor(NULL);
   struct quota quota = {0};
   const struct tg_allocator allocator = {resize_with_quota, &quota};
   const struct exec_build build = {.allocator = &allocator};
   struct harness harness;
   struct exec_program *program;
   enum tg_result result = TG_ERROR_MEMORY;

   (void)state;
   begin(&harness);
   lir_value value = lir_lane(&harness.b);
   for (uint32_t i = 0; i < 500; i++) {
      lir_begin_if(&harness.b, lir_i2b(&harness.b, value));
      value = lir_iadd(&harness.b, value, value);
      lir_trace(&harness.b, 0, value);
      lir_end(&harness.b);
      value = lir_lane(&harness.b);
   }
   for (unsigned limit = 0; result != TG_OK; limit++) {
      assert_true(limit < 100);
      quota.left = limit;
      result = executor->compile(&build, &harness.module, &program);
      if (result == TG_OK)
         executor->destroy(program);
      else
         assert_int_equal(result, TG_ERROR_MEMORY);
      assert_int_equal(quota.held, 0);
   }
   end(&harness);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ballot_and_reads),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_masked_variables),
      cmocka_unit_test(test_uniform_memory),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_own_atomics),
      cmocka_unit_test(test_lane_memory),
      cmocka_unit_test(test_proven_accesses),
      cmocka_unit_test(test_kill),
      cmocka_unit_test(test_clock),
      cmocka_unit_test(test_listener),
      cmocka_unit_test(test_many_constants),
      cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
