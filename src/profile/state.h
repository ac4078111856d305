/* SPDX-License-Identifier: MIT
 *
 * A profile in memory, for the files of this room. Each thread has a record,
 * found by its pthread_t. The stack of open spans is that thread's alone; sums
 * and spans that have ended are under the record's mutex, for which it competes
 * only with readers of results.
 */
#ifndef TG_PROFILE_STATE_H
#define TG_PROFILE_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "profile/profile.h"
#include "util/arena.h"

enum {
   PROFILE_MAX_SHADERS = 4096, /* more have no names, and count for 0 */
   PROFILE_MAX_DEPTH = 32,     /* spans in each other; deeper ones are lost */
   PROFILE_NUM_BUCKETS = 64,   /* of threads */
   PROFILE_FRAME = TG_NUM_PROFILE_STAGES, /* a mark among spans */
};

/* What is known of each stage. */
struct profile_stage {
   const char *name;    /* in traces */
   const char *title;   /* in tables */
   const char *thread;  /* name of threads whose first span is of it */
   bool is_wait;        /* nothing is done */
   bool is_compiling;   /* of the shader that it names */
   bool is_of_the_call; /* inherits draw and call of the enclosing span */
};

extern const struct profile_stage profile_stages[TG_NUM_PROFILE_STAGES];

/* One that has ended, or a frame, whose number is `draw`. Times are nanoseconds
 * of CLOCK_MONOTONIC. */
struct profile_span {
   uint64_t begin, end;
   uint64_t self; /* without spans within it */
   uint64_t draw, call;
   uint32_t shader;
   uint8_t stage; /* or PROFILE_FRAME */
};

struct profile_open_span {
   struct profile_span span;
   uint64_t inner; /* time of the spans within it, so far */
};

struct profile_sum {
   uint64_t spans, nanoseconds;
};

struct profile_shader_sum {
   struct profile_sum run;
   uint64_t compiling; /* nanoseconds */
};

struct profile_thread {
   pthread_t id;
   pid_t number; /* the kernel's */
   struct profile_thread *next_in_bucket;
   struct profile_thread *next; /* the one that came before it */

   uint32_t depth; /* of open spans, those that are lost too */
   struct profile_open_span open[PROFILE_MAX_DEPTH];

   pthread_mutex_t mutex; /* of all that follows */
   const char *title;     /* what it does; NULL: it has had no span */
   struct profile_sum stages[TG_NUM_PROFILE_STAGES];
   struct profile_shader_sum *shaders; /* by number, num_shaders of them */
   uint32_t num_shaders;
   uint64_t counters[PROFILE_NUM_COUNTERS];
   /* A ring, once it is as large as may be: num_kept of them, the newest at
    * (num_ended - 1) % capacity. */
   struct profile_span *spans;
   uint32_t capacity, num_kept;
   uint64_t num_ended; /* that were put in */
   uint64_t num_lost;
};

struct tg_profile {
   struct tg_allocator allocator;
   uint32_t max_spans;
   uint64_t begin; /* when it was created */
   _Atomic uint64_t num_draws, num_frames;
   struct profile_thread *_Atomic buckets[PROFILE_NUM_BUCKETS];
   pthread_mutex_t mutex;         /* of what follows, to change it */
   struct profile_thread *newest; /* of all threads */
   struct tg_arena arena;         /* of names */
   _Atomic uint32_t num_shaders;  /* [0] is no shader */
   const char *shaders[PROFILE_MAX_SHADERS];
};

/* The span of a thread that ended as number `index` of those that are kept, the
 * oldest first. Its mutex is held. */
static inline const struct profile_span *
profile_span_at(const struct profile_thread *thread, uint32_t index)
{
   return &thread->spans[(thread->num_ended - thread->num_kept + index) %
                         thread->capacity];
}

/* Sums over all threads; profile->mutex is held. */
struct profile_sums {
   struct profile_sum stages[TG_NUM_PROFILE_STAGES];
   uint64_t counters[PROFILE_NUM_COUNTERS];
   uint64_t num_lost;
};

void
profile_add_up(struct tg_profile *profile, struct profile_sums *sums_out);

/* profile_add_up() as the API gives it. */
struct tg_profile_counters
profile_counters(const struct tg_profile *profile,
                 const struct profile_sums *sums);

#endif
