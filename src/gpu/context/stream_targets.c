/* SPDX-License-Identifier: MIT
 *
 * Stream output targets: creation, destruction, and which are set.
 */
#include "gpu/context/context.h"

#include "gpu/core/grow.h"
#include "gpu/geometry/stream_output.h"
#include "resource/resource.h"
#include <assert.h>

static enum tg_result
check_target(const struct tg_resource *buffer, uint32_t offset, uint32_t size,
             struct tg_diagnostics *diagnostics)
{
   if (!buffer || !resource_is_buffer(buffer))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "a stream target without a buffer");
   const uint64_t num_bytes = tg_resource_get_size(buffer);
   if (offset % 4 || size % 4 || offset > num_bytes ||
       size > num_bytes - offset)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "state",
         "a stream target of bytes %u to %llu; expected whole "
         "words of a buffer of %llu bytes",
         offset, (unsigned long long)offset + size,
         (unsigned long long)num_bytes);
   return TG_OK;
}

enum tg_result
tg_stream_target_create(struct tg_context *context, struct tg_resource *buffer,
                        uint32_t offset, uint32_t size,
                        struct tg_diagnostics *diagnostics,
                        struct tg_stream_target **target_out)
{
   assert(context);
   assert(target_out);
   void *memory = NULL;
   const enum tg_result result =
      check_target(buffer, offset, size, diagnostics);
   if (result != TG_OK)
      return result;
   if (!gpu_grow(context->allocator, &memory, 0,
                 sizeof(struct tg_stream_target)))
      return TG_ERROR_MEMORY;
   struct tg_stream_target *target = memory;
   *target = (struct tg_stream_target){
      .context = context,
      .next = context->stream_targets,
      .buffer = tg_resource_ref(buffer),
      .offset = offset,
      .size = size,
   };
   context->stream_targets = target;
   *target_out = target;
   return TG_OK;
}

void
tg_stream_target_destroy(struct tg_stream_target *target)
{
   if (!target)
      return;
   struct tg_context *context = target->context;
   struct tg_stream_target **link = &context->stream_targets;
   void *memory = target;
   while (*link != target)
      link = &(*link)->next;
   *link = target->next;
   for (uint32_t i = 0; i < context->state.num_stream_targets; i++) {
      if (context->state.stream_targets[i] == target)
         context->state.stream_targets[i] = NULL;
   }
   tg_resource_destroy(target->buffer);
   gpu_grow(context->allocator, &memory, sizeof(*target), 0);
}

/* Is it a place that vertices can be appended to? */
static enum tg_result
check_place(unsigned number, struct tg_stream_target *const *targets,
            const uint32_t *offsets, struct tg_diagnostics *diagnostics)
{
   const struct tg_stream_target *target = targets[number];
   if (!target)
      return TG_OK;
   for (unsigned i = 0; i < number; i++) {
      if (targets[i] == target)
         return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                   "stream target %u is stream target %u, too",
                                   number, i);
   }
   if (offsets && offsets[number] != TG_STREAM_APPEND &&
       (offsets[number] % 4 || offsets[number] > target->size))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "stream target %u begins at byte %u of %u",
                                number, offsets[number], target->size);
   return TG_OK;
}

enum tg_result
tg_context_set_stream_targets(struct tg_context *context, unsigned count,
                              struct tg_stream_target *const *targets,
                              const uint32_t *offsets,
                              struct tg_diagnostics *diagnostics)
{
   assert(context);
   if (count > TG_MAX_STREAM_BUFFERS)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "%u stream targets; there can be %u", count,
                                (unsigned)TG_MAX_STREAM_BUFFERS);
   for (unsigned i = 0; i < count; i++) {
      const enum tg_result result =
         check_place(i, targets, offsets, diagnostics);
      if (result != TG_OK)
         return result;
   }
   for (unsigned i = 0; i < TG_MAX_STREAM_BUFFERS; i++) {
      struct tg_stream_target *target = i < count ? targets[i] : NULL;
      context->state.stream_targets[i] = target;
      if (!target || !offsets || offsets[i] == TG_STREAM_APPEND)
         continue;
      target->filled = offsets[i];
      target->num_vertices = 0;
   }
   context->state.num_stream_targets = count;
   return TG_OK;
}
