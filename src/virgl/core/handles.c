/* SPDX-License-Identifier: MIT
 *
 * Handle tables: open addressing with linear probing. What is removed makes
 * room for those after it, so that a search ends at the first free place.
 */
#include "virgl/core/handles.h"

#include <assert.h>

#include "util/memory.h"

enum { FIRST_PLACES = 64 };

/* Where a search begins. */
static uint32_t
home_of(const struct virgl_handles *handles, uint32_t number)
{
   assert(handles->num_places &&
          !(handles->num_places & (handles->num_places - 1)));
   uint32_t hash = number * UINT32_C(0x9e3779b1);

   hash = (hash ^ hash >> 15) * UINT32_C(0x85ebca77);
   return (hash ^ hash >> 13) & (handles->num_places - 1);
}

/* The place of a handle, or the free one that would be its. */
static uint32_t
place_of(const struct virgl_handles *handles, uint32_t number)
{
   uint32_t i = home_of(handles, number);

   while (handles->places[i].number && handles->places[i].number != number)
      i = (i + 1) & (handles->num_places - 1);
   return i;
}

struct virgl_handle *
virgl_handles_find(const struct virgl_handles *handles, uint32_t number)
{
   if (!number || !handles->count)
      return NULL;
   struct virgl_handle *handle = &handles->places[place_of(handles, number)];
   return handle->number ? handle : NULL;
}

static void
release_places(const struct tg_allocator *allocator,
               struct virgl_handle *places, uint32_t num_places)
{
   if (places)
      allocator->resize(allocator->user, places, num_places * sizeof(*places),
                        0);
}

/* To twice as many places. */
static bool
grow(struct virgl_handles *handles)
{
   const struct tg_allocator *allocator =
      handles->allocator ? handles->allocator : tg_default_allocator();
   struct virgl_handles grown = *handles;
   grown.allocator = allocator;
   grown.num_places =
      handles->num_places ? handles->num_places * 2 : FIRST_PLACES;
   grown.places =
      tg_alloc_zeroed(allocator, grown.num_places * sizeof(*grown.places));
   if (!grown.places)
      return false;
   for (uint32_t i = 0; i < handles->num_places; i++) {
      const struct virgl_handle *handle = &handles->places[i];

      if (handle->number)
         grown.places[place_of(&grown, handle->number)] = *handle;
   }
   release_places(allocator, handles->places, handles->num_places);
   *handles = grown;
   return true;
}

bool
virgl_handles_add(struct virgl_handles *handles, uint32_t number, uint32_t type,
                  void *thing)
{
   assert(number);
   assert(!virgl_handles_find(handles, number));
   if (handles->count >= handles->num_places / 2 && !grow(handles))
      return false;
   handles->places[place_of(handles, number)] =
      (struct virgl_handle){number, type, thing};
   handles->count++;
   return true;
}

void
virgl_handles_remove(struct virgl_handles *handles, struct virgl_handle *handle)
{
   const uint32_t mask = handles->num_places - 1;
   uint32_t gap = (uint32_t)(handle - handles->places);

   handles->places[gap].number = 0;
   handles->count--;
   for (uint32_t i = (gap + 1) & mask; handles->places[i].number;
        i = (i + 1) & mask) {
      /* One whose search would pass the gap fills it. */
      const uint32_t home = home_of(handles, handles->places[i].number);
      if (((i - home) & mask) < ((i - gap) & mask))
         continue;
      handles->places[gap] = handles->places[i];
      handles->places[i].number = 0;
      gap = i;
   }
}

void
virgl_handles_finish(struct virgl_handles *handles)
{
   release_places(handles->allocator, handles->places, handles->num_places);
   *handles = (struct virgl_handles){.allocator = handles->allocator};
}
