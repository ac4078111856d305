/* SPDX-License-Identifier: MIT
 *
 * Bit casts: the bits of a float or double, and the number that bits are.
 */
#ifndef TG_UTIL_BITS_H
#define TG_UTIL_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t
tg_bits_of_float(float value)
{
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static inline float
tg_float_of_bits(uint32_t bits)
{
   float value;

   memcpy(&value, &bits, sizeof(value));
   return value;
}

static inline uint64_t
tg_bits_of_double(double value)
{
   uint64_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static inline double
tg_double_of_bits(uint64_t bits)
{
   double value;

   memcpy(&value, &bits, sizeof(value));
   return value;
}

#endif
