/* SPDX-License-Identifier: MIT
 *
 * The bits of a float, and the float of bits.
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

#endif
