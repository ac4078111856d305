/* SPDX-License-Identifier: MIT
 *
 * Segregated free lists: an allocator over another one that keeps large pieces
 * of memory that are freed, by size class, for whoever asks next. What was
 * touched need not be touched again, which is most of what large memory costs.
 */
#ifndef TG_UTIL_RECYCLE_H
#define TG_UTIL_RECYCLE_H

#include <pthread.h>

#include "tungsten/base.h"

/* Pieces from 2^12 to 2^26 bytes, in four classes from one power of two to the
 * next. Others come from below as they are. */
enum {
   TG_RECYCLER_MIN_BITS = 12,
   TG_RECYCLER_MAX_BITS = 26,
   TG_RECYCLER_CLASSES = (TG_RECYCLER_MAX_BITS - TG_RECYCLER_MIN_BITS) * 4 + 1,
};

struct tg_recycled;

struct tg_recycler {
   struct tg_allocator allocator; /* for any thread */
   const struct tg_allocator *below;
   size_t most_kept;      /* bytes that are kept at most */
   pthread_mutex_t mutex; /* of what follows */
   size_t kept;
   struct tg_recycled *classes[TG_RECYCLER_CLASSES];
};

/* An allocator that keeps nothing yet. */
void
tg_recycler_init(struct tg_recycler *recycler, const struct tg_allocator *below,
                 size_t most_kept);

/* Frees what is kept. All pieces have been freed. */
void
tg_recycler_finish(struct tg_recycler *recycler);

#endif
