/* SPDX-License-Identifier: MIT
 *
 * Bytes are counted before they are asked for, so that several threads cannot
 * get past the bound together.
 */
#include "util/quota.h"

/* Counts more bytes, unless that would be too many. */
static bool
take(struct tg_quota *quota, uint64_t size)
{
   uint64_t held = atomic_load(&quota->held);

   do {
      if (held > quota->most || size > quota->most - held) {
         atomic_store(&quota->refused, true);
         return false;
      }
   } while (!atomic_compare_exchange_weak(&quota->held, &held, held + size));
   return true;
}

static void *
resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct tg_quota *quota = user;
   const size_t before = ptr ? old_size : 0;
   const size_t more = new_size > before ? new_size - before : 0;

   if (more && !take(quota, more))
      return NULL;
   void *moved =
      quota->below->resize(quota->below->user, ptr, old_size, new_size);
   if (new_size && !moved)
      atomic_fetch_sub(&quota->held, more);
   else if (new_size < before)
      atomic_fetch_sub(&quota->held, before - new_size);
   return moved;
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
