/* SPDX-License-Identifier: MIT
 *
 * Vertex and primitive streams, which a stage hands to the next one: vertices,
 * as records, and primitives made of them. A record has all output registers of
 * the shader that made it: channel c of register r is word r * 4 + c.
 */
#ifndef TG_GPU_STREAM_H
#define TG_GPU_STREAM_H

#include <assert.h>

#include "gpu/core/limits.h"
#include "tungsten/base.h"

struct gpu_stream_primitive {
   uint32_t id;       /* PRIMID */
   uint8_t provoking; /* which of its vertices flat shading takes */
   uint8_t edges;     /* of triangles, bit i: the edge after vertex i is real */
   uint8_t begins;    /* of lines: the stipple pattern restarts */
   uint8_t stream;    /* out of a geometry shader, else 0 */
};

/* All primitives have as many vertices: 1, 2 or 3 before setup; 4 and 6
 * with adjacency, those of a patch. */
struct gpu_stream {
   const struct tg_allocator *allocator;
   uint32_t words_per_record;
   uint32_t vertices_per_primitive;

   uint32_t num_records, num_primitives;
   uint32_t *records;
   uint8_t *sides; /* gpu_view_sides() of each record, if has_sides */
   bool has_sides;
   uint32_t *vertices; /* numbers of records, primitive by primitive */
   struct gpu_stream_primitive *primitives;

   uint32_t record_capacity, side_capacity, vertex_capacity, primitive_capacity;
};

void
gpu_stream_init(struct gpu_stream *stream,
                const struct tg_allocator *allocator);
void
gpu_stream_finish(struct gpu_stream *stream);

/* Empties it, keeping its memory. */
void
gpu_stream_begin(struct gpu_stream *stream, uint32_t words_per_record,
                 uint32_t vertices_per_primitive);

/* `count` records more, to be filled in; NULL when out of memory. Good until
 * the next. */
uint32_t *
gpu_stream_add_records(struct gpu_stream *stream, uint32_t count);

/* Room for the sides of all records, to be filled in; NULL when out of memory.
 * Good until the next record. */
uint8_t *
gpu_stream_add_sides(struct gpu_stream *stream);

/* `num` primitives more, to be filled in, and the vertices of all of them.
 * False when out of memory. Good until the next. */
bool
gpu_stream_add_primitives(struct gpu_stream *stream, uint32_t num,
                          uint32_t **vertices_out,
                          struct gpu_stream_primitive **primitives_out);

/* A primitive of records; false when out of memory. */
bool
gpu_stream_add_primitive(struct gpu_stream *stream, const uint32_t *vertices,
                         const struct gpu_stream_primitive *primitive);

/* Holds a register of all records to [0, 1]; NaN becomes 0. */
void
gpu_stream_clamp(struct gpu_stream *stream, uint8_t reg);

static inline const uint32_t *
gpu_stream_record(const struct gpu_stream *stream, uint32_t number)
{
   assert(number < stream->num_records);
   return stream->records + (size_t)number * stream->words_per_record;
}

/* A consumer of what comes out of a stage, piece by piece; it may change its
 * records. False after a fault. */
struct gpu_sink {
   bool (*take)(void *user, struct gpu_stream *piece);
   void *user;
};

/* Records that make a piece large enough to be handed on. */
enum { GPU_STREAM_PIECE = 1024 };

/* Hands on a piece of `least` records or more, and empties the stream. False
 * after a fault of who took it. */
bool
gpu_stream_hand_on(struct gpu_stream *stream, const struct gpu_sink *sink,
                   uint32_t least);

#endif
