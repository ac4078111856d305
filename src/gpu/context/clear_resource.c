/* SPDX-License-Identifier: MIT
 *
 * Clears of textures and buffers, each at once and in the order of the calls.
 */
#include <assert.h>

#include "gpu/context/context.h"
#include "gpu/context/write.h"
#include "util/diagnostics.h"

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
   const enum tg_result result = gpu_fault_charge(
      &context->life, GPU_WORK_CALL + resource_cost(texture, &blocks),
      diagnostics);
   if (result != TG_OK)
      return result;
   const struct resource_pattern pattern =
      resource_fill_pattern(texel, texture->written.format->block_bytes);
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
   gpu_context_begin_call(context, TG_CALL_CLEAR);
   return gpu_context_end_call(
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
   const enum tg_result result = gpu_fault_charge(
      &context->life, GPU_WORK_CALL + resource_cost(buffer, &blocks),
      diagnostics);
   if (result != TG_OK)
      return result;
   const struct resource_pattern pattern =
      resource_fill_pattern(value, value_size);
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
   gpu_context_begin_call(context, TG_CALL_CLEAR);
   return gpu_context_end_call(context, NULL,
                               clear_buffer(context, buffer, offset, size,
                                            value, value_size, diagnostics));
}
