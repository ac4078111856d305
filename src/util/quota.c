/* SPDX-License-Identifier: MIT
 *
 * Accounting of memory quotas. Bytes are counted before they are asked for, so
 * that several threads cannot get past the bound together, and given back where
 * the allocator below refuses them.
 */
#include "util/quota.h"

#include <assert.h>

#include "util/memory.h"

/* Counts more bytes, unless that would be too many. */
static bool
take(struct tg_quota *quota, uint64_t size, uint64_t *held_out)
{
   uint64_t held = atomic_load(&quota->held);

   do {
      if (held > quota->most || size > quota->most - held) {
         atomic_store(&quota->refused, true);
         return false;
      }
   } while (!atomic_compare_exchange_weak(&quota->held, &held, held + size));
   *held_out = held + size;
   return true;
}

static void
give_back(struct tg_quota *quota, uint64_t size)
{
   const uint64_t held = atomic_fetch_sub(&quota->held, size);

   assert(size <= held);
   (void)held;
}

/* What was taken was granted: so much was held. */
static void
raise_peak(struct tg_quota *quota, uint64_t held)
{
   uint64_t peak = atomic_load_explicit(&quota->peak, memory_order_relaxed);

   while (peak < held &&
          !atomic_compare_exchange_weak(&quota->peak, &peak, held))
      continue;
}

static void *
grow(struct tg_quota *quota, void *ptr, size_t old_size, size_t new_size)
{
   const struct tg_allocator *below = quota->below;
   uint64_t held;

   if (!take(quota, new_size - old_size, &held))
      return NULL;
   void *moved = below->resize(below->user, ptr, old_size, new_size);
   if (moved)
      raise_peak(quota, held);
   else
      give_back(quota, new_size - old_size);
   return moved;
}

/* Also to nothing. What cannot be moved stays as large as it was. */
static void *
shrink(struct tg_quota *quota, void *ptr, size_t old_size, size_t new_size)
{
   const struct tg_allocator *below = quota->below;
   void *moved = below->resize(below->user, ptr, old_size, new_size);

   if (moved || new_size == 0)
      give_back(quota, old_size - new_size);
   return moved;
}

static void *
resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
   const size_t held = ptr ? old_size : 0;

   return new_size > held ? grow(user, ptr, held, new_size)
                          : shrink(user, ptr, held, new_size);
}

void
tg_quota_init(struct tg_quota *quota, const struct tg_allocator *below,
              uint64_t most)
{
   *quota = (struct tg_quota){
      .allocator = {resize, quota},
      .below = below ? below : tg_default_allocator(),
      .most = most,
   };
}

struct tg_quota *
tg_quota_of(const struct tg_allocator *allocator)
{
   return allocator->resize == resize ? allocator->user : NULL;
}

void *
tg_quota_alloc_zeroed(struct tg_quota *quota, size_t size)
{
   uint64_t held;

   if (!take(quota, size, &held))
      return NULL;
   void *memory = tg_alloc_zeroed(quota->below, size);
   if (memory)
      raise_peak(quota, held);
   else
      give_back(quota, size);
   return memory;
}
