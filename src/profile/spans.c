/* SPDX-License-Identifier: MIT
 *
 * Recording: spans of the calling thread, from their begin to the sums and the
 * ring of its record.
 */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "profile/state.h"
#include "util/clock.h"
#include "util/length.h"
#include "util/memory.h"

/* ---- threads ------------------------------------------------------------- */

static struct profile_thread *_Atomic *
find_bucket(struct tg_profile *profile, pthread_t id)
{
   const uint64_t hash = (uint64_t)id * UINT64_C(0x9e3779b97f4a7c15);

   return &profile->buckets[hash >> 32 & (PROFILE_NUM_BUCKETS - 1)];
}

/* NULL when out of memory. */
static struct profile_thread *
add_thread(struct tg_profile *profile, pthread_t id)
{
   struct profile_thread *_Atomic *bucket = find_bucket(profile, id);
   struct profile_thread *thread =
      tg_alloc_zeroed(&profile->allocator, sizeof(*thread));

   if (!thread)
      return NULL;
   thread->id = id;
   thread->number = gettid();
   pthread_mutex_init(&thread->mutex, NULL);
   pthread_mutex_lock(&profile->mutex);
   thread->next = profile->newest;
   profile->newest = thread;
   thread->next_in_bucket = atomic_load(bucket);
   atomic_store_explicit(bucket, thread, memory_order_release);
   pthread_mutex_unlock(&profile->mutex);
   return thread;
}

/* The record of the calling thread. One that has ended may have left it. */
static struct profile_thread *
find_thread(struct tg_profile *profile)
{
   const pthread_t id = pthread_self();
   struct profile_thread *thread =
      atomic_load_explicit(find_bucket(profile, id), memory_order_acquire);

   while (thread && !pthread_equal(thread->id, id))
      thread = thread->next_in_bucket;
   return thread ? thread : add_thread(profile, id);
}

/* ---- the ring ------------------------------------------------------------ */

/* Twice as much, up to what may be kept; false where there is no more. */
static bool
grow(const struct tg_profile *profile, struct profile_thread *thread)
{
   enum { FIRST = 256 };
   const struct tg_allocator *allocator = &profile->allocator;
   const size_t size = sizeof(*thread->spans);
   uint64_t capacity =
      thread->capacity ? thread->capacity * UINT64_C(2) : FIRST;

   if (capacity > profile->max_spans)
      capacity = profile->max_spans;
   if (thread->num_ended != thread->capacity || capacity == thread->capacity)
      return false;
   void *spans =
      allocator->resize(allocator->user, thread->spans, thread->capacity * size,
                        (size_t)capacity * size);
   if (!spans)
      return false;
   thread->spans = spans;
   thread->capacity = (uint32_t)capacity;
   return true;
}

/* The thread's mutex is held. */
static void
keep(const struct tg_profile *profile, struct profile_thread *thread,
     const struct profile_span *span)
{
   if (thread->num_kept < thread->capacity || grow(profile, thread))
      thread->num_kept++;
   else
      thread->num_lost++;
   if (thread->capacity)
      thread->spans[thread->num_ended++ % thread->capacity] = *span;
}

/* ---- sums ---------------------------------------------------------------- */

static struct profile_shader_sum *
find_shader_sum(const struct tg_profile *profile, struct profile_thread *thread,
                uint32_t shader)
{
   const struct tg_allocator *allocator = &profile->allocator;
   const size_t size = sizeof(*thread->shaders);

   if (shader < thread->num_shaders)
      return &thread->shaders[shader];
   const uint32_t count = atomic_load(&profile->num_shaders);
   assert(shader < count);
   struct profile_shader_sum *shaders =
      allocator->resize(allocator->user, thread->shaders,
                        thread->num_shaders * size, count * size);
   if (!shaders)
      return NULL;
   memset(shaders + thread->num_shaders, 0,
          (count - thread->num_shaders) * size);
   thread->shaders = shaders;
   thread->num_shaders = count;
   return &shaders[shader];
}

static void
add_to_shader(const struct tg_profile *profile, struct profile_thread *thread,
              const struct profile_span *span)
{
   struct profile_shader_sum *sum =
      find_shader_sum(profile, thread, span->shader);

   if (!sum)
      return;
   if (profile_stages[span->stage].is_compiling) {
      sum->compiling += span->self;
      return;
   }
   sum->run.spans++;
   sum->run.nanoseconds += span->self;
}

static void
add(const struct tg_profile *profile, struct profile_thread *thread,
    const struct profile_span *span)
{
   assert(span->stage < TG_LENGTH(thread->stages));
   pthread_mutex_lock(&thread->mutex);
   thread->stages[span->stage].spans++;
   thread->stages[span->stage].nanoseconds += span->self;
   if (span->shader)
      add_to_shader(profile, thread, span);
   keep(profile, thread, span);
   pthread_mutex_unlock(&thread->mutex);
}

/* ---- spans --------------------------------------------------------------- */

/* Draw and call of the enclosing span, for stages that inherit them. */
static struct profile_subject
complete(const struct profile_thread *thread, enum tg_profile_stage stage,
         struct profile_subject subject)
{
   if (!profile_stages[stage].is_of_the_call || thread->depth == 0)
      return subject;
   const struct profile_span *outer = &thread->open[thread->depth - 1].span;
   subject.draw = outer->draw;
   subject.call = outer->call;
   return subject;
}

/* A thread is named for the stage of its first span. */
static void
set_title(struct profile_thread *thread, const char *title)
{
   pthread_mutex_lock(&thread->mutex);
   thread->title = title;
   pthread_mutex_unlock(&thread->mutex);
}

void
profile_begin_span(struct tg_profile *profile, enum tg_profile_stage stage,
                   struct profile_subject subject)
{
   struct profile_thread *thread = find_thread(profile);

   assert((unsigned)stage < TG_NUM_PROFILE_STAGES);
   if (!thread)
      return;
   if (thread->depth >= PROFILE_MAX_DEPTH) {
      thread->depth++;
      return;
   }
   if (!thread->title)
      set_title(thread, profile_stages[stage].thread);
   subject = complete(thread, stage, subject);
   thread->open[thread->depth++] = (struct profile_open_span){
      .span =
         {
            .begin = tg_clock_now(),
            .draw = subject.draw,
            .call = subject.call,
            .shader = subject.shader,
            .stage = (uint8_t)stage,
         },
   };
}

static void
lose(struct profile_thread *thread)
{
   pthread_mutex_lock(&thread->mutex);
   thread->num_lost++;
   pthread_mutex_unlock(&thread->mutex);
}

void
profile_end_span(struct tg_profile *profile)
{
   struct profile_thread *thread = find_thread(profile);

   if (!thread || thread->depth == 0)
      return; /* there was no memory for the thread when it began */
   if (thread->depth-- > PROFILE_MAX_DEPTH) {
      lose(thread);
      return;
   }
   struct profile_open_span *open = &thread->open[thread->depth];
   struct profile_span *span = &open->span;
   span->end = tg_clock_now();
   span->self = span->end - span->begin - open->inner;
   if (thread->depth > 0)
      thread->open[thread->depth - 1].inner += span->end - span->begin;
   add(profile, thread, span);
}

void
tg_profile_begin(struct tg_profile *profile, enum tg_profile_stage stage)
{
   assert((unsigned)stage < TG_NUM_PROFILE_STAGES);
   profile_begin(profile, stage, (struct profile_subject){0});
}

void
tg_profile_end(struct tg_profile *profile)
{
   profile_end(profile);
}

/* ---- marks and counters -------------------------------------------------- */

void
tg_profile_mark_frame(struct tg_profile *profile)
{
   struct profile_thread *thread = profile ? find_thread(profile) : NULL;

   if (!thread)
      return;
   const uint64_t now = tg_clock_now();
   const struct profile_span mark = {
      .begin = now,
      .end = now,
      .draw = atomic_fetch_add(&profile->num_frames, 1),
      .stage = PROFILE_FRAME,
   };
   pthread_mutex_lock(&thread->mutex);
   keep(profile, thread, &mark);
   pthread_mutex_unlock(&thread->mutex);
}

void
profile_count_in_span(struct tg_profile *profile, enum profile_counter counter)
{
   struct profile_thread *thread = profile ? find_thread(profile) : NULL;

   assert(counter < PROFILE_NUM_COUNTERS);
   if (!thread)
      return;
   pthread_mutex_lock(&thread->mutex);
   thread->counters[counter]++;
   pthread_mutex_unlock(&thread->mutex);
}
