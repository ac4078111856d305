/* SPDX-License-Identifier: MIT
 *
 * Copies from resource to resource, in the order of the calls: each waits for
 * the scenes that use what it touches, and is then done at once.
 */
#include <assert.h>

#include "gpu/context/context.h"

static enum tg_result
copy(struct tg_context *context, struct tg_resource *dst, uint32_t dst_level,
     uint32_t dst_x, uint32_t dst_y, uint32_t dst_z, struct tg_resource *src,
     uint32_t src_level, const struct tg_box *src_box,
     struct tg_diagnostics *diagnostics)
{
   const enum tg_result result = gpu_fault_charge(
      &context->life, gpu_box_cost(src, src_level, src_box), diagnostics);
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
