/* SPDX-License-Identifier: MIT
 *
 * Resources of a client: one of Tungsten's, and the memory that is shared.
 */
#ifndef VIRGL_RESOURCE_H
#define VIRGL_RESOURCE_H

#include "virgl/core/call.h"

struct virgl_resource {
   struct tg_resource *resource; /* a reference */
   struct virgl_resource_desc desc;
   struct virgl_memory memory; /* address NULL: there is none */
   /* It lives in that memory, and releases it: what is drawn need not be copied
    * to be read back. */
   bool is_in_place;
   uint64_t num_submits; /* of the host's, before it was made */
};

/* The resource of a handle, NULL for a handle that stands for nothing. Good
 * until it is destroyed. */
struct virgl_resource *
virgl_find_resource(const struct virgl_host *host, uint32_t handle);

/* The resource of a handle which a command names; no reference is added. 0
 * gives NULL, and one that there is not is refused, with NULL. */
enum tg_result
virgl_get_resource(const struct virgl_call *call, uint32_t handle,
                   struct tg_resource **resource_out);

/* Copies a resource that lives in its shared memory, after all work on it, to
 * memory that is not shared, in which it stays. Others stay where they are. To
 * be called before a transfer to it: what the client writes to the memory
 * meanwhile is not to be seen by draws that came before the transfer, and not
 * to be drawn over by them. TG_ERROR_MEMORY. */
enum tg_result
virgl_resource_leave_shared(struct virgl_host *host,
                            struct virgl_resource *resource);

/* Writes words at the start of a resource, and of the memory that is shared
 * with the client, the first one last. Of a handle that is none, or has less
 * memory, nothing. */
void
virgl_resource_write_shared(struct virgl_host *host, uint32_t handle,
                            const void *words, uint32_t num_bytes);

/* Transfers of commands: from and to shared memory, that of the resource itself
 * for NULL, and from the words of a command. */
enum tg_result
virgl_transfer_put_shared(struct virgl_host *host,
                          const struct virgl_transfer *transfer,
                          const struct virgl_memory *memory);
enum tg_result
virgl_transfer_get_shared(struct virgl_host *host,
                          const struct virgl_transfer *transfer,
                          const struct virgl_memory *memory);
enum tg_result
virgl_transfer_put_words(struct virgl_host *host,
                         const struct virgl_transfer *transfer,
                         const uint32_t *words, uint64_t num_words);

/* Destroys all resources. */
void
virgl_resources_finish(struct virgl_host *host);

#endif
