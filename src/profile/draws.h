/* SPDX-License-Identifier: MIT
 *
 * What draws took, from the spans that were kept.
 */
#ifndef TG_PROFILE_DRAWS_H
#define TG_PROFILE_DRAWS_H

#include "profile/state.h"

/* Nanoseconds of all threads together. */
struct profile_draw {
   uint64_t number;
   uint64_t total, geometry, setup, fragments, compiling;
   uint32_t first_shader, last_shader; /* the vertex and the fragment shader */
};

/* Zero but for the allocator: none. */
struct profile_draws {
   const struct tg_allocator *allocator;
   struct profile_draw *draws;
   size_t count, capacity;
};

/* Finds all draws, those that took longest first. False when out of memory.
 * profile->mutex is held. */
bool
profile_find_draws(const struct tg_profile *profile,
                   struct profile_draws *draws);

void
profile_draws_finish(struct profile_draws *draws);

#endif
