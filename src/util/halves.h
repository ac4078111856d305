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

/* Bit i: half i is not 0. */
static inline uint32_t
tg_sixteen_halves_set(const uint16_t halves[16])
{
#ifdef __SSE2__
   const __m128i *at = (const __m128i *)(const void *)halves, zero = {0};
   const __m128i low = _mm_cmpeq_epi16(_mm_loadu_si128(at), zero);
   const __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128(at + 1), zero);
   return ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) & 0xffff;
#else
   uint32_t set = 0;
   for (unsigned i = 0; i < 16; i++)
      set |= (uint32_t)(halves[i] != 0) << i;
   return set;
#endif
}

#endif
