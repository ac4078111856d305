/* SPDX-License-Identifier: MIT
 *
 * Versioned public structs, which begin with their size, so that they can grow:
 * the one place where such a struct of a caller becomes one of this library,
 * and the other way round. The structs are the rows of sized.def, the rule is
 * in tungsten/base.h.
 *
 *    struct tg_grid grid;
 *    result = tg_grid_take(&grid, given, diagnostics);
 */
#ifndef TG_UTIL_SIZED_H
#define TG_UTIL_SIZED_H

#include <stddef.h>

#include "tungsten/caps.h"
#include "tungsten/code_cache.h"
#include "tungsten/gpu.h"
#include "tungsten/maxwell.h"
#include "tungsten/profile.h"
#include "tungsten/tegra.h"

struct tg_sized {
   const char *name; /* "tg_grid" */
   const char *init; /* "TG_GRID_INIT" */
   size_t first;     /* bytes of the struct's first version */
   size_t size;      /* bytes of this library's */
};

/* Copies what there is of `given` over `whole`, which has the defaults and then
 * its own size. TG_ERROR_INPUT, with nothing copied, when the size of `given`
 * is none that this library knows. */
enum tg_result
tg_sized_take(const struct tg_sized *sized, void *whole, const void *given,
              struct tg_diagnostics *diagnostics);

/* Copies as much of `whole` to `given` as that has, which keeps its size.
 * TG_ERROR_INPUT likewise. */
enum tg_result
tg_sized_give(const struct tg_sized *sized, const void *whole, void *given);

/* Bytes of a struct that ends with a member, with the padding after it. */
#define TG_SIZED_UP_TO(type, member)                                           \
   ((offsetof(struct type, member) + sizeof(((struct type *)NULL)->member) +   \
     _Alignof(struct type) - 1) /                                              \
    _Alignof(struct type) * _Alignof(struct type))

/* tg_NAME_take(): `given` NULL takes the defaults. tg_NAME_give(). */
#define SIZED(type, last, init)                                                \
   _Static_assert(offsetof(struct type, size) == 0, "the size comes first");   \
   static const struct tg_sized type##_sized = {                               \
      #type, #init, TG_SIZED_UP_TO(type, last), sizeof(struct type)};          \
   static inline enum tg_result type##_take(                                   \
      struct type *whole, const struct type *given,                            \
      struct tg_diagnostics *diagnostics)                                      \
   {                                                                           \
      static const struct type usual = init;                                   \
      *whole = usual;                                                          \
      return given ? tg_sized_take(&type##_sized, whole, given, diagnostics)   \
                   : TG_OK;                                                    \
   }                                                                           \
   static inline enum tg_result type##_give(const struct type *whole,          \
                                            struct type *given)                \
   {                                                                           \
      return tg_sized_give(&type##_sized, whole, given);                       \
   }
#include "util/sized.def"

#endif
