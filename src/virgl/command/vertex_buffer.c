/* SPDX-License-Identifier: MIT
 *
 * Vertex buffers, and the index buffer.
 */
#include "virgl/resource/resource.h"

/* All that are not named are empty from now on. */
enum tg_result
virgl_do_set_vertex_buffers(const struct virgl_call *call)
{
   struct tg_vertex_buffer buffers[TG_MAX_VERTEX_BUFFERS] = {0};
   const uint32_t count = call->length / 3;
   enum tg_result result = TG_OK;

   if (count > TG_MAX_VERTEX_BUFFERS)
      return virgl_refuse_call(call, "%u vertex buffers; there can be %u",
                               count, (unsigned)TG_MAX_VERTEX_BUFFERS);
   for (uint32_t i = 0; i < count && result == TG_OK; i++) {
      const uint32_t *words = &call->words[1 + 3 * i];

      buffers[i].stride = words[0];
      buffers[i].offset = words[1];
      result = virgl_get_resource(call, words[2], &buffers[i].buffer);
   }
   if (result == TG_OK)
      result = tg_context_set_vertex_buffers(call->context->context, 0,
                                             TG_MAX_VERTEX_BUFFERS, buffers,
                                             call->diagnostics);
   if (result != TG_OK)
      return result;
   for (uint32_t i = 0; i < TG_MAX_VERTEX_BUFFERS; i++)
      call->context->vertex_buffers[i] = i < count ? call->words[3 + 3 * i] : 0;
   if (call->context->index_buffer.is_new)
      call->context->sets_indices_first = true;
   return TG_OK;
}

enum tg_result
virgl_do_set_index_buffer(const struct virgl_call *call)
{
   struct virgl_index_buffer *index_buffer = &call->context->index_buffer;
   struct tg_resource *resource;
   const enum tg_result result =
      virgl_get_resource(call, call->words[1], &resource);

   tg_resource_destroy(index_buffer->resource);
   *index_buffer = (struct virgl_index_buffer){0};
   if (result != TG_OK || !resource || call->length < 3)
      return result;
   *index_buffer = (struct virgl_index_buffer){
      .resource = tg_resource_ref(resource),
      .size = call->words[2],
      .offset = call->words[3],
      .is_new = true,
   };
   return TG_OK;
}
