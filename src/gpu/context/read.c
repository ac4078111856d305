/* SPDX-License-Identifier: MIT
 *
 * Reads of resources beside draws, in the order of the calls: each waits for
 * the scenes that write what it reads, and is then done at once.
 */
#include <assert.h>

#include "gpu/context/context.h"

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
   tg_work_pay(&context->life, gpu_box_cost(resource, level, box));
   gpu_wait_for(context, resource, GPU_READS);
   return gpu_context_end_call(context, NULL,
                               tg_resource_read(resource, level, sample, box,
                                                data, row_stride,
                                                slice_stride));
}
