/* SPDX-License-Identifier: MIT
 *
 * Checked arithmetic: sizes that come from outside are added and multiplied
 * here, so that none wraps. True and the result, or false and no result.
 */
#ifndef TG_UTIL_CHECKED_H
#define TG_UTIL_CHECKED_H

#include <stdbool.h>
#include <stddef.h>

static inline bool
tg_add_size(size_t a, size_t b, size_t *out)
{
   return !__builtin_add_overflow(a, b, out);
}

static inline bool
tg_mul_size(size_t a, size_t b, size_t *out)
{
   return !__builtin_mul_overflow(a, b, out);
}

#endif
