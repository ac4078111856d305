/* SPDX-License-Identifier: MIT
 *
 * Vectors of four words, for what lies in memory in fours: the channels of a
 * register, and those of four lanes or records; and of eight.
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

/* Bit i: integer i is negative. */
static inline uint32_t
tg_four_signs(tg_four_ints v)
{
#ifdef __SSE2__
   return (uint32_t)_mm_movemask_ps((__m128)v);
#else
   const tg_four bits = (tg_four)v >> 31 << (tg_four){0, 1, 2, 3};
   return bits[0] | bits[1] | bits[2] | bits[3];
#endif
}

#endif
