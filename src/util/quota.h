/* SPDX-License-Identifier: MIT
 *
 * A memory quota: an allocator over another one that counts the bytes in use
 * and refuses what would be too much, before it is asked for. Callers then
 * report TG_ERROR_MEMORY. Any thread may allocate from it and read the counts.
 *
 * A quota may be over a quota, as that of a client over that of its device: a
 * byte is counted by both, and has to be within both.
 */
#ifndef TG_UTIL_QUOTA_H
#define TG_UTIL_QUOTA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

struct tg_quota {
   struct tg_allocator allocator; /* to be handed out, also as a copy */
   const struct tg_allocator *below;
   uint64_t most;         /* bytes */
   _Atomic uint64_t held; /* bytes in use, and those just asked for */
   _Atomic uint64_t peak; /* of them, when something was granted */
   atomic_bool refused;   /* something, here and not below, since the start */
};

/* An allocator that counts and limits what it hands out. It must stay where it
 * is while memory from it is held, and `below` lives as long. `below` NULL
 * takes the default; `most` UINT64_MAX only counts. */
void
tg_quota_init(struct tg_quota *quota, const struct tg_allocator *below,
              uint64_t most);

/* The quota that an allocator is handed out by; NULL for any other one. */
struct tg_quota *
tg_quota_of(const struct tg_allocator *allocator);

/* tg_alloc_zeroed() of a quota. */
void *
tg_quota_alloc_zeroed(struct tg_quota *quota, size_t size);

#endif
