/* SPDX-License-Identifier: MIT
 *
 * Draw calls: what a draw needs is checked and made first, then it is cut into
 * batches, which workers take from vertices to shapes, and the shapes are put
 * into the bins of the scene, batch by batch.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "gpu/context/query.h"
#include "gpu/core/grow.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/queue/queue.h"
#include "util/sized.h"

/* Batches that are run before what they made is put into the scene. */
enum { GROUP_SIZE = 32 };

struct slot {
   struct gpu_part part;
   struct gpu_fault fault;
};

struct gpu_draw {
   struct tg_context *context;
   struct gpu_call *call;
   struct gpu_worker *caller; /* of the calling thread */
   struct gpu_draws draws;
   struct check *fragment_check; /* or NULL; the scene may be gone before it */
   bool is_sequential;           /* one thread does it all */
   uint32_t group_size;   /* batches that are run before they are committed */
   pthread_mutex_t mutex; /* while several threads cut batches: */
   bool is_cut;           /* all of it */
   uint32_t num_slots;    /* that are filled */

   /* What is not cleared for the next draw. */
   struct gpu_assembler assembler;
   struct gpu_pipeline pipeline;
   struct slot slots[GROUP_SIZE];
};

/* ---- the scene ----------------------------------------------------------- */

/* The scene keeps what its fragments use, and other accesses wait for it. */
static enum tg_result
keep_fragments(struct gpu_draw *draw)
{
   struct tg_context *context = draw->context;
   struct gpu_fragment_draw *fragments = draw->pipeline.fragments;
   const size_t num_bytes = sizeof(*fragments) + fragments->bound.num_new_bytes;
   if (!gpu_scene_keep(context->scene, fragments, num_bytes,
                       gpu_fragment_draw_drop))
      return TG_ERROR_MEMORY;
   return gpu_note_uses_of_fragments(context, fragments);
}

/* After a full scene comes another one, in which what the draw has made for
 * its fragments must be, too. */
static enum tg_result
turn_over(struct gpu_draw *draw)
{
   struct tg_context *context = draw->context;
   struct gpu_scene *full = context->scene;
   if (!gpu_scene_is_full(full))
      return TG_OK;
   context->scene = NULL;
   enum tg_result result = gpu_open_scene(context);
   if (result == TG_OK) {
      context->scene->is_sequential = draw->pipeline.fragments->is_sequential;
      result = gpu_fragment_draw_copy(draw->pipeline.fragments,
                                      &context->scene->arena,
                                      &draw->pipeline.fragments);
   }
   gpu_queue_add(context->queue, full);
   if (result == TG_OK)
      result = keep_fragments(draw);
   return result;
}

/* ---- parts --------------------------------------------------------------- */

static bool
spill(void *user, struct gpu_worker *worker, struct gpu_part *part);

static void
begin_part(struct gpu_draw *draw, struct gpu_part *part)
{
   const struct tg_framebuffer_state *framebuffer =
      &draw->context->state.framebuffer;
   gpu_batch_begin(&part->batch, draw->pipeline.fragments, draw->call,
                   framebuffer->width, framebuffer->height);
   if (draw->pipeline.has_stream_output)
      gpu_stream_words_init(&part->words, draw->context->allocator);
   part->spill = spill;
   part->user = draw;
}

static void
end_part(const struct gpu_draw *draw, struct gpu_part *part)
{
   if (draw->pipeline.has_stream_output)
      gpu_stream_words_finish(&part->words);
}

/* Puts a sealed part after all that was drawn before. */
static enum tg_result
commit_part(struct gpu_draw *draw, struct gpu_part *part)
{
   if (draw->pipeline.has_stream_output)
      gpu_stream_output_commit(&draw->pipeline.stream_output, &part->words,
                               draw->caller->count);
   if (draw->pipeline.fragments &&
       !gpu_scene_add(draw->context->scene, &part->batch))
      return TG_ERROR_MEMORY;
   return TG_OK;
}

/* Commits what there is of a part that goes on. It is the only one. */
static bool
spill(void *user, struct gpu_worker *worker, struct gpu_part *part)
{
   struct gpu_draw *draw = user;
   enum tg_result result =
      gpu_batch_seal(&part->batch) ? TG_OK : TG_ERROR_MEMORY;
   if (result == TG_OK)
      result = commit_part(draw, part);
   gpu_call_leave(draw->call); /* there may be something to wait for */
   if (result == TG_OK)
      result = turn_over(draw);
   gpu_call_enter(draw->call);
   end_part(draw, part);
   begin_part(draw, part);
   return result == TG_OK || gpu_worker_fail(worker, result, "out of memory");
}

/* ---- batches ------------------------------------------------------------- */

/* The next slot, for which a worker cuts a batch into its own memory, or NULL
 * if it has none. NULL when the group is full, or nothing is left. */
static struct slot *
cut(struct gpu_draw *draw, struct gpu_pipeline_worker *own)
{
   if (draw->is_cut || draw->num_slots == draw->group_size)
      return NULL;
   draw->is_cut = own && !gpu_assembler_cut(&draw->assembler, &own->assembly);
   if (draw->is_cut)
      return NULL;
   return &draw->slots[draw->num_slots++];
}

static struct slot *
claim(struct gpu_draw *draw, struct gpu_pipeline_worker *own)
{
   if (draw->is_sequential)
      return cut(draw, own);
   pthread_mutex_lock(&draw->mutex);
   struct slot *slot = cut(draw, own);
   pthread_mutex_unlock(&draw->mutex);
   return slot;
}

static bool
run_part(struct gpu_draw *draw, struct gpu_worker *worker,
         struct gpu_part *part)
{
   if (!worker->pipeline)
      return gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
   gpu_assembler_fill(&draw->assembler, &worker->pipeline->assembly);
   return gpu_pipeline_run(&draw->pipeline, worker, part);
}

static bool
run_slot(struct gpu_draw *draw, struct gpu_worker *worker, struct slot *slot)
{
   begin_part(draw, &slot->part);
   gpu_worker_begin(worker, &draw->context->life);
   gpu_call_begin(draw->call, worker);
   const bool is_good = run_part(draw, worker, &slot->part);
   gpu_call_end(draw->call, worker);
   gpu_worker_end(worker);
   slot->fault = worker->fault;
   return is_good;
}

/* An idle worker claims the next batch and runs it, while others run theirs.
 */
static bool
run_slots(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct gpu_draw *draw = user;
   struct gpu_worker *worker =
      gpu_worker_of(&draw->context->device->workers, draw->caller, thread);
   struct gpu_pipeline_worker *own = gpu_pipeline_worker(worker);
   bool is_good = true;
   for (uint64_t i = first; i < end && is_good; i++) {
      struct slot *slot = claim(draw, own);
      is_good = slot && run_slot(draw, worker, slot);
   }
   if (thread)
      gpu_worker_count(worker, draw->context->epoch);
   return is_good;
}

/* What the workers made goes into the scene, in order, up to the first fault.
 */
static enum tg_result
commit(struct gpu_draw *draw, struct tg_diagnostics *diagnostics)
{
   enum tg_result result = TG_OK;
   for (uint32_t i = 0; i < draw->num_slots; i++) {
      struct slot *slot = &draw->slots[i];
      if (result == TG_OK)
         result =
            gpu_report_fault(&draw->context->life, &slot->fault, diagnostics);
      if (result == TG_OK)
         result = commit_part(draw, &slot->part);
      if (result != TG_OK)
         gpu_batch_finish(&slot->part.batch); /* it may be large */
      end_part(draw, &slot->part);
   }
   return result;
}

static enum tg_result
run_group(struct gpu_draw *draw, struct tg_diagnostics *diagnostics)
{
   draw->num_slots = 0;
   if (draw->is_sequential)
      run_slots(draw, 0, 0, draw->group_size);
   else
      tg_pool_run_for(draw->context->device->pool,
                      gpu_queue_share(draw->context->queue), GROUP_SIZE, 1,
                      run_slots, draw);
   const enum tg_result result = commit(draw, diagnostics);
   if (result == TG_OK && draw->pipeline.fragments)
      return turn_over(draw);
   return result;
}

/* All parts of all draws. What is likely to be one part wakes no thread. */
static enum tg_result
run_groups(struct gpu_draw *draw, struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = &draw->context->state;
   const struct gpu_assembler_options options = {
      .first_provokes = state->rasterizer->state.flatshade_first,
      .keeps_adjacency = state->shader[TG_GPU_GEOMETRY] != NULL,
      .amplification = draw->pipeline.amplification,
   };
   const bool is_small = draw->draws.num_vertices <= GPU_ASSEMBLY_UNINDEXED &&
                         !options.amplification;
   enum tg_result result = TG_OK;
   draw->is_sequential = draw->pipeline.is_sequential || is_small;
   draw->group_size = draw->pipeline.is_boundless ? 1 : GROUP_SIZE;
   gpu_assembler_init(&draw->assembler, &draw->draws, &options);
   if (!draw->is_sequential)
      pthread_mutex_init(&draw->mutex, NULL);
   while (!draw->is_cut && result == TG_OK)
      result = run_group(draw, diagnostics);
   if (!draw->is_sequential)
      pthread_mutex_destroy(&draw->mutex);
   return result;
}

/* ---- the draw ------------------------------------------------------------ */

/* What is not bound is at no address, and of no bytes. */
static bool
overlap(const struct exec_memory *a, const struct exec_memory *b)
{
   const uintptr_t first_a = (uintptr_t)a->data;
   const uintptr_t first_b = (uintptr_t)b->data;
   return first_a < first_b + b->num_bytes && first_b < first_a + a->num_bytes;
}

/* Rendering feedback loops: can fragments sample or load from an attachment,
 * other than by FBFETCH? Which level or layer is not looked at. What was left
 * bound for another shader, as Mesa 25.0 leaves it, does not count. */
static bool
reads_target(const struct tg_bindings *bindings, const struct abi_keys *seen,
             const struct tg_surface *surface)
{
   if (!surface->resource)
      return false;
   const struct exec_memory target = resource_memory(surface->resource);
   for (unsigned i = 0; i < bindings->ends[RESOURCE_VIEWS]; i++) {
      if (abi_sees_view(seen, i) && overlap(&bindings->textures[i], &target))
         return true;
   }
   const unsigned end = bindings->ends[RESOURCE_IMAGES];
   for (unsigned i = 0; i < end && i < ABI_MAX_IMAGES; i++) {
      if (abi_sees_image(seen, i) && overlap(&bindings->images[i], &target))
         return true;
   }
   return false;
}

/* Has the draw a scene for itself, whose tiles are drawn in order? One whose
 * fragments write memory has, so that draws before and after it see what they
 * should; and one that reads what it draws to, so that it finds there what was
 * drawn before, and the same for any number of threads. */
static bool
is_alone(const struct gpu_state *state)
{
   const struct tg_gpu_shader *shader = state->shader[TG_GPU_FRAGMENT];
   const struct tg_bindings *bindings = state->bindings[TG_GPU_FRAGMENT];
   const struct tg_framebuffer_state *framebuffer = &state->framebuffer;
   if (!shader || state->rasterizer->state.rasterizer_discard)
      return false;
   if (shader->writes_memory)
      return true;
   if (!bindings)
      return false;
   for (uint32_t i = 0; i < framebuffer->num_colors; i++) {
      if (reads_target(bindings, &shader->seen, &framebuffer->colors[i]))
         return true;
   }
   return reads_target(bindings, &shader->seen, &framebuffer->depth_stencil);
}

static enum tg_result
init_pipeline(struct gpu_draw *draw, struct tg_diagnostics *diagnostics)
{
   struct tg_context *context = draw->context;
   const struct gpu_pipeline_source source = {
      .state = &context->state,
      .compiler = &context->compiler,
      .fragments = &context->fragment_source,
      .vertex = &context->vertex_kernel,
      .links_strictly = context->options.links_strictly,
   };
   context->fragment_source.epoch = context->epoch;
   return gpu_pipeline_begin(&draw->pipeline, &source, &context->scene->arena,
                             &draw->draws.info, diagnostics);
}

/* What the pipeline has made for fragments becomes the scene's. */
static enum tg_result
take_fragments(struct gpu_draw *draw, bool alone)
{
   struct tg_context *context = draw->context;
   struct gpu_fragment_draw *fragments = draw->pipeline.fragments;
   if (!draw->pipeline.is_made_again || !fragments)
      return TG_OK;
   draw->fragment_check = fragments->check;
   fragments->is_sequential |= alone;
   context->scene->is_sequential |= fragments->is_sequential;
   const enum tg_result result = keep_fragments(draw);
   if (result != TG_OK)
      gpu_pipeline_forget(&draw->pipeline);
   return result;
}

static enum tg_result
run_draw(struct gpu_draw *draw, struct tg_diagnostics *diagnostics)
{
   struct tg_context *context = draw->context;
   const bool alone = is_alone(&context->state);
   if (alone)
      gpu_flush_scene(context);
   enum tg_result result = gpu_open_scene(context);
   if (result == TG_OK)
      result = init_pipeline(draw, diagnostics);
   if (result == TG_OK)
      result = take_fragments(draw, alone);
   if (result != TG_OK)
      return result;
   result = run_groups(draw, diagnostics);
   if (result == TG_OK)
      context->epoch->own[GPU_COUNT_DRAWS]++;
   if (alone)
      gpu_flush_scene(context);
   return result;
}

/* Of a checked draw all findings come with the call. */
static enum tg_result
finish_check(struct gpu_draw *draw, struct tg_diagnostics *diagnostics)
{
   if (!draw->context->compiler.check)
      return TG_OK;
   const enum tg_result result =
      gpu_flush_and_finish(draw->context, diagnostics);
   const enum tg_result checked = gpu_stage_end_check(draw->fragment_check);
   return result != TG_OK ? result : checked;
}

static enum tg_result
draw_with(struct gpu_draw *draw, const struct tg_draw_info *info,
          struct tg_diagnostics *diagnostics)
{
   struct tg_context *context = draw->context;
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++) {
      if (context->state.shader[i])
         resource_refresh_snapshot(context->state.bindings[i]);
   }
   gpu_settle_one_color_of_bindings(context);
   gpu_wait_for_geometry(context, info);
   enum tg_result result =
      gpu_draws_init(&draw->draws, context->allocator, info, diagnostics);
   if (result == TG_OK)
      result = gpu_fault_charge(
         &context->life,
         GPU_WORK_CALL + GPU_WORK_DRAW * (uint64_t)draw->draws.num_draws,
         diagnostics);
   if (result == TG_OK && gpu_query_condition_holds(context))
      result = run_draw(draw, diagnostics);
   gpu_draws_finish(&draw->draws);
   const enum tg_result vertices = gpu_pipeline_end(&draw->pipeline);
   const enum tg_result fragments = finish_check(draw, diagnostics);
   if (result == TG_OK)
      result = vertices != TG_OK ? vertices : fragments;
   return result;
}

static void
finish_draw(struct gpu_worker *worker)
{
   void *memory = worker->draw;
   for (unsigned i = 0; i < GROUP_SIZE; i++)
      gpu_batch_finish(&worker->draw->slots[i].part.batch);
   gpu_grow(worker->allocator, &memory, sizeof(*worker->draw), 0);
   worker->draw = NULL;
}

/* It is large, and so stays with the worker; NULL when out of memory. */
static struct gpu_draw *
keep_draw(struct gpu_worker *worker)
{
   void *memory = NULL;
   if (worker->draw)
      return worker->draw;
   if (!gpu_grow(worker->allocator, &memory, 0, sizeof(struct gpu_draw)))
      return NULL;
   worker->draw = memory;
   worker->draw->pipeline = (struct gpu_pipeline){0};
   worker->finish_draw = finish_draw;
   for (unsigned i = 0; i < GROUP_SIZE; i++)
      gpu_batch_init(&worker->draw->slots[i].part.batch, worker->recycler);
   return worker->draw;
}

static struct gpu_draw *
begin_draw(struct tg_context *context, struct gpu_worker *caller)
{
   struct gpu_draw *draw = keep_draw(caller);
   if (!draw)
      return NULL;
   memset(draw, 0, offsetof(struct gpu_draw, assembler));
   draw->context = context;
   draw->caller = caller;
   draw->call = gpu_call_create(&context->calls, context->call, &context->life,
                                context->options.max_call_seconds);
   return draw->call ? draw : NULL;
}

static enum tg_result
draw_as(struct tg_context *context, struct gpu_worker *caller,
        const struct tg_draw_info *info, struct tg_diagnostics *diagnostics)
{
   struct gpu_draw *draw = begin_draw(context, caller);
   if (!draw)
      return gpu_context_end_call(context, NULL, TG_ERROR_MEMORY);
   const enum tg_result result = gpu_context_end_call(
      context, draw->call, draw_with(draw, info, diagnostics));
   gpu_call_destroy(draw->call);
   return result;
}

enum tg_result
tg_context_draw(struct tg_context *context, const struct tg_draw_info *given,
                struct tg_diagnostics *diagnostics)
{
   assert(context);
   struct tg_draw_info info;
   gpu_context_begin_call(context, TG_CALL_DRAW);
   const enum tg_result result = tg_draw_info_take(&info, given, diagnostics);
   if (result != TG_OK)
      return gpu_context_end_call(context, NULL, result);
   if (!context->caller)
      context->caller = gpu_workers_borrow(&context->device->workers);
   if (!context->caller)
      return gpu_context_end_call(context, NULL, TG_ERROR_MEMORY);
   return draw_as(context, context->caller, &info, diagnostics);
}
