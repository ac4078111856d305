/* SPDX-License-Identifier: MIT
 *
 * Sixteen words of 16 bits, as those of a block of pixels, by SIMD.
 */
#ifndef TG_UTIL_HALVES_H
#define TG_UTIL_HALVES_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bit i: half i is `value`. */
static inline uint32_t
tg_sixteen_halves_equal(const uint16_t halves[16], uint16_t value)
{
#ifdef __SSE2__
   const __m128i *at = (const __m128i *)(const void *)halves;
   const __m128i all = _mm_set1_epi16((short)value);
   const __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128(at), all);
   const __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128(at + 1), all);
   return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
   uint32_t equal = 0;
   for (unsigned i = 0; i < 16; i++)
      equal |= (uint32_t)(halves[i] == value) << i;
   return equal;
#endif
}

/* Bit i: half i is not 0. */
static inline uint32_t
tg_sixteen_halves_set(const uint16_t halves[16])
{
   return tg_sixteen_halves_equal(halves, 0) ^ 0xffff;
}

#endif
