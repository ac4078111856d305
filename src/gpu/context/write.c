/* SPDX-License-Identifier: MIT
 *
 * Writes to resources, which may be in use (orphaning and renaming). A buffer
 * of which all is written is renamed, and a small one is renamed with a copy of
 * what is there; a few bytes of a large one are written between two scenes.
 * Everything else waits.
 */
#include "gpu/context/write.h"

#include <assert.h>

#include "gpu/queue/queue.h"

enum {
   MAX_COPIED = 64 << 10, /* bytes of a buffer that is copied to be renamed */
   MAX_QUEUED = 64 << 10, /* bytes of a write that is queued */
};

static bool
is_whole(const struct tg_resource *buffer, const struct resource_blocks *blocks)
{
   return blocks->x == 0 && blocks->width == buffer->desc.width;
}

bool
gpu_rename_for_write(struct tg_context *context, struct tg_resource *buffer,
                     enum resource_contents contents)
{
   if (!resource_is_buffer(buffer) ||
       !gpu_has_busy_use(context, buffer, GPU_WRITES))
      return false;
   if (contents == RESOURCE_KEPT)
      gpu_wait_for(context, buffer, GPU_READS);
   struct resource_hold before = resource_hold(buffer);
   const bool is_renamed = resource_rename(buffer, contents);
   if (is_renamed)
      gpu_forget_uses(context, &before.memory);
   resource_release(&before);
   if (!is_renamed)
      return false;
   /* Scenes keep what it was. */
   if (context->scene) {
      context->scene->size += buffer->written.num_bytes;
      if (gpu_scene_is_full(context->scene))
         gpu_flush_scene(context);
   }
   return true;
}

void
gpu_prepare_write(struct tg_context *context, struct tg_resource *resource,
                  const struct resource_blocks *blocks)
{
   assert(blocks->level <= resource->desc.last_level);
   if (!resource_is_buffer(resource)) {
      gpu_wait_for(context, resource, GPU_WRITES);
      return;
   }
   if (!gpu_has_busy_use_of_bytes(context, resource, blocks->x, blocks->width,
                                  GPU_WRITES))
      return;
   if (is_whole(resource, blocks) &&
       gpu_rename_for_write(context, resource, RESOURCE_OVERWRITTEN))
      return;
   if (!is_whole(resource, blocks) && resource->desc.width <= MAX_COPIED &&
       gpu_rename_for_write(context, resource, RESOURCE_KEPT))
      return;
   gpu_wait_for_bytes(context, resource, blocks->x, blocks->width, GPU_WRITES);
}

bool
gpu_queue_write(struct tg_context *context, struct tg_resource *buffer,
                uint32_t offset, uint32_t num_bytes, const void *data)
{
   assert(resource_is_buffer(buffer));
   assert((uint64_t)offset + num_bytes <= buffer->desc.width);
   if (buffer->desc.width <= MAX_COPIED || num_bytes > MAX_QUEUED ||
       buffer->undefined.bits ||
       !gpu_has_busy_use_of_bytes(context, buffer, offset, num_bytes,
                                  GPU_WRITES))
      return false;
   if (gpu_has_read_use_of_bytes(context, buffer, offset, num_bytes))
      gpu_flush_scene(context);
   if (!gpu_has_busy_use_of_bytes(context, buffer, offset, num_bytes,
                                  GPU_WRITES) ||
       gpu_open_scene(context) != TG_OK ||
       gpu_note_use_of_bytes(context, buffer, offset, num_bytes) != TG_OK ||
       !gpu_scene_add_write(context->scene, buffer, offset, num_bytes, data))
      return false;
   if (gpu_scene_is_full(context->scene))
      gpu_flush_scene(context);
   return true;
}

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
