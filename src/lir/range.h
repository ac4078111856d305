/* SPDX-License-Identifier: MIT
 *
 * Interval analysis: what the words of a module can be. What it says holds in
 * all lanes, active or not, whatever the memory.
 */
#ifndef LIR_RANGE_H
#define LIR_RANGE_H

#include "lir/lir.h"

/* Of a word, as a float and as an integer: both hold. */
struct lir_range {
   /* The numbers between these, which may be infinite; perhaps NaN, perhaps
    * -0. That zeros are between them does not make -0 one of them. Where `low`
    * is above `high` it is no number. */
   float low, high;
   bool may_be_nan, may_be_minus_zero;
   /* The integers between these, modulo 2^32: from -2^31 to 2^32 - 1. */
   int64_t least, most;
};

/* The range of each value, by function and number; of those that are no words
 * it says nothing. NULL when out of memory. The arena owns it. */
struct lir_range **
lir_find_ranges(const struct lir_module *module, struct tg_arena *arena);

/* The same integers from 0 to 2^32 - 1, and from -2^31 to 2^31 - 1. */
struct lir_range
lir_range_unsigned(const struct lir_range *range);
struct lir_range
lir_range_signed(const struct lir_range *range);

/* Is it a number between `low` and `high`, and not -0? */
static inline bool
lir_range_is_within(const struct lir_range *range, float low, float high)
{
   return !range->may_be_nan && !range->may_be_minus_zero &&
          range->low >= low && range->high <= high;
}

#endif
