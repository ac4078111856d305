/* SPDX-License-Identifier: MIT
 *
 * Transfers: accesses of resources beside draws, in the order of the calls:
 * each waits for the scenes that use what it touches, and is then done at once.
 * Writes to buffers in use do not wait: see write.c.
 */
#include <assert.h>

#include "gpu/context/context.h"
#include "gpu/context/write.h"

/* What it costs to move a box; one that is refused costs a call. */
static uint64_t
cost_of_box(const struct tg_resource *resource, uint32_t level,
            const struct tg_box *box)
{
   struct resource_blocks blocks;

   if (!resource_find_blocks(resource, level, 0, box, &blocks))
      return GPU_WORK_CALL;
   return GPU_WORK_CALL + resource_cost(resource, &blocks);
}

/* ---- reads and writes ---------------------------------------------------- */

enum tg_result
gpu_write(struct tg_context *context, struct tg_resource *resource,
          uint32_t level, uint32_t sample, const struct tg_box *box,
          const void *data, size_t row_stride, size_t slice_stride)
{
   struct resource_blocks blocks;
   const bool is_good =
      resource_find_blocks(resource, level, sample, box, &blocks);
   const uint64_t cost = is_good ? resource_cost(resource, &blocks) : 0;

   if (!tg_work_pay(&context->life, GPU_WORK_CALL + cost))
      return TG_ERROR_LIMIT;
   if (!is_good)
      return TG_ERROR_INPUT;
   if (resource_is_buffer(resource) &&
       gpu_queue_write(context, resource, blocks.x, blocks.width, data))
      return TG_OK;
   gpu_prepare_write(context, resource, &blocks);
   resource_write_blocks(resource, &blocks, data, row_stride, slice_stride);
   return TG_OK;
}

enum tg_result
tg_context_write(struct tg_context *context, struct tg_resource *resource,
                 uint32_t level, uint32_t sample, const struct tg_box *box,
                 const void *data, size_t row_stride, size_t slice_stride)
{
   assert(context);
   assert(resource);
   assert(box);
   gpu_context_begin_call(context, TG_CALL_WRITE);
   return gpu_context_end_call(context, NULL,
                               gpu_write(context, resource, level, sample, box,
                                         data, row_stride, slice_stride));
}

enum tg_result
tg_context_read(struct tg_context *context, struct tg_resource *resource,
                uint32_t level, uint32_t sample, const struct tg_box *box,
                void *data, size_t row_stride, size_t slice_stride)
{
   assert(context);
   assert(resource);
   assert(box);
   gpu_context_begin_call(context, TG_CALL_READ);
   /* After the end, too, there is something to see. */
   tg_work_pay(&context->life, cost_of_box(resource, level, box));
   gpu_wait_for(context, resource, GPU_READS);
   return gpu_context_end_call(context, NULL,
                               tg_resource_read(resource, level, sample, box,
                                                data, row_stride,
                                                slice_stride));
}

/* ---- copies -------------------------------------------------------------- */

static enum tg_result
copy(struct tg_context *context, struct tg_resource *dst, uint32_t dst_level,
     uint32_t dst_x, uint32_t dst_y, uint32_t dst_z, struct tg_resource *src,
     uint32_t src_level, const struct tg_box *src_box,
     struct tg_diagnostics *diagnostics)
{
   const enum tg_result result = gpu_fault_charge(
      &context->life, cost_of_box(src, src_level, src_box), diagnostics);
   if (result != TG_OK)
      return result;
   gpu_wait_for(context, dst, GPU_WRITES);
   gpu_wait_for(context, src, GPU_READS);
   return resource_copy(dst, dst_level, dst_x, dst_y, dst_z, src, src_level,
                        src_box, diagnostics);
}

enum tg_result
tg_context_copy(struct tg_context *context, struct tg_resource *dst,
                uint32_t dst_level, uint32_t dst_x, uint32_t dst_y,
                uint32_t dst_z, struct tg_resource *src, uint32_t src_level,
                const struct tg_box *src_box,
                struct tg_diagnostics *diagnostics)
{
   assert(context);
   assert(dst);
   assert(src);
   assert(src_box);
   gpu_context_begin_call(context, TG_CALL_COPY);
   return gpu_context_end_call(context, NULL,
                               copy(context, dst, dst_level, dst_x, dst_y,
                                    dst_z, src, src_level, src_box,
                                    diagnostics));
}
