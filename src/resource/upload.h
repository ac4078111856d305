/* SPDX-License-Identifier: MIT
 *
 * Suballocation, as by Gallium's upload manager: small pieces of memory, one
 * after the other in blocks, so that what is made for one draw and dropped by
 * another thread costs no call of the allocator.
 */
#ifndef TG_RESOURCE_UPLOAD_H
#define TG_RESOURCE_UPLOAD_H

#include "resource/block.h"

/* Of one thread. All zero at first. */
struct resource_upload {
   struct resource_block *block; /* that is being filled, or NULL */
   size_t used;                  /* bytes of it */
};

/* Suballocates so many bytes from an upload block, all zero, 16-byte aligned;
 * what is large gets a block of its own. It stays until the reference on its
 * block, which the caller gets, is dropped. NULL when out of memory. */
void *
resource_upload_alloc(struct resource_upload *upload,
                      const struct tg_allocator *allocator, size_t num_bytes,
                      struct resource_block **block_out);

/* Lets go of the upload block; its pieces stay. */
void
resource_upload_finish(struct resource_upload *upload);

#endif
