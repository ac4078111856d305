/* SPDX-License-Identifier: MIT
 *
 * Stream output (transform feedback): what the last shader before fragments
 * makes goes into buffers. Batches collect the words of their primitives, in
 * parallel; these are written in the order of the batches, whole primitives as
 * long as they fit.
 */
#ifndef TG_GPU_STREAM_OUTPUT_H
#define TG_GPU_STREAM_OUTPUT_H

#include "gpu/core/counters.h"
#include "gpu/geometry/stream.h"
#include "gpu/state/shader.h"
#include "gpu/state/state.h"

struct tg_stream_target {
   struct tg_context *context;
   struct tg_stream_target *next; /* of tg_context.stream_targets */
   struct tg_resource *buffer;    /* a reference */
   uint32_t offset, size;         /* bytes of the buffer */
   uint32_t filled;               /* of those, from the start */
   uint32_t num_vertices;         /* that they are */
};

/* What a draw needs of it. */
struct gpu_stream_output {
   const struct tg_stream_output_info *info;
   struct tg_stream_target *target[TG_MAX_STREAM_BUFFERS]; /* or NULL */
   uint32_t vertices_per_primitive;
   /* Of each stream: words that are taken of a vertex, buffers that they go to,
    * as bits, and primitives that there was room for before the draw. */
   uint32_t num_words[TG_MAX_STREAMS];
   uint32_t buffers[TG_MAX_STREAMS];
   uint32_t room[TG_MAX_STREAMS];
};

/* What one batch has collected of each stream. */
struct gpu_stream_words {
   const struct tg_allocator *allocator;
   struct {
      uint32_t *words;
      uint32_t num_words, capacity;
      uint32_t num_primitives; /* that the words are of */
      uint64_t num_generated;
   } stream[TG_MAX_STREAMS];
};

/* For the targets that are set, and the shader that makes the primitives. */
void
gpu_stream_output_init(struct gpu_stream_output *output,
                       const struct gpu_state *state,
                       const struct tg_gpu_shader *shader,
                       uint32_t vertices_per_primitive);

/* Does any primitive go anywhere? */
bool
gpu_stream_output_is_active(const struct gpu_stream_output *output);

void
gpu_stream_words_init(struct gpu_stream_words *words,
                      const struct tg_allocator *allocator);
void
gpu_stream_words_finish(struct gpu_stream_words *words);

/* What it costs to collect and to write them, in units of work. */
uint64_t
gpu_stream_output_cost(const struct gpu_stream_output *output,
                       const struct gpu_stream *stream);

/* Adds what primitives give; no more than the targets had room for. False when
 * out of memory. */
bool
gpu_stream_output_collect(const struct gpu_stream_output *output,
                          const struct gpu_stream *stream,
                          struct gpu_stream_words *words);

/* Writes it to the targets, and adds to the counters of streams. */
void
gpu_stream_output_commit(const struct gpu_stream_output *output,
                         const struct gpu_stream_words *words,
                         uint64_t count[GPU_NUM_COUNTERS]);

#endif
