/* SPDX-License-Identifier: MIT
 *
 * Transfers: accesses of resources beside draws, in the order of the calls:
 * each waits for the scenes that use what it touches, and is then done at once.
 * Writes to buffers in use do not wait: see write.c.
 */
#include "gpu/context/context.h"

#include "gpu/context/query.h"
#include "gpu/context/write.h"
#include "gpu/queue/queue.h"
#include "run/dispatch.h"
#include "util/diagnostics.h"
#include <assert.h>

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
   gpu_begin_call(context, TG_CALL_WRITE);
   return gpu_end_call(context, NULL,
                       gpu_write(context, resource, level, sample, box, data,
                                 row_stride, slice_stride));
}

enum tg_result
tg_context_read(struct tg_context *context, struct tg_resource *resource,
                uint32_t level, uint32_t sample, const struct tg_box *box,
                void *data, size_t row_stride, size_t slice_stride)
{
   assert(context);
   assert(resource);
   assert(box);
   gpu_begin_call(context, TG_CALL_READ);
   /* After the end, too, there is something to see. */
   tg_work_pay(&context->life, cost_of_box(resource, level, box));
   gpu_wait_for(context, resource, GPU_READS);
   return gpu_end_call(context, NULL,
                       tg_resource_read(resource, level, sample, box, data,
                                        row_stride, slice_stride));
}

/* ---- copies and fills ---------------------------------------------------- */

static enum tg_result
copy(struct tg_context *context, struct tg_resource *dst, uint32_t dst_level,
     uint32_t dst_x, uint32_t dst_y, uint32_t dst_z, struct tg_resource *src,
     uint32_t src_level, const struct tg_box *src_box,
     struct tg_diagnostics *diagnostics)
{
   const enum tg_result result = gpu_charge(
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
   gpu_begin_call(context, TG_CALL_COPY);
   return gpu_end_call(context, NULL,
                       copy(context, dst, dst_level, dst_x, dst_y, dst_z, src,
                            src_level, src_box, diagnostics));
}

static enum tg_result
clear_texture(struct tg_context *context, struct tg_resource *texture,
              uint32_t level, const struct tg_box *box, const void *texel,
              struct tg_diagnostics *diagnostics)
{
   struct resource_blocks blocks;

   if (resource_is_buffer(texture))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "clear",
                         "a buffer is not a texture");
   if (!resource_find_blocks(texture, level, 0, box, &blocks))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "clear",
                         "the texture has no such box of blocks in level %u",
                         level);
   const enum tg_result result =
      gpu_charge(&context->life,
                 GPU_WORK_CALL + resource_cost(texture, &blocks), diagnostics);
   if (result != TG_OK)
      return result;
   const struct resource_pattern pattern =
      resource_pattern(texel, texture->written.format->block_bytes);
   gpu_wait_for(context, texture, GPU_WRITES);
   resource_fill(texture, &blocks, &pattern);
   return TG_OK;
}

enum tg_result
tg_context_clear_texture(struct tg_context *context,
                         struct tg_resource *texture, uint32_t level,
                         const struct tg_box *box, const void *texel,
                         struct tg_diagnostics *diagnostics)
{
   assert(context);
   assert(texture);
   assert(box);
   assert(texel);
   gpu_begin_call(context, TG_CALL_CLEAR);
   return gpu_end_call(
      context, NULL,
      clear_texture(context, texture, level, box, texel, diagnostics));
}

static bool
is_value_size(uint32_t size)
{
   switch (size) {
   case 1:
   case 2:
   case 4:
   case 8:
   case 12:
   case 16: return true;
   default: return false;
   }
}

static enum tg_result
clear_buffer(struct tg_context *context, struct tg_resource *buffer,
             uint32_t offset, uint32_t size, const void *value,
             uint32_t value_size, struct tg_diagnostics *diagnostics)
{
   const struct tg_box box = {offset, 0, 0, size, 1, 1};
   struct resource_blocks blocks;

   if (!resource_is_buffer(buffer))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "clear",
                         "a texture is not a buffer");
   if (!is_value_size(value_size))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "clear",
                         "a value has 1, 2, 4, 8, 12 or 16 bytes, not %u",
                         value_size);
   if (offset % value_size || size % value_size)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "clear",
                         "offset %u and size %u are not multiples of the "
                         "value's %u bytes",
                         offset, size, value_size);
   if (!resource_find_blocks(buffer, 0, 0, &box, &blocks))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "clear",
                         "the buffer has no %u bytes from %u on", size, offset);
   const enum tg_result result =
      gpu_charge(&context->life, GPU_WORK_CALL + resource_cost(buffer, &blocks),
                 diagnostics);
   if (result != TG_OK)
      return result;
   const struct resource_pattern pattern = resource_pattern(value, value_size);
   gpu_prepare_write(context, buffer, &blocks);
   resource_fill(buffer, &blocks, &pattern);
   return TG_OK;
}

enum tg_result
tg_context_clear_buffer(struct tg_context *context, struct tg_resource *buffer,
                        uint32_t offset, uint32_t size, const void *value,
                        uint32_t value_size, struct tg_diagnostics *diagnostics)
{
   assert(context);
   assert(buffer);
   assert(value);
   gpu_begin_call(context, TG_CALL_CLEAR);
   return gpu_end_call(context, NULL,
                       clear_buffer(context, buffer, offset, size, value,
                                    value_size, diagnostics));
}

/* ---- dispatches ---------------------------------------------------------- */

static enum tg_result
dispatch(struct tg_context *context, struct gpu_call *call,
         const struct tg_program *program, const struct tg_bindings *bindings,
         const struct tg_grid *grid, struct tg_diagnostics *diagnostics)
{
   uint64_t num_threads;

   if (!gpu_condition_holds(context))
      return TG_OK;
   resource_refresh_bindings((struct tg_bindings *)(uintptr_t)bindings);
   gpu_wait_for_bindings(context, bindings, GPU_WRITES);
   if (grid->indirect)
      gpu_wait_for(context, grid->indirect, GPU_READS);
   gpu_call_enter(call);
   const enum tg_result result = run_dispatch_on(
      context->device->pool, gpu_queue_share(context->queue), call->work,
      program, bindings, grid, diagnostics, &num_threads);
   gpu_call_leave(call);

   if (result == TG_OK)
      context->epoch->own[GPU_COUNT_CS_INVOCATIONS] += num_threads;
   return result;
}

enum tg_result
tg_context_dispatch(struct tg_context *context,
                    const struct tg_program *program,
                    const struct tg_bindings *bindings,
                    const struct tg_grid *grid,
                    struct tg_diagnostics *diagnostics)
{
   assert(context);
   assert(program);
   assert(grid);
   struct gpu_call call;

   gpu_begin_call(context, TG_CALL_DISPATCH);
   gpu_call_init(&call, context->call, &context->life,
                 context->options.max_call_seconds);
   const enum tg_result result = gpu_end_call(
      context, &call,
      dispatch(context, &call, program, bindings, grid, diagnostics));
   gpu_call_finish(&call);
   return result;
}
