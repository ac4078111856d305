/* SPDX-License-Identifier: MIT
 *
 * SIMD vectors of four and eight words, for what lies in memory in fours: the
 * channels of a register, and those of four lanes or records; and fills of
 * arrays by them.
 */
#ifndef TG_UTIL_FOUR_H
#define TG_UTIL_FOUR_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef uint32_t tg_four __attribute__((vector_size(16)));
typedef int32_t tg_four_ints __attribute__((vector_size(16)));
typedef float tg_four_floats __attribute__((vector_size(16)));
typedef uint32_t tg_eight __attribute__((vector_size(32)));
typedef int32_t tg_eight_ints __attribute__((vector_size(32)));
typedef float tg_eight_floats __attribute__((vector_size(32)));

typedef uint16_t tg_eight_halves __attribute__((vector_size(16)));

/* Words need not be aligned. */
static inline tg_four
tg_load_four(const uint32_t *words)
{
   tg_four v;
   memcpy(&v, words, sizeof(v));
   return v;
}

static inline void
tg_store_four(uint32_t *words, tg_four v)
{
   memcpy(words, &v, sizeof(v));
}

static inline tg_eight
tg_load_eight(const uint32_t *words)
{
   tg_eight v;
   memcpy(&v, words, sizeof(v));
   return v;
}

/* Four words from each of two places. */
static inline tg_eight
tg_load_halves(const uint32_t *low, const uint32_t *high)
{
   return __builtin_shufflevector(tg_load_four(low), tg_load_four(high), 0, 1,
                                  2, 3, 4, 5, 6, 7);
}

static inline void
tg_store_eight(uint32_t *words, tg_eight v)
{
   memcpy(words, &v, sizeof(v));
}

/* Stores words of up to 255 as bytes. Compilers convert such vectors number by
 * number. */
static inline void
tg_store_eight_bytes(uint8_t bytes[8], tg_eight v)
{
#ifdef __SSE2__
   const union {
      tg_eight all;
      __m128i four[2];
   } halves = {v};
   const __m128i words = _mm_packs_epi32(halves.four[0], halves.four[1]);
   _mm_storel_epi64((__m128i *)(void *)bytes, _mm_packus_epi16(words, words));
#else
   for (unsigned i = 0; i < 8; i++)
      bytes[i] = (uint8_t)v[i];
#endif
}

/* Stores first, first + 1, ... */
static inline void
tg_count_words(uint32_t *words, uint32_t first, uint32_t count)
{
   tg_eight numbers = (tg_eight){0, 1, 2, 3, 4, 5, 6, 7} + first;
   uint32_t i = 0;
   for (; i + 8 <= count; i += 8, numbers += 8)
      memcpy(&words[i], &numbers, sizeof(numbers));
   for (; i < count; i++)
      words[i] = first + i;
}

static inline void
tg_count_halves(uint16_t *halves, uint16_t first, uint32_t count)
{
   tg_eight_halves numbers = (tg_eight_halves){0, 1, 2, 3, 4, 5, 6, 7} + first;
   uint32_t i = 0;
   for (; i + 8 <= count; i += 8, numbers += 8)
      memcpy(&halves[i], &numbers, sizeof(numbers));
   for (; i < count; i++)
      halves[i] = (uint16_t)(first + i);
}

static inline void
tg_fill_words(uint32_t *words, uint32_t word, uint32_t count)
{
   const tg_eight eight = (tg_eight){0} + word;
   uint32_t i = 0;
   for (; i + 8 <= count; i += 8)
      memcpy(&words[i], &eight, sizeof(eight));
   for (; i < count; i++)
      words[i] = word;
}

/* Copies numbers into wider ones. */
static inline void
tg_widen_halves(uint32_t *words, const uint16_t *halves, uint32_t count)
{
   uint32_t i = 0;
   for (; i + 8 <= count; i += 8) {
      tg_eight_halves eight;
      memcpy(&eight, &halves[i], sizeof(eight));
      const tg_eight wide = __builtin_convertvector(eight, tg_eight);
      memcpy(&words[i], &wide, sizeof(wide));
   }
   for (; i < count; i++)
      words[i] = halves[i];
}

/* Transposes: word i of vector k and word k of vector i change places. */
static inline void
tg_transpose_four(tg_four *a, tg_four *b, tg_four *c, tg_four *d)
{
   const tg_four low_ab = __builtin_shufflevector(*a, *b, 0, 4, 1, 5);
   const tg_four low_cd = __builtin_shufflevector(*c, *d, 0, 4, 1, 5);
   const tg_four high_ab = __builtin_shufflevector(*a, *b, 2, 6, 3, 7);
   const tg_four high_cd = __builtin_shufflevector(*c, *d, 2, 6, 3, 7);
   *a = __builtin_shufflevector(low_ab, low_cd, 0, 1, 4, 5);
   *b = __builtin_shufflevector(low_ab, low_cd, 2, 3, 6, 7);
   *c = __builtin_shufflevector(high_ab, high_cd, 0, 1, 4, 5);
   *d = __builtin_shufflevector(high_ab, high_cd, 2, 3, 6, 7);
}

/* The same for the lower four words of each, and for the upper ones. */
static inline void
tg_transpose_twice(tg_eight *a, tg_eight *b, tg_eight *c, tg_eight *d)
{
   const tg_eight low_ab =
      __builtin_shufflevector(*a, *b, 0, 8, 1, 9, 4, 12, 5, 13);
   const tg_eight low_cd =
      __builtin_shufflevector(*c, *d, 0, 8, 1, 9, 4, 12, 5, 13);
   const tg_eight high_ab =
      __builtin_shufflevector(*a, *b, 2, 10, 3, 11, 6, 14, 7, 15);
   const tg_eight high_cd =
      __builtin_shufflevector(*c, *d, 2, 10, 3, 11, 6, 14, 7, 15);
   *a = __builtin_shufflevector(low_ab, low_cd, 0, 1, 8, 9, 4, 5, 12, 13);
   *b = __builtin_shufflevector(low_ab, low_cd, 2, 3, 10, 11, 6, 7, 14, 15);
   *c = __builtin_shufflevector(high_ab, high_cd, 0, 1, 8, 9, 4, 5, 12, 13);
   *d = __builtin_shufflevector(high_ab, high_cd, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* Stores the low halves of words. */
static inline void
tg_store_eight_halves(uint16_t halves[8], tg_eight v)
{
#ifdef __SSE2__
   const union {
      tg_eight_ints all;
      __m128i four[2];
   } extended = {(tg_eight_ints)(v << 16) >> 16};
   _mm_storeu_si128((__m128i *)(void *)halves,
                    _mm_packs_epi32(extended.four[0], extended.four[1]));
#else
   for (unsigned i = 0; i < 8; i++)
      halves[i] = (uint16_t)v[i];
#endif
}

/* The sum of eight words, which is below 2^32. */
static inline uint32_t
tg_eight_sum(tg_eight v)
{
   const union {
      tg_eight all;
      uint64_t each[4];
   } pairs = {v};
   const uint64_t sum =
      pairs.each[0] + pairs.each[1] + pairs.each[2] + pairs.each[3];
   return (uint32_t)(sum + (sum >> 32));
}

/* Bit i: integer i is negative, those of `high` being the last eight. */
static inline uint32_t
tg_sixteen_signs(tg_eight_ints low, tg_eight_ints high)
{
#ifdef __SSE2__
   const union {
      tg_eight_ints eight[2];
      __m128i four[4];
   } all = {{low, high}};
   return (uint32_t)_mm_movemask_epi8(
      _mm_packs_epi16(_mm_packs_epi32(all.four[0], all.four[1]),
                      _mm_packs_epi32(all.four[2], all.four[3])));
#else
   uint32_t signs = 0;
   for (unsigned i = 0; i < 8; i++)
      signs |= (uint32_t)(low[i] < 0) << i | (uint32_t)(high[i] < 0) << (i + 8);
   return signs;
#endif
}

#endif
