/* SPDX-License-Identifier: MIT
 *
 * Control flow under divergence: each shader here is compared with the same
 * thing written in C for one lane.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "harness.h"

/* A variable of words; its number. */
static uint32_t
word_var(struct harness *harness)
{
   return lir_module_add_var(&harness->module, LIR_TYPE_B32, "v");
}

static void
add_to_var(struct lir_builder *b, uint32_t var, uint32_t number)
{
   lir_value old = lir_getvar(b, var);
   lir_value addend = lir_const32(b, number);
   lir_value sum = lir_iadd(b, old, addend);

   lir_setvar(b, var, sum);
}

/* lane & bits, as a truth value. */
static lir_value
lane_has(struct lir_builder *b, uint32_t bits)
{
   lir_value lane = lir_lane(b);
   lir_value mask = lir_const32(b, bits);
   lir_value masked = lir_iand(b, lane, mask);

   return lir_i2b(b, masked);
}

static lir_value
lane_below(struct lir_builder *b, uint32_t number)
{
   lir_value lane = lir_lane(b);
   lir_value bound = lir_const32(b, number);

   return lir_ult(b, lane, bound);
}

/* ---- ifs ----------------------------------------------------------------- */

static void
check_nested_ifs(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++) {
      expected[i] = i & 1 ? (i & 2 ? 1 : 10) : i & 4 ? 100 : 1000;
      expected[i] += 10000;
   }
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, expected);
}

static void
test_nested_ifs(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t var = word_var(&harness);
   for (unsigned k = 0; k < 2; k++) {
      if (k == 0)
         lir_begin_if(b, lane_has(b, 1));
      else
         lir_begin_else(b);
      lir_begin_if(b, lane_has(b, k == 0 ? 2 : 4));
      add_to_var(b, var, k == 0 ? 1 : 100);
      lir_begin_else(b);
      add_to_var(b, var, k == 0 ? 10 : 1000);
      lir_end(b);
   }
   lir_end(b);
   add_to_var(b, var, 10000);
   give(&harness, 0, lir_getvar(b, var));
   run_on_all(&harness, check_nested_ifs);
   end(&harness);
}

/* Inside of an if of some lanes, what is put is what all lanes have, and what
 * is set those lanes alone; nothing is put where no lane enters. */
static void
check_put(struct harness *harness)
{
   uint32_t put[LIR_LANES], set[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++) {
      put[i] = i;
      set[i] = i < 3 ? i : 0;
   }
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, put);
   expect(harness, 1, set);
   expect(harness, 2, put);
   expect_all(harness, 3, 0);
}

static void
test_put(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;
   uint32_t vars[4];

   (void)state;
   begin(&harness);
   for (unsigned i = 0; i < 4; i++)
      vars[i] = lir_module_add_var(&harness.module, LIR_TYPE_B32, "v");
   const lir_value lane = lir_lane(b);
   lir_begin_if(b, lane_below(b, 3));
   lir_putvar(b, vars[0], lane);
   lir_setvar(b, vars[1], lane);
   lir_end(b);
   lir_begin_if(b, lir_bnot(b, lane_below(b, 13)));
   lir_putvar(b, vars[2], lane);
   lir_end(b);
   lir_begin_if(b, lane_below(b, 0));
   lir_putvar(b, vars[3], lane);
   lir_end(b);
   for (unsigned i = 0; i < 4; i++)
      give(&harness, i, lir_getvar(b, vars[i]));
   run_on_all(&harness, check_put);
   end(&harness);
}

/* No lane enters the first, every lane the second, in neither half is there
 * anything for the listener to hear of the other. */
static void
count_event(void *user, uint64_t tag, uint32_t lanes,
            const uint32_t value[LIR_LANES])
{
   uint32_t *events = user;

   (void)value;
   events[tag] += 1;
   events[2] |= lanes;
}

static uint32_t skip_events[3];

static void
check_skipped(struct harness *harness)
{
   assert_int_equal(harness->result, TG_OK);
   assert_int_equal(skip_events[0], 0);
   assert_int_equal(skip_events[1], 2);
   assert_int_equal(skip_events[2], 0xffff);
   memset(skip_events, 0, sizeof(skip_events));
}

static void
test_skipped_halves(void **state)
{
   const struct exec_listener listener = {
      .trace = count_event,
      .user = skip_events,
   };
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   harness.wave.listener = &listener;
   lir_value zero = lir_const32(b, 0);
   for (unsigned k = 0; k < 2; k++) {
      lir_begin_if(b, lane_below(b, k == 0 ? 0 : 16));
      lir_trace(b, k, zero);
      lir_begin_else(b);
      lir_trace(b, !k, zero);
      lir_end(b);
   }
   run_on_all(&harness, check_skipped);
   end(&harness);
}

/* ---- leaving ------------------------------------------------------------- */

/* Three blocks in each other; lane i leaves i % 4 of them. What follows each
 * end adds its digit. */
static void
check_br_out(struct harness *harness)
{
   static const uint32_t sums[4] = {1111, 1110, 1100, 1000};
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = sums[i % 4];
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, expected);
}

static void
test_br_out_of_levels(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t var = word_var(&harness);
   uint32_t level[3];
   for (unsigned k = 0; k < 3; k++)
      level[k] = lir_begin_block(b);
   lir_value three = lir_const32(b, 3);
   lir_value lane = lir_lane(b);
   lir_value left = lir_iand(b, lane, three);
   for (unsigned k = 1; k <= 3; k++) {
      lir_value number = lir_const32(b, k);
      lir_begin_if(b, lir_ieq(b, left, number));
      lir_br(b, level[3 - k]);
      lir_end(b);
   }
   for (unsigned digit = 1; digit <= 100; digit *= 10) {
      add_to_var(b, var, digit);
      lir_end(b);
   }
   add_to_var(b, var, 1000);
   give(&harness, 0, lir_getvar(b, var));
   run_on_all(&harness, check_br_out);
   end(&harness);
}

/* All lanes of the then-part leave; the else-part runs all the same, and its
 * lanes alone go on behind the end. */
static void
check_br_in_then(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = i < 5 ? 100 : 111;
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, expected);
}

static void
test_br_in_then(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t var = word_var(&harness);
   uint32_t block = lir_begin_block(b);
   lir_begin_if(b, lane_below(b, 5));
   lir_br(b, block);
   lir_begin_else(b);
   add_to_var(b, var, 1);
   lir_end(b);
   add_to_var(b, var, 10);
   lir_end(b);
   add_to_var(b, var, 100);
   give(&harness, 0, lir_getvar(b, var));
   run_on_all(&harness, check_br_in_then);
   end(&harness);
}

/* ---- loops --------------------------------------------------------------- */

/* The greatest common divisor of lane * 6 and 84, by repeated remainders:
 * each lane leaves when it is done. */
static uint32_t
gcd(uint32_t x, uint32_t y)
{
   while (y != 0) {
      uint32_t rest = x % y;

      x = y;
      y = rest;
   }
   return x;
}

static void
check_gcd(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = gcd(84, i * 6);
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, expected);
}

static void
test_loop(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t x = word_var(&harness);
   uint32_t y = word_var(&harness);
   lir_value first = lir_const32(b, 84);
   lir_value six = lir_const32(b, 6);
   lir_value zero = lir_const32(b, 0);
   lir_value lane = lir_lane(b);
   lir_value second = lir_imul(b, lane, six);
   lir_setvar(b, x, first);
   lir_setvar(b, y, second);
   uint32_t loop = lir_begin_loop(b);
   lir_value divisor = lir_getvar(b, y);
   lir_begin_if(b, lir_ieq(b, divisor, zero));
   lir_br(b, loop);
   lir_end(b);
   lir_value dividend = lir_getvar(b, x);
   lir_value rest = lir_urem(b, dividend, divisor);
   lir_setvar(b, x, divisor);
   lir_setvar(b, y, rest);
   lir_end(b);
   give(&harness, 0, lir_getvar(b, x));
   run_on_all(&harness, check_gcd);
   end(&harness);
}

/* Two loops in each other, with a value from outside used in both and `break`
 * and `continue` in the inner one:
 *    for (i = 0; i < 4; i++)
 *       for (j = 0; j < lane; j++) {
 *          if (j == i) continue;
 *          if (j == 5) break;
 *          sum += j + outside;
 *       } */
static void
check_nested_loops(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      expected[lane] = 0;
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned j = 0; j < lane; j++) {
            if (j == i)
               continue;
            if (j == 5)
               break;
            expected[lane] += j + 3 * lane;
         }
      }
   }
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, expected);
}

/* Appends the head of a counting loop whose body is a block of its own, so
 * that a br to the block goes on with the next round; the block's level. */
static uint32_t
begin_for(struct lir_builder *b, uint32_t var, lir_value bound)
{
   lir_value start = lir_const32(b, 0);
   lir_setvar(b, var, start);
   uint32_t loop = lir_begin_loop(b);
   lir_value counter = lir_getvar(b, var);
   lir_begin_if(b, lir_uge(b, counter, bound));
   lir_br(b, loop);
   lir_end(b);
   return lir_begin_block(b);
}

static void
end_for(struct lir_builder *b, uint32_t var)
{
   lir_end(b);
   add_to_var(b, var, 1);
   lir_end(b);
}

static void
test_nested_loops(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t i = word_var(&harness);
   uint32_t j = word_var(&harness);
   uint32_t sum = word_var(&harness);
   lir_value three = lir_const32(b, 3);
   lir_value four = lir_const32(b, 4);
   lir_value five = lir_const32(b, 5);
   lir_value lane = lir_lane(b);
   lir_value outside = lir_imul(b, lane, three);

   begin_for(b, i, four);
   lir_value i_now = lir_getvar(b, i);
   uint32_t body = begin_for(b, j, lane);
   lir_value j_now = lir_getvar(b, j);
   lir_begin_if(b, lir_ieq(b, j_now, i_now));
   lir_br(b, body);
   lir_end(b);
   lir_begin_if(b, lir_ieq(b, j_now, five));
   lir_br(b, body - 1);
   lir_end(b);
   lir_value before = lir_getvar(b, sum);
   lir_value more = lir_iadd(b, j_now, outside);
   lir_value after = lir_iadd(b, before, more);
   lir_setvar(b, sum, after);
   end_for(b, j);
   end_for(b, i);
   give(&harness, 0, lir_getvar(b, sum));
   run_on_all(&harness, check_nested_loops);
   end(&harness);
}

/* ---- reads of variables -------------------------------------------------- */

/* What was read stays as it was, whatever is written later: in line, in a
 * loop, and by a function. */
static void
check_old_values(struct harness *harness)
{
   assert_int_equal(harness->result, TG_OK);
   expect_all(harness, 0, 7);
   expect_all(harness, 1, 8);
   expect_all(harness, 2, 9);
   expect_all(harness, 3, 8 + 9 + 10);
   expect_all(harness, 4, 11);
   expect_all(harness, 5, 12);
}

static void
test_old_values(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;
   struct lir_builder callee;

   (void)state;
   begin(&harness);
   uint32_t var = word_var(&harness);
   uint32_t count = word_var(&harness);
   uint32_t sum = word_var(&harness);
   uint32_t function = lir_module_add_function(&harness.module, "add");
   lir_builder_init(&callee, &harness.module, function);
   add_to_var(&callee, var, 1);

   lir_value seven = lir_const32(b, 7);
   lir_value three = lir_const32(b, 3);
   lir_setvar(b, var, seven);
   lir_value before = lir_getvar(b, var);
   add_to_var(b, var, 1);
   give(&harness, 0, before);
   lir_value in_front = lir_getvar(b, var);
   begin_for(b, count, three);
   lir_value old = lir_getvar(b, var);
   add_to_var(b, var, 1);
   lir_value so_far = lir_getvar(b, sum);
   lir_value now = lir_iadd(b, so_far, old);
   lir_setvar(b, sum, now);
   give(&harness, 1, in_front);
   lir_value one = lir_const32(b, 1);
   lir_value next = lir_iadd(b, in_front, one);
   give(&harness, 2, next);
   end_for(b, count);
   give(&harness, 3, lir_getvar(b, sum));
   lir_value kept = lir_getvar(b, var);
   lir_call(b, function);
   give(&harness, 4, kept);
   give(&harness, 5, lir_getvar(b, var));
   run_on_all(&harness, check_old_values);
   end(&harness);
}

/* ---- functions ----------------------------------------------------------- */

/* fib(n) for n = lane % 8, by the textbook: the function keeps what it needs
 * across calls in values, its argument and result are variables. */
static uint32_t
fib(uint32_t n)
{
   return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void
check_fib(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = fib(i % 8);
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, expected);
}

static void
build_fib(struct lir_builder *b, uint32_t argument, uint32_t result)
{
   lir_value n = lir_getvar(b, argument);
   lir_value one = lir_const32(b, 1);
   lir_value two = lir_const32(b, 2);
   lir_setvar(b, result, n);
   lir_begin_if(b, lir_ult(b, n, two));
   lir_br(b, 0);
   lir_end(b);
   lir_value first = lir_isub(b, n, one);
   lir_setvar(b, argument, first);
   lir_call(b, b->function);
   lir_value x = lir_getvar(b, result);
   lir_value copy = lir_ior(b, x, x);
   lir_value second = lir_isub(b, n, two);
   lir_setvar(b, argument, second);
   lir_call(b, b->function);
   lir_value y = lir_getvar(b, result);
   lir_value sum = lir_iadd(b, copy, y);
   lir_setvar(b, result, sum);
}

static void
test_recursion(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;
   struct lir_builder callee;

   (void)state;
   begin(&harness);
   uint32_t argument = word_var(&harness);
   uint32_t result = word_var(&harness);
   uint32_t function = lir_module_add_function(&harness.module, "fib");
   lir_builder_init(&callee, &harness.module, function);
   build_fib(&callee, argument, result);

   lir_value seven = lir_const32(b, 7);
   lir_value lane = lir_lane(b);
   lir_value n = lir_iand(b, lane, seven);
   lir_setvar(b, argument, n);
   lir_call(b, function);
   give(&harness, 0, lir_getvar(b, result));
   run_on_all(&harness, check_fib);
   end(&harness);
}

/* A return in one lane of a function that is called by some lanes, from two
 * places, the second time through another function. */
static void
check_calls(struct harness *harness)
{
   uint32_t expected[LIR_LANES];

   for (unsigned i = 0; i < LIR_LANES; i++)
      expected[i] = (i < 9 ? (i & 1 ? 1 : 11) : 0) + (i & 1 ? 1 : 11) + 1100;
   assert_int_equal(harness->result, TG_OK);
   expect(harness, 0, expected);
}

static void
test_calls(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;
   struct lir_builder inner;
   struct lir_builder outer;

   (void)state;
   begin(&harness);
   uint32_t var = word_var(&harness);
   uint32_t outer_function = lir_module_add_function(&harness.module, "outer");
   uint32_t inner_function = lir_module_add_function(&harness.module, "inner");
   lir_builder_init(&outer, &harness.module, outer_function);
   lir_builder_init(&inner, &harness.module, inner_function);
   add_to_var(&inner, var, 1);
   lir_begin_if(&inner, lane_has(&inner, 1));
   lir_br(&inner, 0);
   lir_end(&inner);
   add_to_var(&inner, var, 10);
   add_to_var(&outer, var, 100);
   lir_call(&outer, inner_function);

   lir_begin_if(b, lane_below(b, 9));
   lir_call(b, inner_function);
   lir_end(b);
   lir_value kept = lir_const32(b, 1000);
   lir_call(b, outer_function);
   lir_value value = lir_getvar(b, var);
   give(&harness, 0, lir_iadd(b, value, kept));
   run_on_all(&harness, check_calls);
   end(&harness);
}

/* ---- limits -------------------------------------------------------------- */

/* A function that calls itself `depth` deep in all, counting. */
static void
build_descent(struct harness *harness, uint32_t depth)
{
   struct lir_builder *b = &harness->b;
   struct lir_builder callee;
   uint32_t var = word_var(harness);
   uint32_t function = lir_module_add_function(&harness->module, "down");

   lir_builder_init(&callee, &harness->module, function);
   add_to_var(&callee, var, 1);
   lir_value count = lir_getvar(&callee, var);
   lir_value bound = lir_const32(&callee, depth);
   lir_begin_if(&callee, lir_ult(&callee, count, bound));
   callee.origin = 17;
   lir_call(&callee, function);
   lir_end(&callee);
   lir_call(b, function);
   give(harness, 0, lir_getvar(b, var));
}

static void
check_deepest(struct harness *harness)
{
   assert_int_equal(harness->result, TG_OK);
   expect_all(harness, 0, LIR_MAX_CALL_DEPTH);
}

static void
check_too_deep(struct harness *harness)
{
   assert_int_equal(harness->result, TG_ERROR_LIMIT);
   assert_int_equal(harness->fault.origin, 17);
   assert_non_null(strstr(harness->fault.what, "deep"));
}

static void
test_call_depth(void **state)
{
   struct harness harness;

   (void)state;
   begin(&harness);
   build_descent(&harness, LIR_MAX_CALL_DEPTH);
   run_on_all(&harness, check_deepest);
   end(&harness);

   begin(&harness);
   build_descent(&harness, LIR_MAX_CALL_DEPTH + 1);
   run_on_all(&harness, check_too_deep);
   end(&harness);
}

/* A loop that goes back nine times. */
static void
build_nine_rounds(struct harness *harness)
{
   struct lir_builder *b = &harness->b;
   uint32_t var = word_var(harness);
   uint32_t loop = lir_begin_loop(b);

   add_to_var(b, var, 1);
   lir_value count = lir_getvar(b, var);
   lir_value ten = lir_const32(b, 10);
   lir_begin_if(b, lir_uge(b, count, ten));
   lir_br(b, loop);
   lir_end(b);
   b->origin = 5;
   lir_end(b);
   give(harness, 0, lir_getvar(b, var));
}

static void
check_ten(struct harness *harness)
{
   assert_int_equal(harness->result, TG_OK);
   expect_all(harness, 0, 10);
}

static void
check_budget_used_up(struct harness *harness)
{
   assert_int_equal(harness->result, TG_ERROR_LIMIT);
   assert_int_equal(harness->fault.origin, 5);
   assert_non_null(strstr(harness->fault.what, "budget"));
   expect_all(harness, 0, 0);
}

static void
test_loop_budget(void **state)
{
   struct harness harness;

   (void)state;
   begin(&harness);
   build_nine_rounds(&harness);
   harness.wave.loop_budget = 9;
   run_on_all(&harness, check_ten);
   harness.wave.loop_budget = 8;
   run_on_all(&harness, check_budget_used_up);
   end(&harness);
}

/* Thirty functions, each of which calls the next twice. */
static void
check_stopped(struct harness *harness)
{
   assert_int_equal(harness->result, TG_ERROR_LIMIT);
}

static void
test_call_bomb(void **state)
{
   struct harness harness;

   (void)state;
   begin(&harness);
   for (unsigned i = 1; i <= 30; i++)
      assert_int_equal(lir_module_add_function(&harness.module, "bomb"), i);
   for (unsigned i = 0; i < 30; i++) {
      struct lir_builder b;

      lir_builder_init(&b, &harness.module, i);
      lir_call(&b, i + 1);
      lir_call(&b, i + 1);
   }
   harness.wave.loop_budget = 100000;
   run_on_all(&harness, check_stopped);
   end(&harness);
}

/* As many rounds as would overflow a stack, if a round took any. */
static void
check_long(struct harness *harness)
{
   assert_int_equal(harness->result, TG_ERROR_LIMIT);
}

static void
test_long_run(void **state)
{
   struct harness harness;

   (void)state;
   begin(&harness);
   uint32_t var = word_var(&harness);
   lir_begin_loop(&harness.b);
   add_to_var(&harness.b, var, 1);
   lir_end(&harness.b);
   harness.wave.loop_budget = 2000000;
   run_on_all(&harness, check_long);
   end(&harness);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nested_ifs),
      cmocka_unit_test(test_put),
      cmocka_unit_test(test_skipped_halves),
      cmocka_unit_test(test_br_out_of_levels),
      cmocka_unit_test(test_br_in_then),
      cmocka_unit_test(test_loop),
      cmocka_unit_test(test_nested_loops),
      cmocka_unit_test(test_old_values),
      cmocka_unit_test(test_recursion),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_call_depth),
      cmocka_unit_test(test_loop_budget),
      cmocka_unit_test(test_call_bomb),
      cmocka_unit_test(test_long_run),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
