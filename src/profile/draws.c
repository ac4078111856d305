/* SPDX-License-Identifier: MIT
 *
 * Sums by draw: a hash table by the number of the draw, with linear probing,
 * which becomes a sorted list in the end.
 */
#include "profile/draws.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ----------------------------------------------------------- */

/* The place of a draw, or the one where it would be: there is always one. */
static struct profile_draw *
find_place(const struct profile_draws *draws, uint64_t number)
{
   const size_t mask = draws->capacity - 1;
   size_t place = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;

   while (draws->draws[place].number && draws->draws[place].number != number)
      place = (place + 1) & mask;
   return &draws->draws[place];
}

static bool
allocate(struct profile_draws *draws, size_t capacity)
{
   const size_t size = capacity * sizeof(*draws->draws);

   draws->draws =
      draws->allocator->resize(draws->allocator->user, NULL, 0, size);
   if (!draws->draws)
      return false;
   memset(draws->draws, 0, size);
   draws->capacity = capacity;
   return true;
}

/* Makes room for one more: half of the table stays free. */
static bool
reserve(struct profile_draws *draws)
{
   enum { FIRST = 256 };
   struct profile_draws old = *draws;

   if (draws->count * 2 < draws->capacity)
      return true;
   if (!allocate(draws, old.capacity ? old.capacity * 2 : FIRST)) {
      *draws = old;
      return false;
   }
   for (size_t i = 0; i < old.capacity; i++) {
      if (old.draws[i].number)
         *find_place(draws, old.draws[i].number) = old.draws[i];
   }
   profile_draws_finish(&old);
   return true;
}

void
profile_draws_finish(struct profile_draws *draws)
{
   if (draws->draws)
      draws->allocator->resize(draws->allocator->user, draws->draws,
                               draws->capacity * sizeof(*draws->draws), 0);
   draws->draws = NULL;
   draws->count = draws->capacity = 0;
}

/* ---- spans --------------------------------------------------------------- */

static bool
is_work_of_draw(const struct profile_span *span)
{
   return span->stage != PROFILE_FRAME && span->draw &&
          !profile_stages[span->stage].is_wait;
}

static void
add_to(struct profile_draw *draw, const struct profile_span *span)
{
   draw->total += span->self;
   if (profile_stages[span->stage].is_compiling)
      draw->compiling += span->self;
   switch (span->stage) {
   case TG_PROFILE_VERTEX:
      draw->first_shader = span->shader;
      draw->geometry += span->self;
      break;
   case TG_PROFILE_TESSELLATION:
   case TG_PROFILE_GEOMETRY: draw->geometry += span->self; break;
   case TG_PROFILE_SETUP: draw->setup += span->self; break;
   case TG_PROFILE_FRAGMENT:
      draw->last_shader = span->shader;
      draw->fragments += span->self;
      break;
   default: break;
   }
}

static bool
add_span(struct profile_draws *draws, const struct profile_span *span)
{
   if (!is_work_of_draw(span))
      return true;
   if (!reserve(draws))
      return false;
   struct profile_draw *draw = find_place(draws, span->draw);
   draws->count += !draw->number;
   draw->number = span->draw;
   add_to(draw, span);
   return true;
}

static bool
add_thread(struct profile_draws *draws, struct profile_thread *thread)
{
   bool is_good = true;

   pthread_mutex_lock(&thread->mutex);
   for (uint32_t i = 0; i < thread->num_kept && is_good; i++)
      is_good = add_span(draws, profile_span_at(thread, i));
   pthread_mutex_unlock(&thread->mutex);
   return is_good;
}

/* ---- the list ------------------------------------------------------------ */

/* The longest first, of several the one that came first; free places last. */
static int
compare(const void *a, const void *b)
{
   const struct profile_draw *first = a, *second = b;

   if (!first->number || !second->number)
      return !first->number - !second->number;
   if (first->total != second->total)
      return first->total < second->total ? 1 : -1;
   return first->number < second->number ? -1 : first->number > second->number;
}

bool
profile_find_draws(const struct tg_profile *profile,
                   struct profile_draws *draws)
{
   bool is_good = true;

   for (struct profile_thread *thread = profile->newest; thread && is_good;
        thread = thread->next)
      is_good = add_thread(draws, thread);
   if (is_good && draws->draws)
      qsort(draws->draws, draws->capacity, sizeof(*draws->draws), compare);
   return is_good;
}
