/* SPDX-License-Identifier: MIT
 *
 * Spans of a profile, as rooms of the library record them. Where there is no
 * profile a span costs a branch.
 */
#ifndef TG_PROFILE_H
#define TG_PROFILE_H

#include "tungsten/profile.h"

/* What a span is of; zero where there is no such thing. */
struct profile_subject {
   uint64_t draw;   /* profile_next_draw() */
   uint64_t call;   /* its number, as messages say it */
   uint32_t shader; /* profile_shader() */
};

void
profile_begin_span(struct tg_profile *profile, enum tg_profile_stage stage,
                   struct profile_subject subject);
void
profile_end_span(struct tg_profile *profile);

/* Begins and ends a span of the calling thread. `profile` NULL: nothing. */
static inline void
profile_begin(struct tg_profile *profile, enum tg_profile_stage stage,
              struct profile_subject subject)
{
   if (__builtin_expect(profile != NULL, false))
      profile_begin_span(profile, stage, subject);
}

static inline void
profile_end(struct tg_profile *profile)
{
   if (__builtin_expect(profile != NULL, false))
      profile_end_span(profile);
}

/* The number of a draw that is called now; 0 with NULL. */
uint64_t
profile_next_draw(struct tg_profile *profile);

/* The number of what has a title, "FRAG shader 7"; the same for the same. 0,
 * which is none, without a profile, when out of memory, and where there are too
 * many. */
uint32_t
profile_shader(struct tg_profile *profile, const char *title);

enum profile_counter {
   PROFILE_KERNELS_MADE,
   PROFILE_KERNELS_FOUND,
   PROFILE_CODE_MADE,
   PROFILE_CODE_LOADED,
   PROFILE_CODE_SHARED,
   PROFILE_NUM_COUNTERS,
};

/* Adds one. `profile` NULL: nothing. */
void
profile_count_in_span(struct tg_profile *profile, enum profile_counter counter);

#endif
