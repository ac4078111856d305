/* SPDX-License-Identifier: MIT
 *
 * The stages of a draw in their order: what each needs, and a batch's way
 * through them.
 */
#include "gpu/pipeline.h"

#include <string.h>

/* ---- workers ------------------------------------------------------------- */

enum tg_result
gpu_pipeline_workers_create(struct tg_gpu *gpu)
{
   for (unsigned i = 0; i < gpu->num_workers; i++) {
      void *memory = NULL;
      if (!gpu_grow(&gpu->allocator, &memory, 0,
                    sizeof(struct gpu_pipeline_worker)))
         return TG_ERROR_MEMORY;
      struct gpu_pipeline_worker *own = memory;
      memset(own, 0, sizeof(*own));
      gpu_stream_init(&own->vertices, &gpu->allocator);
      gpu->geometry_workers[i].pipeline = own;
   }
   return TG_OK;
}

void
gpu_pipeline_workers_destroy(struct tg_gpu *gpu)
{
   for (unsigned i = 0; gpu->geometry_workers && i < gpu->num_workers; i++) {
      struct gpu_pipeline_worker *own = gpu->geometry_workers[i].pipeline;
      void *memory = own;
      if (!own)
         continue;
      gpu_stream_finish(&own->vertices);
      gpu_grow(&gpu->allocator, &memory, sizeof(*own), 0);
   }
}

/* ---- the draw ------------------------------------------------------------ */

/* The last shader before rasterisation. */
static const struct tg_gpu_shader *
last_shader(const struct gpu_state *state)
{
   if (state->shader[TG_GPU_GEOMETRY])
      return state->shader[TG_GPU_GEOMETRY];
   if (state->shader[TG_GPU_TESS_EVAL])
      return state->shader[TG_GPU_TESS_EVAL];
   return state->shader[TG_GPU_VERTEX];
}

static enum tg_result
check_stages(const struct gpu_state *state, const struct tg_draw_info *info,
             struct tg_diagnostics *diagnostics)
{
   if (!state->shader[TG_GPU_VERTEX])
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "there is no vertex shader");
   if (!state->shader[TG_GPU_FRAGMENT] && !state->rasterizer.rasterizer_discard)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "there is no fragment shader");
   for (unsigned i = TG_GPU_GEOMETRY; i < TG_NUM_GPU_STAGES; i++) {
      if (state->shader[i])
         return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "state",
                             "%s: a shader of this stage cannot be drawn with",
                             state->shader[i]->shader->source.name);
   }
   if (info->mode == TG_PRIM_PATCHES && !state->rasterizer.rasterizer_discard)
      return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "draw",
                          "primitives of kind %s are not supported",
                          tg_primitives[info->mode].name);
   return TG_OK;
}

enum tg_result
gpu_pipeline_init(struct gpu_pipeline *pipeline, struct tg_gpu *gpu,
                  struct tg_arena *arena, const struct tg_draw_info *info,
                  struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = &gpu->state;
   *pipeline = (struct gpu_pipeline){.gpu = gpu};
   enum tg_result result = check_stages(state, info, diagnostics);
   if (result != TG_OK)
      return result;
   pipeline->is_sequential = state->shader[TG_GPU_VERTEX]->writes_memory ||
                             state->rasterizer.line_stipple_enable;
   result = gpu_vertex_stage_init(&pipeline->vertex, gpu, diagnostics);
   if (result != TG_OK || state->rasterizer.rasterizer_discard)
      return result;
   result = gpu_link(last_shader(state), state->shader[TG_GPU_FRAGMENT],
                     &state->rasterizer, diagnostics, &pipeline->interface);
   if (result != TG_OK || pipeline->interface.position == GPU_NO_REGISTER)
      return result;
   gpu_setup_state_init(&pipeline->setup, state, last_shader(state),
                        &pipeline->interface);
   return gpu_fragment_draw_create(gpu, &pipeline->interface, arena,
                                   diagnostics, &pipeline->fragments);
}

enum tg_result
gpu_pipeline_finish(struct gpu_pipeline *pipeline)
{
   return gpu_end_check(pipeline->vertex.check);
}

/* ---- shapes -------------------------------------------------------------- */

static uint32_t *
reserve_constants(void *user, uint32_t num_words, uint32_t *first_out)
{
   struct gpu_batch *batch = user;
   *first_out = batch->num_constants;
   return gpu_batch_add_constants(batch, num_words);
}

static bool
add_shape(void *user, const struct gpu_shape *shape)
{
   return gpu_batch_add_shape(user, shape);
}

static bool
set_up_primitive(struct gpu_setup *setup, const struct gpu_stream *stream,
                 uint32_t number)
{
   const struct gpu_stream_primitive *from = &stream->primitives[number];
   const uint32_t count = stream->vertices_per_primitive;
   struct gpu_setup_primitive primitive = {
      .num_vertices = (uint8_t)count,
      .provoking = from->provoking,
      .edges = from->edges,
      .restarts_stipple = from->begins,
      .id = from->id,
   };
   for (uint32_t i = 0; i < count; i++)
      primitive.vertex[i] =
         gpu_stream_record(stream, stream->vertices[number * count + i]);
   return gpu_setup_primitive(setup, &primitive);
}

/* Makes shapes of all primitives that go to fragments. */
static bool
set_up(const struct gpu_pipeline *pipeline, struct gpu_worker *worker,
       const struct gpu_stream *stream, struct gpu_batch *batch)
{
   const struct gpu_shape_sink sink = {reserve_constants, add_shape, batch};
   struct gpu_pipeline_worker *own = worker->pipeline;
   struct gpu_setup setup;
   gpu_setup_init(&setup, &pipeline->setup, &sink);
   setup.stipple_pixels = own->stipple_pixels;
   for (uint32_t i = 0; i < stream->num_primitives; i++) {
      if (stream->primitives[i].stream == 0 &&
          !set_up_primitive(&setup, stream, i))
         return gpu_fail(worker, TG_ERROR_MEMORY, "out of memory");
   }
   own->stipple_pixels = setup.stipple_pixels;
   worker->count[GPU_COUNT_C_INVOCATIONS] += stream->num_primitives;
   worker->count[GPU_COUNT_C_PRIMITIVES] += setup.num_visible;
   worker->count[GPU_COUNT_TRIANGLES] += setup.num_polygons;
   worker->count[GPU_COUNT_LINES] += setup.num_lines;
   worker->count[GPU_COUNT_POINTS] += setup.num_points;
   return true;
}

/* ---- batches ------------------------------------------------------------- */

bool
gpu_pipeline_run(const struct gpu_pipeline *pipeline, struct gpu_worker *worker,
                 const struct gpu_assembly *assembly, struct gpu_batch *batch)
{
   struct gpu_stream *vertices = &worker->pipeline->vertices;
   if (!gpu_vertex_stage_run(&pipeline->vertex, worker, assembly, vertices))
      return false;
   if (!pipeline->fragments)
      return true;
   if (!set_up(pipeline, worker, vertices, batch))
      return false;
   return gpu_batch_seal(batch) ||
          gpu_fail(worker, TG_ERROR_MEMORY, "out of memory");
}
