/* SPDX-License-Identifier: MIT
 *
 * Handle tables: handles that a client chose, and what they stand for: a hash
 * table with a bound. Handle 0 stands for nothing, and cannot be added.
 */
#ifndef VIRGL_CORE_HANDLES_H
#define VIRGL_CORE_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "tungsten/base.h"

struct virgl_handle {
   uint32_t number; /* 0: this place is free */
   uint32_t type;   /* the owner's */
   void *thing;
};

/* All zero but the allocator, which may be NULL: empty. */
struct virgl_handles {
   const struct tg_allocator *allocator;
   struct virgl_handle *places;
   uint32_t num_places; /* a power of two, or 0 */
   uint32_t count;
};

/* The entry of a handle, NULL where there is none. Good until the table is
 * changed. */
struct virgl_handle *
virgl_handles_find(const struct virgl_handles *handles, uint32_t number);

/* Adds a handle that is not there yet. False: no memory. */
bool
virgl_handles_add(struct virgl_handles *handles, uint32_t number, uint32_t type,
                  void *thing);

/* Removes what virgl_handles_find() gave. */
void
virgl_handles_remove(struct virgl_handles *handles,
                     struct virgl_handle *handle);

/* Empties the table and frees it; what was in it is the caller's to end. */
void
virgl_handles_finish(struct virgl_handles *handles);

#endif
