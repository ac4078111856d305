/* SPDX-License-Identifier: MIT
 *
 * Atomic reference counts: how many owners an object has, in any threads. The
 * last one that lets go frees it.
 */
#ifndef TG_UTIL_REFCOUNT_H
#define TG_UTIL_REFCOUNT_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct tg_refcount {
   _Atomic uint32_t count;
};

/* The reference of who made it. */
#define TG_REFCOUNT_INIT                                                       \
   {                                                                           \
      1                                                                        \
   }

/* Adds an owner, beside one that there is. */
static inline void
tg_refcount_add(struct tg_refcount *refs)
{
   const uint32_t before =
      atomic_fetch_add_explicit(&refs->count, 1, memory_order_relaxed);

   assert(before > 0 && before < UINT32_MAX);
   (void)before;
}

/* Drops an owner. True: it was the last, and sees all that others did. */
static inline bool
tg_refcount_drop(struct tg_refcount *refs)
{
   const uint32_t before =
      atomic_fetch_sub_explicit(&refs->count, 1, memory_order_acq_rel);

   assert(before > 0);
   return before == 1;
}

/* Has it one owner, who may therefore change it? */
static inline bool
tg_refcount_is_one(const struct tg_refcount *refs)
{
   return atomic_load_explicit(&refs->count, memory_order_acquire) == 1;
}

#endif
