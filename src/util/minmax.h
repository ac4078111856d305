/* SPDX-License-Identifier: MIT
 *
 * The lesser and the greater of two integers, by their type.
 */
#ifndef TG_UTIL_MINMAX_H
#define TG_UTIL_MINMAX_H

#include <stdint.h>

#define TG_DEFINE_MINMAX(suffix, type)                                         \
   static inline type tg_min_##suffix(type a, type b)                          \
   {                                                                           \
      return a < b ? a : b;                                                    \
   }                                                                           \
   static inline type tg_max_##suffix(type a, type b)                          \
   {                                                                           \
      return a > b ? a : b;                                                    \
   }

TG_DEFINE_MINMAX(i32, int32_t)
TG_DEFINE_MINMAX(u32, uint32_t)
TG_DEFINE_MINMAX(i64, int64_t)
TG_DEFINE_MINMAX(u64, uint64_t)

#undef TG_DEFINE_MINMAX

#endif
