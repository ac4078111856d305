/* SPDX-License-Identifier: MIT
 *
 * A bound on memory: an allocator in front of another one that counts what is
 * held and refuses what would be too much, before it is asked for. Threads may
 * share one.
 */
#ifndef TG_UTIL_QUOTA_H
#define TG_UTIL_QUOTA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tungsten/base.h"

struct tg_quota {
   struct tg_allocator allocator; /* to be handed out */
   const struct tg_allocator *below;
   uint64_t most; /* bytes */
   _Atomic uint64_t held;
   atomic_bool refused; /* something, since the start */
};

/* It must stay where it is while memory from it is held. `below` NULL takes
 * the default. */
void
tg_quota_init(struct tg_quota *quota, const struct tg_allocator *below,
              uint64_t most);

#endif
