/* SPDX-License-Identifier: MIT
 *
 * The geometry pipeline of a draw, from vertices to shapes: what each stage of
 * it needs, made once, and the work on one batch, which any thread can do.
 */
#ifndef TG_GPU_PIPELINE_H
#define TG_GPU_PIPELINE_H

#include "gpu/fragment/fragment.h"
#include "gpu/geometry/assemble.h"
#include "gpu/geometry/geometry.h"
#include "gpu/geometry/stream_output.h"
#include "gpu/geometry/tess_eval.h"
#include "gpu/geometry/vertex.h"
#include "gpu/queue/batch.h"
#include "gpu/setup/setup.h"

/* What the stages of a draw are made for, and of those after it until
 * something of that changes. Large; not to be moved once it is set up. */
struct gpu_pipeline {
   uint64_t version;   /* of the state; 0: it is for one draw alone */
   uint8_t mode;       /* enum tg_primitive_mode, of the draws */
   bool is_made_again; /* for the draw at hand, fragments included */
   struct gpu_interface interface;
   bool has_vertex, has_tess, has_geometry, has_stream_output;
   struct gpu_stream_output stream_output;
   struct gpu_setup_state setup;
   struct gpu_fragment_draw *fragments; /* NULL: nothing is rasterised */
   uint32_t amplification;              /* see assemble.h */
   /* Registers of colours, fronts and backs, that are held to [0, 1]. */
   uint8_t num_clamped;
   uint8_t clamped[4];
   bool is_sequential;  /* a stage before fragments writes memory, or what
                         * batches do depends on those before them */
   uint8_t num_corners; /* of a primitive that is set up: 1 to 3 */
   bool is_boundless;   /* one primitive may become more than a batch should
                         * hold: parts are to be spilled. Sequential, too */
   /* Large, and not cleared before it is made. */
   struct gpu_vertex_stage vertex;
   struct gpu_tess_eval tess;
   struct gpu_geometry geometry;
};

/* What a worker makes of a part of a draw. */
struct gpu_part {
   struct gpu_batch batch;
   struct gpu_stream_words words;
   /* Takes what is there so far, and empties the part; false after a fault.
    * Called when the batch is large, in boundless pipelines. */
   bool (*spill)(void *user, struct gpu_worker *worker, struct gpu_part *part);
   void *user;
};

/* What each worker has for itself. */
struct gpu_pipeline_worker {
   struct gpu_assembly assembly; /* the part that is at work */
   /* Out of the vertex, the evaluation and the geometry shader. */
   struct gpu_stream vertices, tessellated, emitted;
   struct gpu_tess_memory *tess_memory; /* NULL until it is needed */
   double stipple_pixels; /* see struct gpu_setup; when batches go in order */
   struct gpu_setup_records records; /* that are set up */
   uint32_t bits_capacity, window_capacity;
};

/* That of a worker, made when it is first asked for; NULL when out of memory.
 */
struct gpu_pipeline_worker *
gpu_pipeline_worker(struct gpu_worker *worker);

/* What a draw is made from. */
struct gpu_pipeline_source {
   const struct gpu_state *state;
   const struct gpu_compiler *compiler;
   const struct gpu_fragment_source *fragments;
   struct gpu_vertex_kernel *vertex; /* of the last draw */
   bool links_strictly;
};

/* Before a draw: checks that shaders and state fit each other, and makes all
 * that the draw needs, unless the last draw has left it; what fragments need
 * goes into the scene's arena. Nothing is drawn yet. The pipeline is zero, or
 * was begun and ended before, for whatever context. Errors as of
 * tg_context_draw(), with nothing left. */
enum tg_result
gpu_pipeline_begin(struct gpu_pipeline *pipeline,
                   const struct gpu_pipeline_source *source,
                   struct tg_arena *arena, const struct tg_draw_info *info,
                   struct tg_diagnostics *diagnostics);

/* After a draw, or instead of one; after errors, too. TG_ERROR_MEMORY. */
enum tg_result
gpu_pipeline_end(struct gpu_pipeline *pipeline);

/* What was made is of no use to another draw. */
void
gpu_pipeline_forget(struct gpu_pipeline *pipeline);

/* Takes the worker's assembly, which is filled, from its vertices to a sealed
 * batch and to words of stream output. False after a fault, which is then the
 * worker's. */
bool
gpu_pipeline_run(const struct gpu_pipeline *pipeline, struct gpu_worker *worker,
                 struct gpu_part *part);

#endif
