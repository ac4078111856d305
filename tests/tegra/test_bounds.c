/* SPDX-License-Identifier: MIT
 *
 * Bounds of integer operations hold: for all ranges between some numbers, no
 * result of operands within them is outside of what is said of it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tegra/select/kinds_bounds.h"

enum { MAX_SOURCES = 4, MAX_ENDS = 10 };

/* ---- what operations give ------------------------------------------------ */

typedef int64_t (*operation)(const int32_t *s);

#define OPERATION(name, expression)                                            \
   static int64_t name(const int32_t *s)                                       \
   {                                                                           \
      return expression;                                                       \
   }

OPERATION(and, s[0] & s[1])
OPERATION(or, s[0] | s[1])
OPERATION(xor, s[0] ^ s[1])
OPERATION(not, ~s[0])
OPERATION(negation, -(int64_t)s[0])
OPERATION(sum, (int64_t)s[0] + s[1])
OPERATION(product, (int64_t)s[0] * s[1])
OPERATION(product_sum, (int64_t)s[0] * s[1] + s[2])
OPERATION(high, ((int64_t)s[0] * s[1]) >> 32)
OPERATION(distance, llabs((int64_t)s[0] - s[1]) + s[2])
OPERATION(least, s[0] < s[1] ? s[0] : s[1])
OPERATION(greatest, s[0] > s[1] ? s[0] : s[1])
OPERATION(absolute, llabs((int64_t)s[0]))
OPERATION(sign, (s[0] > 0) - (s[0] < 0))
OPERATION(left, s[0] * (INT64_C(1) << (s[1] & 31)))
OPERATION(right, s[0] >> (s[1] & 31))
OPERATION(quotient, s[1] ? s[0] / s[1] : 0)
OPERATION(quotient_or_ones, s[1] ? s[0] / s[1] : -1)
OPERATION(remainder_or_ones, s[1] ? s[0] % s[1] : -1)
OPERATION(count, __builtin_popcount((unsigned)s[0]))
OPERATION(place, s[0] ? __builtin_ctz((unsigned)s[0]) : -1)

/* A field of 32 bits at 0 is the whole; else offset and width count modulo 32,
 * and what is beyond bit 31 is not there. */
static int64_t
field(const int32_t *s)
{
   unsigned offset = s[1] & 31, width = s[2] & 31;
   uint64_t word = (uint32_t)s[0];

   if (s[2] == 32 && offset == 0)
      return (int64_t)word;
   return (int64_t)(word >> offset & ((UINT64_C(1) << width) - 1));
}

static int64_t
signed_field(const int32_t *s)
{
   unsigned offset = s[1] & 31, width = s[2] & 31;

   if (s[2] == 32 && offset == 0)
      return s[0];
   if (width == 0)
      return 0;
   if (offset + width > 32)
      width = 32 - offset;
   return (int32_t)((uint32_t)s[0] << (32 - offset - width)) >> (32 - width);
}

static int64_t
insert(const int32_t *s)
{
   unsigned offset = s[2] & 31, width = s[3] & 31;
   uint32_t ones = (uint32_t)(((UINT64_C(1) << width) - 1) << offset);

   if (s[3] == 32 && offset == 0)
      return s[1];
   return (int32_t)(((uint32_t)s[0] & ~ones) |
                    ((uint32_t)s[1] << offset & ones));
}

/* ---- rows ---------------------------------------------------------------- */

/* Numbers between which sources are. */
struct ends {
   unsigned num;
   int32_t numbers[MAX_ENDS];
};

static const struct ends any = {10, {-40, -9, -8, -3, -1, 0, 1, 6, 8, 37}};
static const struct ends some = {5, {-9, -1, 0, 4, 8}};
static const struct ends positive = {4, {0, 1, 7, 29}};
static const struct ends counts = {5, {-2, 0, 5, 31, 32}};
static const struct ends widths = {5, {0, 3, 31, 32, 34}};
static const struct ends large = {5, {-70000, -1, 0, 1, 65536}};

static const struct row {
   kinds_bounds bounds;
   operation operation;
   const struct ends *sources[MAX_SOURCES];
} rows[] = {
   {bounds_and, and, {&any, &any}},
   {bounds_or, or, {&any, &any}},
   {bounds_xor,
    xor,
    {
       &any, &any}},
   {bounds_not, not, {&any}},
   {bounds_negation, negation, {&any}},
   {bounds_sum, sum, {&any, &any}},
   {bounds_product, product, {&any, &any}},
   {bounds_product_sum, product_sum, {&some, &some, &some}},
   {bounds_distance, distance, {&some, &some, &some}},
   {bounds_least, least, {&any, &any}},
   {bounds_greatest, greatest, {&any, &any}},
   {bounds_absolute, absolute, {&any}},
   {bounds_sign, sign, {&any}},
   {bounds_left, left, {&any, &counts}},
   {bounds_right, right, {&any, &counts}},
   {bounds_quotient, quotient, {&any, &any}},
   {bounds_quotient_or_ones, quotient_or_ones, {&any, &any}},
   {bounds_remainder, remainder_or_ones, {&any, &any}},
   {bounds_field, field, {&some, &counts, &widths}},
   {bounds_signed_field, signed_field, {&some, &counts, &widths}},
   {bounds_insert, insert, {&some, &positive, &positive, &widths}},
   {bounds_count, count, {&any}},
   {bounds_place, place, {&any}},
};

/* ---- all operands -------------------------------------------------------- */

struct attempt {
   const struct row *row;
   unsigned num_sources;
   struct kinds_range ranges[MAX_SOURCES], bounds;
   int32_t operands[MAX_SOURCES];
};

static void
check(const struct attempt *attempt)
{
   double result = (double)attempt->row->operation(attempt->operands);

   if (result < attempt->bounds.low || result > attempt->bounds.high)
      fail_msg("row %d: %g of %d %d %d %d is not within %g and %g",
               (int)(attempt->row - rows), result, attempt->operands[0],
               attempt->operands[1], attempt->operands[2], attempt->operands[3],
               attempt->bounds.low, attempt->bounds.high);
}

static void
try_operands(struct attempt *attempt, unsigned index)
{
   if (index == attempt->num_sources) {
      check(attempt);
      return;
   }
   for (int32_t n = (int32_t)attempt->ranges[index].low;
        n <= (int32_t)attempt->ranges[index].high; n++) {
      attempt->operands[index] = n;
      try_operands(attempt, index + 1);
   }
}

static void
try_ranges(struct attempt *attempt, unsigned index)
{
   if (index == attempt->num_sources) {
      attempt->bounds = attempt->row->bounds(attempt->ranges);
      try_operands(attempt, 0);
      return;
   }

   const struct ends *ends = attempt->row->sources[index];
   for (unsigned i = 0; i < ends->num; i++) {
      for (unsigned j = i; j < ends->num; j++) {
         attempt->ranges[index].low = ends->numbers[i];
         attempt->ranges[index].high = ends->numbers[j];
         try_ranges(attempt, index + 1);
      }
   }
}

static void
nothing_is_out_of_bounds(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct attempt attempt = {.row = &rows[i]};

      while (attempt.num_sources < MAX_SOURCES &&
             rows[i].sources[attempt.num_sources])
         attempt.num_sources++;
      try_ranges(&attempt, 0);
   }
}

/* Bits 32 to 63 are wanted of products that have more than 32, where not all
 * operands can be tried: their ends can. */
static void
high_words_are_within_bounds(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 625; n++) {
      const int32_t ends[] = {large.numbers[n % 5], large.numbers[n / 5 % 5],
                              large.numbers[n / 25 % 5],
                              large.numbers[n / 125]};
      const struct kinds_range ranges[] = {{ends[0], ends[1]},
                                           {ends[2], ends[3]}};
      struct kinds_range bounds = bounds_high(ranges);

      for (unsigned i = 0; i < 4 && ends[0] <= ends[1] && ends[2] <= ends[3];
           i++) {
         double result =
            (double)high((const int32_t[]){ends[i % 2], ends[2 + i / 2]});
         assert_true(result >= bounds.low && result <= bounds.high);
      }
   }
}

/* Bounds are good for something: these are as narrow as can be. */
static void
bounds_are_narrow(void **state)
{
   static const struct {
      kinds_bounds bounds;
      struct kinds_range sources[MAX_SOURCES], expected;
   } narrow[] = {
      {bounds_and, {{-0x1p31, 0x1p31}, {255, 255}}, {0, 255}},
      {bounds_and, {{0, 5}, {-1, 0}}, {0, 5}},
      {bounds_or, {{0, 5}, {8, 8}}, {8, 15}},
      {bounds_remainder, {{0, 0x1p31}, {1, 6}}, {0, 5}},
      {bounds_remainder, {{-100, 3}, {10, 10}}, {-9, 3}},
      {bounds_quotient, {{0, 100}, {5, 10}}, {0, 20}},
      {bounds_left, {{0, 3}, {2, 4}}, {0, 48}},
      {bounds_right, {{-9, 100}, {1, 3}}, {-5, 50}},
      {bounds_field, {{-8, 1000}, {0, 8}, {4, 4}}, {0, 15}},
      {bounds_signed_field, {{-8, 1000}, {0, 8}, {4, 4}}, {-8, 7}},
      {bounds_insert, {{0, 255}, {0, 255}, {8, 8}, {8, 8}}, {0, 65535}},
      {bounds_count, {{0, 255}}, {0, 8}},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++) {
      struct kinds_range bounds = narrow[i].bounds(narrow[i].sources);

      assert_true(bounds.low == narrow[i].expected.low &&
                  bounds.high == narrow[i].expected.high);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_out_of_bounds),
      cmocka_unit_test(high_words_are_within_bounds),
      cmocka_unit_test(bounds_are_narrow),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
