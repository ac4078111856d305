/* SPDX-License-Identifier: MIT
 *
 * The meanings in ops.def on special values: signed zeros, infinities, NaN,
 * denormals, ties, extremes, shifts that are too far. Results to expect come
 * from special_values.py, whose output is the argument of this program; halves
 * are tried one and all.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lir/evaluate.h"

static const char *values_file;

/* ---- special values ------------------------------------------------------ */

static bool
is_nan(uint64_t bits, uint32_t width)
{
   if (width == 32)
      return (bits & 0x7fffffff) > 0x7f800000;
   return (bits & UINT64_MAX >> 1) > UINT64_C(0x7ff) << 52;
}

static enum lir_op
find_op(const char *name)
{
   for (uint32_t op = 0; op < LIR_NUM_OPS; op++) {
      if (strcmp(lir_ops[op].name, name) == 0)
         return (enum lir_op)op;
   }
   return LIR_OP_none;
}

static void
check_case(enum lir_op op, const uint64_t operands[3], uint64_t expected,
           uint32_t nan)
{
   uint64_t result;

   assert_true(lir_evaluate(op, operands, &result));
   if (nan ? is_nan(result, nan) : result == expected)
      return;
   fail_msg("%s %" PRIx64 " %" PRIx64 " %" PRIx64 " gives %" PRIx64
            ", expected %" PRIx64 "%s",
            lir_ops[op].name, operands[0], operands[1], operands[2], result,
            expected, nan ? " (NaN)" : "");
}

static bool
computes(enum lir_op op)
{
   const uint64_t ones[3] = {1, 1, 1};
   uint64_t result;

   return lir_evaluate(op, ones, &result);
}

static void
test_special_values(void **state)
{
   uint32_t num_cases[LIR_NUM_OPS] = {0};
   FILE *file = fopen(values_file, "r");
   uint64_t operands[3], expected;
   uint32_t nan;
   char name[32];

   (void)state;
   assert_non_null(file);
   while (fscanf(file,
                 "%31s %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
                 " %" SCNu32,
                 name, &operands[0], &operands[1], &operands[2], &expected,
                 &nan) == 6) {
      enum lir_op op = find_op(name);

      if (op == LIR_OP_none)
         fail_msg("no op: %s", name);
      check_case(op, operands, expected, nan);
      num_cases[op]++;
   }
   assert_true(feof(file));
   fclose(file);

   for (uint32_t op = 0; op < LIR_NUM_OPS; op++) {
      if (computes((enum lir_op)op) && num_cases[op] == 0)
         fail_msg("%s has no special values", lir_ops[op].name);
   }
}

/* Each row that computes is pure, and only those: what has no expression may
 * not be folded. */
static void
test_rows(void **state)
{
   (void)state;
   for (uint32_t op = 0; op < LIR_NUM_OPS; op++) {
      const struct lir_op_info *info = &lir_ops[op];
      bool is_pure = info->flags & LIR_FLAG_PURE;

      if (info->num_operands > 0)
         assert_int_equal(is_pure, computes((enum lir_op)op));
      if (lir_op_commutes[op])
         assert_true(is_pure && info->num_operands == 2 &&
                     info->operand_type[0] == info->operand_type[1]);
   }
}

/* ---- halves -------------------------------------------------------------- */

static uint32_t
evaluate32(enum lir_op op, uint32_t operand)
{
   const uint64_t operands[3] = {operand};
   uint64_t result;

   assert_true(lir_evaluate(op, operands, &result));
   return (uint32_t)result;
}

static uint32_t
bits_of(double value)
{
   float number = (float)value;
   uint32_t bits;

   memcpy(&bits, &number, sizeof(bits));
   return bits;
}

/* By the definition of the format. */
static double
half_value(uint32_t half)
{
   uint32_t exponent = half >> 10 & 31;
   double fraction = half & 0x3ff;
   double magnitude = exponent == 31 ? INFINITY
                      : exponent == 0
                         ? ldexp(fraction, -24)
                         : ldexp(1024 + fraction, (int)exponent - 25);

   return half >> 15 & 1 ? -magnitude : magnitude;
}

static bool
is_half_nan(uint32_t half)
{
   return (half & 0x7fff) > 0x7c00;
}

static void
test_all_halves(void **state)
{
   (void)state;
   for (uint32_t half = 0; half <= 0xffff; half++) {
      uint32_t bits = evaluate32(LIR_OP_h2f, half);

      if (is_half_nan(half)) {
         assert_true(is_nan(bits, 32));
         assert_int_equal(evaluate32(LIR_OP_f2h, bits), 0x7e00);
         continue;
      }
      assert_int_equal(bits, bits_of(half_value(half)));
      assert_int_equal(evaluate32(LIR_OP_f2h, bits), half);
      /* Bits above are not looked at. */
      assert_int_equal(evaluate32(LIR_OP_h2f, half | 0xabcd0000), bits);
   }
}

/* Between each half and the next: the middle goes to the even one, and what
 * lies beside it to the nearer one. The step behind the last finite half is as
 * large as the one before it. */
static void
test_between_halves(void **state)
{
   (void)state;
   for (uint32_t half = 0; half < 0x7c00; half++) {
      double low = half_value(half);
      double high = half == 0x7bff ? 65536 : half_value(half + 1);
      uint32_t middle = bits_of((low + high) / 2);
      uint32_t even = half & 1 ? half + 1 : half;

      assert_int_equal(evaluate32(LIR_OP_f2h, middle), even);
      assert_int_equal(evaluate32(LIR_OP_f2h, middle - 1), half);
      assert_int_equal(evaluate32(LIR_OP_f2h, middle + 1), half + 1);
      assert_int_equal(evaluate32(LIR_OP_f2h, middle | 1u << 31),
                       even | 0x8000);
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_special_values),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_all_halves),
      cmocka_unit_test(test_between_halves),
   };

   if (argc < 2)
      return 1;
   values_file = argv[1];
   return cmocka_run_group_tests(tests, NULL, NULL);
}
