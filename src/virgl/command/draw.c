/* SPDX-License-Identifier: MIT
 *
 * Draw calls: direct, indexed, indirect, and from stream output.
 */
#include "virgl/object/shader.h"
#include "virgl/object/stream_output.h"
#include "virgl/resource/resource.h"

enum {
   WORDS_WITH_PATCHES = 14, /* and draw ids */
   WORDS_WITH_INDIRECT = 20,
};

/* The offset of the index buffer leads to the first index already, `start`
 * indices on. Mesa 22.3 leaves that out of it where indices come from the
 * program's memory, and then it is counted here, unless offsets are to be taken
 * as they are. Its successors, which do not, set a draw's indices before its
 * vertex buffers. */
static uint32_t
first_index(const struct virgl_context *context, uint32_t start)
{
   const struct virgl_index_buffer *index_buffer = &context->index_buffer;
   const uint64_t offset = (uint64_t)start * index_buffer->size;

   if (context->host->options.exact_index_offsets ||
       context->sets_indices_first)
      return 0;
   return index_buffer->offset == offset ? 0 : start;
}

static enum tg_result
decode_indices(const struct virgl_call *call, struct tg_draw_info *info,
               struct tg_draw_range *range)
{
   const struct virgl_index_buffer *index_buffer = &call->context->index_buffer;

   if (!index_buffer->resource || !index_buffer->size || index_buffer->size > 4)
      return virgl_refuse_call(call, "indices without a buffer of indices");
   info->index_buffer = index_buffer->resource;
   info->index_offset = index_buffer->offset;
   info->index_size = (uint8_t)index_buffer->size;
   info->primitive_restart = call->words[8];
   info->restart_index = call->words[9];
   range->start = first_index(call->context, range->start);
   range->index_bias = (int32_t)call->words[6];
   return TG_OK;
}

/* Where the numbers of draws are in buffers. */
static enum tg_result
decode_indirect(const struct virgl_call *call, struct tg_draw_info *info)
{
   const uint32_t *words = call->words;
   enum tg_result result = virgl_get_resource(call, words[15], &info->indirect);

   if (result == TG_OK)
      result = virgl_get_resource(call, words[20], &info->indirect_count);
   info->indirect_offset = words[16];
   info->indirect_stride = words[17];
   info->num_draws = words[18];
   info->indirect_count_offset = words[19];
   if (result == TG_OK && !info->indirect)
      info->num_draws = 1;
   return result;
}

/* Where it is the vertices of a stream target: the word has the bytes of one.
 */
static enum tg_result
decode_stream_count(const struct virgl_call *call, struct tg_draw_info *info)
{
   const uint32_t num_bytes = call->words[12];

   if (!num_bytes)
      return TG_OK;
   info->count_from_stream_output =
      virgl_drawn_stream_target(call->context, num_bytes);
   if (!info->count_from_stream_output)
      return virgl_refuse_call(call, "there is no stream target of %u bytes",
                               num_bytes);
   return TG_OK;
}

enum tg_result
virgl_do_draw(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   struct tg_draw_range range = {.start = words[1], .count = words[2]};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   enum tg_result result = TG_OK;

   tg_profile_number_draw(call->host->profile, ++call->host->num_draws);
   call->context->index_buffer.is_new = false;
   if (virgl_shaders_are_refused(call->context))
      return virgl_refuse_call(call, "a shader was refused");
   if (words[3] > TG_PRIM_PATCHES)
      return virgl_refuse_call(call, "there is no primitive %u", words[3]);
   info.mode = (uint8_t)words[3];
   info.draws = &range;
   info.instance_count = words[5];
   info.start_instance = words[7];
   if (words[4])
      result = decode_indices(call, &info, &range);
   else
      result = decode_stream_count(call, &info);
   if (result == TG_OK && call->length >= WORDS_WITH_PATCHES) {
      info.vertices_per_patch =
         (uint8_t)(words[13] < UINT8_MAX ? words[13] : UINT8_MAX);
      info.first_draw_id = words[14];
   }
   if (result == TG_OK && call->length >= WORDS_WITH_INDIRECT)
      result = decode_indirect(call, &info);
   if (result == TG_OK)
      result =
         tg_context_draw(call->context->context, &info, call->diagnostics);
   return result;
}
