/* SPDX-License-Identifier: MIT
 *
 * Comparison of floats and doubles. Distances in units in the last place are
 * differences of the numbers' places in the order of all floats.
 */
#include "script/text/compare.h"

#include <math.h>
#include <string.h>

enum { MAX_ULPS = 1 << 24 };

bool
script_read_compare_tolerance(struct script_cursor *cursor,
                              struct script_tolerance *tolerance_out)
{
   *tolerance_out = (struct script_tolerance){.kind = SCRIPT_EXACT};
   if (!cursor_accept_words(cursor, "within"))
      return true;

   struct script_cursor number = *cursor;
   cursor_read_word(cursor);
   if (cursor_accept_words(cursor, "ulp")) {
      struct script_cursor after = *cursor;

      *cursor = number;
      if (!cursor_read_number(cursor, 0, MAX_ULPS, "a number of ulps",
                              &tolerance_out->ulps))
         return false;
      tolerance_out->kind = SCRIPT_WITHIN_ULP;
      *cursor = after;
      return true;
   }
   *cursor = number;
   tolerance_out->kind = SCRIPT_WITHIN_DISTANCE;
   return script_read_double_value(cursor, "a distance or a number of ulps",
                                   &tolerance_out->distance);
}

/* The place of a float in the order of all, from its bits in the upper end
 * of 64; both zeros have place 0. */
static int64_t
place_of(uint64_t bits)
{
   int64_t magnitude = (int64_t)(bits & INT64_MAX);

   return bits >> 63 ? -magnitude : magnitude;
}

static uint64_t
distance_in_order(uint64_t a, uint64_t b)
{
   int64_t place_a = place_of(a), place_b = place_of(b);

   return place_a > place_b ? (uint64_t)place_a - (uint64_t)place_b
                            : (uint64_t)place_b - (uint64_t)place_a;
}

/* `ulp` is the distance of neighbours in the order. */
static bool
numbers_match(double expected, double found, uint64_t distance, uint64_t ulp,
              const struct script_tolerance *tolerance)
{
   if (isnan(expected) || isnan(found))
      return isnan(expected) && isnan(found);
   if (isinf(expected) || isinf(found))
      return expected == found;
   if (tolerance->kind == SCRIPT_WITHIN_ULP)
      return distance <= tolerance->ulps * ulp;
   return fabs(expected - found) <= tolerance->distance;
}

static bool
floats_match(uint32_t expected, uint32_t found,
             const struct script_tolerance *tolerance)
{
   float a, b;
   memcpy(&a, &expected, sizeof(a));
   memcpy(&b, &found, sizeof(b));

   if (tolerance->kind == SCRIPT_EXACT)
      return expected == found || (isnan(a) && isnan(b));
   uint64_t distance =
      distance_in_order((uint64_t)expected << 32, (uint64_t)found << 32);
   return numbers_match(a, b, distance, UINT64_C(1) << 32, tolerance);
}

static bool
doubles_match(const uint32_t *expected, const uint32_t *found,
              const struct script_tolerance *tolerance)
{
   uint64_t a_bits = expected[0] | (uint64_t)expected[1] << 32;
   uint64_t b_bits = found[0] | (uint64_t)found[1] << 32;
   double a, b;
   memcpy(&a, &a_bits, sizeof(a));
   memcpy(&b, &b_bits, sizeof(b));

   if (tolerance->kind == SCRIPT_EXACT)
      return a_bits == b_bits || (isnan(a) && isnan(b));
   return numbers_match(a, b, distance_in_order(a_bits, b_bits), 1, tolerance);
}

static bool
value_matches(enum script_kind kind, const uint32_t *expected,
              const uint32_t *found, const struct script_tolerance *tolerance)
{
   switch (kind) {
   case SCRIPT_FLOAT: return floats_match(*expected, *found, tolerance);
   case SCRIPT_DOUBLE: return doubles_match(expected, found, tolerance);
   case SCRIPT_INT64: return memcmp(expected, found, 8) == 0;
   case SCRIPT_HIGH: return true; /* compared with its low word */
   case SCRIPT_BITS: break;
   }
   return tolerance->kind == SCRIPT_EXACT
             ? *expected == *found
             : floats_match(*expected, *found, tolerance);
}

bool
script_compare_values(const struct script_values *expected,
                      const uint32_t *words,
                      const struct script_tolerance *tolerance)
{
   for (unsigned i = 0; i < expected->count; i++) {
      if (!value_matches((enum script_kind)expected->kinds[i],
                         &expected->words[i], &words[i], tolerance))
         return false;
   }
   return true;
}
