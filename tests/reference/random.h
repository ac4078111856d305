/* SPDX-License-Identifier: MIT
 *
 * Numbers that look random and are the same everywhere.
 */
#ifndef TESTS_REFERENCE_RANDOM_H
#define TESTS_REFERENCE_RANDOM_H

#include <stdint.h>

/* SplitMix64. */
static inline uint64_t
random_bits(uint64_t *seed)
{
   uint64_t z = *seed += 0x9e3779b97f4a7c15;
   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
   z = (z ^ z >> 27) * 0x94d049bb133111eb;
   return z ^ z >> 31;
}

/* From 0 up to, without, `limit`. */
static inline uint32_t
random_below(uint64_t *seed, uint32_t limit)
{
   return (uint32_t)((random_bits(seed) >> 32) * limit >> 32);
}

/* One in `chances`. */
static inline int
random_once_in(uint64_t *seed, uint32_t chances)
{
   return random_below(seed, chances) == 0;
}

/* From `low` up to `high`, 24 bits of it. */
static inline double
random_between(uint64_t *seed, double low, double high)
{
   return low + (high - low) * (double)(random_bits(seed) >> 40) * 0x1p-24;
}

#endif
