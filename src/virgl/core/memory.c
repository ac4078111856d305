/* SPDX-License-Identifier: MIT
 *
 * Memory of a host, from the device's allocator.
 */
#include "virgl/core/memory.h"

#include "util/memory.h"
#include "virgl/core/host.h"

void *
virgl_alloc(struct virgl_host *host, size_t size)
{
   return tg_alloc_zeroed(host->allocator, size);
}

void
virgl_free(struct virgl_host *host, void *memory, size_t size)
{
   host->allocator->resize(host->allocator->user, memory, size, 0);
}
