/* SPDX-License-Identifier: MIT
 *
 * Lifetime of profiles, threads, shaders, and sums.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "profile/state.h"
#include "util/clock.h"
#include "util/controls.h"
#include "util/length.h"
#include "util/memory.h"
#include "util/sized.h"

/* ---- lifetime ------------------------------------------------------------ */

enum tg_result
tg_profile_create(const struct tg_allocator *allocator,
                  const struct tg_profile_options *given,
                  struct tg_profile **profile_out)
{
   assert(profile_out);
   struct tg_profile_options options;
   const enum tg_result result = tg_profile_options_take(&options, given, NULL);

   if (result != TG_OK)
      return result;
   if (!allocator)
      allocator = tg_default_allocator();
   struct tg_profile *profile = tg_alloc_zeroed(allocator, sizeof(*profile));
   if (!profile)
      return TG_ERROR_MEMORY;
   profile->allocator = *allocator;
   profile->max_spans =
      options.max_spans ? options.max_spans : TG_PROFILE_USUAL_SPANS;
   profile->begin = tg_clock_now();
   atomic_init(&profile->num_shaders, 1);
   pthread_mutex_init(&profile->mutex, NULL);
   tg_arena_init(&profile->arena, &profile->allocator);
   *profile_out = profile;
   return TG_OK;
}

static void
release(const struct tg_profile *profile, void *memory, size_t size)
{
   const struct tg_allocator *allocator = &profile->allocator;

   if (memory)
      allocator->resize(allocator->user, memory, size, 0);
}

static void
destroy_thread(const struct tg_profile *profile, struct profile_thread *thread)
{
   release(profile, thread->spans, thread->capacity * sizeof(*thread->spans));
   release(profile, thread->shaders,
           thread->num_shaders * sizeof(*thread->shaders));
   pthread_mutex_destroy(&thread->mutex);
   release(profile, thread, sizeof(*thread));
}

void
tg_profile_destroy(struct tg_profile *profile)
{
   if (!profile)
      return;
   const struct tg_allocator allocator = profile->allocator;

   for (struct profile_thread *thread = profile->newest, *next; thread;
        thread = next) {
      next = thread->next;
      destroy_thread(profile, thread);
   }
   tg_arena_finish(&profile->arena);
   pthread_mutex_destroy(&profile->mutex);
   allocator.resize(allocator.user, profile, sizeof(*profile), 0);
}

/* ---- draws and frames ---------------------------------------------------- */

uint64_t
profile_next_draw(struct tg_profile *profile)
{
   return profile ? atomic_fetch_add(&profile->num_draws, 1) + 1 : 0;
}

void
tg_profile_number_draw(struct tg_profile *profile, uint64_t number)
{
   if (profile && number)
      atomic_store(&profile->num_draws, number - 1);
}

/* ---- shaders ------------------------------------------------------------- */

enum { MAX_TITLE = 128 };

static void
clean(const char *title, char cleaned[MAX_TITLE])
{
   snprintf(cleaned, MAX_TITLE, "%s", title);
   tg_hide_controls(cleaned, strlen(cleaned), TG_CONTROLS_NONE);
}

static uint32_t
find_shader(const struct tg_profile *profile, const char *title)
{
   const uint32_t count = atomic_load(&profile->num_shaders);

   for (uint32_t i = 1; i < count; i++) {
      if (strcmp(profile->shaders[i], title) == 0)
         return i;
   }
   return 0;
}

/* The mutex is held. */
static uint32_t
add_shader(struct tg_profile *profile, const char *title)
{
   const uint32_t number = atomic_load(&profile->num_shaders);
   const char *copy =
      number < PROFILE_MAX_SHADERS
         ? tg_arena_strndup(&profile->arena, title, strlen(title))
         : NULL;

   if (!copy)
      return 0;
   profile->shaders[number] = copy;
   atomic_store(&profile->num_shaders, number + 1);
   return number;
}

uint32_t
profile_shader(struct tg_profile *profile, const char *given)
{
   char title[MAX_TITLE];

   if (!profile)
      return 0;
   clean(given, title);
   pthread_mutex_lock(&profile->mutex);
   uint32_t number = find_shader(profile, title);
   if (!number)
      number = add_shader(profile, title);
   pthread_mutex_unlock(&profile->mutex);
   return number;
}

/* ---- sums ---------------------------------------------------------------- */

static void
add_thread(struct profile_sums *sums, struct profile_thread *thread)
{
   pthread_mutex_lock(&thread->mutex);
   for (unsigned i = 0; i < TG_NUM_PROFILE_STAGES; i++) {
      sums->stages[i].spans += thread->stages[i].spans;
      sums->stages[i].nanoseconds += thread->stages[i].nanoseconds;
   }
   for (unsigned i = 0; i < PROFILE_NUM_COUNTERS; i++)
      sums->counters[i] += thread->counters[i];
   sums->num_lost += thread->num_lost;
   pthread_mutex_unlock(&thread->mutex);
}

void
profile_add_up(struct tg_profile *profile, struct profile_sums *sums_out)
{
   *sums_out = (struct profile_sums){0};
   for (struct profile_thread *thread = profile->newest; thread;
        thread = thread->next)
      add_thread(sums_out, thread);
}

struct tg_profile_counters
profile_counters(const struct tg_profile *profile,
                 const struct profile_sums *sums)
{
   return (struct tg_profile_counters){
      .size = sizeof(struct tg_profile_counters),
      .seconds = 1e-9 * (double)(tg_clock_now() - profile->begin),
      .draws = atomic_load(&profile->num_draws),
      .frames = atomic_load(&profile->num_frames),
      .spans_lost = sums->num_lost,
      .kernels_made = sums->counters[PROFILE_KERNELS_MADE],
      .kernels_found = sums->counters[PROFILE_KERNELS_FOUND],
      .code_made = sums->counters[PROFILE_CODE_MADE],
      .code_loaded = sums->counters[PROFILE_CODE_LOADED],
      .code_shared = sums->counters[PROFILE_CODE_SHARED],
   };
}

static struct profile_sums
add_up_now(struct tg_profile *profile)
{
   struct profile_sums sums;

   pthread_mutex_lock(&profile->mutex);
   profile_add_up(profile, &sums);
   pthread_mutex_unlock(&profile->mutex);
   return sums;
}

enum tg_result
tg_profile_get_total(struct tg_profile *profile, enum tg_profile_stage stage,
                     struct tg_profile_total *total_out)
{
   assert(profile);
   assert(total_out);
   const struct profile_sums sums = add_up_now(profile);

   if ((unsigned)stage >= TG_LENGTH(sums.stages))
      return TG_ERROR_INPUT;
   const struct tg_profile_total total = {
      .spans = sums.stages[stage].spans,
      .seconds = 1e-9 * (double)sums.stages[stage].nanoseconds,
   };
   return tg_profile_total_give(&total, total_out);
}

enum tg_result
tg_profile_get_counters(struct tg_profile *profile,
                        struct tg_profile_counters *counters_out)
{
   assert(profile);
   assert(counters_out);
   const struct profile_sums sums = add_up_now(profile);
   const struct tg_profile_counters counters = profile_counters(profile, &sums);

   return tg_profile_counters_give(&counters, counters_out);
}
