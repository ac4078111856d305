/* SPDX-License-Identifier: MIT
 *
 * Writes to resources in use, which need not wait.
 */
#ifndef TG_GPU_WRITE_H
#define TG_GPU_WRITE_H

#include "gpu/context/context.h"

/* Before blocks are written at once: renames a buffer that is in use, if all of
 * it is written or it is small; else waits. */
void
gpu_prepare_write(struct tg_context *context, struct tg_resource *resource,
                  const struct resource_blocks *blocks);

/* Gives a buffer that is in use other memory. False when it is not in use, or
 * cannot be renamed. */
bool
gpu_rename_for_write(struct tg_context *context, struct tg_resource *buffer,
                     enum resource_contents contents);

/* Has a few bytes of a large buffer written in their turn, when scenes use
 * them. False when they are to be written at once, after gpu_prepare_write().
 */
bool
gpu_queue_write(struct tg_context *context, struct tg_resource *buffer,
                uint32_t offset, uint32_t num_bytes, const void *data);

/* tg_context_write(), as a part of another call. */
enum tg_result
gpu_write(struct tg_context *context, struct tg_resource *resource,
          uint32_t level, uint32_t sample, const struct tg_box *box,
          const void *data, size_t row_stride, size_t slice_stride);

#endif
