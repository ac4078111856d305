/* SPDX-License-Identifier: MIT
 *
 * Vertex and primitive streams: memory that grows and is used again.
 */
#include "gpu/geometry/stream.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/grow.h"
#include "util/bits.h"

void
gpu_stream_init(struct gpu_stream *stream, const struct tg_allocator *allocator)
{
   *stream = (struct gpu_stream){.allocator = allocator};
}

static void
release(struct gpu_stream *stream, void *memory, uint32_t capacity, size_t size)
{
   gpu_grow(stream->allocator, &memory, capacity * size, 0);
}

void
gpu_stream_finish(struct gpu_stream *stream)
{
   release(stream, stream->records, stream->record_capacity, sizeof(uint32_t));
   release(stream, stream->sides, stream->side_capacity,
           sizeof(*stream->sides));
   release(stream, stream->vertices, stream->vertex_capacity, sizeof(uint32_t));
   release(stream, stream->primitives, stream->primitive_capacity,
           sizeof(*stream->primitives));
   *stream = (struct gpu_stream){.allocator = stream->allocator};
}

void
gpu_stream_begin(struct gpu_stream *stream, uint32_t words_per_record,
                 uint32_t vertices_per_primitive)
{
   assert(vertices_per_primitive >= 1);
   stream->words_per_record = words_per_record;
   stream->vertices_per_primitive = vertices_per_primitive;
   stream->num_records = 0;
   stream->num_primitives = 0;
   stream->has_sides = false;
}

uint32_t *
gpu_stream_add_records(struct gpu_stream *stream, uint32_t count)
{
   const uint64_t used =
      (uint64_t)stream->num_records * stream->words_per_record;
   const uint64_t added = (uint64_t)count * stream->words_per_record;
   void *records = stream->records;
   if (used + added > UINT32_MAX / 2 ||
       !gpu_reserve(stream->allocator, &records, &stream->record_capacity,
                    (uint32_t)used, (uint32_t)added, sizeof(uint32_t)))
      return NULL;
   stream->records = records;
   stream->num_records += count;
   stream->has_sides = false;
   return used ? stream->records + used : stream->records;
}

uint8_t *
gpu_stream_add_sides(struct gpu_stream *stream)
{
   void *sides = stream->sides;
   if (!gpu_reserve(stream->allocator, &sides, &stream->side_capacity, 0,
                    stream->num_records, sizeof(*stream->sides)))
      return NULL;
   stream->sides = sides;
   stream->has_sides = true;
   return stream->sides;
}

bool
gpu_stream_add_primitives(struct gpu_stream *stream, uint32_t num,
                          uint32_t **vertices_out,
                          struct gpu_stream_primitive **primitives_out)
{
   const uint64_t per = stream->vertices_per_primitive;
   const uint64_t used = stream->num_primitives * per;
   void *numbers = stream->vertices, *primitives = stream->primitives;
   if (used + num * per > UINT32_MAX / 2 ||
       !gpu_reserve(stream->allocator, &numbers, &stream->vertex_capacity,
                    (uint32_t)used, (uint32_t)(num * per), sizeof(uint32_t)))
      return false;
   stream->vertices = numbers;
   if (!gpu_reserve(stream->allocator, &primitives, &stream->primitive_capacity,
                    stream->num_primitives, num, sizeof(*stream->primitives)))
      return false;
   stream->primitives = primitives;
   *vertices_out = stream->vertices + used;
   *primitives_out = stream->primitives + stream->num_primitives;
   stream->num_primitives += num;
   return true;
}

bool
gpu_stream_add_primitive(struct gpu_stream *stream, const uint32_t *vertices,
                         const struct gpu_stream_primitive *primitive)
{
   struct gpu_stream_primitive *added;
   uint32_t *numbers;
   if (!gpu_stream_add_primitives(stream, 1, &numbers, &added))
      return false;
   memcpy(numbers, vertices,
          stream->vertices_per_primitive * sizeof(*vertices));
   *added = *primitive;
   return true;
}

bool
gpu_stream_hand_on(struct gpu_stream *stream, const struct gpu_sink *sink,
                   uint32_t least)
{
   if (stream->num_records < least)
      return true;
   const bool is_good = sink->take(sink->user, stream);
   gpu_stream_begin(stream, stream->words_per_record,
                    stream->vertices_per_primitive);
   return is_good;
}

void
gpu_stream_clamp(struct gpu_stream *stream, uint8_t reg)
{
   for (uint32_t i = 0; i < stream->num_records; i++) {
      uint32_t *words =
         stream->records + (size_t)i * stream->words_per_record + reg * 4;
      for (unsigned c = 0; c < 4; c++) {
         const float value = tg_float_of_bits(words[c]);
         const float above = value > 0.0f ? value : 0.0f;
         words[c] = tg_bits_of_float(above < 1.0f ? above : 1.0f);
      }
   }
}
