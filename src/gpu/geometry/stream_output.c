/* SPDX-License-Identifier: MIT
 *
 * Targets, and what draws write to them.
 */
#include "gpu/geometry/stream_output.h"

#include <string.h>

#include "gpu/queue/queue.h"
#include "resource/resource.h"

/* ---- targets ------------------------------------------------------------- */

static enum tg_result
check_target(const struct tg_resource *buffer, uint32_t offset, uint32_t size,
             struct tg_diagnostics *diagnostics)
{
   if (!buffer || !resource_is_buffer(buffer))
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "a stream target without a buffer");
   const uint64_t num_bytes = resource_memory(buffer).num_bytes;
   if (offset % 4 || size % 4 || offset > num_bytes ||
       size > num_bytes - offset)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "a stream target of bytes %u to %llu; expected whole "
                          "words of a buffer of %llu bytes",
                          offset, (unsigned long long)offset + size,
                          (unsigned long long)num_bytes);
   return TG_OK;
}

enum tg_result
tg_stream_target_create(struct tg_gpu *gpu, struct tg_resource *buffer,
                        uint32_t offset, uint32_t size,
                        struct tg_diagnostics *diagnostics,
                        struct tg_stream_target **target_out)
{
   void *memory = NULL;
   const enum tg_result result =
      check_target(buffer, offset, size, diagnostics);
   if (result != TG_OK)
      return result;
   if (!gpu_grow(&gpu->allocator, &memory, 0, sizeof(struct tg_stream_target)))
      return TG_ERROR_MEMORY;
   struct tg_stream_target *target = memory;
   *target = (struct tg_stream_target){
      .gpu = gpu,
      .next = gpu->stream_targets,
      .buffer = buffer,
      .offset = offset,
      .size = size,
   };
   gpu->stream_targets = target;
   *target_out = target;
   return TG_OK;
}

void
tg_stream_target_destroy(struct tg_stream_target *target)
{
   if (!target)
      return;
   struct tg_gpu *gpu = target->gpu;
   struct tg_stream_target **link = &gpu->stream_targets;
   void *memory = target;
   while (*link != target)
      link = &(*link)->next;
   *link = target->next;
   for (uint32_t i = 0; i < gpu->state.num_stream_targets; i++) {
      if (gpu->state.stream_targets[i] == target)
         gpu->state.stream_targets[i] = NULL;
   }
   gpu_grow(&gpu->allocator, &memory, sizeof(*target), 0);
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
         return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "stream target %u is stream target %u, too",
                             number, i);
   }
   if (offsets && offsets[number] != TG_STREAM_APPEND &&
       (offsets[number] % 4 || offsets[number] > target->size))
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "stream target %u begins at byte %u of %u", number,
                          offsets[number], target->size);
   return TG_OK;
}

enum tg_result
tg_gpu_set_stream_targets(struct tg_gpu *gpu, unsigned count,
                          struct tg_stream_target *const *targets,
                          const uint32_t *offsets,
                          struct tg_diagnostics *diagnostics)
{
   if (count > TG_MAX_STREAM_BUFFERS)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
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
      gpu->state.stream_targets[i] = target;
      if (!target || !offsets || offsets[i] == TG_STREAM_APPEND)
         continue;
      target->filled = offsets[i];
      target->num_vertices = 0;
   }
   gpu->state.num_stream_targets = count;
   return TG_OK;
}

/* ---- shaders ------------------------------------------------------------- */

/* What is wrong with one of its outputs, or NULL. */
static const char *
fault_of(const struct tg_shader *shader, const struct lower_layout *layout,
         const struct tg_stream_output_info *info, uint32_t number)
{
   const struct tg_stream_output *output = &info->outputs[number];
   if (output->register_index >= layout->num_outputs)
      return "is of a register that it does not have";
   if (!output->num_components ||
       output->start_component + output->num_components > 4)
      return "is of no components of a register";
   if (output->buffer >= TG_MAX_STREAM_BUFFERS)
      return "goes to a buffer that there cannot be";
   if (output->dst_offset + output->num_components >
       info->stride[output->buffer])
      return "does not fit the stride of its buffer";
   if (output->stream >= TG_MAX_STREAMS ||
       (output->stream && shader->processor != TG_PROCESSOR_GEOM))
      return "is of a stream that there cannot be";
   for (uint32_t i = 0; i < number; i++) {
      if (info->outputs[i].buffer == output->buffer &&
          info->outputs[i].stream != output->stream)
         return "goes to the buffer of another stream";
   }
   return NULL;
}

enum tg_result
gpu_check_stream_output(const struct tg_shader *shader,
                        const struct lower_layout *layout,
                        const struct tg_stream_output_info *info,
                        struct tg_diagnostics *diagnostics)
{
   if (info->num_outputs > TG_MAX_STREAM_OUTPUTS)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "shader",
                          "%s: %u stream outputs; there can be %u",
                          shader->source.name, info->num_outputs,
                          (unsigned)TG_MAX_STREAM_OUTPUTS);
   for (uint32_t i = 0; i < info->num_outputs; i++) {
      const char *fault = fault_of(shader, layout, info, i);
      if (fault)
         return gpu_complain(diagnostics, TG_ERROR_INPUT, "shader",
                             "%s: stream output %u %s", shader->source.name, i,
                             fault);
   }
   return TG_OK;
}

/* ---- a draw -------------------------------------------------------------- */

/* Primitives that a target has room for. */
static uint32_t
room_in(const struct gpu_stream_output *output, uint32_t buffer)
{
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
   uint32_t room = output->buffers[stream] ? UINT32_MAX : 0;
   for (uint32_t left = output->buffers[stream]; left; left &= left - 1) {
      const uint32_t here = room_in(output, (uint32_t)__builtin_ctz(left));
      room = here < room ? here : room;
   }
   return room;
}

void
gpu_stream_output_init(struct gpu_stream_output *output,
                       const struct tg_gpu *gpu,
                       const struct tg_gpu_shader *shader,
                       uint32_t vertices_per_primitive)
{
   const struct tg_stream_output_info *info = &shader->stream_output;
   *output = (struct gpu_stream_output){
      .info = info,
      .vertices_per_primitive = vertices_per_primitive,
   };
   for (uint32_t i = 0; i < gpu->state.num_stream_targets; i++)
      output->target[i] = gpu->state.stream_targets[i];
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

/* Writes a vertex behind what its targets hold. */
static const uint32_t *
put_vertex(const struct gpu_stream_output *output, unsigned stream,
           const uint32_t *from)
{
   const struct tg_stream_output_info *info = output->info;
   for (uint32_t i = 0; i < info->num_outputs; i++) {
      const struct tg_stream_output *piece = &info->outputs[i];
      const struct tg_stream_target *target = output->target[piece->buffer];
      if (piece->stream != stream)
         continue;
      if (target) {
         uint32_t *to = resource_memory(target->buffer).data +
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
   for (unsigned s = 0; s < TG_MAX_STREAMS; s++) {
      const uint32_t room = room_of(output, s);
      const uint32_t taken = words->stream[s].num_primitives;
      const uint32_t written = taken < room ? taken : room;
      const uint32_t *from = words->stream[s].words;
      for (uint32_t i = 0; i < written * output->vertices_per_primitive; i++)
         from = put_vertex(output, s, from);
      count[GPU_COUNT_STREAM_WRITTEN + s] += written;
      if (output->buffers[s])
         count[GPU_COUNT_STREAM_NEEDED + s] += words->stream[s].num_generated;
   }
}
