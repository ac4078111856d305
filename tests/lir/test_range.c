/* SPDX-License-Identifier: MIT
 *
 * Ranges: how narrow they are where that counts, and that values of random
 * expressions lie in them.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/evaluate.h"
#include "lir/passes.h"
#include "lir/range.h"
#include "listing.h"
#include "util/bits.h"

/* ---- how narrow ---------------------------------------------------------- */

#define MAIN "function 0 main {\n%0 = const32 0\n"
#define X "var $0 b32 x\n"

/* The range of the last value of the first function but for what follows it. */
static const struct {
   const char *why;
   const char *listing;
   uint32_t index;
   float low, high;
   bool may_be_nan, may_be_minus_zero;
   int64_t least, most;
} rows[] = {
   {"a constant", MAIN "%1 = const32 0x40000000\n}", 1, 2, 2, false, false,
    0x40000000, 0x40000000},
   {"-0", MAIN "%1 = const32 0x80000000\n}", 1, -0.0f, -0.0f, false, true,
    0x80000000, 0x80000000},
   {"a byte as a float", MAIN "%1 = load32 input[0], %0\n%2 = bytef %1, %0\n}",
    2, 0, 255, false, false, 0, 0x437f0000},
   {"a byte divided by 255",
    MAIN
    "%1 = load32 input[0], %0\n%2 = bytef %1, %0\n%3 = const32 0x3b808081\n"
    "%4 = const32 0xaf7efeff\n%5 = fmul %2, %4\n%6 = ffma %2, %3, %5\n}",
    6, 0, 1, false, false, 0, 0x3f800000},
   {"what is above the floor",
    MAIN "%1 = load32 input[0], %0\n%2 = ffloor %1\n%3 = fsub %1, %2\n}", 3, 0,
    1, true, false, 0, UINT32_MAX},
   {"and no NaN",
    MAIN "%1 = load32 input[0], %0\n%2 = ffloor %1\n"
         "%3 = fsub %1, %2\n%4 = fmax %3, %0\n}",
    4, 0, 1, false, false, 0, 0x3f800000},
   {"bytes blended",
    MAIN "%1 = load32 input[0], %0\n%2 = bytef %1, %0\n%3 = const32 1\n"
         "%4 = bytef %1, %3\n%5 = fsat %1\n%6 = flerp %2, %4, %5\n}",
    6, 0, 255, false, false, 0, 0x437f0000},
   {"an integer of a float",
    MAIN "%1 = load32 input[0], %0\n%2 = fsat %1\n%3 = const32 0x46800000\n"
         "%4 = const32 0xbf000000\n%5 = ffma %2, %3, %4\n%6 = ffloor %5\n"
         "%7 = f2i %6\n}",
    7, -INFINITY, INFINITY, true, true, -1, 16383},
   {"a lesser",
    MAIN "%1 = load32 input[0], %0\n%2 = const32 14\n"
         "%3 = umin %1, %2\n%4 = u2f %3\n}",
    4, 0, 14, false, false, 0, 0x41600000},
   {"what is written to a variable",
    X MAIN "%1 = load32 input[0], %0\n%2 = const32 14\n%3 = umin %1, %2\n"
           "setvar32 $0, %3\n%5 = getvar32 $0\n%6 = umax %5, %0\n}",
    6, 0, 0x1.cp-146f, false, false, 0, 14},
   {"what is written to it in all lanes",
    X MAIN "%1 = load32 input[0], %0\n%2 = const32 14\n%3 = umin %1, %2\n"
           "putvar32 $0, %3\n%5 = getvar32 $0\n%6 = umax %5, %0\n}",
    6, 0, 0x1.cp-146f, false, false, 0, 14},
   {"all that is written to a variable",
    X MAIN "%1 = load32 input[0], %0\n%2 = const32 14\n%3 = umin %1, %2\n"
           "setvar32 $0, %3\n%5 = getvar32 $0\ncall 1\n}\nfunction 1 called {\n"
           "%0 = const32 0\n%1 = const32 20\nsetvar32 $0, %1\n}",
    5, 0, 0x1.4p-145f, false, false, 0, 20},
   {"0 and not -0, times a negative number",
    MAIN "%1 = const32 0x80000000\n%2 = fmax %1, %0\n%3 = const32 0xbf800000\n"
         "%4 = fmul %2, %3\n}",
    4, 0, 0, false, true, 0, UINT32_MAX},
   {"the same the other way round",
    MAIN "%1 = const32 0x80000000\n%2 = fmax %0, %1\n%3 = const32 0xbf800000\n"
         "%4 = fmul %2, %3\n}",
    4, 0, 0, false, true, 0, UINT32_MAX},
   {"a remainder",
    MAIN "%1 = load32 input[0], %0\n%2 = const32 14\n%3 = urem %1, %2\n}", 3, 0,
    0x1.ap-146f, false, false, 0, 13},
   {"the remainder of what is less",
    MAIN "%1 = lane\n%2 = const32 40\n%3 = urem %1, %2\n}", 3, 0, 0x1.ep-146f,
    false, false, 0, 15},
   {"a remainder by 0, perhaps",
    MAIN "%1 = load32 input[0], %0\n%2 = const32 14\n%3 = umin %1, %2\n"
         "%4 = urem %1, %3\n}",
    4, -INFINITY, INFINITY, true, true, 0, UINT32_MAX},
   {"a sum beyond the last number",
    MAIN "%1 = load32 input[0], %0\n%2 = const32 14\n%3 = umin %1, %2\n"
         "%4 = const32 0xffffffff\n%5 = iadd %3, %4\n}",
    5, -INFINITY, INFINITY, true, true, -1, 13},
};

static void
test_rows(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct lir_module module;
      struct tg_arena arena;

      tg_arena_init(&arena, NULL);
      listing_parse(&module, rows[i].listing);
      struct lir_range **ranges = lir_find_ranges(&module, &arena);
      assert_non_null(ranges);
      const struct lir_range *range = &ranges[0][rows[i].index];
      if (range->low != rows[i].low || range->high != rows[i].high ||
          range->may_be_nan != rows[i].may_be_nan ||
          range->may_be_minus_zero != rows[i].may_be_minus_zero ||
          range->least != rows[i].least || range->most != rows[i].most)
         fail_msg("%s: %g to %g, %d, %d; %" PRId64 " to %" PRId64, rows[i].why,
                  range->low, range->high, range->may_be_nan,
                  range->may_be_minus_zero, range->least, range->most);
      lir_module_finish(&module);
      tg_arena_finish(&arena);
   }
}

/* ---- whether values lie in them ------------------------------------------ */

static uint32_t
random_below(uint32_t *seed, uint32_t count)
{
   *seed = *seed * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)*seed * count >> 32);
}

static const uint32_t special[] = {
   0,          0x80000000, 1,          0x80000001, 2,          3,
   31,         32,         255,        256,        0x7fffffff, 0xffffffff,
   0xfffffffe, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3effffff,
   0x3f7fffff, 0x3f800001, 0x437f0000, 0x437f0001, 0x3b808081, 0xaf7efeff,
   0x4b000000, 0x4b800000, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000,
   0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x00800000,
   0x80800000, 0x46800000, 0xbf7fffff, 0x40490fdb,
};

static uint32_t
random_word(uint32_t *seed)
{
   const unsigned kind = random_below(seed, 4);

   if (kind == 0)
      return random_below(seed, UINT32_MAX);
   if (kind == 1)
      return tg_bits_of_float((float)random_below(seed, 1u << 16) / 256);
   return special[random_below(seed, sizeof(special) / sizeof(special[0]))];
}

static bool
is_in(const struct lir_range *range, uint32_t word)
{
   const float x = tg_float_of_bits(word);
   const int64_t least = range->least, most = range->most;
   const int64_t number = word, below = number - (INT64_C(1) << 32);

   if ((number < least || number > most) && (below < least || below > most))
      return false;
   if (isnan(x))
      return range->may_be_nan;
   return x >= range->low && x <= range->high &&
          (word != 0x80000000 || range->may_be_minus_zero);
}

enum { NUM_INPUTS = 6, NUM_OPERATIONS = 24, NUM_IDIOMS = 4, NUM_DRAWS = 6 };

/* More than an expression has instructions. */
enum { MAX_INSTS = 512 };

/* An expression that is being made: its function, and the words that operands
 * are taken from. */
struct expression {
   struct lir_builder b;
   uint32_t seed;
   lir_value words[MAX_INSTS];
   uint32_t num_words;
};

static lir_value
any_word(struct expression *expression)
{
   return expression
      ->words[random_below(&expression->seed, expression->num_words)];
}

static lir_value
any_truth(struct expression *expression)
{
   const lir_value word = any_word(expression);

   return lir_i2b(&expression->b, word);
}

static void
add_word(struct expression *expression, lir_value word)
{
   expression->words[expression->num_words++] = word;
}

/* Words of memory, and words that are one of two numbers. */
static void
add_inputs(struct expression *expression)
{
   struct lir_builder *b = &expression->b;

   for (unsigned i = 0; i < NUM_INPUTS; i++) {
      const lir_value index = lir_const32(b, i);
      const lir_value word = lir_load32(b, LIR_SPACE_INPUT, 0, index);
      const lir_value first = lir_const32(b, random_word(&expression->seed));
      const lir_value second = lir_const32(b, random_word(&expression->seed));
      const lir_value truth = lir_i2b(b, word);

      if (i < 2)
         add_word(expression, word);
      add_word(expression, lir_sel32(b, truth, first, second));
   }
}

static bool
is_of_words(const struct lir_op_info *row)
{
   for (unsigned k = 0; k < row->num_operands; k++) {
      if (row->operand_type[k] == LIR_TYPE_B64)
         return false;
   }
   return row->type != LIR_TYPE_B64;
}

static void
add_operation(struct expression *expression)
{
   const uint64_t none[3] = {0};
   lir_value operands[3];
   uint64_t result;
   uint32_t op;

   do
      op = random_below(&expression->seed, LIR_NUM_OPS);
   while (!lir_evaluate((enum lir_op)op, none, &result) ||
          !is_of_words(lir_op_row(op)));
   for (unsigned k = 0; k < lir_op_row(op)->num_operands; k++)
      operands[k] = lir_op_row(op)->operand_type[k] == LIR_TYPE_B1
                       ? any_truth(expression)
                       : any_word(expression);
   lir_value value = lir_build(&expression->b, (enum lir_op)op, operands, 0);
   if (lir_op_row(op)->type == LIR_TYPE_B1)
      value = lir_b2i(&expression->b, value);
   add_word(expression, value);
}

/* A fraction, a quotient, a blend of what is not negative. */
static void
add_idiom(struct expression *expression)
{
   struct lir_builder *b = &expression->b;
   const lir_value x = any_word(expression), y = any_word(expression);

   if (random_below(&expression->seed, 2)) {
      const lir_value floor = lir_ffloor(b, x);
      add_word(expression, lir_fsub(b, x, floor));
   }
   const lir_value high = lir_constf(b, (float)(1.0 / 255));
   const lir_value low =
      lir_constf(b, (float)(1.0 / 255 - (double)(float)(1.0 / 255)));
   const lir_value most = lir_const32(b, random_word(&expression->seed));
   const lir_value zero = lir_const32(b, 0);
   const lir_value above = lir_fmax(b, x, zero);
   const lir_value bounded = lir_fmin(b, above, most);
   const lir_value other = lir_fmax(b, y, zero);
   const lir_value other_bounded = lir_fmin(b, other, most);
   const lir_value rest = lir_fmul(b, bounded, low);
   const lir_value weight = lir_fsat(b, y);
   add_word(expression, bounded);
   add_word(expression, lir_ffma(b, bounded, high, rest));
   add_word(expression, lir_flerp(b, bounded, other_bounded, weight));
}

/* Evaluates all of the function; what it traces are its results. Returns how
 * many. */
static unsigned
evaluate(const struct lir_function *function, const uint32_t *inputs,
         uint64_t values[MAX_INSTS], uint32_t results[MAX_INSTS])
{
   unsigned count = 0;

   assert_true(function->num_insts <= MAX_INSTS);
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];
      uint64_t operands[3] = {0};

      for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++)
         operands[k] = values[inst->operand[k].index];
      if (lir_op_row(inst->op)->imm == LIR_IMM_CONST)
         values[i] = inst->imm;
      else if (inst->op == LIR_OP_load32)
         values[i] = inputs[operands[0]];
      else if (inst->op == LIR_OP_trace)
         results[count++] = (uint32_t)operands[0];
      else
         assert_true(lir_evaluate((enum lir_op)inst->op, operands, &values[i]));
   }
   return count;
}

static void
check_ranges(const struct lir_function *function, const uint64_t *values,
             const struct lir_range *ranges)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (lir_op_row(inst->op)->type == LIR_TYPE_B32 &&
          !is_in(&ranges[i], (uint32_t)values[i]))
         fail_msg("%s gives %" PRIx64 ", not in %g to %g, %d, %d; %" PRId64
                  " to %" PRId64,
                  lir_op_row(inst->op)->name, values[i], ranges[i].low,
                  ranges[i].high, ranges[i].may_be_nan,
                  ranges[i].may_be_minus_zero, ranges[i].least, ranges[i].most);
   }
}

/* NaN counts as any other. */
static void
check_results(const uint32_t *before, const uint32_t *after, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      if (before[i] != after[i] && !(isnan(tg_float_of_bits(before[i])) &&
                                     isnan(tg_float_of_bits(after[i]))))
         fail_msg("%x has become %x", before[i], after[i]);
   }
}

static void
make_expression(struct expression *expression, struct lir_module *module)
{
   lir_builder_init(&expression->b, module,
                    lir_module_add_function(module, "main"));
   add_inputs(expression);
   for (unsigned i = 0; i < NUM_OPERATIONS; i++)
      add_operation(expression);
   for (unsigned i = 0; i < NUM_IDIOMS; i++)
      add_idiom(expression);
   for (unsigned i = 0; i < NUM_OPERATIONS; i++)
      lir_trace(&expression->b, 0, any_word(expression));
   assert_false(expression->b.failed);
}

/* The ranges of a random expression have its values, and the pass that uses
 * them does not change its results. */
static void
check_expression(uint32_t seed)
{
   struct expression expression = {.seed = seed};
   uint32_t inputs[NUM_DRAWS][NUM_INPUTS];
   uint32_t before[NUM_DRAWS][MAX_INSTS], after[MAX_INSTS];
   uint64_t values[MAX_INSTS];
   struct lir_module module;
   struct tg_arena arena;
   bool changed = false;
   unsigned count = 0;

   tg_arena_init(&arena, NULL);
   lir_module_init(&module, NULL);
   make_expression(&expression, &module);
   struct lir_range **ranges = lir_find_ranges(&module, &arena);
   assert_non_null(ranges);
   for (unsigned i = 0; i < NUM_DRAWS; i++) {
      for (unsigned k = 0; k < NUM_INPUTS; k++)
         inputs[i][k] = random_word(&expression.seed);
      count = evaluate(module.functions, inputs[i], values, before[i]);
      check_ranges(module.functions, values, ranges[0]);
   }
   assert_int_equal(lir_pass_vrp(&module, &changed), TG_OK);
   for (unsigned i = 0; i < NUM_DRAWS; i++) {
      assert_int_equal(evaluate(module.functions, inputs[i], values, after),
                       count);
      check_results(before[i], after, count);
   }
   lir_module_finish(&module);
   tg_arena_finish(&arena);
}

static void
test_expressions(void **state)
{
   (void)state;
   for (uint32_t seed = 0; seed < 20000; seed++)
      check_expression(seed * 2654435761u);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_expressions),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
