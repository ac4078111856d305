/* SPDX-License-Identifier: MIT
 *
 * Stream output targets. Where writing goes on is not on the wire: targets that
 * are set together for the first time begin at their start; set again, in the
 * same order, they go on where they are.
 */
#include "virgl/object/stream_output.h"

#include <string.h>

#include "virgl/core/memory.h"
#include "virgl/object/object.h"
#include "virgl/resource/resource.h"

struct virgl_stream_target {
   struct tg_stream_target *target;
   struct virgl_stream_target *next; /* of virgl_context.stream_targets */
   uint32_t handle, resource, num_bytes;
   uint64_t last_use; /* as virgl_context.num_stream_uses was */
};

/* ---- objects ------------------------------------------------------------- */

enum tg_result
virgl_create_stream_target(const struct virgl_call *call, void **thing_out)
{
   struct virgl_context *context = call->context;
   const uint32_t *words = call->words;
   struct tg_resource *resource;
   enum tg_result result = virgl_get_resource(call, words[2], &resource);

   if (result != TG_OK)
      return result;
   struct virgl_stream_target *target =
      virgl_alloc(call->host, sizeof(*target));
   if (!target)
      return TG_ERROR_MEMORY;
   result =
      tg_stream_target_create(context->context, resource, words[3], words[4],
                              call->diagnostics, &target->target);
   if (result != TG_OK) {
      virgl_free(call->host, target, sizeof(*target));
      return result;
   }
   target->handle = words[1];
   target->resource = words[2];
   target->num_bytes = words[4];
   target->next = context->stream_targets;
   context->stream_targets = target;
   *thing_out = target;
   return TG_OK;
}

static void
forget_lists(struct virgl_context *context, uint32_t handle)
{
   unsigned kept = 0;

   for (unsigned i = 0; i < context->num_stream_lists; i++) {
      const struct virgl_stream_list *list = &context->stream_lists[i];
      bool has_it = false;

      for (unsigned j = 0; j < TG_MAX_STREAM_BUFFERS; j++)
         has_it |= list->handle[j] == handle;
      if (!has_it)
         context->stream_lists[kept++] = *list;
   }
   context->num_stream_lists = kept;
}

void
virgl_drop_stream_target(struct virgl_context *context, void *thing)
{
   struct virgl_stream_target *target = thing;
   struct virgl_stream_target **link = &context->stream_targets;

   while (*link != target)
      link = &(*link)->next;
   *link = target->next;
   forget_lists(context, target->handle);
   tg_stream_target_destroy(target->target);
   virgl_free(context->host, target, sizeof(*target));
}

static bool
is_vertex_buffer(const struct virgl_context *context, uint32_t resource)
{
   for (unsigned i = 0; i < TG_MAX_VERTEX_BUFFERS; i++) {
      if (context->vertex_buffers[i] == resource)
         return true;
   }
   return false;
}

struct tg_stream_target *
virgl_drawn_stream_target(const struct virgl_context *context,
                          uint32_t num_bytes)
{
   const struct virgl_stream_target *best = NULL;
   bool best_is_read = false;

   for (const struct virgl_stream_target *target = context->stream_targets;
        target; target = target->next) {
      if (target->num_bytes != num_bytes || !target->last_use)
         continue;
      const bool is_read = is_vertex_buffer(context, target->resource);
      const bool is_later = best && target->last_use > best->last_use;
      if (!best || is_read > best_is_read ||
          (is_read == best_is_read && is_later)) {
         best = target;
         best_is_read = is_read;
      }
   }
   return best ? best->target : NULL;
}

/* ---- setting ------------------------------------------------------------- */

/* Were these set together before? From now on they were. Of too many the oldest
 * is forgotten. */
static bool
remember_list(struct virgl_context *context,
              const struct virgl_stream_list *list)
{
   for (unsigned i = 0; i < context->num_stream_lists; i++) {
      if (!memcmp(&context->stream_lists[i], list, sizeof(*list)))
         return true;
   }
   if (context->num_stream_lists == VIRGL_MAX_STREAM_LISTS) {
      context->num_stream_lists--;
      memmove(context->stream_lists, context->stream_lists + 1,
              context->num_stream_lists * sizeof(*list));
   }
   context->stream_lists[context->num_stream_lists++] = *list;
   return false;
}

enum tg_result
virgl_do_set_stream_targets(const struct virgl_call *call)
{
   struct virgl_context *context = call->context;
   struct tg_stream_target *targets[TG_MAX_STREAM_BUFFERS] = {0};
   uint32_t offsets[TG_MAX_STREAM_BUFFERS];
   struct virgl_stream_list list = {0};
   const uint32_t count = call->length - 1;

   if (count > TG_MAX_STREAM_BUFFERS)
      return virgl_refuse_call(call, "%u stream targets; there can be %u",
                               count, (unsigned)TG_MAX_STREAM_BUFFERS);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t handle = call->words[2 + i];
      struct virgl_stream_target *target =
         virgl_find_object(context, handle, VIRGL_OBJECT_STREAMOUT_TARGET);

      if (handle && !target)
         return virgl_refuse_call(call, "there is no stream target %u", handle);
      if (!target)
         continue;
      list.handle[i] = handle;
      targets[i] = target->target;
      target->last_use = ++context->num_stream_uses;
   }
   const bool goes_on = !count || remember_list(context, &list);
   for (uint32_t i = 0; i < count; i++)
      offsets[i] = goes_on ? TG_STREAM_APPEND : 0;
   return tg_context_set_stream_targets(context->context, count, targets,
                                        offsets, call->diagnostics);
}
