/* SPDX-License-Identifier: MIT
 *
 * Zeroed allocation.
 */
#ifndef TG_UTIL_MEMORY_H
#define TG_UTIL_MEMORY_H

#include <stddef.h>

#include "tungsten/base.h"

/* `size` bytes, at least one, all zero; NULL when out of memory. To be freed
 * through the allocator. From the default allocator, and quotas over it, large
 * memory costs nothing where it is never touched. */
void *
tg_alloc_zeroed(const struct tg_allocator *allocator, size_t size);

#endif
