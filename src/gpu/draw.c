/* SPDX-License-Identifier: MIT
 *
 * A draw from beginning to end: what it needs is checked and made first, then
 * it is cut into batches, which workers take from vertices to shapes, and the
 * shapes are put into the bins of the scene, batch by batch.
 */
#include <string.h>

#include "gpu/pipeline.h"
#include "gpu/queue.h"

/* Batches that are cut before workers take them. */
enum { GROUP_SIZE = 16 };

struct slot {
   struct gpu_assembly assembly;
   struct gpu_batch batch;
   struct gpu_fault fault;
};

struct draw {
   struct tg_gpu *gpu;
   struct gpu_draws draws;
   struct gpu_pipeline pipeline;
   struct gpu_assembler assembler;
   uint32_t num_slots; /* that are filled */
   struct slot slots[GROUP_SIZE];
};

/* ---- the scene ----------------------------------------------------------- */

/* Behind a full scene comes another one, in which what the draw has made for
 * its fragments must be, too. */
static enum tg_result
turn_over(struct draw *draw)
{
   struct tg_gpu *gpu = draw->gpu;
   struct gpu_scene *full = gpu->scene;
   if (!gpu_scene_is_full(full))
      return TG_OK;
   gpu->scene = NULL;
   enum tg_result result = gpu_open_scene(gpu);
   if (result == TG_OK) {
      gpu->scene->is_sequential = draw->pipeline.fragments->is_sequential;
      result =
         gpu_fragment_draw_copy(draw->pipeline.fragments, &gpu->scene->arena,
                                &draw->pipeline.fragments);
   }
   gpu_queue_add(gpu->queue, full);
   return result;
}

/* ---- batches ------------------------------------------------------------- */

static bool
run_slots(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct draw *draw = user;
   struct tg_gpu *gpu = draw->gpu;
   struct gpu_worker *worker = &gpu->geometry_workers[thread];
   bool is_good = true;
   for (uint64_t i = first; i < end && is_good; i++) {
      struct slot *slot = &draw->slots[i];
      worker->fault = (struct gpu_fault){TG_OK, NULL, {0}, NULL};
      is_good = gpu_pipeline_run(&draw->pipeline, worker, &slot->assembly,
                                 &slot->batch);
      slot->fault = worker->fault;
   }
   gpu_worker_count(worker, gpu->epoch);
   return is_good;
}

/* What the workers made goes into the scene, in order, up to the first fault.
 */
static enum tg_result
commit(struct draw *draw, struct tg_diagnostics *diagnostics)
{
   enum tg_result result = TG_OK;
   for (uint32_t i = 0; i < draw->num_slots; i++) {
      struct slot *slot = &draw->slots[i];
      if (result == TG_OK)
         result = gpu_report(&slot->fault, diagnostics);
      if (result == TG_OK && draw->pipeline.fragments &&
          !gpu_scene_add(draw->gpu->scene, &slot->batch))
         result = TG_ERROR_MEMORY;
      gpu_batch_finish(&slot->batch);
   }
   return result;
}

static enum tg_result
run_group(struct draw *draw, struct tg_diagnostics *diagnostics)
{
   struct tg_gpu *gpu = draw->gpu;
   const struct tg_framebuffer_state *framebuffer = &gpu->state.framebuffer;
   for (uint32_t i = 0; i < draw->num_slots; i++) {
      gpu_batch_init(&draw->slots[i].batch, &gpu->allocator,
                     draw->pipeline.fragments, framebuffer->width,
                     framebuffer->height);
      draw->slots[i].fault = (struct gpu_fault){TG_OK, NULL, {0}, NULL};
   }
   if (draw->pipeline.is_sequential)
      run_slots(draw, 0, 0, draw->num_slots);
   else
      tg_pool_run(gpu->geometry_pool, draw->num_slots, 1, run_slots, draw);
   enum tg_result result = commit(draw, diagnostics);
   draw->num_slots = 0;
   if (result == TG_OK && draw->pipeline.fragments)
      result = turn_over(draw);
   return result;
}

/* All parts of all draws. */
static enum tg_result
run_groups(struct draw *draw, struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = &draw->gpu->state;
   const struct gpu_assembler_options options = {
      .first_provokes = state->rasterizer.flatshade_first,
      .keeps_adjacency = state->shader[TG_GPU_GEOMETRY] != NULL,
      .amplification = draw->pipeline.amplification,
   };
   gpu_assembler_init(&draw->assembler, &draw->draws, &options);
   while (gpu_assembler_fill(&draw->assembler,
                             &draw->slots[draw->num_slots].assembly)) {
      if (++draw->num_slots < GROUP_SIZE)
         continue;
      const enum tg_result result = run_group(draw, diagnostics);
      if (result != TG_OK)
         return result;
   }
   return run_group(draw, diagnostics);
}

/* ---- the draw ------------------------------------------------------------ */

static enum tg_result
run_draw(struct draw *draw, struct tg_diagnostics *diagnostics)
{
   struct tg_gpu *gpu = draw->gpu;
   enum tg_result result = gpu_open_scene(gpu);
   if (result == TG_OK)
      result = gpu_pipeline_init(&draw->pipeline, gpu, &gpu->scene->arena,
                                 &draw->draws.info, diagnostics);
   if (result != TG_OK)
      return result;
   if (draw->pipeline.fragments && draw->pipeline.fragments->is_sequential)
      gpu->scene->is_sequential = true;
   atomic_fetch_add_explicit(&gpu->epoch->count[GPU_COUNT_DRAWS], 1,
                             memory_order_relaxed);
   return run_groups(draw, diagnostics);
}

/* Of a checked draw all findings come with the call. */
static enum tg_result
finish_check(struct draw *draw, struct tg_diagnostics *diagnostics)
{
   struct gpu_fragment_draw *fragments = draw->pipeline.fragments;
   struct check *check = fragments ? fragments->check : NULL;
   if (!draw->gpu->options.check)
      return TG_OK;
   const enum tg_result result = tg_gpu_finish(draw->gpu, diagnostics);
   const enum tg_result checked = gpu_end_check(check);
   return result != TG_OK ? result : checked;
}

enum tg_result
tg_gpu_draw(struct tg_gpu *gpu, const struct tg_draw_info *info,
            struct tg_diagnostics *diagnostics)
{
   void *memory = NULL;
   if (!gpu_grow(&gpu->allocator, &memory, 0, sizeof(struct draw)))
      return TG_ERROR_MEMORY;
   struct draw *draw = memory;
   memset(draw, 0, sizeof(*draw));
   draw->gpu = gpu;
   const struct gpu_streamed streamed = {
      .stride = gpu->state.vertex_buffers[0].stride,
   };
   enum tg_result result = gpu_draws_init(&draw->draws, &gpu->allocator, info,
                                          streamed, diagnostics);
   if (result == TG_OK)
      result = run_draw(draw, diagnostics);
   gpu_draws_finish(&draw->draws);
   const enum tg_result vertices = gpu_pipeline_finish(&draw->pipeline);
   const enum tg_result fragments = finish_check(draw, diagnostics);
   if (result == TG_OK)
      result = vertices != TG_OK ? vertices : fragments;
   gpu_grow(&gpu->allocator, &memory, sizeof(*draw), 0);
   return result;
}
