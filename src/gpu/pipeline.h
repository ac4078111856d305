/* SPDX-License-Identifier: MIT
 *
 * One draw's way from vertices to shapes: what each stage of it needs, made
 * once, and the work on one batch, which any thread can do.
 */
#ifndef TG_GPU_PIPELINE_H
#define TG_GPU_PIPELINE_H

#include "gpu/assemble.h"
#include "gpu/batch.h"
#include "gpu/fragment.h"
#include "gpu/setup.h"
#include "gpu/stream.h"
#include "gpu/vertex.h"

/* What the stages of a draw are made for. Large; not to be moved once it is set
 * up. */
struct gpu_pipeline {
   struct tg_gpu *gpu;
   struct gpu_interface interface;
   struct gpu_vertex_stage vertex;
   struct gpu_setup_state setup;
   struct gpu_fragment_draw *fragments; /* NULL: nothing is rasterised */
   uint32_t amplification;              /* see assemble.h */
   bool is_sequential; /* a stage before fragments writes memory, or what
                        * batches do depends on those before them */
};

/* What each worker of geometry has for itself. */
struct gpu_pipeline_worker {
   struct gpu_stream vertices; /* out of the vertex shader */
   double stipple_pixels; /* see struct gpu_setup; when batches go in order */
};

enum tg_result
gpu_pipeline_workers_create(struct tg_gpu *gpu);
void
gpu_pipeline_workers_destroy(struct tg_gpu *gpu);

/* Checks that shaders and state fit each other, and makes all that the draw
 * needs; what fragments need goes into the scene's arena. Nothing is drawn yet.
 * Errors as of tg_gpu_draw(). gpu_pipeline_finish() is to be called after
 * errors, too. */
enum tg_result
gpu_pipeline_init(struct gpu_pipeline *pipeline, struct tg_gpu *gpu,
                  struct tg_arena *arena, const struct tg_draw_info *info,
                  struct tg_diagnostics *diagnostics);

/* TG_ERROR_MEMORY. */
enum tg_result
gpu_pipeline_finish(struct gpu_pipeline *pipeline);

/* Takes a part of the draw from its vertices to a sealed batch. False after a
 * fault, which is then the worker's. */
bool
gpu_pipeline_run(const struct gpu_pipeline *pipeline, struct gpu_worker *worker,
                 const struct gpu_assembly *assembly, struct gpu_batch *batch);

#endif
