/* SPDX-License-Identifier: MIT
 *
 * Stream output (transform feedback): what draws write to targets.
 */
#include "gpu/geometry/stream_output.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/grow.h"
#include "resource/resource.h"
#include "util/length.h"

/* ---- a draw -------------------------------------------------------------- */

/* Primitives that a target has room for. */
static uint32_t
room_in(const struct gpu_stream_output *output, uint32_t buffer)
{
   assert(buffer < TG_LENGTH(output->target));
   const struct tg_stream_target *target = output->target[buffer];
   const uint32_t bytes =
      output->info->stride[buffer] * 4u * output->vertices_per_primitive;
   return (target->size - target->filled) / bytes;
}

/* Primitives of a stream that all of its targets have room for. Outputs to
 * where no target is are left out. */
static uint32_t
room_of(const struct gpu_stream_output *output, unsigned stream)
{
   assert(stream < TG_LENGTH(output->buffers));
   uint32_t room = output->buffers[stream] ? UINT32_MAX : 0;
   for (uint32_t left = output->buffers[stream]; left; left &= left - 1) {
      const uint32_t here = room_in(output, (uint32_t)__builtin_ctz(left));
      room = here < room ? here : room;
   }
   return room;
}

void
gpu_stream_output_init(struct gpu_stream_output *output,
                       const struct gpu_state *state,
                       const struct tg_gpu_shader *shader,
                       uint32_t vertices_per_primitive)
{
   assert(vertices_per_primitive >= 1);
   const struct tg_stream_output_info *info = &shader->stream_output;
   *output = (struct gpu_stream_output){
      .info = info,
      .vertices_per_primitive = vertices_per_primitive,
   };
   for (uint32_t i = 0; i < state->num_stream_targets; i++)
      output->target[i] = state->stream_targets[i];
   for (uint32_t i = 0; i < info->num_outputs; i++) {
      const struct tg_stream_output *piece = &info->outputs[i];
      output->num_words[piece->stream] += piece->num_components;
      if (output->target[piece->buffer])
         output->buffers[piece->stream] |= 1u << piece->buffer;
   }
   for (unsigned s = 0; s < TG_MAX_STREAMS; s++)
      output->room[s] = room_of(output, s);
}

bool
gpu_stream_output_is_active(const struct gpu_stream_output *output)
{
   for (unsigned s = 0; s < TG_MAX_STREAMS; s++) {
      if (output->buffers[s])
         return true;
   }
   return false;
}

/* ---- collecting ---------------------------------------------------------- */

void
gpu_stream_words_init(struct gpu_stream_words *words,
                      const struct tg_allocator *allocator)
{
   *words = (struct gpu_stream_words){.allocator = allocator};
}

void
gpu_stream_words_finish(struct gpu_stream_words *words)
{
   for (unsigned s = 0; s < TG_MAX_STREAMS; s++) {
      void *memory = words->stream[s].words;
      gpu_grow(words->allocator, &memory,
               words->stream[s].capacity * sizeof(uint32_t), 0);
   }
   *words = (struct gpu_stream_words){.allocator = words->allocator};
}

/* Copies the pieces of a vertex that are of one stream, in their order. */
static uint32_t *
take_vertex(const struct tg_stream_output_info *info, unsigned stream,
            const uint32_t *record, uint32_t *to)
{
   for (uint32_t i = 0; i < info->num_outputs; i++) {
      const struct tg_stream_output *piece = &info->outputs[i];
      if (piece->stream != stream)
         continue;
      memcpy(to, record + piece->register_index * 4 + piece->start_component,
             piece->num_components * sizeof(*to));
      to += piece->num_components;
   }
   return to;
}

static bool
take_primitive(const struct gpu_stream_output *output,
               const struct gpu_stream *stream, uint32_t number,
               struct gpu_stream_words *words)
{
   assert(number < stream->num_primitives);
   const unsigned s = stream->primitives[number].stream;
   const uint32_t count = stream->vertices_per_primitive;
   const uint32_t *vertices = stream->vertices + (size_t)number * count;
   const uint32_t num_words = output->num_words[s] * count;
   void *memory = words->stream[s].words;

   words->stream[s].num_generated++;
   if (words->stream[s].num_primitives >= output->room[s])
      return true;
   if (!gpu_reserve(words->allocator, &memory, &words->stream[s].capacity,
                    words->stream[s].num_words, num_words, sizeof(uint32_t)))
      return false;
   words->stream[s].words = memory;
   uint32_t *to = words->stream[s].words + words->stream[s].num_words;
   for (uint32_t v = 0; v < count; v++)
      to = take_vertex(output->info, s, gpu_stream_record(stream, vertices[v]),
                       to);
   words->stream[s].num_words += num_words;
   words->stream[s].num_primitives++;
   return true;
}

uint64_t
gpu_stream_output_cost(const struct gpu_stream_output *output,
                       const struct gpu_stream *stream)
{
   return GPU_WORK_OUTPUT * (uint64_t)output->info->num_outputs *
          stream->vertices_per_primitive * stream->num_primitives;
}

bool
gpu_stream_output_collect(const struct gpu_stream_output *output,
                          const struct gpu_stream *stream,
                          struct gpu_stream_words *words)
{
   for (uint32_t i = 0; i < stream->num_primitives; i++) {
      if (!take_primitive(output, stream, i, words))
         return false;
   }
   return true;
}

/* ---- writing ------------------------------------------------------------- */

/* Appends a vertex to what its targets hold. */
static const uint32_t *
put_vertex(const struct gpu_stream_output *output,
           const struct resource_hold buffers[TG_MAX_STREAM_BUFFERS],
           unsigned stream, const uint32_t *from)
{
   const struct tg_stream_output_info *info = output->info;
   for (uint32_t i = 0; i < info->num_outputs; i++) {
      const struct tg_stream_output *piece = &info->outputs[i];
      const struct tg_stream_target *target = output->target[piece->buffer];
      if (piece->stream != stream)
         continue;
      if (target) {
         uint32_t *to = buffers[piece->buffer].memory.data +
                        (target->offset + target->filled) / 4 +
                        piece->dst_offset;
         memcpy(to, from, piece->num_components * sizeof(*to));
         resource_define(target->buffer, to,
                         piece->num_components * sizeof(*to));
      }
      from += piece->num_components;
   }
   for (uint32_t left = output->buffers[stream]; left; left &= left - 1) {
      const unsigned buffer = (unsigned)__builtin_ctz(left);
      output->target[buffer]->filled += info->stride[buffer] * 4u;
      output->target[buffer]->num_vertices++;
   }
   return from;
}

void
gpu_stream_output_commit(const struct gpu_stream_output *output,
                         const struct gpu_stream_words *words,
                         uint64_t count[GPU_NUM_COUNTERS])
{
   struct resource_hold buffers[TG_MAX_STREAM_BUFFERS];
   for (unsigned i = 0; i < TG_MAX_STREAM_BUFFERS; i++)
      buffers[i] =
         resource_hold(output->target[i] ? output->target[i]->buffer : NULL);
   for (unsigned s = 0; s < TG_MAX_STREAMS; s++) {
      const uint32_t room = room_of(output, s);
      const uint32_t taken = words->stream[s].num_primitives;
      const uint32_t written = taken < room ? taken : room;
      const uint32_t *from = words->stream[s].words;
      for (uint32_t i = 0; i < written * output->vertices_per_primitive; i++)
         from = put_vertex(output, buffers, s, from);
      count[GPU_COUNT_STREAM_WRITTEN + s] += written;
      if (output->buffers[s])
         count[GPU_COUNT_STREAM_NEEDED + s] += words->stream[s].num_generated;
   }
   for (unsigned i = 0; i < TG_MAX_STREAM_BUFFERS; i++)
      resource_release(&buffers[i]);
}
