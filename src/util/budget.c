/* SPDX-License-Identifier: MIT
 *
 * Bytes are counted before they are asked for, so that several threads cannot
 * get past the bound together.
 */
#include "util/budget.h"

/* Counts more bytes, unless that would be too many. */
static bool
take(struct tg_budget *budget, uint64_t size)
{
   uint64_t held = atomic_load(&budget->held);

   do {
      if (held > budget->most || size > budget->most - held) {
         atomic_store(&budget->refused, true);
         return false;
      }
   } while (!atomic_compare_exchange_weak(&budget->held, &held, held + size));
   return true;
}

static void *
resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct tg_budget *budget = user;
   const size_t before = ptr ? old_size : 0;
   const size_t more = new_size > before ? new_size - before : 0;

   if (more && !take(budget, more))
      return NULL;
   void *moved =
      budget->below->resize(budget->below->user, ptr, old_size, new_size);
   if (new_size && !moved)
      atomic_fetch_sub(&budget->held, more);
   else if (new_size < before)
      atomic_fetch_sub(&budget->held, before - new_size);
   return moved;
}

void
tg_budget_init(struct tg_budget *budget, const struct tg_allocator *below,
               uint64_t most)
{
   *budget = (struct tg_budget){
      .allocator = {resize, budget},
      .below = below ? below : tg_default_allocator(),
      .most = most,
   };
}
