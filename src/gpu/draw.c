/* SPDX-License-Identifier: MIT
 *
 * A draw from beginning to end: what it needs is checked and made first, then
 * it is cut into batches, which workers take from vertices to shapes, and the
 * shapes are put into the bins of the scene, batch by batch.
 */
#include <string.h>

#include "gpu/pipeline.h"
#include "gpu/queue.h"

/* Vertices of all instances of one draw; a bound on what one call may cost. */
#define MAX_DRAW_VERTICES (UINT64_C(1) << 30)

/* Batches that are cut before workers take them. */
enum { GROUP_SIZE = 16 };

struct slot {
   struct gpu_assembly assembly;
   struct gpu_batch batch;
   struct gpu_fault fault;
};

struct draw {
   struct tg_gpu *gpu;
   const struct tg_draw_info *info;
   struct gpu_pipeline pipeline;
   struct gpu_assembler assembler;
   uint32_t num_slots; /* that are filled */
   struct slot slots[GROUP_SIZE];
};

/* ---- checks -------------------------------------------------------------- */

static enum tg_result
check_info(const struct tg_draw_info *info, struct tg_diagnostics *diagnostics)
{
   if (info->size < sizeof(*info))
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "draw",
                          "the size of tg_draw_info is not set");
   if (info->mode != TG_PRIM_TRIANGLES && info->mode != TG_PRIM_TRIANGLE_STRIP)
      return gpu_complain(
         diagnostics, TG_ERROR_UNSUPPORTED, "draw",
         "primitives of kind %s are not supported",
         info->mode < TG_NUM_PRIMITIVES ? tg_primitives[info->mode].name : "?");
   if (info->index_size != 0 && info->index_size != 2 && info->index_size != 4)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "draw",
                          "indices of %u bytes; expected 1, 2 or 4, or 0 for "
                          "none",
                          (unsigned)info->index_size);
   if (info->index_size &&
       (!info->index_buffer || !resource_is_buffer(info->index_buffer)))
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "draw",
                          "an indexed draw without a buffer of indices");
   for (uint32_t i = 0; i < info->num_draws; i++) {
      if (info->instance_count &&
          info->draws[i].count > MAX_DRAW_VERTICES / info->instance_count)
         return gpu_complain(diagnostics, TG_ERROR_LIMIT, "draw",
                             "%u vertices times %u instances; a draw may have "
                             "2^30",
                             info->draws[i].count, info->instance_count);
   }
   return TG_OK;
}

/* ---- the scene ----------------------------------------------------------- */

/* The scene that is drawn to; a new one if there is none. */
static enum tg_result
open_scene(struct tg_gpu *gpu)
{
   if (gpu->scene)
      return TG_OK;
   return gpu_scene_create(gpu, gpu->state.framebuffer.width,
                           gpu->state.framebuffer.height, &gpu->scene);
}

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
   enum tg_result result = open_scene(gpu);
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

static enum tg_result
draw_instance(struct draw *draw, const struct tg_draw_range *range,
              uint32_t instance, struct tg_diagnostics *diagnostics)
{
   gpu_assembler_init(&draw->assembler, draw->info, range,
                      draw->gpu->state.rasterizer.flatshade_first);
   while (gpu_assembler_fill(&draw->assembler,
                             &draw->slots[draw->num_slots].assembly)) {
      draw->slots[draw->num_slots].assembly.instance = instance;
      if (++draw->num_slots < GROUP_SIZE)
         continue;
      const enum tg_result result = run_group(draw, diagnostics);
      if (result != TG_OK)
         return result;
   }
   return TG_OK;
}

/* ---- the draw ------------------------------------------------------------ */

static enum tg_result
run_draw(struct draw *draw, struct tg_diagnostics *diagnostics)
{
   struct tg_gpu *gpu = draw->gpu;
   const struct tg_draw_info *info = draw->info;
   enum tg_result result = check_info(info, diagnostics);
   if (result == TG_OK)
      result = open_scene(gpu);
   if (result == TG_OK)
      result = gpu_pipeline_init(&draw->pipeline, gpu, &gpu->scene->arena, info,
                                 diagnostics);
   if (result != TG_OK)
      return result;
   if (draw->pipeline.fragments && draw->pipeline.fragments->is_sequential)
      gpu->scene->is_sequential = true;
   atomic_fetch_add_explicit(&gpu->epoch->count[GPU_COUNT_DRAWS], 1,
                             memory_order_relaxed);
   for (uint32_t i = 0; i < info->num_draws; i++) {
      for (uint32_t j = 0; j < info->instance_count && result == TG_OK; j++)
         result = draw_instance(draw, &info->draws[i], j, diagnostics);
   }
   if (result == TG_OK)
      result = run_group(draw, diagnostics);
   return result;
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
   draw->info = info;
   enum tg_result result = run_draw(draw, diagnostics);
   const enum tg_result vertices = gpu_pipeline_finish(&draw->pipeline);
   const enum tg_result fragments = finish_check(draw, diagnostics);
   if (result == TG_OK)
      result = vertices != TG_OK ? vertices : fragments;
   gpu_grow(&gpu->allocator, &memory, sizeof(*draw), 0);
   return result;
}
