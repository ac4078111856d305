/* SPDX-License-Identifier: MIT
 *
 * Memory of a host.
 */
#ifndef VIRGL_CORE_MEMORY_H
#define VIRGL_CORE_MEMORY_H

#include <stddef.h>

struct virgl_host;

/* Zeroed memory; NULL when there is none. */
void *
virgl_alloc(struct virgl_host *host, size_t size);

/* Frees memory that was allocated with this size. */
void
virgl_free(struct virgl_host *host, void *memory, size_t size);

#endif
